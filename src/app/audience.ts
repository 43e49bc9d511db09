// Wires mail to many: imports, campaigns, sequences, tracking, statistics, with their routes. Nothing here decides anything.
import type { Routes } from '../api/api.js';
import { analyticsRoutes } from '../analytics/analytics.routes.js';
import { bulkActionRoutes } from '../imports/bulk-actions.routes.js';
import { campaignRoutes } from '../campaigns/campaigns.routes.js';
import { contactEraseRoutes } from '../contacts/erase.routes.js';
import { exportRoutes } from '../imports/exports.routes.js';
import { importRoutes } from '../imports/imports.routes.js';
import { listMemberRoutes } from '../lists/members.routes.js';
import { listRoutes } from '../lists/lists.routes.js';
import type { TrafficView } from '../outbound/traffic-view.js';
import { bounceRoutes } from '../outbound/outcome/bounces.routes.js';
import { searchRoutes } from '../api/search.routes.js';
import { sequenceRoutes } from '../sequences/sequences.routes.js';
import { subscribeRoutes } from '../lists/sign-up/subscribe.routes.js';
import { exportPresenters } from '../imports/transfer.view.js';
import type { Cursors } from '../api/cursors.js';
import { createSignUpLimit } from '../lists/sign-up/sign-up-limit.pages.js';
import { createLooks } from '../pages/look.pages.js';
import { signUpRoutes } from '../lists/sign-up/sign-up.pages.js';
import { listFormKeyRoutes } from '../lists/form-key.routes.js';
import { subscribeFormRoutes } from '../lists/sign-up/subscribe-form.pages.js';
import { trackingRoutes } from '../tracking/tracking.pages.js';
import { guardedLookup, resolveByDns } from '../lib/http/address-guard.js';
import type { DnsResolver } from '../lib/dns/resolver.js';
import { createLinkCheck, type LinkCheck } from '../lib/http/link-check.js';
import { compileMachineClients } from '../tracking/machine-client.rules.js';
import { readShipped } from '../settings/shipped.js';
import type { Clock } from '../lib/runtime/clock.js';
import type { Config } from '../settings/settings.js';
import type { Keys } from '../lib/runtime/key-files.js';
import type { Log } from '../lib/runtime/log.js';
import type { Store } from '../store/store.js';
import { createAnalytics } from '../analytics/analytics.js';
import { createCampaignCounts } from '../analytics/campaign-counts.js';
import { createErase } from '../contacts/erase.js';
import { createListMembers } from '../lists/members.js';
import { createSegmentCounts, type SegmentCounts } from '../lists/segment-counts.js';
import { createSignUp } from '../lists/sign-up/sign-up.js';
import { createSealToken } from '../messages/rendering/mailed-links.js';
import { createUnsolicitedMailLimit } from '../messages/system-mail/unsolicited-mail.js';
import { createCampaigns, type Campaigns } from '../campaigns/run/campaigns.js';
import { createCampaignPreflight } from '../campaigns/prepare/preflight.js';
import { createPreviews } from '../campaigns/prepare/preview.js';
import { createTestSend } from '../campaigns/prepare/test-send.js';
import { createTransfers } from '../imports/transfers.js';
import { createSequences } from '../sequences/sequences.js';
import type { WakeUps, Submission } from '../messages/accept/accept.js';
import type { PlanLimits } from '../accounts/quota.rules.js';
import type { QuotaCheck } from '../messages/accept/quota-check.js';
import { createReconsider } from '../messages/reconsider.js';
import type { Renderer } from '../messages/rendering/renderer.js';
import { createResendInDoubt, type ResendDoubtful } from '../messages/accept/resend-in-doubt.js';
import { createTransferRetention, type TransferRetention } from '../imports/transfer-retention.js';
import { createTracking } from '../tracking/tracking.js';

export interface AudienceDeps {
  store: Store;
  config: Config;
  keys: Keys;
  dataFolder: string;
  resolver: DnsResolver;
  plans: ReadonlyMap<string, PlanLimits>;
  renderer: Renderer;
  submission: Submission;
  quota: QuotaCheck;
  clock: Clock;
  log: Log;
  wakeUps: WakeUps;
  traffic: Pick<TrafficView, 'providerOf'>;
  cursors: Pick<Cursors, 'eventId'>;
}

export interface Audience {
  routes: Routes[];
  transferRetention: TransferRetention;
  start(): void;
  /** What is being followed or opened is written down; the rest is found in the store. */
  stop(): Promise<void>;
}

export function createAudience(deps: AudienceDeps): Audience {
  const { store, config, keys, clock, log, wakeUps, renderer, quota } = deps;
  const tokenKey = keys.tokenKeys.active;
  const reconsider = createReconsider({ store, lifetimes: config, clock, wakeUps });
  const transfers = createTransfers({
    store,
    dataFolder: deps.dataFolder,
    clock,
    log,
    present: exportPresenters(deps.cursors),
    mail: {
      resend: (...asked) => deps.submission.resend(...asked),
      cancel: (...asked) => reconsider.cancel(...asked),
    },
  });
  const campaigns = createCampaigns({ store, renderer, quota, config, tokenKey, clock, log, wakeUps });
  const sequences = createSequences({
    store,
    renderer,
    quota,
    tokenKey,
    publicUrl: config.publicUrl,
    settings: config,
    clock,
    log,
    wakeUps,
  });
  const tracking = createTracking({
    store,
    clients: compileMachineClients(readShipped('machine-clients')),
    entriesPerMessage: config.trackingEventsPerMessage,
    wakeUps,
    clock,
    log,
  });
  const { statistics, consumers } = store;
  const links = linkCheckOf(deps);
  const resendInDoubt = createResendInDoubt({ store, lifetimes: config, clock, wakeUps });
  const segmentCounts = createSegmentCounts({ store, clock, log });
  const transferRetention = createTransferRetention({ store, files: transfers.files });
  const analytics = createAnalytics({
    consumers,
    statistics,
    clock,
    log,
    settings: config,
    providerOf: (domain) => deps.traffic.providerOf(domain),
  });
  return {
    routes: [
      ...contactRoutes(deps, segmentCounts),
      ...campaignRoutesOf(deps, { campaigns, links, resendInDoubt }),
      (api) => importRoutes(api, { store, transfers, importSizeLimitBytes: config.importSizeLimitBytes }),
      (api) => exportRoutes(api, { store, transfers, clock }),
      (api) => bulkActionRoutes(api, { store, transfers }),
      (api) =>
        sequenceRoutes(api, {
          store,
          clock,
          minIntervalMs: config.sequenceMinIntervalMs,
          resendInDoubt,
          notifySequences: () => sequences.ring(),
        }),
      (api) => analyticsRoutes(api, { store, countCampaign: createCampaignCounts(statistics, clock), clock }),
      (api) => searchRoutes(api, { store }),
      (api) => bounceRoutes(api, { store, clock }),
      (api) => trackingRoutes(api, { tracking, tokenKeys: keys.tokenKeys.all }),
    ],
    transferRetention,
    start() {
      transfers.start();
      campaigns.start();
      sequences.start();
      analytics.start();
    },
    async stop() {
      await Promise.all([
        transfers.stop(),
        campaigns.stop(),
        sequences.stop(),
        analytics.stop(),
        tracking.stop(),
        segmentCounts.stop(),
        links.close(),
      ]);
    },
  };
}

/** Lists, who signs up to them, and who is to be forgotten. */
function contactRoutes(
  { store, config, keys, submission, clock, log, wakeUps }: AudienceDeps,
  segmentCounts: SegmentCounts,
): Routes[] {
  const { publicUrl, confirmationLifetimeMs } = config;
  const limit = createSignUpLimit(config.signUpRate, clock);
  const signUp = createSignUp({
    store,
    submission,
    clock,
    log,
    publicUrl,
    tokenKeys: keys.tokenKeys,
    seal: createSealToken(keys.masterKey),
    count: createUnsolicitedMailLimit(keys.masterKey),
    confirmationLifetimeMs,
  });
  const members = createListMembers({ store, clock });
  const lookOf = createLooks(store);
  const erase = createErase({ store, clock, wakeUps });
  return [
    (api) => contactEraseRoutes(api, { store, erase }),
    (api) => listRoutes(api, { store, segmentCounts, signUp, clock }),
    (api) => listFormKeyRoutes(api, { store, signUp, clock }),
    (api) => listMemberRoutes(api, { store, members }),
    (api) => subscribeRoutes(api, { store, signUp }),
    (api) => subscribeFormRoutes(api, { signUp, limit, lookOf }),
    (api) => signUpRoutes(api, { signUp, limit, lookOf }),
  ];
}

function campaignRoutesOf(
  deps: AudienceDeps,
  {
    campaigns,
    links,
    resendInDoubt,
  }: { campaigns: Campaigns; links: LinkCheck; resendInDoubt: ResendDoubtful },
): Routes[] {
  const { store, config, renderer, submission, plans, clock } = deps;
  const previews = createPreviews({ store, renderer, publicUrl: config.publicUrl, clock });
  const preflight = createCampaignPreflight({
    store,
    renderer,
    previews,
    links,
    plans,
    settings: config,
    clock,
  });
  const sendTest = createTestSend({ store, previews, submission });
  return [
    (api) =>
      campaignRoutes(api, {
        store,
        campaigns,
        previews,
        preflight,
        sendTest,
        resendInDoubt,
        renderer,
        clock,
      }),
  ];
}

function linkCheckOf({ config, resolver }: AudienceDeps): LinkCheck {
  const allowPrivate = config.webhookAllowPrivate;
  return createLinkCheck({
    allowPrivate,
    timeoutMs: config.linkCheckTimeoutMs,
    lookup: guardedLookup({ allowPrivate, resolve: resolveByDns(resolver) }),
  });
}
