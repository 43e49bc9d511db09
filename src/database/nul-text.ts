// Refuses texts with U+0000 before they reach a database. PostgreSQL cannot store them, and other tools truncate them.
import { Refusal } from '../contract/refusal.js';

/** A value of a statement contains a NUL character. */
export class NulText extends Refusal {
  constructor() {
    super('validation_error', 'A text of the request contains a NUL character (U+0000).');
  }
}

export function refuseNul(values: readonly unknown[]): void {
  for (const value of values) if (typeof value === 'string' && value.includes('\0')) throw new NulText();
}
