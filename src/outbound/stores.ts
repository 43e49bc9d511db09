// Stores that the code of this folder uses. src/app/store.ts opens them.
import type { AddressRecheckStore } from './outcome/address-rechecks.store.js';
import type { AttemptStore } from '../messages/attempts.store.js';
import type { ApprovalStore } from '../messages/approvals/approvals.store.js';
import type { Commits } from '../database/committer.js';
import type { EventStore } from '../events/events.store.js';
import type { MessageStore } from '../messages/messages.store.js';
import type { PurgeStore } from './schedule/purge.store.js';
import type { QueueStore } from './schedule/queue.store.js';
import type { StsPolicyStore } from './route/sts-policies.store.js';
import type { TrafficStore } from './shape/traffic.store.js';
import type { createAccountStore } from '../accounts/accounts.store.js';
import type { createBackupStore } from '../backups/backups.store.js';
import type { createDomainStore } from '../domains/domains.store.js';
import type { createQueueViewStore } from './schedule/queue-view.store.js';
import type { createSuppressionStore } from '../suppressions/suppressions.store.js';
import type { createTenantStore } from '../tenants/tenants.store.js';
import type { createTlsResultStore } from './outcome/tls-results.store.js';
import type { leftTopicAmong } from './deliver/left-topics.store.js';

export interface OutboundStores extends Commits {
  accounts: ReturnType<typeof createAccountStore>;
  addressRechecks: AddressRecheckStore;
  approvals: ApprovalStore;
  attempts: AttemptStore;
  backups: ReturnType<typeof createBackupStore>;
  domains: ReturnType<typeof createDomainStore>;
  events: EventStore;
  leftTopicAmong(messageIds: readonly number[]): ReturnType<typeof leftTopicAmong>;
  messages: MessageStore;
  purge: PurgeStore;
  queue: QueueStore;
  queueView: ReturnType<typeof createQueueViewStore>;
  stsPolicies: StsPolicyStore;
  suppressions: ReturnType<typeof createSuppressionStore>;
  tenants: ReturnType<typeof createTenantStore>;
  tlsResults: ReturnType<typeof createTlsResultStore>;
  traffic: TrafficStore;
}
