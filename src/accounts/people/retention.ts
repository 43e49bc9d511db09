// The sweep that forgets sessions and links that have ended, and invitations some time after.
import type { Clock } from '../../lib/runtime/clock.js';
import type { Store } from '../../store/store.js';

const INVITATION_KEEP_MS = 90 * 24 * 3_600_000;
const BATCH = 500;
/** Of one beat; the next one goes on. */
const MAX_BATCHES = 200;

export interface PeopleRetentionDeps {
  store: { people: Pick<Store['people'], 'forgetEnded'> };
  sessionIdleMs: number;
  clock: Clock;
}

export interface PeopleRetention {
  run(): Promise<void>;
}

export function createPeopleRetention({ store, sessionIdleMs, clock }: PeopleRetentionDeps): PeopleRetention {
  return {
    async run() {
      const now = clock();
      const ended = {
        sessions: now,
        idleSince: now - sessionIdleMs,
        invitations: now - INVITATION_KEEP_MS,
        limit: BATCH,
      };
      for (let batch = 0; batch < MAX_BATCHES; batch += 1) if (await store.people.forgetEnded(ended)) return;
    },
  };
}
