// Plans a new API key: its row, and its secret, which is available only once.
import type { KeyPermission, Mode } from '../../contract/names.js';
import type { SendPolicy } from '../../contract/send-policy.js';
import { apiKeyPrefix, apiKeySecretHash, newApiKeySecret } from './api-key-secret.js';
import { newId } from '../../lib/runtime/index.js';
import { ACCESS_TOKEN_PREFIX } from '../oauth/oauth-tokens.js';
import { type ApiKey, apiKeys } from './api-keys.tables.js';
import type { Change } from '../../database/change.js';
import { insert } from '../../database/rows.js';

export interface NewApiKey {
  environmentId: number;
  mode: Mode;
  name: string;
  permission: KeyPermission;
  /** The sub-tenant that the key is pinned to. */
  subTenantId?: string | null;
  allowedIps?: readonly string[] | null;
  expiresAt?: number | null;
  policy?: SendPolicy | null;
  /** Null for the operator. */
  maker?: KeyMaker | null;
  /** For a grant, whose secret is never issued. */
  oauthClientId?: string | null;
}

/** The owner of a key. */
export interface KeyMaker {
  id: string;
  email: string;
}

/** The columns of a key that may be shown, without its secrets. */
export type ShownKey = Omit<ApiKey, 'secret_hash' | 'ses_secret_sealed'> & {
  mode: Mode;
  made_by_email: string | null;
};

export interface MadeKey {
  row: ShownKey;
  /** Not stored, so show it once. */
  secret: string;
}

interface PlannedKey {
  id: string;
  /** Not stored, so show it once. */
  secret: string;
  change: Change;
  row: ApiKey;
  /** Without the hash. */
  shown: ShownKey;
}

/** The change that inserts the key. */
export function planApiKey(key: NewApiKey, now: number): PlannedKey {
  const id = newId('key', now);
  const secret = newApiKeySecret(key.mode);
  const allowedIps = key.allowedIps ?? null;
  const policy = key.policy ?? null;
  const oauthClientId = key.oauthClientId ?? null;
  const row: ApiKey = {
    id,
    environment_id: key.environmentId,
    sub_tenant_id: key.subTenantId ?? null,
    name: key.name,
    permission: key.permission,
    made_by: key.maker?.id ?? null,
    secret_hash: apiKeySecretHash(secret),
    key_prefix: oauthClientId === null ? apiKeyPrefix(secret) : ACCESS_TOKEN_PREFIX,
    allowed_ips: allowedIps === null ? null : JSON.stringify(allowedIps),
    expires_at: key.expiresAt ?? null,
    revoked_at: null,
    replaced_by: null,
    api_version: null,
    last_used_at: null,
    created_at: now,
    ses_secret_sealed: null,
    ses_credentials_at: null,
    policy: policy === null ? null : JSON.stringify(policy),
    counted_hour: null,
    hour_messages: 0,
    oauth_client_id: oauthClientId,
  };
  const shown = { ...row, mode: key.mode, made_by_email: key.maker?.email ?? null };
  return { id, secret, row, shown, change: insert(apiKeys, { row }) };
}
