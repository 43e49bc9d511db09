// Takes the audience snapshot of a starting campaign, one slice per commit, so that no change of the list
// later changes who it goes to, and a crash goes on where it was.
import type { CampaignContext } from '../context.js';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { readCampaignSources, variantByTag, type CampaignSources } from '../copy.rules.js';
import { splitGroup } from '../split.rules.js';
import type { ContactList } from '../../contacts/lists/lists.tables.js';
import type { Campaign } from '../campaigns.tables.js';
import type { Contact } from '../../contacts/contacts.tables.js';

/** Contacts of one commit (25 ms). */
const SLICE = 1_000;
const SLICES_PER_TURN = 10;

/** Stores some slices of the audience. Returns whether it is complete. */
export async function takeAudienceSnapshot(
  { store, clock }: CampaignContext,
  campaign: Campaign,
  list: ContactList,
): Promise<boolean> {
  const sources = readCampaignSources(campaign);
  let upTo = campaign.frozen_up_to;
  for (let turn = 0; turn < SLICES_PER_TURN; turn++) {
    const contacts = await store.lists.audienceSlice({
      list,
      segmentTag: campaign.segment_tag,
      afterNumber: upTo,
      limit: SLICE,
    });
    const now = clock();
    const isLast = contacts.length < SLICE;
    const next = contacts.at(-1)?.number ?? upTo;
    const rows = contacts.map((contact) => recipientOf(campaign.id, sources, contact));
    const progress = { upTo: next, snapshotAt: isLast ? now : null, now };
    if (!(await store.campaigns.addToSnapshot({ id: campaign.id, frozen_up_to: upTo }, rows, progress)))
      return false;
    if (isLast) return true;
    upTo = next;
    await nextTurn();
  }
  return false;
}

function recipientOf(campaignId: string, sources: CampaignSources, contact: Contact) {
  return {
    campaign_id: campaignId,
    contact_number: contact.number,
    email: contact.email,
    email_key: contact.email_key,
    state: waitsForWinner(campaignId, sources, contact) ? ('held' as const) : ('waiting' as const),
  };
}

/** Recipients with a variant of their own take no part in the split. Of the others, the ones outside its first part wait. */
function waitsForWinner(campaignId: string, { variants, split }: CampaignSources, contact: Contact): boolean {
  if (split === null || splitGroup(split, campaignId, contact.number) !== null) return false;
  return variantByTag(variants, JSON.parse(contact.tags) as string[]) === null;
}
