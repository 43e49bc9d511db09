// Reads the events table: audit trails of messages and of sub-tenants, and the chain.
import type { Selectable } from 'kysely';
import { TENANT_TRAIL_EVENTS, type TrailEvent } from '../contract/names.js';
import { POSITIONS_PER_WORKSPACE } from './chains.store.js';
import type { Engine } from '../database/engine/engine.js';
import { rowsAs } from '../database/sql.js';
import type { Scope } from '../database/scope.js';
import type { StoredEvent, chains, events } from './events.tables.js';
import type { EventDetail } from './append.store.js';
import type { TablesOf } from '../database/columns.js';

type Known = TablesOf<typeof chains | typeof events>;

export type EventStore = ReturnType<typeof createEventStore>;

/** Returns the detail of an event; empty if it was erased. */
export function readDetail(event: Pick<StoredEvent, 'detail'>): EventDetail {
  return event.detail === null ? {} : (JSON.parse(event.detail) as EventDetail);
}

const NAMES_OF_MESSAGE = 'SELECT event FROM events WHERE message_id = ? ORDER BY position';

export function createEventStore(engine: Engine) {
  const db = engine.read.$extendTables<Known>();

  return {
    /** Returns the names of a message's events, in order. */
    async eventNamesOfMessage(messageId: number): Promise<TrailEvent[]> {
      const rows = await rowsAs<{ event: TrailEvent }>(engine.rows(NAMES_OF_MESSAGE, [messageId]));
      return rows.map(({ event }) => event);
    },

    async auditTrailOfMessage(messageId: number): Promise<StoredEvent[]> {
      return db
        .selectFrom('events')
        .selectAll()
        .where('message_id', '=', messageId)
        .orderBy('position')
        .execute();
    },

    /** Returns the events of a sub-tenant in the scope's environment, newest first. */
    async auditTrailOfSubject(
      { environmentId }: Pick<Scope, 'environmentId'>,
      subjectId: string,
      limit: number,
    ): Promise<StoredEvent[]> {
      return db
        .selectFrom('events')
        .selectAll()
        .where('subject_id', '=', subjectId)
        .where('environment_id', '=', environmentId)
        .where('message_id', 'is', null)
        .where('event', 'in', TENANT_TRAIL_EVENTS)
        .orderBy('position', 'desc')
        .limit(limit)
        .execute();
    },

    /** Returns a workspace's events after a number in its chain, oldest first. */
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

    async chainHeads(): Promise<Selectable<Known['chains']>[]> {
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
