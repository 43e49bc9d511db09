// The store as the rooms and doors see it: reads by noun, and one way to write.
import { createRiders } from '../runtime/riders.js';
import { createAccountStore } from './accounts.js';
import { applyPlan } from './apply.js';
import { actorOf, createAuditStore, madeBy, rideOf, type AuditRider } from './audit.js';
import { createAddressRecheckStore } from './address-rechecks.js';
import { createAudienceStore } from './audience.js';
import { createBrandingStore } from './brandings.js';
import { createCampaignStore } from './campaigns.js';
import { createCommitter } from './committer.js';
import { createDeliveryReportStore } from './delivery-reports.js';
import { createDomainCheckStore } from './domain-checks.js';
import type { Engine } from './engine/engine.js';
import { createEventStore } from './events.js';
import { createFollowerStore } from './followers.js';
import { claimOf, createIdempotencyStore, type RequestClaim } from './idempotency.js';
import { createInboundReads, createInboundStore } from './inbound.js';
import { createKeyUsageStore } from './key-usage.js';
import { createKeyRotationStore } from './key-rotation.js';
import { createListStore } from './lists.js';
import { createMessageStore } from './messages.js';
import { createPeopleStore } from './people.js';
import type { Committed, Plan } from './plan.js';
import { createAttemptStore } from './attempts.js';
import { createQueueViewStore } from './queue-view.js';
import { createQueueStore } from './queue.js';
import { createOldRecordStore } from './old-records.js';
import { createRecordReads } from './record-reads.js';
import { createRequestLogStore } from './request-log.js';
import { createRetentionStore } from './retention.js';
import { createShareLinkStore } from './share-links.js';
import { createSequenceStore } from './sequences.js';
import { createStandingStore } from './standings.js';
import { parkedMails, storeSize } from './size.js';
import { createStsPolicyStore } from './sts-policies.js';
import { createStatisticsStore } from './statistics.js';
import { createGroupStatistics } from './statistics-groups.js';
import { leftTopicAmong, stoppedAmong } from './stopped-mail.js';
import { createTemplateStore } from './templates.js';
import { createTenantStore } from './tenants.js';
import { createThreadStore } from './threads.js';
import { createTlsReportStore } from './tls-reports.js';
import { createTransferStore } from './transfers.js';
import { createTrafficStore } from './traffic.js';
import { createUsageStore } from './usage.js';
import { createWebhookStore } from './webhooks.js';
import { createZoneStore } from './zone.js';

/** How long an Idempotency-Key counts that is not a message's. */
const KEY_LIFETIME_MS = 86_400_000;

export type Store = ReturnType<typeof createStore>;
/** What a worker thread has: reads only. */
export type ReadStore = ReturnType<typeof createReadStore>;

export function createReadStore(engine: Engine) {
  return {
    accounts: createAccountStore(engine),
    brandings: createBrandingStore(engine),
    tenants: createTenantStore(engine),
    templates: createTemplateStore(engine.read),
    audience: createAudienceStore(engine),
    lists: createListStore(engine),
    messages: createMessageStore(engine),
    events: createEventStore(engine.read),
    records: createRecordReads(engine.read),
    inbound: createInboundReads(engine),
    size: () => storeSize(engine),

    /** How many inbound mails could not be worked on and wait for a person. */
    parkedMails: () => parkedMails(engine),
    stoppedAmong: (messageIds: readonly number[]) => stoppedAmong(engine, messageIds),
    leftTopicAmong: (messageIds: readonly number[]) => leftTopicAmong(engine, messageIds),
    usage: createUsageStore(engine),
  };
}

export function createStore(engine: Engine, options: { maxGroup: number; keyLifetimeMs?: number }) {
  const riders = createRiders<AuditRider>();
  const recordListeners: (() => void)[] = [];
  const claims = createRiders<RequestClaim>();
  const { maxGroup, keyLifetimeMs = KEY_LIFETIME_MS } = options;
  const committer = createCommitter(engine, {
    maxGroup,
    rides: [claimOf(claims, keyLifetimeMs), rideOf(riders)],
    actorOf: () => actorOf(riders),
    onRecordEvents: () => {
      for (const listener of recordListeners) listener();
    },
  });
  return {
    ...createReadStore(engine),
    /** Calls `listener` whenever this process has written events about contacts, campaigns and the like. */
    onRecordEvents: (listener: () => void): void => void recordListeners.push(listener),
    audit: createAuditStore(engine, committer, riders),
    idempotency: createIdempotencyStore(engine, committer, { riders: claims, lifetimeMs: keyLifetimeMs }),
    requestLog: createRequestLogStore(engine, committer),
    shareLinks: createShareLinkStore(engine, committer),
    keyUsage: createKeyUsageStore(engine, committer),
    queue: createQueueStore(engine, committer),
    attempts: createAttemptStore(engine),
    queueView: createQueueViewStore(engine, committer),
    traffic: createTrafficStore(engine),
    standings: createStandingStore(engine, committer),
    addressRechecks: createAddressRecheckStore(engine),
    stsPolicies: createStsPolicyStore(engine),
    tlsReports: createTlsReportStore(engine, committer),
    webhooks: createWebhookStore(engine, committer),
    inbound: createInboundStore(engine, committer),
    threads: createThreadStore(engine),
    campaigns: createCampaignStore(engine, committer),
    deliveryReports: createDeliveryReportStore(engine),
    domainChecks: createDomainCheckStore(engine, committer),
    followers: createFollowerStore(engine, committer),
    retention: createRetentionStore(engine, committer),
    oldRecords: createOldRecordStore(engine, committer),
    upkeep: engine.upkeep,
    readings: engine.readings,
    keyRotation: createKeyRotationStore(engine),
    sequences: createSequenceStore(engine),
    statistics: createStatisticsStore(engine),
    groupStatistics: createGroupStatistics(engine),
    zone: createZoneStore(engine),
    transfers: createTransferStore(engine),
    people: createPeopleStore(engine, committer),
    /** Applies a plan, all or nothing; resolves when it is on disk. Rejects with the plan's Refusal, or `unavailable`. */
    commit: (plan: Plan): Promise<Committed> =>
      committer.commit(
        (writing) => applyPlan(writing, plan),
        () => madeBy(plan),
      ),
    drain: () => committer.drain(),
    async close() {
      await committer.drain();
      await engine.close();
    },
  };
}
