// Who may be written to: contacts, and with them the suppressed addresses.
import type { Selectable } from 'kysely';
import type { Engine } from './engine/engine.js';
import { likePattern } from './like-pattern.js';
import type { Page, PageRequest, Scope } from './scope.js';
import { pageOf } from './scope.js';
import { createSuppressionStore } from './suppressions.js';
import type { ContactTable } from './tables/audience.js';

export type Contact = Selectable<ContactTable>;

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

  return {
    ...createSuppressionStore(engine),

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
  };
}
