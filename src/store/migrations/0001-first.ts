// The first schema. `column types`: int, id, blob are the words that the two engines spell differently.
import { type Kysely, sql } from 'kysely';
import type { Spelling } from '../engine/engine.js';

const TABLES = (t: Spelling): string[] => [
  `CREATE TABLE organizations (
    id TEXT PRIMARY KEY, name TEXT NOT NULL, postal_address TEXT, plan TEXT NOT NULL,
    unsubscribe_blocks TEXT NOT NULL, track_opens ${t.int} NOT NULL, track_clicks ${t.int} NOT NULL,
    created_at ${t.int} NOT NULL, updated_at ${t.int} NOT NULL)`,

  `CREATE TABLE workspaces (
    id TEXT PRIMARY KEY, number ${t.int} NOT NULL UNIQUE, organization_id TEXT NOT NULL REFERENCES organizations (id),
    name TEXT NOT NULL, created_at ${t.int} NOT NULL)`,

  `CREATE TABLE environments (
    id ${t.id}, workspace_id TEXT NOT NULL REFERENCES workspaces (id), mode TEXT NOT NULL, UNIQUE (workspace_id, mode))`,

  `CREATE TABLE marks (name TEXT PRIMARY KEY, value ${t.blob}, created_at ${t.int} NOT NULL)`,

  `CREATE TABLE api_keys (
    id TEXT PRIMARY KEY, environment_id ${t.int} NOT NULL REFERENCES environments (id), sub_tenant_id TEXT,
    name TEXT NOT NULL, permission TEXT NOT NULL, secret_hash ${t.blob} NOT NULL UNIQUE, hint TEXT NOT NULL,
    allowed_ips TEXT, expires_at ${t.int}, revoked_at ${t.int}, created_at ${t.int} NOT NULL)`,
  `CREATE INDEX api_keys_by_environment ON api_keys (environment_id, id)`,

  `CREATE TABLE sub_tenants (
    id TEXT PRIMARY KEY, workspace_id TEXT NOT NULL REFERENCES workspaces (id), name TEXT NOT NULL, external_id TEXT,
    sending_domain TEXT NOT NULL, status TEXT NOT NULL, verified_at ${t.int}, last_checked_at ${t.int},
    return_path_ok ${t.int} NOT NULL, dns_results TEXT, created_at ${t.int} NOT NULL, updated_at ${t.int} NOT NULL,
    deleted_at ${t.int})`,
  `CREATE INDEX sub_tenants_by_workspace ON sub_tenants (workspace_id, id)`,
  `CREATE UNIQUE INDEX sub_tenants_live_domain ON sub_tenants (sending_domain) WHERE deleted_at IS NULL`,
  `CREATE UNIQUE INDEX sub_tenants_external_id ON sub_tenants (workspace_id, external_id)
    WHERE external_id IS NOT NULL AND deleted_at IS NULL`,

  `CREATE TABLE senders (
    id TEXT PRIMARY KEY, workspace_id TEXT NOT NULL REFERENCES workspaces (id), sub_tenant_id TEXT, kind TEXT NOT NULL,
    identity TEXT NOT NULL, name TEXT, status TEXT NOT NULL, is_default ${t.int} NOT NULL, confirmation_hash ${t.blob},
    confirmation_expires_at ${t.int}, verified_at ${t.int}, last_checked_at ${t.int}, return_path_ok ${t.int} NOT NULL,
    dns_results TEXT, created_at ${t.int} NOT NULL, updated_at ${t.int} NOT NULL, deleted_at ${t.int})`,
  `CREATE INDEX senders_by_workspace ON senders (workspace_id, id)`,
  `CREATE UNIQUE INDEX senders_live_identity ON senders (workspace_id, COALESCE(sub_tenant_id, ''), identity)
    WHERE deleted_at IS NULL`,
  `CREATE UNIQUE INDEX senders_confirmation ON senders (confirmation_hash) WHERE confirmation_hash IS NOT NULL`,

  `CREATE TABLE dkim_keys (
    id TEXT PRIMARY KEY, owner_id TEXT NOT NULL, domain TEXT NOT NULL, selector TEXT NOT NULL, algorithm TEXT NOT NULL,
    private_key_sealed TEXT NOT NULL, record_value TEXT NOT NULL, state TEXT NOT NULL, created_at ${t.int} NOT NULL,
    UNIQUE (domain, selector))`,
  `CREATE INDEX dkim_keys_by_owner ON dkim_keys (owner_id, state)`,

  `CREATE TABLE templates (
    id TEXT PRIMARY KEY, workspace_id TEXT NOT NULL REFERENCES workspaces (id), sub_tenant_id TEXT, slug TEXT NOT NULL,
    name TEXT NOT NULL, type TEXT NOT NULL, version ${t.int} NOT NULL, created_at ${t.int} NOT NULL,
    updated_at ${t.int} NOT NULL, deleted_at ${t.int})`,
  `CREATE UNIQUE INDEX templates_live_slug ON templates (workspace_id, COALESCE(sub_tenant_id, ''), slug)
    WHERE deleted_at IS NULL`,
  `CREATE INDEX templates_by_workspace ON templates (workspace_id, id)`,
  `CREATE TABLE template_versions (
    template_id TEXT NOT NULL REFERENCES templates (id), version ${t.int} NOT NULL, subject TEXT, html TEXT, text TEXT,
    created_at ${t.int} NOT NULL, PRIMARY KEY (template_id, version))`,

  `CREATE TABLE contacts (
    id TEXT PRIMARY KEY, workspace_id TEXT NOT NULL REFERENCES workspaces (id), sub_tenant_id TEXT, email TEXT NOT NULL,
    email_key TEXT NOT NULL, name TEXT, phone TEXT, tags TEXT NOT NULL, metadata TEXT NOT NULL, status TEXT NOT NULL,
    created_at ${t.int} NOT NULL, updated_at ${t.int} NOT NULL)`,
  `CREATE UNIQUE INDEX contacts_address ON contacts (workspace_id, email_key, COALESCE(sub_tenant_id, ''))`,
  `CREATE INDEX contacts_by_workspace ON contacts (workspace_id, id)`,

  `CREATE TABLE suppressions (
    id TEXT PRIMARY KEY, environment_id ${t.int} NOT NULL REFERENCES environments (id), sub_tenant_key TEXT NOT NULL,
    email TEXT NOT NULL, email_key TEXT NOT NULL, reason TEXT NOT NULL, message_public_id TEXT,
    created_at ${t.int} NOT NULL, UNIQUE (environment_id, email_key, sub_tenant_key))`,
  `CREATE INDEX suppressions_by_environment ON suppressions (environment_id, id)`,

  `CREATE TABLE contents (
    id ${t.id}, rfc_message_id TEXT NOT NULL, to_list TEXT NOT NULL, cc_list TEXT NOT NULL, headers TEXT NOT NULL,
    html TEXT, text TEXT)`,
  `CREATE TABLE blobs (
    id ${t.id}, workspace_id TEXT NOT NULL, sha256 TEXT NOT NULL, size_bytes ${t.int} NOT NULL, content ${t.blob} NOT NULL,
    UNIQUE (workspace_id, sha256))`,
  `CREATE TABLE attachments (
    content_id ${t.int} NOT NULL REFERENCES contents (id), position ${t.int} NOT NULL,
    blob_id ${t.int} NOT NULL REFERENCES blobs (id), filename TEXT NOT NULL, content_type TEXT NOT NULL, cid TEXT,
    PRIMARY KEY (content_id, position))`,

  `CREATE TABLE messages (
    id ${t.id}, public_id TEXT NOT NULL UNIQUE, environment_id ${t.int} NOT NULL, sub_tenant_id TEXT,
    content_id ${t.int} NOT NULL, type TEXT NOT NULL, status TEXT NOT NULL, recipient_role TEXT NOT NULL,
    to_email TEXT NOT NULL, to_name TEXT, to_key TEXT NOT NULL, from_email TEXT NOT NULL, from_name TEXT,
    reply_to_email TEXT, reply_to_name TEXT, subject TEXT NOT NULL, template_id TEXT, template_version ${t.int},
    priority TEXT NOT NULL, tags TEXT NOT NULL, metadata TEXT NOT NULL, idempotency_key TEXT, content_hash TEXT NOT NULL,
    track_opens ${t.int} NOT NULL, track_clicks ${t.int} NOT NULL, provider TEXT, provider_message_id TEXT,
    signed_at ${t.int}, error TEXT, scheduled_at ${t.int}, opened_at ${t.int}, clicked_at ${t.int},
    created_at ${t.int} NOT NULL, updated_at ${t.int} NOT NULL)`,
  `CREATE INDEX messages_by_environment ON messages (environment_id, id)`,
  `CREATE INDEX messages_by_tenant ON messages (environment_id, sub_tenant_id, id) WHERE sub_tenant_id IS NOT NULL`,
  `CREATE INDEX messages_by_recipient ON messages (environment_id, to_key, id)`,
  // The frequent statuses are found by scanning from the newest; these few would be searched for long.
  `CREATE INDEX messages_by_rare_status ON messages (environment_id, status, id)
    WHERE status = 'bounced' OR status = 'complained' OR status = 'failed' OR status = 'suppressed'
      OR status = 'canceled'`,
  `CREATE TABLE message_tags (
    environment_id ${t.int} NOT NULL, tag TEXT NOT NULL, message_id ${t.int} NOT NULL,
    PRIMARY KEY (environment_id, tag, message_id))`,
  `CREATE TABLE idempotency_keys (
    environment_id ${t.int} NOT NULL, sub_tenant_key TEXT NOT NULL, key TEXT NOT NULL, fingerprint ${t.blob} NOT NULL,
    message_id ${t.int} NOT NULL, scheduled_at ${t.int}, created_at ${t.int} NOT NULL,
    PRIMARY KEY (environment_id, sub_tenant_key, key))`,

  `CREATE TABLE lanes (
    id ${t.id}, environment_id ${t.int} NOT NULL, sub_tenant_key TEXT NOT NULL, domain TEXT NOT NULL, rank ${t.int} NOT NULL,
    UNIQUE (environment_id, sub_tenant_key, domain, rank))`,
  `CREATE TABLE queue (
    message_id ${t.intKey}, lane_id ${t.int} NOT NULL, due_at ${t.int} NOT NULL, expires_at ${t.int} NOT NULL,
    attempts ${t.int} NOT NULL, lease_until ${t.int}, lease_owner TEXT, dot_intent_at ${t.int},
    ambiguous_attempts ${t.int} NOT NULL, hold_reason TEXT)`,
  `CREATE INDEX queue_waiting ON queue (lane_id, due_at) WHERE lease_until IS NULL`,
  `CREATE INDEX queue_leased ON queue (lease_until) WHERE lease_until IS NOT NULL`,

  `CREATE TABLE events (
    position ${t.intKey}, environment_id ${t.int} NOT NULL, message_id ${t.int}, subject_id TEXT NOT NULL,
    event TEXT NOT NULL, actor TEXT NOT NULL, occurred_at ${t.int} NOT NULL, detail TEXT, salt ${t.blob},
    detail_digest ${t.blob}, hash ${t.blob} NOT NULL)`,
  `CREATE INDEX events_by_message ON events (message_id, position) WHERE message_id IS NOT NULL`,
  `CREATE INDEX events_by_subject ON events (subject_id, position) WHERE message_id IS NULL`,
  `CREATE TABLE chains (
    workspace_number ${t.intKey}, head_seq ${t.int} NOT NULL, head_hash ${t.blob} NOT NULL, fanned_out_seq ${t.int} NOT NULL)`,
  `CREATE TABLE usage (
    environment_id ${t.int} NOT NULL, day ${t.int} NOT NULL, type TEXT NOT NULL, sends ${t.int} NOT NULL,
    PRIMARY KEY (environment_id, day, type))`,

  `CREATE TABLE webhook_endpoints (
    id TEXT PRIMARY KEY, workspace_id TEXT NOT NULL REFERENCES workspaces (id), sub_tenant_id TEXT, url TEXT NOT NULL,
    description TEXT, events TEXT, status TEXT NOT NULL, disabled_reason TEXT, consecutive_failures ${t.int} NOT NULL,
    secret_sealed TEXT NOT NULL, created_at ${t.int} NOT NULL, updated_at ${t.int} NOT NULL)`,
  `CREATE INDEX webhook_endpoints_by_workspace ON webhook_endpoints (workspace_id, id)`,
  `CREATE TABLE webhook_deliveries (
    id ${t.id}, public_id TEXT NOT NULL UNIQUE, endpoint_id TEXT NOT NULL, environment_id ${t.int} NOT NULL,
    event_position ${t.int}, event TEXT NOT NULL, subject_id TEXT NOT NULL, payload TEXT NOT NULL, status TEXT NOT NULL,
    attempts ${t.int} NOT NULL, due_at ${t.int}, lease_until ${t.int}, created_at ${t.int} NOT NULL)`,
  `CREATE INDEX webhook_deliveries_by_endpoint ON webhook_deliveries (endpoint_id, id)`,
  `CREATE INDEX webhook_deliveries_due ON webhook_deliveries (endpoint_id, due_at) WHERE status = 'pending'`,
  `CREATE INDEX webhook_deliveries_open ON webhook_deliveries (endpoint_id, subject_id, id) WHERE status = 'pending'`,
  `CREATE TABLE webhook_attempts (
    delivery_id ${t.int} NOT NULL, number ${t.int} NOT NULL, at ${t.int} NOT NULL, duration_ms ${t.int} NOT NULL,
    response_status ${t.int}, response_body TEXT, error TEXT, PRIMARY KEY (delivery_id, number))`,
];

const FIXED_EVENT_COLUMNS = [
  'position',
  'environment_id',
  'message_id',
  'subject_id',
  'event',
  'actor',
  'occurred_at',
  'detail_digest',
  'hash',
];

/** The forward step; statements run one by one inside the migration's transaction. */
export async function up(db: Kysely<unknown>, spelling: Spelling): Promise<void> {
  for (const statement of [
    ...TABLES(spelling),
    ...spelling.appendOnly('events', {
      fixed: FIXED_EVENT_COLUMNS,
      erasable: ['detail', 'salt'],
    }),
  ]) {
    await sql.raw(statement).execute(db);
  }
}
