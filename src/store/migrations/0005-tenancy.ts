// Tenants that are watched, keys that rotate, webhooks that are replayed, people who sign in, content that is not kept for ever.
import type { Kysely } from 'kysely';
import { sql } from 'kysely';
import type { Spelling } from '../engine/engine.js';

const STANDINGS = (t: Spelling): string[] => [
  // How a sub-tenant stands in one environment. No row: nothing was ever held against it.
  `CREATE TABLE tenant_standings (
    environment_id ${t.int} NOT NULL, sub_tenant_id TEXT NOT NULL, state TEXT NOT NULL, changed_at ${t.int},
    paused_at ${t.int}, pause_cause TEXT, sent ${t.int} NOT NULL, delivered ${t.int} NOT NULL, bounced ${t.int} NOT NULL,
    complained ${t.int} NOT NULL, scored_at ${t.int}, PRIMARY KEY (environment_id, sub_tenant_id))`,
  // One narrow row per tenant and hour, so that a week of all of them is summed in one pass.
  `CREATE TABLE tenant_hours (
    environment_id ${t.int} NOT NULL, sub_tenant_id TEXT NOT NULL, hour ${t.int} NOT NULL, sent ${t.int} NOT NULL,
    delivered ${t.int} NOT NULL, bounced ${t.int} NOT NULL, complained ${t.int} NOT NULL,
    PRIMARY KEY (environment_id, sub_tenant_id, hour))`,
  `CREATE INDEX tenant_hours_by_hour ON tenant_hours (hour)`,
  `INSERT INTO tenant_standings (environment_id, sub_tenant_id, state, paused_at, pause_cause, sent, delivered, bounced, complained)
    SELECT e.id, s.id, 'ok', s.updated_at, 'requested', 0, 0, 0, 0 FROM sub_tenants s
    JOIN environments e ON e.workspace_id = s.workspace_id AND e.mode = 'live' WHERE s.status = 'paused'`,
  `UPDATE sub_tenants SET status = CASE WHEN verified_at IS NULL THEN 'pending_verification' ELSE 'verified' END
    WHERE status = 'paused'`,
];

const DOMAINS = (t: Spelling): string[] => [
  `ALTER TABLE sub_tenants ADD COLUMN next_check_at ${t.int}`,
  `ALTER TABLE sub_tenants ADD COLUMN drifting_since ${t.int}`,
  // How its DKIM keys come into DNS: txt (the customer publishes each), cname (once), zone (we answer for the domain).
  `ALTER TABLE sub_tenants ADD COLUMN dkim_mode TEXT NOT NULL DEFAULT 'txt'`,
  `ALTER TABLE sub_tenants ADD COLUMN return_path_domain TEXT`,
  `ALTER TABLE sub_tenants ADD COLUMN inbound_domain TEXT`,
  `ALTER TABLE sub_tenants ADD COLUMN tracking_domain TEXT`,
  `ALTER TABLE senders ADD COLUMN next_check_at ${t.int}`,
  `ALTER TABLE senders ADD COLUMN drifting_since ${t.int}`,
  `CREATE INDEX sub_tenants_to_check ON sub_tenants (next_check_at) WHERE deleted_at IS NULL`,
  `CREATE INDEX senders_to_check ON senders (next_check_at) WHERE deleted_at IS NULL`,
];

const KEYS = (t: Spelling): string[] => [
  // Which of the two names of its algorithm a key has, where the names are fixed (cname, zone); null elsewhere.
  `ALTER TABLE dkim_keys ADD COLUMN slot ${t.int}`,
  `ALTER TABLE dkim_keys ADD COLUMN published_at ${t.int}`,
  `ALTER TABLE dkim_keys ADD COLUMN activated_at ${t.int}`,
  `ALTER TABLE dkim_keys ADD COLUMN retiring_at ${t.int}`,
  `ALTER TABLE dkim_keys ADD COLUMN revoked_at ${t.int}`,
  `UPDATE dkim_keys SET published_at = created_at, activated_at = created_at WHERE state = 'active'`,
];

const WEBHOOKS = (t: Spelling): string[] => [
  `ALTER TABLE webhook_endpoints ADD COLUMN previous_secret_sealed TEXT`,
  `ALTER TABLE webhook_endpoints ADD COLUMN previous_secret_until ${t.int}`,
  // The delivery that this one repeats.
  `ALTER TABLE webhook_deliveries ADD COLUMN replay_of TEXT`,
  // What was posted is the payload; these are the headers that went with it, as JSON, and where to.
  `ALTER TABLE webhook_attempts ADD COLUMN url TEXT`,
  `ALTER TABLE webhook_attempts ADD COLUMN request_headers TEXT`,
  `ALTER TABLE webhook_attempts ADD COLUMN response_headers TEXT`,
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
  `ALTER TABLE workspaces ADD COLUMN updated_at ${t.int}`,
  // Who changed what: written in the transaction of the change.
  `CREATE TABLE audit_entries (
    id TEXT PRIMARY KEY, organization_id TEXT NOT NULL, workspace_id TEXT, sub_tenant_id TEXT, actor_kind TEXT NOT NULL,
    actor_id TEXT, action TEXT NOT NULL, target_id TEXT, detail TEXT NOT NULL, ip TEXT, request_id TEXT,
    at ${t.int} NOT NULL)`,
  `CREATE INDEX audit_entries_by_organization ON audit_entries (organization_id, id)`,
  `CREATE INDEX audit_entries_by_workspace ON audit_entries (workspace_id, id) WHERE workspace_id IS NOT NULL`,
  `CREATE INDEX audit_entries_by_target ON audit_entries (target_id, id) WHERE target_id IS NOT NULL`,
];

const RETENTION = (t: Spelling): string[] => [
  // Days that a message's content is kept; null: as the appliance is configured. 0: for ever.
  `ALTER TABLE workspaces ADD COLUMN retention_days ${t.int}`,
  `ALTER TABLE workspaces ADD COLUMN retention_mode TEXT`,
  // How far into an environment's messages retention has come.
  `CREATE TABLE retention_cursors (
    environment_id ${t.intKey}, done_up_to ${t.int} NOT NULL)`,
];

export async function up(db: Kysely<unknown>, spelling: Spelling): Promise<void> {
  const parts = [STANDINGS, DOMAINS, KEYS, WEBHOOKS, PEOPLE, ACCOUNTS, RETENTION];
  for (const statement of parts.flatMap((part) => part(spelling))) await sql.raw(statement).execute(db);
}
