// Finds the rows of an uploaded file in its octets, a window at a time. Reading can resume at any place, even
// after a restart.

/** The place where reading continues. Plain JSON, so that it can be stored. */
export interface RowPlace {
  /** In octets from the beginning. */
  offset: number;
  /** Number of the row that begins there, from 1: its line, or its index in a JSON array. */
  line: number;
  /** The position inside a row; absent between two rows. */
  inside?: unknown;
}

export const FIRST_PLACE: RowPlace = { offset: 0, line: 1 };

export interface RawRow {
  line: number;
  /** Without the line end. Of a row that is too long, only the beginning. */
  octets: Uint8Array;
  /** Why the row is unreadable. */
  problem: 'too_long' | 'quotes' | null;
}

export interface SplitRows {
  /**
   * Returns at most `limit` complete rows of `window`, which begins at `place`, and the place after them. The
   * next window must begin there. `isLast` means that nothing follows the window.
   */
  (window: Uint8Array, place: RowPlace, options: { isLast: boolean; limit: number }): FoundRows;
}

export interface FoundRows {
  rows: RawRow[];
  place: RowPlace;
  /** Explains in a sentence why reading cannot continue. */
  broken: string | null;
}

/** Octets of an overlong row that are kept for display. */
const SHOWN_OCTETS = 1000;
/** Pieces are gathered to this size, so that a client cannot make each octet be read many times. */
const WINDOW_BYTES = 16 * 1024;

export function longRow(line: number, window: Uint8Array, start: number): RawRow {
  return { line, octets: window.subarray(start, start + SHOWN_OCTETS), problem: 'too_long' };
}

/** Returns true for blanks, and for cells without content. */
export function isBlank(window: Uint8Array, start: number, end: number, delimiters = ''): boolean {
  for (let i = start; i < end; i++) {
    const octet = window[i] ?? 0;
    if (octet > 0x20 && !delimiters.includes(String.fromCharCode(octet))) return false;
  }
  return true;
}

/**
 * Yields the rows as pieces arrive. `open` examines the first window and decides how and from where to split.
 * Throws `broken(sentence)` if reading cannot continue.
 */
export async function* rowsOf(
  pieces: AsyncIterable<Uint8Array>,
  open: (head: Uint8Array, isLast: boolean) => { split: SplitRows; start: RowPlace },
  broken: (problem: string) => Error,
): AsyncGenerator<RawRow[]> {
  let reading: { split: SplitRows; place: RowPlace } | null = null;
  let gathered: Uint8Array[] = [];
  let size = 0;
  let rest = 0;

  function take(isLast: boolean): FoundRows {
    let window = gathered.length === 1 && gathered[0] ? gathered[0] : Buffer.concat(gathered);
    if (reading === null) {
      const { split, start } = open(window, isLast);
      window = window.subarray(start.offset);
      reading = { split, place: start };
    }
    const { split, place } = reading;
    const found = split(window, place, { isLast, limit: Infinity });
    const left = window.subarray(found.place.offset - place.offset);
    reading = { split, place: found.place };
    gathered = [left];
    size = rest = left.length;
    return found;
  }

  for await (const piece of pieces) {
    gathered.push(piece);
    size += piece.length;
    if (size - rest < WINDOW_BYTES) continue;
    const found = take(false);
    yield found.rows;
    if (found.broken !== null) throw broken(found.broken);
  }
  const found = take(true);
  yield found.rows;
  if (found.broken !== null) throw broken(found.broken);
}
