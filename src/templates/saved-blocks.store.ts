// Reads saved blocks of template designs.
import type { Kysely } from 'kysely';
import { holding, paged } from '../database/paged.js';
import { type Page, type PageRequest, type Scope, cutPage } from '../database/scope.js';
import type { SavedBlock, savedBlocks } from './templates.tables.js';
import type { TablesOf } from '../database/columns.js';

type Known = TablesOf<typeof savedBlocks>;

export function createSavedBlockStore(db: Kysely<Known>) {
  const ofEnvironment = ({ environmentId }: Scope) =>
    db.selectFrom('saved_blocks').selectAll().where('environment_id', '=', environmentId);

  /** Selects the workspace's blocks and those of the sub-tenant of the scope. */
  const usable = (scope: Scope) =>
    ofEnvironment(scope).where((eb) =>
      scope.subTenantId === null
        ? eb('sub_tenant_id', 'is', null)
        : eb.or([eb('sub_tenant_id', 'is', null), eb('sub_tenant_id', '=', scope.subTenantId)]),
    );

  /** Selects the blocks that the scope may change: a workspace those of its sub-tenants too. */
  const owned = (scope: Scope) =>
    scope.subTenantId === null
      ? ofEnvironment(scope)
      : ofEnvironment(scope).where('sub_tenant_id', '=', scope.subTenantId);

  return {
    /** A workspace finds those of its sub-tenants too. */
    async savedBlock(scope: Scope, id: string): Promise<SavedBlock | null> {
      const visible = scope.subTenantId === null ? ofEnvironment(scope) : usable(scope);
      return (await visible.where('id', '=', id).executeTakeFirst()) ?? null;
    },

    async savedBlocks(scope: Scope, page: PageRequest, { q }: { q?: string }): Promise<Page<SavedBlock>> {
      let query = paged(usable(scope), page, { key: 'id' });
      if (q !== undefined) query = query.where(holding(['name'], q));
      return cutPage(await query.execute(), page.limit, (row) => row.id);
    },

    async ownedBlocks(scope: Scope, page: PageRequest): Promise<Page<SavedBlock>> {
      const query = paged(owned(scope), page, { key: 'id' });
      return cutPage(await query.execute(), page.limit, (row) => row.id);
    },

    /** Counts the blocks that belong to the sub-tenant of the scope, or to its workspace. */
    async countSavedBlocks({ environmentId, subTenantId }: Scope): Promise<number> {
      const { n } = await db
        .selectFrom('saved_blocks')
        .select((eb) => eb.fn.countAll().as('n'))
        .where('environment_id', '=', environmentId)
        .where('sub_tenant_id', subTenantId === null ? 'is' : '=', subTenantId)
        .executeTakeFirstOrThrow();
      return Number(n);
    },
  };
}
