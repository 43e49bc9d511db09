// Records which API keys were used, once per minute for all keys, so that a request costs no write.
import { update } from '../../database/rows.js';
import type { AccountContext } from '../context.js';
import { apiKeys } from './api-keys.tables.js';

const BATCH = 500;
const MINUTE_MS = 60_000;

/** Writes the uses since the last run. Runs every minute, so a crash loses at most one minute. */
export async function writeKeyUses({
  store,
  credentials,
  clock,
}: Pick<AccountContext, 'store' | 'credentials' | 'clock'>): Promise<void> {
  const ids = credentials.drainUsed();
  const at = Math.floor(clock() / MINUTE_MS) * MINUTE_MS;
  for (let i = 0; i < ids.length; i += BATCH) {
    const where = { id: ids.slice(i, i + BATCH) };
    await store.commit([update(apiKeys, { set: { last_used_at: at }, where })]);
  }
}
