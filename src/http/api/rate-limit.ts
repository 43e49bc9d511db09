// How often the keys of a workspace's environment may ask, all of them together, and how often a client address may fail to authenticate. Fixed windows of a minute.
import rateLimit from '@fastify/rate-limit';
import ipaddr from 'ipaddr.js';
import type { FastifyRequest } from 'fastify';
import type { Mode } from '../../contract/names.js';
import { Refusal } from '../../contract/refusal.js';
import { canonicalAddress } from '../../rules/address-range.js';
import type { Api } from './api.js';

const WINDOW_MS = 60_000;
const MAX_COUNTERS = 20_000;

export interface RateLimitSettings {
  /** Requests per minute; 0 is off. */
  rateLimitLivePerMinute: number;
  rateLimitTestPerMinute: number;
  rateLimitAuthFailuresPerMinute: number;
}

/** Counts one failure; answers after how many seconds to try again, or null while the limit is not reached. */
export type FailureLimit = (request: FastifyRequest) => Promise<number | null>;

/** Must be called after the authentication hook was added: its counter belongs to the environment of the key. */
export async function registerRateLimit(app: Api, settings: RateLimitSettings): Promise<void> {
  const limitOf: Record<Mode, number> = {
    live: settings.rateLimitLivePerMinute,
    test: settings.rateLimitTestPerMinute,
  };
  await app.register(rateLimit, {
    global: true,
    timeWindow: WINDOW_MS,
    cache: MAX_COUNTERS,
    enableDraftSpec: true,
    max: (request) => limitOf[request.caller.scope.mode],
    keyGenerator: (request) => (isLimited(request) ? countedAs(request) : ''),
    allowList: (request) => !isLimited(request) || limitOf[request.caller.scope.mode] === 0,
    errorResponseBuilder: (_request, { max }) =>
      new Refusal('rate_limited', `The workspace has used its ${max} requests of this minute.`),
  });
}

/** All keys of an environment, those of its sub-tenants too: more keys are not more requests. A person is counted alone. */
function countedAs({ caller: { actor, scope } }: FastifyRequest): string {
  return actor.kind === 'api_key' ? `environment ${scope.environmentId}` : actor.id;
}

function isLimited(request: FastifyRequest): boolean {
  return !request.routeOptions.config.public;
}

/** Needs `registerRateLimit` on the same instance before its first use. */
export function createFailureLimit(app: Api, settings: RateLimitSettings): FailureLimit {
  return createClientLimit(app, settings.rateLimitAuthFailuresPerMinute);
}

/** Counts every request that it is asked about; 0 is off. Needs `registerRateLimit` as above. */
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

/** An IPv4 address; of IPv6 the /64, which one client usually has to itself. */
function clientNetwork(ip: string): string {
  const address = canonicalAddress(ip);
  return address.includes(':') ? ipaddr.IPv6.parse(address).parts.slice(0, 4).join(':') : address;
}
