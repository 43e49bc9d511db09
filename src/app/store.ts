// Opens the stores of all nouns on a database, and its committer. No noun receives all of them: each lists the stores that it
// uses in its stores.ts.
import { type CommitHooks, createCommitHooks } from '../lib/concurrency/index.js';
import { createAccountStore } from '../accounts/accounts.store.js';
import { applyPlan, type Committed, type Plan } from '../database/change.js';
import {
  currentActor,
  createAuditStore,
  createdId,
  auditHook,
  type PendingAuditEntry,
} from '../accounts/audit/audit.store.js';
import { createAddressRecheckStore } from '../outbound/outcome/address-rechecks.store.js';
import { createContactActivityStore } from '../analytics/contact-activity.store.js';
import { createConsentStore } from '../contacts/consents.store.js';
import { createContactStore } from '../contacts/contacts.store.js';
import { createErasureStore } from '../erasure/erasure.store.js';
import { createPersonStore } from '../erasure/person.store.js';
import { createSuppressionStore } from '../suppressions/suppressions.store.js';
import { createBrandingStore } from '../accounts/branding/brandings.store.js';
import { createBackupStore } from '../backups/backups.store.js';
import { createRestoredCampaignStore } from '../campaigns/restored-campaigns.store.js';
import { createCampaignStore } from '../campaigns/campaigns.store.js';
import { type Committer, type CommitReplica, type Commits, createCommitter } from '../database/committer.js';
import { createDeliveryReportStore } from '../relay/delivery-reports/delivery-reports.store.js';
import { createDomainCheckStore } from '../domains/domain-checks.store.js';
import { createDomainStore } from '../domains/domains.store.js';
import type { Engine } from '../database/engine/engine.js';
import { createSegmentReads } from '../events/archive/segments.store.js';
import { createArchiveStore } from '../operations/retention/archive.store.js';
import { createFeedStore } from '../feed/feed.store.js';
import { createEventStore } from '../events/events.store.js';
import { createConsumerStore } from '../events/consumers.store.js';
import {
  claimHook,
  createIdempotencyStore,
  type RequestClaim,
} from '../http/idempotency/idempotency.store.js';
import { createInboundReads, createInboundStore } from '../inbound/inbound.store.js';
import { createKeyUsageStore } from '../accounts/api-keys/key-usage.store.js';
import { createKeyRotationStore } from '../domains/keys/key-rotation.store.js';
import { createListStore } from '../contacts/lists/lists.store.js';
import { createMessageStore } from '../messages/messages.store.js';
import { createLostHistoryStore } from '../operations/backup/lost-history.store.js';
import { commitCounter, createNodeStore } from '../nodes/nodes.store.js';
import { createOauthStore } from '../accounts/oauth/oauth.store.js';
import { createPeopleStore } from '../accounts/people/people.store.js';
import { createAttemptStore } from '../messages/attempts.store.js';
import { createQueueViewStore } from '../outbound/schedule/queue-view.store.js';
import { createPurgeStore } from '../outbound/schedule/purge.store.js';
import { createQueueStore } from '../outbound/schedule/queue.store.js';
import { createDueTimeStore } from '../operations/due-times.store.js';
import { createFileReads, createFileStore } from '../operations/files/stored-files.store.js';
import { createGrowthStore, storedGrowth } from '../operations/growth/growth.store.js';
import { createOldRecordStore } from '../operations/retention/old-records.store.js';
import { createRecordReads } from '../webhooks/record-reads.store.js';
import { createReportSumStore } from '../inbound/reports/report-sums.store.js';
import { createReportStore } from '../inbound/reports/reports.store.js';
import { createRequestLogStore } from '../accounts/request-log/request-log.store.js';
import { createRetentionStore } from '../operations/retention/retention.store.js';
import { createAlertStore, forgetsPersons } from '../alerts/alerts.store.js';
import { createApprovalStore } from '../messages/approvals/approvals.store.js';
import { createAccountImportStore } from '../account-imports/account-imports.store.js';
import { accountImportEvents } from '../account-imports/account-import-events.store.js';
import { createShareLinkStore } from '../share-links/share-links.store.js';
import { createSequenceStore } from '../sequences/sequences.store.js';
import { createBulkRuleStore } from '../reputation/bulk-rules/bulk-rules.store.js';
import { createReputationStore } from '../reputation/reputation.store.js';
import type { FailureSpan } from '../operations/preflight/preflight-reports.rules.js';
import { reportFacts } from '../operations/preflight/reported-failures.store.js';
import { readIntegrity, parkedMails, storeSize } from '../operations/size.store.js';
import { storedFigures } from '../operations/telemetry/metrics.store.js';
import { createStsPolicyStore } from '../outbound/route/sts-policies.store.js';
import { createStatisticsStore } from '../analytics/statistics.store.js';
import { createGroupStatistics } from '../analytics/statistics-groups.store.js';
import { leftTopicAmong } from '../outbound/deliver/left-topics.store.js';
import { stoppedCopies } from '../campaigns/run/stopped-copies.store.js';
import { leftSequences } from '../sequences/left-lists.store.js';
import { createSavedBlockStore } from '../templates/saved-blocks.store.js';
import { createTemplateStore } from '../templates/templates.store.js';
import { createTenantStore } from '../tenants/tenants.store.js';
import { createDraftStore } from '../messages/drafts/drafts.store.js';
import { createForwardStore } from '../messages/inboxes/forwards.store.js';
import { createInboxStore } from '../messages/inboxes/inboxes.store.js';
import { createThreadStore } from '../messages/threads/threads.store.js';
import { createTlsReportStore } from '../operations/tls-reports/tls-reports.store.js';
import { createTlsResultStore } from '../outbound/outcome/tls-results.store.js';
import { createEngagementStore } from '../route-shares/engagement.store.js';
import { createSideFiguresStore } from '../route-shares/side-figures.store.js';
import { createTransferStore } from '../imports/transfers.store.js';
import { createTrafficStore } from '../outbound/shape/traffic.store.js';
import { createUsageStore } from '../accounts/usage.store.js';
import { createWebhookStore } from '../webhooks/webhooks.store.js';
import { createZoneStore } from '../domains/zone/zone.store.js';
import { campaignEvents } from '../campaigns/campaign-events.store.js';
import { transferEvents } from '../imports/transfer-events.store.js';
import { domainEvents } from '../domains/domain-events.store.js';
import { followsSuppressions } from '../contacts/contact-changes.store.js';
import { sequenceHandlers } from '../sequences/enrollment-changes.store.js';
import { Signals } from '../database/signals.js';
import { recordTargets } from '../events/record-events.store.js';

/** Lifetime (ms) of an Idempotency-Key, except those of messages. */
const KEY_LIFETIME_MS = 86_400_000;

/** Consequences of changes in nouns above, applied in the same transaction. */
const CONSEQUENCES = [campaignEvents, transferEvents, accountImportEvents, ...domainEvents];
const HANDLERS = [followsSuppressions, forgetsPersons, ...sequenceHandlers];

export type Store = ReturnType<typeof createStore>;
/** The read-only stores, for commands and checks beside a server. */
export type ReadStore = ReturnType<typeof createReadStore>;

export function createReadStore(engine: Engine) {
  return {
    accounts: createAccountStore(engine),
    backups: createBackupStore(engine),
    brandings: createBrandingStore(engine),
    tenants: createTenantStore(engine),
    domains: createDomainStore(engine),
    templates: createTemplateStore(engine.read),
    savedBlocks: createSavedBlockStore(engine.read),
    suppressions: createSuppressionStore(engine),
    contacts: createContactStore(engine),
    consents: createConsentStore(engine),
    lists: createListStore(engine),
    messages: createMessageStore(engine),
    approvals: createApprovalStore(engine),
    events: createEventStore(engine),
    feed: createFeedStore(engine),
    segments: createSegmentReads(engine),
    files: createFileReads(engine),
    records: createRecordReads(engine.read),
    inbound: createInboundReads(engine),
    size: () => storeSize(engine),
    integrity: () => readIntegrity(engine),
    reportFacts: (span: FailureSpan, organization: string) => reportFacts(engine, span, organization),
    growth: () => storedGrowth(engine),

    /** Counts inbound mails that could not be processed and need an operator. */
    parkedMails: () => parkedMails(engine),
    stoppedCopies: (messageIds: readonly number[]) => stoppedCopies(engine, messageIds),
    leftSequences: (messageIds: readonly number[]) => leftSequences(engine, messageIds),
    leftTopicAmong: (messageIds: readonly number[]) => leftTopicAmong(engine, messageIds),
    traffic: createTrafficStore(engine),
    usage: createUsageStore(engine),
  };
}

/** The node on whose behalf this process commits. */
interface CommittingNode {
  id: string;
  /** Called when other nodes have declared it dead; its commits are no longer kept. */
  onFencedOut: () => void;
  /** Called when the database has fewer commits of the node than the node made: commits since `since` (epoch ms) are lost. */
  onLostCommits?: (since: number) => void;
}

interface StoreOptions {
  maxGroup: number;
  keyLifetimeMs?: number;
  replica?: OpenReplica | null;
}

/** The replica of the database; `waits` is null if commits do not wait for it. */
interface OpenReplica {
  waits: CommitReplica | null;
  close: () => Promise<void> | undefined;
}

export function createStore(engine: Engine, options: StoreOptions) {
  const hooks = createCommitHooks<PendingAuditEntry>();
  const recordListeners: (() => void)[] = [];
  const claims = createCommitHooks<RequestClaim>();
  const { maxGroup, keyLifetimeMs = KEY_LIFETIME_MS, replica = null } = options;
  let node: CommittingNode | null = null;
  const committer = createCommitter(engine, {
    maxGroup,
    consequences: CONSEQUENCES,
    signals: new Signals(HANDLERS),
    hooks: [claimHook(claims, keyLifetimeMs), auditHook(hooks)],
    actorOf: () => currentActor(hooks),
    onCommitted: (parts) => {
      if (parts.find(recordTargets)?.hasAppended !== true) return;
      for (const listener of recordListeners) listener();
    },
    counter: () => (node === null ? null : commitCounter(node.id)),
    onFencedOut: () => node?.onFencedOut(),
    onLostCommits: (since) => node?.onLostCommits?.(since),
    replica: () => replica?.waits ?? null,
  });
  const commit: Commits['commit'] = (plan, urgency) =>
    committer.commitPlan(
      (writing) => applyPlan(writing, plan),
      () => createdId(plan),
      urgency,
    );
  return {
    ...createReadStore(engine),
    nodes: createNodeStore(engine),
    lostHistory: createLostHistoryStore(engine),
    /** Commits of this process as a node. */
    commits: committer.commits,
    /** Commits as that node from here on, unless other nodes have declared it dead. */
    commitAs(as: CommittingNode): void {
      node = as;
    },
    /** Calls `listener` after this process has written events about contacts, campaigns and other records. */
    onRecordEvents: (listener: () => void): void => void recordListeners.push(listener),
    ...createWriteStores(engine, committer, { hooks, claims, keyLifetimeMs }),
    commit,
    commitAlone: (plan: Plan): Promise<Committed> =>
      committer.commitAlone((writing) => applyPlan(writing, plan)),
    secured: () => committer.secured(),
    drain: () => committer.drain(),
    beginClosing: () => committer.beginClosing(),
    async close() {
      await committer.drain();
      await replica?.close();
      await engine.close();
    },
  };
}

interface WriteHooks {
  hooks: CommitHooks<PendingAuditEntry>;
  claims: CommitHooks<RequestClaim>;
  keyLifetimeMs: number;
}

/** Creates stores that write without plans, and reads that only a server needs. */
function createWriteStores(
  engine: Engine,
  committer: Committer,
  { hooks, claims, keyLifetimeMs }: WriteHooks,
) {
  return {
    audit: createAuditStore(engine, committer, hooks),
    idempotency: createIdempotencyStore(engine, committer, { hooks: claims, lifetimeMs: keyLifetimeMs }),
    requestLog: createRequestLogStore(engine, committer),
    shareLinks: createShareLinkStore(engine, committer),
    alerts: createAlertStore(engine, committer),
    keyUsage: createKeyUsageStore(engine, committer),
    queue: createQueueStore(engine, committer),
    attempts: createAttemptStore(engine),
    purge: createPurgeStore(engine),
    queueView: createQueueViewStore(engine, committer),
    reputations: createReputationStore(engine, committer),
    bulkRules: createBulkRuleStore(engine),
    addressRechecks: createAddressRecheckStore(engine),
    stsPolicies: createStsPolicyStore(engine),
    tlsReports: createTlsReportStore(engine, committer),
    tlsResults: createTlsResultStore(committer),
    webhooks: createWebhookStore(engine, committer),
    inbound: createInboundStore(engine, committer),
    threads: createThreadStore(engine),
    drafts: createDraftStore(engine),
    inboxes: createInboxStore(engine),
    forwards: createForwardStore(engine),
    reports: createReportStore(engine, committer),
    reportSums: createReportSumStore(engine, committer),
    campaigns: createCampaignStore(engine, committer),
    restoredCampaigns: createRestoredCampaignStore(engine, committer),
    deliveryReports: createDeliveryReportStore(engine),
    domainChecks: createDomainCheckStore(engine, committer),
    consumers: createConsumerStore(engine, committer),
    archive: createArchiveStore(engine, committer),
    files: createFileStore(engine),
    retention: createRetentionStore(engine, committer),
    dueTimes: createDueTimeStore(committer),
    oldRecords: createOldRecordStore(engine, committer),
    growthSamples: createGrowthStore(committer),
    upkeep: engine.upkeep,
    damage: engine.damage,
    statements: () => engine.statements(),
    missedConnections: () => engine.missedConnections(),
    readings: engine.readings,
    /** Returns metrics that are stored in rows. `now` is in epoch ms. */
    figures: (now: number) => storedFigures(engine, now),
    keyRotation: createKeyRotationStore(engine),
    sequences: createSequenceStore(engine),
    contactActivity: createContactActivityStore(engine),
    engagement: createEngagementStore(engine),
    sideFigures: createSideFiguresStore(engine),
    erasure: createErasureStore(engine),
    person: createPersonStore(engine),
    statistics: createStatisticsStore(engine),
    groupStatistics: createGroupStatistics(engine),
    zone: createZoneStore(engine),
    transfers: createTransferStore(engine),
    accountImports: createAccountImportStore(engine),
    people: createPeopleStore(engine, committer),
    oauth: createOauthStore(engine, committer),
  };
}
