// Tables and indexes of src/account-imports.
import type { Spelling } from '../engine/engine.js';

export const accountImportsSchema = (t: Spelling): string[] => [
  `CREATE TABLE account_imports (
    id TEXT PRIMARY KEY, workspace_id TEXT NOT NULL, environment_id ${t.int} NOT NULL, sub_tenant_id TEXT,
    source TEXT NOT NULL, origin TEXT NOT NULL, kinds TEXT NOT NULL, dry_run ${t.int} NOT NULL, status TEXT NOT NULL,
    connection_sealed TEXT, consent TEXT NOT NULL, counts TEXT NOT NULL, position TEXT, steps ${t.int} NOT NULL,
    attempts ${t.int} NOT NULL, resume_at ${t.int}, report_lines ${t.int} NOT NULL, error TEXT, paused_reason TEXT,
    created_at ${t.int} NOT NULL, updated_at ${t.int} NOT NULL, finished_at ${t.int})`,
  `CREATE INDEX account_imports_by_environment ON account_imports (environment_id, id)`,
  `CREATE INDEX account_imports_open ON account_imports (id) WHERE status = 'queued' OR status = 'running'`,
  `CREATE INDEX account_imports_finished ON account_imports (finished_at) WHERE finished_at IS NOT NULL`,
  `CREATE TABLE account_import_objects (
    environment_id ${t.int} NOT NULL, sub_tenant_key TEXT NOT NULL, source TEXT NOT NULL, origin TEXT NOT NULL,
    kind TEXT NOT NULL, external_id TEXT NOT NULL, object_id TEXT NOT NULL, created_at ${t.int} NOT NULL,
    PRIMARY KEY (environment_id, sub_tenant_key, source, origin, kind, external_id))`,
  `CREATE TABLE account_import_reports (
    import_id TEXT NOT NULL, number ${t.int} NOT NULL, environment_id ${t.int} NOT NULL, kind TEXT NOT NULL,
    external_id TEXT NOT NULL, name TEXT NOT NULL, email_key TEXT, line ${t.int}, problem TEXT NOT NULL,
    PRIMARY KEY (import_id, number))`,
  `CREATE INDEX account_import_reports_by_address ON account_import_reports (environment_id, email_key)
    WHERE email_key IS NOT NULL`,
];
