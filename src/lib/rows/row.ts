// Rows of an uploaded file, found in its octets: a window of them at a time, going on at any place, also after a restart.

/** Where reading goes on. Plain JSON, so that it can be kept. */
export interface RowPlace {
  /** In octets from the beginning. */
  offset: number;
  /** The number of the row that begins there, from 1: its line, or which item of a JSON array it is. */
  line: number;
  /** The part of a row that the place is in, when it is not between two rows. */
  inside?: unknown;
}

export const FIRST_PLACE: RowPlace = { offset: 0, line: 1 };

export interface RawRow {
  line: number;
  /** Without the line's end. Of a row that is too long only the beginning. */
  octets: Uint8Array;
  /** Why it cannot be read. */
  problem: 'too_long' | 'quotes' | null;
}

export interface SplitRows {
  /**
   * The complete rows of `window`, which begins at the place, at most `limit` of them; and the place after the last. What
   * follows it must be in the next window again. With `isLast` nothing comes after the window.
   */
  (window: Uint8Array, place: RowPlace, options: { isLast: boolean; limit: number }): FoundRows;
}

export interface FoundRows {
  rows: RawRow[];
  place: RowPlace;
  /** Why the file cannot be read on, as a sentence. */
  broken: string | null;
}

/** Of a row that is too long so many octets are kept to be shown. */
const SHOWN_OCTETS = 1000;
/** Pieces that arrive are put together to this size, so that a client cannot have each octet looked at many times. */
const WINDOW_BYTES = 16 * 1024;

export function longRow(line: number, window: Uint8Array, start: number): RawRow {
  return { line, octets: window.subarray(start, start + SHOWN_OCTETS), problem: 'too_long' };
}

/** True for blanks, and for cells without anything in them. */
export function isBlank(window: Uint8Array, start: number, end: number, delimiters = ''): boolean {
  for (let i = start; i < end; i++) {
    const octet = window[i] ?? 0;
    if (octet > 0x20 && !delimiters.includes(String.fromCharCode(octet))) return false;
  }
  return true;
}

/**
 * The rows of what arrives, some at a time. `open` looks at the first window and says how and from where it is split. Throws
 * `broken(sentence)` where the file cannot be read on.
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
