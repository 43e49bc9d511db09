// Inboxes, and the newest message to each address.
import type { TablesOf } from '../../database/columns.js';
import type { Engine } from '../../database/engine/engine.js';
import { paged } from '../../database/paged.js';
import { type Page, type PageRequest, type Scope, cutPage } from '../../database/scope.js';
import { rowsAs } from '../../database/sql.js';
import type { Inbox, inboxes } from './inboxes.tables.js';

type Known = TablesOf<typeof inboxes>;

const NEWEST = 'MAX(id) AS id FROM messages WHERE environment_id = ? AND to_key = ?';

/** An address in an environment. */
export interface MailAddress {
  environmentId: number;
  addressKey: string;
}

export type InboxStore = ReturnType<typeof createInboxStore>;

export function createInboxStore(engine: Engine) {
  const db = engine.read.$extendTables<Known>();
  const inboxesOf = ({ environmentId, subTenantId }: Pick<Scope, 'environmentId' | 'subTenantId'>) => {
    const query = db.selectFrom('inboxes').selectAll().where('environment_id', '=', environmentId);
    return subTenantId === null ? query : query.where('sub_tenant_id', '=', subTenantId);
  };

  return {
    async inbox(scope: Scope, id: string): Promise<Inbox | null> {
      return (await inboxesOf(scope).where('id', '=', id).executeTakeFirst()) ?? null;
    },

    /** Returns those of the ids that belong to inboxes of the scope. */
    async knownInboxes(scope: Scope, ids: readonly string[]): Promise<ReadonlySet<string>> {
      if (ids.length === 0) return new Set();
      const rows = await inboxesOf(scope).where('id', 'in', ids).execute();
      return new Set(rows.map(({ id }) => id));
    },

    async inboxes(scope: Scope, page: PageRequest, filter: { addressKey?: string }): Promise<Page<Inbox>> {
      let query = paged(inboxesOf(scope), page, { key: 'id' });
      if (filter.addressKey !== undefined) query = query.where('address_key', '=', filter.addressKey);
      return cutPage(await query.execute(), page.limit, (row) => row.id);
    },

    /** Reads the inbox that a caller of exactly this scope created with this client id. */
    async inboxOfClient({ environmentId, subTenantId }: Scope, clientId: string): Promise<Inbox | null> {
      const query = inboxesOf({ environmentId, subTenantId })
        .where('client_id', '=', clientId)
        .where('sub_tenant_id', subTenantId === null ? 'is' : '=', subTenantId);
      return (await query.executeTakeFirst()) ?? null;
    },

    async inboxAt({ environmentId, addressKey }: MailAddress): Promise<Inbox | null> {
      const query = inboxesOf({ environmentId, subTenantId: null }).where('address_key', '=', addressKey);
      return (await query.executeTakeFirst()) ?? null;
    },

    async countInboxes(scope: Scope): Promise<number> {
      const query = inboxesOf({ ...scope, subTenantId: null }).clearSelect();
      const row = await query.select(({ fn }) => fn.countAll<number>().as('n')).executeTakeFirst();
      return row?.n ?? 0;
    },

    /** Returns the row id of the newest message to each address (0 if it has none), in the given order, with one statement. */
    async newestAt(addresses: readonly MailAddress[]): Promise<number[]> {
      if (addresses.length === 0) return [];
      const statement = addresses.map((_, at) => `SELECT ${at} AS at, ${NEWEST}`).join(' UNION ALL ');
      const values = addresses.flatMap(({ environmentId, addressKey }) => [environmentId, addressKey]);
      const rows = await rowsAs<{ at: number; id: number | null }>(engine.rows(statement, values));
      const newest = new Map(rows.map(({ at, id }) => [at, id]));
      return addresses.map((_, at) => newest.get(at) ?? 0);
    },
  };
}
