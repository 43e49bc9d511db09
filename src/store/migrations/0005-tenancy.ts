// Tenants that are watched, keys that rotate, webhooks that are replayed, people who sign in, content that is not kept for ever.
import { type Kysely, sql } from 'kysely';
import type { Spelling } from '../engine/engine.js';

/** The high part of an event's position is its workspace's number. */
const POSITIONS_PER_WORKSPACE = 2 ** 36;
/** A week of hours is judged; a day more costs little. */
const BACK_FILLED_MS = 8 * 86_400_000;

const STANDINGS = (t: Spelling): string[] => [
  // Reputation of a sub-tenant in one environment. No row: nothing was ever counted against it.
  `CREATE TABLE tenant_standings (
    environment_id ${t.int} NOT NULL, sub_tenant_id TEXT NOT NULL, state TEXT NOT NULL, changed_at ${t.int},
    paused_at ${t.int}, pause_cause TEXT, resumed_hour ${t.int}, resumed_sums TEXT, sent ${t.int} NOT NULL,
    delivered ${t.int} NOT NULL, bounced ${t.int} NOT NULL, complained ${t.int} NOT NULL, scored_at ${t.int},
    PRIMARY KEY (environment_id, sub_tenant_id))`,
  // One narrow row per tenant and hour, so that a week of all of them is summed in one pass.
  `CREATE TABLE tenant_hours (
    environment_id ${t.int} NOT NULL, sub_tenant_id TEXT NOT NULL, hour ${t.int} NOT NULL, sent ${t.int} NOT NULL,
    delivered ${t.int} NOT NULL, bounced ${t.int} NOT NULL, complained ${t.int} NOT NULL,
    PRIMARY KEY (environment_id, sub_tenant_id, hour)) ${t.clustered}`,
  // Adds the counts that the statistics have taken so far; the rest they add themselves.
  `INSERT INTO tenant_hours (environment_id, sub_tenant_id, hour, sent, delivered, bounced, complained)
    SELECT m.environment_id, m.sub_tenant_id, v.occurred_at / 3600000,
      SUM(CASE WHEN v.event = 'sent' THEN 1 ELSE 0 END), SUM(CASE WHEN v.event = 'delivered' THEN 1 ELSE 0 END),
      SUM(CASE WHEN v.event = 'bounced' THEN 1 ELSE 0 END), SUM(CASE WHEN v.event = 'complained' THEN 1 ELSE 0 END)
    FROM followers f
    JOIN events v ON v.position > f.workspace_number * ${POSITIONS_PER_WORKSPACE}
      AND v.position <= f.workspace_number * ${POSITIONS_PER_WORKSPACE} + f.seq
    JOIN messages m ON m.id = v.message_id
    WHERE f.name = 'statistics' AND v.event IN ('sent', 'delivered', 'bounced', 'complained')
      AND v.occurred_at >= (SELECT MAX(occurred_at) FROM events) - ${BACK_FILLED_MS}
      AND m.sub_tenant_id IS NOT NULL AND m.null_sender = 0
      AND (v.event IN ('sent', 'delivered') OR NOT EXISTS (SELECT 1 FROM events b
        WHERE b.message_id = v.message_id AND b.event = v.event AND b.position < v.position))
    GROUP BY m.environment_id, m.sub_tenant_id, v.occurred_at / 3600000`,
  `INSERT INTO tenant_standings (environment_id, sub_tenant_id, state, paused_at, pause_cause, sent, delivered, bounced, complained)
    SELECT e.id, s.id, 'ok', s.updated_at, 'requested', 0, 0, 0, 0 FROM sub_tenants s
    JOIN environments e ON e.workspace_id = s.workspace_id AND e.mode = 'live'
    WHERE s.status = 'paused' AND s.deleted_at IS NULL`,
  `UPDATE sub_tenants SET status = CASE WHEN verified_at IS NULL THEN 'pending_verification' ELSE 'verified' END
    WHERE status = 'paused'`,
];

const DOMAINS = (t: Spelling): string[] => [
  `ALTER TABLE sub_tenants ADD COLUMN next_check_at ${t.int}`,
  `ALTER TABLE sub_tenants ADD COLUMN drifting_since ${t.int}`,
  // Publication of its DKIM keys: txt (the customer publishes each), cname (once), zone (we answer for the domain).
  `ALTER TABLE sub_tenants ADD COLUMN dkim_mode TEXT NOT NULL DEFAULT 'txt'`,
  `ALTER TABLE sub_tenants ADD COLUMN return_path_domain TEXT`,
  `ALTER TABLE sub_tenants ADD COLUMN inbound_domain TEXT`,
  `ALTER TABLE sub_tenants ADD COLUMN tracking_domain TEXT`,
  // Each of these names leads to one sub-tenant; domains/own-names.rules.ts says the same.
  `CREATE UNIQUE INDEX sub_tenants_return_path ON sub_tenants (COALESCE(return_path_domain, 'bounce.' || sending_domain))
    WHERE deleted_at IS NULL`,
  `CREATE UNIQUE INDEX sub_tenants_inbound ON sub_tenants (COALESCE(inbound_domain, 'reply.' || sending_domain))
    WHERE deleted_at IS NULL`,
  `CREATE UNIQUE INDEX sub_tenants_tracking ON sub_tenants (COALESCE(tracking_domain, 'click.' || sending_domain))
    WHERE deleted_at IS NULL`,
  // A domain below our zone is not given to another workspace, even when the first is gone.
  `CREATE INDEX sub_tenants_by_domain ON sub_tenants (sending_domain)`,
  `ALTER TABLE senders ADD COLUMN next_check_at ${t.int}`,
  `ALTER TABLE senders ADD COLUMN drifting_since ${t.int}`,
  `CREATE INDEX sub_tenants_to_check ON sub_tenants (next_check_at) WHERE deleted_at IS NULL`,
  `CREATE INDEX senders_to_check ON senders (next_check_at) WHERE deleted_at IS NULL`,
];

const KEYS = (t: Spelling): string[] => [
  // Anew, since names come again: no two keys in use have one, but of those that are gone many may have had it.
  `ALTER TABLE dkim_keys RENAME TO former_dkim_keys`,
  // slot: which of the two names of its algorithm a key has, where the names are fixed (cname, zone); null elsewhere.
  `CREATE TABLE dkim_keys (
    id TEXT PRIMARY KEY, owner_id TEXT NOT NULL, domain TEXT NOT NULL, selector TEXT NOT NULL, algorithm TEXT NOT NULL,
    private_key_sealed TEXT NOT NULL, record_value TEXT NOT NULL, state TEXT NOT NULL, slot ${t.int},
    published_at ${t.int}, activated_at ${t.int}, retiring_at ${t.int}, revoke_at ${t.int}, revoked_at ${t.int},
    created_at ${t.int} NOT NULL)`,
  `INSERT INTO dkim_keys (id, owner_id, domain, selector, algorithm, private_key_sealed, record_value, state,
      published_at, activated_at, created_at)
    SELECT id, owner_id, domain, selector, algorithm,
      CASE WHEN state = 'retired' THEN '' ELSE private_key_sealed END, record_value, state,
      CASE WHEN state = 'active' THEN created_at END, CASE WHEN state = 'active' THEN created_at END, created_at
    FROM former_dkim_keys`,
  `DROP TABLE former_dkim_keys`,
  `CREATE INDEX dkim_keys_by_owner ON dkim_keys (owner_id, state)`,
  `CREATE UNIQUE INDEX dkim_keys_by_selector ON dkim_keys (domain, selector) WHERE state <> 'retired'`,
  // Constraints against concurrent changes: one key signs, and one is to follow it.
  `CREATE UNIQUE INDEX dkim_keys_active ON dkim_keys (owner_id, domain, algorithm) WHERE state = 'active'`,
  `CREATE UNIQUE INDEX dkim_keys_waiting ON dkim_keys (owner_id, domain, algorithm)
    WHERE state IN ('pending', 'published')`,
  `CREATE INDEX dkim_keys_by_state ON dkim_keys (state, activated_at)`,
];

const WEBHOOKS = (t: Spelling): string[] => [
  `ALTER TABLE webhook_endpoints ADD COLUMN previous_secret_sealed TEXT`,
  `ALTER TABLE webhook_endpoints ADD COLUMN previous_secret_until ${t.int}`,
  // The delivery that this one repeats.
  `ALTER TABLE webhook_deliveries ADD COLUMN replay_of TEXT`,
  // Not of pending ones only: the log is searched by message, and a replay looks for what was sent before.
  `DROP INDEX webhook_deliveries_open`,
  `CREATE INDEX webhook_deliveries_by_subject ON webhook_deliveries (endpoint_id, subject_id, id)`,
  // The payload is the body that was posted; these columns are its headers, as JSON, and its URL.
  `ALTER TABLE webhook_attempts ADD COLUMN url TEXT`,
  `ALTER TABLE webhook_attempts ADD COLUMN request_headers TEXT`,
  `ALTER TABLE webhook_attempts ADD COLUMN response_headers TEXT`,
  // Events of a range of time that are delivered to an endpoint once more, a piece at a time.
  `CREATE TABLE webhook_replays (
    id TEXT PRIMARY KEY, endpoint_id TEXT NOT NULL, environment_id ${t.int} NOT NULL, since ${t.int} NOT NULL,
    until ${t.int}, status TEXT, position ${t.int} NOT NULL, end_position ${t.int} NOT NULL, deliveries ${t.int} NOT NULL,
    created_at ${t.int} NOT NULL, finished_at ${t.int})`,
  `CREATE INDEX webhook_replays_by_endpoint ON webhook_replays (endpoint_id, id)`,
  `CREATE INDEX webhook_replays_open ON webhook_replays (id) WHERE finished_at IS NULL`,
];

const PEOPLE = (t: Spelling): string[] => [
  `CREATE TABLE users (
    id TEXT PRIMARY KEY, email TEXT NOT NULL, email_key TEXT NOT NULL UNIQUE, name TEXT, password_hash TEXT NOT NULL,
    totp_sealed TEXT, totp_confirmed_at ${t.int}, totp_last_step ${t.int}, recovery_codes TEXT NOT NULL,
    failures ${t.int} NOT NULL, locked_until ${t.int}, password_changed_at ${t.int} NOT NULL, created_at ${t.int} NOT NULL,
    updated_at ${t.int} NOT NULL)`,
  `CREATE TABLE members (
    organization_id TEXT NOT NULL REFERENCES organizations (id), user_id TEXT NOT NULL REFERENCES users (id),
    role TEXT NOT NULL, created_at ${t.int} NOT NULL, updated_at ${t.int} NOT NULL, PRIMARY KEY (organization_id, user_id))`,
  `CREATE INDEX members_by_user ON members (user_id)`,
  `CREATE TABLE invitations (
    id TEXT PRIMARY KEY, organization_id TEXT NOT NULL REFERENCES organizations (id), email TEXT NOT NULL,
    email_key TEXT NOT NULL, role TEXT NOT NULL, token_hash ${t.blob} NOT NULL UNIQUE, invited_by TEXT NOT NULL,
    expires_at ${t.int} NOT NULL, accepted_at ${t.int}, revoked_at ${t.int}, created_at ${t.int} NOT NULL)`,
  `CREATE INDEX invitations_by_organization ON invitations (organization_id, id)`,
  `CREATE UNIQUE INDEX invitations_open ON invitations (organization_id, email_key)
    WHERE accepted_at IS NULL AND revoked_at IS NULL`,
  `CREATE TABLE sessions (
    id TEXT PRIMARY KEY, user_id TEXT NOT NULL REFERENCES users (id), token_hash ${t.blob} NOT NULL UNIQUE,
    ip TEXT, user_agent TEXT, last_used_at ${t.int} NOT NULL, expires_at ${t.int} NOT NULL, created_at ${t.int} NOT NULL)`,
  `CREATE INDEX sessions_by_user ON sessions (user_id, id)`,
  `CREATE INDEX sessions_by_expiry ON sessions (expires_at)`,
  `CREATE TABLE password_resets (
    token_hash ${t.blob} PRIMARY KEY, user_id TEXT NOT NULL REFERENCES users (id), expires_at ${t.int} NOT NULL,
    created_at ${t.int} NOT NULL)`,
];

const ACCOUNTS = (t: Spelling): string[] => [
  `ALTER TABLE api_keys ADD COLUMN replaced_by TEXT`,
  `ALTER TABLE api_keys ADD COLUMN last_used_at ${t.int}`,
  `ALTER TABLE workspaces ADD COLUMN updated_at ${t.int}`,
  // Audit log: written in the transaction of the change.
  `CREATE TABLE audit_entries (
    id TEXT PRIMARY KEY, organization_id TEXT NOT NULL, workspace_id TEXT, sub_tenant_id TEXT, mode TEXT, actor_kind TEXT NOT NULL,
    actor_id TEXT, action TEXT NOT NULL, target_id TEXT, detail TEXT NOT NULL, ip TEXT, request_id TEXT,
    at ${t.int} NOT NULL)`,
  `CREATE INDEX audit_entries_by_organization ON audit_entries (organization_id, id)`,
  `CREATE INDEX audit_entries_by_workspace ON audit_entries (workspace_id, id) WHERE workspace_id IS NOT NULL`,
  `CREATE INDEX audit_entries_by_actor ON audit_entries (actor_id, id) WHERE actor_id IS NOT NULL`,
  `CREATE INDEX audit_entries_by_action ON audit_entries (organization_id, action, id)`,
  `CREATE INDEX audit_entries_by_target ON audit_entries (target_id, id) WHERE target_id IS NOT NULL`,
];

const RETENTION = (t: Spelling): string[] => [
  // Days that a message's content is kept; null: as the appliance is configured. 0: for ever.
  `ALTER TABLE workspaces ADD COLUMN retention_days ${t.int}`,
  `ALTER TABLE workspaces ADD COLUMN retention_mode TEXT`,
  // Progress of retention in an environment's messages, and the mode that it used.
  `CREATE TABLE retention_cursors (
    environment_id ${t.intKey}, done_up_to ${t.int} NOT NULL, mode TEXT NOT NULL)`,
  // Messages behind the cursor that are to be looked at again.
  `CREATE TABLE retention_left (
    message_id ${t.intKey}, environment_id ${t.int} NOT NULL, due_at ${t.int} NOT NULL)`,
  `CREATE INDEX retention_left_due ON retention_left (environment_id, due_at)`,
  // When its content and its persons were taken off; a copy of the content stays for as long as one of its messages is not.
  `ALTER TABLE messages ADD COLUMN redacted_at ${t.int}`,
  `ALTER TABLE campaigns ADD COLUMN redacted_at ${t.int}`,
  // More than one message has it (to, cc, bcc).
  `ALTER TABLE contents ADD COLUMN is_shared ${t.int} NOT NULL DEFAULT 0`,
  `UPDATE contents SET is_shared = 1
    WHERE id IN (SELECT content_id FROM messages GROUP BY content_id HAVING COUNT(*) > 1)`,
  // Final statuses of a campaign's deleted messages.
  `CREATE TABLE deleted_messages (
    campaign_id TEXT NOT NULL, status TEXT NOT NULL, messages ${t.int} NOT NULL, PRIMARY KEY (campaign_id, status))`,
  `CREATE INDEX attempts_by_age ON attempts (at)`,
  `CREATE INDEX smtp_sessions_by_age ON smtp_sessions (at)`,
  `CREATE INDEX delivery_reports_ended ON delivery_reports (at) WHERE due_at IS NULL`,
];

export async function up(db: Kysely<unknown>, spelling: Spelling): Promise<void> {
  const parts = [STANDINGS, DOMAINS, KEYS, WEBHOOKS, PEOPLE, ACCOUNTS, RETENTION];
  for (const statement of parts.flatMap((part) => part(spelling))) await sql.raw(statement).execute(db);
}
