// Schema migrations, oldest first. Each runs once, in one transaction with its row in the ledger.
import type { Kysely } from 'kysely';
import type { Spelling } from '../engine/engine.js';
import { up as baseline } from './0001-baseline.js';

export interface Step {
  /** `NNNN-name`; steps run in the order of their names. */
  name: string;
  /** A sentence for the operator. */
  does: string;
  up(db: Kysely<unknown>, spelling: Spelling): Promise<void>;
  /**
   * Set on a step that removes something: the oldest step whose program works without it. Omitted on a step that only adds, so
   * the previous release can still open the database.
   */
  opensFrom?: string;
}

export const STEPS: Step[] = [{ name: '0001-baseline', does: 'Creates the tables.', up: baseline }];

/** Name of the newest step that this program knows. */
export function latestSchema(): string {
  return STEPS.at(-1)?.name ?? '';
}
