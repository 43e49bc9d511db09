// Limits text and free-form data from callers to values that can be delivered unchanged.
import { isWellFormedText } from '../lib/json/index.js';

const MAX_DEPTH = 32;
const LONE_SURROGATE = 'contains half of a surrogate pair, which has no UTF-8 form';

/** Returns why this text cannot be stored and sent unchanged, or null. Line ends are allowed. */
export function textProblem(text: string): string | null {
  if (text.includes('\0')) return 'contains a NUL character';
  return isWellFormedText(text) ? null : LONE_SURROGATE;
}

/** Like `textProblem`, for text in a header line. */
export function lineProblem(text: string): string | null {
  if (/[\r\n]/.test(text)) return 'contains a line break';
  // Includes C1 controls and the Unicode line ends, which some readers display as a new line.
  if (/[\x00-\x1f\x7f-\x9f\u2028\u2029]/.test(text)) return 'contains a control character';
  return isWellFormedText(text) ? null : LONE_SURROGATE;
}

/** Returns why this JSON value cannot be stored unchanged, or null. Does not recurse, so any depth is safe. */
export function dataProblem(value: object): string | null {
  let level: object[] = [value];
  for (let depth = 1; level.length > 0; depth++) {
    if (depth > MAX_DEPTH) return `is nested more than ${MAX_DEPTH} levels deep`;
    const next: object[] = [];
    for (const container of level) {
      const isList = Array.isArray(container);
      for (const key of Object.keys(container)) {
        if (!isList && !isWellFormedText(key)) return LONE_SURROGATE;
        const item: unknown = Reflect.get(container, key);
        if (typeof item === 'object' && item !== null) next.push(item);
        const problem = scalarProblem(item);
        if (problem !== null) return problem;
      }
    }
    level = next;
  }
  return null;
}

function scalarProblem(item: unknown): string | null {
  if (typeof item === 'string') return isWellFormedText(item) ? null : LONE_SURROGATE;
  if (typeof item !== 'number') return null;
  if (!Number.isFinite(item)) return 'contains a number that is too large';
  return Number.isInteger(item) && !Number.isSafeInteger(item)
    ? 'contains a whole number that would lose digits; give it as a string'
    : null;
}
