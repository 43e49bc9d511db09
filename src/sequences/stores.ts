// Stores that the code of this folder uses. src/app/store.ts opens them.
import type { Commits } from '../database/committer.js';
import type { ConsumerStore } from '../events/consumers.store.js';
import type { MessageStore } from '../messages/messages.store.js';
import type { SequenceStore } from './sequences.store.js';
import type { createAccountStore } from '../accounts/accounts.store.js';
import type { createContactStore } from '../contacts/contacts.store.js';
import type { createDomainStore } from '../domains/domains.store.js';
import type { createSuppressionStore } from '../suppressions/suppressions.store.js';
import type { createTemplateStore } from '../templates/templates.store.js';
import type { createTenantStore } from '../tenants/tenants.store.js';
import type { createUsageStore } from '../accounts/usage.store.js';

export interface SequenceStores extends Commits {
  accounts: ReturnType<typeof createAccountStore>;
  consumers: ConsumerStore;
  contacts: ReturnType<typeof createContactStore>;
  domains: ReturnType<typeof createDomainStore>;
  messages: MessageStore;
  sequences: SequenceStore;
  suppressions: ReturnType<typeof createSuppressionStore>;
  templates: ReturnType<typeof createTemplateStore>;
  tenants: ReturnType<typeof createTenantStore>;
  usage: ReturnType<typeof createUsageStore>;
}
