// Removes the inboxes of a sub-tenant with it.
import type { Change } from '../../database/change.js';
import { remove } from '../../database/rows.js';
import { inboxes } from './inboxes.tables.js';

/** Their messages and threads stay until the sub-tenant's data is deleted. */
export function forgetInboxes(subTenantId: string): Change[] {
  return [remove(inboxes, { where: { sub_tenant_id: subTenantId } })];
}
