// Stores that the code of this folder uses. src/app/store.ts opens them.
import type { Commits } from '../database/committer.js';
import type { MessageStore } from '../messages/messages.store.js';
import type { createAccountStore } from '../accounts/accounts.store.js';
import type { createDeliveryReportStore } from './delivery-reports/delivery-reports.store.js';
import type { createDomainStore } from '../domains/domains.store.js';
import type { createSuppressionStore } from '../suppressions/suppressions.store.js';
import type { createTenantStore } from '../tenants/tenants.store.js';

export interface RelayStores extends Commits {
  accounts: ReturnType<typeof createAccountStore>;
  deliveryReports: ReturnType<typeof createDeliveryReportStore>;
  domains: ReturnType<typeof createDomainStore>;
  messages: MessageStore;
  suppressions: ReturnType<typeof createSuppressionStore>;
  tenants: ReturnType<typeof createTenantStore>;
}
