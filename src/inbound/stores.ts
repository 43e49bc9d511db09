// Stores that the code of this folder uses. src/app/store.ts opens them.
import type { Commits } from '../database/committer.js';
import type { EventStore } from '../events/events.store.js';
import type { InboxStore } from '../messages/inboxes/inboxes.store.js';
import type { ForwardStore } from '../messages/inboxes/forwards.store.js';
import type { ListStore } from '../contacts/lists/lists.store.js';
import type { MessageStore } from '../messages/messages.store.js';
import type { ThreadStore } from '../messages/threads/threads.store.js';
import type { createAccountStore } from '../accounts/accounts.store.js';
import type { createContactStore } from '../contacts/contacts.store.js';
import type { createDomainStore } from '../domains/domains.store.js';
import type { createInboundStore } from './inbound.store.js';
import type { createReportStore } from './reports/reports.store.js';
import type { createSuppressionStore } from '../suppressions/suppressions.store.js';

export interface InboundStores extends Commits {
  accounts: ReturnType<typeof createAccountStore>;
  contacts: ReturnType<typeof createContactStore>;
  domains: ReturnType<typeof createDomainStore>;
  events: EventStore;
  forwards: ForwardStore;
  inbound: ReturnType<typeof createInboundStore>;
  inboxes: InboxStore;
  lists: ListStore;
  messages: MessageStore;
  reports: ReturnType<typeof createReportStore>;
  suppressions: ReturnType<typeof createSuppressionStore>;
  threads: ThreadStore;
}
