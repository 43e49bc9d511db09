// Splits CSV (RFC 4180) and text into rows. A quoted cell may contain line ends. An unclosed quote only
// spoils its own line.
import { isBlank, longRow, type FoundRows, type RawRow, type RowPlace, type SplitRows } from './row.js';

const LF = 0x0a;
const CR = 0x0d;
const QUOTE = 0x22;
const SPACE = 0x20;

interface CsvForm {
  /** At most four characters, each of which ends a cell. */
  delimiters: string;
  /** Whether quoted cells may contain line ends. */
  isMultiline: boolean;
  /** Maximum size of a row. */
  maxBytes: number;
}

type End =
  | { kind: 'found'; end: number; next: number; lines: number }
  /** The row may continue after the window. */
  | { kind: 'open' }
  | { kind: 'too_long' }
  | { kind: 'quotes' };

type FindEnd = (window: Uint8Array, start: number, isLast: boolean) => End;

/** Splits text into lines that are not blank, ended by LF, CRLF or CR. */
export function splitLines(maxBytes: number): SplitRows {
  return splitBy((window, start, isLast) => lineEnd(window, start, { isLast, maxBytes }), maxBytes, '');
}

export function splitCsv(form: CsvForm): SplitRows {
  const findEnd: FindEnd = (window, start, isLast) => recordEnd(window, start, isLast, form);
  return splitBy(findEnd, form.maxBytes, form.delimiters);
}

function splitBy(findEnd: FindEnd, maxBytes: number, delimiters: string): SplitRows {
  return (window, place, { isLast, limit }) => {
    const rows: RawRow[] = [];
    let { line } = place;
    let start = 0;
    const at = (more: Partial<RowPlace> = {}): FoundRows => ({
      rows,
      place: { offset: place.offset + start, line, ...more },
      broken: null,
    });
    /** Skips the rest of the line and returns `null` once its end has passed. */
    const skipLine = (): FoundRows | null => {
      const found = lineEnd(window, start, { isLast, maxBytes: Infinity });
      // A CR at the end of the window stays, because LF may follow.
      start = found.kind === 'found' ? found.next : window.length - (window.at(-1) === CR ? 1 : 0);
      return found.kind === 'found' ? null : at({ inside: 'line' });
    };
    if (place.inside === 'line') {
      const ended = skipLine();
      if (ended) return ended;
    }
    while (start < window.length && rows.length < limit) {
      let found = findEnd(window, start, isLast);
      const hasQuoteProblem = found.kind === 'quotes';
      if (hasQuoteProblem) found = lineEnd(window, start, { isLast, maxBytes });
      if (found.kind === 'found') {
        const { end, next, lines } = found;
        if (!isBlank(window, start, end, delimiters)) {
          const octets = window.subarray(start, end);
          rows.push({ line, octets, problem: hasQuoteProblem ? 'quotes' : null });
        }
        start = next;
        line += lines;
      } else if (found.kind === 'too_long') {
        rows.push(longRow(line, window, start));
        line++;
        const ended = skipLine();
        if (ended) return ended;
      } else {
        return at();
      }
    }
    return at();
  };
}

/** Returns the offset after the line end at `i`; -1 if the window ends between CR and a possible LF. */
function afterLineEnd(window: Uint8Array, i: number, isLast: boolean): number {
  if (window[i] === LF) return i + 1;
  if (i + 1 >= window.length && !isLast) return -1;
  return window[i + 1] === LF ? i + 2 : i + 1;
}

function lineEnd(
  window: Uint8Array,
  start: number,
  { isLast, maxBytes }: { isLast: boolean; maxBytes: number },
): End {
  for (let i = start; i < window.length; i++) {
    const octet = window[i];
    if (octet === LF || octet === CR) {
      const next = afterLineEnd(window, i, isLast);
      return next < 0 ? { kind: 'open' } : { kind: 'found', end: i, next, lines: 1 };
    }
    if (i - start >= maxBytes) return { kind: 'too_long' };
  }
  return isLast ? { kind: 'found', end: window.length, next: window.length, lines: 1 } : { kind: 'open' };
}

function recordEnd(window: Uint8Array, start: number, isLast: boolean, form: CsvForm): End {
  const { delimiters, isMultiline, maxBytes } = form;
  const [first = 0, second = first, third = second, fourth = third] = Buffer.from(delimiters, 'latin1');
  let cell: 'begins' | 'plain' | 'quoted' | 'closed' = 'begins';
  let lines = 1;
  for (let i = start; i < window.length; i++) {
    const octet = window[i] ?? 0;
    const isLineEnd = octet === LF || octet === CR;
    if (i - start >= maxBytes && !(isLineEnd && cell !== 'quoted')) {
      return { kind: cell === 'quoted' ? 'quotes' : 'too_long' };
    }
    if (cell === 'quoted') {
      if (octet === QUOTE) {
        if (i + 1 >= window.length && !isLast) return { kind: 'open' };
        if (window[i + 1] === QUOTE) i++;
        else cell = 'closed';
      } else if (isLineEnd) {
        if (!isMultiline) return { kind: 'quotes' };
        const next = afterLineEnd(window, i, isLast);
        if (next < 0) return { kind: 'open' };
        lines++;
        i = next - 1;
      }
    } else if (isLineEnd) {
      const next = afterLineEnd(window, i, isLast);
      return next < 0 ? { kind: 'open' } : { kind: 'found', end: i, next, lines };
    } else if (octet === first || octet === second || octet === third || octet === fourth) {
      cell = 'begins';
    } else if (cell === 'begins') {
      if (octet === QUOTE) cell = 'quoted';
      else if (octet !== SPACE) cell = 'plain';
    } else if (cell === 'closed' && octet !== SPACE) {
      return { kind: 'quotes' };
    }
  }
  if (!isLast) return { kind: 'open' };
  if (cell === 'quoted') return { kind: 'quotes' };
  return { kind: 'found', end: window.length, next: window.length, lines };
}
