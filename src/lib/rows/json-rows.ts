// Splits a JSON array (RFC 8259) into items by its octets, reading one item at a time.
import { isBlank, longRow, type FoundRows, type RawRow, type SplitRows } from './row.js';

/** Depth in an item, and whether the position is in a string. */
interface Nesting {
  depth: number;
  isString: boolean;
  isEscaped: boolean;
}

/** `skipping`: the item is too long and has been reported. */
type ArrayPlace =
  | { at: 'before' }
  | { at: 'item'; skipping: Nesting | null; isFirst: boolean }
  | { at: 'after' };

const NO_ARRAY = 'The body is not a JSON array. Send one object per line as application/x-ndjson.';
const GOES_ON = 'The body continues after the JSON array.';
const [OPEN, CLOSE, COMMA] = [0x5b, 0x5d, 0x2c];
const [BRACE, END_BRACE, QUOTE, BACKSLASH] = [0x7b, 0x7d, 0x22, 0x5c];

/** Splits an array. `hasTail`: whether something may follow it, which is ignored. */
export function splitArray(maxBytes: number, hasTail: () => boolean = () => false): SplitRows {
  return (window, place, { isLast, limit }) => {
    const rows: RawRow[] = [];
    let inside = (place.inside ?? { at: 'before' }) as ArrayPlace; // written below
    let { line } = place;
    let start = 0;
    const result = (broken: string | null = null): FoundRows => ({
      rows,
      place: { offset: place.offset + start, line, inside },
      broken,
    });

    while (start < window.length && rows.length < limit) {
      if (inside.at !== 'item') {
        const octet = window[start++] ?? 0;
        if (isBlank(window, start - 1, start)) continue;
        if (inside.at === 'after' && hasTail()) {
          start = window.length;
          continue;
        }
        if (inside.at === 'after') return result(GOES_ON);
        if (octet !== OPEN) return result(NO_ARRAY);
        inside = { at: 'item', skipping: null, isFirst: true };
        continue;
      }
      const { skipping, isFirst } = inside;
      const nesting = skipping ? { ...skipping } : { depth: 0, isString: false, isEscaped: false };
      const end = itemEnd(window, start, nesting, skipping ? Infinity : maxBytes);
      if (end.kind === 'open') {
        // A skipped item is not read again.
        if (skipping) [start, inside] = [window.length, { at: 'item', skipping: nesting, isFirst: false }];
        break;
      }
      if (end.kind === 'too_long') {
        rows.push(longRow(line++, window, start));
        start = end.next;
        inside = { at: 'item', skipping: nesting, isFirst: false };
        continue;
      }
      const isEmptyArray = end.isArrayEnd && isFirst && isBlank(window, start, end.next - 1);
      if (!skipping && !isEmptyArray) {
        rows.push({ line: line++, octets: window.subarray(start, end.next - 1), problem: null });
      }
      start = end.next;
      inside = end.isArrayEnd ? { at: 'after' } : { at: 'item', skipping: null, isFirst: false };
    }
    if (!isLast || rows.length >= limit || inside.at === 'after') return result();
    if (inside.at === 'before') return result(NO_ARRAY);
    return result(`The JSON array is incomplete. ${line - 1} items were read.`);
  };
}

type End =
  | { kind: 'found'; next: number; isArrayEnd: boolean }
  | { kind: 'too_long'; next: number }
  | { kind: 'open' };

/** Finds the comma or bracket after an item and updates `nesting`. */
function itemEnd(window: Uint8Array, start: number, nesting: Nesting, maxBytes: number): End {
  for (let i = start; i < window.length; i++) {
    const octet = window[i];
    if (nesting.isString) {
      if (nesting.isEscaped) nesting.isEscaped = false;
      else if (octet === BACKSLASH) nesting.isEscaped = true;
      else if (octet === QUOTE) nesting.isString = false;
    } else if (nesting.depth === 0 && (octet === COMMA || octet === CLOSE)) {
      return { kind: 'found', next: i + 1, isArrayEnd: octet === CLOSE };
    } else if (octet === QUOTE) {
      nesting.isString = true;
    } else if (octet === BRACE || octet === OPEN) {
      nesting.depth++;
    } else if (octet === END_BRACE || octet === CLOSE) {
      nesting.depth--;
    }
    if (i - start >= maxBytes) return { kind: 'too_long', next: i + 1 };
  }
  return { kind: 'open' };
}
