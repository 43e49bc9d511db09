// Deliveries in the formats of vendors: the body that goes out where it is not the payload, and the key that verifies it.
import { type Kysely, sql } from 'kysely';

const CHANGES = [
  'ALTER TABLE webhook_endpoints ADD COLUMN public_key TEXT',
  'ALTER TABLE webhook_deliveries ADD COLUMN format TEXT',
  'ALTER TABLE webhook_deliveries ADD COLUMN body TEXT',
  'ALTER TABLE webhook_attempts ADD COLUMN request_body TEXT',
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of CHANGES) await sql.raw(statement).execute(db);
}
