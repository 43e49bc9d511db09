// A new API key: its row and, once, its secret.
import type { KeyPermission, Mode } from '../../contract/names.js';
import { apiKeyPrefix, apiKeySecretHash, newApiKeySecret } from './api-key-secret.js';
import { newId } from '../../lib/runtime/ids.js';
import type { Insert } from '../../store/plan.js';
import type { ApiKey } from './api-keys.tables.js';

export interface NewApiKey {
  environmentId: number;
  mode: Mode;
  name: string;
  permission: KeyPermission;
  /** The sub-tenant that the key is pinned to. */
  subTenantId?: string | null;
  allowedIps?: readonly string[] | null;
  expiresAt?: number | null;
}

/** As much of a key's row as may be shown: not even the hash. */
export type ShownKey = Omit<ApiKey, 'secret_hash'> & { mode: Mode };

export interface MadeKey {
  row: ShownKey;
  /** Nowhere else: show it once. */
  secret: string;
}

export interface PlannedKey {
  id: string;
  /** Nowhere else: show it once. */
  secret: string;
  change: Insert;
  row: ApiKey;
}

/** The change that inserts the key. */
export function planApiKey(key: NewApiKey, now: number): PlannedKey {
  const id = newId('key', now);
  const secret = newApiKeySecret(key.mode);
  const allowedIps = key.allowedIps ?? null;
  const row: ApiKey = {
    id,
    environment_id: key.environmentId,
    sub_tenant_id: key.subTenantId ?? null,
    name: key.name,
    permission: key.permission,
    secret_hash: apiKeySecretHash(secret),
    key_prefix: apiKeyPrefix(secret),
    allowed_ips: allowedIps === null ? null : JSON.stringify(allowedIps),
    expires_at: key.expiresAt ?? null,
    revoked_at: null,
    replaced_by: null,
    api_version: null,
    last_used_at: null,
    created_at: now,
  };
  return { id, secret, row, change: { kind: 'insert', into: 'api_keys', row } };
}

export function shownKey(row: Omit<ApiKey, 'secret_hash'>, mode: Mode): ShownKey {
  return { ...row, mode };
}
