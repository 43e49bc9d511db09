// Table and indexes of src/messages/approvals, and the columns that say who approves.
import type { Spelling } from '../engine/engine.js';

export const approvalsSchema = (t: Spelling): string[] => [
  `CREATE TABLE approvals (
    id TEXT PRIMARY KEY, environment_id ${t.int} NOT NULL, sub_tenant_id TEXT, message_id ${t.int} NOT NULL,
    content_id ${t.int} NOT NULL, recipients ${t.int} NOT NULL, api_key_id TEXT NOT NULL, status TEXT NOT NULL,
    differences TEXT NOT NULL, content_hash TEXT NOT NULL, version ${t.int} NOT NULL, edited_by TEXT,
    deliver_until ${t.int}, expires_at ${t.int} NOT NULL, decided_at ${t.int}, decided_by TEXT, decided_by_email TEXT,
    note TEXT, announced_at ${t.int}, created_at ${t.int} NOT NULL, updated_at ${t.int} NOT NULL)`,
  `CREATE UNIQUE INDEX approvals_by_content ON approvals (content_id)`,
  `CREATE INDEX approvals_by_environment ON approvals (environment_id, status, id)`,
  `CREATE INDEX approvals_pending ON approvals (expires_at) WHERE status = 'pending'`,
  `ALTER TABLE members ADD COLUMN can_approve ${t.int} NOT NULL DEFAULT 0`,
  `ALTER TABLE organizations ADD COLUMN two_person ${t.int} NOT NULL DEFAULT 0`,
];
