// Stores that the code of this folder uses. src/app/store.ts opens them.
import type { ApprovalStore } from '../messages/approvals/approvals.store.js';
import type { Commits } from '../database/committer.js';
import type { Engine } from '../database/engine/engine.js';
import type { EventStore } from '../events/events.store.js';
import type { FeedStore } from '../feed/feed.store.js';
import type { ListStore } from '../contacts/lists/lists.store.js';
import type { MessageStore } from '../messages/messages.store.js';
import type { createConsentStore } from '../contacts/consents.store.js';
import type { createContactStore } from '../contacts/contacts.store.js';
import type { createSuppressionStore } from '../suppressions/suppressions.store.js';
import type { createTenantStore } from '../tenants/tenants.store.js';
import type { createTransferStore } from './transfers.store.js';

export interface ImportStores extends Commits {
  approvals: ApprovalStore;
  consents: ReturnType<typeof createConsentStore>;
  contacts: ReturnType<typeof createContactStore>;
  events: EventStore;
  feed: FeedStore;
  lists: ListStore;
  messages: MessageStore;
  readings: Engine['readings'];
  suppressions: ReturnType<typeof createSuppressionStore>;
  tenants: ReturnType<typeof createTenantStore>;
  transfers: ReturnType<typeof createTransferStore>;
}
