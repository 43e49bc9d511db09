// Organizations may allow any Reply-To, instead of verified senders only.
import { type Kysely, sql } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`ALTER TABLE organizations ADD COLUMN reply_to_policy TEXT NOT NULL DEFAULT 'verified'`.execute(
    db,
  );
}
