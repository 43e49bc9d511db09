// A campaign with what has become of its messages, which is read beside its row.
import type { CampaignWire } from '../../contract/campaign.js';
import type { Mode } from '../../contract/names.js';
import type { Campaign } from '../../store/campaigns.js';
import type { Store } from '../../store/store.js';
import { presentCampaign } from './present/campaign.js';

/** `inDoubt`: counted by the caller, for many at once. */
export type ShowCampaign = (scope: { mode: Mode }, row: Campaign, inDoubt?: number) => Promise<CampaignWire>;

export function createCampaignView(store: Pick<Store, 'lists' | 'statistics' | 'messages'>): ShowCampaign {
  return async ({ mode }, row, inDoubt) => {
    const [list, byVariant, doubts] = await Promise.all([
      store.lists.listFor(row),
      row.started_at === null ? null : store.statistics.sourceStats(row.id),
      inDoubt ?? store.messages.countInDoubt('campaign_id', [row.id]).then((found) => found.get(row.id) ?? 0),
    ]);
    const counted = new Map<string, number>();
    for (const sums of byVariant?.values() ?? []) {
      for (const [measure, n] of Object.entries(sums)) counted.set(measure, (counted.get(measure) ?? 0) + n);
    }
    return presentCampaign(row, { listId: list?.id ?? null, counted, inDoubt: doubts, mode });
  };
}
