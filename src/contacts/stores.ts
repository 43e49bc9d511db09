// Stores that the code of this folder uses. src/app/store.ts opens them.
import type { Commits } from '../database/committer.js';
import type { createContactStore } from './contacts.store.js';
import type { createTenantStore } from '../tenants/tenants.store.js';

export interface ContactStores extends Commits {
  contacts: ReturnType<typeof createContactStore>;
  tenants: ReturnType<typeof createTenantStore>;
}
