// Stores that the code of this folder uses. src/app/store.ts opens them.
import type { createTenantStore } from './tenants.store.js';

export interface TenantStores {
  tenants: ReturnType<typeof createTenantStore>;
}
