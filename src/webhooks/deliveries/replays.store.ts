// Replays of a period to a webhook endpoint: the request, its progress, and reads of events and earlier deliveries.
import { Refusal } from '../../contract/refusal.js';
import { createRangeOfTime } from '../../events/range-of-time.store.js';
import type { Committer } from '../../database/committer.js';
import type { Engine, Tx } from '../../database/engine/engine.js';
import { inList, rowsAs } from '../../database/sql.js';
import { paged } from '../../database/paged.js';
import { type Page, type PageRequest, type Scope, cutPage } from '../../database/scope.js';
import { eventsAfter, insertDeliveries, type FanOutEvent, type NewWebhookDelivery } from './queue.store.js';
import type {
  WebhookDelivery,
  WebhookEndpoint,
  WebhookReplay,
  webhookDeliveries,
  webhookEndpoints,
  webhookReplays,
} from '../webhooks.tables.js';
import type { environments, workspaces } from '../../accounts/accounts.tables.js';
import type { TablesOf } from '../../database/columns.js';

type Known = TablesOf<
  | typeof environments
  | typeof webhookDeliveries
  | typeof webhookEndpoints
  | typeof webhookReplays
  | typeof workspaces
>;

/** Latest delivery of an event to an endpoint. */
export type LastDelivery = Pick<WebhookDelivery, 'public_id' | 'status'>;

/** A replay that can continue. */
interface OpenReplay {
  replay: WebhookReplay;
  endpoint: WebhookEndpoint;
  workspaceNumber: number;
}

/** The same request within this time returns the same replay. */
const SAME_REQUEST_MS = 60_000;
const LOCK_ENDPOINT = 'SELECT status FROM webhook_endpoints WHERE id = ?';
const MOVE = `UPDATE webhook_replays SET position = ?, deliveries = deliveries + ?, finished_at = ?
  WHERE id = ? AND position = ? AND finished_at IS NULL RETURNING 1 AS one`;
const DUE_OF_ENDPOINT = `SELECT COUNT(*) AS due FROM (SELECT 1 FROM webhook_deliveries
  WHERE endpoint_id = ? AND status = 'pending' AND due_at <= ? LIMIT ?) AS d`;

export function createWebhookReplays(engine: Engine, committer: Committer) {
  return { ...replayReads(engine), ...replayWrites(engine, committer) };
}

function replayReads(engine: Engine) {
  const db = engine.read.$extendTables<Known>();
  return {
    rangeOfTime: createRangeOfTime(engine),

    async replay(id: string): Promise<WebhookReplay | null> {
      const row = await db.selectFrom('webhook_replays').selectAll().where('id', '=', id).executeTakeFirst();
      return row ?? null;
    },

    /** Of one endpoint in the scope's environment, newest first. */
    async replays(scope: Scope, endpointId: string, page: PageRequest): Promise<Page<WebhookReplay>> {
      const query = paged(
        db
          .selectFrom('webhook_replays')
          .selectAll()
          .where('endpoint_id', '=', endpointId)
          .where('environment_id', '=', scope.environmentId),
        page,
        { key: 'id' },
      );
      return cutPage(await query.execute(), page.limit, (row) => row.id);
    },

    /** Replays of enabled endpoints that are not finished. */
    async openReplays(): Promise<OpenReplay[]> {
      const open = await db
        .selectFrom('webhook_replays as r')
        .innerJoin('webhook_endpoints as w', 'w.id', 'r.endpoint_id')
        .innerJoin('environments as e', 'e.id', 'r.environment_id')
        .innerJoin('workspaces as s', 's.id', 'e.workspace_id')
        .selectAll('r')
        .select('s.number as workspaceNumber')
        .where('r.finished_at', 'is', null)
        .where('w.status', '=', 'enabled')
        .orderBy('r.id')
        .execute();
      if (open.length === 0) return [];
      const ids = open.map((replay) => replay.endpoint_id);
      const rows = await db.selectFrom('webhook_endpoints').selectAll().where('id', 'in', ids).execute();
      const endpoints = new Map(rows.map((row) => [row.id, row]));
      return open.flatMap(({ workspaceNumber, ...replay }) => {
        const endpoint = endpoints.get(replay.endpoint_id);
        return endpoint ? [{ replay, endpoint, workspaceNumber }] : [];
      });
    },

    /** Deliveries of an endpoint that could be attempted now; at most `limit` are counted. */
    async countDue(endpointId: string, now: number, limit: number): Promise<number> {
      const rows = await rowsAs<{ due: number }>(engine.rows(DUE_OF_ENDPOINT, [endpointId, now, limit]));
      return rows[0]?.due ?? 0;
    },

    eventsToReplay: (replay: Pick<WebhookReplay, 'position' | 'end_position'>, limit: number) =>
      eventsAfter(engine, replay.position, replay.end_position + 1, limit),

    /** Earlier deliveries of these events to the endpoint, by position. */
    async lastDeliveries(
      endpointId: string,
      events: readonly Pick<FanOutEvent, 'subject_id'>[],
    ): Promise<Map<number, LastDelivery>> {
      const subjects = [...new Set(events.map((event) => event.subject_id))];
      if (subjects.length === 0) return new Map();
      const { marks, values } = inList(subjects);
      // The plus keeps SQLite from reading all deliveries of the endpoint in the order of their ids.
      const statement = `SELECT event_position, public_id, status FROM webhook_deliveries WHERE endpoint_id = ? AND subject_id IN (${marks})
          AND event_position IS NOT NULL ORDER BY +id`;
      const found = await rowsAs<LastDelivery & { event_position: number }>(
        engine.rows(statement, [endpointId, ...values]),
      );
      return new Map(found.map(({ event_position, ...last }) => [event_position, last]));
    },
  };
}

function replayWrites(engine: Engine, committer: Committer) {
  return {
    /**
     * Inserts a delivery that repeats another, or finds the one that already does and is on its way. Refused as
     * `beginReplay` is.
     */
    repeatDelivery: (row: NewWebhookDelivery & { replay_of: string }): Promise<WebhookDelivery> =>
      committer.commit(async ({ tx }) => {
        await lockEnabled(engine, tx, row.endpoint_id);
        const deliveries = tx.db.$extendTables<Known>().selectFrom('webhook_deliveries').selectAll();
        const pending = await deliveries
          .where('endpoint_id', '=', row.endpoint_id)
          .where('subject_id', '=', row.subject_id)
          .where('status', '=', 'pending')
          .where('replay_of', '=', row.replay_of)
          .executeTakeFirst();
        if (pending) return pending;
        await insertDeliveries(tx, [row]);
        return deliveries.where('public_id', '=', row.public_id).executeTakeFirstOrThrow();
      }),

    /**
     * Stores a new replay, or returns the one that the same request started within the last minute or that is still running.
     * Refused with `not_found`, and with `conflict` while the endpoint is disabled or has another replay in progress.
     */
    beginReplay: (wanted: Omit<WebhookReplay, 'deliveries' | 'finished_at'>): Promise<WebhookReplay> =>
      committer.commit(async ({ tx }) => {
        const { endpoint_id, environment_id, since, until, status, created_at } = wanted;
        const db = tx.db.$extendTables<Known>();
        await lockEnabled(engine, tx, endpoint_id);
        const others = await db
          .selectFrom('webhook_replays')
          .selectAll()
          .where('endpoint_id', '=', endpoint_id)
          .where('environment_id', '=', environment_id)
          .where((eb) =>
            eb.or([eb('finished_at', 'is', null), eb('created_at', '>', created_at - SAME_REQUEST_MS)]),
          )
          .orderBy('id')
          .execute();
        const same = others.find(
          (one) => one.since === since && one.until === until && one.status === status,
        );
        if (same) return same;
        if (others.some((one) => one.finished_at === null)) {
          throw new Refusal('conflict', 'A replay for this webhook endpoint is already in progress.');
        }
        const replay = { ...wanted, deliveries: 0, finished_at: null };
        await db.insertInto('webhook_replays').values(replay).execute();
        return replay;
      }),

    /**
     * Moves a replay to `to` and inserts its deliveries in one transaction. Returns false if another process was faster or the
     * endpoint was deleted.
     */
    moveReplay: (
      replay: Pick<WebhookReplay, 'id' | 'position'>,
      move: { to: number; deliveries: readonly NewWebhookDelivery[]; finishedAt: number | null },
    ): Promise<boolean> =>
      committer.commit(async ({ tx }) => {
        const { to, deliveries, finishedAt } = move;
        const moved = await tx.run(MOVE, [to, deliveries.length, finishedAt, replay.id, replay.position]);
        if (moved.length === 0) return false;
        await insertDeliveries(tx, deliveries);
        return true;
      }),
  };
}

/** Locks the endpoint until the transaction ends. Refused with `not_found`, and with `conflict` if it is disabled. */
async function lockEnabled(engine: Engine, tx: Tx, endpointId: string): Promise<void> {
  const [endpoint] = await rowsAs<Pick<WebhookEndpoint, 'status'>>(
    tx.run(`${LOCK_ENDPOINT} ${engine.forUpdate}`, [endpointId]),
  );
  if (!endpoint) throw new Refusal('not_found');
  if (endpoint.status === 'enabled') return;
  throw new Refusal('conflict', 'The webhook endpoint is disabled. Enable it before you replay events.');
}
