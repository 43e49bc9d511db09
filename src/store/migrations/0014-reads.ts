// Indexes for lists of messages: mail in transit is little among much, and is asked for by its status.
import { type Kysely, sql } from 'kysely';

/** The forward step; runs inside the migration's transaction. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`CREATE INDEX messages_by_open_status ON messages (environment_id, status, id)
    WHERE status = 'queued' OR status = 'sending'`.execute(db);
}
