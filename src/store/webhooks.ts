// Webhook endpoints, deliveries and attempts; the cursor with which fan-out follows the event chains.
import type { Insertable, Kysely, Selectable } from 'kysely';
import type { WebhookEvent } from '../contract/names.js';
import { POSITIONS_PER_WORKSPACE } from './chains.js';
import type { Committer } from './committer.js';
import type { Engine } from './engine/engine.js';
import type { Page, PageRequest, Scope } from './scope.js';
import { pageOf } from './scope.js';
import type {
  EventTable,
  Tables,
  WebhookAttemptTable,
  WebhookDeliveryTable,
  WebhookEndpointTable,
} from './tables.js';

export type WebhookEndpoint = Selectable<WebhookEndpointTable>;
export type WebhookDelivery = Selectable<WebhookDeliveryTable>;
export type WebhookAttempt = Selectable<WebhookAttemptTable>;
/** An event with the sub-tenant that it concerns. */
export type FanOutEvent = Selectable<EventTable> & { subTenantId: string | null };

export interface ChainLag {
  workspaceNumber: number;
  workspaceId: string;
  headSeq: number;
  fannedOutSeq: number;
}

export interface FinishedAttempt {
  deliveryId: number;
  endpointId: string;
  attempt: Omit<WebhookAttempt, 'delivery_id'>;
  /** `retry` waits until dueAt; `failed` was the last attempt. */
  result: { kind: 'succeeded' } | { kind: 'retry'; dueAt: number } | { kind: 'failed' };
  now: number;
}

export type WebhookStore = ReturnType<typeof createWebhookStore>;

const INSERT_DELIVERY = `INSERT INTO webhook_deliveries
  (public_id, endpoint_id, environment_id, event_position, event, subject_id, payload, status, attempts, due_at,
   lease_until, created_at) VALUES (?, ?, ?, ?, ?, ?, ?, 'pending', 0, ?, NULL, ?)`;
const ADVANCE_CURSOR =
  'UPDATE chains SET fanned_out_seq = ? WHERE workspace_number = ? AND fanned_out_seq = ? RETURNING 1 AS one';
/** First attempts keep the order of their subject; one that is being retried no longer holds up the rest. */
const DUE = `SELECT * FROM webhook_deliveries d WHERE d.endpoint_id = ? AND d.status = 'pending' AND d.due_at <= ?
  AND (d.lease_until IS NULL OR d.lease_until < ?)
  AND NOT EXISTS (SELECT 1 FROM webhook_deliveries e WHERE e.endpoint_id = d.endpoint_id AND e.subject_id = d.subject_id
    AND e.id < d.id AND e.status = 'pending' AND (e.attempts = 0 OR e.lease_until >= ?))
  ORDER BY d.due_at, d.id LIMIT ?`;
const LEASE = 'UPDATE webhook_deliveries SET lease_until = ? WHERE id = ?';
const INSERT_ATTEMPT = `INSERT INTO webhook_attempts
  (delivery_id, number, at, duration_ms, response_status, response_body, error) VALUES (?, ?, ?, ?, ?, ?, ?)`;
const FINISH = `UPDATE webhook_deliveries SET status = ?, attempts = ?, due_at = ?, lease_until = NULL
  WHERE id = ? AND status = 'pending'`;
const RESET_FAILURES =
  'UPDATE webhook_endpoints SET consecutive_failures = 0 WHERE id = ? AND consecutive_failures > 0';
const COUNT_FAILURE =
  'UPDATE webhook_endpoints SET consecutive_failures = consecutive_failures + 1 WHERE id = ? RETURNING consecutive_failures';
const DISABLE = `UPDATE webhook_endpoints SET status = 'disabled', disabled_reason = ?, updated_at = ?
  WHERE id = ? AND status = 'enabled'`;

export function createWebhookStore(engine: Engine, committer: Committer) {
  const db = engine.read;
  return {
    async endpoint(scope: Scope, id: string): Promise<WebhookEndpoint | null> {
      return (await endpoints(db, scope).where('id', '=', id).executeTakeFirst()) ?? null;
    },

    async endpoints(scope: Scope, page: PageRequest): Promise<Page<WebhookEndpoint>> {
      let query = endpoints(db, scope)
        .orderBy('id', 'desc')
        .limit(page.limit + 1);
      if (page.after !== null) query = query.where('id', '<', page.after);
      return pageOf(await query.execute(), page.limit, (row) => row.id);
    },

    async endpointsOfWorkspace(workspaceId: string): Promise<WebhookEndpoint[]> {
      return db.selectFrom('webhook_endpoints').selectAll().where('workspace_id', '=', workspaceId).execute();
    },

    /** Deliveries of one endpoint in the scope's environment, newest first. */
    async deliveries(
      scope: Scope,
      endpointId: string,
      page: PageRequest,
      filter: { status?: WebhookDelivery['status']; event?: WebhookEvent },
    ): Promise<Page<WebhookDelivery>> {
      let query = db
        .selectFrom('webhook_deliveries')
        .selectAll()
        .where('endpoint_id', '=', endpointId)
        .where('environment_id', '=', scope.environmentId)
        .orderBy('id', 'desc')
        .limit(page.limit + 1);
      if (filter.status) query = query.where('status', '=', filter.status);
      if (filter.event) query = query.where('event', '=', filter.event);
      if (page.after !== null) query = query.where('id', '<', Number(page.after));
      return pageOf(await query.execute(), page.limit, (row) => String(row.id));
    },

    async attemptsOf(deliveryIds: readonly number[]): Promise<WebhookAttempt[]> {
      if (deliveryIds.length === 0) return [];
      return db
        .selectFrom('webhook_attempts')
        .selectAll()
        .where('delivery_id', 'in', deliveryIds)
        .orderBy('delivery_id')
        .orderBy('number')
        .execute();
    },

    /** Chains with events that no fan-out has seen. */
    async lagging(): Promise<ChainLag[]> {
      return db
        .selectFrom('chains as c')
        .innerJoin('workspaces as w', 'w.number', 'c.workspace_number')
        .whereRef('c.head_seq', '>', 'c.fanned_out_seq')
        .select([
          'c.workspace_number as workspaceNumber',
          'w.id as workspaceId',
          'c.head_seq as headSeq',
          'c.fanned_out_seq as fannedOutSeq',
        ])
        .execute();
    },

    async eventsToFanOut(workspaceNumber: number, afterSeq: number, limit: number): Promise<FanOutEvent[]> {
      const start = workspaceNumber * POSITIONS_PER_WORKSPACE;
      const rows = await db
        .selectFrom('events as v')
        .leftJoin('messages as m', 'm.id', 'v.message_id')
        .selectAll('v')
        .select('m.sub_tenant_id')
        .where('v.position', '>', start + afterSeq)
        .where('v.position', '<', start + POSITIONS_PER_WORKSPACE)
        .orderBy('v.position')
        .limit(limit)
        .execute();
      return rows.map(({ sub_tenant_id, ...event }) => ({
        ...event,
        subTenantId: event.message_id === null ? event.subject_id : sub_tenant_id,
      }));
    },

    /** Moves the cursor and inserts what it passed, together; false when another process was faster. */
    fanOut: (
      cursor: { workspaceNumber: number; from: number; to: number },
      deliveries: readonly Insertable<WebhookDeliveryTable>[],
    ): Promise<boolean> =>
      committer.commit(async ({ tx }) => {
        const moved = await tx.run(ADVANCE_CURSOR, [cursor.to, cursor.workspaceNumber, cursor.from]);
        if (moved.length === 0) return false;
        for (const row of deliveries) {
          await tx.run(INSERT_DELIVERY, [
            row.public_id,
            row.endpoint_id,
            row.environment_id,
            row.event_position ?? null,
            row.event,
            row.subject_id,
            row.payload,
            row.due_at ?? null,
            row.created_at,
          ]);
        }
        return true;
      }),

    /** Enabled endpoints with something due now, and the earliest time at which any has. */
    async dueEndpoints(now: number): Promise<{ endpoints: WebhookEndpoint[]; nextDueAt: number | null }> {
      const rows = await db
        .selectFrom('webhook_deliveries as d')
        .innerJoin('webhook_endpoints as w', 'w.id', 'd.endpoint_id')
        .where('d.status', '=', 'pending')
        .where('w.status', '=', 'enabled')
        .select(({ fn }) => ['d.endpoint_id as id', fn.min('d.due_at').as('dueAt')])
        .groupBy('d.endpoint_id')
        .execute();
      const ids = rows.filter((row) => row.dueAt !== null && row.dueAt <= now).map((row) => row.id);
      const later = rows.flatMap((row) => (row.dueAt !== null && row.dueAt > now ? [row.dueAt] : []));
      const due =
        ids.length === 0
          ? []
          : await db.selectFrom('webhook_endpoints').selectAll().where('id', 'in', ids).execute();
      return { endpoints: due, nextDueAt: later.length === 0 ? null : Math.min(...later) };
    },

    /** Leases up to `limit` due deliveries of one endpoint. */
    claimDeliveries: (
      endpointId: string,
      now: number,
      leaseUntil: number,
      limit: number,
    ): Promise<WebhookDelivery[]> =>
      committer.commit(async ({ tx }) => {
        const due = (await tx.run(DUE, [endpointId, now, now, now, limit])) as unknown as WebhookDelivery[];
        for (const delivery of due) await tx.run(LEASE, [leaseUntil, delivery.id]);
        return due;
      }),

    /** Records attempts. Returns the endpoints that this disabled: `disableAfter` failed deliveries in a row. */
    finishAttempts: (finished: readonly FinishedAttempt[], disableAfter: number): Promise<string[]> =>
      committer.commit(async ({ tx }) => {
        const disabled: string[] = [];
        for (const { deliveryId, endpointId, attempt, result, now } of finished) {
          await tx.run(INSERT_ATTEMPT, [
            deliveryId,
            attempt.number,
            attempt.at,
            attempt.duration_ms,
            attempt.response_status,
            attempt.response_body,
            attempt.error,
          ]);
          const status = result.kind === 'retry' ? 'pending' : result.kind;
          await tx.run(FINISH, [
            status,
            attempt.number,
            result.kind === 'retry' ? result.dueAt : null,
            deliveryId,
          ]);
          if (result.kind === 'succeeded') await tx.run(RESET_FAILURES, [endpointId]);
          if (result.kind === 'failed') {
            const failures = (await tx.run(COUNT_FAILURE, [endpointId]))[0]?.['consecutive_failures'];
            if (typeof failures === 'number' && failures >= disableAfter) {
              await tx.run(DISABLE, [`The last ${disableAfter} deliveries all failed.`, now, endpointId]);
              disabled.push(endpointId);
            }
          }
        }
        return disabled;
      }),
  };
}

function endpoints(db: Kysely<Tables>, scope: Scope) {
  const query = db.selectFrom('webhook_endpoints').selectAll().where('workspace_id', '=', scope.workspaceId);
  return scope.subTenantId === null ? query : query.where('sub_tenant_id', '=', scope.subTenantId);
}
