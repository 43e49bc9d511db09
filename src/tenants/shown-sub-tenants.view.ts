// Sub-tenants with what stands in other tables: their keys and how their pages look, read for all of them together.
import type { SubTenantWire } from './sub-tenant.schema.js';
import type { Store } from '../store/store.js';
import type { SubTenant } from './tenants.store.js';
import { presentBranding } from '../pages/branding.view.js';
import { presentSubTenant, type SubTenantSettings } from './sub-tenant.view.js';

export interface ShowSubTenantDeps {
  store: Pick<Store, 'tenants' | 'brandings'>;
  settings: SubTenantSettings;
}

/** In their order. */
export async function showSubTenants(
  { store, settings }: ShowSubTenantDeps,
  tenants: readonly SubTenant[],
): Promise<SubTenantWire[]> {
  const ids = tenants.map(({ id }) => id);
  const [keys, brandings] = await Promise.all([store.tenants.dkimKeys(ids), store.brandings.brandings(ids)]);
  return tenants.map((tenant) => {
    const own = keys.filter(({ owner_id }) => owner_id === tenant.id);
    return presentSubTenant(tenant, own, {
      settings,
      branding: presentBranding(brandings.get(tenant.id), settings.publicUrl),
    });
  });
}

export async function showSubTenant(deps: ShowSubTenantDeps, tenant: SubTenant): Promise<SubTenantWire> {
  const [shown] = await showSubTenants(deps, [tenant]);
  if (!shown) throw new Error('A sub-tenant was not shown.');
  return shown;
}
