// Deletes processed inbound mail after its retention; the octets of received messages stay.
import type { Clock } from '../lib/runtime/clock.js';
import type { Store } from '../store/store.js';

/** Each its own commit, so that others can write in between. */
const BATCH = 200;
/** Rows of one run; the next run goes on. */
const MAX_BATCHES = 500;
/** What no rule recognized and is larger than a letter: a day or two to look at it. */
const LARGE_BYTES = 256 * 1024;
const UNRECOGNIZED_KEEP_MS = 3 * 86_400_000;

export interface InboundRetentionDeps {
  store: { inbound: Pick<Store['inbound'], 'purge' | 'purgeUnrecognized'> };
  /** Retention from the time of receipt. */
  keepMs: number;
  clock: Clock;
}

export interface InboundRetention {
  /** One run: deletes older rows, in batches. */
  run(): Promise<void>;
}

export function createInboundRetention({ store, keepMs, clock }: InboundRetentionDeps): InboundRetention {
  return {
    async run() {
      const now = clock();
      const unrecognizedBefore = now - Math.min(keepMs, UNRECOGNIZED_KEEP_MS);
      await inBatches(() => store.inbound.purge(now - keepMs, BATCH));
      await inBatches(() => store.inbound.purgeUnrecognized(unrecognizedBefore, LARGE_BYTES, BATCH));
    },
  };
}

async function inBatches(purge: () => Promise<number>): Promise<void> {
  for (let batch = 0; batch < MAX_BATCHES; batch += 1) {
    if ((await purge()) < BATCH) return;
  }
}
