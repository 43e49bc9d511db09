// Rate limits in fixed windows of one minute: requests per environment of a workspace, a share of that per sub-tenant, and
// failed authentications per client address.
import rateLimit from '@fastify/rate-limit';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Mode } from '../../contract/names.js';
import { Refusal } from '../../contract/refusal.js';
import { clientNetwork } from '../../lib/addresses/index.js';
import type { Scope } from '../../database/scope.js';
import type { Api } from '../api.js';

const WINDOW_MS = 60_000;
const MAX_COUNTERS = 20_000;
/** Largest share of a workspace's rate that one sub-tenant may use, so that the others keep the rest. */
const SUB_TENANT_SHARE = 0.5;

export interface RateLimitSettings {
  /** Requests per minute; 0 disables the limit. */
  rateLimitLivePerMinute: number;
  rateLimitTestPerMinute: number;
  rateLimitAuthFailuresPerMinute: number;
  rateLimitNewKeysPerMinute: number;
}

type KeyLimits = Pick<RateLimitSettings, 'rateLimitLivePerMinute' | 'rateLimitTestPerMinute'>;

/** Returns the scope's requests per minute, which for a sub-tenant is a share of the workspace's rate. Null means no limit. */
export function requestsPerMinute(
  settings: KeyLimits,
  { mode, subTenantId }: Pick<Scope, 'mode' | 'subTenantId'>,
): number | null {
  const all = mode === 'live' ? settings.rateLimitLivePerMinute : settings.rateLimitTestPerMinute;
  const own = subTenantId === null ? all : Math.ceil(all * SUB_TENANT_SHARE);
  return own === 0 ? null : own;
}

/** Counts one failure. Resolves to the seconds until the next attempt, or null while the limit is not reached. */
export type FailureLimit = (request: FastifyRequest) => Promise<number | null>;

/** Must be called after the authentication hook was added, because requests are counted by the key's environment. */
export async function registerRateLimit(app: Api, settings: RateLimitSettings): Promise<void> {
  const limitOf: Record<Mode, number> = {
    live: settings.rateLimitLivePerMinute,
    test: settings.rateLimitTestPerMinute,
  };
  limitNewKeys(app, settings);
  const shares: Shares = new WeakMap();
  limitSubTenants(app, settings, shares);
  await app.register(rateLimit, {
    global: true,
    timeWindow: WINDOW_MS,
    cache: MAX_COUNTERS,
    enableDraftSpec: true,
    max: (request) => limitOf[request.caller.scope.mode],
    keyGenerator: (request) => (isLimited(request) ? countedAs(request) : ''),
    allowList: (request) => !isLimited(request) || limitOf[request.caller.scope.mode] === 0,
    errorResponseBuilder: (_request, { max }) =>
      new Refusal('rate_limited', `The workspace has reached its limit of ${max} requests per minute.`),
  });
  app.addHook('onSend', (request, reply, payload, done) => {
    const share = shares.get(request);
    if (share) {
      reply.headers({ 'RateLimit-Limit': share.limit, 'RateLimit-Remaining': share.remaining });
      reply.header('RateLimit-Reset', share.resetSeconds);
    }
    addStructuredFields(reply);
    done(null, payload);
  });
}

/** Remaining share of a sub-tenant by request. A sub-tenant sees only this, since the workspace's count would reveal others. */
type Shares = WeakMap<FastifyRequest, { limit: number; remaining: number; resetSeconds: number }>;

/** Adds the same three numbers as structured fields (draft-ietf-httpapi-ratelimit-headers-10). */
function addStructuredFields(reply: FastifyReply): void {
  const limit = reply.getHeader('ratelimit-limit');
  if (limit !== undefined) {
    const [remaining, reset] = [reply.getHeader('ratelimit-remaining'), reply.getHeader('ratelimit-reset')];
    reply.header('RateLimit-Policy', `"default";q=${String(limit)};w=${WINDOW_MS / 1000}`);
    reply.header('RateLimit', `"default";r=${String(remaining)};t=${String(reset)}`);
  }
}

/**
 * Counts requests of sub-tenants before the workspace's counter, so a refused request uses nothing of the others' share. A
 * pinned key counts for its sub-tenant, any other key for the sub-tenant that its header names.
 */
function limitSubTenants(app: Api, settings: KeyLimits, shares: Shares): void {
  const shareOf = ({ caller }: FastifyRequest): number => requestsPerMinute(settings, caller.scope) ?? 0;
  let count: ReturnType<Api['createRateLimit']> | undefined;
  app.addHook('onRequest', async (request, reply) => {
    if (!isLimited(request) || request.is404) return;
    const { actor, scope } = request.caller;
    if (actor.kind !== 'api_key' || scope.subTenantId === null || shareOf(request) === 0) return;
    count ??= app.createRateLimit({
      max: shareOf,
      timeWindow: WINDOW_MS,
      allowList: [],
      keyGenerator: ({ caller }) =>
        `environment ${caller.scope.environmentId} ${caller.scope.subTenantId ?? ''}`,
    });
    const counted = await count(request);
    if (counted.isAllowed) return;
    const share = shareOf(request);
    const { remaining, ttlInSeconds: resetSeconds } = counted;
    shares.set(request, { limit: share, remaining, resetSeconds });
    if (!counted.isExceeded) return;
    reply.header('Retry-After', String(resetSeconds));
    throw new Refusal(
      'rate_limited',
      `The sub-tenant has reached its limit of ${share} requests per minute.`,
    );
  });
}

/** Also counts internal requests, because they create keys like any other. */
function limitNewKeys(app: Api, { rateLimitNewKeysPerMinute: max }: RateLimitSettings): void {
  if (max === 0) return;
  let count: ReturnType<Api['createRateLimit']> | undefined;
  app.addHook('onRequest', async (request, reply) => {
    if (request.is404 || request.routeOptions.config.makesKeys !== true) return;
    count ??= app.createRateLimit({
      max,
      timeWindow: WINDOW_MS,
      allowList: [],
      keyGenerator: ({ caller: { scope } }) => `new keys ${scope.workspaceId} ${scope.subTenantId ?? ''}`,
    });
    const counted = await count(request);
    if (counted.isAllowed || !counted.isExceeded) return;
    reply.header('Retry-After', String(counted.ttlInSeconds));
    throw new Refusal(
      'rate_limited',
      `You can request up to ${max} sub-tenants, senders and key rotations per minute.`,
    );
  });
}

/**
 * Counts all keys of an environment together, including those of its sub-tenants, so that more keys do not allow more requests.
 * Each person is counted alone.
 */
function countedAs({ caller: { actor, scope } }: FastifyRequest): string {
  return actor.kind === 'api_key' ? `environment ${scope.environmentId}` : actor.id;
}

/** The first internal request of an external one is not limited, because the external request was counted already. */
function isLimited(request: FastifyRequest): boolean {
  return !request.routeOptions.config.public && request.handedOver?.isCounted !== false;
}

/** Requires `registerRateLimit` on the same instance before its first use. */
export function createFailureLimit(
  app: Api,
  settings: Pick<RateLimitSettings, 'rateLimitAuthFailuresPerMinute'>,
): FailureLimit {
  return createClientLimit(app, settings.rateLimitAuthFailuresPerMinute);
}

/** Counts every request it is called for; 0 disables the limit. Requires `registerRateLimit` as above. */
export function createClientLimit(app: Api, max: number): FailureLimit {
  if (max === 0) return () => Promise.resolve(null);
  let count: ReturnType<Api['createRateLimit']> | undefined;
  return async (request) => {
    count ??= app.createRateLimit({
      max,
      timeWindow: WINDOW_MS,
      allowList: [],
      keyGenerator: (one) => clientNetwork(one.ip),
    });
    const counted = await count(request);
    return !counted.isAllowed && counted.isExceeded ? counted.ttlInSeconds : null;
  };
}
