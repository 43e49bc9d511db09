// Stores that the code of this folder uses. src/app/store.ts opens them.
import type { CampaignStore } from './campaigns.store.js';
import type { Commits } from '../database/committer.js';
import type { Engine } from '../database/engine/engine.js';
import type { ConsumerStore } from '../events/consumers.store.js';
import type { ListStore } from '../contacts/lists/lists.store.js';
import type { MessageStore } from '../messages/messages.store.js';
import type { StatisticsStore } from '../analytics/statistics.store.js';
import type { createAccountStore } from '../accounts/accounts.store.js';
import type { createBackupStore } from '../backups/backups.store.js';
import type { createContactStore } from '../contacts/contacts.store.js';
import type { createDomainStore } from '../domains/domains.store.js';
import type { createRestoredCampaignStore } from './restored-campaigns.store.js';
import type { createSuppressionStore } from '../suppressions/suppressions.store.js';
import type { createTemplateStore } from '../templates/templates.store.js';
import type { createTenantStore } from '../tenants/tenants.store.js';
import type { createUsageStore } from '../accounts/usage.store.js';

export interface CampaignStores extends Commits {
  accounts: ReturnType<typeof createAccountStore>;
  backups: ReturnType<typeof createBackupStore>;
  campaigns: CampaignStore;
  consumers: ConsumerStore;
  contacts: ReturnType<typeof createContactStore>;
  domains: ReturnType<typeof createDomainStore>;
  lists: ListStore;
  messages: MessageStore;
  restoredCampaigns: ReturnType<typeof createRestoredCampaignStore>;
  statistics: StatisticsStore;
  readings: Engine['readings'];
  suppressions: ReturnType<typeof createSuppressionStore>;
  templates: ReturnType<typeof createTemplateStore>;
  tenants: ReturnType<typeof createTenantStore>;
  usage: ReturnType<typeof createUsageStore>;
}
