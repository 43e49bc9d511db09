// The link to the privacy policy on sign-up pages. Brandings of former releases have none.
import { type Kysely, sql } from 'kysely';

/** The forward step; runs inside the migration's transaction. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`ALTER TABLE brandings ADD COLUMN privacy_url text`.execute(db);
}
