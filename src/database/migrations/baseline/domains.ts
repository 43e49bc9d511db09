// Tables and indexes of src/domains.
import type { Spelling } from '../../engine/engine.js';

export const domainsSchema = (t: Spelling): string[] => [
  `CREATE TABLE senders (
    id TEXT PRIMARY KEY, workspace_id TEXT NOT NULL REFERENCES workspaces (id), sub_tenant_id TEXT,
    kind TEXT NOT NULL, identity TEXT NOT NULL, name TEXT, status TEXT NOT NULL, is_default ${t.int} NOT NULL,
    confirmation_hash ${t.blob}, confirmation_expires_at ${t.int}, verified_at ${t.int}, last_checked_at ${t.int},
    return_path_ok ${t.int} NOT NULL, dns_results TEXT, created_at ${t.int} NOT NULL, updated_at ${t.int} NOT NULL,
    deleted_at ${t.int}, inbound_ok ${t.int} NOT NULL DEFAULT 0, tracking_ok ${t.int} NOT NULL DEFAULT 0,
    next_check_at ${t.int}, drifting_since ${t.int}, taken_over_at ${t.int}, confirmed_at ${t.int})`,
  `CREATE INDEX senders_by_workspace ON senders (workspace_id, id)`,
  `CREATE UNIQUE INDEX senders_live_identity ON senders (workspace_id, COALESCE(sub_tenant_id, ''), identity)
    WHERE deleted_at IS NULL`,
  `CREATE UNIQUE INDEX senders_confirmation ON senders (confirmation_hash) WHERE confirmation_hash IS NOT NULL`,
  `CREATE INDEX senders_by_identity ON senders (identity) WHERE deleted_at IS NULL`,
  `CREATE INDEX senders_to_check ON senders (next_check_at) WHERE deleted_at IS NULL`,

  `CREATE TABLE dkim_keys (
    id TEXT PRIMARY KEY, owner_id TEXT NOT NULL, domain TEXT NOT NULL, selector TEXT NOT NULL,
    algorithm TEXT NOT NULL, private_key_sealed TEXT NOT NULL, record_value TEXT NOT NULL, state TEXT NOT NULL,
    slot ${t.int}, published_at ${t.int}, activated_at ${t.int}, retiring_at ${t.int}, revoke_at ${t.int},
    revoked_at ${t.int}, created_at ${t.int} NOT NULL)`,
  `CREATE INDEX dkim_keys_by_owner ON dkim_keys (owner_id, state)`,
  `CREATE UNIQUE INDEX dkim_keys_active ON dkim_keys (owner_id, domain, algorithm) WHERE state = 'active'`,
  `CREATE UNIQUE INDEX dkim_keys_waiting ON dkim_keys (owner_id, domain, algorithm)
    WHERE state IN ('pending', 'published')`,
  `CREATE INDEX dkim_keys_by_state ON dkim_keys (state, activated_at)`,
  `CREATE UNIQUE INDEX dkim_keys_by_selector ON dkim_keys (domain, selector, owner_id) WHERE state <> 'retired'`,
];
