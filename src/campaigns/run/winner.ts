// The rest of a split campaign gets the copy that did best with the first part.
import type { CampaignContext } from '../context.js';
import { readCampaignSources } from '../copy.rules.js';
import { splitWinner } from '../split.rules.js';
import type { PlacedCampaign } from '../campaigns.store.js';
import { isStale } from './batch.js';
import { campaigns } from '../campaigns.tables.js';
import { update } from '../../database/rows.js';

const MINUTE_MS = 60_000;
/** Recipients of one commit. */
const SLICE = 2_000;

/** Returns whether the waiting recipients were released. */
export async function chooseWinner(
  { store, clock, log }: CampaignContext,
  campaign: PlacedCampaign,
): Promise<boolean> {
  const { id, winner } = campaign;
  const { split } = readCampaignSources(campaign);
  const now = clock();
  /** Returns false if the campaign was stopped meanwhile. */
  async function change(set: { fanned_out_at: number } | { winner: string }): Promise<boolean> {
    try {
      await store.commit([
        update(campaigns, {
          set: { ...set, updated_at: now },
          where: { id, status: 'sending' },
          otherwise: { code: 'conflict' },
        }),
      ]);
      return true;
    } catch (error) {
      if (isStale(error)) return false;
      throw error;
    }
  }
  if (split !== null && winner === null) {
    if (campaign.fanned_out_at === null) {
      await change({ fanned_out_at: now });
      return false;
    }
    if (now < campaign.fanned_out_at + split.wait_minutes * MINUTE_MS) return false;
    const chosen = splitWinner(split, await store.statistics.sourceStats(id));
    // The winner must be stored before its copies are created.
    if (!(await change({ winner: chosen }))) return false;
    log.info({ campaign_id: id, winner: chosen }, 'campaign winner selected');
  }
  while ((await store.campaigns.release(id, SLICE)) === SLICE);
  return true;
}
