// Writes down which API keys were used, for all of a minute together, so that a request costs no write.
import type { Clock } from '../../lib/runtime/clock.js';
import type { AccountStores } from '../stores.js';
import type { CredentialCache } from './credential-cache.js';
import type { Change } from '../../database/change.js';
import { apiKeys } from './api-keys.tables.js';
import { update } from '../../database/rows.js';

const BATCH = 500;
const MINUTE_MS = 60_000;

export interface KeyUses {
  /** Writes the uses since the last run; to be run every minute. A stop loses those of the last minute. */
  run(): Promise<void>;
}

export function createKeyUses({
  store,
  credentials,
  clock,
}: {
  store: Pick<AccountStores, 'commit'>;
  credentials: Pick<CredentialCache, 'takeUsed'>;
  clock: Clock;
}): KeyUses {
  return {
    async run() {
      const ids = credentials.takeUsed();
      const at = Math.floor(clock() / MINUTE_MS) * MINUTE_MS;
      for (let i = 0; i < ids.length; i += BATCH) {
        const change: Change = update(apiKeys, {
          set: { last_used_at: at },
          where: { id: ids.slice(i, i + BATCH) },
        });
        await store.commit([change]);
      }
    },
  };
}
