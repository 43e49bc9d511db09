// Wires the API: submission, the nouns with their routes and jobs, and the server.
import { hostname } from 'node:os';
import { join } from 'node:path';
import { createCredentialCache, type CredentialCache } from '../accounts/api-keys/credential-cache.js';
import { createAlerts } from '../alerts/index.js';
import { createAccounts } from '../accounts/index.js';
import { compilePlans } from '../accounts/quota.rules.js';
import type { Api, Routes } from '../http/api.js';
import { createCursors } from '../http/lists/cursors.js';
import { dashboardRoutes } from '../http/dashboard/dashboard.js';
import { compatRoutes } from '../compat/compat.js';
import { createWebhookFormats } from '../compat/webhook-formats.js';
import { createDomains, domainSettings, type Domains } from '../domains/index.js';
import { inboundPolicy } from '../domains/platform.js';
import { forgetAccountImports } from '../account-imports/account-imports.store.js';
import { forgetReports } from '../inbound/reports/reports.store.js';
import { reportRoutes } from '../analytics/reports/reports.routes.js';
import { MCP_PATH, mcpRoutes } from '../mcp/mcp.routes.js';
import type { DnsResolver } from '../lib/dns/index.js';
import { openDescriptors } from '../lib/http/index.js';
import { changeLog, type Clock, type Log, productVersion } from '../lib/runtime/index.js';
import type { DiskGuard } from '../lib/files/index.js';
import type { Keys } from '../lib/secrets/index.js';
import type { Submission } from '../messages/accept/accept.js';
import type { WakeUps } from '../events/wake-ups.js';
import { createSessionRecheck } from '../accounts/access/session-recheck.js';
import { forgetInboxesAndDrafts } from '../messages/forget-tenant.store.js';
import { createMessages } from '../messages/index.js';
import { createSystemMail } from '../messages/system-mail/system-mail.js';
import { createQuotaCheck, type QuotaCheck } from '../messages/accept/quota-check.js';
import { createRenderer, type Renderer } from '../templates/rendering/renderer.js';
import { acmeChallengeRoutes } from '../operations/certificates/acme-challenge.pages.js';
import type { AcmeChallenges } from '../lib/acme/index.js';
import { activityRoute } from '../operations/activity.routes.js';
import type { InstallationFiles } from '../operations/files/installation-files.js';
import { createOperations, type Operations } from '../operations/index.js';
import { newestRelease } from '../operations/release-notes.rules.js';
import { systemRoutes, type BoundPort } from '../operations/system.routes.js';
import { policyFileRoutes } from '../operations/tls-reports/mta-sts.pages.js';
import type { KeyGeneration } from '../domains/keys/key-generation.js';
import { createOutboundApi, outboundJobs } from '../outbound/index.js';
import type { Reload } from '../outbound/reload.js';
import type { OutboundApiContext } from '../outbound/context.js';
import type { OutboundRules } from '../outbound/route/outbound-rules.js';
import type { Engagement } from '../outbound/route/side-chooser.js';
import type { StsPolicies } from '../outbound/route/sts-policies.js';
import type { SimulatedReplies } from '../outbound/simulator/simulator.js';
import type { TenantControl } from '../outbound/shape/tenant-limits.js';
import type { TrafficView } from '../outbound/traffic-view.js';
import type { Config } from '../settings/settings.js';
import { compileShipped } from '../settings/shipped.js';
import { placeFile, type DatabasePlace } from '../database/engine/place.js';
import type { Store } from './store.js';
import { createSharing } from '../share-links/index.js';
import { savedBlockRoutes } from '../templates/saved-blocks.routes.js';
import type { TemplateContext } from '../templates/context.js';
import { TemplateSources } from '../templates/sources.js';
import { templateRoutes } from '../templates/templates.routes.js';
import { forgetTemplates } from '../templates/templates.store.js';
import { bulkRuleRoutes } from '../reputation/bulk-rules/bulk-rules.routes.js';
import type { RelayContext } from '../relay/context.js';
import { rawMessageRoutes } from '../relay/raw-messages.routes.js';
import { createRouteShares } from '../route-shares/index.js';
import { createReputation, type Reputation } from '../reputation/index.js';
import { createWebhooksApi, type WebhooksApi } from '../webhooks/index.js';
import { createAudience, type Audience } from './audience.js';
import { createApiServer } from './http-server.js';
import type { DatabaseServerFacts } from '../operations/preflight/preflight-store.rules.js';
import type { NodeRole } from '../contract/names.js';
import type { Cluster } from '../nodes/cluster.js';
import { nodeRoutes } from '../nodes/nodes.routes.js';
import type { RoomOf } from './node.js';
import type { ReplicaView } from './replica.js';
import { createTimetable, type Job, type Room, type Timetable } from '../lib/concurrency/index.js';

interface ApiDeps {
  store: Store;
  config: Config;
  keys: Keys;
  dataFolder: string;
  disk: DiskGuard;
  files: InstallationFiles;
  place: DatabasePlace;
  resolver: DnsResolver;
  clock: Clock;
  log: Log;
  wakeUps: WakeUps;
  /** Says which recipients respond to mail. */
  engagement: Engagement;
  /** Simulated replies to sandbox messages. */
  simulatedReplies: SimulatedReplies;
  /** Called after mail was spooled as if it had been received. */
  notifyInbound: () => void;
  /** Reads a submitted message in a thread. */
  parse: RelayContext['parse'];
  sts: Pick<StsPolicies, 'refresh'>;
  rules: OutboundRules;
  reload: () => Reload;
  traffic: TrafficView;
  control: OutboundApiContext['control'];
  /** Delivery limits of sub-tenants. */
  tenants: TenantControl;
  /** Sets the external id by which routes may refer to a sub-tenant. */
  nameTenant: (tenantId: string, externalId: string | null) => void;
  keyGeneration: KeyGeneration;
  /** Answers challenges of a certificate authority. */
  acmeChallenges: Pick<AcmeChallenges, 'answer'>;
  roomOf: RoomOf;
  /** Roles of this node. */
  roles: ReadonlySet<NodeRole>;
  /** This server as a node of a cluster; null if it is alone. */
  node: Cluster | null;
  /** Null without a replica. */
  replica: ReplicaView | null;
  /** Ports that the server listens on; none before the start is complete. */
  ports: () => readonly BoundPort[];
  /** Whether the server is shutting down. */
  isClosing: () => boolean;
  /** Default: created from the settings. */
  renderer?: Renderer;
}

export interface ApiPart {
  app: Api;
  webhooks: Pick<WebhooksApi, 'notify' | 'start' | 'closeStreams' | 'stop'>;
  renderer: Renderer;
  /** Accepts every message, including those of the relay. */
  submission: Submission;
  quota: QuotaCheck;
  credentials: CredentialCache;
  /** Called after another node has changed an API key or a sub-tenant. */
  forgetCredential: (keyOrTenantId: string) => void;
  /** Called when the event chains may have a new epoch. */
  readEpochs: () => Promise<void>;
  audience: Audience;
  domains: Domains;
  reputation: Reputation;
  accounts: Pick<Awaited<ReturnType<typeof createAccounts>>, 'settled'>;
  schedules: Schedules;
  checks: Operations['checks'];
  capDueTimes: Operations['capDueTimes'];
}

export async function createApi(deps: ApiDeps): Promise<ApiPart> {
  const { store, config, keys, clock, log, wakeUps } = deps;
  const nouns = await createNouns(deps);
  const { credentials, cursors, operations } = nouns;
  const app = await createApiServer({
    store,
    clock,
    log,
    credentials,
    settings: { ...config, trustedProxies: [...(config.trustedProxies ?? [])] },
    masterKey: keys.masterKey,
    cursors,
    tokenKeys: keys.tokenKeys.all,
    wakeUps,
    descriptors: openDescriptors(),
    isStorageFull: () => deps.disk.isFull(),
    isServed: deps.roles.has('api'),
    isClosing: deps.isClosing,
    isAway: () => deps.node?.isAway ?? false,
    missingRoles: () => deps.node?.missingRoles() ?? [],
    replicaProblem: () => deps.replica?.problem() ?? null,
    clockOffsetMs: () => deps.node?.clockOffsetMs ?? null,
    routes: createRoutes(deps, nouns),
  });
  return {
    app,
    ...nouns,
    submission: nouns.messages.submission,
    quota: nouns.quota,
    forgetCredential: (id) => nouns.ownCredentials.forget(id),
    readEpochs: async () => cursors.setEpochs(await store.backups.chainEpochs()),
    schedules: createWork(deps, nouns),
    checks: () => operations.checks(),
    capDueTimes: () => operations.capDueTimes(),
  };
}

type Nouns = Awaited<ReturnType<typeof createNouns>>;

/** Creates the nouns that the API serves, each from earlier ones. */
async function createNouns(deps: ApiDeps) {
  const { store, config, keys } = deps;
  const renderer =
    deps.renderer ?? createRenderer({ threads: config.renderThreads, wallLimitMs: config.renderTimeLimitMs });
  const ownCredentials = createCredentialCache(store, { ttlMs: config.credentialCacheMs });
  const credentials = forgottenByAll(ownCredentials, deps.node);
  const formats = createWebhookFormats();
  const webhooks = createWebhooksApi(
    { ...deps, ...{ masterKey: keys.masterKey, credentials, formats }, room: deps.roomOf('webhooks') },
    { ...config, ...domainSettings(deps) },
  );
  const systemMail = createSystemMail({ store, platformDomain: config.platformDomain });
  const domains = createDomains({
    ...{ ...deps, systemMail, credentials },
    alsoRemoved: (id, now) => [
      ...forgetTemplates(id, now),
      ...forgetReports(id),
      ...forgetInboxesAndDrafts(id),
      ...forgetAccountImports(id),
    ],
  });
  const reputation = createReputation(deps);
  const shares = createRouteShares(deps);
  const plans = compileShipped('plans', compilePlans);
  const quota = createQuotaCheck(plans);
  const accounts = await createAccounts({
    ...deps,
    settings: config,
    mcpUrl: config.mcp ? `${config.publicUrl}${MCP_PATH}` : null,
    masterKey: keys.masterKey,
    plans,
    systemMail,
    credentials,
  });
  const messages = createMessages({
    ...{ ...deps, tokenKey: keys.tokenKeys.active, renderer, quota, systemMail },
    inboundOwner: (domain) => store.inbound.inboundOwner(domain),
    recheck: createSessionRecheck({ ...deps, credentials, settings: config }),
  });
  const { submission } = messages;
  const outbound = createOutboundApi(deps);
  const cursors = createCursors(keys.masterKey, await store.backups.chainEpochs());
  const { senders, subTenants } = domains;
  const audience = createAudience({
    ...{ ...deps, cursors, renderer, submission, quota, plans },
    ...{ senders, subTenants, formats },
  });
  const operations = createOperations({
    ...{ ...deps, systemMail },
    folder: { databaseFile: placeFile(deps.place), keysFolder: join(deps.dataFolder, 'keys') },
    transfers: audience.transferRetention,
    accountImports: audience.accountImports,
    incidents: store.alerts,
    sourcesOfNode: () => deps.node?.sources() ?? null,
    missingRoles: () => deps.node?.missingRoles() ?? null,
    databaseServer: () => serverFacts(deps),
    replica: () => deps.replica?.facts() ?? null,
  });
  const { node } = deps;
  const alerts = createAlerts({
    ...{ ...deps, systemMail },
    masterKey: keys.masterKey,
    host: hostname(),
    checks: () => operations.checks(),
    checkDisk: () => operations.checkDisk(),
    backupSchedule: placeFile(deps.place) === null ? null : config.backupSchedule,
    replica: () => deps.replica?.facts() ?? null,
    livingHosts: () => node?.view().nodes.map(({ host }) => host) ?? [hostname()],
  });
  const sharing = createSharing({ ...deps, lookAtRecords: domains.lookAtRecords }, outbound.explain);
  return {
    ...{ renderer, ownCredentials, credentials, webhooks, domains, reputation, shares, plans, accounts },
    ...{ messages, quota, outbound, cursors, audience, operations, alerts, sharing },
  };
}

function createRoutes(deps: ApiDeps, nouns: Nouns): Routes[] {
  const { store, config, clock } = deps;
  const { accounts, messages, outbound, alerts, domains, reputation, webhooks, audience, operations } = nouns;
  const { renderer, plans, sharing, shares } = nouns;
  const bulkRules = {
    ...{ store, clock, rawMessage: outbound.rawMessage },
    checks: () => operations.checks(),
    // Read at each use, because they may be reloaded.
    get providers() {
      return deps.rules.providers;
    },
    settings: domainSettings(deps),
  };
  const templates = templateContext(deps, renderer, messages.submission);
  return [
    ...messages.routes,
    (api) => rawMessageRoutes(api, { ...deps, submission: messages.submission }),
    ...outbound.messageRoutes,
    (api) => reportRoutes(api, { store, clock }),
    ...accounts.routes,
    ...alerts.routes,
    (api) =>
      dashboardRoutes(api, { isSetupNeeded: () => accounts.isSetupNeeded(), publicUrl: config.publicUrl }),
    ...domains.routes,
    ...reputation.routes,
    ...shares.routes,
    (api) => bulkRuleRoutes(api, bulkRules),
    ...webhooks.routes,
    (api) => templateRoutes(api, templates),
    (api) => savedBlockRoutes(api, { store, clock }),
    ...audience.routes,
    ...outbound.routes,
    ...sharing.routes,
    ...operations.routes,
    (api) => systemRoutes(api, { store, config }, { ...releaseFacts(), plans, ports: deps.ports }),
    (api) => nodeRoutes(api, { cluster: deps.node, clock }),
    (api) => activityRoute(api, deps, deps),
    ...inboundRoutes(config),
    (api) => acmeChallengeRoutes(api, deps.acmeChallenges),
    (api) => compatRoutes(api, { renderer, config, clock }),
    ...(config.mcp ? [(api: Api) => mcpRoutes(api, { config })] : []),
  ];
}

/** Creates the scheduled work and the watches that it uses. */
function createWork(deps: ApiDeps, nouns: Nouns): Schedules {
  const { accounts, messages, domains, reputation, shares, operations, alerts } = nouns;
  const timetable = createSchedules(
    [
      ...accounts.jobs,
      ...messages.jobs,
      ...domains.jobs,
      ...reputation.jobs,
      ...shares.jobs,
      ...operations.jobs,
      ...alerts.jobs,
      ...outboundJobs(deps, deps.sts),
    ],
    { log: deps.log, settings: deps.config, room: deps.roomOf('schedules') },
  );
  return {
    start() {
      timetable.start();
      operations.start();
    },
    async stop() {
      await timetable.stop();
      await operations.close();
      await alerts.close();
    },
  };
}

function templateContext(
  { store, clock, config }: ApiDeps,
  renderer: Renderer,
  testMail: Submission,
): TemplateContext {
  const { campaigns, sequences, templates } = store;
  return {
    store,
    sources: new TemplateSources(renderer),
    senders: {
      campaigns: (scope, id) => campaigns.usingTemplate(scope, id),
      sequences: (scope, template) => sequences.usingTemplate(scope, template, templates.templateBySlug),
    },
    renderer,
    testMail,
    clock,
    publicUrl: config.publicUrl,
  };
}

/** Returns this node's cache, which also notifies the other nodes to forget a credential. */
function forgottenByAll(own: CredentialCache, node: Cluster | null): CredentialCache {
  return {
    ...own,
    forget(id) {
      own.forget(id);
      node?.publish({ kind: 'credentials', id });
    },
  };
}

function releaseFacts() {
  return { version: productVersion(), release: newestRelease(changeLog() ?? '') };
}

/** Routes for mail servers that look up policies for inbound mail. */
function inboundRoutes(config: Config): Routes[] {
  const policy = inboundPolicy(config);
  return policy ? [(api) => policyFileRoutes(api, { ...policy, zone: config.dnsZone })] : [];
}

/** Returns this node's measurements of its database server; null on SQLite. */
function serverFacts({ node, store }: Pick<ApiDeps, 'node' | 'store'>): DatabaseServerFacts | null {
  const missedConnections = store.missedConnections();
  if (node === null || missedConnections === null) return null;
  return { clockOffsetMs: node.clockOffsetMs, missedConnections };
}

const EVERY_HOUR = '17 * * * *';

interface Schedules {
  start(): void;
  /** Resolves when the running jobs have ended. */
  stop(): Promise<void>;
}

interface SchedulesOptions {
  log: Log;
  settings: Pick<Config, 'minuteJobs'>;
  /** In a cluster, the node that has the room runs the jobs, except those that each node runs. */
  room?: Room | undefined;
}

export function createSchedules(jobs: readonly Job[], { log, settings, room }: SchedulesOptions): Schedules {
  let timetable: Timetable | null = null;
  return {
    start() {
      timetable = createTimetable({ log });
      for (const job of jobs) timetable.schedule(job.name, patternOf(job.at, settings), runIn(room, job));
    },
    async stop() {
      for (const job of jobs) job.stop?.();
      await timetable?.stop();
    },
  };
}

function runIn(room: Room | undefined, { run, isOfEachNode }: Job): () => Promise<void> {
  if (room === undefined || isOfEachNode) return run;
  return async () => {
    const leave = room.enter();
    if (leave === null) return;
    await run().finally(leave);
  };
}

function patternOf(at: Job['at'], { minuteJobs }: SchedulesOptions['settings']): string {
  if (at === 'minute') return minuteJobs;
  return at === 'hour' ? EVERY_HOUR : at.pattern;
}
