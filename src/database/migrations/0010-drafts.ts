// Table of drafts of replies.
import type { Spelling } from '../engine/engine.js';

export const draftsSchema = (t: Spelling): string[] => [
  `CREATE TABLE drafts (
    id TEXT PRIMARY KEY, environment_id ${t.int} NOT NULL, sub_tenant_id TEXT, thread_id TEXT NOT NULL,
    version ${t.int} NOT NULL, created_by TEXT NOT NULL, updated_by TEXT NOT NULL, message_id TEXT,
    size_bytes ${t.int} NOT NULL, created_at ${t.int} NOT NULL, updated_at ${t.int} NOT NULL, fields TEXT NOT NULL, files TEXT)`,
  `CREATE INDEX drafts_by_environment ON drafts (environment_id, id)`,
  `CREATE INDEX drafts_by_tenant ON drafts (sub_tenant_id, id) WHERE sub_tenant_id IS NOT NULL`,
  `CREATE INDEX drafts_by_thread ON drafts (thread_id, id)`,
  `CREATE INDEX drafts_by_message ON drafts (message_id) WHERE message_id IS NOT NULL`,
  `CREATE INDEX drafts_open ON drafts (environment_id, id, sub_tenant_id, size_bytes) WHERE message_id IS NULL`,
  `CREATE INDEX drafts_unchanged ON drafts (updated_at) WHERE message_id IS NULL`,
];
