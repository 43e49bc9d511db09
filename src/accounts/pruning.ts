// Drops what is older than it is kept: entries of the audit log, answers to requests with an Idempotency-Key.
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Clock } from '../lib/runtime/clock.js';

/** Each its own commit, so that others can write in between. */
const BATCH = 500;
/** Of one beat; the next one goes on. */
const MAX_BATCHES = 200;

export interface Pruning {
  /** One beat; how many it dropped. */
  run(): Promise<number>;
}

export function createPruning({
  store,
  keepMs,
  clock,
}: {
  /** Drops the oldest of before a time, `limit` at most; how many. */
  store: { prune: (before: number, limit: number) => Promise<number> };
  keepMs: number;
  clock: Clock;
}): Pruning {
  return {
    async run() {
      const before = clock() - keepMs;
      let dropped = 0;
      for (let batch = 0; batch < MAX_BATCHES; batch++) {
        const count = await store.prune(before, BATCH);
        dropped += count;
        if (count < BATCH) break;
        await nextTurn();
      }
      return dropped;
    },
  };
}
