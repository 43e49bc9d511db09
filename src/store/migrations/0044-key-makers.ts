// API keys belong to the person who made them. For keys of former releases the audit log tells who did.
import { type Kysely, sql } from 'kysely';

const STATEMENTS = [
  'ALTER TABLE api_keys ADD COLUMN made_by TEXT',
  // Keys of former members get no maker, so they work until someone revokes them.
  `UPDATE api_keys SET made_by = known.actor_id FROM
    (SELECT a.target_id, MAX(a.actor_id) AS actor_id FROM audit_entries a JOIN members m ON m.user_id = a.actor_id
      WHERE a.action = 'apiKeys.create' AND a.actor_kind = 'user' GROUP BY a.target_id) AS known
    WHERE known.target_id = api_keys.id`,
  'CREATE INDEX api_keys_by_maker ON api_keys (made_by, id) WHERE made_by IS NOT NULL',
];

/** The forward step; runs inside the migration's transaction. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
}
