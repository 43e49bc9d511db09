// Request fields that many operations share: addresses, and times in queries.
import { invalidFields } from '../../contract/refusal.js';
import { addressKey, addressProblem } from '../../lib/mime/index.js';

// A time in a query: ISO 8601 with an offset, or a date.
const INSTANT = /^\d{4}-\d\d-\d\d(?:[Tt ]\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?(?:[Zz]|[+-]\d\d:?\d\d))?$/;

/** Returns epoch milliseconds. Refuses with `validation_error` naming `param`. */
export function readInstant(param: string, text: string): number {
  // A plus sign that is not percent-encoded is decoded as a space.
  const read = text.trim().replace(/ (\d\d:?\d\d)$/, '+$1');
  const at = INSTANT.test(read) ? Date.parse(read.replace(' ', 'T')) : Number.NaN;
  if (Number.isNaN(at)) {
    throw invalidFields([{ path: param, message: 'must be a date or a time such as 2026-03-01T09:00:00Z' }]);
  }
  return at;
}

/** Like `readInstant`, for a time in the future. */
export function readEnd(param: string, text: string, now: number): number {
  const at = readInstant(param, text);
  if (at <= now) throw invalidFields([{ path: param, message: 'is in the past' }]);
  return at;
}

interface AddressField {
  /** The address as given, without surrounding spaces. */
  email: string;
  /** Normalized address, the key of suppressions and contacts. */
  key: string;
}

/** Reads a recipient's address, whose local part may be non-ASCII (RFC 6531). Refuses with `validation_error` naming `param`. */
export function readAddress(param: string, text: string): AddressField {
  const email = text.trim();
  const problem = addressProblem(email, { utf8Local: true });
  if (problem !== null) throw invalidFields([{ path: param, message: problem }]);
  return { email, key: addressKey(email) };
}
