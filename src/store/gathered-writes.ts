// Writes of a group commit that nobody reads before they are made: gathered, and made by one statement for many of them. Most of
// the statements that a message would take are of this kind.
import type { MessageStatus } from '../contract/names.js';
import { type StoredEvent, events } from '../events/events.tables.js';
import { attempts } from '../messages/messages.tables.js';
import { EnqueuedRows } from '../messages/accept/enqueued-rows.store.js';
import { columnNames, type RowOf } from './columns.js';
import type { Row, Tx, Value } from './engine/engine.js';
import { inList, insertInto, insertRows } from './sql.js';

type StoredAttempt = RowOf<typeof attempts>;

const EVENT_COLUMNS = columnNames(events);
const INSERT_EVENTS = insertInto(events, EVENT_COLUMNS);
const ATTEMPT_COLUMNS = columnNames(attempts);
const INSERT_ATTEMPTS = insertInto(attempts, ATTEMPT_COLUMNS);
// A crash between two commits may bring the same number again: the later one says how it ended.
const SAME_ATTEMPT = `ON CONFLICT (message_id, number) DO UPDATE SET at = excluded.at, session_id = excluded.session_id,
  detail = excluded.detail, conversation = excluded.conversation`;
const MOVE_STATUS = 'UPDATE messages SET status = ? WHERE status IN';
const DEQUEUE = 'DELETE FROM queue WHERE message_id IN';
/** Message ids of one DELETE or UPDATE. */
const MOST_IDS = 256;

/** Messages whose status moves alike. */
interface StatusMove {
  to: MessageStatus;
  from: readonly MessageStatus[];
  messageIds: number[];
}

/** Rows of one table that are inserted together. */
export interface RowSet {
  /** `INSERT INTO t (a, b)`. */
  readonly head: string;
  /** Such as ON CONFLICT. */
  readonly tail?: string;
  /** Rows that others refer to come first. */
  readonly order: number;
  /** Throws when the rows that the statements returned are not as they should be. */
  readonly check?: (returned: readonly Row[], rows: readonly (readonly Value[])[]) => void;
}

export class GatheredWrites {
  readonly #tx: Tx;
  #sets = new Map<RowSet, Value[][]>();
  #enqueued = new EnqueuedRows();
  #events: StoredEvent[] = [];
  /** By message and number: a statement cannot write a row twice on PostgreSQL. */
  #attempts = new Map<string, StoredAttempt>();
  #dequeued = new Set<number>();
  #moves = new Map<string, StatusMove>();
  #moved = new Set<number>();

  constructor(tx: Tx) {
    this.#tx = tx;
  }

  /** The row may be changed until it is written. */
  insert(set: RowSet, row: Value[]): void {
    const rows = this.#sets.get(set);
    if (rows === undefined) this.#sets.set(set, [row]);
    else rows.push(row);
  }

  /** Rows of the set that are not written yet. */
  rowsOf(set: RowSet): readonly Value[][] {
    return this.#sets.get(set) ?? [];
  }

  enqueue(...row: Parameters<EnqueuedRows['add']>): void {
    this.#enqueued.add(...row);
  }

  insertEvent(event: StoredEvent): void {
    this.#events.push(event);
  }

  insertAttempt(attempt: StoredAttempt): void {
    this.#attempts.set(`${attempt.message_id}/${attempt.number}`, attempt);
  }

  dequeue(messageId: number): void {
    this.#dequeued.add(messageId);
  }

  /** Whether the message's row in the queue is there no longer than until the next flush. */
  hasDequeued(messageId: number): boolean {
    return this.#dequeued.has(messageId);
  }

  /** Moves the message's status where it is one of `from`. */
  moveStatus(messageId: number, to: MessageStatus, from: readonly MessageStatus[]): void {
    this.settleStatus(messageId);
    const key = `${to}/${from.join()}`;
    const same = this.#moves.get(key);
    if (same === undefined) this.#moves.set(key, { to, from, messageIds: [messageId] });
    else same.messageIds.push(messageId);
    this.#moved.add(messageId);
  }

  /** Before another write of the message: the moves so far, if it is among them. */
  settleStatus(messageId: number): void {
    if (this.#moved.has(messageId)) this.#postMoves();
  }

  #postMoves(): void {
    const moves = [...this.#moves.values()];
    this.#moves = new Map();
    this.#moved = new Set();
    for (const { to, from, messageIds } of moves) {
      const statuses = inList(from);
      for (let i = 0; i < messageIds.length; i += MOST_IDS) {
        const ids = inList(messageIds.slice(i, i + MOST_IDS));
        this.#tx.post(`${MOVE_STATUS} (${statuses.marks}) AND id IN (${ids.marks})`, [
          ...[to, ...statuses.values],
          ...ids.values,
        ]);
      }
    }
  }

  /** Makes all of them. */
  async flush(): Promise<void> {
    const sets = [...this.#sets].sort(([a], [b]) => a.order - b.order);
    const enqueued = this.#enqueued;
    const inserted = this.#events.map((row) => EVENT_COLUMNS.map((column) => row[column]));
    const attempted = [...this.#attempts.values()].map((row) => ATTEMPT_COLUMNS.map((column) => row[column]));
    const dequeued = [...this.#dequeued];
    this.#forgetRows();
    for (const [{ head, tail, check }, rows] of sets) {
      const returned = await insertRows(this.#tx, head, rows, tail);
      check?.(returned, rows);
    }
    await enqueued.write(this.#tx);
    await insertRows(this.#tx, INSERT_EVENTS, inserted);
    await insertRows(this.#tx, INSERT_ATTEMPTS, attempted, SAME_ATTEMPT);
    for (let i = 0; i < dequeued.length; i += MOST_IDS) {
      const { marks, values } = inList(dequeued.slice(i, i + MOST_IDS));
      this.#tx.post(`${DEQUEUE} (${marks})`, values);
    }
    this.#postMoves();
  }

  /** Forgets them: what they belong to was refused. */
  discard(): void {
    this.#forgetRows();
    this.#moves = new Map();
    this.#moved = new Set();
  }

  #forgetRows(): void {
    this.#sets = new Map();
    this.#enqueued = new EnqueuedRows();
    this.#events = [];
    this.#attempts = new Map();
    this.#dequeued = new Set();
  }
}
