// The sweep that forgets webhook deliveries which ended long ago, and secrets whose time is over.
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Clock } from '../lib/runtime/clock.js';
import type { Store } from '../store/store.js';

/** Each its own commit, so that others can write in between. */
const BATCH = 500;
/** Of one run; the next one goes on. */
const MAX_BATCHES = 500;

export interface WebhookRetentionDeps {
  store: { webhooks: Pick<Store['webhooks'], 'purgeDeliveries' | 'purgeEndpoints'> };
  /** How long ended deliveries are kept, from when they were made. */
  keepMs: number;
  clock: Clock;
}

export interface WebhookRetention {
  /** One run: what is older, in batches. How many deliveries went. */
  run(): Promise<number>;
}

export function createWebhookRetention({ store, keepMs, clock }: WebhookRetentionDeps): WebhookRetention {
  return {
    async run() {
      const now = clock();
      const before = now - keepMs;
      await store.webhooks.purgeEndpoints(now, before);
      let after: number | null = 0;
      let gone = 0;
      for (let batch = 0; batch < MAX_BATCHES && after !== null; batch += 1) {
        const { deleted, next } = await store.webhooks.purgeDeliveries(before, after, BATCH);
        gone += deleted;
        after = next;
        await nextTurn();
      }
      return gone;
    },
  };
}
