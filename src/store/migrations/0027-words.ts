// Tables and columns get the words of docs/glossary.md.
import { type Kysely, sql } from 'kysely';

const RENAMES = [
  `ALTER TABLE lanes RENAME TO queues`,
  `ALTER TABLE queue RENAME COLUMN lane_id TO queue_id`,
  `ALTER TABLE followers RENAME TO consumers`,
  `ALTER TABLE stranger_mail RENAME TO unsolicited_mail`,
  `ALTER TABLE tenant_standings RENAME TO tenant_reputations`,
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of RENAMES) await sql.raw(statement).execute(db);
}
