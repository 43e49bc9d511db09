// Stores that the code of this folder uses. src/app/store.ts opens them.
import type { Commits } from '../database/committer.js';
import type { createSuppressionStore } from './suppressions.store.js';
import type { createTenantStore } from '../tenants/tenants.store.js';

export interface SuppressionStores extends Commits {
  suppressions: ReturnType<typeof createSuppressionStore>;
  tenants: ReturnType<typeof createTenantStore>;
}
