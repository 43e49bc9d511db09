// Parses untrusted JSON text (RFC 8259) after measuring it, so that a small text cannot become a large value.

/** Deeper values would overflow the stack of code that walks them. */
const MAX_DEPTH = 100;

/** `problem` is a sentence without its subject and full stop. */
type MeasuredJson = { value: unknown } | { problem: string };

/** Parses text of at most `members` values inside objects and lists, counted across all levels. */
export function parseMeasured(text: Buffer | string, members: number): MeasuredJson {
  const octets = typeof text === 'string' ? Buffer.from(text) : text;
  const excess = jsonExcess(octets, { members, depth: MAX_DEPTH });
  if (excess !== null) return { problem: excessProblem(excess, members) };
  try {
    return { value: JSON.parse(text.toString()) };
  } catch (error) {
    const reason = error instanceof SyntaxError ? error.message : 'it cannot be read';
    return { problem: `is not valid JSON: ${reason.slice(0, 200)}` };
  }
}

function excessProblem(excess: JsonExcess, members: number): string {
  switch (excess) {
    case 'members':
      return `has more than ${members} values`;
    case 'depth':
      return `is nested more than ${MAX_DEPTH} levels deep`;
    case 'number':
      return 'has a number of more than 1000 digits';
  }
}

interface JsonLimits {
  /** Values inside objects and lists, across all levels. */
  members: number;
  /** Levels of objects and lists. */
  depth: number;
}

type JsonExcess = 'members' | 'depth' | 'number';

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const OPEN_LIST = 0x5b;
const CLOSE_LIST = 0x5d;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;
const NINE = 0x39;
/** Octets of a string that are read one by one before searching for its end. */
const SHORT_STRING = 64;
/** Octets of a number. A double has 17 digits, and some engines take quadratic time for more. */
const MAX_NUMBER = 1_000;

/**
 * Returns the first limit that `bytes` exceeds, or `null`, in one pass and without memory. For invalid JSON the result is meaningless but
 * safe, because parsing costs no more than for valid JSON within the limits.
 */
export function jsonExcess(bytes: Uint8Array, { members, depth }: JsonLimits): JsonExcess | null {
  const { length } = bytes;
  let count = 0;
  let level = 0;
  let at = 0;
  while (at < length) {
    const octet = bytes[at];
    at += 1;
    if (octet === QUOTE) {
      at = endOfString(bytes, at);
    } else if (octet === COMMA || octet === OPEN_LIST || octet === OPEN_OBJECT) {
      count += 1;
      if (count > members) return 'members';
      if (octet === COMMA) continue;
      level += 1;
      if (level > depth) return 'depth';
    } else if (octet === CLOSE_LIST || octet === CLOSE_OBJECT) {
      level -= 1;
    } else if (isOfNumber(octet)) {
      const end = endOfNumber(bytes, at);
      if (end - at >= MAX_NUMBER) return 'number';
      at = end;
    }
  }
  return null;
}

/**
 * Returns the offset after the closing quote of the string that starts at `start`; the end of the text if it
 * is not closed.
 */
function endOfString(bytes: Uint8Array, start: number): number {
  const { length } = bytes;
  let at = start;
  for (;;) {
    // One by one, because most strings are short, and escapes are skipped with the escaped character.
    const until = Math.min(length, at + SHORT_STRING);
    while (at < until) {
      const octet = bytes[at];
      if (octet === QUOTE) return at + 1;
      at += octet === BACKSLASH ? 2 : 1;
    }
    if (at >= length) return length;
    const quote = bytes.indexOf(QUOTE, at);
    if (quote < 0) return length;
    if (!isEscaped(bytes, quote, at)) return quote + 1;
    at = quote + 1;
  }
}

/** Returns whether an odd number of backslashes precedes `place`, counting back to `from`. */
function isEscaped(bytes: Uint8Array, place: number, from: number): boolean {
  let before = place;
  while (before > from && bytes[before - 1] === BACKSLASH) before -= 1;
  return (place - before) % 2 === 1;
}

/** Matches digits and signs. */
function isOfNumber(octet: number | undefined): boolean {
  return octet !== undefined && ((octet >= 0x30 && octet <= NINE) || octet === 0x2b || octet === 0x2d);
}

function endOfNumber(bytes: Uint8Array, start: number): number {
  let at = start;
  // Also accepts a point and an exponent.
  while (isOfNumber(bytes[at]) || bytes[at] === 0x2e || bytes[at] === 0x65 || bytes[at] === 0x45) at += 1;
  return at;
}
