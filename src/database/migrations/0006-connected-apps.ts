// Tables and indexes of src/accounts/oauth.
import type { Spelling } from '../engine/engine.js';

export const connectedAppsSchema = (t: Spelling): string[] => [
  `CREATE TABLE oauth_clients (
    id TEXT PRIMARY KEY, name TEXT, redirect_uris TEXT NOT NULL, network TEXT NOT NULL, expires_at ${t.int} NOT NULL,
    created_at ${t.int} NOT NULL)`,
  `CREATE INDEX oauth_clients_by_network ON oauth_clients (network)`,
  `CREATE INDEX oauth_clients_by_expiry ON oauth_clients (expires_at)`,
  `CREATE TABLE oauth_codes (
    code_hash ${t.blob} PRIMARY KEY, client_id TEXT NOT NULL, client_name TEXT NOT NULL, redirect_uri TEXT NOT NULL,
    code_challenge TEXT NOT NULL, user_id TEXT NOT NULL, workspace_id TEXT NOT NULL, mode TEXT NOT NULL,
    permission TEXT NOT NULL, policy TEXT, api_key_id TEXT, expires_at ${t.int} NOT NULL, created_at ${t.int} NOT NULL)`,
  `CREATE INDEX oauth_codes_by_expiry ON oauth_codes (expires_at)`,
  `CREATE TABLE oauth_tokens (
    token_hash ${t.blob} PRIMARY KEY, kind TEXT NOT NULL, api_key_id TEXT NOT NULL, client_id TEXT NOT NULL,
    is_used ${t.int} NOT NULL, expires_at ${t.int} NOT NULL, created_at ${t.int} NOT NULL)`,
  `CREATE INDEX oauth_tokens_by_key ON oauth_tokens (api_key_id)`,
  `CREATE INDEX oauth_tokens_by_expiry ON oauth_tokens (expires_at)`,
];
