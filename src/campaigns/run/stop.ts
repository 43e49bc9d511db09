// Handles undelivered mail of a stopped campaign: parks it on pause, restores it on resume, and cancels it on cancel.
import type { CampaignContext } from '../context.js';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { Refusal } from '../../contract/refusal.js';
import { statusesThatMayBecome } from '../../messages/state.rules.js';
import type { CampaignInEnvironment, UndeliveredCopy, UndeliveredSlice } from '../campaigns.store.js';
import { auditTrailEntry } from '../../events/audit-trail-entry.store.js';
import type { Change } from '../../database/change.js';
import { dequeueMessage, advanceMessage, amendMessage } from '../../messages/message-changes.store.js';

/** Messages per commit. */
const SLICE = 2_000;
const CANCEL_SLICE = 200;

/** Parks all waiting mail of a paused campaign. */
export async function parkMail({ store, clock }: CampaignContext, campaignId: string): Promise<void> {
  let after: number | null = 0;
  while (after !== null) {
    after = await store.campaigns.park(campaignId, after, { limit: SLICE, now: clock() });
    await nextTurn();
  }
}

/** Unparks the mail, and extends its lifetime by the time for which it was parked. */
export async function unparkMail(
  { store, clock, wakeUps }: CampaignContext,
  campaignId: string,
  pausedMs: number,
): Promise<void> {
  let after: number | null = 0;
  while (after !== null) {
    const slice = { limit: SLICE, now: clock(), pausedMs };
    const { next, queueIds }: { next: number | null; queueIds: number[] } = await store.campaigns.unpark(
      campaignId,
      after,
      slice,
    );
    if (queueIds.length > 0) wakeUps.queue(queueIds);
    after = next;
    await nextTurn();
  }
}

/**
 * Cancels undelivered mail, attempted or not. Returns true if none is left. Mail that a worker has claimed is canceled when it is
 * returned.
 */
export async function cancelMail(
  context: CampaignContext,
  campaign: CampaignInEnvironment,
): Promise<boolean> {
  const { store, wakeUps } = context;
  let isDone = true;
  let after: number | null = 0;
  while (after !== null) {
    const slice: UndeliveredSlice = await store.campaigns.undelivered(campaign.id, after, CANCEL_SLICE);
    const free = slice.copies.filter((copy) => !copy.isHeldByWorker);
    // One plan for each message, so that a message that a worker claims in the meantime refuses only its own plan.
    const canceled = await Promise.all(free.map((copy) => cancelOne(context, campaign, copy)));
    if (canceled.includes(true)) wakeUps.events();
    isDone &&= free.length === slice.copies.length && !canceled.includes(false);
    after = slice.next;
    await nextTurn();
  }
  return isDone;
}

async function cancelOne(
  { store, clock }: CampaignContext,
  { id, place }: CampaignInEnvironment,
  { messageId, publicId, mayHaveArrived }: UndeliveredCopy,
): Promise<boolean> {
  const at = clock();
  const tooLate = { code: 'message_not_cancelable' as const };
  const detail = { metadata: { campaign_id: id } };
  const dequeue: Change = dequeueMessage({ messageId, unleased: tooLate });
  try {
    // A message in doubt is not marked as canceled, but is not retried either.
    await store.commit(
      mayHaveArrived
        ? [dequeue]
        : [
            // A deferred message is undelivered too.
            advanceMessage({
              messageId,
              to: 'canceled',
              from: statusesThatMayBecome('canceled'),
              otherwise: tooLate,
            }),
            dequeue,
            amendMessage({ messageId, set: { updated_at: at } }),
            auditTrailEntry(
              { messageId, publicId, ...place },
              { event: 'canceled', actor: 'system', at, detail },
            ),
          ],
    );
    return true;
  } catch (error) {
    if (error instanceof Refusal && error.code === tooLate.code) return false;
    throw error;
  }
}
