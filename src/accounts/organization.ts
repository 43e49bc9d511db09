// Changes the settings and the branding of an organization.
import type { Static } from 'typebox';
import { changeTime } from '../contract/time.js';
import { type ChangeGuard, update } from '../database/rows.js';
import { type Organization, organizations } from './accounts.tables.js';
import { type BrandingChange, planBranding } from './branding/branding-plan.store.js';
import type { organizationPatch } from './organization.schema.js';
import type { AccountContext } from './context.js';

interface OrganizationChange {
  settings: Omit<Static<typeof organizationPatch>, 'branding'>;
  /** Null for no change. */
  branding: BrandingChange | null;
  guard: ChangeGuard;
}

export async function changeOrganization(
  { store, clock }: Pick<AccountContext, 'store' | 'clock'>,
  before: Organization,
  { settings, branding, guard }: OrganizationChange,
): Promise<void> {
  const { name, postal_address, unsubscribe_blocks, reply_to_policy } = settings;
  const { track_opens, track_clicks, untracked_types, two_person } = settings;
  const now = changeTime(before, clock());
  const set = {
    ...(name === undefined ? {} : { name }),
    ...(postal_address === undefined ? {} : { postal_address }),
    ...(unsubscribe_blocks === undefined ? {} : { unsubscribe_blocks }),
    ...(reply_to_policy === undefined ? {} : { reply_to_policy }),
    ...(two_person === undefined ? {} : { two_person: flag(two_person) }),
    ...(track_opens === undefined ? {} : { track_opens: flag(track_opens) }),
    ...(track_clicks === undefined ? {} : { track_clicks: flag(track_clicks) }),
    ...(untracked_types === undefined ? {} : { untracked_types: JSON.stringify(untracked_types) }),
  };
  await store.commit([
    update(organizations, {
      set: { ...set, updated_at: now },
      where: { id: before.id, ...guard.where },
      ...(guard.otherwise === undefined ? {} : { otherwise: guard.otherwise }),
    }),
    ...(branding === null ? [] : planBranding(before.id, branding, now)),
  ]);
}

function flag(value: boolean): 0 | 1 {
  return value ? 1 : 0;
}
