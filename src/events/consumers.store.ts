// Consumers of the event chains. A consumer has a cursor per workspace, which moves in the transaction that writes the
// consumer's results, so each event is processed exactly once, even after a crash.
import type { Selectable } from 'kysely';
import { POSITIONS_PER_WORKSPACE } from './chains.store.js';
import type { Committer, Writing } from '../database/committer.js';
import type { Engine } from '../database/engine/engine.js';
import { rowsAs } from '../database/sql.js';
import type { EventTable, chains, consumers } from './events.tables.js';
import type { MessageType } from '../contract/names.js';
import { type Plan, applyPlan } from '../database/change.js';
import type { TablesOf } from '../database/columns.js';

type Known = TablesOf<typeof chains | typeof consumers>;

/** Names of the consumers. They are stored: a renamed consumer starts from the beginning. */
export const CONSUMER_NAMES = ['statistics', 'sequences'] as const;
type ConsumerName = (typeof CONSUMER_NAMES)[number];

/** Columns of the message that consumers read with an event. */
const MESSAGE_COLUMNS = [
  'sub_tenant_id',
  'type',
  'to_key',
  'tags',
  'null_sender',
  'forward',
  'campaign_id',
  'sequence_id',
  'variant',
  'thread_id',
  'route',
  'provider',
] as const;
const EVENT_COLUMNS = [
  'position',
  'environment_id',
  'message_id',
  'subject_id',
  'event',
  'actor',
  'occurred_at',
] as const;
/** The details of other events are not read, because replies of servers would be most of the data. */
const DETAIL = `CASE WHEN v.event IN ('opened', 'clicked', 'bounced', 'suppressed') THEN v.detail END AS detail`;

/** An event with fields of its message, which are null for an event about a sub-tenant. */
export type ConsumedEvent = Pick<Selectable<EventTable>, (typeof EVENT_COLUMNS)[number] | 'detail'> & {
  [C in Exclude<(typeof MESSAGE_COLUMNS)[number], 'type' | 'null_sender'>]: string | null;
} & { type: MessageType | null; null_sender: 0 | 1 | null };

/** A chain with events after a consumer's cursor. */
interface ConsumerLag {
  workspaceNumber: number;
  /** The cursor: number of the last processed event. */
  seq: number;
  headSeq: number;
}

/** A cursor move past the events after `from`, up to and including `to`. */
interface CursorMove {
  name: ConsumerName;
  workspaceNumber: number;
  from: number;
  to: number;
}

/** Writes of the transaction that moves the cursor: a plan, or statements of a store. */
export type Taken = { plan: Plan } | { write: (writing: Writing) => Promise<void> };

export type ConsumerStore = ReturnType<typeof createConsumerStore>;

const LAGGING = `SELECT c.workspace_number AS "workspaceNumber", COALESCE(f.seq, 0) AS seq, c.head_seq AS "headSeq"
  FROM chains c LEFT JOIN consumers f ON f.workspace_number = c.workspace_number AND f.name = ?
  WHERE c.head_seq > COALESCE(f.seq, 0) ORDER BY c.workspace_number`;
const EVENTS_AFTER = `SELECT ${[
  ...EVENT_COLUMNS.map((column) => `v.${column}`),
  ...MESSAGE_COLUMNS.map((column) => `m.${column}`),
  DETAIL,
].join(', ')}
  FROM events v LEFT JOIN messages m ON m.id = v.message_id
  WHERE v.position > ? AND v.position <= ? ORDER BY v.position LIMIT ?`;

/** Returns no row if another process has moved the cursor. */
const MOVE = `INSERT INTO consumers (name, workspace_number, seq) VALUES (?, ?, ?)
  ON CONFLICT (name, workspace_number) DO UPDATE SET seq = excluded.seq WHERE consumers.seq = ?
  RETURNING 1 AS one`;

export function createConsumerStore(engine: Engine, committer: Committer) {
  const db = engine.read.$extendTables<Known>();
  return {
    /** Returns chains with unread events of the consumer. A new chain is read from its beginning. */
    async lagging(name: ConsumerName): Promise<ConsumerLag[]> {
      return rowsAs<ConsumerLag>(engine.rows(LAGGING, [name]));
    },

    /** Whether the consumer has processed every event of a workspace. */
    async isUpToDate(name: ConsumerName, workspaceNumber: number): Promise<boolean> {
      const row = await db
        .selectFrom('chains as c')
        .leftJoin('consumers as f', (join) =>
          join.onRef('f.workspace_number', '=', 'c.workspace_number').on('f.name', '=', name),
        )
        .select(['c.head_seq as headSeq', 'f.seq'])
        .where('c.workspace_number', '=', workspaceNumber)
        .executeTakeFirst();
      return (row?.headSeq ?? 0) <= (row?.seq ?? 0);
    },

    /** Returns the next events of a lagging chain, oldest first. */
    async eventsOf(lag: ConsumerLag, limit: number): Promise<ConsumedEvent[]> {
      const start = lag.workspaceNumber * POSITIONS_PER_WORKSPACE;
      return rowsAs<ConsumedEvent>(engine.rows(EVENTS_AFTER, [start + lag.seq, start + lag.headSeq, limit]));
    },

    /**
     * Moves the cursor and writes the results in one transaction. Resolves to false, with nothing written, if another process
     * has moved the cursor. Rejects with errors of the plan or the statements.
     */
    move: (move: CursorMove, taken: Taken): Promise<boolean> =>
      committer.commit(async (writing) => {
        const { name, workspaceNumber, from, to } = move;
        const moved = await writing.tx.run(MOVE, [name, workspaceNumber, to, from]);
        if (moved.length === 0) return false;
        if ('plan' in taken) await applyPlan(writing, taken.plan);
        else await taken.write(writing);
        return true;
      }),
  };
}

interface ConsumerDeps {
  name: ConsumerName;
  consumers: ConsumerStore;
  /** Most events of a chain that are read and processed together. */
  batch: number;
  /** Reads what it needs and returns the writes for the events, which are of one workspace and in order. */
  take: (events: readonly ConsumedEvent[], workspaceNumber: number) => Promise<Taken>;
  /** Whether this consumer follows the workspace's chain. Default: it follows all chains. */
  isTaken?: (workspaceNumber: number) => boolean;
  /**
   * Called after the heads are read. If it resolves to false, no event up to them matters, and the cursors move without reading
   * events.
   */
  isInterested?: () => Promise<boolean>;
  /** Called with the cursor's new position. */
  onMoved?: (workspaceNumber: number, seq: number) => void;
}

/**
 * Returns a function that moves each lagging chain by one batch at most, and resolves to true if a chain has more. A failing
 * chain does not delay the others: the run rejects after all had their turn.
 */
export function createConsumer(deps: ConsumerDeps): (signal?: AbortSignal) => Promise<boolean> {
  const { name, consumers, batch, take } = deps;

  /** Resolves to true if the chain has more events. */
  async function advance(lag: ConsumerLag, isInterested: boolean): Promise<boolean> {
    const { workspaceNumber, seq: from, headSeq } = lag;
    if (!isInterested) {
      await consumers.move({ name, workspaceNumber, from, to: headSeq }, { plan: [] });
      return false;
    }
    const events = await consumers.eventsOf(lag, batch);
    const last = events.at(-1);
    if (!last) return false;
    const to = last.position - workspaceNumber * POSITIONS_PER_WORKSPACE;
    const hasMoved = await consumers.move(
      { name, workspaceNumber, from, to },
      await take(events, workspaceNumber),
    );
    if (hasMoved) deps.onMoved?.(workspaceNumber, to);
    return hasMoved && to < headSeq;
  }

  return async (signal) => {
    let hasMore = false;
    const faults: unknown[] = [];
    const chains = await consumers.lagging(name);
    const lagging = chains.filter(({ workspaceNumber }) => deps.isTaken?.(workspaceNumber) ?? true);
    if (lagging.length === 0) return false;
    const isInterested = (await deps.isInterested?.()) ?? true;
    for (const lag of lagging) {
      if (signal?.aborted) break;
      try {
        hasMore = (await advance(lag, isInterested)) || hasMore;
      } catch (error) {
        faults.push(error);
      }
    }
    if (faults.length > 0) throw faults[0];
    return hasMore;
  };
}
