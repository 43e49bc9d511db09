// The organization's row as /v1 shows it.
import type { OrganizationWire } from '../../../contract/organization.js';
import type { Organization } from '../../../store/accounts.js';
import { untrackedTypes } from '../../../rules/tracking-default.js';
import { iso } from './time.js';

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
