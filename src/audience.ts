// Wires mail to many: imports, campaigns, sequences, tracking, statistics, with their routes. Nothing here decides anything.
import type { Routes } from './http/api/api.js';
import type { Job } from './sweeps.js';
import { analyticsRoutes } from './http/api/routes/analytics.js';
import { bulkActionRoutes } from './http/api/routes/bulk-actions.js';
import { campaignRoutes } from './http/api/routes/campaigns.js';
import { contactEraseRoutes } from './http/api/routes/contacts-erase.js';
import { exportRoutes } from './http/api/routes/exports.js';
import { importRoutes } from './http/api/routes/imports.js';
import { listMemberRoutes } from './http/api/routes/list-members.js';
import { listRoutes } from './http/api/routes/lists.js';
import type { TrafficView } from './http/api/routes/queue.js';
import { bounceRoutes } from './http/api/routes/bounces.js';
import { searchRoutes } from './http/api/routes/search.js';
import { sequenceRoutes } from './http/api/routes/sequences.js';
import { subscribeRoutes } from './http/api/routes/subscribe.js';
import { exportPresenters } from './http/api/present/transfer.js';
import type { Cursors } from './http/api/cursors.js';
import { createSignUpLimit } from './http/public/sign-up-limit.js';
import { createLooks } from './http/public/look.js';
import { signUpRoutes } from './http/public/sign-up.js';
import { listFormKeyRoutes } from './http/api/routes/lists-form-key.js';
import { subscribeFormRoutes } from './http/public/subscribe-form.js';
import { trackingRoutes } from './http/public/tracking.js';
import { guardedLookup, resolveByDns } from './net/address-guard.js';
import type { DnsResolver } from './net/dns/resolver.js';
import { createLinkCheck, type LinkCheck } from './net/link-check.js';
import { compileMachineClients } from './rules/machine-client.js';
import { readShipped } from './runtime/config/shipped.js';
import type { Clock } from './runtime/clock.js';
import type { Config } from './runtime/config/schema.js';
import type { Keys } from './runtime/key-files.js';
import type { Log } from './runtime/log.js';
import type { Store } from './store/store.js';
import { createAnalytics } from './work/analytics/analytics.js';
import { createCampaignCounts } from './work/analytics/campaign-counts.js';
import { createErase } from './work/audience/erase.js';
import { createListMembers } from './work/audience/list-members.js';
import { createSegmentCounts, type SegmentCounts } from './work/audience/segment-counts.js';
import { createSignUp } from './work/audience/sign-up.js';
import { createSealToken } from './work/submission/mailed-links.js';
import { createCountStranger } from './work/submission/stranger-mail.js';
import { createCampaigns, type Campaigns } from './work/campaigns/campaigns.js';
import { createCampaignPreflight } from './work/campaigns/preflight.js';
import { createPreviews } from './work/campaigns/preview.js';
import { createTestSend } from './work/campaigns/test-send.js';
import { createTransfers } from './work/imports/transfers.js';
import { createSequences } from './work/sequences/sequences.js';
import type { Bells, Submission } from './work/submission/accept.js';
import type { PlanLimits } from './rules/quota.js';
import type { QuotaDesk } from './work/submission/quota-desk.js';
import { createReconsider } from './work/submission/reconsider.js';
import type { Renderer } from './work/submission/renderer.js';
import { createResendInDoubt, type ResendDoubtful } from './work/submission/resend-in-doubt.js';
import { createTransferRetention } from './work/sweeps/transfer-retention.js';
import { createTracking } from './work/tracking/tracking.js';

export interface AudienceDeps {
  store: Store;
  config: Config;
  keys: Keys;
  dataFolder: string;
  resolver: DnsResolver;
  plans: ReadonlyMap<string, PlanLimits>;
  renderer: Renderer;
  submission: Submission;
  quota: QuotaDesk;
  clock: Clock;
  log: Log;
  bells: Bells;
  traffic: Pick<TrafficView, 'providerOf'>;
  cursors: Pick<Cursors, 'eventId'>;
}

export interface Audience {
  routes: Routes[];
  jobs: Job[];
  start(): void;
  /** What is being followed or opened is written down; the rest is found in the store. */
  stop(): Promise<void>;
}

export function createAudience(deps: AudienceDeps): Audience {
  const { store, config, keys, clock, log, bells, renderer, quota } = deps;
  const tokenKey = keys.tokenKeys.active;
  const reconsider = createReconsider({ store, lifetimes: config, clock, bells });
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
  const campaigns = createCampaigns({ store, renderer, quota, config, tokenKey, clock, log, bells });
  const sequences = createSequences({
    store,
    renderer,
    quota,
    tokenKey,
    publicUrl: config.publicUrl,
    settings: config,
    clock,
    log,
    bells,
  });
  const tracking = createTracking({
    store,
    clients: compileMachineClients(readShipped('machine-clients')),
    entriesPerMessage: config.trackingEventsPerMessage,
    bells,
    clock,
    log,
  });
  const { statistics, followers } = store;
  const links = linkCheckOf(deps);
  const resendInDoubt = createResendInDoubt({ store, lifetimes: config, clock, bells });
  const segmentCounts = createSegmentCounts({ store, clock, log });
  const transferRetention = createTransferRetention({
    store,
    files: transfers.files,
    keepMs: config.transferKeepMs,
    clock,
  });
  const analytics = createAnalytics({
    followers,
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
          ringSequences: () => sequences.ring(),
        }),
      (api) => analyticsRoutes(api, { store, countCampaign: createCampaignCounts(statistics, clock), clock }),
      (api) => searchRoutes(api, { store }),
      (api) => bounceRoutes(api, { store, clock }),
      (api) => trackingRoutes(api, { tracking, tokenKeys: keys.tokenKeys.all }),
    ],
    jobs: [{ name: 'old imports and exports', at: 'hour', run: () => transferRetention.run() }],
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
  { store, config, keys, submission, clock, log, bells }: AudienceDeps,
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
    count: createCountStranger(keys.masterKey),
    confirmationLifetimeMs,
  });
  const members = createListMembers({ store, clock });
  const lookOf = createLooks(store);
  const erase = createErase({ store, clock, bells });
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
