// Finds where a domain's mail goes: its hosts with the TLS that each requires, its provider and its site. Answers are cached
// briefly, so a burst plans a route once. The resolver caches the DNS answers.
import type { ShapingContext } from '../shape/context.js';
import { type Clock, createLruCache } from '../../lib/runtime/index.js';
import { forbiddenAddressReason } from '../../lib/addresses/index.js';
import type { AddressFamily } from '../../lib/dns-answers/index.js';
import type { PlannedHost, PlannedRoute } from '../deliver/delivery-plan.rules.js';
import type { TlsTerms } from '../../messages/tls-terms.rules.js';
import {
  type DaneLookup,
  decideTls,
  quotedPolicy,
  type StsLookup,
  type TlsDecision,
  type TlsPolicyLabel,
} from '../../lib/tls-policy/index.js';
import type { Route, RouteHost } from './mx.rules.js';
import { findProvider, type Providers } from './provider.rules.js';
import type { TlsResult } from '../outcome/tls-results.store.js';
import type { TlsCounts } from '../outcome/tls-counts.js';

const ROUTE_MS = 10_000;
const ROUTES = 5_000;
/** Facts about a domain are small, and asked for with every look at its queues. */
const DESTINATIONS = 20_000;

/** Cached facts about a domain. */
export interface Destination {
  domain: string;
  provider: string | null;
  /** The MX host set: thousands of hosted domains may share it. Its failures are common. */
  site: string;
  siteHosts: readonly string[];
  /** Group that limits are counted for: the provider, or the site. */
  group: string;
  /** Private and loopback addresses, which had to be allowed. */
  isOwnNetwork: boolean;
  /** Address families of the destination that one of the server's sources can reach. */
  families: readonly AddressFamily[];
  /** Epoch ms. */
  lookedUpAt: number;
}

export interface Routed {
  destination: Destination;
  route: PlannedRoute;
}

interface RouteRequest {
  domain: string;
  families: readonly AddressFamily[];
  terms: TlsTerms;
}

/** Answers of the network about a domain and its hosts. */
export interface RouteAnswers {
  lookUpRoute: (domain: string, families: readonly AddressFamily[]) => Promise<Route>;
  lookUpHost: (host: string) => Promise<Route>;
  stsPolicyFor: (domain: string) => Promise<StsLookup>;
  daneFor: (domain: string, mxHost: string) => Promise<DaneLookup>;
}

interface RouterOptions {
  /** TLS that the limits of the destination require, regardless of its own policies. */
  configuredTls: (destination: Destination) => 'opportunistic' | 'required';
  /** All address families that the sources have. A lookup with fewer families finds less of the destination. */
  families: readonly AddressFamily[];
}

type SkipDecision = Extract<TlsDecision, { kind: 'skip' }>;

export class Router {
  readonly #clock: Clock;
  readonly #families: readonly AddressFamily[];
  readonly #lookUpRoute: RouteAnswers['lookUpRoute'];
  readonly #providers: Providers;
  readonly #stsPolicyFor: RouteAnswers['stsPolicyFor'];
  readonly #configuredTls: RouterOptions['configuredTls'];
  readonly #daneFor: RouteAnswers['daneFor'];
  /** For TLS reports: hosts that a TLS policy left out. */
  readonly #tlsCounts: Pick<TlsCounts, 'add'>;
  readonly #lookUpHost: RouteAnswers['lookUpHost'];
  readonly #destinations = createLruCache<string, Destination>(DESTINATIONS);
  readonly #routes = createLruCache<string, { at: number; found: Routed | Promise<Routed> }>(ROUTES);

  constructor(
    { providers, tlsCounts, clock }: Pick<ShapingContext, 'providers' | 'tlsCounts' | 'clock'>,
    { lookUpRoute, lookUpHost, stsPolicyFor, daneFor }: RouteAnswers,
    { configuredTls, families }: RouterOptions,
  ) {
    this.#clock = clock;
    this.#families = families;
    this.#lookUpRoute = lookUpRoute;
    this.#providers = providers;
    this.#stsPolicyFor = stsPolicyFor;
    this.#configuredTls = configuredTls;
    this.#daneFor = daneFor;
    this.#tlsCounts = tlsCounts;
    this.#lookUpHost = lookUpHost;
  }

  /** The last answer for the domain, however old; undefined before the first. */
  known(domain: string): Destination | undefined {
    return this.#destinations.get(domain);
  }

  /** Immediate if it is cached. */
  find(request: RouteRequest): Routed | Promise<Routed> {
    const key = `${request.domain}|${request.families.join('')}|${request.terms}`;
    return this.#cached(key, () => this.#routeTo(request));
  }

  /** The route to a smarthost. */
  findHost(smarthost: { name: string; host: string }): Routed | Promise<Routed> {
    return this.#cached(`smarthost ${smarthost.name}`, () => this.#routeToHost(smarthost));
  }

  #cached(key: string, lookUp: () => Promise<Routed>): Routed | Promise<Routed> {
    const entry = this.#routes.get(key);
    // Before that: the clock was set back.
    if (entry && (entry.found instanceof Promise || Math.abs(this.#clock() - entry.at) < ROUTE_MS))
      return entry.found;
    const found = lookUp().then(
      (routed) => {
        // The resolver caches a temporary failure, for as long as it is configured to.
        if (routed.route.kind === 'temporary') this.#routes.delete(key);
        else this.#routes.set(key, { at: this.#clock(), found: routed });
        return routed;
      },
      (error: unknown) => {
        this.#routes.delete(key);
        throw error;
      },
    );
    this.#routes.set(key, { at: this.#clock(), found });
    return found;
  }

  #remember(destination: Destination, families: readonly AddressFamily[]): void {
    if (families.length < this.#families.length) return;
    this.#destinations.set(destination.domain, { ...destination, lookedUpAt: this.#clock() });
  }

  async #routeTo({ domain, families, terms }: RouteRequest): Promise<Routed> {
    const route = await this.#lookUpRoute(domain, families);
    if (route.kind !== 'route') {
      // No server is there; its messages are counted in a group all the same.
      const destination = newDestination(domain, [domain], { provider: null, isOwnNetwork: false, families });
      // Name servers that do not answer give no new information.
      if (route.kind !== 'temporary' || !this.#destinations.has(domain))
        this.#remember(destination, families);
      return { destination, route };
    }
    const provider = findProvider(route.mxHosts, this.#providers);
    const addresses = route.hosts.flatMap((host) => host.addresses);
    const destination = newDestination(domain, route.mxHosts, {
      provider,
      isOwnNetwork: addresses.some(isOwnAddress),
      families: families.filter((family) => addresses.some((address) => addressFamily(address) === family)),
    });
    this.#remember(destination, families);
    return { destination, route: await this.#secured(destination, route.hosts, terms) };
  }

  async #secured(
    destination: Destination,
    hosts: readonly RouteHost[],
    terms: TlsTerms,
  ): Promise<PlannedRoute> {
    const { domain, site } = destination;
    if (terms === 'waived') {
      const planned = hosts.map((host) => opportunistic(host, domain));
      return { kind: 'route', domain, site, hosts: planned };
    }
    const requireTls = terms === 'required';
    const sts = await this.#stsPolicyFor(domain);
    const configured = this.#configuredTls(destination);
    const decided = await Promise.all(
      hosts.map(async (host) => {
        const dane = await this.#daneFor(domain, host.host);
        return { host, decision: decideTls({ domain, host: host.host, sts, dane, configured, requireTls }) };
      }),
    );
    const planned: PlannedHost[] = [];
    const skips: SkipDecision[] = [];
    for (const { host, decision } of decided) {
      if (decision.kind === 'use') {
        const { need, policy, testing = null } = decision;
        planned.push({ ...host, need, policy, requireTls, testing, isUnreported: false });
      } else {
        skips.push(decision);
        this.#tlsCounts.add([skippedResult(domain, host, decision, this.#clock())]);
      }
    }
    if (planned.length > 0) {
      return { kind: 'route', domain, site: siteKey(site, planned, skips.length > 0), hosts: planned };
    }
    const enhanced = skips.every((skip) => skip.enhanced === '5.7.30') ? '5.7.30' : '4.7.5';
    return {
      kind: enhanced === '5.7.30' ? 'permanent' : 'temporary',
      category: 'tls',
      enhanced,
      message: `No mail host of ${domain} may be used: ${skips.map(({ reason }) => reason).join('; ')}`,
    };
  }

  async #routeToHost({ name, host }: { name: string; host: string }): Promise<Routed> {
    const route = await this.#lookUpHost(host);
    const facts = { provider: null, isOwnNetwork: false, families: [4] } as const;
    const destination = { ...newDestination(host, [host], facts), group: `smarthost ${name}` };
    if (route.kind !== 'route') return { destination, route };
    // A smarthost's terms are the operator's own; its connector has them.
    const hosts = route.hosts.map((found) => opportunistic(found, host));
    return { destination, route: { kind: 'route', domain: host, site: destination.site, hosts } };
  }
}

function newDestination(
  domain: string,
  siteHosts: readonly string[],
  facts: Pick<Destination, 'provider' | 'isOwnNetwork' | 'families'>,
): Destination {
  const site = siteHosts.join(' ');
  return { domain, site, siteHosts, group: facts.provider ?? site, lookedUpAt: 0, ...facts };
}

function addressFamily(address: string): AddressFamily {
  return address.includes(':') ? 6 : 4;
}

function opportunistic(host: RouteHost, domain: string): PlannedHost {
  const policy: TlsPolicyLabel = { type: 'no-policy-found', domain, strings: [], mx: [] };
  return {
    ...host,
    need: { kind: 'opportunistic' },
    policy,
    testing: null,
    isUnreported: true,
  };
}

function isOwnAddress(address: string): boolean {
  return forbiddenAddressReason(address, { allowPrivate: false }) !== null;
}

function skippedResult(
  domain: string,
  { host }: RouteHost,
  { policy, resultType, reason }: SkipDecision,
  at: number,
): TlsResult {
  const result = { mxHost: host, sendingIp: '', receivingIp: '', detail: reason, sessions: 1 };
  return { at, domain, policyType: policy.type, policy: quotedPolicy(policy), resultType, ...result };
}

/** Sessions are shared only under the same TLS terms, because one domain may require more than another. */
function siteKey(site: string, hosts: readonly PlannedHost[], hasSkipped: boolean): string {
  const isFree = hosts.every(
    ({ need, policy }) => need.kind === 'opportunistic' && policy.type === 'no-policy-found',
  );
  // Without its skipped hosts it is another site: a session to one of those may be open.
  if (isFree && !hasSkipped) return site;
  const terms = hosts.map(({ host, need, policy, requireTls = false }) => [host, need, policy, requireTls]);
  return `${site}#${JSON.stringify(terms.sort())}`;
}

/** The MX host set in the key of a session's site. */
export function siteOfKey(key: string): string {
  const end = key.indexOf('#');
  return end === -1 ? key : key.slice(0, end);
}
