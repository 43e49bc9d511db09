// Refuses texts with U+0000 before they reach a database: PostgreSQL has no such text, and to other tools it ends there.
import { Refusal } from '../contract/refusal.js';

/** Throws `validation_error` when a value of a statement contains a NUL character. */
export function refuseNul(values: readonly unknown[]): void {
  for (const value of values) {
    if (typeof value === 'string' && value.includes('\0')) {
      throw new Refusal('validation_error', 'A text of the request contains a NUL character (U+0000).');
    }
  }
}
