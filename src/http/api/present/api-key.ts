// An API key's row as /v1 shows it; never its hash.
import type { ApiKeyWire } from '../../../contract/api-key.js';
import type { Mode } from '../../../contract/names.js';
import type { ApiKey } from '../../../store/accounts.js';
import { iso, isoOrNull } from './time.js';

export function presentApiKey(row: Omit<ApiKey, 'secret_hash'> & { mode: Mode }): ApiKeyWire {
  return {
    id: row.id,
    object: 'api_key',
    name: row.name,
    permission: row.permission,
    mode: row.mode,
    sub_tenant_id: row.sub_tenant_id,
    hint: row.hint,
    allowed_ips: row.allowed_ips === null ? null : (JSON.parse(row.allowed_ips) as string[]),
    expires_at: isoOrNull(row.expires_at),
    created_at: iso(row.created_at),
  };
}
