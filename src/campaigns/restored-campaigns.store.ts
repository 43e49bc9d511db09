// Reads campaigns that may have sent mail after a restored backup was made, and changes their recipients.
import type { Committer } from '../database/committer.js';
import type { Engine } from '../database/engine/engine.js';
import { inList, rowsAs } from '../database/sql.js';
import type { Campaign, CampaignRecipient } from './campaigns.tables.js';

/** Value of `campaign_recipients.reason`. */
const REACHED_BEFORE_RESTORE = 'reached_before_restore';
/** The value of `campaigns.problem` after a restore. */
const IS_RESTORED = `problem LIKE '{"code":"restored"%'`;

const CAMPAIGNS = (
  marks: string,
): string => `SELECT * FROM campaigns WHERE deleted_at IS NULL AND (status = 'paused'
    OR (status IN ('draft', 'scheduled') AND (${IS_RESTORED} OR id IN (${marks}))))
  ORDER BY id`;
const RECIPIENTS = `SELECT contact_number, email_key, state FROM campaign_recipients
  WHERE campaign_id = ? AND contact_number > ? ORDER BY contact_number LIMIT ?`;
const SKIP = (
  marks: string,
): string => `UPDATE campaign_recipients SET state = 'skipped', reason = '${REACHED_BEFORE_RESTORE}'
  WHERE campaign_id = ? AND state IN ('waiting', 'held') AND contact_number IN (${marks}) RETURNING 1 AS one`;
const ADD = `INSERT INTO campaign_recipients (campaign_id, contact_number, email, email_key, state, variant, reason, message_id)
  VALUES (?, ?, ?, ?, 'skipped', NULL, '${REACHED_BEFORE_RESTORE}', NULL) ON CONFLICT DO NOTHING RETURNING 1 AS one`;
// Does nothing if the campaign was resumed.
const COUNT = `UPDATE campaigns SET total = total + ?, skipped = skipped + ?, updated_at = ?
  WHERE id = ? AND status = 'paused' RETURNING 1 AS one`;

type RestoredRecipient = Pick<CampaignRecipient, 'contact_number' | 'email_key' | 'state'>;

export function createRestoredCampaignStore(engine: Engine, committer: Committer) {
  return {
    /** Returns paused campaigns, and those drafts and scheduled ones that the restore changed or whose ID is in `named`. */
    async campaigns(named: readonly string[]): Promise<Campaign[]> {
      const { marks, values } = inList(named.length === 0 ? [''] : named);
      return rowsAs<Campaign>(engine.rows(CAMPAIGNS(marks), values));
    },

    /** Reads recipients after a contact number, sorted by number. */
    async recipients(campaignId: string, after: number, limit: number): Promise<RestoredRecipient[]> {
      return rowsAs<RestoredRecipient>(engine.rows(RECIPIENTS, [campaignId, after, limit]));
    },

    /** Skips waiting recipients, unless the campaign was resumed. `numbers` must not be empty. */
    skip: (campaignId: string, numbers: readonly number[], now: number): Promise<void> =>
      committer.commit(async ({ tx }) => {
        const { marks, values } = inList(numbers);
        if ((await tx.run(COUNT, [0, 0, now, campaignId])).length === 0) return;
        const skipped = await tx.run(SKIP(marks), [campaignId, ...values]);
        await tx.run(COUNT, [0, skipped.length, now, campaignId]);
      }),

    /** Adds missing people to the audience as skipped. A later snapshot does not change them. */
    addSkipped: (
      campaignId: string,
      people: readonly Pick<CampaignRecipient, 'contact_number' | 'email' | 'email_key'>[],
      now: number,
    ): Promise<void> =>
      committer.commit(async ({ tx }) => {
        if ((await tx.run(COUNT, [0, 0, now, campaignId])).length === 0) return;
        let added = 0;
        for (const { contact_number, email, email_key } of people) {
          added += (await tx.run(ADD, [campaignId, contact_number, email, email_key])).length;
        }
        await tx.run(COUNT, [added, added, now, campaignId]);
      }),
  };
}
