// The feed of a scope's events, found in the chain of its workspace among events of other scopes.
import { type Kysely, type Selectable, sql } from 'kysely';
import { RECORD_EVENTS } from '../contract/names.js';
import type { WantedEntries } from '../events/event-names.rules.js';
import { POSITIONS_PER_WORKSPACE } from '../events/chains.store.js';
import { type Page, type PageRequest, type Scope, cutPage } from '../database/scope.js';
import { columnNames, type TablesOf } from '../database/columns.js';
import { events, type EventTable, type chains } from '../events/events.tables.js';
import type { Engine } from '../database/engine/engine.js';
import { createRangeOfTime, type TimeRange } from '../events/range-of-time.store.js';
import type { messages } from '../messages/messages.tables.js';

type Known = TablesOf<typeof chains | typeof events | typeof messages>;

/** Owner of an event: the message's sub-tenant, the sub-tenant itself, or the sub-tenant of the record. */
export const OWNER_OF_EVENT = `COALESCE(m.sub_tenant_id, v.sub_tenant_id,
  CASE WHEN v.message_id IS NULL AND v.subject_id LIKE 'tnt%' THEN v.subject_id END)`;
const owner = sql<string | null>`${sql.raw(OWNER_OF_EVENT)}`;

const EVENT_COLUMNS = columnNames(events, 'sub_tenant_id', 'salt', 'detail_digest', 'hash').map(
  (column) => `v.${column}` as const,
);

/** Most positions of one read of the feed. */
const WINDOW = 5_000;
const MAX_WINDOWS = 8;

/** An event with its owner, and with tags and metadata of its message, which are `null` for other events. */
export type FeedEvent = Omit<Selectable<EventTable>, 'salt' | 'detail_digest' | 'hash'> & {
  /** JSON. */
  tags: string | null;
  metadata: string | null;
};

/** Events after a position in the chain, and how far the chain was read. */
interface FeedPiece {
  rows: FeedEvent[];
  /** The position up to which the chain was read. */
  upTo: number;
  /** Whether the chain ended there when it was read. */
  isEnd: boolean;
}

interface FeedWindow {
  above: number;
  upTo: number;
  order: 'asc' | 'desc';
  limit: number;
  events: WantedEntries | null;
  range: TimeRange;
}

export type FeedStore = ReturnType<typeof createFeedStore>;

export function createFeedStore(engine: Engine) {
  const db = engine.read.$extendTables<Known>();
  const rangeOfTime = createRangeOfTime(engine);

  return {
    /**
     * Events of the scope's environment within a time range. `after` is the position of any event. `events` null selects
     * all except those that must be named. A page may be short, or empty, and have a next one.
     */
    async page(
      scope: Scope,
      page: PageRequest & TimeRange & { order: 'asc' | 'desc'; events?: WantedEntries | null },
    ): Promise<Page<FeedEvent>> {
      const { order, events: wanted = null } = page;
      const { above: start, upTo } = await rangeOfTime(scope.workspaceNumber, page);
      const end = upTo + 1;
      const isForward = order === 'asc';
      const after = page.after === null ? (isForward ? start : end) : Number(page.after);
      let edge = Math.min(Math.max(after, start), end);
      const rows: FeedEvent[] = [];
      for (let windows = 0; windows < MAX_WINDOWS && rows.length <= page.limit; windows++) {
        const next = isForward ? Math.min(edge + WINDOW, end) : Math.max(edge - WINDOW, start);
        if (next === edge) break;
        const between = isForward ? { above: edge, upTo: next } : { above: next - 1, upTo: edge - 1 };
        const limit = page.limit + 1 - rows.length;
        rows.push(
          ...(await feedWindow(db, scope, { ...between, order, limit, events: wanted, range: page })),
        );
        edge = next;
      }
      if (rows.length > page.limit) return cutPage(rows, page.limit, (row) => String(row.position));
      return { rows, next: edge === (isForward ? end : start) ? null : String(edge) };
    },

    /** Events after a position, the oldest first, out of a bounded piece of the chain. */
    async after(
      scope: Scope,
      from: { after: number; limit: number; events: WantedEntries | null },
    ): Promise<FeedPiece> {
      const { start, end } = await readBounds(db, scope);
      const head = end - 1;
      const above = Math.min(Math.max(from.after, start), head);
      const upTo = Math.min(above + WINDOW, head);
      const { limit, events: wanted } = from;
      const rows =
        above === upTo
          ? []
          : await feedWindow(db, scope, { above, upTo, order: 'asc', limit, events: wanted, range: {} });
      const last = rows.at(-1);
      const isFull = rows.length === limit && last !== undefined;
      return { rows, upTo: isFull ? last.position : upTo, isEnd: !isFull && upTo === head };
    },

    /** Returns the time of the event at a position, or `null` if there is none. */
    async occurredAt(position: number): Promise<number | null> {
      const query = db.selectFrom('events').select('occurred_at').where('position', '=', position);
      return (await query.executeTakeFirst())?.occurred_at ?? null;
    },

    /** The position of the last event of each of these workspaces, by their number. */
    async headPositions(workspaceNumbers: readonly number[]): Promise<Map<number, number>> {
      if (workspaceNumbers.length === 0) return new Map();
      const rows = await db
        .selectFrom('chains')
        .select(['workspace_number as workspace', 'head_seq as head'])
        .where('workspace_number', 'in', workspaceNumbers)
        .execute();
      return new Map(
        rows.map(({ workspace, head }) => [workspace, workspace * POSITIONS_PER_WORKSPACE + head]),
      );
    },
  };
}

/** Positions of the workspace's events lie above `start` and below `end`. */
async function readBounds(db: Kysely<Known>, scope: Scope): Promise<{ start: number; end: number }> {
  const start = scope.workspaceNumber * POSITIONS_PER_WORKSPACE;
  const row = await db
    .selectFrom('chains')
    .select('head_seq')
    .where('workspace_number', '=', scope.workspaceNumber)
    .executeTakeFirst();
  return { start, end: start + (row?.head_seq ?? 0) + 1 };
}

/** Matches the detail as JSON, in which quotation marks within texts are escaped. */
const IS_LISTING = sql<boolean>`COALESCE(v.detail, '') LIKE '%"added":true%'`;

/** Events of the scope at positions above `above`, up to and including `upTo`. */
async function feedWindow(db: Kysely<Known>, scope: Scope, window: FeedWindow): Promise<FeedEvent[]> {
  const tenant = scope.subTenantId;
  const { since, until } = window.range;
  let query = db
    .selectFrom('events as v')
    .leftJoin('messages as m', 'm.id', 'v.message_id')
    .select([...EVENT_COLUMNS, 'm.tags', 'm.metadata', owner.as('sub_tenant_id')])
    .where('v.environment_id', '=', scope.environmentId)
    .where('v.position', '>', window.above)
    .where('v.position', '<=', window.upTo)
    // Events of deleted messages are only in the chain.
    .where((eb) => eb.or([eb('v.message_id', 'is', null), eb('m.id', 'is not', null)]))
    .orderBy('v.position', window.order)
    .limit(window.limit);
  // A stream without named events gets those that are sent by default.
  if (window.events === null) query = query.where('v.event', 'not in', RECORD_EVENTS);
  else {
    const { events: names, suppressed } = window.events;
    query = query.where('v.event', 'in', names);
    if (suppressed !== 'both' && names.includes('suppressed')) {
      query = query.where((eb) =>
        eb.or([eb('v.event', '<>', 'suppressed'), suppressed === 'listed' ? IS_LISTING : eb.not(IS_LISTING)]),
      );
    }
  }
  if (since !== undefined) query = query.where('v.occurred_at', '>=', since);
  if (until !== undefined) query = query.where('v.occurred_at', '<', until);
  if (tenant !== null) query = query.where(owner, '=', tenant);
  return query.execute();
}
