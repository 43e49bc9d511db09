// A new API key: its row and, once, its secret.
import type { KeyPermission, Mode } from '../../contract/names.js';
import { apiKeyHint, apiKeySecretHash, newApiKeySecret } from '../../runtime/api-key-secret.js';
import { newId } from '../../runtime/ids.js';
import type { Insert } from '../../store/plan.js';

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

/** The change that inserts the key. `secret` is nowhere else: show it once. */
export function planApiKey(key: NewApiKey, now: number): { id: string; secret: string; change: Insert } {
  const id = newId('key', now);
  const secret = newApiKeySecret(key.mode);
  const allowedIps = key.allowedIps ?? null;
  const change: Insert = {
    kind: 'insert',
    into: 'api_keys',
    row: {
      id,
      environment_id: key.environmentId,
      sub_tenant_id: key.subTenantId ?? null,
      name: key.name,
      permission: key.permission,
      secret_hash: apiKeySecretHash(secret),
      hint: apiKeyHint(secret),
      allowed_ips: allowedIps === null ? null : JSON.stringify(allowedIps),
      expires_at: key.expiresAt ?? null,
      revoked_at: null,
      created_at: now,
    },
  };
  return { id, secret, change };
}
