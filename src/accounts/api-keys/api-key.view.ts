// An API key's row as /v1 shows it; never its hash.
import type { ApiKeyWire } from './api-key.schema.js';
import type { ShownKey } from './api-key-plan.js';
import { iso, isoOrNull } from '../../contract/time.js';

export function presentApiKey(row: ShownKey): ApiKeyWire {
  return {
    id: row.id,
    object: 'api_key',
    name: row.name,
    permission: row.permission,
    mode: row.mode,
    sub_tenant_id: row.sub_tenant_id,
    key_prefix: row.key_prefix,
    allowed_ips: row.allowed_ips === null ? null : (JSON.parse(row.allowed_ips) as string[]),
    expires_at: isoOrNull(row.expires_at),
    replaced_by: row.replaced_by,
    last_used_at: isoOrNull(row.last_used_at),
    created_at: iso(row.created_at),
  };
}
