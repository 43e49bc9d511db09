// Changes of messages during delivery: status, queue row, attempts. Finishing many messages causes thousands of changes, so the
// statements are written by hand and handle many messages.
import type { Updateable } from 'kysely';
import type { MessageStatus, RouteSide } from '../contract/names.js';
import { usageDays } from '../accounts/quota.rules.js';
import { usage } from '../accounts/usage.store.js';
import { defineChange } from '../database/change.js';
import { columnNames } from '../database/columns.js';
import type { Writing } from '../database/committer.js';
import type { Tx, Value } from '../database/engine/engine.js';
import type { Gathering, RowSet } from '../database/gathered-writes.js';
import { refuse, type Otherwise } from '../database/refuse.js';
import { inList, insertInto, rowsAs } from '../database/sql.js';
import { ensureQueue } from './accept/enqueued-rows.store.js';
import type { AttemptAbout } from './attempt.schema.js';
import { attempts, type Message, type MessageTable } from './messages.tables.js';

/** Columns of a message without its status. */
export type MessageColumns = Omit<Updateable<MessageTable>, 'status'>;

interface Advance {
  messageId: number;
  to: MessageStatus;
  from: readonly MessageStatus[];
  set?: MessageColumns;
  otherwise?: Otherwise;
}

/**
 * Moves a message's status if it still has one of `from`; with `otherwise` the whole plan is refused if not. `set` is written
 * whether the status moves or not.
 */
export const advanceMessage = defineChange<Advance>('advance', advance, { readsGathered: false });

export const amendMessage = defineChange<{ messageId: number; set: MessageColumns }>('amend', amend, {
  readsGathered: false,
});

/** Takes a message out of the queue. `unleased`: refused when a worker has it. */
export const dequeueMessage = defineChange<{ messageId: number; unleased?: Otherwise }>('dequeue', dequeue, {
  readsGathered: false,
});

interface Requeue {
  messageId: number;
  dueAt: number;
  /** Attempts that a peer or the network decided. */
  attempts: number;
  ambiguousAttempts: number;
  blockedAttempts: number;
  retryStep: number;
  /** The source of the attempt that ended; a later one uses it again. */
  source: string | null;
  holdReason: string | null;
}

/** Returns a message to its queue. */
export const requeueMessage = defineChange<Requeue>(
  'requeue',
  async ({ tx, gathered }, change, committed) => {
    if (gathered.of(queueWrites).hasDequeued(change.messageId)) return;
    const rows = await rowsAs<{ queue_id: number }>(
      tx.run(REQUEUE, [
        change.dueAt,
        change.attempts,
        change.ambiguousAttempts,
        change.blockedAttempts,
        change.retryStep,
        change.source,
        change.holdReason,
        change.messageId,
      ]),
    );
    for (const { queue_id } of rows) committed.queueIds.push(queue_id);
  },
  { readsGathered: false },
);

interface MoveToSide {
  messageId: number;
  environmentId: number;
  /** '' for none. */
  subTenantKey: string;
  domain: string;
  rank: number;
  side: RouteSide;
}

/** Returns an unattempted message to the queue of one side of its route, at its former position. */
export const moveToSide = defineChange<MoveToSide>(
  'move-to-side',
  async ({ tx, gathered }, { messageId, ...destination }, committed) => {
    if (gathered.of(queueWrites).hasDequeued(messageId)) return;
    const queueId = await ensureQueue(tx, destination);
    const rows = await tx.run(MOVE_TO_QUEUE, [queueId, messageId]);
    if (rows.length > 0) committed.queueIds.push(queueId);
  },
  { readsGathered: false },
);

export interface RecordAttempt {
  messageId: number;
  /** Absent: logs and metrics leave the attempt out. */
  about?: AttemptAbout;
  number: number;
  at: number;
  sessionId: string | null;
  /** JSON. */
  detail: string;
  conversation: string | null;
}

/** Keeps an attempt, with the peer and its reply. One row per message and number. */
export const recordAttempt = defineChange<RecordAttempt>(
  'record-attempt',
  ({ gathered }, { messageId, number, at, sessionId, detail, conversation }) => {
    const row = { message_id: messageId, number, at, session_id: sessionId, detail, conversation };
    gathered.insert(
      ATTEMPTS,
      ATTEMPT_COLUMNS.map((column) => row[column]),
    );
  },
  { readsGathered: false },
);

/** Records durably that the final dots of these messages are about to be sent, if the lease still belongs to the owner. */
export const intendDots = defineChange<{ messageIds: readonly number[]; owner: string; at: number }>(
  'intend-dot',
  async ({ tx, gathered }, change, committed) => {
    const writes = gathered.of(queueWrites);
    const messageIds = change.messageIds.filter((messageId) => !writes.hasDequeued(messageId));
    if (messageIds.length === 0) return;
    const { marks, values } = inList(messageIds);
    const rows = await rowsAs<{ message_id: number }>(
      tx.run(`${INTEND_DOT} (${marks}) RETURNING message_id`, [change.at, change.owner, ...values]),
    );
    committed.intended.push(...rows.map(({ message_id }) => message_id));
  },
  { readsGathered: false },
);

const REQUEUE = `UPDATE queue SET lease_until = NULL, lease_owner = NULL, dot_intent_at = NULL, due_at = ?, attempts = ?,
  ambiguous_attempts = ?, blocked_attempts = ?, retry_step = ?, source = ?, hold_reason = ? WHERE message_id = ?
  RETURNING queue_id`;
const MOVE_TO_QUEUE = `UPDATE queue SET queue_id = ?, lease_until = NULL, lease_owner = NULL WHERE message_id = ?
  RETURNING message_id`;
const INTEND_DOT = 'UPDATE queue SET dot_intent_at = ? WHERE lease_owner = ? AND message_id IN';
const DEQUEUE_UNLEASED =
  'DELETE FROM queue WHERE message_id = ? AND lease_until IS NULL RETURNING message_id';
const MOVE_STATUS = 'UPDATE messages SET status = ? WHERE status IN';
const DEQUEUE = 'DELETE FROM queue WHERE message_id IN';
/** Message ids of one DELETE or UPDATE. */
const MOST_IDS = 256;

const ATTEMPT_COLUMNS = columnNames(attempts);
const ATTEMPTS: RowSet = {
  head: insertInto(attempts, ATTEMPT_COLUMNS),
  // A crash between two commits may bring the same number again: the later one says how it ended.
  tail: `ON CONFLICT (message_id, number) DO UPDATE SET at = excluded.at, session_id = excluded.session_id,
  detail = excluded.detail, conversation = excluded.conversation`,
  order: 5,
  keyOf: (row) => `${String(row[MESSAGE_ID])}/${String(row[NUMBER])}`,
};
const MESSAGE_ID = ATTEMPT_COLUMNS.indexOf('message_id');
const NUMBER = ATTEMPT_COLUMNS.indexOf('number');

/** Ends of a message that was queued; from `queued`, which the first attempt leaves, nothing was sent. */
const UNSENT_ENDS: readonly MessageStatus[] = ['canceled', 'suppressed', 'failed', 'bounced'];
/** Counts by the same rules as the code that creates messages. */
const COUNTED = `SELECT environment_id, type, created_at FROM messages WHERE id = ? AND status = 'queued' AND null_sender = 0
  AND environment_id IN (SELECT id FROM environments WHERE mode = 'live')`;

/** Messages that leave the queue, and statuses that move alike, each by one statement for many messages. */
class QueueWrites {
  readonly #tx: Tx;
  readonly #dequeued = new Set<number>();
  #moves = new Map<string, { to: MessageStatus; from: readonly MessageStatus[]; messageIds: number[] }>();
  #moved = new Set<number>();

  constructor(tx: Tx) {
    this.#tx = tx;
  }

  dequeue(messageId: number): void {
    this.#dequeued.add(messageId);
  }

  /** Returns whether the next flush deletes the message's queue row. */
  hasDequeued(messageId: number): boolean {
    return this.#dequeued.has(messageId);
  }

  /** Changes the message's status if it is one of `from`. */
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

  write(): void {
    const dequeued = [...this.#dequeued];
    for (let i = 0; i < dequeued.length; i += MOST_IDS) {
      const { marks, values } = inList(dequeued.slice(i, i + MOST_IDS));
      this.#tx.post(`${DEQUEUE} (${marks})`, values);
    }
    this.#postMoves();
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
}

const queueWrites: Gathering<QueueWrites> = { order: 6, begin: (tx) => new QueueWrites(tx) };

/** Statement texts by their columns, so that each is prepared once. */
const messageUpdates = new Map<string, string>();

function messageUpdate(columns: readonly string[], statuses: number, isGuarded: boolean): string {
  const key = `${columns.join()}/${statuses}/${isGuarded}`;
  let statement = messageUpdates.get(key);
  if (statement === undefined) {
    const marks = Array.from({ length: statuses }, () => '?').join(', ');
    const status = isGuarded
      ? 'status = ?'
      : `status = CASE WHEN status IN (${marks}) THEN ? ELSE status END`;
    const assignments = [...(statuses > 0 ? [status] : []), ...columns.map((column) => `${column} = ?`)];
    const guard = isGuarded ? ` AND status IN (${marks}) RETURNING id` : '';
    statement = `UPDATE messages SET ${assignments.join(', ')} WHERE id = ?${guard}`;
    messageUpdates.set(key, statement);
  }
  return statement;
}

function columnsOf(set: MessageColumns): { names: string[]; values: Value[] } {
  const entries = Object.entries(set).flatMap(([name, value]): [string, Value][] =>
    value === undefined ? [] : [[name, value]],
  );
  return { names: entries.map(([name]) => name), values: entries.map(([, value]) => value) };
}

async function advance(writing: Writing, change: Advance): Promise<void> {
  const { messageId, to, from, otherwise } = change;
  const { tx, gathered } = writing;
  const { names, values } = columnsOf(change.set ?? {});
  const writes = gathered.of(queueWrites);
  if (names.length === 0 && !otherwise && !UNSENT_ENDS.includes(to)) {
    writes.moveStatus(messageId, to, from);
    return;
  }
  writes.settleStatus(messageId);
  if (UNSENT_ENDS.includes(to) && from.includes('queued')) await releaseQueued(writing, messageId);
  if (names.length > 0 && !otherwise) {
    tx.post(messageUpdate(names, from.length, false), [...from, to, ...values, messageId]);
    return;
  }
  const rows = await tx.run(messageUpdate(names, from.length, true), [to, ...values, messageId, ...from]);
  if (rows.length === 0 && otherwise) refuse(otherwise);
}

/** A message that ends without an attempt was never sent, so it is removed from the count of the day on which it was created. */
async function releaseQueued(writing: Writing, messageId: number): Promise<void> {
  const { tx, engine } = writing;
  const [message] = await rowsAs<Pick<Message, 'environment_id' | 'created_at' | 'type'>>(
    tx.run(`${COUNTED} ${engine.forUpdate}`, [messageId]),
  );
  if (!message) return;
  writing.part(usage).add({
    environmentId: message.environment_id,
    day: usageDays(message.created_at).today,
    type: message.type,
    sends: -1,
  });
}

function amend(
  { tx, gathered }: Writing,
  { messageId, set }: { messageId: number; set: MessageColumns },
): void {
  gathered.of(queueWrites).settleStatus(messageId);
  const { names, values } = columnsOf(set);
  tx.post(messageUpdate(names, 0, false), [...values, messageId]);
}

async function dequeue(
  { tx, gathered }: Writing,
  { messageId, unleased }: { messageId: number; unleased?: Otherwise },
): Promise<void> {
  if (!unleased) {
    gathered.of(queueWrites).dequeue(messageId);
    return;
  }
  const rows = await tx.run(DEQUEUE_UNLEASED, [messageId]);
  if (rows.length === 0) refuse(unleased);
}
