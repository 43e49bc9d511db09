// A suppression's row as /v1 shows it.
import type { SuppressionWire } from './suppression.schema.js';
import type { Suppression } from './suppressions.store.js';
import { iso } from '../contract/time.js';

export function presentSuppression(row: Suppression): SuppressionWire {
  return {
    id: row.id,
    object: 'suppression',
    email: row.email,
    reason: row.reason,
    sub_tenant_id: row.sub_tenant_key === '' ? null : row.sub_tenant_key,
    message_id: row.message_public_id,
    created_at: iso(row.created_at),
  };
}
