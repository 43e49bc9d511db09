// Stores that the code of this folder uses. src/app/store.ts opens them.
import type { Commits } from '../database/committer.js';
import type { Engine } from '../database/engine/engine.js';
import type { EventStore } from '../events/events.store.js';
import type { ListStore } from '../contacts/lists/lists.store.js';
import type { MessageStore } from '../messages/messages.store.js';
import type { createAccountStore } from '../accounts/accounts.store.js';
import type { createBrandingStore } from '../accounts/branding/brandings.store.js';
import type { createContactStore } from '../contacts/contacts.store.js';
import type { createDomainStore } from '../domains/domains.store.js';
import type { createSuppressionStore } from '../suppressions/suppressions.store.js';
import type { createTemplateStore } from '../templates/templates.store.js';
import type { createTenantStore } from '../tenants/tenants.store.js';

export interface ListStores extends Commits {
  accounts: ReturnType<typeof createAccountStore>;
  brandings: ReturnType<typeof createBrandingStore>;
  contacts: ReturnType<typeof createContactStore>;
  domains: ReturnType<typeof createDomainStore>;
  events: EventStore;
  lists: ListStore;
  messages: MessageStore;
  readings: Engine['readings'];
  suppressions: ReturnType<typeof createSuppressionStore>;
  templates: ReturnType<typeof createTemplateStore>;
  tenants: ReturnType<typeof createTenantStore>;
}
