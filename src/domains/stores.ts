// Stores that the code of this folder uses. src/app/store.ts opens them.
import type { Commits } from '../database/committer.js';
import type { EventStore } from '../events/events.store.js';
import type { createAccountStore } from '../accounts/accounts.store.js';
import type { createBrandingStore } from '../accounts/branding/brandings.store.js';
import type { createDomainCheckStore } from './domain-checks.store.js';
import type { createDomainStore } from './domains.store.js';
import type { createKeyRotationStore } from './keys/key-rotation.store.js';
import type { createTenantStore } from '../tenants/tenants.store.js';
import type { createZoneStore } from './zone/zone.store.js';

export interface DomainStores extends Commits {
  accounts: ReturnType<typeof createAccountStore>;
  brandings: ReturnType<typeof createBrandingStore>;
  domainChecks: ReturnType<typeof createDomainCheckStore>;
  domains: ReturnType<typeof createDomainStore>;
  events: EventStore;
  keyRotation: ReturnType<typeof createKeyRotationStore>;
  tenants: ReturnType<typeof createTenantStore>;
  zone: ReturnType<typeof createZoneStore>;
}
