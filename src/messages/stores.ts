// Stores that the code of this folder uses. src/app/store.ts opens them.
import type { Committed, Plan } from '../database/change.js';
import type { Commits, Committer } from '../database/committer.js';
import type { EventStore } from '../events/events.store.js';
import type { ListStore } from '../contacts/lists/lists.store.js';
import type { MessageStore } from './messages.store.js';
import type { ThreadStore } from './threads/threads.store.js';
import type { ForwardStore } from './inboxes/forwards.store.js';
import type { InboxStore } from './inboxes/inboxes.store.js';
import type { DraftStore } from './drafts/drafts.store.js';
import type { ApprovalStore } from './approvals/approvals.store.js';
import type { createPeopleStore } from '../accounts/people/people.store.js';
import type { createAccountStore } from '../accounts/accounts.store.js';
import type { createBackupStore } from '../backups/backups.store.js';
import type { createContactStore } from '../contacts/contacts.store.js';
import type { createDomainStore } from '../domains/domains.store.js';
import type { createSuppressionStore } from '../suppressions/suppressions.store.js';
import type { createTemplateStore } from '../templates/templates.store.js';
import type { createTenantStore } from '../tenants/tenants.store.js';
import type { createUsageStore } from '../accounts/usage.store.js';

export interface MessageStores extends Commits, Pick<Committer, 'secured'> {
  /** Commits a plan that is not part of the request's own work, to which its audit entry and idempotency record belong. */
  commitAlone(plan: Plan): Promise<Committed>;
  accounts: ReturnType<typeof createAccountStore>;
  approvals: ApprovalStore;
  backups: ReturnType<typeof createBackupStore>;
  contacts: ReturnType<typeof createContactStore>;
  domains: ReturnType<typeof createDomainStore>;
  drafts: DraftStore;
  events: EventStore;
  forwards: ForwardStore;
  inboxes: InboxStore;
  lists: ListStore;
  messages: MessageStore;
  people: ReturnType<typeof createPeopleStore>;
  suppressions: ReturnType<typeof createSuppressionStore>;
  templates: ReturnType<typeof createTemplateStore>;
  tenants: ReturnType<typeof createTenantStore>;
  threads: ThreadStore;
  usage: ReturnType<typeof createUsageStore>;
}
