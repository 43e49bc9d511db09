// The organization's row as /v1 shows it.
import type { OrganizationWire } from './organization.schema.js';
import type { Organization } from './accounts.store.js';
import { untrackedTypes } from '../tracking/tracking-default.rules.js';
import { iso } from '../contract/time.js';

export function presentOrganization(
  row: Organization,
  branding: OrganizationWire['branding'],
): OrganizationWire {
  return {
    id: row.id,
    object: 'organization',
    name: row.name,
    postal_address: row.postal_address,
    unsubscribe_blocks: row.unsubscribe_blocks,
    track_opens: row.track_opens === 1,
    track_clicks: row.track_clicks === 1,
    untracked_types: untrackedTypes(row),
    branding,
    plan: row.plan,
    created_at: iso(row.created_at),
    updated_at: iso(row.updated_at),
  };
}
