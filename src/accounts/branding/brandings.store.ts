// Brandings of the pages for recipients, and their logos.
import type { Selectable } from 'kysely';
import type { Engine } from '../../database/engine/engine.js';
import { inList } from '../../database/sql.js';
import type { Scope } from '../../database/scope.js';
import { mergedBranding, type PageBranding } from '../../pages/page-branding.rules.js';
import type { Branding, LogoTable } from './brandings.tables.js';

type StoredLogo = Pick<Selectable<LogoTable>, 'type' | 'content'>;

const OF_OWNERS = 'SELECT * FROM brandings WHERE owner_id IN (';
const ADDRESS = 'SELECT postal_address FROM organizations WHERE id = ?';
const LOGO = 'SELECT type, content FROM logos WHERE id = ?';

export function createBrandingStore(engine: Engine) {
  async function brandings(ownerIds: readonly string[]): Promise<ReadonlyMap<string, Branding>> {
    if (ownerIds.length === 0) return new Map();
    const { marks, values } = inList(ownerIds);
    const rows = (await engine.rows(`${OF_OWNERS}${marks})`, values)) as unknown as Branding[];
    return new Map(rows.map((row) => [row.owner_id, row]));
  }

  return {
    /** By the ids of their owners; those without one are left out. */
    brandings,

    /** For the pages of a scope: a value of the sub-tenant's own, or else of the organization. */
    async pageBranding(scope: Pick<Scope, 'organizationId' | 'subTenantId'>): Promise<PageBranding> {
      const owners = [scope.subTenantId, scope.organizationId].filter((id) => id !== null);
      const [found, [organization]] = await Promise.all([
        brandings(owners),
        engine.rows(ADDRESS, [scope.organizationId]),
      ]);
      const postal_address = (organization?.['postal_address'] ?? null) as string | null; // its type in that table
      return mergedBranding([...owners.flatMap((id) => found.get(id) ?? []), { postal_address }]);
    },

    /** Unscoped: everybody sees it who sees a page. */
    async logo(id: string): Promise<StoredLogo | null> {
      const [row] = await engine.rows(LOGO, [id]);
      return row === undefined ? null : (row as unknown as StoredLogo);
    },
  };
}
