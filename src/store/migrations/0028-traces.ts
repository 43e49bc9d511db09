// The trace that a message belongs to, from its request to its attempts and webhooks (W3C Trace Context).
import { type Kysely, sql } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql.raw('ALTER TABLE messages ADD COLUMN traceparent TEXT').execute(db);
  await sql.raw('ALTER TABLE webhook_deliveries ADD COLUMN traceparent TEXT').execute(db);
}
