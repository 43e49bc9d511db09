// The mail of a campaign that was stopped: parked while it is paused, brought back when it goes on, canceled with it.
import { setImmediate as nextTurn } from 'node:timers/promises';
import { Refusal } from '../../contract/refusal.js';
import type { Clock } from '../../runtime/clock.js';
import type { PlacedCampaign, UnsentCopy } from '../../store/campaigns.js';
import type { Store } from '../../store/store.js';
import { trailEntry } from '../../store/trail-entry.js';
import type { Bells } from '../submission/accept.js';

/** Messages of one commit. */
const SLICE = 2_000;
const CANCEL_SLICE = 200;

export interface StopDeps {
  store: Pick<Store, 'campaigns' | 'commit'>;
  clock: Clock;
  bells: Bells;
}

/** Puts everything of a paused campaign that waits out of the queue's reach. */
export async function parkMail({ store }: StopDeps, campaignId: string): Promise<void> {
  let after: number | null = 0;
  while (after !== null) {
    after = await store.campaigns.park(campaignId, after, SLICE);
    await nextTurn();
  }
}

/** Brings it back, with as much more time as it was parked for. */
export async function unparkMail(
  { store, clock, bells }: StopDeps,
  campaignId: string,
  pausedMs: number,
): Promise<void> {
  let after: number | null = 0;
  while (after !== null) {
    const slice = { limit: SLICE, now: clock(), pausedMs };
    const { next, laneIds }: { next: number | null; laneIds: number[] } = await store.campaigns.unpark(
      campaignId,
      after,
      slice,
    );
    if (laneIds.length > 0) bells.queue(laneIds);
    after = next;
    await nextTurn();
  }
}

/** Cancels what was never tried; true when nothing is left. What a worker holds comes back, and is canceled then. */
export async function cancelMail(deps: StopDeps, campaign: PlacedCampaign): Promise<boolean> {
  const { store, bells } = deps;
  for (;;) {
    const copies = await store.campaigns.unsent(campaign.id, CANCEL_SLICE);
    // Each in a plan of its own: one that a worker takes meanwhile refuses only itself.
    const canceled = await Promise.all(copies.map((copy) => cancelOne(deps, campaign, copy)));
    if (!canceled.includes(true)) return !(await store.campaigns.hasUnattempted(campaign.id));
    bells.events();
    await nextTurn();
  }
}

async function cancelOne(
  { store, clock }: StopDeps,
  { id, place }: PlacedCampaign,
  { messageId, publicId }: UnsentCopy,
): Promise<boolean> {
  const at = clock();
  const tooLate = { code: 'message_not_cancelable' as const };
  const detail = { metadata: { campaign_id: id } };
  try {
    await store.commit([
      { kind: 'advance', messageId, to: 'canceled', from: ['queued'], otherwise: tooLate },
      { kind: 'dequeue', messageId, unleased: tooLate },
      { kind: 'amend', messageId, set: { updated_at: at } },
      trailEntry({ messageId, publicId, ...place }, { event: 'canceled', actor: 'system', at, detail }),
    ]);
    return true;
  } catch (error) {
    if (error instanceof Refusal && error.code === tooLate.code) return false;
    throw error;
  }
}
