// The audience: contacts with numbers of their own, lists, imports, campaigns, sequences, and what was counted of them.
import { type Kysely, sql } from 'kysely';
import type { Spelling } from '../engine/engine.js';

const CONTACTS = (t: Spelling): string[] => [
  // Lists, tags and campaigns name a contact by its number: a tenth of the octets of an id in every row and index. A
  // campaign's audience outlives its contacts, so that a number must never come to mean another person.
  `ALTER TABLE contacts RENAME TO old_contacts`,
  `DROP INDEX contacts_address`,
  `DROP INDEX contacts_by_workspace`,
  `CREATE TABLE contacts (
    number ${t.lastingId}, id TEXT NOT NULL UNIQUE, workspace_id TEXT NOT NULL REFERENCES workspaces (id), sub_tenant_id TEXT,
    email TEXT NOT NULL, email_key TEXT NOT NULL, name TEXT, phone TEXT, tags TEXT NOT NULL, metadata TEXT NOT NULL,
    status TEXT NOT NULL, created_at ${t.int} NOT NULL, updated_at ${t.int} NOT NULL)`,
  `INSERT INTO contacts (id, workspace_id, sub_tenant_id, email, email_key, name, phone, tags, metadata, status,
      created_at, updated_at)
    SELECT id, workspace_id, sub_tenant_id, email, email_key, name, phone, tags, metadata, status, created_at, updated_at
    FROM old_contacts ORDER BY id`,
  `DROP TABLE old_contacts`,
  `CREATE UNIQUE INDEX contacts_address ON contacts (workspace_id, email_key, COALESCE(sub_tenant_id, ''))`,
  `CREATE INDEX contacts_by_workspace ON contacts (workspace_id, number)`,
  `CREATE INDEX contacts_of_tenant ON contacts (workspace_id, sub_tenant_id, number) WHERE sub_tenant_id IS NOT NULL`,
  `CREATE INDEX contacts_by_status ON contacts (workspace_id, status, number)`,
  `CREATE TABLE contact_tags (
    workspace_number ${t.int} NOT NULL, tag TEXT NOT NULL, contact_number ${t.int} NOT NULL,
    PRIMARY KEY (workspace_number, tag, contact_number))`,
  `CREATE TABLE contact_counts (
    workspace_id TEXT NOT NULL, sub_tenant_key TEXT NOT NULL, status TEXT NOT NULL, contacts ${t.int} NOT NULL,
    PRIMARY KEY (workspace_id, sub_tenant_key, status))`,
  `INSERT INTO contact_counts (workspace_id, sub_tenant_key, status, contacts)
    SELECT workspace_id, COALESCE(sub_tenant_id, ''), status, COUNT(*) FROM contacts GROUP BY 1, 2, 3`,
];

const LISTS = (t: Spelling): string[] => [
  `CREATE TABLE contact_lists (
    number ${t.lastingId}, id TEXT NOT NULL UNIQUE, workspace_id TEXT NOT NULL REFERENCES workspaces (id), sub_tenant_id TEXT,
    name TEXT NOT NULL, description TEXT, double_opt_in ${t.int} NOT NULL, confirmation_template_id TEXT, filter TEXT,
    contacts ${t.int} NOT NULL, counted_at ${t.int}, created_at ${t.int} NOT NULL, updated_at ${t.int} NOT NULL,
    deleted_at ${t.int})`,
  `CREATE INDEX contact_lists_by_workspace ON contact_lists (workspace_id, number)`,
  `CREATE TABLE list_members (
    list_number ${t.int} NOT NULL, contact_number ${t.int} NOT NULL, state TEXT NOT NULL, joined_at ${t.int} NOT NULL,
    PRIMARY KEY (list_number, contact_number))`,
  `CREATE INDEX list_members_by_contact ON list_members (contact_number)`,
  // By address, so that neither deleting the contact nor importing it again forgets who left.
  `CREATE TABLE list_departures (
    list_number ${t.int} NOT NULL, email_key TEXT NOT NULL, left_at ${t.int} NOT NULL, PRIMARY KEY (list_number, email_key))`,
  `CREATE TABLE list_days (
    list_number ${t.int} NOT NULL, day ${t.int} NOT NULL, joined ${t.int} NOT NULL, departed ${t.int} NOT NULL,
    PRIMARY KEY (list_number, day))`,
  `CREATE TABLE transfers (
    id TEXT PRIMARY KEY, kind TEXT NOT NULL, workspace_id TEXT NOT NULL, environment_id ${t.int} NOT NULL,
    sub_tenant_id TEXT, format TEXT NOT NULL, options TEXT NOT NULL, status TEXT NOT NULL, size_bytes ${t.int} NOT NULL,
    done_bytes ${t.int} NOT NULL, total ${t.int}, processed ${t.int} NOT NULL, created ${t.int} NOT NULL,
    updated ${t.int} NOT NULL, failed ${t.int} NOT NULL, position TEXT, error TEXT, created_at ${t.int} NOT NULL,
    updated_at ${t.int} NOT NULL, finished_at ${t.int})`,
  `CREATE INDEX transfers_by_environment ON transfers (environment_id, kind, id)`,
  `CREATE INDEX transfers_open ON transfers (id) WHERE status = 'queued' OR status = 'running'`,
];

const CAMPAIGNS = (t: Spelling): string[] => [
  `CREATE TABLE campaigns (
    id TEXT PRIMARY KEY, environment_id ${t.int} NOT NULL REFERENCES environments (id), sub_tenant_id TEXT,
    name TEXT NOT NULL, type TEXT NOT NULL, list_number ${t.int} NOT NULL, template_id TEXT NOT NULL, subject TEXT,
    from_email TEXT, from_name TEXT, reply_to_email TEXT, reply_to_name TEXT, segment_tag TEXT, variants TEXT NOT NULL,
    split TEXT, track_opens ${t.int}, track_clicks ${t.int}, status TEXT NOT NULL, versions TEXT, scheduled_at ${t.int},
    started_at ${t.int}, sent_at ${t.int}, paused_at ${t.int}, problem TEXT, frozen_up_to ${t.int} NOT NULL,
    frozen_at ${t.int}, fanned_out_at ${t.int}, winner TEXT, total ${t.int} NOT NULL, made ${t.int} NOT NULL,
    skipped ${t.int} NOT NULL, failed ${t.int} NOT NULL, created_at ${t.int} NOT NULL, updated_at ${t.int} NOT NULL,
    deleted_at ${t.int})`,
  `CREATE INDEX campaigns_by_environment ON campaigns (environment_id, id)`,
  `CREATE INDEX campaigns_at_work ON campaigns (status, id) WHERE status <> 'draft' AND status <> 'sent'`,
  `CREATE TABLE campaign_overrides (
    campaign_id TEXT NOT NULL, email_key TEXT NOT NULL, email TEXT NOT NULL, subject TEXT, html TEXT,
    created_at ${t.int} NOT NULL, updated_at ${t.int} NOT NULL, PRIMARY KEY (campaign_id, email_key))`,
  `CREATE TABLE campaign_recipients (
    campaign_id TEXT NOT NULL, contact_number ${t.int} NOT NULL, email TEXT NOT NULL, email_key TEXT NOT NULL,
    state TEXT NOT NULL, variant TEXT, reason TEXT, message_id ${t.int}, PRIMARY KEY (campaign_id, contact_number))`,
  // Two contacts of one address (the workspace's and a tenant's) are one recipient.
  `CREATE UNIQUE INDEX campaign_recipients_address ON campaign_recipients (campaign_id, email_key)`,
  `CREATE INDEX campaign_recipients_waiting ON campaign_recipients (campaign_id, contact_number) WHERE state = 'waiting'`,
  `CREATE INDEX campaign_recipients_by_state ON campaign_recipients (campaign_id, state, contact_number)`,
  `ALTER TABLE messages ADD COLUMN campaign_id TEXT`,
  `ALTER TABLE messages ADD COLUMN sequence_id TEXT`,
  `ALTER TABLE messages ADD COLUMN variant TEXT`,
  `CREATE INDEX messages_by_campaign ON messages (campaign_id, id) WHERE campaign_id IS NOT NULL`,
  `CREATE INDEX messages_by_campaign_status ON messages (campaign_id, status, id) WHERE campaign_id IS NOT NULL`,
  `CREATE INDEX messages_by_sequence ON messages (sequence_id, id) WHERE sequence_id IS NOT NULL`,
];

const SEQUENCES = (t: Spelling): string[] => [
  `CREATE TABLE sequences (
    number ${t.id}, id TEXT NOT NULL UNIQUE, environment_id ${t.int} NOT NULL REFERENCES environments (id),
    sub_tenant_id TEXT, name TEXT NOT NULL, type TEXT NOT NULL, trigger_kind TEXT NOT NULL, trigger_value TEXT NOT NULL,
    steps TEXT NOT NULL, exit_on TEXT NOT NULL, goal TEXT, from_email TEXT, from_name TEXT, reply_to_email TEXT,
    reply_to_name TEXT, status TEXT NOT NULL, problem TEXT, created_at ${t.int} NOT NULL, updated_at ${t.int} NOT NULL,
    deleted_at ${t.int})`,
  `CREATE INDEX sequences_by_environment ON sequences (environment_id, number)`,
  `CREATE INDEX sequences_by_trigger ON sequences (environment_id, trigger_kind, trigger_value) WHERE status = 'active'`,
  `CREATE TABLE enrollments (
    number ${t.id}, id TEXT NOT NULL UNIQUE, sequence_number ${t.int} NOT NULL, contact_number ${t.int} NOT NULL,
    email_key TEXT NOT NULL, state TEXT NOT NULL, exit_reason TEXT, step TEXT NOT NULL, step_since ${t.int} NOT NULL,
    due_at ${t.int} NOT NULL, waits_for TEXT, last_message_id ${t.int}, steps_taken ${t.int} NOT NULL,
    variables TEXT NOT NULL, created_at ${t.int} NOT NULL, updated_at ${t.int} NOT NULL)`,
  `CREATE INDEX enrollments_due ON enrollments (sequence_number, due_at, number) WHERE state = 'active'`,
  `CREATE UNIQUE INDEX enrollments_active ON enrollments (sequence_number, contact_number) WHERE state = 'active'`,
  `CREATE INDEX enrollments_of_contact ON enrollments (contact_number, sequence_number)`,
  `CREATE INDEX enrollments_by_sequence ON enrollments (sequence_number, number)`,
  `CREATE TABLE enrollment_messages (
    enrollment_number ${t.int} NOT NULL, message_id ${t.int} NOT NULL, PRIMARY KEY (enrollment_number, message_id))`,
  `CREATE INDEX enrollment_messages_by_message ON enrollment_messages (message_id)`,
];

const COUNTED = (t: Spelling): string[] => [
  `CREATE TABLE followers (
    name TEXT NOT NULL, workspace_number ${t.int} NOT NULL, seq ${t.int} NOT NULL, PRIMARY KEY (name, workspace_number))`,
  `CREATE TABLE engagement (
    message_id ${t.intKey}, opens ${t.int} NOT NULL, machine_opens ${t.int} NOT NULL, clicks ${t.int} NOT NULL,
    machine_clicks ${t.int} NOT NULL)`,
  `CREATE TABLE stat_days (
    environment_id ${t.int} NOT NULL, sub_tenant_key TEXT NOT NULL, type TEXT NOT NULL, day ${t.int} NOT NULL,
    measure TEXT NOT NULL, n ${t.int} NOT NULL, PRIMARY KEY (environment_id, sub_tenant_key, day, type, measure))`,
  `CREATE TABLE source_stats (
    source_id TEXT NOT NULL, variant TEXT NOT NULL, measure TEXT NOT NULL, n ${t.int} NOT NULL,
    PRIMARY KEY (source_id, variant, measure))`,
  `CREATE TABLE source_hours (
    source_id TEXT NOT NULL, hour ${t.int} NOT NULL, measure TEXT NOT NULL, n ${t.int} NOT NULL,
    PRIMARY KEY (source_id, hour, measure))`,
  `CREATE TABLE source_links (
    source_id TEXT NOT NULL, url TEXT NOT NULL, clicks ${t.int} NOT NULL, people ${t.int} NOT NULL,
    machine_clicks ${t.int} NOT NULL, PRIMARY KEY (source_id, url))`,
  // An erased file is asked whether another message has it.
  `CREATE INDEX attachments_by_blob ON attachments (blob_id)`,
  `ALTER TABLE template_versions ADD COLUMN inline_css ${t.int} NOT NULL DEFAULT 0`,
  `ALTER TABLE sub_tenants ADD COLUMN tracking_ok ${t.int} NOT NULL DEFAULT 0`,
  `ALTER TABLE senders ADD COLUMN tracking_ok ${t.int} NOT NULL DEFAULT 0`,
  `ALTER TABLE organizations ADD COLUMN untracked_types TEXT`,
];

export async function up(db: Kysely<unknown>, spelling: Spelling): Promise<void> {
  const parts = [CONTACTS, LISTS, CAMPAIGNS, SEQUENCES, COUNTED];
  for (const statement of parts.flatMap((part) => part(spelling))) await sql.raw(statement).execute(db);
  await tagContacts(db);
  for (const statement of spelling.contactSearch.create) await sql.raw(statement).execute(db);
}

/** Tags were only in the contacts' own rows. */
async function tagContacts(db: Kysely<unknown>): Promise<void> {
  const tables = db as Kysely<{
    contacts: { number: number; workspace_id: string; tags: string };
    workspaces: { id: string; number: number };
    contact_tags: { workspace_number: number; tag: string; contact_number: number };
  }>;
  let after = 0;
  for (;;) {
    const rows = await tables
      .selectFrom('contacts as c')
      .innerJoin('workspaces as w', 'w.id', 'c.workspace_id')
      .select(['c.number', 'c.tags', 'w.number as workspace'])
      .where('c.number', '>', after)
      .where('c.tags', '<>', '[]')
      .orderBy('c.number')
      .limit(500)
      .execute();
    const values = rows.flatMap(({ number, tags, workspace }) =>
      [...new Set(JSON.parse(tags) as string[])].map((tag) => ({
        workspace_number: workspace,
        tag,
        contact_number: number,
      })),
    );
    for (let i = 0; i < values.length; i += 500) {
      await tables
        .insertInto('contact_tags')
        .values(values.slice(i, i + 500))
        .execute();
    }
    const last = rows.at(-1);
    if (!last) return;
    after = last.number;
  }
}
