// Drops entries of the audit log that are older than they are kept.
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Clock } from '../../runtime/clock.js';
import type { Store } from '../../store/store.js';

/** Each its own commit, so that others can write in between. */
const BATCH = 500;
/** Of one beat; the next one goes on. */
const MAX_BATCHES = 200;

export interface AuditRetention {
  /** One beat; how many entries it dropped. */
  run(): Promise<number>;
}

export function createAuditRetention({
  store,
  keepMs,
  clock,
}: {
  store: { audit: Pick<Store['audit'], 'prune'> };
  keepMs: number;
  clock: Clock;
}): AuditRetention {
  return {
    async run() {
      const before = clock() - keepMs;
      let dropped = 0;
      for (let batch = 0; batch < MAX_BATCHES; batch++) {
        const count = await store.audit.prune(before, BATCH);
        dropped += count;
        if (count < BATCH) break;
        await nextTurn();
      }
      return dropped;
    },
  };
}
