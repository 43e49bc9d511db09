// Reads and prunes the daily message counts of API keys (UTC). usage.ts counts them in the commit that accepts the messages.
import type { Committer } from '../../database/committer.js';
import type { Engine } from '../../database/engine/engine.js';
import type { TablesOf } from '../../database/columns.js';
import type { apiKeyDays } from './api-keys.tables.js';

type Known = TablesOf<typeof apiKeyDays>;

const PRUNE = `DELETE FROM api_key_days WHERE (api_key_id, day) IN (
  SELECT api_key_id, day FROM api_key_days WHERE day < ? ORDER BY day LIMIT ?) RETURNING day`;
const DAY_MS = 86_400_000;

export interface KeyDay {
  keyId: string;
  /** Days since the epoch in UTC. */
  day: number;
  messages: number;
}

export function createKeyUsageStore(engine: Engine, committer: Committer) {
  return {
    /** Returns days on which these keys submitted messages, oldest first. Unscoped, so pass only keys that a scope has found. */
    async days(keyIds: readonly string[], from: number, to: number): Promise<KeyDay[]> {
      if (keyIds.length === 0) return [];
      return engine.read
        .$extendTables<Known>()
        .selectFrom('api_key_days')
        .select(['api_key_id as keyId', 'day', 'messages'])
        .where('day', '>=', from)
        .where('day', '<=', to)
        .where('api_key_id', 'in', keyIds)
        .orderBy('day')
        .execute();
    },

    /** Deletes at most `limit` rows from before `before` (epoch ms), oldest first, and returns their number. */
    prune: (before: number, limit: number): Promise<number> =>
      committer.commitAlone(
        async ({ tx }) => (await tx.run(PRUNE, [Math.floor(before / DAY_MS), limit])).length,
      ),
  };
}
