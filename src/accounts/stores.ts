// Stores that the code of this folder uses. src/app/store.ts opens them.
import type { Commits } from '../database/committer.js';
import type { RequestLogStore } from './request-log/request-log.store.js';
import type { createAccountStore } from './accounts.store.js';
import type { createAuditStore } from './audit/audit.store.js';
import type { createBrandingStore } from './branding/brandings.store.js';
import type { createKeyUsageStore } from './api-keys/key-usage.store.js';
import type { createOauthStore } from './oauth/oauth.store.js';
import type { createPeopleStore } from './people/people.store.js';
import type { createTenantStore } from '../tenants/tenants.store.js';
import type { createUsageStore } from './usage.store.js';

export interface AccountStores extends Commits {
  accounts: ReturnType<typeof createAccountStore>;
  audit: ReturnType<typeof createAuditStore>;
  brandings: ReturnType<typeof createBrandingStore>;
  keyUsage: ReturnType<typeof createKeyUsageStore>;
  oauth: ReturnType<typeof createOauthStore>;
  people: ReturnType<typeof createPeopleStore>;
  requestLog: RequestLogStore;
  tenants: ReturnType<typeof createTenantStore>;
  usage: ReturnType<typeof createUsageStore>;
}
