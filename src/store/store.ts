// The store as the rooms and doors see it: reads by noun, and one way to write.
import { createAccountStore } from './accounts.js';
import { applyPlan } from './apply.js';
import { createAddressRecheckStore } from './address-rechecks.js';
import { createAudienceStore } from './audience.js';
import { createCampaignStore } from './campaigns.js';
import { createCommitter } from './committer.js';
import { createDeliveryReportStore } from './delivery-reports.js';
import type { Engine } from './engine/engine.js';
import { createEventStore } from './events.js';
import { createFollowerStore } from './followers.js';
import { createInboundReads, createInboundStore } from './inbound.js';
import { createListStore } from './lists.js';
import { createMessageStore } from './messages.js';
import type { Committed, Plan } from './plan.js';
import { createAttemptStore } from './attempts.js';
import { createQueueViewStore } from './queue-view.js';
import { createQueueStore } from './queue.js';
import { createSequenceStore } from './sequences.js';
import { createStsPolicyStore } from './sts-policies.js';
import { createStatisticsStore } from './statistics.js';
import { stoppedAmong } from './stopped-mail.js';
import { createTemplateStore } from './templates.js';
import { createTenantStore } from './tenants.js';
import { createThreadStore } from './threads.js';
import { createTlsReportStore } from './tls-reports.js';
import { createTransferStore } from './transfers.js';
import { createTrafficStore } from './traffic.js';
import { usageOf } from './usage.js';
import { createWebhookStore } from './webhooks.js';

export type Store = ReturnType<typeof createStore>;
/** What a worker thread has: reads only. */
export type ReadStore = ReturnType<typeof createReadStore>;

export function createReadStore(engine: Engine) {
  return {
    accounts: createAccountStore(engine),
    tenants: createTenantStore(engine),
    templates: createTemplateStore(engine.read),
    audience: createAudienceStore(engine),
    lists: createListStore(engine),
    messages: createMessageStore(engine),
    events: createEventStore(engine.read),
    inbound: createInboundReads(engine),
    stoppedAmong: (messageIds: readonly number[]) => stoppedAmong(engine, messageIds),
    usageOf: (environmentId: number, days: { today: number; monthStart: number }) =>
      usageOf(engine.read, environmentId, days),
  };
}

export function createStore(engine: Engine, options: { maxGroup: number }) {
  const committer = createCommitter(engine, options);
  return {
    ...createReadStore(engine),
    queue: createQueueStore(engine, committer),
    attempts: createAttemptStore(engine),
    queueView: createQueueViewStore(engine, committer),
    traffic: createTrafficStore(engine),
    addressRechecks: createAddressRecheckStore(engine),
    stsPolicies: createStsPolicyStore(engine),
    tlsReports: createTlsReportStore(engine, committer),
    webhooks: createWebhookStore(engine, committer),
    inbound: createInboundStore(engine, committer),
    threads: createThreadStore(engine),
    campaigns: createCampaignStore(engine, committer),
    deliveryReports: createDeliveryReportStore(engine),
    followers: createFollowerStore(engine, committer),
    sequences: createSequenceStore(engine),
    statistics: createStatisticsStore(engine),
    transfers: createTransferStore(engine),
    /** Applies a plan, all or nothing; resolves when it is on disk. Rejects with the plan's Refusal, or `unavailable`. */
    commit: (plan: Plan): Promise<Committed> => committer.commit((writing) => applyPlan(writing, plan)),
    drain: () => committer.drain(),
    async close() {
      await committer.drain();
      await engine.close();
    },
  };
}
