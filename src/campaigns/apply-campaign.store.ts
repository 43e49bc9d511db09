// Applies the changes of a plan by which a campaign's recipients get their messages.
import type { CampaignChange } from './changes.store.js';
import type { Writing } from '../store/committer.js';
import type { Committed } from '../store/plan.js';

/** A recipient of the plan does not wait any more; the caller reads anew. */
export class RecipientRace extends Error {}

const RECORD = `UPDATE campaign_recipients SET state = ?, variant = ?, reason = ?, message_id = ?
  WHERE campaign_id = ? AND contact_number = ? AND state = 'waiting' RETURNING 1 AS one`;
const COUNT = `UPDATE campaigns SET total = total + ?, created = created + ?, skipped = skipped + ?, suppressed = suppressed + ?,
  failed = failed + ?
  WHERE id = ?`;

export async function applyCampaignChange(
  { tx }: Writing,
  change: CampaignChange,
  committed: Committed,
): Promise<void> {
  switch (change.kind) {
    case 'record-recipient': {
      const { state, variant, reason, campaignId, contactNumber, hasMessage } = change;
      const messageId = hasMessage ? (committed.messageIds.at(-1) ?? null) : null;
      const rows = await tx.run(RECORD, [state, variant, reason, messageId, campaignId, contactNumber]);
      if (rows.length === 0) throw new RecipientRace('A recipient was recorded by another process.');
      return;
    }
    case 'count-recipients': {
      const { total, created, skipped, suppressed, failed, campaignId } = change;
      await tx.run(COUNT, [total, created, skipped, suppressed, failed, campaignId]);
    }
  }
}
