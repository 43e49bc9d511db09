// Stores that the code of this folder uses. src/app/store.ts opens them.
import type { Commits } from '../database/committer.js';
import type { ErasureStore } from './erasure.store.js';
import type { createAccountStore } from '../accounts/accounts.store.js';
import type { createContactStore } from '../contacts/contacts.store.js';

import type { createConsentStore } from '../contacts/consents.store.js';
import type { ListStore } from '../contacts/lists/lists.store.js';
import type { EventStore } from '../events/events.store.js';
import type { ApprovalStore } from '../messages/approvals/approvals.store.js';
import type { AttemptStore } from '../messages/attempts.store.js';
import type { ForwardStore } from '../messages/inboxes/forwards.store.js';
import type { MessageStore } from '../messages/messages.store.js';
import type { DraftStore } from '../messages/drafts/drafts.store.js';
import type { ThreadStore } from '../messages/threads/threads.store.js';
import type { createPersonStore } from './person.store.js';

export interface ErasureStores extends Commits {
  approvals: ApprovalStore;
  attempts: AttemptStore;
  consents: ReturnType<typeof createConsentStore>;
  drafts: DraftStore;
  events: EventStore;
  forwards: ForwardStore;
  lists: ListStore;
  messages: MessageStore;
  person: ReturnType<typeof createPersonStore>;
  threads: ThreadStore;
  accounts: ReturnType<typeof createAccountStore>;
  contacts: ReturnType<typeof createContactStore>;
  erasure: ErasureStore;
}
