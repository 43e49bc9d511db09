// Stores that the code of this folder uses. src/app/store.ts opens them.
import type { Commits } from '../database/committer.js';
import type { ListStore } from '../contacts/lists/lists.store.js';
import type { createAccountStore } from '../accounts/accounts.store.js';
import type { createContactStore } from '../contacts/contacts.store.js';
import type { createSavedBlockStore } from './saved-blocks.store.js';
import type { createTemplateStore } from './templates.store.js';
import type { createTenantStore } from '../tenants/tenants.store.js';

export interface TemplateStores extends Commits {
  accounts: ReturnType<typeof createAccountStore>;
  contacts: ReturnType<typeof createContactStore>;
  lists: ListStore;
  savedBlocks: ReturnType<typeof createSavedBlockStore>;
  templates: ReturnType<typeof createTemplateStore>;
  tenants: ReturnType<typeof createTenantStore>;
}
