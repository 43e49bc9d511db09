// What becomes of a campaign's copy whose recipient is not to have it any more: canceled in its trail, skipped on its campaign.
import type { SkippedCopy } from './attempt.rules.js';
import { statusesThatMayBecome } from '../../messages/state.rules.js';
import type { Change } from '../../store/plan.js';
import type { Claim } from '../schedule/queue.store.js';
import { auditTrailEntry } from '../../events/audit-trail-entry.store.js';

/** One that may have arrived is not said to be canceled: it leaves the queue, and stays in doubt. */
export function skipCopy(claim: Claim, skipped: SkippedCopy, at: number): Change[] {
  const { messageId } = claim;
  const { campaignId, contactNumber, reason } = skipped;
  const dequeue: Change = { kind: 'dequeue', messageId };
  if (claim.ambiguousAttempts > 0) {
    return [{ kind: 'amend', messageId, set: { in_doubt_at: at, updated_at: at } }, dequeue];
  }
  const detail = { metadata: { campaign_id: campaignId, reason } };
  return [
    {
      kind: 'advance',
      messageId,
      to: 'canceled',
      from: statusesThatMayBecome('canceled'),
      set: { updated_at: at },
    },
    auditTrailEntry(claim, { event: 'canceled', actor: 'system', at, detail }),
    dequeue,
    {
      kind: 'update',
      table: 'campaign_recipients',
      set: { state: 'skipped', reason },
      where: { campaign_id: campaignId, contact_number: contactNumber },
    },
    { kind: 'count-recipients', campaignId, total: 0, created: -1, skipped: 1, suppressed: 0, failed: 0 },
  ];
}
