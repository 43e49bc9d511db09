// Indexes of forwarded messages on their way, open drafts, and approvals of sub-tenants.
export const INDEXES = [
  `CREATE INDEX messages_forwarding ON messages (environment_id, to_key, id)
    WHERE forward IS NOT NULL AND (status = 'queued' OR status = 'sending' OR status = 'sent')`,
  // Has what `drafts_open` has, for SQLite: it chooses an index by the number of columns that a query compares, and reads the row for a
  // column that the index lacks. PostgreSQL sorts by `drafts_open` only.
  `CREATE INDEX drafts_open_by_message ON drafts (environment_id, message_id, id, sub_tenant_id, size_bytes) WHERE message_id IS NULL`,
  `CREATE INDEX approvals_by_tenant ON approvals (environment_id, sub_tenant_id, status, id)
    WHERE sub_tenant_id IS NOT NULL`,
];
