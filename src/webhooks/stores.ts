// Stores that the code of this folder uses. src/app/store.ts opens them.
import type { ApprovalStore } from '../messages/approvals/approvals.store.js';
import type { DraftStore } from '../messages/drafts/drafts.store.js';
import type { Commits } from '../database/committer.js';
import type { Engine } from '../database/engine/engine.js';
import type { FeedStore } from '../feed/feed.store.js';
import type { InboxStore } from '../messages/inboxes/inboxes.store.js';
import type { ListStore } from '../contacts/lists/lists.store.js';
import type { MessageStore } from '../messages/messages.store.js';
import type { StatisticsStore } from '../analytics/statistics.store.js';
import type { ThreadStore } from '../messages/threads/threads.store.js';
import type { createBrandingStore } from '../accounts/branding/brandings.store.js';
import type { createDomainStore } from '../domains/domains.store.js';
import type { createPeopleStore } from '../accounts/people/people.store.js';
import type { createRecordReads } from './record-reads.store.js';
import type { createTenantStore } from '../tenants/tenants.store.js';
import type { createWebhookStore } from './webhooks.store.js';

export interface WebhookStores extends Commits {
  approvals: ApprovalStore;
  brandings: ReturnType<typeof createBrandingStore>;
  domains: ReturnType<typeof createDomainStore>;
  drafts: DraftStore;
  feed: FeedStore;
  inboxes: InboxStore;
  lists: ListStore;
  messages: MessageStore;
  onRecordEvents(listener: () => void): void;
  people: ReturnType<typeof createPeopleStore>;
  readings: Engine['readings'];
  records: ReturnType<typeof createRecordReads>;
  statistics: StatisticsStore;
  tenants: ReturnType<typeof createTenantStore>;
  threads: ThreadStore;
  webhooks: ReturnType<typeof createWebhookStore>;
}
