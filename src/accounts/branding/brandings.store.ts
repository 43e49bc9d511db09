// Branding of public pages, and logos.
import type { Selectable } from 'kysely';
import type { TablesOf } from '../../database/columns.js';
import type { Engine } from '../../database/engine/engine.js';
import type { Scope } from '../../database/scope.js';
import { mergedBranding, type PageBranding } from '../../pages/page-branding.rules.js';
import type { organizations } from '../accounts.tables.js';
import type { Branding, LogoTable, brandings as brandingsTable, logos } from './brandings.tables.js';

type Known = TablesOf<typeof brandingsTable | typeof logos | typeof organizations>;

type StoredLogo = Pick<Selectable<LogoTable>, 'type' | 'content'>;

export function createBrandingStore(engine: Engine) {
  const db = engine.read.$extendTables<Known>();

  async function brandings(ownerIds: readonly string[]): Promise<ReadonlyMap<string, Branding>> {
    if (ownerIds.length === 0) return new Map();
    const rows = await db.selectFrom('brandings').selectAll().where('owner_id', 'in', ownerIds).execute();
    return new Map(rows.map((row) => [row.owner_id, row]));
  }

  return {
    /** Reads brandings by the IDs of their owners. Owners without one are left out. */
    brandings,

    /** Reads the branding for the pages of a scope. Values of the sub-tenant take precedence over the organization's. */
    async pageBranding(scope: Pick<Scope, 'organizationId' | 'subTenantId'>): Promise<PageBranding> {
      const owners = [scope.subTenantId, scope.organizationId].filter((id) => id !== null);
      const [found, organization] = await Promise.all([
        brandings(owners),
        db
          .selectFrom('organizations')
          .select('postal_address')
          .where('id', '=', scope.organizationId)
          .executeTakeFirst(),
      ]);
      const postal_address = organization?.postal_address ?? null;
      return mergedBranding([...owners.flatMap((id) => found.get(id) ?? []), { postal_address }]);
    },

    /** Unscoped, because it appears on public pages. */
    async logo(id: string): Promise<StoredLogo | null> {
      const query = db.selectFrom('logos').select(['type', 'content']).where('id', '=', id);
      return (await query.executeTakeFirst()) ?? null;
    },
  };
}
