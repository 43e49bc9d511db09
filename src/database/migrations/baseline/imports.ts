// Tables and indexes of src/imports.
import type { Spelling } from '../../engine/engine.js';

export const importsSchema = (t: Spelling): string[] => [
  `CREATE TABLE transfers (
    id TEXT PRIMARY KEY, kind TEXT NOT NULL, workspace_id TEXT NOT NULL, environment_id ${t.int} NOT NULL,
    sub_tenant_id TEXT, format TEXT NOT NULL, options TEXT NOT NULL, status TEXT NOT NULL,
    size_bytes ${t.int} NOT NULL, done_bytes ${t.int} NOT NULL, total ${t.int}, processed ${t.int} NOT NULL,
    created ${t.int} NOT NULL, updated ${t.int} NOT NULL, failed ${t.int} NOT NULL, position TEXT, error TEXT,
    created_at ${t.int} NOT NULL, updated_at ${t.int} NOT NULL, finished_at ${t.int},
    stored_bytes ${t.int} NOT NULL DEFAULT 0, paused_reason TEXT)`,
  `CREATE INDEX transfers_by_environment ON transfers (environment_id, kind, id)`,
  `CREATE INDEX transfers_open ON transfers (id) WHERE status = 'queued' OR status = 'running'`,
  `CREATE INDEX transfers_stored ON transfers (workspace_id, sub_tenant_id, stored_bytes) WHERE stored_bytes > 0`,
];
