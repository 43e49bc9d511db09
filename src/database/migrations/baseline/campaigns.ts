// Tables and indexes of src/campaigns.
import type { Spelling } from '../../engine/engine.js';

export const campaignsSchema = (t: Spelling): string[] => [
  `CREATE TABLE campaigns (
    id TEXT PRIMARY KEY, environment_id ${t.int} NOT NULL REFERENCES environments (id), sub_tenant_id TEXT,
    name TEXT NOT NULL, type TEXT NOT NULL, list_number ${t.int} NOT NULL, template_id TEXT NOT NULL, subject TEXT,
    from_email TEXT, from_name TEXT, reply_to_email TEXT, reply_to_name TEXT, segment_tag TEXT,
    variants TEXT NOT NULL, split TEXT, track_opens ${t.int}, track_clicks ${t.int}, status TEXT NOT NULL,
    versions TEXT, scheduled_at ${t.int}, started_at ${t.int}, sent_at ${t.int}, paused_at ${t.int}, problem TEXT,
    frozen_up_to ${t.int} NOT NULL, frozen_at ${t.int}, fanned_out_at ${t.int}, winner TEXT, total ${t.int} NOT NULL,
    created ${t.int} NOT NULL, skipped ${t.int} NOT NULL, failed ${t.int} NOT NULL, created_at ${t.int} NOT NULL,
    updated_at ${t.int} NOT NULL, deleted_at ${t.int}, redacted_at ${t.int}, suppressed ${t.int} NOT NULL DEFAULT 0,
    utm TEXT)`,
  `CREATE INDEX campaigns_by_environment ON campaigns (environment_id, id)`,
  `CREATE INDEX campaigns_at_work ON campaigns (status, id) WHERE status <> 'draft' AND status <> 'sent'`,

  `CREATE TABLE campaign_overrides (
    campaign_id TEXT NOT NULL, email_key TEXT NOT NULL, email TEXT NOT NULL, subject TEXT, html TEXT,
    created_at ${t.int} NOT NULL, updated_at ${t.int} NOT NULL, PRIMARY KEY (campaign_id, email_key))`,

  `CREATE TABLE campaign_recipients (
    campaign_id TEXT NOT NULL, contact_number ${t.int} NOT NULL, email TEXT NOT NULL, email_key TEXT NOT NULL,
    state TEXT NOT NULL, variant TEXT, reason TEXT, message_id ${t.int}, PRIMARY KEY (campaign_id, contact_number))`,
  `CREATE UNIQUE INDEX campaign_recipients_address ON campaign_recipients (campaign_id, email_key)`,
  `CREATE INDEX campaign_recipients_waiting ON campaign_recipients (campaign_id, contact_number)
    WHERE state = 'waiting'`,
  `CREATE INDEX campaign_recipients_by_state ON campaign_recipients (campaign_id, state, contact_number)`,
];
