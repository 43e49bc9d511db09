// Compares the paused campaigns of a restored backup with the delivery log. Recipients whose mail was delivered after the backup
// are skipped, so that resuming does not send it again. The comparison can be repeated, and does not change campaigns that were
// resumed.
import type { CampaignStatus } from '../contract/names.js';
import type { Clock } from '../lib/runtime/index.js';
import type { CampaignEvidence } from '../outbound/outcome/evidence.rules.js';
import type { RecipientHash } from '../outbound/outcome/recipient-hash.rules.js';
import type { CampaignStores } from './stores.js';
import type { Campaign } from './campaigns.tables.js';

const SLICE = 500;

interface RestoredCampaignDeps {
  store: Pick<CampaignStores, 'restoredCampaigns' | 'lists'>;
  hashOf: RecipientHash;
  clock: Clock;
}

export interface RestoredCampaign {
  id: string;
  name: string;
  status: CampaignStatus;
  /** Recipients without a message who still wait for one. */
  waiting: number;
  /** Recipients who are skipped because the log shows a delivery. */
  skipped: number;
  /** Waiting recipients who may have had the message: all of them if the log is incomplete. */
  may_get_it_twice: number;
  /** People in the log who cannot be skipped, because the audience lacks them or the campaign has not started. */
  not_found: number;
}

/** Writes nothing unless `isFinal` is set. */
export async function compareRestored(
  deps: RestoredCampaignDeps,
  evidence: CampaignEvidence,
  { isFinal }: { isFinal: boolean },
): Promise<RestoredCampaign[]> {
  const compared: RestoredCampaign[] = [];
  for (const campaign of await deps.store.restoredCampaigns.campaigns([...evidence.reached.keys()])) {
    compared.push(await compareOne(deps, campaign, evidence, isFinal));
  }
  return compared;
}

async function compareOne(
  deps: RestoredCampaignDeps,
  campaign: Campaign,
  { reached, isWhole }: CampaignEvidence,
  isFinal: boolean,
): Promise<RestoredCampaign> {
  const { id, name } = campaign;
  const left = new Set(reached.get(id));
  const found = { waiting: 0, skipped: 0 };
  await skipRecipients(deps, { id, left, found, isFinal });
  if (campaign.status === 'paused' && campaign.frozen_at === null) {
    await skipAudience(deps, { campaign, left, found, isFinal });
  }
  return {
    ...{ id, name, status: campaign.status, ...found },
    may_get_it_twice: isWhole ? 0 : found.waiting,
    not_found: left.size,
  };
}

interface Comparing {
  /** Hashes in the log whose recipients have not been found yet. */
  left: Set<string>;
  found: { waiting: number; skipped: number };
  isFinal: boolean;
}

/** Skips recipients in the backup's audience snapshot. */
async function skipRecipients(
  { store, hashOf, clock }: RestoredCampaignDeps,
  { id, left, found, isFinal }: Comparing & { id: string },
): Promise<void> {
  for (let after = 0; ;) {
    const recipients = await store.restoredCampaigns.recipients(id, after, SLICE);
    const reached = recipients.filter(({ email_key }) => left.delete(hashOf(id, email_key)));
    const waits = ({ state }: { state: string }): boolean => state === 'waiting' || state === 'held';
    const skipped = reached.filter(waits).map(({ contact_number }) => contact_number);
    found.skipped += skipped.length;
    found.waiting += recipients.filter(waits).length - skipped.length;
    if (isFinal && skipped.length > 0) await store.restoredCampaigns.skip(id, skipped, clock());
    if (recipients.length < SLICE) return;
    after = recipients.at(-1)?.contact_number ?? after;
  }
}

/** Skips people whom the audience snapshot had not reached when the backup was made. */
async function skipAudience(
  { store, hashOf, clock }: RestoredCampaignDeps,
  { campaign, left, found, isFinal }: Comparing & { campaign: Campaign },
): Promise<void> {
  const list = await store.lists.listFor(campaign);
  if (list === null) return;
  for (let afterNumber = campaign.frozen_up_to; ;) {
    const audience = { list, segmentTag: campaign.segment_tag, afterNumber, limit: SLICE };
    const contacts = await store.lists.audienceSlice(audience);
    const reached = contacts.filter(({ email_key }) => left.delete(hashOf(campaign.id, email_key)));
    found.skipped += reached.length;
    found.waiting += contacts.length - reached.length;
    const people = reached.map(({ number, email, email_key }) => ({
      contact_number: number,
      email,
      email_key,
    }));
    if (isFinal && people.length > 0) {
      await store.restoredCampaigns.addSkipped(campaign.id, people, clock());
    }
    if (contacts.length < SLICE) return;
    afterNumber = contacts.at(-1)?.number ?? afterNumber;
  }
}
