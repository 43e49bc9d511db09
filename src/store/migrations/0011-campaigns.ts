// When a sequence wrote to somebody last, and which messages may have arrived or not.
import { type Kysely, sql } from 'kysely';
import type { Spelling } from '../engine/engine.js';

const CHANGES = (t: Spelling): string[] => [
  `CREATE INDEX messages_by_sequence_recipient ON messages (sequence_id, to_key, created_at) WHERE sequence_id IS NOT NULL`,
  // Since when nobody can know whether it arrived: the last attempt ended in doubt, and no other comes by itself.
  `ALTER TABLE messages ADD COLUMN in_doubt_at ${t.int}`,
  `CREATE INDEX messages_in_doubt ON messages (environment_id, id) WHERE in_doubt_at IS NOT NULL`,
  `CREATE INDEX messages_in_doubt_by_campaign ON messages (campaign_id, id)
    WHERE in_doubt_at IS NOT NULL AND campaign_id IS NOT NULL`,
  `CREATE INDEX messages_in_doubt_by_sequence ON messages (sequence_id, id)
    WHERE in_doubt_at IS NOT NULL AND sequence_id IS NOT NULL`,
  `UPDATE messages SET in_doubt_at = updated_at WHERE status = 'sent' AND id IN (SELECT a.message_id FROM attempts a
      WHERE a.detail LIKE '{"outcome":"ambiguous"%' AND NOT EXISTS (SELECT 1 FROM attempts later
        WHERE later.message_id = a.message_id AND later.number > a.number))
    AND NOT EXISTS (SELECT 1 FROM queue q WHERE q.message_id = messages.id)`,
];

export async function up(db: Kysely<unknown>, spelling: Spelling): Promise<void> {
  for (const statement of CHANGES(spelling)) await sql.raw(statement).execute(db);
}
