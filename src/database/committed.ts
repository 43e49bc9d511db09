// Publishes facts about commits once they are on disk.
import { createFactChannel } from '../lib/concurrency/index.js';
import type { Plan } from './change.js';

/** Plans of a piece of work that is on disk. */
export const plansCommitted = createFactChannel<readonly Plan[]>();

export interface EndedGroup {
  /** From the start of the transaction until it is on disk. */
  durationMs: number;
  /** Pieces of work that shared the transaction. */
  size: number;
  /** False if the store could not write, so nothing was kept. */
  isStored: boolean;
}

/** Completed group commits. */
export const groupEnded = createFactChannel<EndedGroup>();
