// Events of records that are no messages: whose they are, beside the chain's hash.
import { type Kysely, sql } from 'kysely';
import type { Spelling } from '../engine/engine.js';

export async function up(db: Kysely<unknown>, spelling: Spelling): Promise<void> {
  const changes = [
    'ALTER TABLE events ADD COLUMN sub_tenant_id TEXT',
    spelling.alsoFixed('events', 'sub_tenant_id'),
  ];
  for (const statement of changes) await sql.raw(statement).execute(db);
}
