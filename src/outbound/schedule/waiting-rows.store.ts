// Reads a queue's waiting messages from a due time on, in pages, for retries and purges.
import type { Engine, Row } from '../../database/engine/engine.js';

const FIELDS = 'message_id, due_at, attempts, ambiguous_attempts, hold_reason';
const WAITING = `SELECT ${FIELDS} FROM queue WHERE queue_id = ? AND lease_until IS NULL`;
/** The rest of those with one due time, then those with a later one: the index has no order of its own among equals. */
const SAME = `${WAITING} AND due_at = ? AND message_id > ? ORDER BY message_id LIMIT ?`;
const LATER = `${WAITING} AND due_at > ? ORDER BY due_at, message_id LIMIT ?`;

/** Pages of up to `size` rows that are due after `after` (epoch ms), the soonest first. */
export async function* waitingRows(
  engine: Engine,
  queueId: number,
  { after, size }: { after: number; size: number },
): AsyncGenerator<Row[]> {
  let last = { dueAt: after, messageId: Infinity };
  for (;;) {
    const same =
      last.messageId === Infinity ? [] : await engine.rows(SAME, [queueId, last.dueAt, last.messageId, size]);
    const later =
      same.length < size ? await engine.rows(LATER, [queueId, last.dueAt, size - same.length]) : [];
    const rows = [...same, ...later];
    const end = rows.at(-1);
    if (!end) return;
    last = { dueAt: Number(end['due_at']), messageId: Number(end['message_id']) };
    yield rows;
    if (rows.length < size) return;
  }
}
