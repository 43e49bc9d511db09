// Blocks of template designs, saved under a name.
import { type Kysely, sql } from 'kysely';
import type { Spelling } from '../engine/engine.js';

/** The forward step; runs inside the migration's transaction. */
export async function up(db: Kysely<unknown>, { int }: Spelling): Promise<void> {
  const statements = [
    `CREATE TABLE saved_blocks (
      id TEXT PRIMARY KEY, environment_id ${int} NOT NULL, sub_tenant_id TEXT, name TEXT NOT NULL, block TEXT NOT NULL,
      created_at ${int} NOT NULL, updated_at ${int} NOT NULL)`,
    'CREATE INDEX saved_blocks_by_environment ON saved_blocks (environment_id, id)',
    'CREATE INDEX saved_blocks_by_sub_tenant ON saved_blocks (sub_tenant_id) WHERE sub_tenant_id IS NOT NULL',
  ];
  for (const statement of statements) await sql.raw(statement).execute(db);
}
