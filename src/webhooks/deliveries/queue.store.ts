// The queue of webhook deliveries: the cursor with which fan-out follows the event chains, leases, and recorded attempts. Rows are
// written in sets, because an endpoint may receive thousands a second.
import type { Insertable, Selectable } from 'kysely';
import { POSITIONS_PER_WORKSPACE } from '../../events/chains.store.js';
import type { Committer, Writing } from '../../database/committer.js';
import { columnNames, type Instant, type TablesOf } from '../../database/columns.js';
import type { Engine, Tx } from '../../database/engine/engine.js';
import { OWNER_OF_EVENT } from '../../feed/feed.store.js';
import { inList, insertInto, insertRows, rowsAs } from '../../database/sql.js';
import type { EventTable, events as eventsTable } from '../../events/events.tables.js';
import {
  type WebhookAttemptTable,
  type WebhookDelivery,
  type WebhookDeliveryTable,
  type WebhookEndpoint,
  webhookAttempts,
  webhookDeliveries,
} from '../webhooks.tables.js';

type Known = TablesOf<typeof eventsTable>;

export type NewWebhookDelivery = Insertable<WebhookDeliveryTable>;

/** Event as a webhook needs it, with its sub-tenant and inbox; `detail` of `suppressed` ones alone. */
export type FanOutEvent = Pick<
  Selectable<EventTable>,
  'position' | 'environment_id' | 'subject_id' | 'event' | 'occurred_at' | 'detail'
> & {
  subTenantId: string | null;
  /** The inbox that a received message arrived in. */
  inboxId: string | null;
  traceparent: string | null;
};

export interface ChainLag {
  workspaceNumber: number;
  workspaceId: string;
  headSeq: number;
  fannedOutSeq: number;
}

export interface FinishedAttempt {
  deliveryId: number;
  endpointId: string;
  attempt: Omit<Selectable<WebhookAttemptTable>, 'delivery_id'>;
  /** `retry` waits until dueAt. `failed` was the last attempt. So was `gone`, after which the endpoint receives nothing more. */
  result: { kind: 'succeeded' } | { kind: 'retry'; dueAt: number } | { kind: 'failed' } | { kind: 'gone' };
  now: number;
}

type WaitingEndpoint = WebhookEndpoint & { workspace_number: number; first_due_at: number };

const DELIVERY_COLUMNS = columnNames(webhookDeliveries, 'id', 'lease_until');
const ATTEMPT_COLUMNS = columnNames(webhookAttempts);

const INSERT_DELIVERIES = insertInto(webhookDeliveries, DELIVERY_COLUMNS);
const INSERT_ATTEMPTS = insertInto(webhookAttempts, ATTEMPT_COLUMNS);
// Asked again and again while mail is sent, so both are written by hand.
const LAGGING = `SELECT c.workspace_number AS "workspaceNumber", w.id AS "workspaceId", c.head_seq AS "headSeq",
  c.fanned_out_seq AS "fannedOutSeq"
  FROM chains c JOIN workspaces w ON w.number = c.workspace_number WHERE c.head_seq > c.fanned_out_seq`;
const ENDPOINTS_OF_WORKSPACE = `SELECT p.* FROM webhook_endpoints p JOIN environments e ON e.id = p.environment_id
  WHERE e.workspace_id = ?`;
/** An inbox is the inbox of its address as long as the owner of the domain has not changed. */
const INBOX_OF_EVENT = `CASE WHEN v.event = 'received' THEN (SELECT i.id FROM inboxes i
  WHERE i.environment_id = m.environment_id AND i.address_key = m.to_key
    AND COALESCE(i.sub_tenant_id, '') = COALESCE(m.sub_tenant_id, '')) END`;
const EVENTS_AFTER = `SELECT v.position, v.environment_id, v.subject_id, v.event, v.occurred_at,
  CASE WHEN v.event = 'suppressed' THEN v.detail END AS detail,
  ${OWNER_OF_EVENT} AS sub_tenant_id, ${INBOX_OF_EVENT} AS inbox_id, m.traceparent
  FROM events v LEFT JOIN messages m ON m.id = v.message_id
  WHERE v.position > ? AND v.position < ? ORDER BY v.position LIMIT ?`;
const ADVANCE_CURSOR =
  'UPDATE chains SET fanned_out_seq = ? WHERE workspace_number = ? AND fanned_out_seq = ? RETURNING 1 AS one';
const HAS_ENDPOINT = 'SELECT 1 AS one FROM webhook_endpoints WHERE id = ?';
/** Jumps from one endpoint to the next in the index of pending deliveries, so endpoints with nothing to send cost nothing. */
const WAITING_ENDPOINTS = `WITH RECURSIVE waiting (id) AS (
    SELECT MIN(endpoint_id) FROM webhook_deliveries WHERE status = 'pending'
    UNION ALL
    SELECT (SELECT MIN(d.endpoint_id) FROM webhook_deliveries d WHERE d.status = 'pending' AND d.endpoint_id > v.id)
      FROM waiting v WHERE v.id IS NOT NULL)
  SELECT p.*, s.number AS workspace_number,
    (SELECT MIN(d.due_at) FROM webhook_deliveries d WHERE d.endpoint_id = p.id AND d.status = 'pending') AS first_due_at
  FROM waiting v JOIN webhook_endpoints p ON p.id = v.id JOIN environments e ON e.id = p.environment_id
    JOIN workspaces s ON s.id = e.workspace_id WHERE p.status = 'enabled'`;
/**
 * Selects deliveries that may be attempted now. A delivery waits for an earlier one of its subject that has not had
 * its first attempt, is being attempted, or is due as well; one that waits for a later retry blocks nothing.
 */
const DUE = `SELECT d.id FROM webhook_deliveries d WHERE d.endpoint_id = ? AND d.status = 'pending' AND d.due_at <= ?
  AND (d.lease_until IS NULL OR d.lease_until < ?)
  AND NOT EXISTS (SELECT 1 FROM webhook_deliveries e WHERE e.endpoint_id = d.endpoint_id AND e.subject_id = d.subject_id
    AND e.id < d.id AND e.status = 'pending' AND (e.attempts = 0 OR e.lease_until >= ? OR e.due_at <= ?))
  ORDER BY d.due_at, d.id LIMIT ?`;
const RELEASE = `UPDATE webhook_deliveries SET lease_until = NULL WHERE id = ? AND lease_until = ? AND status = 'pending'`;
/** Only the first who finishes an attempt counts: a lease may have run out while its holder was busy. */
const FINISH = `UPDATE webhook_deliveries SET status = ?, attempts = ?, due_at = ?, lease_until = NULL
  WHERE id = ? AND status = 'pending' AND attempts = ? RETURNING id`;
const SUCCEED_FIRST = `UPDATE webhook_deliveries SET status = 'succeeded', attempts = 1, due_at = NULL, lease_until = NULL
  WHERE status = 'pending' AND attempts = 0 AND id IN`;
const NOTE_SUCCESS = `UPDATE webhook_endpoints SET consecutive_failures = 0,
  last_success_at = CASE WHEN last_success_at > ? THEN last_success_at ELSE ? END WHERE id = ?`;
/** A failure counts if nothing that was attempted after its first attempt succeeded. */
const COUNT_FAILURE = `UPDATE webhook_endpoints SET consecutive_failures = consecutive_failures + 1
  WHERE id = ? AND COALESCE(last_success_at, 0) <= ? RETURNING consecutive_failures`;
const FIRST_ATTEMPT = 'SELECT at FROM webhook_attempts WHERE delivery_id = ? AND number = 1';
const DISABLE = `UPDATE webhook_endpoints SET status = 'disabled', disabled_reason = ?, updated_at = ?
  WHERE id = ? AND status = 'enabled'`;
const HASTEN = `UPDATE webhook_deliveries SET due_at = ? WHERE id IN (SELECT id FROM webhook_deliveries
  WHERE endpoint_id = ? AND status = 'pending' AND due_at > ? LIMIT ?) RETURNING id`;

export function createWebhookQueue(engine: Engine, committer: Committer) {
  return { ...fanOutQueries(engine, committer), ...attemptQueries(engine, committer) };
}

function fanOutQueries(engine: Engine, committer: Committer) {
  const db = engine.read.$extendTables<Known>();
  return {
    /** Chains with events that no fan-out has seen. */
    async lagging(): Promise<ChainLag[]> {
      return rowsAs<ChainLag>(engine.rows(LAGGING, []));
    },

    /** Endpoints of both environments. */
    async endpointsOfWorkspace(workspaceId: string): Promise<WebhookEndpoint[]> {
      return rowsAs<WebhookEndpoint>(engine.rows(ENDPOINTS_OF_WORKSPACE, [workspaceId]));
    },

    async eventsToFanOut(workspaceNumber: number, afterSeq: number, limit: number): Promise<FanOutEvent[]> {
      const start = workspaceNumber * POSITIONS_PER_WORKSPACE;
      return eventsAfter(engine, start + afterSeq, start + POSITIONS_PER_WORKSPACE, limit);
    },

    /** Details of events in the chain, by their positions. */
    async detailsOfEvents(positions: readonly number[]): Promise<ReadonlyMap<number, string>> {
      if (positions.length === 0) return new Map();
      const rows = await db
        .selectFrom('events')
        .select(['position', 'detail'])
        .where('position', 'in', positions)
        .execute();
      return new Map(
        rows.flatMap(({ position, detail }) => (detail === null ? [] : [[position, detail] as const])),
      );
    },

    /**
     * Moves the cursor and inserts the deliveries of the events it passed in one transaction. Returns false if another process was
     * faster. Leaves out deliveries to an endpoint that was deleted in the meantime.
     */
    fanOut: (
      cursor: { workspaceNumber: number; from: number; to: number },
      deliveries: readonly NewWebhookDelivery[],
    ): Promise<boolean> =>
      committer.commit(async ({ tx }) => {
        const moved = await tx.run(ADVANCE_CURSOR, [cursor.to, cursor.workspaceNumber, cursor.from]);
        if (moved.length === 0) return false;
        const known = await existing(tx, new Set(deliveries.map((row) => row.endpoint_id)));
        await insertDeliveries(
          tx,
          deliveries.filter((row) => known.has(row.endpoint_id)),
        );
        return true;
      }),
  };
}

function attemptQueries(engine: Engine, committer: Committer) {
  const lease = `UPDATE webhook_deliveries SET lease_until = ? WHERE id IN (${DUE} ${engine.forUpdateSkipLocked('d')})
    RETURNING *`;
  return {
    /** Enabled endpoints of these workspaces with something due now, and the earliest time at which any has. */
    async dueEndpoints(
      now: number,
      isTaken: (workspaceNumber: number) => boolean = () => true,
    ): Promise<{ endpoints: WebhookEndpoint[]; nextDueAt: number | null }> {
      const waiting = await rowsAs<WaitingEndpoint>(engine.rows(WAITING_ENDPOINTS, []));
      const found = waiting.filter((row) => isTaken(row.workspace_number));
      const endpoints = found.filter((row) => row.first_due_at <= now);
      const later = found.flatMap(({ first_due_at: at }) => (at > now ? [at] : []));
      return { endpoints, nextDueAt: later.length === 0 ? null : Math.min(...later) };
    },

    /** Leases up to `limit` due deliveries of one endpoint; in the order in which they are due. */
    claimDeliveries: (
      endpointId: string,
      now: number,
      leaseUntil: number,
      limit: number,
    ): Promise<WebhookDelivery[]> =>
      committer.commit(async ({ tx }) => {
        const values = [leaseUntil, endpointId, now, now, now, now, limit];
        const claimed = await rowsAs<WebhookDelivery>(tx.run(lease, values));
        return claimed.sort((a, b) => (a.due_at ?? 0) - (b.due_at ?? 0) || a.id - b.id);
      }),

    /** Gives back deliveries that were claimed and not attempted, unless someone else has leased them since. */
    releaseDeliveries: (claimed: readonly Pick<WebhookDelivery, 'id' | 'lease_until'>[]): Promise<void> =>
      committer.commit(async ({ tx }) => {
        for (const { id, lease_until } of claimed) await tx.run(RELEASE, [id, lease_until]);
      }),

    /** Makes up to `limit` deliveries due that wait for a later retry. How many there were. */
    hastenDeliveries: (endpointId: string, now: number, limit: number): Promise<number> =>
      committer.commit(async ({ tx }) => (await tx.run(HASTEN, [now, endpointId, now, limit])).length),

    /**
     * Records attempts. An attempt that was recorded before, or whose delivery was deleted, changes nothing. Returns the endpoints
     * that this disabled: those that responded with 410, and those with `disableAfter` failed deliveries in a row.
     */
    finishAttempts: (finished: readonly FinishedAttempt[], disableAfter: number): Promise<string[]> =>
      committer.commit((writing) => finishAttempts(writing, finished, disableAfter)),
  };
}

/** Events at positions above `above` and below `below`, in the order of the chain. */
export async function eventsAfter(
  engine: Engine,
  above: number,
  below: number,
  limit: number,
): Promise<FanOutEvent[]> {
  const events = await rowsAs<FanOutEvent & { sub_tenant_id: string | null; inbox_id: string | null }>(
    engine.rows(EVENTS_AFTER, [above, below, limit]),
  );
  return events.map(({ sub_tenant_id: subTenantId, inbox_id: inboxId, ...event }) => ({
    ...event,
    subTenantId,
    inboxId,
  }));
}

export async function insertDeliveries(tx: Tx, rows: readonly NewWebhookDelivery[]): Promise<void> {
  await insertRows(
    tx,
    INSERT_DELIVERIES,
    rows.map((row) => DELIVERY_COLUMNS.map((column) => row[column] ?? null)),
  );
}

async function finishAttempts(
  { tx }: Writing,
  finished: readonly FinishedAttempt[],
  disableAfter: number,
): Promise<string[]> {
  const written: FinishedAttempt[] = [];
  const disabled: string[] = [];
  // The result of an endpoint's run of failures depends on the order in which its deliveries ended.
  for (const run of runsOf(finished)) {
    const taken = await takeRun(tx, run);
    written.push(...taken);
    for (const one of taken) {
      const isFailed = one.result.kind === 'failed' || one.result.kind === 'gone';
      const reason = isFailed ? await reasonToDisable(tx, one, disableAfter) : null;
      if (reason === null) continue;
      await tx.run(DISABLE, [reason, one.now, one.endpointId]);
      disabled.push(one.endpointId);
    }
    if (run[0]?.result.kind === 'succeeded') await noteSuccesses(tx, taken);
  }
  await insertAttempts(tx, written);
  return disabled;
}

/** Returns the reason to disable the endpoint after a failed delivery, or null. */
async function reasonToDisable(
  tx: Tx,
  { deliveryId, endpointId, attempt, result }: FinishedAttempt,
  disableAfter: number,
): Promise<string | null> {
  const [first] =
    attempt.number === 1 ? [] : await rowsAs<{ at: Instant }>(tx.run(FIRST_ATTEMPT, [deliveryId]));
  const [counted] = await rowsAs<Pick<WebhookEndpoint, 'consecutive_failures'>>(
    tx.run(COUNT_FAILURE, [endpointId, first?.at ?? attempt.at]),
  );
  if (result.kind === 'gone') return 'The endpoint returned 410 Gone.';
  return counted !== undefined && counted.consecutive_failures >= disableAfter
    ? `The last ${disableAfter} deliveries failed.`
    : null;
}

async function noteSuccesses(tx: Tx, succeeded: readonly FinishedAttempt[]): Promise<void> {
  const latest = new Map<string, number>();
  for (const { endpointId, attempt } of succeeded) {
    latest.set(endpointId, Math.max(latest.get(endpointId) ?? 0, attempt.at));
  }
  for (const [id, at] of latest) await tx.run(NOTE_SUCCESS, [at, at, id]);
}

/** Consecutive successful attempts form one run; every other attempt is a run of its own. */
function runsOf(finished: readonly FinishedAttempt[]): FinishedAttempt[][] {
  const runs: FinishedAttempt[][] = [];
  for (const one of finished) {
    const last = runs.at(-1);
    const isSuccess = one.result.kind === 'succeeded';
    if (isSuccess && last?.[0]?.result.kind === 'succeeded') last.push(one);
    else runs.push([one]);
  }
  return runs;
}

const STATUSES = { succeeded: 'succeeded', retry: 'pending', failed: 'failed', gone: 'failed' } as const;

/** Attempts of the run that were not recorded yet. */
async function takeRun(tx: Tx, run: readonly FinishedAttempt[]): Promise<FinishedAttempt[]> {
  const taken: FinishedAttempt[] = [];
  const isFirst = ({ attempt, result }: FinishedAttempt) =>
    attempt.number === 1 && result.kind === 'succeeded';
  const first = run.filter(isFirst);
  if (first.length > 0) {
    const { marks, values } = inList(first.map((one) => one.deliveryId));
    const rows = await rowsAs<{ id: number }>(tx.run(`${SUCCEED_FIRST} (${marks}) RETURNING id`, values));
    const open = new Set(rows.map(({ id }) => id));
    taken.push(...first.filter(({ deliveryId }) => open.delete(deliveryId)));
  }
  for (const one of run) {
    if (isFirst(one)) continue;
    const { attempt, result, deliveryId } = one;
    const status = STATUSES[result.kind];
    const dueAt = result.kind === 'retry' ? result.dueAt : null;
    const rows = await tx.run(FINISH, [status, attempt.number, dueAt, deliveryId, attempt.number - 1]);
    if (rows.length > 0) taken.push(one);
  }
  return taken;
}

async function insertAttempts(tx: Tx, finished: readonly FinishedAttempt[]): Promise<void> {
  await insertRows(
    tx,
    INSERT_ATTEMPTS,
    finished.map(({ deliveryId, attempt }) => {
      const row = { ...attempt, delivery_id: deliveryId };
      return ATTEMPT_COLUMNS.map((column) => row[column]);
    }),
  );
}

/** The endpoints of these that exist, as this transaction sees them. */
async function existing(tx: Tx, endpointIds: ReadonlySet<string>): Promise<Set<string>> {
  const found = new Set<string>();
  for (const id of endpointIds) if ((await tx.run(HAS_ENDPOINT, [id])).length > 0) found.add(id);
  return found;
}
