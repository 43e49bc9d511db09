// The stores that suppressions works with.
import type { Commits } from '../database/committer.js';
import type { createSuppressionStore } from './suppressions.store.js';
import type { createTenantStore } from '../tenants/tenants.store.js';

export interface SuppressionStores extends Commits {
  suppressions: ReturnType<typeof createSuppressionStore>;
  tenants: ReturnType<typeof createTenantStore>;
}
