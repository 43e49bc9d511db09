// Contacts and suppressions: who may be written to.
import type { Selectable } from 'kysely';
import type { Engine } from './engine/engine.js';
import { inList } from './in-list.js';
import type { Page, PageRequest, Scope } from './scope.js';
import { pageOf } from './scope.js';
import type { ContactTable, SuppressionTable } from './tables.js';

export type Contact = Selectable<ContactTable>;
export type Suppression = Selectable<SuppressionTable>;

export interface ContactFilter {
  /** Part of the address or name. */
  q?: string;
  status?: Contact['status'];
  tag?: string;
}

export type AudienceStore = ReturnType<typeof createAudienceStore>;

export function createAudienceStore(engine: Engine) {
  const db = engine.read;
  const contacts = (scope: Scope) => {
    const query = db.selectFrom('contacts').selectAll().where('workspace_id', '=', scope.workspaceId);
    return scope.subTenantId === null ? query : query.where('sub_tenant_id', '=', scope.subTenantId);
  };
  const wantedContacts = (scope: Scope, { q, status, tag }: ContactFilter) => {
    let query = contacts(scope);
    if (status) query = query.where('status', '=', status);
    if (q !== undefined) {
      const pattern = likePattern(q.toLowerCase());
      query = query.where((eb) =>
        eb.or([eb('email_key', 'like', pattern), eb(eb.fn('lower', ['name']), 'like', pattern)]),
      );
    }
    return tag === undefined ? query : query.where('tags', 'like', likePattern(JSON.stringify(tag)));
  };
  /** A tenant is blocked by its own rows and by the workspace's. */
  const blocking = (scope: Pick<Scope, 'environmentId' | 'subTenantId'>) => {
    const keys = scope.subTenantId === null ? [''] : ['', scope.subTenantId];
    return db
      .selectFrom('suppressions')
      .selectAll()
      .where('environment_id', '=', scope.environmentId)
      .where('sub_tenant_key', 'in', keys);
  };

  return {
    async contact(scope: Scope, id: string): Promise<Contact | null> {
      return (await contacts(scope).where('id', '=', id).executeTakeFirst()) ?? null;
    },

    /** The contact that a message of this scope personalizes from: the tenant's own, else the workspace's. */
    async contactByAddress(scope: Scope, emailKey: string): Promise<Contact | null> {
      const rows = await db
        .selectFrom('contacts')
        .selectAll()
        .where('workspace_id', '=', scope.workspaceId)
        .where('email_key', '=', emailKey)
        .where((eb) =>
          scope.subTenantId === null
            ? eb('sub_tenant_id', 'is', null)
            : eb.or([eb('sub_tenant_id', 'is', null), eb('sub_tenant_id', '=', scope.subTenantId)]),
        )
        .execute();
      return rows.find((row) => row.sub_tenant_id !== null) ?? rows[0] ?? null;
    },

    async contacts(scope: Scope, page: PageRequest, filter: ContactFilter): Promise<Page<Contact>> {
      let query = wantedContacts(scope, filter)
        .orderBy('id', 'desc')
        .limit(page.limit + 1);
      if (page.after !== null) query = query.where('id', '<', page.after);
      return pageOf(await query.execute(), page.limit, (row) => row.id);
    },

    async countContacts(scope: Scope, filter: ContactFilter): Promise<number> {
      const query = wantedContacts(scope, filter).clearSelect();
      const { total } = await query.select((eb) => eb.fn.countAll().as('total')).executeTakeFirstOrThrow();
      return Number(total);
    },

    /** Rows that may block mail to any of these addresses; rules/suppression says which do. */
    async suppressionsOf(
      scope: Pick<Scope, 'environmentId' | 'subTenantId'>,
      emailKeys: readonly string[],
    ): Promise<Suppression[]> {
      return blocking(scope).where('email_key', 'in', emailKeys).execute();
    },

    /** Rows of any tenant for these addresses in their environments. Unscoped: for delivery, not for a door. */
    async suppressionsAmong(
      addresses: readonly { environmentId: number; emailKey: string }[],
    ): Promise<Suppression[]> {
      if (addresses.length === 0) return [];
      const environments = inList([...new Set(addresses.map((address) => address.environmentId))]);
      const keys = inList([...new Set(addresses.map((address) => address.emailKey))]);
      const statement = `SELECT * FROM suppressions WHERE environment_id IN (${environments.marks})
        AND email_key IN (${keys.marks})`;
      const rows = await engine.rows(statement, [...environments.values, ...keys.values]);
      return rows as unknown as Suppression[];
    },

    /** A narrowed scope lists its own tenant's rows only. */
    async suppressions(
      scope: Scope,
      page: PageRequest,
      filter: { reason?: Suppression['reason']; q?: string },
    ): Promise<Page<Suppression>> {
      let query = db
        .selectFrom('suppressions')
        .selectAll()
        .where('environment_id', '=', scope.environmentId)
        .orderBy('id', 'desc')
        .limit(page.limit + 1);
      if (scope.subTenantId !== null) query = query.where('sub_tenant_key', '=', scope.subTenantId);
      if (filter.reason) query = query.where('reason', '=', filter.reason);
      if (filter.q !== undefined)
        query = query.where('email_key', 'like', likePattern(filter.q.toLowerCase()));
      if (page.after !== null) query = query.where('id', '<', page.after);
      return pageOf(await query.execute(), page.limit, (row) => row.id);
    },
  };
}

/** A LIKE pattern that finds `text` anywhere; its own wildcards lose their meaning as far as both engines allow. */
export function likePattern(text: string): string {
  return `%${text.replace(/[%_\\]/g, '_')}%`;
}
