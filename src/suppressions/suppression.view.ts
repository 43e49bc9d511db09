// A suppression's row as /v1 shows it.
import { wireOf } from '../contract/codec.js';
import { suppression } from './suppression.schema.js';
import type { Suppression } from './suppressions.tables.js';

export const presentSuppression = wireOf(suppression).from<Suppression>({
  sub_tenant_id: (row) => row.sub_tenant_key || null,
  message_id: 'message_public_id',
});
