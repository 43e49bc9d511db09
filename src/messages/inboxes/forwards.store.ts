// Forwarding addresses of inboxes.
import { createHash } from 'node:crypto';
import type { Change } from '../../database/change.js';
import type { TablesOf } from '../../database/columns.js';
import type { Engine } from '../../database/engine/engine.js';
import { remove } from '../../database/rows.js';
import { rowsAs } from '../../database/sql.js';
import { type ForwardingEnd, inboxForwards, type InboxForward } from './forwards.tables.js';
import type { inboxes } from './inboxes.tables.js';

type Known = TablesOf<typeof inboxForwards | typeof inboxes>;

/** Has the condition of the index `messages_forwarding`. */
const ON_THEIR_WAY = `SELECT m.id, m.public_id, m.forward, m.created_at, w.number AS "workspaceNumber",
    CASE WHEN q.lease_until IS NULL AND q.ambiguous_attempts = 0 THEN 1 ELSE 0 END AS waits
  FROM messages m JOIN environments e ON e.id = m.environment_id JOIN workspaces w ON w.id = e.workspace_id
    LEFT JOIN queue q ON q.message_id = m.id
  WHERE m.environment_id = ? AND m.to_key = ? AND m.id < ?
    AND m.forward IS NOT NULL AND (m.status = 'queued' OR m.status = 'sending' OR m.status = 'sent')
  ORDER BY m.id DESC LIMIT ?`;

/** A forwarded message that may be on its way. */
export interface ForwardedMessage {
  id: number;
  public_id: string;
  forward: string;
  created_at: number;
  workspaceNumber: number;
  /** 1 if it is in the queue, no worker has it, and it cannot have arrived yet. */
  waits: 0 | 1;
}

/** A forwarding address with the address of its inbox. */
export type ForwardOfInbox = InboxForward & { inboxAddress: string };

export type ForwardStore = ReturnType<typeof createForwardStore>;

export function createForwardStore(engine: Engine) {
  return { ...addressReads(engine), ...queuedReads(engine) };
}

function addressReads(engine: Engine) {
  const db = engine.read.$extendTables<Known>();
  const forwardsOf = (inboxId: string) =>
    db.selectFrom('inbox_forwards').selectAll().where('inbox_id', '=', inboxId);

  return {
    /** Reads the addresses of an inbox, oldest first. An inbox has only a few. */
    forwards: (inboxId: string): Promise<InboxForward[]> => forwardsOf(inboxId).orderBy('id').execute(),

    async forward(inboxId: string, id: string): Promise<InboxForward | null> {
      return (await forwardsOf(inboxId).where('id', '=', id).executeTakeFirst()) ?? null;
    },

    /** Reads the addresses of an inbox whose owners have confirmed. */
    activeForwards: (inboxId: string): Promise<InboxForward[]> =>
      forwardsOf(inboxId)
        .where('confirmed_at', 'is not', null)
        .where('stopped_at', 'is', null)
        .orderBy('id')
        .execute(),

    /** Reads the forwardings to one address, from any inbox in the environments. `subTenantId` null covers all sub-tenants. */
    forwardsTo({
      environmentIds,
      subTenantId,
      emailKey,
    }: {
      environmentIds: readonly number[];
      subTenantId: string | null;
      emailKey: string;
    }): Promise<InboxForward[]> {
      const query = db
        .selectFrom('inbox_forwards')
        .selectAll()
        .where('environment_id', 'in', environmentIds)
        .where('address_key', '=', emailKey)
        .orderBy('id');
      return (subTenantId === null ? query : query.where('sub_tenant_id', '=', subTenantId)).execute();
    },

    async forwardByToken(token: string): Promise<ForwardOfInbox | null> {
      const row = await db
        .selectFrom('inbox_forwards as f')
        .innerJoin('inboxes as i', 'i.id', 'f.inbox_id')
        .selectAll('f')
        .select('i.address as inboxAddress')
        .where('f.confirmation_hash', '=', hashOfToken(token))
        .executeTakeFirst();
      return row ?? null;
    },
  };
}

/** Of messages in the queue. */
function queuedReads(engine: Engine) {
  const db = engine.read.$extendTables<Known>();
  return {
    /** Forwarded messages to the address, from any inbox, that may be on their way, below a row ID, the newest first. */
    async onTheirWay(
      {
        environment_id: environmentId,
        address_key: key,
      }: Pick<InboxForward, 'environment_id' | 'address_key'>,
      { before, limit }: { before: number; limit: number },
    ): Promise<ForwardedMessage[]> {
      return rowsAs<ForwardedMessage>(engine.rows(ON_THEIR_WAY, [environmentId, key, before, limit]));
    },

    /** Returns which of the forwardings have ended. */
    async endedAmong(ids: readonly string[]): Promise<Map<string, ForwardingEnd>> {
      if (ids.length === 0) return new Map();
      const rows = await db
        .selectFrom('inbox_forwards')
        .select(['id', 'stopped_at'])
        .where('id', 'in', ids)
        .execute();
      const known = new Map(rows.map((row) => [row.id, row.stopped_at]));
      return new Map(
        ids.flatMap((id): [string, ForwardingEnd][] => {
          const stoppedAt = known.get(id);
          if (stoppedAt === null) return [];
          return [[id, stoppedAt === undefined ? 'forwarding_removed' : 'forwarding_stopped']];
        }),
      );
    },
  };
}

/** The database holds only the hash of a token. */
export function hashOfToken(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}

export function forgetForwardsOfInbox(inboxId: string): Change {
  return remove(inboxForwards, { where: { inbox_id: inboxId } });
}
