// Stores that the code of this folder uses. src/app/store.ts opens them.
import type { Commits } from '../database/committer.js';
import type { MessageStore } from '../messages/messages.store.js';
import type { createAccountStore } from '../accounts/accounts.store.js';
import type { createBrandingStore } from '../accounts/branding/brandings.store.js';
import type { createDomainStore } from '../domains/domains.store.js';
import type { createShareLinkStore } from './share-links.store.js';
import type { createTenantStore } from '../tenants/tenants.store.js';

export interface ShareLinkStores extends Commits {
  accounts: ReturnType<typeof createAccountStore>;
  brandings: ReturnType<typeof createBrandingStore>;
  domains: ReturnType<typeof createDomainStore>;
  messages: MessageStore;
  shareLinks: ReturnType<typeof createShareLinkStore>;
  tenants: ReturnType<typeof createTenantStore>;
}
