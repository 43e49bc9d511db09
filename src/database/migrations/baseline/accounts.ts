// Tables and indexes of src/accounts.
import type { Spelling } from '../../engine/engine.js';

export const accountsSchema = (t: Spelling): string[] => [
  `CREATE TABLE organizations (
    id TEXT PRIMARY KEY, name TEXT NOT NULL, postal_address TEXT, plan TEXT NOT NULL,
    unsubscribe_blocks TEXT NOT NULL, track_opens ${t.int} NOT NULL, track_clicks ${t.int} NOT NULL,
    created_at ${t.int} NOT NULL, updated_at ${t.int} NOT NULL, untracked_types TEXT,
    reply_to_policy TEXT NOT NULL DEFAULT 'verified')`,

  `CREATE TABLE workspaces (
    id TEXT PRIMARY KEY, number ${t.int} NOT NULL UNIQUE, organization_id TEXT NOT NULL REFERENCES organizations (id),
    name TEXT NOT NULL, created_at ${t.int} NOT NULL, updated_at ${t.int}, retention_days ${t.int},
    retention_mode TEXT)`,

  `CREATE TABLE environments (
    id ${t.id}, workspace_id TEXT NOT NULL REFERENCES workspaces (id), mode TEXT NOT NULL, UNIQUE (workspace_id, mode))`,

  `CREATE TABLE marks (
    name TEXT PRIMARY KEY, value ${t.blob}, created_at ${t.int} NOT NULL)`,

  `CREATE TABLE api_keys (
    id TEXT PRIMARY KEY, environment_id ${t.int} NOT NULL REFERENCES environments (id), sub_tenant_id TEXT,
    name TEXT NOT NULL, permission TEXT NOT NULL, secret_hash ${t.blob} NOT NULL UNIQUE, key_prefix TEXT NOT NULL,
    allowed_ips TEXT, expires_at ${t.int}, revoked_at ${t.int}, created_at ${t.int} NOT NULL, replaced_by TEXT,
    last_used_at ${t.int}, api_version TEXT, made_by TEXT)`,
  `CREATE INDEX api_keys_by_environment ON api_keys (environment_id, id)`,
  `CREATE INDEX api_keys_by_maker ON api_keys (made_by, id) WHERE made_by IS NOT NULL`,

  `CREATE TABLE usage (
    environment_id ${t.int} NOT NULL, day ${t.int} NOT NULL, type TEXT NOT NULL, sends ${t.int} NOT NULL,
    PRIMARY KEY (environment_id, day, type))`,

  `CREATE TABLE users (
    id TEXT PRIMARY KEY, email TEXT NOT NULL, email_key TEXT NOT NULL UNIQUE, name TEXT, password_hash TEXT NOT NULL,
    totp_sealed TEXT, totp_confirmed_at ${t.int}, totp_last_step ${t.int}, recovery_codes TEXT NOT NULL,
    failures ${t.int} NOT NULL, locked_until ${t.int}, password_changed_at ${t.int} NOT NULL,
    created_at ${t.int} NOT NULL, updated_at ${t.int} NOT NULL)`,

  `CREATE TABLE members (
    organization_id TEXT NOT NULL REFERENCES organizations (id), user_id TEXT NOT NULL REFERENCES users (id),
    role TEXT NOT NULL, created_at ${t.int} NOT NULL, updated_at ${t.int} NOT NULL,
    PRIMARY KEY (organization_id, user_id))`,
  `CREATE INDEX members_by_user ON members (user_id)`,

  `CREATE TABLE invitations (
    id TEXT PRIMARY KEY, organization_id TEXT NOT NULL REFERENCES organizations (id), email TEXT NOT NULL,
    email_key TEXT NOT NULL, role TEXT NOT NULL, token_hash ${t.blob} NOT NULL UNIQUE, invited_by TEXT NOT NULL,
    expires_at ${t.int} NOT NULL, accepted_at ${t.int}, revoked_at ${t.int}, created_at ${t.int} NOT NULL)`,
  `CREATE INDEX invitations_by_organization ON invitations (organization_id, id)`,
  `CREATE UNIQUE INDEX invitations_open ON invitations (organization_id, email_key)
    WHERE accepted_at IS NULL AND revoked_at IS NULL`,

  `CREATE TABLE sessions (
    id TEXT PRIMARY KEY, user_id TEXT NOT NULL REFERENCES users (id), token_hash ${t.blob} NOT NULL UNIQUE, ip TEXT,
    user_agent TEXT, last_used_at ${t.int} NOT NULL, expires_at ${t.int} NOT NULL, created_at ${t.int} NOT NULL)`,
  `CREATE INDEX sessions_by_user ON sessions (user_id, id)`,
  `CREATE INDEX sessions_by_expiry ON sessions (expires_at)`,

  `CREATE TABLE password_resets (
    token_hash ${t.blob} PRIMARY KEY, user_id TEXT NOT NULL REFERENCES users (id), expires_at ${t.int} NOT NULL,
    created_at ${t.int} NOT NULL)`,

  `CREATE TABLE audit_entries (
    id TEXT PRIMARY KEY, organization_id TEXT NOT NULL, workspace_id TEXT, sub_tenant_id TEXT, mode TEXT,
    actor_kind TEXT NOT NULL, actor_id TEXT, action TEXT NOT NULL, target_id TEXT, detail TEXT NOT NULL, ip TEXT,
    request_id TEXT, at ${t.int} NOT NULL)`,
  `CREATE INDEX audit_entries_by_organization ON audit_entries (organization_id, id)`,
  `CREATE INDEX audit_entries_by_workspace ON audit_entries (workspace_id, id) WHERE workspace_id IS NOT NULL`,
  `CREATE INDEX audit_entries_by_actor ON audit_entries (actor_id, id) WHERE actor_id IS NOT NULL`,
  `CREATE INDEX audit_entries_by_action ON audit_entries (organization_id, action, id)`,
  `CREATE INDEX audit_entries_by_target ON audit_entries (target_id, id) WHERE target_id IS NOT NULL`,

  `CREATE TABLE unsolicited_mail (
    subject ${t.blob} NOT NULL, window_start ${t.int} NOT NULL, mails ${t.int} NOT NULL, expires_at ${t.int} NOT NULL,
    PRIMARY KEY (subject, window_start))`,
  `CREATE INDEX stranger_mail_expired ON "unsolicited_mail" (expires_at)`,

  `CREATE TABLE known_places (
    user_id TEXT NOT NULL, place ${t.blob} NOT NULL, failures ${t.int} NOT NULL, locked_until ${t.int},
    expires_at ${t.int} NOT NULL, created_at ${t.int} NOT NULL, PRIMARY KEY (user_id, place))`,
  `CREATE INDEX known_places_expired ON known_places (expires_at)`,

  `CREATE TABLE request_log (
    id TEXT PRIMARY KEY, environment_id ${t.int} NOT NULL, sub_tenant_id TEXT, actor_kind TEXT NOT NULL,
    actor_id TEXT NOT NULL, operation TEXT NOT NULL, method TEXT NOT NULL, path TEXT NOT NULL,
    status ${t.int} NOT NULL, code TEXT, param TEXT, duration_ms ${t.int} NOT NULL, request_id TEXT NOT NULL,
    query TEXT, body TEXT, at ${t.int} NOT NULL)`,
  `CREATE INDEX request_log_by_environment ON request_log (environment_id, id)`,

  `CREATE TABLE api_key_days (
    api_key_id TEXT NOT NULL, day ${t.int} NOT NULL, messages ${t.int} NOT NULL, PRIMARY KEY (api_key_id, day)) ${t.clustered}`,
  `CREATE INDEX api_key_days_by_day ON api_key_days (day)`,

  `CREATE TABLE device_sign_ins (
    device_hash ${t.blob} PRIMARY KEY, user_code TEXT NOT NULL UNIQUE, client_name TEXT NOT NULL, ip TEXT,
    status TEXT NOT NULL, user_id TEXT, workspace_id TEXT, mode TEXT NOT NULL, permission TEXT, key_name TEXT,
    expires_at ${t.int} NOT NULL, created_at ${t.int} NOT NULL, network TEXT)`,
  `CREATE INDEX device_sign_ins_by_expiry ON device_sign_ins (expires_at)`,
];
