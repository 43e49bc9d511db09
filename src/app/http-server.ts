// The HTTP server: the hooks of every request, and the routes.
import { LogController, fastify, type FastifyBaseLogger, type FastifyRequest } from 'fastify';
import cookie from '@fastify/cookie';
import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import { Refusal } from '../contract/refusal.js';
import type { ApiVersions } from '../contract/versions.js';
import type { TokenKey } from '../lib/tokens/index.js';
import { type Clock, type Log, productVersion } from '../lib/runtime/index.js';
import type { Config } from '../settings/settings.js';
import type { Store } from './store.js';
import { vendorPath } from '../compat/vendor-path.js';
import { allowedAddressTest } from '../lib/addresses/index.js';
import {
  boundBodyTime,
  CONNECTION_TERMS,
  connectionLimits,
  createConnectionGuard,
} from '../lib/http/index.js';
import { brandFileRoutes } from '../pages/brand-files.pages.js';
import { FORM_BODY_CONSTRAINT } from '../lists/sign-up/subscribe-form.pages.js';
import { preferenceRoutes } from '../lists/preferences/preferences.pages.js';
import { unsubscribeRoutes } from '../lists/preferences/unsubscribe.pages.js';
import type { CredentialCache } from '../accounts/api-keys/credential-cache.js';
import type { Caller } from '../http/access/caller.js';
import type { Api, Routes } from '../http/api.js';
import { completeAtOnce } from '../http/complete-at-once.js';
import { registerAccessLog } from '../http/server/access-log.js';
import { registerTraces } from '../http/server/traces.js';
import { registerEntityTags } from '../http/server/preconditions.js';
import { registerAudit } from '../accounts/access/audit.js';
import { createAuthHook } from '../accounts/access/auth.js';
import { SESSION_COOKIE } from '../accounts/access/session-auth.js';
import { createPinnedVersions } from '../accounts/api-keys/key-version.js';
import { EXPLANATION_CODES } from '../outbound/explain/explain.rules.js';
import { ADVICE } from '../outbound/explain/explain-advice.rules.js';
import { webhookOperations } from '../webhooks/webhook-events.schema.js';
import { createBrokenHttpAnswerer } from '../http/server/broken-http.js';
import { RequestLog } from '../accounts/request-log/request-log.js';
import { registerCrossOrigin } from '../http/access/cross-origin.js';
import type { Cursors } from '../http/lists/cursors.js';
import { answerError } from '../http/errors.js';
import { registerExternalIds } from '../tenants/scope.routes.js';
import { createBodiesInFlight, registerBodiesInFlight } from '../http/body/bodies-in-flight.js';
import { refuseBodiesWithoutSpace } from '../http/body/storage-floor.js';
import { refuseMisspeltHeaders } from '../http/server/header-names.js';
import { registerHandedOver } from '../http/server/forwarded-requests.js';
import { registerIdempotency } from '../http/idempotency/idempotency.js';
import { parseJsonBody } from '../http/body/json-body.js';
import { registerOpenapi } from '../http/openapi/openapi.js';
import { createFailureLimit, registerRateLimit } from '../http/access/rate-limit.js';
import { registerRequestLog } from '../accounts/access/request-log.js';
import { registerLanguage } from '../http/language.js';
import { registerReading } from '../http/lists/reading.js';
import { readRequestId } from '../http/server/request-id.js';
import { apiKeyRoutes } from '../accounts/api-keys/api-keys.routes.js';
import { auditLogRoutes } from '../accounts/audit/audit-log.routes.js';
import { contactActivityRoutes } from '../analytics/contact-activity.routes.js';
import { contactRoutes } from '../contacts/contacts.routes.js';
import { docsRoutes } from '../http/docs/docs.routes.js';
import { siteFileRoutes } from '../http/docs/site-files.routes.js';
import { healthRoutes } from '../operations/health.routes.js';
import { organizationRoutes } from '../accounts/organization.routes.js';
import { requestRoutes } from '../accounts/request-log/requests.routes.js';
import { suppressionRoutes } from '../suppressions/suppressions.routes.js';
import { workspaceRoutes } from '../accounts/workspaces.routes.js';
import { securityHeaders } from '../http/access/security-headers.js';
import { fillOptionalBody, refuseUnknownParameters } from '../http/body/unknown-parameters.js';
import { createValidatorCompiler } from '../http/body/validation.js';
import { registerVersions, VERSIONS } from '../http/versions/versions.js';
import { answerUnknownRoute, collectPaths } from '../http/server/wrong-method.js';

/** Time limit of a connection without traffic, whose peer neither sends nor reads. */
const IDLE_TIMEOUT_MS = 120_000;
const KEEP_ALIVE_MS = 72_000;
const LOOPBACK = ['127.0.0.0/8', '::1'];
const MAX_PATH_PART = 500;

export type ApiServerSettings = Pick<
  Config,
  | 'publicUrl'
  | 'securityContact'
  | 'bodyLimitBytes'
  | 'importSizeLimitBytes'
  | 'bodiesInFlightBytes'
  | 'httpConnections'
  | 'rateLimitLivePerMinute'
  | 'rateLimitTestPerMinute'
  | 'rateLimitAuthFailuresPerMinute'
  | 'rateLimitNewKeysPerMinute'
  | 'sessionLifetimeMs'
  | 'sessionIdleMs'
  | 'keyOverlapMs'
  | 'workspaceLimit'
  | 'requestLogKeepMs'
  | 'accessLogShare'
  | 'otlpUrl'
  | 'otlpShare'
> & {
  /** Addresses and ranges of proxies whose X-Forwarded-For is trusted. Default: none. */
  trustedProxies?: string[];
};

export interface ApiServerDeps {
  store: Store;
  clock: Clock;
  log: Log;
  settings: ApiServerSettings;
  credentials: CredentialCache;
  /** Encrypts stored answers. */
  masterKey: Buffer;
  /** Encrypts cursors and event ids. */
  cursors: Cursors;
  /** Keys for tokens of unsubscribe links. */
  tokenKeys: readonly TokenKey[];
  wakeUps: { events(): void };
  /** Number of file descriptors that this process may open; null or absent if unknown. */
  descriptors?: number | null;
  /** True while less disk space is free than required. Default: never. */
  isStorageFull?: () => boolean;
  /** True during shutdown: /readyz reports it before the port closes, and each answer closes its connection. */
  isClosing?: () => boolean;
  /** Roles that no living node has; empty if the server is alone. */
  missingRoles?: () => readonly string[];
  /** Why commits are refused for want of the replica; null if they are not. */
  replicaProblem?: () => string | null;
  /** Offset (ms) of the machine's clock from the database's, positive if ahead; null if unknown. */
  clockOffsetMs?: () => number | null;
  /** True while the database is known not to respond. */
  isAway?: () => boolean;
  /** False for a node that answers only probes. Default: true. */
  isServed?: boolean;
  /** API versions. Default: those of this release. */
  versions?: ApiVersions;
  /** Declare the routes of all resources, messages first. */
  routes: readonly Routes[];
}

/** Creates the server with all routes. Start it with `await app.listen({host, port})`. */
export async function createApiServer(deps: ApiServerDeps): Promise<Api> {
  const { store, clock, log, settings, credentials } = deps;
  const app = newInstance(log, settings);
  guardConnections(app, deps);
  app.decorateRequest('caller', null as unknown as Caller); // the authentication hook sets it
  app.decorateRequest('session', null);
  app.decorateRequest('verifyBody', null);
  app.decorateRequest('keyApiVersion', null);
  app.decorate('cursors', deps.cursors);
  // Cookies are parsed only by the session check, so requests with a key do not pay for it.
  await app.register(cookie, { hook: false });
  app.addHook('onRequest', createHeaderHook(await securityHeaders(settings.publicUrl), deps.isClosing));
  refuseUnknownRoutes(app);
  if (deps.isServed === false) refuseAllButProbes(app);
  if (deps.isAway !== undefined) refuseWhileAway(app, deps.isAway);
  registerCrossOrigin(app);
  app.addHook('onRequest', refuseMisspeltHeaders);
  registerHandedOver(app);
  registerTraces(app, { share: settings.otlpUrl === null ? null : settings.otlpShare });
  app.addHook(
    'onRequest',
    createAuthHook(
      { store, credentials, clock, settings, masterKey: deps.masterKey },
      createFailureLimit(app, settings),
    ),
  );
  await registerRateLimit(app, settings);
  refuseBodiesWithoutSpace(app, deps.isStorageFull ?? (() => false));
  registerBodiesInFlight(app, createBodiesInFlight(settings.bodiesInFlightBytes));
  registerIdempotency(app, { store, clock, masterKey: deps.masterKey });
  registerVersions(app, {
    rememberVersion: createPinnedVersions(store, credentials),
    versions: deps.versions ?? VERSIONS,
  });
  registerAudit(app, { store, clock });
  registerEntityTags(app);
  registerReading(app, { store });
  registerLanguage(app);
  const requestLog = new RequestLog({ store, clock, log, settings });
  registerRequestLog(app, { clock }, requestLog);
  registerExternalIds(app, { tenants: store.tenants });
  app.addHook('preValidation', fillOptionalBody);
  app.addHook('preValidation', refuseUnknownParameters);
  await registerOpenapi(app, {
    version: productVersion(),
    publicUrl: settings.publicUrl,
    sessionCookie: SESSION_COOKIE,
    catalogues: { ExplanationCode: EXPLANATION_CODES, AdviceCode: Object.keys(ADVICE) },
    webhooks: webhookOperations(),
  });
  registerAccessLog(app, { log, share: settings.accessLogShare });
  completeAtOnce(app, () => {
    declareRoutes(app, deps);
    requestRoutes(app, { store }, requestLog);
  });
  return app;
}

function guardConnections(app: Api, { settings, descriptors = null }: ApiServerDeps): void {
  const isProxy = allowedAddressTest([...LOOPBACK, ...(settings.trustedProxies ?? [])]);
  const guard = createConnectionGuard(connectionLimits(settings.httpConnections, descriptors), isProxy);
  guard.watch(app.server);
  boundBodyTime(app.server);
  app.addHook('preClose', (done) => {
    if (app.server.listening) app.server.once('close', guard.sweep());
    done();
  });
  app.decorate('connections', guard);
}

function newInstance(log: FastifyBaseLogger, settings: ApiServerSettings): Api {
  const app = fastify({
    loggerInstance: log,
    logController: new LogController({ disableRequestLogging: true, requestIdLogLabel: 'request_id' }),
    requestIdHeader: false,
    genReqId: readRequestId,
    bodyLimit: settings.bodyLimitBytes,
    trustProxy: settings.trustedProxies ?? false,
    rewriteUrl: ({ url = '/' }) => vendorPath(url),
    routerOptions: { maxParamLength: MAX_PATH_PART },
    http: CONNECTION_TERMS,
    // `boundBodyTime` limits the time.
    requestTimeout: 0,
    connectionTimeout: IDLE_TIMEOUT_MS,
    keepAliveTimeout: KEEP_ALIVE_MS,
    forceCloseConnections: 'idle',
    // Fastify's answer would not have the usual body. Requests that still arrive are served, and the connection is closed
    // afterwards.
    return503OnClosing: false,
    frameworkErrors: (error, request, reply) => {
      answerError(error, request, reply);
    },
    clientErrorHandler: createBrokenHttpAnswerer(),
  }).withTypeProvider<TypeBoxTypeProvider>();
  app.addConstraintStrategy(FORM_BODY_CONSTRAINT);
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('application/json', parseJsonBody);
  app.setValidatorCompiler(createValidatorCompiler());
  // Views build the answers, so they need no filter. The schemas are documentation only.
  app.setSerializerCompiler(() => (value) => JSON.stringify(value));
  app.setErrorHandler(answerError);
  return app;
}

function createHeaderHook(headers: Record<string, string>, isClosing: () => boolean = () => false) {
  const constant = { ...headers, 'cache-control': 'no-store' };
  return (request: { id: string }, reply: { headers(values: object): unknown }, done: () => void): void => {
    reply.headers(constant);
    reply.headers({ 'x-request-id': request.id });
    if (isClosing()) reply.headers({ connection: 'close' });
    done();
  };
}

/** Refuses all requests except probes on a node without the API role. Certificate challenges may arrive at any node. */
function refuseAllButProbes(app: Api): void {
  app.addHook('onRequest', (request, _reply, done) => {
    if (isProbe(request)) done();
    else done(new Refusal('not_found', 'This node does not serve the API. See MAILKEEL_ROLES.'));
  });
}

/** Refuses immediately, instead of when a statement times out. */
function refuseWhileAway(app: Api, isAway: () => boolean): void {
  app.addHook('onRequest', (request, _reply, done) => {
    if (isProbe(request) || !isAway()) done();
    else done(new Refusal('unavailable', 'The database does not respond. Nothing was stored. Try again.'));
  });
}

function isProbe({ routeOptions: { url: path = '' } }: FastifyRequest): boolean {
  return path === '/healthz' || path === '/readyz' || path.startsWith('/.well-known/acme-challenge/');
}

/** Refuses unknown routes before their body is read. */
function refuseUnknownRoutes(app: Api): void {
  const paths = collectPaths(app);
  app.addHook('onRequest', (request, reply, done) => {
    if (request.is404) void answerUnknownRoute(paths, request, reply);
    else done();
  });
}

function declareRoutes(app: Api, deps: ApiServerDeps): void {
  const { store, credentials, clock, wakeUps, tokenKeys, settings } = deps;
  let isClosing = false;
  app.addHook('preClose', (done) => {
    isClosing = true;
    done();
  });
  healthRoutes(app, {
    store,
    isClosing: () => isClosing || (deps.isClosing?.() ?? false),
    isStorageFull: deps.isStorageFull ?? (() => false),
    missingRoles: deps.missingRoles ?? (() => []),
    replicaProblem: deps.replicaProblem ?? (() => null),
    clockOffsetMs: deps.clockOffsetMs ?? (() => null),
  });
  docsRoutes(app);
  siteFileRoutes(app, { clock, publicUrl: settings.publicUrl, securityContact: settings.securityContact });
  for (const declare of deps.routes) declare(app);
  contactRoutes(app, { store, clock });
  contactActivityRoutes(app, { store });
  suppressionRoutes(app, { store, clock, importSizeLimitBytes: settings.importSizeLimitBytes });
  organizationRoutes(app, { store, clock, settings });
  apiKeyRoutes(app, { store, clock, credentials, settings, masterKey: deps.masterKey });
  workspaceRoutes(app, { store, clock, settings });
  auditLogRoutes(app, { store });
  const listOfCampaign = (id: string) => store.campaigns.listOfCampaign(id);
  const links = { store, listOfCampaign, tokenKeys, clock, wakeUps };
  unsubscribeRoutes(app, links);
  preferenceRoutes(app, links);
  brandFileRoutes(app, store.brandings);
}
