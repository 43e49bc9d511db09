// Reads a queue's waiting messages from a due time on, in pages, for retries and purges.
import type { RowOf } from '../../database/columns.js';
import type { Engine } from '../../database/engine/engine.js';
import { rowsAs } from '../../database/sql.js';
import type { queue } from '../../messages/queue.tables.js';

const FIELDS = ['message_id', 'due_at', 'attempts', 'ambiguous_attempts', 'hold_reason'] as const;
type WaitingRow = Pick<RowOf<typeof queue>, (typeof FIELDS)[number]>;
const WAITING = `SELECT ${FIELDS.join(', ')} FROM queue WHERE queue_id = ? AND lease_until IS NULL`;
/**
 * The remaining messages with the same due time, then those with a later one. The index does not order messages with equal due
 * times.
 */
const SAME = `${WAITING} AND due_at = ? AND message_id > ? ORDER BY message_id LIMIT ?`;
const LATER = `${WAITING} AND due_at > ? ORDER BY due_at, message_id LIMIT ?`;

/** Pages of up to `size` rows that are due after `after` (epoch ms), the soonest first. */
export async function* waitingRows(
  engine: Engine,
  queueId: number,
  { after, size }: { after: number; size: number },
): AsyncGenerator<WaitingRow[]> {
  const read = (statement: string, values: number[]) => rowsAs<WaitingRow>(engine.rows(statement, values));
  let dueAt = after;
  for (let last: WaitingRow | undefined; ;) {
    const same = last ? await read(SAME, [queueId, dueAt, last.message_id, size]) : [];
    const later = same.length < size ? await read(LATER, [queueId, dueAt, size - same.length]) : [];
    const rows = [...same, ...later];
    last = rows.at(-1);
    if (!last) return;
    dueAt = last.due_at;
    yield rows;
    if (rows.length < size) return;
  }
}
