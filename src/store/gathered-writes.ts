// Writes of a group commit that nobody reads before they are made: gathered, and made by one statement for many of them. Half of
// the statements that a delivered message would take are of this kind.
import { type StoredEvent, events } from '../events/events.tables.js';
import { attempts } from '../messages/messages.tables.js';
import { columnNames, type RowOf } from './columns.js';
import type { Tx } from './engine/engine.js';
import { inList, insertInto, insertRows } from './sql.js';

type StoredAttempt = RowOf<typeof attempts>;

const EVENT_COLUMNS = columnNames(events);
const INSERT_EVENTS = insertInto(events, EVENT_COLUMNS);
const ATTEMPT_COLUMNS = columnNames(attempts);
const INSERT_ATTEMPTS = insertInto(attempts, ATTEMPT_COLUMNS);
// A crash between two commits may bring the same number again: the later one says how it ended.
const SAME_ATTEMPT = `ON CONFLICT (message_id, number) DO UPDATE SET at = excluded.at, session_id = excluded.session_id,
  detail = excluded.detail, conversation = excluded.conversation`;
const DEQUEUE = 'DELETE FROM queue WHERE message_id IN';
/** Message ids of one DELETE. */
const MOST_IDS = 256;

export class GatheredWrites {
  readonly #tx: Tx;
  #events: StoredEvent[] = [];
  /** By message and number: a statement cannot write a row twice on PostgreSQL. */
  #attempts = new Map<string, StoredAttempt>();
  #dequeued = new Set<number>();

  constructor(tx: Tx) {
    this.#tx = tx;
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

  /** Makes all of them. */
  async flush(): Promise<void> {
    const inserted = this.#events.map((row) => EVENT_COLUMNS.map((column) => row[column]));
    const attempted = [...this.#attempts.values()].map((row) => ATTEMPT_COLUMNS.map((column) => row[column]));
    const dequeued = [...this.#dequeued];
    this.discard();
    await insertRows(this.#tx, INSERT_EVENTS, inserted);
    await insertRows(this.#tx, INSERT_ATTEMPTS, attempted, SAME_ATTEMPT);
    for (let i = 0; i < dequeued.length; i += MOST_IDS) {
      const { marks, values } = inList(dequeued.slice(i, i + MOST_IDS));
      await this.#tx.run(`${DEQUEUE} (${marks})`, values);
    }
  }

  /** Forgets them: what they belong to was refused. */
  discard(): void {
    this.#events = [];
    this.#attempts = new Map();
    this.#dequeued = new Set();
  }
}
