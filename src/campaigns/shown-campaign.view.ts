// A campaign with what has become of its messages, which is read beside its row.
import type { CampaignWire } from './campaign.schema.js';
import type { Mode } from '../contract/names.js';
import type { Campaign } from './campaigns.store.js';
import type { Store } from '../store/store.js';
import { presentCampaign } from './campaign.view.js';

/** `inDoubt`: counted by the caller, for many at once. */
export type ShowCampaign = (scope: { mode: Mode }, row: Campaign, inDoubt?: number) => Promise<CampaignWire>;

/** By measure, of all variants together. */
export async function countedOf(
  store: Pick<Store, 'statistics'>,
  row: Campaign,
): Promise<ReadonlyMap<string, number>> {
  const sums = new Map<string, number>();
  const byVariant = row.started_at === null ? null : await store.statistics.sourceStats(row.id);
  for (const ofVariant of byVariant?.values() ?? []) {
    for (const [measure, n] of Object.entries(ofVariant)) sums.set(measure, (sums.get(measure) ?? 0) + n);
  }
  return sums;
}

export function createCampaignView(store: Pick<Store, 'lists' | 'statistics' | 'messages'>): ShowCampaign {
  return async ({ mode }, row, inDoubt) => {
    const [list, counted, doubts] = await Promise.all([
      store.lists.listFor(row),
      countedOf(store, row),
      inDoubt ?? store.messages.countInDoubt('campaign_id', [row.id]).then((found) => found.get(row.id) ?? 0),
    ]);
    return presentCampaign(row, { listId: list?.id ?? null, counted, inDoubt: doubts, mode });
  };
}
