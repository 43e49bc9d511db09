// An index for the earlier bounces of an address, which each bounce asks for.
import { type Kysely, sql } from 'kysely';

/** The forward step; runs inside the migration's transaction. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`CREATE INDEX messages_bounced ON messages (environment_id, to_key, updated_at) WHERE status = 'bounced'`.execute(
    db,
  );
}
