// Changes that record the messages of a campaign's recipients.
import type { RecipientState } from '../contract/names.js';
import { defineChange } from '../database/change.js';

/** A recipient of the plan no longer waits, so the caller reads again. */
export class RecipientRace extends Error {}

const RECORD = `UPDATE campaign_recipients SET state = ?, variant = ?, reason = ?, message_id = ?
  WHERE campaign_id = ? AND contact_number = ? AND state = 'waiting' RETURNING 1 AS one`;
const COUNT = `UPDATE campaigns SET total = total + ?, created = created + ?, skipped = skipped + ?, suppressed = suppressed + ?,
  failed = failed + ?
  WHERE id = ?`;

export interface RecordRecipient {
  campaignId: string;
  contactNumber: number;
  state: Extract<RecipientState, 'created' | 'skipped' | 'failed'>;
  variant: string | null;
  reason: string | null;
  hasMessage: boolean;
}

/**
 * Records the result for a waiting recipient. `hasMessage` is true if the message is the last one that the plan accepted. Refuses
 * the whole plan with `RecipientRace` if the recipient no longer waits, so that no one gets two copies.
 */
export const recordRecipient = defineChange<RecordRecipient>(
  'record-recipient',
  async ({ tx }, { state, variant, reason, campaignId, contactNumber, hasMessage }, { messageIds }) => {
    const messageId = hasMessage ? (messageIds.at(-1) ?? null) : null;
    const rows = await tx.run(RECORD, [state, variant, reason, messageId, campaignId, contactNumber]);
    if (rows.length === 0) throw new RecipientRace('A recipient was recorded by another process.');
  },
);

interface CountRecipients {
  campaignId: string;
  total: number;
  created: number;
  skipped: number;
  /** Number of skipped recipients with a message that records it. */
  suppressed: number;
  failed: number;
}

/** Adds to a campaign's counters. */
export const countRecipients = defineChange<CountRecipients>('count-recipients', async ({ tx }, change) => {
  const { total, created, skipped, suppressed, failed, campaignId } = change;
  await tx.run(COUNT, [total, created, skipped, suppressed, failed, campaignId]);
});
