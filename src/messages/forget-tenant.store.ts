// Removes the inboxes and drafts of a sub-tenant with it.
import type { Change } from '../database/change.js';
import { remove } from '../database/rows.js';
import { drafts } from './drafts/drafts.tables.js';
import { inboxForwards } from './inboxes/forwards.tables.js';
import { inboxes } from './inboxes/inboxes.tables.js';

/** Its messages and threads stay until the sub-tenant's data is deleted. */
export function forgetInboxesAndDrafts(subTenantId: string): Change[] {
  const where = { sub_tenant_id: subTenantId };
  return [remove(inboxForwards, { where }), remove(inboxes, { where }), remove(drafts, { where })];
}
