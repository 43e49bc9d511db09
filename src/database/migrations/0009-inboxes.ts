// Tables and columns of inboxes, and of the facts that received mail is examined for.
import type { Spelling } from '../engine/engine.js';

export const inboxesSchema = (t: Spelling): string[] => [
  `ALTER TABLE received_messages ADD COLUMN risk TEXT`,
  `CREATE INDEX received_messages_by_author ON messages (environment_id, LOWER(from_email)) WHERE status = 'received'`,
  `CREATE TABLE inboxes (
    id TEXT PRIMARY KEY, environment_id ${t.int} NOT NULL, sub_tenant_id TEXT, address TEXT NOT NULL,
    address_key TEXT NOT NULL, name TEXT, client_id TEXT NOT NULL, requested TEXT NOT NULL, policy_key_id TEXT,
    created_at ${t.int} NOT NULL, updated_at ${t.int} NOT NULL)`,
  `CREATE UNIQUE INDEX inboxes_by_address ON inboxes (environment_id, address_key)`,
  `CREATE UNIQUE INDEX inboxes_by_client ON inboxes (environment_id, client_id, COALESCE(sub_tenant_id, ''))`,
  `CREATE INDEX inboxes_by_tenant ON inboxes (sub_tenant_id) WHERE sub_tenant_id IS NOT NULL`,
  `ALTER TABLE threads ADD COLUMN inbox_id TEXT`,
  `ALTER TABLE threads ADD COLUMN unread ${t.int} NOT NULL DEFAULT 0`,
  `ALTER TABLE threads ADD COLUMN labels TEXT NOT NULL DEFAULT '[]'`,
  `ALTER TABLE threads ADD COLUMN assigned_to TEXT`,
  `CREATE INDEX threads_unread ON threads (environment_id, last_message_at, id) WHERE unread = 1`,
  `CREATE INDEX threads_by_assignee ON threads (environment_id, assigned_to, last_message_at, id)
    WHERE assigned_to IS NOT NULL`,
  `CREATE INDEX threads_by_inbox ON threads (environment_id, inbox_id, last_message_at, id)
    WHERE inbox_id IS NOT NULL`,
];
