// Brandings of the pages for recipients, and their logos.
import type { Selectable } from 'kysely';
import type { Engine } from '../store/engine/engine.js';
import { inList } from '../store/sql.js';
import type { Scope } from '../store/scope.js';
import type { Branding, LogoTable } from './brandings.tables.js';

export type StoredLogo = Pick<Selectable<LogoTable>, 'type' | 'content'>;

/** Branding that a page shows: the sub-tenant's own, and where it has none the organization's. */
export type PageBranding = Pick<
  Branding,
  'name' | 'color' | 'website_url' | 'postal_address' | 'language' | 'logo_id' | 'privacy_url'
>;

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

    /** For the pages of a scope. */
    async pageBranding(scope: Pick<Scope, 'organizationId' | 'subTenantId'>): Promise<PageBranding> {
      const owners = [scope.subTenantId, scope.organizationId].filter((id) => id !== null);
      const [found, [organization]] = await Promise.all([
        brandings(owners),
        engine.rows(ADDRESS, [scope.organizationId]),
      ]);
      const chosen = owners.flatMap((id) => found.get(id) ?? []);
      const valueOf = <F extends keyof PageBranding>(field: F): Branding[F] | null =>
        chosen.find((one) => one[field] !== null)?.[field] ?? null;
      return {
        name: valueOf('name'),
        color: valueOf('color'),
        website_url: valueOf('website_url'),
        postal_address:
          valueOf('postal_address') ??
          (organization?.['postal_address'] as string | null | undefined) ??
          null,
        language: valueOf('language'),
        logo_id: valueOf('logo_id'),
        privacy_url: valueOf('privacy_url'),
      };
    },

    /** Unscoped: everybody sees it who sees a page. */
    async logo(id: string): Promise<StoredLogo | null> {
      const [row] = await engine.rows(LOGO, [id]);
      return row === undefined ? null : (row as unknown as StoredLogo);
    },
  };
}
