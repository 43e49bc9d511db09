// Finds sequence messages whose recipient has left the list that started the enrollment. Called right before delivery.
import type { Engine } from '../database/engine/engine.js';
import { inList, rowsAs } from '../database/sql.js';
import type { Stop } from '../outbound/deliver/stops.rules.js';

/** Leaving the list that started an enrollment ends the enrollment. */
const OF_SEQUENCES = `SELECT m.id FROM messages m
  JOIN sequences s ON s.id = m.sequence_id AND s.trigger_kind = 'list_joined'
  JOIN contact_lists l ON l.id = s.trigger_value
  JOIN list_unsubscribes g ON g.list_number = l.number AND g.email_key = m.to_key
  WHERE m.sequence_id IS NOT NULL AND m.id IN`;

export async function leftSequences(
  engine: Engine,
  messageIds: readonly number[],
): Promise<Map<number, Stop>> {
  if (messageIds.length === 0) return new Map();
  const { marks, values } = inList(messageIds);
  const rows = await rowsAs<{ id: number }>(engine.rows(`${OF_SEQUENCES} (${marks})`, values));
  return new Map(rows.map(({ id }) => [id, { kind: 'suppressed', reason: 'left_list' }]));
}
