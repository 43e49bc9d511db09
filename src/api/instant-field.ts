// A time in a query: ISO 8601 with an offset, or a date alone.
import { invalidFields } from '../contract/refusal.js';

const INSTANT = /^\d{4}-\d\d-\d\d(?:[Tt ]\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?(?:[Zz]|[+-]\d\d:?\d\d))?$/;

/** Epoch milliseconds. Refuses with `validation_error` naming `param`. */
export function readInstant(param: string, text: string): number {
  // A plus sign that was not percent-encoded arrives as a blank.
  const read = text.trim().replace(/ (\d\d:?\d\d)$/, '+$1');
  const at = INSTANT.test(read) ? Date.parse(read.replace(' ', 'T')) : Number.NaN;
  if (Number.isNaN(at)) {
    throw invalidFields([{ path: param, message: 'must be a date, or a time such as 2026-03-01T09:00:00Z' }]);
  }
  return at;
}
