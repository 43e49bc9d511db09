// Stores that the code of this folder uses. src/app/store.ts opens them.
import type { CampaignStore } from '../campaigns/campaigns.store.js';
import type { Commits } from '../database/committer.js';
import type { ListStore } from '../contacts/lists/lists.store.js';
import type { createContactStore } from '../contacts/contacts.store.js';
import type { createDomainStore } from '../domains/domains.store.js';
import type { SequenceStore } from '../sequences/sequences.store.js';
import type { createSuppressionStore } from '../suppressions/suppressions.store.js';
import type { createSavedBlockStore } from '../templates/saved-blocks.store.js';
import type { createTemplateStore } from '../templates/templates.store.js';
import type { createTenantStore } from '../tenants/tenants.store.js';
import type { createTransferStore } from '../imports/transfers.store.js';
import type { createWebhookStore } from '../webhooks/webhooks.store.js';
import type { createAccountImportStore } from './account-imports.store.js';

export interface AccountImportStores extends Commits {
  accountImports: ReturnType<typeof createAccountImportStore>;
  campaigns: CampaignStore;
  contacts: ReturnType<typeof createContactStore>;
  domains: ReturnType<typeof createDomainStore>;
  lists: ListStore;
  savedBlocks: ReturnType<typeof createSavedBlockStore>;
  sequences: SequenceStore;
  suppressions: ReturnType<typeof createSuppressionStore>;
  templates: ReturnType<typeof createTemplateStore>;
  tenants: ReturnType<typeof createTenantStore>;
  transfers: ReturnType<typeof createTransferStore>;
  webhooks: ReturnType<typeof createWebhookStore>;
}
