// Tables and columns of the routes of inboxes: webhooks of an inbox's mail, and forwarding to an address.
import type { Spelling } from '../engine/engine.js';

export const inboxRoutesSchema = (t: Spelling): string[] => [
  `ALTER TABLE webhook_endpoints ADD COLUMN inbox_ids TEXT`,
  `CREATE TABLE inbox_forwards (
    id TEXT PRIMARY KEY, inbox_id TEXT NOT NULL, environment_id ${t.int} NOT NULL, sub_tenant_id TEXT,
    address TEXT NOT NULL, address_key TEXT NOT NULL, confirmation_hash ${t.blob} NOT NULL,
    confirmation_expires_at ${t.int} NOT NULL, confirmed_at ${t.int}, stopped_at ${t.int},
    created_at ${t.int} NOT NULL, updated_at ${t.int} NOT NULL)`,
  `CREATE UNIQUE INDEX inbox_forwards_by_address ON inbox_forwards (inbox_id, address_key)`,
  `CREATE UNIQUE INDEX inbox_forwards_confirmation ON inbox_forwards (confirmation_hash)`,
  `CREATE INDEX inbox_forwards_of_person ON inbox_forwards (environment_id, address_key)`,
  `CREATE INDEX inbox_forwards_by_tenant ON inbox_forwards (sub_tenant_id) WHERE sub_tenant_id IS NOT NULL`,
  `ALTER TABLE messages ADD COLUMN forward TEXT`,
  `ALTER TABLE received_messages ADD COLUMN forwards TEXT`,
];
