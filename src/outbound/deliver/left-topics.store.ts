// Finds messages whose recipient has left the list of the topic. Checked immediately before delivery.
import type { Engine } from '../../database/engine/engine.js';
import { inList, rowsAs } from '../../database/sql.js';
import type { Stop } from './stops.rules.js';

const OF_TOPICS = `SELECT m.id, l.id AS list_id, l.name FROM messages m
  JOIN contact_lists l ON l.id = m.topic_id
  JOIN list_unsubscribes g ON g.list_number = l.number AND g.email_key = m.to_key
  WHERE m.topic_id IS NOT NULL AND m.id IN`;

/** Finds messages whose recipient has left the list of the topic, by row id. */
export async function leftTopicAmong(
  engine: Engine,
  messageIds: readonly number[],
): Promise<Map<number, Stop>> {
  if (messageIds.length === 0) return new Map();
  const { marks, values } = inList(messageIds);
  const rows = await rowsAs<{ id: number; list_id: string; name: string }>(
    engine.rows(`${OF_TOPICS} (${marks})`, values),
  );
  return new Map(
    rows.map(({ id, list_id, name }) => [
      id,
      { kind: 'suppressed', reason: 'left_list', topic: { id: list_id, name } },
    ]),
  );
}
