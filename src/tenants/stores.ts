// The stores that tenants works with.
import type { createTenantStore } from './tenants.store.js';

export interface TenantStores {
  tenants: ReturnType<typeof createTenantStore>;
}
