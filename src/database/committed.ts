// Facts about commits, published when they are on disk.
import { createFactChannel } from '../lib/concurrency/index.js';
import type { Plan } from './change.js';

/** Plans of one piece of work that is on disk. */
export const plansCommitted = createFactChannel<readonly Plan[]>();

export interface EndedGroup {
  /** From the start of the transaction to the disk. */
  durationMs: number;
  /** Pieces of work that shared the transaction. */
  size: number;
  /** False: the store could not write, and nothing was kept. */
  isStored: boolean;
}

/** Group commits that have ended. */
export const groupEnded = createFactChannel<EndedGroup>();
