// Inserts the queue rows of a group commit together, and creates missing queues of their destinations.
import type { RouteSide } from '../../contract/names.js';
import type { Committed } from '../../database/change.js';
import type { Tx, Value } from '../../database/engine/engine.js';
import type { Gathering } from '../../database/gathered-writes.js';
import { insertRows, buildUnion, rowsAs } from '../../database/sql.js';

const ENQUEUE = `INSERT INTO queue
  (message_id, queue_id, due_at, expires_at, attempts, lease_until, lease_owner, dot_intent_at, ambiguous_attempts, hold_reason)`;
const FIND_QUEUE = `SELECT id, environment_id AS "environmentId", sub_tenant_key AS "subTenantKey", domain, rank, side
  FROM queues WHERE environment_id = ? AND sub_tenant_key = ? AND domain = ? AND rank = ? AND side = ?`;
const INSERT_QUEUE =
  'INSERT INTO queues (environment_id, sub_tenant_key, domain, rank, side) VALUES (?, ?, ?, ?, ?) ON CONFLICT DO NOTHING RETURNING id';
/** Queues that one statement looks for. */
const MOST_QUEUES = 64;

interface Destination {
  environmentId: number;
  /** '' for none. */
  subTenantKey: string;
  domain: string;
  rank: number;
  /** Default: not decided. */
  side?: RouteSide | '';
}

interface EnqueuedRow {
  messageId: number;
  dueAt: number;
  expiresAt: number;
}

export const enqueuedRows: Gathering<EnqueuedRows> = { order: 3, begin: (tx) => new EnqueuedRows(tx) };

class EnqueuedRows {
  readonly #tx: Tx;
  readonly #rows = new Map<
    string,
    { destination: Destination; rows: EnqueuedRow[]; committed: Set<Committed> }
  >();

  constructor(tx: Tx) {
    this.#tx = tx;
  }

  /** When the rows are written, the queue is noted in `committed`. */
  add(destination: Destination, row: EnqueuedRow, committed: Committed): void {
    const key = keyOf(destination);
    const known = this.#rows.get(key);
    if (known === undefined) {
      this.#rows.set(key, { destination, rows: [row], committed: new Set([committed]) });
      return;
    }
    known.rows.push(row);
    known.committed.add(committed);
  }

  async write(): Promise<void> {
    const tx = this.#tx;
    const destinations = [...this.#rows.values()].map(({ destination }) => destination);
    const ids = await queueIds(tx, destinations);
    const inserted: Value[][] = [];
    for (const [key, { rows, committed }] of this.#rows) {
      const queueId = ids.get(key) ?? 0;
      for (const one of committed) one.queueIds.push(queueId);
      for (const { messageId, dueAt, expiresAt } of rows) {
        inserted.push([messageId, queueId, dueAt, expiresAt, 0, null, null, null, 0, null]);
      }
    }
    await insertRows(tx, ENQUEUE, inserted);
  }
}

/** Returns the id of a queue, which is created if it is missing. */
export async function ensureQueue(tx: Tx, destination: Destination): Promise<number> {
  return (await queueIds(tx, [destination])).get(keyOf(destination)) ?? 0;
}

async function queueIds(tx: Tx, destinations: readonly Destination[]): Promise<Map<string, number>> {
  const ids = new Map<string, number>();
  await find(tx, destinations, ids);
  const missing = destinations.filter((one) => !ids.has(keyOf(one)));
  for (const one of missing) {
    const [row] = await rowsAs<{ id: number }>(tx.run(INSERT_QUEUE, valuesOf(one)));
    if (row) ids.set(keyOf(one), row.id);
  }
  // Another node may have made the same queue between the two statements.
  await find(
    tx,
    missing.filter((one) => !ids.has(keyOf(one))),
    ids,
  );
  const lost = destinations.find((one) => !ids.has(keyOf(one)));
  if (lost) throw new Error(`The queue of ${lost.domain} could be neither found nor made.`);
  return ids;
}

async function find(tx: Tx, destinations: readonly Destination[], ids: Map<string, number>): Promise<void> {
  for (let i = 0; i < destinations.length; i += MOST_QUEUES) {
    const wanted = destinations.slice(i, i + MOST_QUEUES);
    const { text, values } = buildUnion(FIND_QUEUE, wanted.map(valuesOf));
    const rows = await rowsAs<Destination & { id: number }>(tx.run(text, values));
    for (const row of rows) ids.set(keyOf(row), row.id);
  }
}

function valuesOf({ environmentId, subTenantKey, domain, rank, side = '' }: Destination): Value[] {
  return [environmentId, subTenantKey, domain, rank, side];
}

function keyOf({ environmentId, subTenantKey, domain, rank, side = '' }: Destination): string {
  return `${environmentId}/${rank}/${side}/${subTenantKey}/${domain}`;
}
