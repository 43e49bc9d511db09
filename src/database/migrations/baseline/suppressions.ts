// Tables and indexes of src/suppressions.
import type { Spelling } from '../../engine/engine.js';

export const suppressionsSchema = (t: Spelling): string[] => [
  `CREATE TABLE suppressions (
    id TEXT PRIMARY KEY, environment_id ${t.int} NOT NULL REFERENCES environments (id), sub_tenant_key TEXT NOT NULL,
    email TEXT NOT NULL, email_key TEXT NOT NULL, reason TEXT NOT NULL, message_public_id TEXT,
    created_at ${t.int} NOT NULL, reply text, UNIQUE (environment_id, email_key, sub_tenant_key))`,
  `CREATE INDEX suppressions_by_environment ON suppressions (environment_id, id)`,
  `CREATE INDEX suppressions_by_reason ON suppressions (environment_id, reason, id)`,
  `CREATE INDEX suppressions_of_tenant ON suppressions (environment_id, sub_tenant_key, id)`,
];
