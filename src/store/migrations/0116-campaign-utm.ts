// UTM parameters of campaigns.
import { type Kysely, sql } from 'kysely';

/** The forward step; runs inside the migration's transaction. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql.raw('ALTER TABLE campaigns ADD COLUMN utm TEXT').execute(db);
}
