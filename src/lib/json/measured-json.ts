// Parses untrusted JSON text (RFC 8259) after measuring it, so that a small text cannot become a large value.
import { jsonExcess, type JsonExcess } from './json-limits.js';

/** Deeper values would overflow the stack of code that walks them. */
const MAX_DEPTH = 100;

/** `problem` is a sentence without its subject and full stop. */
export type MeasuredJson = { value: unknown } | { problem: string };

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
