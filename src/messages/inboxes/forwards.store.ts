// Forwarding addresses of inboxes.
import { createHash } from 'node:crypto';
import type { Change } from '../../database/change.js';
import type { TablesOf } from '../../database/columns.js';
import type { Engine } from '../../database/engine/engine.js';
import { remove } from '../../database/rows.js';
import { inboxForwards, type InboxForward } from './forwards.tables.js';
import type { inboxes } from './inboxes.tables.js';

type Known = TablesOf<typeof inboxForwards | typeof inboxes>;

/** A forwarding address with the address of its inbox. */
export type ForwardOfInbox = InboxForward & { inboxAddress: string };

export type ForwardStore = ReturnType<typeof createForwardStore>;

export function createForwardStore(engine: Engine) {
  const db = engine.read.$extendTables<Known>();
  const forwardsOf = (inboxId: string) =>
    db.selectFrom('inbox_forwards').selectAll().where('inbox_id', '=', inboxId);

  return {
    /** Reads those of an inbox, oldest first. An inbox has at most a few. */
    forwards: (inboxId: string): Promise<InboxForward[]> => forwardsOf(inboxId).orderBy('id').execute(),

    async forward(inboxId: string, id: string): Promise<InboxForward | null> {
      return (await forwardsOf(inboxId).where('id', '=', id).executeTakeFirst()) ?? null;
    },

    /** Reads those of an inbox whose owners have agreed. */
    activeForwards: (inboxId: string): Promise<InboxForward[]> =>
      forwardsOf(inboxId)
        .where('confirmed_at', 'is not', null)
        .where('stopped_at', 'is', null)
        .orderBy('id')
        .execute(),

    /** Reads those of one address, of any inbox in the environments. `subTenantId` null covers all sub-tenants. */
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

/** The database holds only the hash of a token. */
export function hashOfToken(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}

export function forgetForwardsOfInbox(inboxId: string): Change {
  return remove(inboxForwards, { where: { inbox_id: inboxId } });
}
