// Copies of campaigns and sequences that may not go any more, whatever was so when they were made: asked right before
// delivery.
import type { Engine } from './engine/engine.js';
import { inList } from './in-list.js';

export type Stop =
  /** The campaign is paused, or its copies are being canceled. */
  | { kind: 'held'; reason: 'campaign' }
  /** The recipient has left the list that the copy was made for. */
  | { kind: 'suppressed'; reason: 'left_list' };

/** Only rows of campaigns and sequences are looked at: other mail costs one look at its own row. */
const OF_CAMPAIGNS = `SELECT m.id, k.status FROM messages m
  JOIN campaigns k ON k.id = m.campaign_id
  LEFT JOIN list_departures g ON g.list_number = k.list_number AND g.email_key = m.to_key
  WHERE m.campaign_id IS NOT NULL AND (k.status IN ('paused', 'canceled') OR g.left_at IS NOT NULL) AND m.id IN`;
/** Who joined the sequence by joining a list has left it with the list. */
const OF_SEQUENCES = `SELECT m.id, 'active' AS status FROM messages m
  JOIN sequences s ON s.id = m.sequence_id AND s.trigger_kind = 'list_joined'
  JOIN contact_lists l ON l.id = s.trigger_value
  JOIN list_departures g ON g.list_number = l.number AND g.email_key = m.to_key
  WHERE m.sequence_id IS NOT NULL AND m.id IN`;

/** Those of the messages, by row id, that must not go now. */
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
  return new Map(
    rows.map((row) => [
      Number(row['id']),
      row['status'] === 'paused' || row['status'] === 'canceled'
        ? { kind: 'held', reason: 'campaign' }
        : { kind: 'suppressed', reason: 'left_list' },
    ]),
  );
}
