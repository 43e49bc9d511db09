// Recipients who respond to mail: by opens and clicks of people, and by replies.
import type { Engine } from '../database/engine/engine.js';
import { inList, rowsAs } from '../database/sql.js';

const RESPONDED = (marks: string): string => `SELECT m.to_key AS "addressKey" FROM messages m
    JOIN engagement g ON g.message_id = m.id
    WHERE m.environment_id = ? AND m.to_key IN (${marks}) AND m.created_at >= ? AND (g.opens > 0 OR g.clicks > 0)
  UNION SELECT correspondent_key FROM threads
    WHERE environment_id = ? AND correspondent_key IN (${marks}) AND last_message_at >= ?`;
/** Bounded before the join, so that sandbox mail does not make it read the whole table. */
const NEWEST = `SELECT n.environment_id AS "environmentId", n.to_key AS "addressKey" FROM (
    SELECT environment_id, to_key, status FROM messages ORDER BY id DESC LIMIT ?) AS n
  JOIN environments e ON e.id = n.environment_id WHERE e.mode = 'live' AND n.status <> 'received'`;

export interface MailedAddress {
  environmentId: number;
  /** As addresses are compared. */
  addressKey: string;
}

export type EngagementStore = ReturnType<typeof createEngagementStore>;

export function createEngagementStore(engine: Engine) {
  return {
    /** Returns the addresses that responded to mail since `since` (epoch ms). */
    async respondedAmong(
      environmentId: number,
      addressKeys: readonly string[],
      since: number,
    ): Promise<Set<string>> {
      const { marks, values } = inList(addressKeys);
      const list = [environmentId, ...values, since];
      const rows = await rowsAs<Pick<MailedAddress, 'addressKey'>>(
        engine.rows(RESPONDED(marks), [...list, ...list]),
      );
      return new Set(rows.map(({ addressKey }) => addressKey));
    },

    /** Returns the recipients of live mail among the newest `limit` messages, one for each message. */
    async newestRecipients(limit: number): Promise<MailedAddress[]> {
      return rowsAs<MailedAddress>(engine.rows(NEWEST, [limit]));
    },
  };
}
