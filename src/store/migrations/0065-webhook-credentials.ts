// Webhook endpoints may have a user name and a password, sealed, and remember when their last success was attempted.
import { type Kysely, sql } from 'kysely';
import type { Spelling } from '../engine/engine.js';

/** The forward step; runs inside the migration's transaction. */
export async function up(db: Kysely<unknown>, spelling: Spelling): Promise<void> {
  await sql.raw(`ALTER TABLE webhook_endpoints ADD COLUMN credentials_sealed TEXT`).execute(db);
  await sql.raw(`ALTER TABLE webhook_endpoints ADD COLUMN last_success_at ${spelling.int}`).execute(db);
}
