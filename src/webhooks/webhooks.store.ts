// Webhook endpoints, and deliveries and attempts as the API shows them. deliveries/queue.store.ts makes and moves deliveries, and
// deliveries/replays.store.ts repeats them.
import type { Kysely } from 'kysely';
import type { WebhookEvent } from '../contract/names.js';
import { newId } from '../lib/runtime/index.js';
import type { Committer } from '../database/committer.js';
import type { Engine, Tx } from '../database/engine/engine.js';
import { inList, rowsAs } from '../database/sql.js';
import { paged, earliest, latest, pageInWindows } from '../database/paged.js';
import { type Page, type PageRequest, type Scope, cutPage } from '../database/scope.js';
import { createWebhookQueue } from './deliveries/queue.store.js';
import { createWebhookReplays } from './deliveries/replays.store.js';
import type {
  WebhookAttempt,
  WebhookDelivery,
  WebhookEndpoint,
  webhookAttempts,
  webhookDeliveries,
  webhookEndpoints,
} from './webhooks.tables.js';
import type { TablesOf } from '../database/columns.js';

type Known = TablesOf<typeof webhookAttempts | typeof webhookDeliveries | typeof webhookEndpoints>;

/** Times are of the making of the delivery, `until` exclusive. */
export interface DeliveryFilter {
  /** Any of these, as of events. */
  status?: readonly WebhookDelivery['status'][];
  event?: readonly WebhookEvent[];
  subjectId?: string;
  since?: number;
  until?: number;
}

/** Ids are made a moment before their row is written: by no more than this. */
const ID_SLACK_MS = 60_000;
/** `whd_` and the characters of the time. */
const ID_TIME_LENGTH = 14;
/** Ended deliveries are found by walking the ids: so many of them are read for each one that may go. */
const LOOKS_PER_ROW = 10;

const OLDEST_OF_ENDPOINT = 'SELECT id FROM webhook_deliveries WHERE endpoint_id = ? ORDER BY id LIMIT ?';
const DELETE_REPLAYS = 'DELETE FROM webhook_replays WHERE endpoint_id = ?';
const DELETE_ENDPOINT = 'DELETE FROM webhook_endpoints WHERE id = ?';
const OLD_REPLAYS = 'DELETE FROM webhook_replays WHERE finished_at < ?';
const OLD_SECRETS = `UPDATE webhook_endpoints SET previous_secret_sealed = NULL, previous_secret_until = NULL
  WHERE previous_secret_until <= ?`;

export function createWebhookStore(engine: Engine, committer: Committer) {
  return {
    ...createWebhookQueue(engine, committer),
    ...createWebhookReplays(engine, committer),
    ...endpointQueries(engine.read.$extendTables<Known>()),
    ...deliveryQueries(engine.read.$extendTables<Known>()),
    ...purges(engine.read.$extendTables<Known>(), committer),
  };
}

function endpointQueries(db: Kysely<Known>) {
  return {
    async endpoint(scope: Scope, id: string): Promise<WebhookEndpoint | null> {
      return (await endpoints(db, scope).where('id', '=', id).executeTakeFirst()) ?? null;
    },

    async endpoints(scope: Scope, page: PageRequest): Promise<Page<WebhookEndpoint>> {
      const query = paged(endpoints(db, scope), page, { key: 'id' });
      return cutPage(await query.execute(), page.limit, (row) => row.id);
    },

    async endpointsOfEnvironment(environmentId: number): Promise<WebhookEndpoint[]> {
      return db
        .selectFrom('webhook_endpoints')
        .selectAll()
        .where('environment_id', '=', environmentId)
        .execute();
    },

    /** All that the scope sees: an environment has at most some dozens. */
    async endpointsSeen(scope: Scope): Promise<WebhookEndpoint[]> {
      return endpoints(db, scope).execute();
    },
  };
}

function deliveryQueries(db: Kysely<Known>) {
  return {
    /** Deliveries of one endpoint in the scope's environment, newest first. */
    deliveries: (
      scope: Scope,
      endpointId: string,
      page: PageRequest,
      filter: DeliveryFilter,
    ): Promise<Page<WebhookDelivery>> => deliveryPage(db, { scope, endpointId }, page, filter),

    /** Deliveries about one message or sub-tenant to those of `endpointIds` that the scope sees, newest first. */
    async deliveriesOfSubject(
      scope: Scope,
      { subjectId, endpointIds }: { subjectId: string; endpointIds: readonly string[] },
      page: PageRequest,
    ): Promise<Page<WebhookDelivery>> {
      if (endpointIds.length === 0) return { rows: [], next: null };
      let query = db
        .selectFrom('webhook_deliveries')
        .selectAll()
        .where('endpoint_id', 'in', endpointIds)
        .where('subject_id', '=', subjectId)
        .where('environment_id', '=', scope.environmentId)
        .orderBy('id', 'desc')
        .limit(page.limit + 1);
      if (page.after !== null) query = query.where('id', '<', Number(page.after));
      return cutPage(await query.execute(), page.limit, (row) => String(row.id));
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
  };
}

async function deliveryPage(
  db: Kysely<Known>,
  { scope, endpointId }: { scope: Scope; endpointId: string },
  page: PageRequest,
  filter: DeliveryFilter,
): Promise<Page<WebhookDelivery>> {
  const { status, event, subjectId } = filter;
  const { order = 'desc' } = page;
  const since = latest(filter.since, page.createdAfter);
  const until = earliest(filter.until, page.createdBefore);
  const isForward = order === 'asc';
  // The IDs limit the rows to read, and the rows have the exact times.
  const from = since === undefined ? null : await firstIdAt(db, since - ID_SLACK_MS);
  if (since !== undefined && from === null) return { rows: [], next: null };
  const below = until === undefined ? null : await firstIdAt(db, until + ID_SLACK_MS);
  const beyond = (after: string | null) => {
    let query = db
      .selectFrom('webhook_deliveries')
      .where('endpoint_id', '=', endpointId)
      .where('environment_id', '=', scope.environmentId);
    if (subjectId !== undefined) query = query.where('subject_id', '=', subjectId);
    if (from !== null) query = query.where('id', '>=', from);
    if (below !== null) query = query.where('id', '<', below);
    return after === null ? query : query.where('id', isForward ? '>' : '<', Number(after));
  };
  return pageInWindows<WebhookDelivery>({
    ...page,
    keyOf: (row) => String(row.id),
    async endOf(after, count) {
      if (status === undefined && event === undefined) return null;
      const query = beyond(after).select('id').orderBy('id', order);
      const last = await query
        .offset(count - 1)
        .limit(1)
        .executeTakeFirst();
      return last === undefined ? null : String(last.id);
    },
    rowsOf({ after, end, limit }) {
      let query = beyond(after).selectAll().orderBy('id', order).limit(limit);
      if (end !== null) query = query.where('id', isForward ? '<=' : '>=', Number(end));
      if (status) query = query.where('status', 'in', status);
      if (event) query = query.where('event', 'in', event);
      if (since !== undefined) query = query.where('created_at', '>=', since);
      if (until !== undefined) query = query.where('created_at', '<', until);
      return query.execute();
    },
  });
}

function purges(db: Kysely<Known>, committer: Committer) {
  return {
    /**
     * Deletes up to `limit` deliveries of an endpoint with their attempts, and the endpoint itself with the last of
     * them. False while there are more.
     */
    deleteEndpoint: (endpointId: string, limit: number): Promise<boolean> =>
      committer.commit(async ({ tx }) => {
        const rows = await rowsAs<{ id: number }>(tx.run(OLDEST_OF_ENDPOINT, [endpointId, limit]));
        await deleteDeliveries(
          tx,
          rows.map(({ id }) => id),
        );
        if (rows.length === limit) return false;
        await tx.run(DELETE_REPLAYS, [endpointId]);
        await tx.run(DELETE_ENDPOINT, [endpointId]);
        return true;
      }),

    /**
     * Deletes up to `limit` deliveries created before a time, with their attempts, in the order of row ids after `after`: finished
     * deliveries, and those that wait for a disabled endpoint, possibly forever. `next` is where to continue; null if nothing older
     * is left.
     */
    async purgeDeliveries(
      before: number,
      after: number,
      limit: number,
    ): Promise<{ deleted: number; next: number | null }> {
      const beyond = await firstIdAt(db, before);
      let query = db
        .selectFrom('webhook_deliveries')
        .select(['id', 'status', 'endpoint_id', 'created_at'])
        .where('id', '>', after)
        .orderBy('id')
        .limit(limit * LOOKS_PER_ROW);
      if (beyond !== null) query = query.where('id', '<', beyond);
      const looked = await query.execute();
      const asleep = await db
        .selectFrom('webhook_endpoints')
        .select('id')
        .where('status', '=', 'disabled')
        .execute();
      const disabled = new Set(asleep.map(({ id }) => id));
      const old = looked
        .filter(
          (row) => row.created_at < before && (row.status !== 'pending' || disabled.has(row.endpoint_id)),
        )
        .slice(0, limit);
      const ids = old.map((row) => row.id);
      if (ids.length > 0) await committer.commit(({ tx }) => deleteDeliveries(tx, ids));
      const last = ids.length === limit ? ids.at(-1) : looked.at(-1)?.id;
      const isEnd = ids.length < limit && looked.length < limit * LOOKS_PER_ROW;
      return { deleted: ids.length, next: isEnd ? null : (last ?? null) };
    },

    /** Forgets secrets whose overlap is over, and replays that were finished before a time. */
    purgeEndpoints: (now: number, replaysBefore: number): Promise<void> =>
      committer.commit(async ({ tx }) => {
        await tx.run(OLD_SECRETS, [now]);
        await tx.run(OLD_REPLAYS, [replaysBefore]);
      }),
  };
}

/** Returns the row id of the first delivery whose public id was created at or after a time; null if there is none. */
async function firstIdAt(db: Kysely<Known>, time: number): Promise<number | null> {
  const bound = newId('whd', Math.max(time, 0)).slice(0, ID_TIME_LENGTH);
  const row = await db
    .selectFrom('webhook_deliveries')
    .select('id')
    .where('public_id', '>=', bound)
    .orderBy('public_id')
    .limit(1)
    .executeTakeFirst();
  return row?.id ?? null;
}

async function deleteDeliveries(tx: Tx, ids: readonly number[]): Promise<void> {
  if (ids.length === 0) return;
  const { marks, values } = inList(ids);
  await tx.run(`DELETE FROM webhook_attempts WHERE delivery_id IN (${marks})`, values);
  await tx.run(`DELETE FROM webhook_deliveries WHERE id IN (${marks})`, values);
}

function endpoints(db: Kysely<Known>, scope: Scope) {
  const query = db
    .selectFrom('webhook_endpoints')
    .selectAll()
    .where('environment_id', '=', scope.environmentId);
  return scope.subTenantId === null ? query : query.where('sub_tenant_id', '=', scope.subTenantId);
}
