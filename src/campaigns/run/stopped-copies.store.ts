// Finds copies of campaigns that must no longer be delivered. Called right before delivery.
import type { SkippedCopy } from '../../outbound/outcome/attempt.rules.js';
import type { Stop } from '../../outbound/deliver/stops.rules.js';
import type { Engine } from '../../database/engine/engine.js';
import { inList, rowsAs } from '../../database/sql.js';
import { createListAudienceStore } from '../../contacts/lists/audience.store.js';
import type { ContactList } from '../../contacts/lists/lists.tables.js';
import type { Change } from '../../database/change.js';
import { type Campaign, campaignRecipients } from '../campaigns.tables.js';
import { update } from '../../database/rows.js';
import { countRecipients } from '../recipient-changes.store.js';

const OF_CAMPAIGNS = `SELECT m.id, k.status FROM messages m
  JOIN campaigns k ON k.id = m.campaign_id
  LEFT JOIN list_unsubscribes g ON g.list_number = k.list_number AND g.email_key = m.to_key
  WHERE m.campaign_id IS NOT NULL AND (k.status IN ('paused', 'canceled') OR g.unsubscribed_at IS NOT NULL) AND m.id IN`;
/** Recipients of copies in the audience snapshot, with their contact if it still exists. */
const RECIPIENTS = `SELECT m.id, k.id AS campaign_id, k.environment_id, k.list_number, k.segment_tag, r.contact_number,
    c.number AS present
  FROM messages m JOIN campaigns k ON k.id = m.campaign_id
  JOIN campaign_recipients r ON r.campaign_id = k.id AND r.email_key = m.to_key
  LEFT JOIN contacts c ON c.number = r.contact_number
  WHERE m.campaign_id IS NOT NULL AND m.id IN`;

const LIST = 'SELECT * FROM contact_lists WHERE number = ? AND environment_id = ? AND deleted_at IS NULL';

interface RecipientRow {
  id: number;
  campaign_id: string;
  environment_id: number;
  list_number: number;
  segment_tag: string | null;
  contact_number: number;
  /** `null` if the contact is deleted. */
  present: number | null;
}

/** Returns copies whose recipient must no longer get them, with one or two queries per campaign. */
async function skippedAmong(
  engine: Engine,
  messageIds: readonly number[],
): Promise<Map<number, SkippedCopy>> {
  const skipped = new Map<number, SkippedCopy>();
  if (messageIds.length === 0) return skipped;
  const { marks, values } = inList(messageIds);
  const rows = await rowsAs<RecipientRow>(engine.rows(`${RECIPIENTS} (${marks})`, values));
  const skip = (row: RecipientRow, reason: SkippedCopy['reason']): void => {
    const { campaign_id: campaignId, contact_number: contactNumber } = row;
    skipped.set(row.id, { kind: 'skipped', reason, campaignId, contactNumber });
  };
  const audience = createListAudienceStore(engine);
  for (const campaignId of new Set(rows.map((row) => row.campaign_id))) {
    const own = rows.filter((row) => row.campaign_id === campaignId);
    for (const row of own) if (row.present === null) skip(row, 'contact_deleted');
    const [first, ...others] = own.filter((row) => row.present !== null);
    if (!first) continue;
    const [list] = await rowsAs<ContactList>(engine.rows(LIST, [first.list_number, first.environment_id]));
    // Deleting a list removes no recipient from a campaign in progress.
    if (!list) continue;
    const present = [first, ...others];
    const left = await audience.leftAmong(
      { list, segmentTag: first.segment_tag },
      present.map((row) => row.contact_number),
    );
    for (const row of present) {
      const reason = left.get(row.contact_number);
      if (reason !== undefined) skip(row, reason);
    }
  }
  return skipped;
}

/** Returns those of these messages, by row ID, that must not be sent now. */
export async function stoppedCopies(
  engine: Engine,
  messageIds: readonly number[],
): Promise<Map<number, Stop>> {
  if (messageIds.length === 0) return new Map();
  const { marks, values } = inList(messageIds);
  const rows = await rowsAs<Pick<Campaign, 'status'> & { id: number }>(
    engine.rows(`${OF_CAMPAIGNS} (${marks})`, values),
  );
  const stopped = new Map<number, Stop>(
    rows.map(({ id, status }) => [
      id,
      status === 'paused' || status === 'canceled'
        ? { kind: 'held', reason: 'campaign' }
        : { kind: 'suppressed', reason: 'left_list' },
    ]),
  );
  const others = await skippedAmong(
    engine,
    messageIds.filter((id) => !stopped.has(id)),
  );
  return new Map([...others, ...stopped]);
}

/** Records at the campaign that a recipient's copy was withdrawn. */
export function skipRecipient({ campaignId, contactNumber, reason }: SkippedCopy): Change[] {
  return [
    update(campaignRecipients, {
      set: { state: 'skipped', reason },
      where: { campaign_id: campaignId, contact_number: contactNumber },
    }),
    countRecipients({ campaignId, total: 0, created: -1, skipped: 1, suppressed: 0, failed: 0 }),
  ];
}
