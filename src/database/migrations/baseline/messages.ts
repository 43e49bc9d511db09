// Tables and indexes of src/messages.
import type { Spelling } from '../../engine/engine.js';

export const messagesSchema = (t: Spelling): string[] => [
  `CREATE TABLE contents (
    id ${t.id}, rfc_message_id TEXT NOT NULL, to_list TEXT NOT NULL, cc_list TEXT NOT NULL, headers TEXT NOT NULL,
    html TEXT, text TEXT, raw_id ${t.int}, is_shared ${t.int} NOT NULL DEFAULT 0)`,
  `CREATE INDEX contents_by_raw ON contents (raw_id) WHERE raw_id IS NOT NULL`,

  `CREATE TABLE blobs (
    id ${t.id}, workspace_id TEXT NOT NULL, sha256 TEXT NOT NULL, size_bytes ${t.int} NOT NULL,
    content ${t.blob} NOT NULL, UNIQUE (workspace_id, sha256))`,

  `CREATE TABLE attachments (
    content_id ${t.int} NOT NULL REFERENCES contents (id), position ${t.int} NOT NULL,
    blob_id ${t.int} NOT NULL REFERENCES blobs (id), filename TEXT NOT NULL, content_type TEXT NOT NULL, cid TEXT,
    PRIMARY KEY (content_id, position))`,
  `CREATE INDEX attachments_by_blob ON attachments (blob_id)`,

  `CREATE TABLE messages (
    id ${t.id}, public_id TEXT NOT NULL UNIQUE, environment_id ${t.int} NOT NULL, sub_tenant_id TEXT,
    content_id ${t.int} NOT NULL, type TEXT NOT NULL, status TEXT NOT NULL, recipient_role TEXT NOT NULL,
    to_email TEXT NOT NULL, to_name TEXT, to_key TEXT NOT NULL, from_email TEXT NOT NULL, from_name TEXT,
    reply_to_email TEXT, reply_to_name TEXT, subject TEXT NOT NULL, template_id TEXT, template_version ${t.int},
    priority TEXT NOT NULL, tags TEXT NOT NULL, metadata TEXT NOT NULL, idempotency_key TEXT,
    content_hash TEXT NOT NULL, track_opens ${t.int} NOT NULL, track_clicks ${t.int} NOT NULL, provider TEXT,
    provider_message_id TEXT, signed_at ${t.int}, error TEXT, scheduled_at ${t.int}, opened_at ${t.int},
    clicked_at ${t.int}, created_at ${t.int} NOT NULL, updated_at ${t.int} NOT NULL,
    require_tls ${t.int} NOT NULL DEFAULT 0, thread_id TEXT, null_sender ${t.int} NOT NULL DEFAULT 0, dsn TEXT,
    campaign_id TEXT, sequence_id TEXT, variant TEXT, redacted_at ${t.int}, in_doubt_at ${t.int}, reply_to_more TEXT,
    topic_id TEXT, traceparent TEXT, asked_for ${t.int} NOT NULL DEFAULT 0,
    from_vendor_api ${t.int} NOT NULL DEFAULT 0, dated_at ${t.int})`,
  `CREATE INDEX messages_by_environment ON messages (environment_id, id)`,
  `CREATE INDEX messages_by_tenant ON messages (environment_id, sub_tenant_id, id) WHERE sub_tenant_id IS NOT NULL`,
  `CREATE INDEX messages_by_recipient ON messages (environment_id, to_key, id)`,
  `CREATE INDEX messages_by_rare_status ON messages (environment_id, status, id)
    WHERE status = 'bounced' OR status = 'complained' OR status = 'failed' OR status = 'suppressed' OR status = 'canceled'`,
  `CREATE INDEX messages_by_thread ON messages (thread_id, id) WHERE thread_id IS NOT NULL`,
  `CREATE INDEX messages_by_campaign ON messages (campaign_id, id) WHERE campaign_id IS NOT NULL`,
  `CREATE INDEX messages_by_campaign_status ON messages (campaign_id, status, id) WHERE campaign_id IS NOT NULL`,
  `CREATE INDEX messages_by_sequence ON messages (sequence_id, id) WHERE sequence_id IS NOT NULL`,
  `CREATE INDEX messages_by_sequence_recipient ON messages (sequence_id, to_key, created_at)
    WHERE sequence_id IS NOT NULL`,
  `CREATE INDEX messages_in_doubt ON messages (environment_id, id) WHERE in_doubt_at IS NOT NULL`,
  `CREATE INDEX messages_in_doubt_by_campaign ON messages (campaign_id, id)
    WHERE in_doubt_at IS NOT NULL AND campaign_id IS NOT NULL`,
  `CREATE INDEX messages_in_doubt_by_sequence ON messages (sequence_id, id)
    WHERE in_doubt_at IS NOT NULL AND sequence_id IS NOT NULL`,
  `CREATE INDEX messages_by_open_status ON messages (environment_id, status, id)
    WHERE status = 'queued' OR status = 'sending'`,
  `CREATE INDEX messages_bounced ON messages (environment_id, to_key, updated_at) WHERE status = 'bounced'`,

  `CREATE TABLE message_tags (
    environment_id ${t.int} NOT NULL, tag TEXT NOT NULL, message_id ${t.int} NOT NULL,
    PRIMARY KEY (environment_id, tag, message_id))`,

  `CREATE TABLE idempotency_keys (
    environment_id ${t.int} NOT NULL, sub_tenant_key TEXT NOT NULL, key TEXT NOT NULL, fingerprint ${t.blob} NOT NULL,
    message_id ${t.int} NOT NULL, scheduled_at ${t.int}, created_at ${t.int} NOT NULL,
    PRIMARY KEY (environment_id, sub_tenant_key, key))`,

  `CREATE TABLE attempts (
    message_id ${t.int} NOT NULL, number ${t.int} NOT NULL, at ${t.int} NOT NULL, session_id TEXT,
    detail TEXT NOT NULL, conversation TEXT, PRIMARY KEY (message_id, number))`,
  `CREATE INDEX attempts_by_age ON attempts (at)`,

  `CREATE TABLE smtp_sessions (
    id TEXT PRIMARY KEY, at ${t.int} NOT NULL, detail TEXT NOT NULL)`,
  `CREATE INDEX smtp_sessions_by_age ON smtp_sessions (at)`,

  `CREATE TABLE raws (
    id ${t.id}, size_bytes ${t.int} NOT NULL, content ${t.blob} NOT NULL)`,
];
