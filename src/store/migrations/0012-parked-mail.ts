// Parked inbound mail is counted by each readiness probe.
import { sql, type Kysely } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`CREATE INDEX inbound_mails_parked ON inbound_mails (id) WHERE state = 'failed'`.execute(db);
}
