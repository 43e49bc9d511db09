// Webhook endpoints, deliveries and attempts; the cursor with which fan-out follows the event chains.
import type { Insertable, Kysely, Selectable } from 'kysely';
import { sql } from 'kysely';
import type { WebhookEvent } from '../contract/names.js';
import { POSITIONS_PER_WORKSPACE } from './chains.js';
import type { Committer } from './committer.js';
import type { Engine, Tx } from './engine/engine.js';
import type { Page, PageRequest, Scope } from './scope.js';
import { pageOf } from './scope.js';
import type { Tables } from './tables.js';
import type { EventTable } from './tables/events.js';
import type { WebhookAttemptTable, WebhookDeliveryTable, WebhookEndpointTable } from './tables/webhooks.js';

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
  attempt: Omit<WebhookAttempt, 'delivery_id' | 'url' | 'request_headers' | 'response_headers'>;
  /** `retry` waits until dueAt; `failed` was the last attempt. */
  result: { kind: 'succeeded' } | { kind: 'retry'; dueAt: number } | { kind: 'failed' };
  now: number;
}

const INSERT_DELIVERY = `INSERT INTO webhook_deliveries
  (public_id, endpoint_id, environment_id, event_position, event, subject_id, payload, status, attempts, due_at,
   lease_until, created_at) VALUES (?, ?, ?, ?, ?, ?, ?, 'pending', 0, ?, NULL, ?)`;
const ADVANCE_CURSOR =
  'UPDATE chains SET fanned_out_seq = ? WHERE workspace_number = ? AND fanned_out_seq = ? RETURNING 1 AS one';
const HAS_ENDPOINT = 'SELECT 1 AS one FROM webhook_endpoints WHERE id = ?';
/** First attempts keep the order of their subject; one that is being retried no longer holds up the rest. */
const DUE = `SELECT * FROM webhook_deliveries d WHERE d.endpoint_id = ? AND d.status = 'pending' AND d.due_at <= ?
  AND (d.lease_until IS NULL OR d.lease_until < ?)
  AND NOT EXISTS (SELECT 1 FROM webhook_deliveries e WHERE e.endpoint_id = d.endpoint_id AND e.subject_id = d.subject_id
    AND e.id < d.id AND e.status = 'pending' AND (e.attempts = 0 OR e.lease_until >= ?))
  ORDER BY d.due_at, d.id LIMIT ?`;
const LEASE = 'UPDATE webhook_deliveries SET lease_until = ? WHERE id = ?';
const RELEASE = `UPDATE webhook_deliveries SET lease_until = NULL WHERE id = ? AND lease_until = ? AND status = 'pending'`;
const INSERT_ATTEMPT = `INSERT INTO webhook_attempts
  (delivery_id, number, at, duration_ms, response_status, response_body, error) VALUES (?, ?, ?, ?, ?, ?, ?)`;
/** Only the first who finishes an attempt counts: a lease may have run out while its holder was busy. */
const FINISH = `UPDATE webhook_deliveries SET status = ?, attempts = ?, due_at = ?, lease_until = NULL
  WHERE id = ? AND status = 'pending' AND attempts = ? RETURNING 1 AS one`;
const RESET_FAILURES =
  'UPDATE webhook_endpoints SET consecutive_failures = 0 WHERE id = ? AND consecutive_failures > 0';
const COUNT_FAILURE =
  'UPDATE webhook_endpoints SET consecutive_failures = consecutive_failures + 1 WHERE id = ? RETURNING consecutive_failures';
const DISABLE = `UPDATE webhook_endpoints SET status = 'disabled', disabled_reason = ?, updated_at = ?
  WHERE id = ? AND status = 'enabled'`;
const OLDEST_OF_ENDPOINT = 'SELECT id FROM webhook_deliveries WHERE endpoint_id = ? ORDER BY id LIMIT ?';
const DELETE_ATTEMPTS = 'DELETE FROM webhook_attempts WHERE delivery_id = ?';
const DELETE_DELIVERY = 'DELETE FROM webhook_deliveries WHERE id = ?';
const DELETE_ENDPOINT = 'DELETE FROM webhook_endpoints WHERE id = ?';

export function createWebhookStore(engine: Engine, committer: Committer) {
  const db = engine.read;
  const due = `${DUE} ${engine.forUpdateSkipLocked('d')}`;
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

    async delivery(scope: Scope, endpointId: string, publicId: string): Promise<WebhookDelivery | null> {
      const row = await db
        .selectFrom('webhook_deliveries')
        .selectAll()
        .where('public_id', '=', publicId)
        .where('endpoint_id', '=', endpointId)
        .where('environment_id', '=', scope.environmentId)
        .executeTakeFirst();
      return row ?? null;
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

    /**
     * Moves the cursor and inserts what it passed, together; false when another process was faster. Deliveries to an
     * endpoint that was deleted in the meantime are left out.
     */
    fanOut: (
      cursor: { workspaceNumber: number; from: number; to: number },
      deliveries: readonly Insertable<WebhookDeliveryTable>[],
    ): Promise<boolean> =>
      committer.commit(async ({ tx }) => {
        const moved = await tx.run(ADVANCE_CURSOR, [cursor.to, cursor.workspaceNumber, cursor.from]);
        if (moved.length === 0) return false;
        const known = await existing(tx, new Set(deliveries.map((row) => row.endpoint_id)));
        for (const row of deliveries) {
          if (!known.has(row.endpoint_id)) continue;
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
        .selectFrom('webhook_endpoints as w')
        .where('w.status', '=', 'enabled')
        .select((eb) => [
          'w.id',
          // One step into the index per endpoint, however many deliveries wait; a disabled one may have very many.
          eb
            .selectFrom('webhook_deliveries as d')
            .whereRef('d.endpoint_id', '=', 'w.id')
            .where('d.status', '=', sql.lit('pending'))
            .select(({ fn }) => fn.min('d.due_at').as('due'))
            .as('dueAt'),
        ])
        .execute();
      const ids = rows.filter((row) => row.dueAt !== null && row.dueAt <= now).map((row) => row.id);
      const later = rows.flatMap((row) => (row.dueAt !== null && row.dueAt > now ? [row.dueAt] : []));
      const found =
        ids.length === 0
          ? []
          : await db.selectFrom('webhook_endpoints').selectAll().where('id', 'in', ids).execute();
      return { endpoints: found, nextDueAt: later.length === 0 ? null : Math.min(...later) };
    },

    /** Leases up to `limit` due deliveries of one endpoint. */
    claimDeliveries: (
      endpointId: string,
      now: number,
      leaseUntil: number,
      limit: number,
    ): Promise<WebhookDelivery[]> =>
      committer.commit(async ({ tx }) => {
        const found = await tx.run(due, [endpointId, now, now, now, limit]);
        const claimed = found as unknown as WebhookDelivery[]; // SELECT * of that table
        for (const delivery of claimed) await tx.run(LEASE, [leaseUntil, delivery.id]);
        return claimed.map((delivery) => ({ ...delivery, lease_until: leaseUntil }));
      }),

    /** Gives back deliveries that were claimed and not attempted, unless someone else has leased them since. */
    releaseDeliveries: (claimed: readonly Pick<WebhookDelivery, 'id' | 'lease_until'>[]): Promise<void> =>
      committer.commit(async ({ tx }) => {
        for (const { id, lease_until } of claimed) await tx.run(RELEASE, [id, lease_until]);
      }),

    /**
     * Deletes up to `limit` deliveries of an endpoint with their attempts, and the endpoint itself with the last of
     * them. False while there are more.
     */
    deleteEndpoint: (endpointId: string, limit: number): Promise<boolean> =>
      committer.commit(async ({ tx }) => {
        const rows = await tx.run(OLDEST_OF_ENDPOINT, [endpointId, limit]);
        for (const row of rows) {
          const id = row['id'] as number;
          await tx.run(DELETE_ATTEMPTS, [id]);
          await tx.run(DELETE_DELIVERY, [id]);
        }
        if (rows.length === limit) return false;
        await tx.run(DELETE_ENDPOINT, [endpointId]);
        return true;
      }),

    /**
     * Records attempts; one that was recorded before, or whose delivery is gone, changes nothing. Returns the endpoints
     * that this disabled: `disableAfter` failed deliveries in a row.
     */
    finishAttempts: (finished: readonly FinishedAttempt[], disableAfter: number): Promise<string[]> =>
      committer.commit(async ({ tx }) => {
        const disabled: string[] = [];
        for (const { deliveryId, endpointId, attempt, result, now } of finished) {
          const taken = await tx.run(FINISH, [
            result.kind === 'retry' ? 'pending' : result.kind,
            attempt.number,
            result.kind === 'retry' ? result.dueAt : null,
            deliveryId,
            attempt.number - 1,
          ]);
          if (taken.length === 0) continue;
          await tx.run(INSERT_ATTEMPT, [
            deliveryId,
            attempt.number,
            attempt.at,
            attempt.duration_ms,
            attempt.response_status,
            attempt.response_body,
            attempt.error,
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

/** The endpoints of these that exist, as this transaction sees them. */
async function existing(tx: Tx, endpointIds: ReadonlySet<string>): Promise<Set<string>> {
  const found = new Set<string>();
  for (const id of endpointIds) if ((await tx.run(HAS_ENDPOINT, [id])).length > 0) found.add(id);
  return found;
}

function endpoints(db: Kysely<Tables>, scope: Scope) {
  const query = db.selectFrom('webhook_endpoints').selectAll().where('workspace_id', '=', scope.workspaceId);
  return scope.subTenantId === null ? query : query.where('sub_tenant_id', '=', scope.subTenantId);
}
