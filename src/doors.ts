// Wires the doors and the rooms behind them: submission, tenants, webhooks, sweeps, and every route of the API.
import { createAudience, type Audience } from './audience.js';
import { compilePlans } from './rules/quota.js';
import { createRecordCheck } from './net/dns/check-records.js';
import { guardedLookup, resolveByDns } from './net/address-guard.js';
import type { DnsResolver } from './net/dns/resolver.js';
import { createPoster, type Poster } from './net/https-poster.js';
import { createProbe } from './net/probe.js';
import { createTrackingHostCheck } from './net/tracking-host.js';
import type { OutboundRules } from './admin/outbound-rules.js';
import { routePolicy } from './outbound-traffic.js';
import type { Clock } from './runtime/clock.js';
import { readShipped } from './runtime/config/shipped.js';
import type { Config } from './runtime/config/schema.js';
import { createTimetable, type Timetable } from './runtime/cron.js';
import type { Keys } from './runtime/key-files.js';
import type { Log } from './runtime/log.js';
import type { Store } from './store/store.js';
import type { Api, Routes } from './http/api/api.js';
import { createCredentialCache, type CredentialCache } from './work/accounts/credential-cache.js';
import { createApiServer } from './http/api/server.js';
import { eventRoutes } from './http/api/routes/events.js';
import { healthCheckRoutes } from './http/api/routes/health-checks.js';
import { messageInsightRoutes } from './http/api/routes/message-insight.js';
import { queueRoutes, type TrafficView } from './http/api/routes/queue.js';
import { messageFileRoutes } from './http/api/routes/message-files.js';
import { messageRoutes } from './http/api/routes/messages.js';
import { proofRoutes } from './http/api/routes/proof.js';
import { senderRoutes } from './http/api/routes/senders.js';
import { subTenantRoutes } from './http/api/routes/sub-tenants.js';
import { templateRoutes } from './http/api/routes/templates.js';
import { threadRoutes } from './http/api/routes/threads.js';
import { webhookDeliveryRoutes } from './http/api/routes/webhook-deliveries.js';
import { webhookEndpointRoutes } from './http/api/routes/webhook-endpoints.js';
import { acmeChallengeRoutes, type AcmeChallengeDeps } from './http/public/acme-challenge.js';
import { confirmSenderRoutes } from './http/public/confirm-sender.js';
import { policyFileRoutes } from './http/public/mta-sts.js';
import { setupRoutes } from './http/public/setup.js';
import { composeSettings } from './work/mta/compose.js';
import { createSigningKeys } from './work/mta/signing-keys.js';
import { createAccept, type Bells, type Submission } from './work/submission/accept.js';
import { createQuotaDesk, type QuotaDesk } from './work/submission/quota-desk.js';
import { createRawMessages } from './work/mta/raw-message.js';
import { createReconsider } from './work/submission/reconsider.js';
import { createRenderer, type Renderer } from './work/submission/renderer.js';
import { createDeadDomains } from './work/sweeps/dead-domains.js';
import { createDomainChecks } from './work/sweeps/domain-checks.js';
import { createInboundRetention } from './work/sweeps/inbound-retention.js';
import { createTlsReports, type TlsReports } from './work/tls-reports/tls-reports.js';
import { createSubmitReport } from './work/tenants/report-mail.js';
import { createTenantChecks } from './work/tenants/checks.js';
import type { StsPolicies } from './work/traffic/sts-policies.js';
import { certificateInUse } from './work/certificates/in-use.js';
import { createConfirmations } from './work/tenants/confirmations.js';
import { createPreflight } from './work/preflight/preflight.js';
import { createPreflightRound, type PreflightRound } from './work/preflight/round.js';
import { preflightSettings, waysOut } from './work/preflight/settings.js';
import { inboundPolicy, platformRecords } from './work/tenants/platform.js';
import type { DomainSettings } from './work/tenants/domain-records.js';
import { createSenders } from './work/tenants/senders.js';
import { createSubTenants } from './work/tenants/sub-tenants.js';
import { createUrlCheck, createWebhooks, type Webhooks } from './work/webhooks/webhooks.js';

const EVERY_MINUTE = '* * * * *';
const EVERY_HOUR = '17 * * * *';

export interface DoorsDeps {
  store: Store;
  config: Config;
  keys: Keys;
  dataFolder: string;
  resolver: DnsResolver;
  clock: Clock;
  log: Log;
  bells: Bells;
  sts: Pick<StsPolicies, 'refresh'>;
  rules: OutboundRules;
  traffic: TrafficView;
  /** Most messages of a sub-tenant an hour; null: no limit. */
  throttle: (tenantId: string, perHour: number | null) => void;
  /** What routes may call a sub-tenant by. */
  nameTenant: (tenantId: string, externalId: string | null) => void;
  /** Answers the challenges of a certificate authority. */
  acmeChallenges: AcmeChallengeDeps;
}

export interface Doors {
  app: Api;
  webhooks: Webhooks;
  renderer: Renderer;
  /** The one door by which messages enter; the relay uses it too. */
  submission: Submission;
  credentials: CredentialCache;
  audience: Audience;
  sweeps: { start(): void; stop(): Promise<void> };
}

export async function createDoors(deps: DoorsDeps): Promise<Doors> {
  const { store, config, keys, resolver, clock, log, bells } = deps;
  const renderer = createRenderer({ threads: config.renderThreads, wallLimitMs: config.renderTimeLimitMs });
  const webhooks = createWebhooks({
    store,
    settings: config,
    masterKey: keys.masterKey,
    resolver,
    clock,
    log,
  });
  const checks = createTenantChecks({
    store,
    recordCheck: createRecordCheck({ resolver, askAuthority: config.dnsServers.length === 0, clock }),
    settings: domainSettings(config),
    trackingProblem: createTrackingHostCheck({ publicUrl: config.publicUrl, resolver }),
    clock,
  });
  const preflight = preflightOf(deps);
  const credentials = createCredentialCache(store, { ttlMs: config.credentialCacheMs });
  const plans = compilePlans(readShipped('plans'));
  const quota = createQuotaDesk(store, plans);
  const submission = createSubmission(deps, { renderer, quota });
  const audience = createAudience({ ...deps, renderer, submission, quota, plans });
  const app = await createApiServer({
    store,
    clock,
    log,
    credentials,
    settings: { ...config, trustedProxies: [...(config.trustedProxies ?? [])] },
    tokenKeys: keys.tokenKeys.all,
    bells,
    routes: [
      ...mailRoutes(deps, submission),
      ...identityRoutes(deps, checks, credentials),
      ...webhookRoutes(deps, webhooks),
      (api) => templateRoutes(api, { store, renderer, clock, publicUrl: config.publicUrl }),
      ...audience.routes,
      ...queueApiRoutes(deps),
      (api) => setupRoutes(api, { store, clock }),
      (api) => healthCheckRoutes(api, { latest: () => preflight.latest() }),
      ...inboundRoutes(config),
      (api) => acmeChallengeRoutes(api, deps.acmeChallenges),
    ],
  });
  const sweeps = createSweeps(deps, { checks, preflight, audience });
  return { app, webhooks, renderer, submission, credentials, audience, sweeps };
}

function createSubmission(
  { store, config, keys, clock, bells }: DoorsDeps,
  { renderer, quota }: { renderer: Renderer; quota: QuotaDesk },
): Submission {
  return createAccept({
    store,
    renderer,
    quota,
    config,
    tokenKey: keys.tokenKeys.active,
    clock,
    bells,
  });
}

function mailRoutes({ store, config, keys, clock, bells }: DoorsDeps, submission: Submission): Routes[] {
  const tokenKey = keys.tokenKeys.active;
  const rawMessage = createRawMessages({
    store,
    signingKeys: createSigningKeys(store, keys.masterKey, clock),
    settings: composeSettings(config, tokenKey),
  });
  const reconsider = createReconsider({ store, lifetimes: config, clock, bells });
  return [
    (api) => messageRoutes(api, { store, submission, reconsider, rawMessage, settings: config }),
    (api) => messageFileRoutes(api, { store }),
    (api) => threadRoutes(api, { store, submission, clock, settings: config }),
    (api) => proofRoutes(api, { store, proofKeys: keys.proofKeys, clock }),
  ];
}

function queueApiRoutes({ store, traffic, clock, bells }: DoorsDeps): Routes[] {
  const { attempts, queueView } = store;
  return [
    (api) => queueRoutes(api, { store, attempts, queueView, traffic, clock }),
    (api) => messageInsightRoutes(api, { store, attempts, queueView, traffic, bells, clock }),
  ];
}

function identityRoutes(
  { store, config, keys, clock, bells, throttle, nameTenant }: DoorsDeps,
  checks: ReturnType<typeof createTenantChecks>,
  credentials: CredentialCache,
): Routes[] {
  const settings = domainSettings(config);
  const { masterKey } = keys;
  const { publicUrl, platformDomain } = config;
  const ownNames = [
    config.hostname,
    config.bounceDomain,
    ...(platformDomain === null ? [] : [platformDomain]),
  ];
  const confirmations = createConfirmations({ store, clock, publicUrl, platformDomain });
  const senders = createSenders({ store, checks, confirmations, masterKey, clock, bells });
  const subTenants = createSubTenants({
    store,
    checks,
    masterKey,
    ownNames,
    clock,
    bells,
    throttle,
    nameTenant,
  });
  return [
    (api) => senderRoutes(api, { store, senders, settings }),
    (api) => subTenantRoutes(api, { store, subTenants, settings, credentials }),
    (api) => confirmSenderRoutes(api, { confirmations }),
  ];
}

/** What others ask about mail towards us. */
function inboundRoutes(config: Config): Routes[] {
  const policy = inboundPolicy(config);
  return policy ? [(api) => policyFileRoutes(api, policy)] : [];
}

function webhookRoutes({ store, config, keys, resolver, clock }: DoorsDeps, webhooks: Webhooks): Routes[] {
  const checkUrl = createUrlCheck({ allowPrivate: config.webhookAllowPrivate, resolver });
  const ringDeliveries = (): void => webhooks.deliveryBell.ring();
  const { masterKey } = keys;
  return [
    (api) => webhookEndpointRoutes(api, { store, masterKey, clock, checkUrl, ringDeliveries }),
    (api) => webhookDeliveryRoutes(api, { store, clock, ringDeliveries }),
    (api) => eventRoutes(api, { store }),
  ];
}

/** Where the records of sending domains lead: mail to our name, links to the public one. */
function domainSettings(config: Config): DomainSettings {
  return { hostname: config.hostname, trackingHost: new URL(config.publicUrl).hostname };
}

function createSweeps(
  deps: DoorsDeps,
  rooms: { checks: ReturnType<typeof createTenantChecks>; preflight: PreflightRound; audience: Audience },
): Doors['sweeps'] {
  const { checks, preflight, audience } = rooms;
  const { store, config, resolver, clock, log, sts, bells } = deps;
  const domainChecks = createDomainChecks({ store, checks, clock, intervalMs: config.dnsCheckIntervalMs });
  const allowPrivate = config.webhookAllowPrivate;
  const poster = createPoster({
    allowPrivate,
    lookup: guardedLookup({ allowPrivate, resolve: resolveByDns(resolver) }),
  });
  const tlsReports = tlsReportsOf(deps, poster);
  const deadDomains = createDeadDomains({
    store,
    rechecks: store.addressRechecks,
    resolver,
    policy: routePolicy(config, [4, 6]),
    clock,
    ringEvents: () => bells.events(),
  });
  const inboundRetention = createInboundRetention({ store, keepMs: config.inboundKeepMs, clock });
  let timetable: Timetable | null = null;
  return {
    start() {
      timetable = createTimetable({ log });
      timetable.schedule('domain checks', EVERY_MINUTE, () => domainChecks.run());
      timetable.schedule('TLS reports', EVERY_MINUTE, () => tlsReports.run());
      timetable.schedule('MTA-STS policies', EVERY_HOUR, () => sts.refresh());
      timetable.schedule('dead domains', EVERY_MINUTE, () => deadDomains.run());
      timetable.schedule('old inbound mail', EVERY_HOUR, () => inboundRetention.run());
      timetable.schedule('old imports and exports', EVERY_HOUR, () => audience.transferRetention.run());
      if (!config.preflight) return;
      timetable.schedule('preflight', EVERY_HOUR, () => preflight.run());
      preflight.run().catch((error: unknown) => log.error({ err: error }, 'preflight fault'));
    },
    async stop() {
      tlsReports.stop();
      await timetable?.stop();
      await poster.close();
    },
  };
}

function preflightOf({ store, config, resolver, clock, log, rules }: DoorsDeps): PreflightRound {
  const { hostname, platformDomain, bounceDomain, inboundDomain } = config;
  return createPreflightRound({
    preflight: createPreflight({
      resolver,
      probe: createProbe({ resolver, clock }),
      settings: preflightSettings(config, waysOut(rules.egress)),
      clock,
      platformRecords: () =>
        platformRecords(store, { hostname, platformDomain, bounceDomain, inboundDomain }),
      certificate: () => certificateInUse(config, config.dataDir, clock()),
    }),
    clock,
    log,
  });
}

function tlsReportsOf({ store, config, resolver, clock, log, bells }: DoorsDeps, poster: Poster): TlsReports {
  const { platformDomain } = config;
  const submitter = platformDomain ?? config.hostname;
  return createTlsReports({
    store,
    resolver,
    submit: createSubmitReport({ store, platformDomain, clock, bells }),
    poster,
    clock,
    log,
    settings: {
      isEnabled: config.tlsReports,
      organization: config.tlsReportOrganization ?? submitter,
      contact: config.tlsReportContact ?? `postmaster@${submitter}`,
      submitter,
      platformDomain,
    },
  });
}
