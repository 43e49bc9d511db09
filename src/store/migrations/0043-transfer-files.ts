// Records how many bytes the files of an import, export or bulk action occupy, and why one waits.
import { type Kysely, sql } from 'kysely';
import type { Spelling } from '../engine/engine.js';

/** The forward step; runs inside the migration's transaction. */
export async function up(db: Kysely<unknown>, spelling: Spelling): Promise<void> {
  const statements = [
    `ALTER TABLE transfers ADD COLUMN stored_bytes ${spelling.int} NOT NULL DEFAULT 0`,
    'ALTER TABLE transfers ADD COLUMN paused_reason TEXT',
    `UPDATE transfers SET stored_bytes = size_bytes
      WHERE kind = 'export' AND status IN ('queued', 'running', 'completed')`,
    'CREATE INDEX transfers_stored ON transfers (workspace_id, sub_tenant_id, stored_bytes) WHERE stored_bytes > 0',
  ];
  for (const statement of statements) await sql.raw(statement).execute(db);
}
