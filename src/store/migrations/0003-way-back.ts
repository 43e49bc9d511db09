// Tables of inbound mail, and of mail submitted by SMTP: octets as received, spooled mail, received messages, threads, delivery
// reports.
import { type Kysely, sql } from 'kysely';
import type { Spelling } from '../engine/engine.js';

const STATEMENTS = (t: Spelling): string[] => [
  `CREATE TABLE raws (id ${t.id}, size_bytes ${t.int} NOT NULL, content ${t.blob} NOT NULL)`,
  `ALTER TABLE contents ADD COLUMN raw_id ${t.int}`,
  `CREATE INDEX contents_by_raw ON contents (raw_id) WHERE raw_id IS NOT NULL`,
  // Ids of our own making name their message; only those that others made have to be searched for.
  `CREATE TABLE foreign_message_ids (
    environment_id ${t.int} NOT NULL, rfc_message_id TEXT NOT NULL, message_id ${t.int} NOT NULL,
    PRIMARY KEY (environment_id, rfc_message_id, message_id))`,
  `ALTER TABLE messages ADD COLUMN thread_id TEXT`,
  `ALTER TABLE messages ADD COLUMN null_sender ${t.int} NOT NULL DEFAULT 0`,
  `ALTER TABLE messages ADD COLUMN dsn TEXT`,
  `CREATE INDEX messages_by_thread ON messages (thread_id, id) WHERE thread_id IS NOT NULL`,
  `ALTER TABLE sub_tenants ADD COLUMN inbound_ok ${t.int} NOT NULL DEFAULT 0`,
  `ALTER TABLE senders ADD COLUMN inbound_ok ${t.int} NOT NULL DEFAULT 0`,
  `CREATE INDEX senders_by_identity ON senders (identity) WHERE deleted_at IS NULL`,

  `CREATE TABLE inbound_mails (
    id ${t.id}, raw_id ${t.int} NOT NULL REFERENCES raws (id), received_at ${t.int} NOT NULL, client TEXT NOT NULL,
    mail_from TEXT NOT NULL, rcpt_to TEXT NOT NULL, kind TEXT NOT NULL, target TEXT NOT NULL, state TEXT NOT NULL,
    attempts ${t.int} NOT NULL, due_at ${t.int} NOT NULL, outcome TEXT, detail TEXT)`,
  `CREATE INDEX inbound_mails_due ON inbound_mails (due_at, id) WHERE state = 'waiting'`,
  `CREATE INDEX inbound_mails_by_raw ON inbound_mails (raw_id)`,
  `CREATE INDEX inbound_mails_old ON inbound_mails (received_at) WHERE state <> 'waiting'`,

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
  // Most threads are closed in time, and the open ones are asked for.
  `CREATE INDEX threads_by_status ON threads (environment_id, status, last_message_at, id)`,
  `CREATE INDEX threads_of_tenant_by_status ON threads (environment_id, sub_tenant_id, status, last_message_at, id)
    WHERE sub_tenant_id IS NOT NULL`,
  `CREATE INDEX threads_by_correspondent ON threads (environment_id, correspondent_key, subject_key)`,

  `CREATE INDEX suppressions_by_reason ON suppressions (environment_id, reason, id)`,
  `CREATE INDEX suppressions_of_tenant ON suppressions (environment_id, sub_tenant_key, id)`,

  `CREATE TABLE delivery_reports (
    message_id ${t.int} NOT NULL, action TEXT NOT NULL, at ${t.int} NOT NULL, detail TEXT NOT NULL,
    attempts ${t.int} NOT NULL, due_at ${t.int}, PRIMARY KEY (message_id, action))`,
  `CREATE INDEX delivery_reports_due ON delivery_reports (due_at) WHERE due_at IS NOT NULL`,
];

export async function up(db: Kysely<unknown>, spelling: Spelling): Promise<void> {
  for (const statement of STATEMENTS(spelling)) await sql.raw(statement).execute(db);
}
