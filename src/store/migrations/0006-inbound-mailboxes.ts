// Inbound mail that waits for a person is counted by each readiness probe; what anybody may send is bounded, and large mail that
// was not recognized is forgotten early.
import { sql, type Kysely } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`CREATE INDEX inbound_mails_parked ON inbound_mails (id) WHERE state = 'failed'`.execute(db);
  await sql`CREATE INDEX inbound_mails_open ON inbound_mails (raw_id) WHERE kind = 'feedback'`.execute(db);
  await sql`CREATE INDEX inbound_mails_unrecognized ON inbound_mails (received_at) WHERE outcome = 'unrecognized'`.execute(
    db,
  );
}
