// Due times that no schedule can have made: the clock was ahead when they were written.
import type { Committer } from '../store/committer.js';
import type { Row } from '../store/engine/engine.js';

/** Rows of one transaction. */
const BATCH = 500;

/** Longest waits in ms. */
export interface LongestWaits {
  /** Of mail without an attempt, after its scheduled time. */
  firstAttemptMs: number;
  /** Between two attempts. */
  retryMs: number;
  webhookMs: number;
  inboundMs: number;
}

export interface CappedTimes {
  messages: number;
  webhooks: number;
  inbound: number;
}

// Mail of a paused campaign is due in ten years by design.
const QUEUE = `UPDATE queue SET due_at = ? WHERE message_id IN (
    SELECT q.message_id FROM queue q JOIN messages m ON m.id = q.message_id
    WHERE q.message_id > ? AND q.lease_until IS NULL
    AND (q.hold_reason IS NULL OR q.hold_reason NOT LIKE 'campaign:%') AND (
      (q.attempts = 0 AND q.due_at > ? AND q.due_at > COALESCE(m.scheduled_at, 0) + ?) OR
      (q.attempts > 0 AND q.due_at > ? AND q.due_at > COALESCE(m.scheduled_at, 0) + ?))
    ORDER BY q.message_id LIMIT ${BATCH}) RETURNING message_id AS id`;
const WEBHOOKS = `UPDATE webhook_deliveries SET due_at = ? WHERE id IN (
    SELECT id FROM webhook_deliveries WHERE id > ? AND status = 'pending' AND due_at > ? ORDER BY id LIMIT ${BATCH})
  RETURNING id`;
const INBOUND = `UPDATE inbound_messages SET due_at = ? WHERE id IN (
    SELECT id FROM inbound_messages WHERE id > ? AND state = 'waiting' AND due_at > ? ORDER BY id LIMIT ${BATCH})
  RETURNING id`;

export function createDueTimeStore(committer: Pick<Committer, 'commit'>) {
  /** From row to row, so that nothing is read twice. `limits` are the values after time and row. */
  async function cap(statement: string, now: number, limits: readonly number[]): Promise<number> {
    let capped = 0;
    for (let after = -1; ;) {
      const rows = await committer.commit<Row[]>(async ({ tx }) =>
        tx.run(statement, [now, after, ...limits]),
      );
      capped += rows.length;
      if (rows.length < BATCH) return capped;
      after = Math.max(...rows.map((row) => Number(row['id'])));
    }
  }

  return {
    /** Makes due at `now` (epoch ms) what waits longer than it can; counts it. Mail in progress is left alone. */
    async cap(now: number, waits: LongestWaits): Promise<CappedTimes> {
      const { firstAttemptMs: first, retryMs: retry } = waits;
      return {
        messages: await cap(QUEUE, now, [now + first, first, now + retry, retry]),
        webhooks: await cap(WEBHOOKS, now, [now + waits.webhookMs]),
        inbound: await cap(INBOUND, now, [now + waits.inboundMs]),
      };
    },
  };
}
