// Tables and indexes of src/inbound.
import type { Spelling } from '../../engine/engine.js';

export const inboundSchema = (t: Spelling): string[] => [
  `CREATE TABLE foreign_message_ids (
    environment_id ${t.int} NOT NULL, rfc_message_id TEXT NOT NULL, message_id ${t.int} NOT NULL,
    PRIMARY KEY (environment_id, rfc_message_id, message_id))`,

  `CREATE TABLE inbound_messages (
    id ${t.id}, raw_id ${t.int} NOT NULL REFERENCES raws (id), received_at ${t.int} NOT NULL, client TEXT NOT NULL,
    mail_from TEXT NOT NULL, rcpt_to TEXT NOT NULL, kind TEXT NOT NULL, target TEXT NOT NULL, state TEXT NOT NULL,
    attempts ${t.int} NOT NULL, due_at ${t.int} NOT NULL, outcome TEXT, detail TEXT)`,
  `CREATE INDEX inbound_mails_due ON "inbound_messages" (due_at, id) WHERE state = 'waiting'`,
  `CREATE INDEX inbound_mails_by_raw ON "inbound_messages" (raw_id)`,
  `CREATE INDEX inbound_mails_old ON "inbound_messages" (received_at) WHERE state <> 'waiting'`,
  `CREATE INDEX inbound_mails_parked ON "inbound_messages" (id) WHERE state = 'failed'`,
  `CREATE INDEX inbound_mails_open ON "inbound_messages" (raw_id) WHERE kind = 'feedback'`,
  `CREATE INDEX inbound_mails_unrecognized ON "inbound_messages" (received_at) WHERE outcome = 'unrecognized'`,

  `CREATE TABLE received_messages (
    message_id ${t.intKey}, in_reply_to_id ${t.int}, auto_reply TEXT, visible_text TEXT, visible_html TEXT,
    quoted_text TEXT, signature TEXT, authentication TEXT, envelope TEXT NOT NULL, references_list TEXT NOT NULL,
    problems TEXT NOT NULL)`,
  `CREATE INDEX received_messages_by_parent ON received_messages (in_reply_to_id) WHERE in_reply_to_id IS NOT NULL`,

  `CREATE TABLE threads (
    id TEXT PRIMARY KEY, environment_id ${t.int} NOT NULL REFERENCES environments (id), sub_tenant_id TEXT,
    subject TEXT NOT NULL, subject_key TEXT NOT NULL, correspondent_email TEXT NOT NULL, correspondent_name TEXT,
    correspondent_key TEXT NOT NULL, status TEXT NOT NULL, last_message_at ${t.int} NOT NULL,
    created_at ${t.int} NOT NULL, updated_at ${t.int} NOT NULL)`,
  `CREATE INDEX threads_by_activity ON threads (environment_id, last_message_at, id)`,
  `CREATE INDEX threads_of_tenant ON threads (environment_id, sub_tenant_id, last_message_at, id)
    WHERE sub_tenant_id IS NOT NULL`,
  `CREATE INDEX threads_by_status ON threads (environment_id, status, last_message_at, id)`,
  `CREATE INDEX threads_of_tenant_by_status ON threads (environment_id, sub_tenant_id, status, last_message_at, id)
    WHERE sub_tenant_id IS NOT NULL`,
  `CREATE INDEX threads_by_correspondent ON threads (environment_id, correspondent_key, subject_key)`,

  `CREATE TABLE received_reports (
    id TEXT PRIMARY KEY, environment_id ${t.int} NOT NULL, sub_tenant_id TEXT, kind TEXT NOT NULL,
    domain TEXT NOT NULL, org_name TEXT NOT NULL, reporter TEXT NOT NULL, report_id TEXT NOT NULL,
    authenticated ${t.int} NOT NULL, begins_at ${t.int} NOT NULL, ends_at ${t.int} NOT NULL, policy TEXT NOT NULL,
    total ${t.int} NOT NULL, problems ${t.int} NOT NULL, records TEXT NOT NULL, records_left_out ${t.int} NOT NULL,
    dedupe_key TEXT NOT NULL, created_at ${t.int} NOT NULL)`,
  `CREATE UNIQUE INDEX received_reports_once ON received_reports (environment_id, dedupe_key)`,
  `CREATE INDEX received_reports_by_environment ON received_reports (environment_id, kind, id)`,
  `CREATE INDEX received_reports_by_tenant ON received_reports (sub_tenant_id)`,
  `CREATE INDEX received_reports_by_age ON received_reports (created_at)`,

  `CREATE TABLE dmarc_sums (
    environment_id ${t.int} NOT NULL, day ${t.int} NOT NULL, domain TEXT NOT NULL, sub_tenant_key TEXT NOT NULL,
    reporter TEXT NOT NULL, authenticated ${t.int} NOT NULL, source_ip TEXT NOT NULL, class TEXT NOT NULL,
    reason TEXT NOT NULL, disposition TEXT NOT NULL, messages ${t.int} NOT NULL,
    PRIMARY KEY (environment_id, day, domain, sub_tenant_key, reporter, authenticated, source_ip, class, reason, disposition))`,
  `CREATE INDEX dmarc_sums_by_day ON dmarc_sums (day)`,
  `CREATE INDEX dmarc_sums_by_tenant ON dmarc_sums (sub_tenant_key)`,

  `CREATE TABLE tls_sums (
    environment_id ${t.int} NOT NULL, day ${t.int} NOT NULL, domain TEXT NOT NULL, sub_tenant_key TEXT NOT NULL,
    reporter TEXT NOT NULL, authenticated ${t.int} NOT NULL, policy_type TEXT NOT NULL, result_type TEXT NOT NULL,
    mx_host TEXT NOT NULL, sessions ${t.int} NOT NULL,
    PRIMARY KEY (environment_id, day, domain, sub_tenant_key, reporter, authenticated, policy_type, result_type, mx_host))`,
  `CREATE INDEX tls_sums_by_day ON tls_sums (day)`,
  `CREATE INDEX tls_sums_by_tenant ON tls_sums (sub_tenant_key)`,
];
