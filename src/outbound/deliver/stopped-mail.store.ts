// Copies of campaigns and sequences that may not go any more, whatever was so when they were made: asked right before
// delivery.
import type { SkippedCopy } from '../outcome/attempt.rules.js';
import type { TopicFact } from '../../suppressions/suppression.rules.js';
import type { Engine } from '../../store/engine/engine.js';
import { inList } from '../../store/sql.js';
import { createListAudienceStore } from '../../contacts/lists/audience.store.js';
import type { ContactList } from '../../contacts/lists/lists.tables.js';

export type Stop =
  /** The campaign is paused, or its copies are being canceled. */
  | { kind: 'held'; reason: 'campaign' }
  /** The recipient has left the list that the copy was made for, or that a message on its own stands for. */
  | { kind: 'suppressed'; reason: 'left_list'; topic?: TopicFact }
  /** The recipient is deleted, or not in the campaign's audience any more. */
  | SkippedCopy;

/** Only rows of campaigns and sequences are read: other mail costs one read of its own row. */
const OF_CAMPAIGNS = `SELECT m.id, k.status FROM messages m
  JOIN campaigns k ON k.id = m.campaign_id
  LEFT JOIN list_unsubscribes g ON g.list_number = k.list_number AND g.email_key = m.to_key
  WHERE m.campaign_id IS NOT NULL AND (k.status IN ('paused', 'canceled') OR g.unsubscribed_at IS NOT NULL) AND m.id IN`;
/** A contact who joined the sequence by joining a list has left it with the list. */
const OF_SEQUENCES = `SELECT m.id, 'active' AS status FROM messages m
  JOIN sequences s ON s.id = m.sequence_id AND s.trigger_kind = 'list_joined'
  JOIN contact_lists l ON l.id = s.trigger_value
  JOIN list_unsubscribes g ON g.list_number = l.number AND g.email_key = m.to_key
  WHERE m.sequence_id IS NOT NULL AND m.id IN`;

/** Messages on their own, whose recipient has left the list that they stand for. */
const OF_TOPICS = `SELECT m.id, l.id AS list_id, l.name FROM messages m
  JOIN contact_lists l ON l.id = m.topic_id
  JOIN list_unsubscribes g ON g.list_number = l.number AND g.email_key = m.to_key
  WHERE m.topic_id IS NOT NULL AND m.id IN`;

/** The recipients of copies, as the audience was written down, with what is left of them. */
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
  /** Null when the contact is deleted. */
  present: number | null;
}

/** Copies whose recipient is not to have them any more, a query or two for each campaign. */
async function skippedAmong(
  engine: Engine,
  messageIds: readonly number[],
): Promise<Map<number, SkippedCopy>> {
  const skipped = new Map<number, SkippedCopy>();
  if (messageIds.length === 0) return skipped;
  const { marks, values } = inList(messageIds);
  const rows = (await engine.rows(`${RECIPIENTS} (${marks})`, values)) as unknown as RecipientRow[];
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
    const [list] = (await engine.rows(LIST, [
      first.list_number,
      first.environment_id,
    ])) as unknown as ContactList[];
    // A list that is deleted takes no recipient out of a campaign that goes to it already.
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

/** Messages, by row id, that must not go now. */
export async function stoppedAmong(
  engine: Engine,
  messageIds: readonly number[],
): Promise<Map<number, Stop>> {
  if (messageIds.length === 0) return new Map();
  const { marks, values } = inList(messageIds);
  const rows = await engine.rows(`${OF_CAMPAIGNS} (${marks}) UNION ALL ${OF_SEQUENCES} (${marks})`, [
    ...values,
    ...values,
  ]);
  const stopped = new Map<number, Stop>(
    rows.map((row) => [
      Number(row['id']),
      row['status'] === 'paused' || row['status'] === 'canceled'
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

/** Messages to a list, by row id, whose recipient has left it since. */
export async function leftTopicAmong(
  engine: Engine,
  messageIds: readonly number[],
): Promise<Map<number, Stop>> {
  if (messageIds.length === 0) return new Map();
  const { marks, values } = inList(messageIds);
  const rows = await engine.rows(`${OF_TOPICS} (${marks})`, values);
  return new Map(
    rows.map((row) => [
      Number(row['id']),
      {
        kind: 'suppressed',
        reason: 'left_list',
        topic: { id: String(row['list_id']), name: String(row['name']) },
      },
    ]),
  );
}
