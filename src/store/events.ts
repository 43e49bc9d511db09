// Readers of the events table: a message's trail, a tenant's trail, the feed, the chain.
import type { Kysely, Selectable } from 'kysely';
import { POSITIONS_PER_WORKSPACE } from './chains.js';
import type { EventDetail } from './plan.js';
import type { Page, PageRequest, Scope } from './scope.js';
import { pageOf } from './scope.js';
import type { Tables } from './tables.js';
import type { EventTable } from './tables/events.js';
import type { MessageTable } from './tables/messages.js';

/** Positions that one read of the feed looks at, at most: events of others lie between those of a scope. */
const WINDOW = 5_000;
const MAX_WINDOWS = 8;

export type StoredEvent = Selectable<EventTable>;
/** An event with what the feed says of its message; all null for an event about a sub-tenant. */
export type FeedEvent = StoredEvent & {
  [C in 'tags' | 'metadata' | 'sub_tenant_id']: MessageTable[C] | null;
};

export type EventStore = ReturnType<typeof createEventStore>;

/** What an event says besides its name; empty when it was erased. */
export function detailOf(event: Pick<StoredEvent, 'detail'>): EventDetail {
  return event.detail === null ? {} : (JSON.parse(event.detail) as EventDetail);
}

export function createEventStore(db: Kysely<Tables>) {
  return {
    async trailOfMessage(messageId: number): Promise<StoredEvent[]> {
      return db
        .selectFrom('events')
        .selectAll()
        .where('message_id', '=', messageId)
        .orderBy('position')
        .execute();
    },

    async trailOfSubject(subjectId: string, limit: number): Promise<StoredEvent[]> {
      return db
        .selectFrom('events')
        .selectAll()
        .where('subject_id', '=', subjectId)
        .where('message_id', 'is', null)
        .orderBy('position', 'desc')
        .limit(limit)
        .execute();
    },

    /** Events of a workspace after a place in its chain, oldest first. */
    async chainAfter(workspaceNumber: number, seq: number, limit: number): Promise<StoredEvent[]> {
      const start = workspaceNumber * POSITIONS_PER_WORKSPACE;
      return db
        .selectFrom('events')
        .selectAll()
        .where('position', '>', start + seq)
        .where('position', '<', start + POSITIONS_PER_WORKSPACE)
        .orderBy('position')
        .limit(limit)
        .execute();
    },

    /**
     * Events of the scope's environment; `after` is a position, of whatever event. A page may be short, or empty, and
     * not the last.
     */
    async feed(scope: Scope, page: PageRequest & { order: 'asc' | 'desc' }): Promise<Page<FeedEvent>> {
      const start = scope.workspaceNumber * POSITIONS_PER_WORKSPACE;
      const end = start + (await headSeq(db, scope.workspaceNumber)) + 1;
      const isForward = page.order === 'asc';
      const after = page.after === null ? (isForward ? start : end) : Number(page.after);
      let edge = Math.min(Math.max(after, start), end);
      const rows: FeedEvent[] = [];
      for (let windows = 0; windows < MAX_WINDOWS && rows.length <= page.limit; windows++) {
        const next = isForward ? Math.min(edge + WINDOW, end) : Math.max(edge - WINDOW, start);
        if (next === edge) break;
        const between = isForward ? { above: edge, upTo: next } : { above: next - 1, upTo: edge - 1 };
        const limit = page.limit + 1 - rows.length;
        rows.push(...(await feedWindow(db, scope, { ...between, order: page.order, limit })));
        edge = next;
      }
      if (rows.length > page.limit) return pageOf(rows, page.limit, (row) => String(row.position));
      return { rows, next: edge === (isForward ? end : start) ? null : String(edge) };
    },

    async chainHeads(): Promise<Selectable<Tables['chains']>[]> {
      return db.selectFrom('chains').selectAll().orderBy('workspace_number').execute();
    },

    async chainHead(workspaceNumber: number): Promise<{ seq: number; hash: Uint8Array }> {
      return db
        .selectFrom('chains')
        .select(['head_seq as seq', 'head_hash as hash'])
        .where('workspace_number', '=', workspaceNumber)
        .executeTakeFirstOrThrow();
    },
  };
}

async function headSeq(db: Kysely<Tables>, workspaceNumber: number): Promise<number> {
  const row = await db
    .selectFrom('chains')
    .select('head_seq')
    .where('workspace_number', '=', workspaceNumber)
    .executeTakeFirst();
  return row?.head_seq ?? 0;
}

/** Events of the scope at positions above `above`, up to and including `upTo`. */
async function feedWindow(
  db: Kysely<Tables>,
  scope: Scope,
  window: { above: number; upTo: number; order: 'asc' | 'desc'; limit: number },
): Promise<FeedEvent[]> {
  const tenant = scope.subTenantId;
  let query = db
    .selectFrom('events as v')
    .leftJoin('messages as m', 'm.id', 'v.message_id')
    .selectAll('v')
    .select(['m.tags', 'm.metadata', 'm.sub_tenant_id'])
    .where('v.environment_id', '=', scope.environmentId)
    .where('v.position', '>', window.above)
    .where('v.position', '<=', window.upTo)
    .orderBy('v.position', window.order)
    .limit(window.limit);
  if (tenant !== null) {
    query = query.where((eb) =>
      eb.or([
        eb('m.sub_tenant_id', '=', tenant),
        eb.and([eb('v.message_id', 'is', null), eb('v.subject_id', '=', tenant)]),
      ]),
    );
  }
  return query.execute();
}
