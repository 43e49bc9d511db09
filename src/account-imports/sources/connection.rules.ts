// Checks of connections that sources share.
import { plainValue } from '../values.rules.js';

/** Returns a problem for each field that is missing, and for each that is given but not used. */
export function fieldProblems(
  connection: object,
  needed: readonly string[],
  optional: readonly string[] = [],
): { path: string; message: string }[] {
  const given = Object.entries(connection).filter(([, value]) => value !== undefined);
  const missing = needed.filter((name) => !given.some(([key, value]) => key === name && value !== ''));
  const unused = given.map(([key]) => key).filter((key) => ![...needed, ...optional].includes(key));
  return [
    ...missing.map((name) => ({ path: `connection.${name}`, message: 'is required for this source' })),
    ...unused.map((name) => ({ path: `connection.${name}`, message: 'is not used by this source' })),
  ];
}

/** A line of text that a header can contain. */
export function headerValue(text: string | undefined): string {
  return plainValue(text ?? '').replace(/[^\x21-\x7e]/g, '');
}
