// The server's reply for which an address was suppressed. Suppressions of former releases, and those without a reply, have none.
import { type Kysely, sql } from 'kysely';

/** The forward step; runs inside the migration's transaction. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`ALTER TABLE suppressions ADD COLUMN reply text`.execute(db);
}
