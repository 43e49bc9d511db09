// Format of an endpoint's deliveries, and whether the record goes with the event.
import { type Kysely, sql } from 'kysely';

const CHANGES = [
  `ALTER TABLE webhook_endpoints ADD COLUMN format TEXT NOT NULL DEFAULT 'service'`,
  `ALTER TABLE webhook_endpoints ADD COLUMN payload TEXT NOT NULL DEFAULT 'thin'`,
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of CHANGES) await sql.raw(statement).execute(db);
}
