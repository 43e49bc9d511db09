// Wires the doors and the rooms behind them: submission, tenants, webhooks, sweeps, and every route of the API.
import { createAudience, type Audience } from './audience.js';
import { createSweeps, preflightOf, type Sweeps } from './sweeps.js';
import { createTenancy } from './tenancy.js';
import { compilePlans } from './rules/quota.js';
import type { DnsResolver } from './net/dns/resolver.js';
import type { OutboundRules } from './admin/outbound-rules.js';
import type { Clock } from './runtime/clock.js';
import { readShipped } from './runtime/config/shipped.js';
import type { Config } from './runtime/config/schema.js';
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
import { templateRoutes } from './http/api/routes/templates.js';
import { threadRoutes } from './http/api/routes/threads.js';
import { webhookDeliveryRoutes } from './http/api/routes/webhook-deliveries.js';
import { webhookEndpointRoutes } from './http/api/routes/webhook-endpoints.js';
import { acmeChallengeRoutes, type AcmeChallengeDeps } from './http/public/acme-challenge.js';
import { policyFileRoutes } from './http/public/mta-sts.js';
import { setupRoutes } from './http/public/setup.js';
import { composeSettings } from './work/mta/compose.js';
import { createSigningKeys } from './work/mta/signing-keys.js';
import { createAccept, type Bells, type Submission } from './work/submission/accept.js';
import { createQuotaDesk, type QuotaDesk } from './work/submission/quota-desk.js';
import { createRawMessages } from './work/mta/raw-message.js';
import { createReconsider } from './work/submission/reconsider.js';
import { createRenderer, type Renderer } from './work/submission/renderer.js';
import type { StsPolicies } from './work/traffic/sts-policies.js';
import { inboundPolicy } from './work/tenants/platform.js';
import { createUrlCheck, createWebhooks, type Webhooks } from './work/webhooks/webhooks.js';

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
  sweeps: Sweeps;
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
  const preflight = preflightOf(deps);
  const credentials = createCredentialCache(store, { ttlMs: config.credentialCacheMs });
  const tenancy = createTenancy({ ...deps, credentials });
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
      ...tenancy.routes,
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
  const sweeps = createSweeps(deps, { preflight, jobs: [...tenancy.jobs, ...audience.jobs] });
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
