// Content for one recipient of a campaign, which overrides the template and every variant.
import type { CampaignContext } from './context.js';
import { Refusal } from '../contract/refusal.js';
import type { Change } from '../database/change.js';
import { remove, update, upsert } from '../database/rows.js';
import type { Scope } from '../database/scope.js';
import { type Campaign, type CampaignOverride, campaignOverrides, campaigns } from './campaigns.tables.js';
import { checkSources } from './columns.js';
import { findInAudience } from './prepare/preview.js';
import { statesThatAllow } from './state.rules.js';

/** Content for one recipient, with the address and its key. */
interface GivenOverride {
  email: string;
  key: string;
  words: Pick<CampaignOverride, 'subject' | 'html'>;
}

/**
 * Creates or replaces the override of a recipient. Refuses with `template_invalid`, `recipient_not_in_audience` or
 * `campaign_already_sent`.
 */
export async function putOverride(
  context: CampaignContext,
  scope: Scope,
  row: Campaign,
  { email, key, words }: GivenOverride,
): Promise<CampaignOverride> {
  const { store, renderer, clock } = context;
  await checkSources(renderer, scope, words);
  if (!(await findInAudience(context, scope, row, key))) {
    throw new Refusal('recipient_not_in_audience', undefined, { param: 'email' });
  }
  const now = clock();
  const [known] = await store.campaigns.overrides(row.id, [key]);
  const set = { email, ...words, updated_at: now };
  const override: CampaignOverride = {
    campaign_id: row.id,
    email_key: key,
    created_at: known?.created_at ?? now,
    ...set,
  };
  await store.commit([
    whileEditable(row.id, now),
    upsert(campaignOverrides, { row: override, key: ['campaign_id', 'email_key'], set }),
  ]);
  return override;
}

/** Refuses with `not_found` if the recipient has no override, and with `campaign_already_sent`. */
export async function deleteOverride(
  { store, clock }: CampaignContext,
  { id }: Pick<Campaign, 'id'>,
  key: string,
): Promise<void> {
  await store.commit([
    whileEditable(id, clock()),
    remove(campaignOverrides, {
      where: { campaign_id: id, email_key: key },
      otherwise: { code: 'not_found', message: 'This recipient does not have an edited copy.' },
    }),
  ]);
}

/** Returns the change that refuses a plan unless the campaign can still be edited. */
function whileEditable(campaignId: string, now: number): Change {
  return update(campaigns, {
    set: { updated_at: now },
    where: { id: campaignId, status: statesThatAllow('override'), deleted_at: null },
    otherwise: {
      code: 'campaign_already_sent',
      message: 'The campaign is being sent or has already been sent.',
    },
  });
}
