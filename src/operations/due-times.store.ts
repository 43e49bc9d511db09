// Caps due times, leases and locks that are later than any schedule allows because the clock was ahead.
import type { Committer } from '../database/committer.js';
import { rowsAs } from '../database/sql.js';

/** Rows per transaction. */
const BATCH = 500;

/** Longest waits in ms. */
export interface LongestWaits {
  /** Mail without an attempt, measured from its scheduled time. */
  firstAttemptMs: number;
  /** Between two attempts. */
  retryMs: number;
  webhookMs: number;
  inboundMs: number;
  /** Leases of messages and webhook deliveries in progress. */
  queueLeaseMs: number;
  webhookLeaseMs: number;
  /** Lock of a person's account after too many failed sign-ins. */
  signInLockMs: number;
  /** TLS reports, measured from the end of their day. */
  tlsReportMs: number;
}

interface CappedTimes {
  messages: number;
  webhooks: number;
  inbound: number;
  /** Leases of messages and webhook deliveries whose holder may be gone. */
  leases: number;
  locks: number;
  tls_reports: number;
}

// Mail of a paused campaign is due ten years from now by design. A message whose last change lies in the future was deferred by
// the wrong clock, even if its wait is one that the schedule allows.
const QUEUE = `UPDATE queue SET due_at = ? WHERE message_id IN (
    SELECT q.message_id FROM queue q JOIN messages m ON m.id = q.message_id
    WHERE q.message_id > ? AND q.lease_until IS NULL
    AND (q.hold_reason IS NULL OR q.hold_reason NOT LIKE 'campaign:%') AND (
      (q.attempts = 0 AND q.due_at > ? AND q.due_at > COALESCE(m.scheduled_at, 0) + ?) OR
      (q.attempts > 0 AND q.due_at > ? AND q.due_at > COALESCE(m.scheduled_at, 0) + ?) OR
      (q.attempts > 0 AND q.due_at > ? AND m.updated_at > ?))
    ORDER BY q.message_id LIMIT ${BATCH}) RETURNING message_id AS id`;
const WEBHOOKS = `UPDATE webhook_deliveries SET due_at = ? WHERE id IN (
    SELECT id FROM webhook_deliveries WHERE id > ? AND status = 'pending' AND due_at > ? ORDER BY id LIMIT ${BATCH})
  RETURNING id`;
const INBOUND = `UPDATE inbound_messages SET due_at = ? WHERE id IN (
    SELECT id FROM inbound_messages WHERE id > ? AND state = 'waiting' AND due_at > ? ORDER BY id LIMIT ${BATCH})
  RETURNING id`;

// Leases are shortened and not ended, because their holders may still be at work.
const QUEUE_LEASES = `UPDATE queue SET lease_until = ? WHERE message_id IN (
    SELECT message_id FROM queue WHERE message_id > ? AND lease_until > ? ORDER BY message_id LIMIT ${BATCH})
  RETURNING message_id AS id`;
const WEBHOOK_LEASES = `UPDATE webhook_deliveries SET lease_until = ? WHERE id IN (
    SELECT id FROM webhook_deliveries WHERE id > ? AND status = 'pending' AND lease_until > ? ORDER BY id LIMIT ${BATCH})
  RETURNING id`;
const LOCKS = ['users', 'known_places'].map(
  (name) => `UPDATE ${name} SET locked_until = ? WHERE locked_until > ? RETURNING 1 AS one`,
);
const TLS_REPORTS = `UPDATE tls_reports SET due_at = ? WHERE status = 'pending' AND due_at > ? AND day <= ?
  RETURNING 1 AS one`;
const DAY_MS = 86_400_000;

export function createDueTimeStore(committer: Pick<Committer, 'commit'>) {
  /** Advances row by row, so that nothing is read twice. `limits` are the parameters after time and row. */
  async function cap(statement: string, to: number, limits: readonly number[]): Promise<number> {
    let capped = 0;
    for (let after = -1; ;) {
      const rows = await committer.commit<{ id: number }[]>(async ({ tx }) =>
        rowsAs(tx.run(statement, [to, after, ...limits])),
      );
      capped += rows.length;
      if (rows.length < BATCH) return capped;
      after = Math.max(...rows.map(({ id }) => id));
    }
  }

  async function capLeases(now: number, waits: LongestWaits): Promise<number> {
    const [queue, webhooks] = [now + waits.queueLeaseMs, now + waits.webhookLeaseMs];
    return (await cap(QUEUE_LEASES, queue, [queue])) + (await cap(WEBHOOK_LEASES, webhooks, [webhooks]));
  }

  /** These are few rows: people, and the domains of two days. */
  function capOthers(now: number, waits: LongestWaits): Promise<{ locks: number; tls_reports: number }> {
    return committer.commit(async ({ tx }) => {
      const lock = now + waits.signInLockMs;
      let locks = 0;
      for (const statement of LOCKS) locks += (await tx.run(statement, [lock, lock])).length;
      const today = Math.floor(now / DAY_MS);
      const reports = await tx.run(TLS_REPORTS, [now, now + waits.tlsReportMs, today]);
      return { locks, tls_reports: reports.length };
    });
  }

  return {
    /**
     * Makes rows that wait longer than possible due at `now` (epoch ms), shortens leases and locks to their longest duration, and
     * returns the counts. The due times of mail in progress do not change.
     */
    async cap(now: number, waits: LongestWaits): Promise<CappedTimes> {
      const { firstAttemptMs: first, retryMs: retry } = waits;
      return {
        messages: await cap(QUEUE, now, [now + first, first, now + retry, retry, now + first, now + first]),
        webhooks: await cap(WEBHOOKS, now, [now + waits.webhookMs]),
        inbound: await cap(INBOUND, now, [now + waits.inboundMs]),
        leases: await capLeases(now, waits),
        ...(await capOthers(now, waits)),
      };
    },
  };
}
