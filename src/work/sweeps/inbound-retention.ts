// The sweep that forgets mail that came in once it was understood long ago; the octets of received messages stay.
import type { Clock } from '../../runtime/clock.js';
import type { Store } from '../../store/store.js';

/** Each its own commit, so that others can write in between. */
const BATCH = 200;
/** Of one beat; the next one goes on. */
const MAX_BATCHES = 500;

export interface InboundRetentionDeps {
  store: { inbound: Pick<Store['inbound'], 'purge'> };
  /** How long it is kept, from when it came in. */
  keepMs: number;
  clock: Clock;
}

export interface InboundRetention {
  /** One beat: what is older, in batches. */
  run(): Promise<void>;
}

export function createInboundRetention({ store, keepMs, clock }: InboundRetentionDeps): InboundRetention {
  return {
    async run() {
      const before = clock() - keepMs;
      for (let batch = 0; batch < MAX_BATCHES; batch += 1) {
        if ((await store.inbound.purge(before, BATCH)) < BATCH) return;
      }
    },
  };
}
