// The queue as its owners see it. Queues are counted in slices, so that a million waiting messages do not block the database.
import type { RouteSide } from '../../contract/names.js';
import type { AttemptDetail } from '../../messages/attempt.schema.js';
import type { Committer } from '../../database/committer.js';
import type { Engine, Value } from '../../database/engine/engine.js';
import { inList, rowsAs } from '../../database/sql.js';
import type { Message } from '../../messages/messages.tables.js';
import type { Scope } from '../../database/scope.js';
import { waitingRows } from './waiting-rows.store.js';
import type { DestinationPause, destinationPauses } from '../outbound.tables.js';
import type { Json, TablesOf } from '../../database/columns.js';

type Known = TablesOf<typeof destinationPauses>;

/** Rows counted by one statement (about 6 ms in SQLite). */
const SLICE = 50_000;
/** Cost of reading one more queue, in rows. */
const QUEUE_COST = 150;
/** Rows that one commit makes due (about 10 ms). */
const RETRY_BATCH = 1_000;
/** Rows read from each end of a queue to find attempted messages. */
const TRIED_LOOK = 10;
const MAX_PAUSES = 10_000;

const WAITING = 'FROM queue WHERE queue_id = ? AND lease_until IS NULL';
/**
 * The remaining messages with the same due time, then those with a later one. The index does not order messages with equal due
 * times.
 */
const COUNT_SAME = `SELECT COUNT(*) AS n, MIN(message_id) AS oldest, MAX(message_id) AS last FROM (
  SELECT message_id ${WAITING} AND due_at = ? AND message_id > ? ORDER BY message_id LIMIT ?) AS slice`;
const COUNT_LATER = `SELECT COUNT(*) AS n, MIN(message_id) AS oldest, MIN(due_at) AS first,
    SUM(CASE WHEN due_at <= ? THEN 1 ELSE 0 END) AS due FROM (
  SELECT due_at, message_id ${WAITING} AND due_at > ? ORDER BY due_at, message_id LIMIT ?) AS slice`;
const END_OF_SLICE = `SELECT due_at, message_id ${WAITING} AND due_at > ? ORDER BY due_at, message_id LIMIT 1 OFFSET ?`;

const COLUMNS = `l.id AS "queueId", l.sub_tenant_key AS "subTenantKey", l.domain, l.rank, NULLIF(l.side, '') AS side`;
/** Steps from queue to queue in the index. */
const QUEUES_WITH_MAIL = `WITH RECURSIVE step (queue_id) AS (
    SELECT MIN(queue_id) FROM queue WHERE lease_until IS NULL
    UNION ALL
    SELECT (SELECT MIN(q.queue_id) FROM queue q WHERE q.lease_until IS NULL AND q.queue_id > step.queue_id)
    FROM step WHERE step.queue_id IS NOT NULL)
  SELECT ${COLUMNS} FROM step JOIN queues l ON l.id = step.queue_id`;
const QUEUES = `SELECT ${COLUMNS} FROM queues l`;
const LEASED = `SELECT queue_id, COUNT(*) AS n, MIN(message_id) AS oldest FROM queue WHERE lease_until IS NOT NULL
  GROUP BY queue_id`;
const HELD = 'SELECT queue_id, COUNT(*) AS n FROM queue WHERE hold_reason IS NOT NULL GROUP BY queue_id';
const TRIED = (order: string): string => `SELECT message_id FROM (
  SELECT message_id, attempts ${WAITING} ORDER BY due_at ${order} LIMIT ?) AS look WHERE attempts > 0`;
const ENTRY = `SELECT q.queue_id AS "queueId", l.environment_id AS "environmentId", l.sub_tenant_key AS "subTenantKey",
    l.domain, l.rank, NULLIF(l.side, '') AS side, q.due_at AS "dueAt", q.expires_at AS "expiresAt", q.attempts,
    q.ambiguous_attempts AS "ambiguousAttempts", q.lease_until AS "leaseUntil", q.dot_intent_at AS "dotIntentAt",
    q.hold_reason AS "holdReason", q.source
  FROM queue q
  JOIN queues l ON l.id = q.queue_id WHERE q.message_id = ?`;

/** Waiting and in-flight messages of one queue. */
export interface QueueSnapshot {
  queueId: number;
  subTenantKey: string;
  domain: string;
  rank: number;
  side: RouteSide | null;
  /** Messages that wait for their turn or time. */
  waiting: number;
  /** Waiting messages that are due. */
  due: number;
  /** Waiting messages held by Mailkeel. */
  held: number;
  /** Messages being delivered. */
  leased: number;
  /** Row id of the oldest message; ids grow with acceptance. */
  oldestId: number;
  /** When the first waiting message is due; `null` if none waits. */
  nextDueAt: number | null;
}

type KnownQueue = Pick<QueueSnapshot, 'queueId' | 'subTenantKey' | 'domain' | 'rank' | 'side'>;

/** Rows of COUNT_SAME and COUNT_LATER; all but the number are null if it is 0. */
interface Counted {
  n: number;
  oldest: number;
}
type Same = Counted & { last: number };
type Later = Counted & { first: number; due: number };
type QueuedMessage = { message_id: number };

/** A message's place in the queue. */
export interface QueueEntry {
  queueId: number;
  environmentId: number;
  subTenantKey: string;
  domain: string;
  rank: number;
  side: RouteSide | null;
  dueAt: number;
  expiresAt: number;
  attempts: number;
  ambiguousAttempts: number;
  leaseUntil: number | null;
  dotIntentAt: number | null;
  holdReason: string | null;
  source: string | null;
}

export type QueueViewStore = ReturnType<typeof createQueueViewStore>;

/** `sliceRows`: most rows that one statement counts; for tests. */
export function createQueueViewStore(
  engine: Engine,
  committer: Committer,
  { sliceRows = SLICE }: { sliceRows?: number } = {},
) {
  return {
    /** The scope's queues that have mail; with `domain` those of one destination. */
    queues(scope: Scope, now: number, domain?: string): Promise<QueueSnapshot[]> {
      const reading = { engine, now, sliceRows, pause: createPause(sliceRows) };
      return readSnapshots(reading, scope, domain);
    },

    /** Ids of the scope's queues towards one domain, with mail or without; without `domain` of all that have waiting mail. */
    async queueIds(scope: Scope, domain?: string): Promise<number[]> {
      return (await readQueues(engine, scope, domain, [])).map(({ queueId }) => queueId);
    },

    /** Unscoped: the message must have been found with a scope. */
    async entry(message: { id: number }): Promise<QueueEntry | null> {
      const [entry] = await rowsAs<QueueEntry>(engine.rows(ENTRY, [message.id]));
      return entry ?? null;
    },

    /** Epoch ms of acceptance, by row id. */
    async acceptedAt(messageIds: readonly number[]): Promise<Map<number, number>> {
      if (messageIds.length === 0) return new Map();
      const { marks, values } = inList(messageIds);
      const rows = await rowsAs<Pick<Message, 'id' | 'created_at'>>(
        engine.rows(`SELECT id, created_at FROM messages WHERE id IN (${marks})`, values),
      );
      return new Map(rows.map(({ id, created_at }) => [id, created_at]));
    },

    /** Some waiting messages of the queues that have been attempted, from both ends of each queue. */
    async triedIn(queueIds: readonly number[]): Promise<number[]> {
      const found = new Set<number>();
      for (const queueId of queueIds) {
        for (const order of ['ASC', 'DESC']) {
          const rows = await rowsAs<QueuedMessage>(engine.rows(TRIED(order), [queueId, TRIED_LOOK]));
          for (const { message_id } of rows) found.add(message_id);
        }
      }
      return [...found];
    },

    /** Pauses of the scope and of the whole environment, for one domain or at most 10,000. */
    pauses: (scope: Scope, domain?: string): Promise<DestinationPause[]> => readPauses(engine, scope, domain),

    /**
     * Makes deferred and held mail of the queues due, 1,000 messages a commit, and counts it. Scheduled messages, those that may
     * have arrived, and those whose receiver asked for a delay (`waiting`) keep their time. `waitsUntil` returns the end (epoch
     * ms) of the delay that the last attempt asks for.
     */
    async retryNow(
      queueIds: readonly number[],
      now: number,
      waitsUntil: Retrying['waitsUntil'],
    ): Promise<{ retried: number; waiting: number }> {
      const total = { retried: 0, waiting: 0 };
      for (const queueId of queueIds) {
        const { retried, waiting } = await retryQueue({ engine, committer, now, waitsUntil }, queueId);
        total.retried += retried;
        total.waiting += waiting;
      }
      return total;
    },
  };
}

/** Reads the scope's queues: those of one domain, or those with waiting mail and those in `leased`. */
async function readQueues(
  engine: Engine,
  scope: Scope,
  domain: string | undefined,
  leased: readonly number[],
): Promise<KnownQueue[]> {
  const tenant = scope.subTenantId === null ? '' : ' AND l.sub_tenant_key = ?';
  const where = `WHERE l.environment_id = ?${tenant}`;
  const whereIds = `WHERE +l.environment_id = ?${tenant} AND l.id IN`;
  const values = [scope.environmentId, ...(scope.subTenantId === null ? [] : [scope.subTenantId])];
  const read = (statement: string, more: readonly Value[] = []) =>
    rowsAs<KnownQueue>(engine.rows(statement, [...values, ...more]));
  if (domain !== undefined) return read(`${QUEUES} ${where} AND l.domain = ?`, [domain]);
  const waiting = await read(`${QUEUES_WITH_MAIL} ${where}`);
  const known = new Set(waiting.map(({ queueId }) => queueId));
  const others = leased.filter((queueId) => !known.has(queueId));
  if (others.length === 0) return waiting;
  const list = inList(others);
  return [...waiting, ...(await read(`${QUEUES} ${whereIds} (${list.marks})`, list.values))];
}

async function readSnapshots(
  reading: Reading,
  scope: Scope,
  domain: string | undefined,
): Promise<QueueSnapshot[]> {
  const { engine } = reading;
  const leased = new Map(
    (await rowsAs<{ queue_id: number; n: number; oldest: number }>(engine.rows(LEASED, []))).map((row) => [
      row.queue_id,
      row,
    ]),
  );
  const held = new Map(
    (await rowsAs<{ queue_id: number; n: number }>(engine.rows(HELD, []))).map((row) => [
      row.queue_id,
      row.n,
    ]),
  );
  const snapshots: QueueSnapshot[] = [];
  for (const known of await readQueues(engine, scope, domain, [...leased.keys()])) {
    const { queueId } = known;
    const count = await countQueue(reading, queueId);
    const onTheWay = leased.get(queueId);
    const oldest = [count.oldestId, onTheWay?.oldest ?? null].filter((id) => id !== null);
    if (oldest.length === 0) continue;
    snapshots.push({
      ...known,
      waiting: count.waiting,
      due: count.due,
      held: Math.min(held.get(queueId) ?? 0, count.waiting),
      leased: onTheWay?.n ?? 0,
      oldestId: Math.min(...oldest),
      nextDueAt: count.nextDueAt,
    });
  }
  return snapshots;
}

async function readPauses(
  engine: Engine,
  scope: Scope,
  domain: string | undefined,
): Promise<DestinationPause[]> {
  let query = engine.read
    .$extendTables<Known>()
    .selectFrom('destination_pauses')
    .selectAll()
    .where('environment_id', '=', scope.environmentId)
    .orderBy('sub_tenant_key')
    .orderBy('domain')
    .limit(MAX_PAUSES);
  if (scope.subTenantId !== null) query = query.where('sub_tenant_key', 'in', ['', scope.subTenantId]);
  if (domain !== undefined) query = query.where('domain', '=', domain);
  return query.execute();
}

/** Yields to the event loop after each `sliceRows` rows. */
function createPause(sliceRows: number): (rows: number) => Promise<void> {
  let read = 0;
  return async (rows) => {
    read += rows;
    if (read < sliceRows) return;
    read = 0;
    await new Promise((resolve) => setImmediate(resolve));
  };
}

interface QueueCount {
  waiting: number;
  due: number;
  oldestId: number | null;
  nextDueAt: number | null;
}

interface Reading {
  engine: Engine;
  now: number;
  sliceRows: number;
  pause: (rows: number) => Promise<void>;
}

async function countQueue(reading: Reading, queueId: number): Promise<QueueCount> {
  const { engine, now, sliceRows, pause } = reading;
  const count: QueueCount = { waiting: 0, due: 0, oldestId: null, nextDueAt: null };
  let dueAt = -1;
  for (;;) {
    const [later] = await rowsAs<Later>(engine.rows(COUNT_LATER, [now, queueId, dueAt, sliceRows]));
    if (!later || later.n === 0) return count;
    count.waiting += later.n;
    count.due += later.due;
    count.nextDueAt ??= later.first;
    count.oldestId = Math.min(count.oldestId ?? Infinity, later.oldest);
    await pause(later.n + QUEUE_COST);
    if (later.n < sliceRows) return count;
    const [end] = await rowsAs<QueuedMessage & { due_at: number }>(
      engine.rows(END_OF_SLICE, [queueId, dueAt, sliceRows - 1]),
    );
    if (!end) return count;
    dueAt = end.due_at;
    await countSame(reading, { queueId, dueAt, after: end.message_id }, count);
  }
}

/** Adds the messages of one due time after one of them. */
async function countSame(
  { engine, now, sliceRows, pause }: Reading,
  from: { queueId: number; dueAt: number; after: number },
  count: QueueCount,
): Promise<void> {
  let { after } = from;
  for (;;) {
    const [same] = await rowsAs<Same>(engine.rows(COUNT_SAME, [from.queueId, from.dueAt, after, sliceRows]));
    if (!same || same.n === 0) return;
    count.waiting += same.n;
    if (from.dueAt <= now) count.due += same.n;
    count.oldestId = Math.min(count.oldestId ?? Infinity, same.oldest);
    await pause(same.n);
    if (same.n < sliceRows) return;
    after = same.last;
  }
}

interface Retrying {
  engine: Engine;
  committer: Committer;
  now: number;
  waitsUntil: (last: { at: number; detail: AttemptDetail }) => number;
}

async function retryQueue(
  { engine, committer, now, waitsUntil }: Retrying,
  queueId: number,
): Promise<{ retried: number; waiting: number }> {
  let retried = 0;
  let waiting = 0;
  for await (const rows of waitingRows(engine, queueId, { after: now, size: RETRY_BATCH })) {
    const wanted = rows
      .filter((row) => row.attempts > 0 || row.hold_reason !== null)
      .filter((row) => row.ambiguous_attempts === 0)
      .map((row) => row.message_id);
    const asked = await askedToWait({ engine, now, waitsUntil }, wanted);
    const ids = wanted.filter((id) => !asked.has(id));
    waiting += asked.size;
    if (ids.length > 0) retried += await makeDue(committer, ids, now);
    else await new Promise((resolve) => setImmediate(resolve));
  }
  return { retried, waiting };
}

async function askedToWait(
  { engine, now, waitsUntil }: Omit<Retrying, 'committer'>,
  messageIds: readonly number[],
): Promise<Set<number>> {
  if (messageIds.length === 0) return new Set();
  const { marks, values } = inList(messageIds);
  const statement = `SELECT a.message_id, a.at, a.detail FROM attempts a WHERE a.message_id IN (${marks})
      AND a.number = (SELECT MAX(b.number) FROM attempts b WHERE b.message_id = a.message_id)`;
  const rows = await rowsAs<QueuedMessage & { at: number; detail: Json }>(engine.rows(statement, values));
  const waits = rows.filter(
    ({ at, detail }) => waitsUntil({ at, detail: JSON.parse(detail) as AttemptDetail }) > now,
  );
  return new Set(waits.map(({ message_id }) => message_id));
}

function makeDue(committer: Committer, messageIds: readonly number[], now: number): Promise<number> {
  const { marks, values } = inList(messageIds);
  // A message that was attempted and deferred since the reading is also retried sooner.
  const statement = `UPDATE queue SET due_at = ? WHERE message_id IN (${marks}) AND lease_until IS NULL AND due_at > ?
    AND (attempts > 0 OR hold_reason IS NOT NULL) AND ambiguous_attempts = 0 RETURNING message_id`;
  return committer.commit(async ({ tx }) => (await tx.run(statement, [now, ...values, now])).length);
}
