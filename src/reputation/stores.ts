// Stores that the code of this folder uses. src/app/store.ts opens them.
import type { Commits } from '../database/committer.js';
import type { EventStore } from '../events/events.store.js';
import type { StatisticsStore } from '../analytics/statistics.store.js';
import type { createAccountStore } from '../accounts/accounts.store.js';
import type { createBrandingStore } from '../accounts/branding/brandings.store.js';
import type { createBulkRuleStore } from './bulk-rules/bulk-rules.store.js';
import type { createDomainStore } from '../domains/domains.store.js';
import type { createReputationStore } from './reputation.store.js';
import type { createTenantStore } from '../tenants/tenants.store.js';

export interface ReputationStores extends Commits {
  accounts: ReturnType<typeof createAccountStore>;
  brandings: ReturnType<typeof createBrandingStore>;
  bulkRules: ReturnType<typeof createBulkRuleStore>;
  domains: ReturnType<typeof createDomainStore>;
  events: EventStore;
  reputations: ReturnType<typeof createReputationStore>;
  statistics: StatisticsStore;
  tenants: ReturnType<typeof createTenantStore>;
}
