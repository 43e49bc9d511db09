// Wires the traffic desk: routes with their TLS policies, ways out, limits, and what survives a restart.
import { networkInterfaces } from 'node:os';
import type { OutboundRules } from '../outbound/route/outbound-rules.js';
import { lookUpHost, lookUpRoute } from '../outbound/route/mx-look-up.js';
import { createProbe } from '../lib/smtp/probe.js';
import type { DnsResolver } from '../lib/dns/resolver.js';
import { IN_FLIGHT_DEFAULTS } from '../outbound/shape/in-flight-window.rules.js';
import type { AddressFamily } from '../lib/dns/dns-answer.rules.js';
import type { RoutePolicy } from '../outbound/route/mx.rules.js';
import { limitsFor } from '../outbound/shape/shaping.rules.js';
import { quotedPolicy } from '../lib/tls/tls-policy.rules.js';
import type { TlsResult } from '../operations/tls-reports/tls-reports.store.js';
import type { Clock } from '../lib/runtime/clock.js';
import type { Config } from '../settings/settings.js';
import type { Log } from '../lib/runtime/log.js';
import type { Store } from '../store/store.js';
import type { Dane } from '../outbound/route/dane.js';
import { createBlockedPorts } from '../outbound/shape/blocked-ports.js';
import { createFeedback } from '../outbound/shape/feedback.js';
import { createInFlight } from '../outbound/shape/in-flight.js';
import { createThrottles } from '../outbound/shape/throttles.js';
import { createLimitsInForce, type LimitsInForce } from '../outbound/shape/active-limits.js';
import { createPaths, type Path } from '../outbound/shape/paths.js';
import { createPauses, type Pauses } from '../outbound/shape/pauses.js';
import { createReachability } from '../outbound/shape/circuit-breakers.js';
import { createRouter } from '../outbound/route/router.js';
import { createStateKeeper, STALE_MS, type StateKeeper } from '../outbound/shape/persisted-counters.js';
import type { StsPolicies } from '../outbound/route/sts-policies.js';
import { createTraffic, type Traffic } from '../outbound/shape/traffic-shaper.js';
import { createWaysOut } from '../outbound/route/egress-pools.js';
import { tryHostsBy } from '../outbound/shape/port-check.js';

export interface TrafficDeps {
  store: Store;
  config: Config;
  resolver: DnsResolver;
  rules: OutboundRules;
  sts: Pick<StsPolicies, 'policyFor'>;
  /** Null: DANE is off. */
  dane: Dane | null;
  clock: Clock;
  log: Log;
  onLimits: (path: Path) => void;
  /** Nothing more may leave on it as planned. */
  onRecalled: (path: Path) => void;
  onForgotten: (path: Path) => void;
  onOpened: () => void;
  onTls: (results: readonly TlsResult[]) => void;
}

export interface TrafficParts {
  traffic: Traffic;
  pauses: Pauses;
  limits: LimitsInForce;
  keeper: StateKeeper;
  /** By sub-tenant: the operator's own id of it, as routes may name it. */
  externalIds: Map<string, string>;
}

export async function createOutboundTraffic(deps: TrafficDeps): Promise<TrafficParts> {
  const { store, config, resolver, rules, clock, log } = deps;
  const { egress, shaping } = rules;
  const commit = store.commit;
  const now = clock();
  const keeper = createStateKeeper({
    initial: await store.traffic.states(now - STALE_MS),
    commit,
    clock,
    log,
  });
  const limits = createLimitsInForce({ initial: await store.traffic.overrides(now), commit, clock, log });
  const pauses = createPauses(await store.traffic.pauses());
  const restrictions = () => store.reputations.restrictions();
  const throttles = createThrottles({
    initial: await restrictions(),
    keeper,
    reputationPerHour: config.reputationThrottlePerHour,
  });
  const paths = createPaths({
    shaping,
    limits,
    keeper,
    clock,
    onLimits: deps.onLimits,
    onForgotten: deps.onForgotten,
  });
  const ports = createBlockedPorts({
    limits,
    keeper,
    pausesMs: config.sourcePausesMs,
    tryHosts: tryHostsBy({ config, resolver, egress, probe: createProbe({ resolver, clock }) }),
    clock,
    log,
    onOpened: deps.onOpened,
  });
  const reachability = createReachability({
    limits,
    ports,
    pausesMs: config.breakerPausesMs,
    sourcePausesMs: config.sourcePausesMs,
    clock,
    onProbed: deps.onOpened,
  });
  const named = await store.traffic.externalIds();
  const externalIds = new Map(named.map(({ id, externalId }) => [id, externalId]));
  const ways = createWaysOut({
    egress,
    paths,
    reachability,
    keeper,
    clock,
    random: Math.random,
    externalIdOf: (tenantId) => externalIds.get(tenantId) ?? null,
    // Until the messages that were refused have come again, later by up to a fifth.
    blockedMs: 1.5 * config.blockedRetryMs,
  });
  const router = createRouter({
    lookUpRoute: (domain, families) => lookUpRoute(resolver, domain, routePolicy(config, families)),
    lookUpHost: (host) => lookUpHost(resolver, host, { ...routePolicy(config, [4]), allowPrivate: true }),
    stsPolicyFor: (domain) => deps.sts.policyFor(domain),
    daneFor: (domain, host) =>
      deps.dane?.daneFor(domain, host) ?? Promise.resolve({ kind: 'insecure', isMxSecure: false }),
    configuredTls: ({ provider, siteHosts, isOwnNetwork }) =>
      limitsFor(shaping, { provider, siteHosts, source: '', network: isOwnNetwork ? 'own' : 'public' }).tls,
    onSkipped(domain, host, { policy, resultType, reason }) {
      deps.onTls([
        {
          at: clock(),
          domain,
          policyType: policy.type,
          policy: quotedPolicy(policy),
          resultType,
          mxHost: host.host,
          sendingIp: '',
          receivingIp: '',
          detail: reason,
          sessions: 1,
        },
      ]);
    },
    providers: rules.providers,
    families: ways.families,
    clock,
  });
  const inFlight = createInFlight({ ...IN_FLIGHT_DEFAULTS, max: config.destinationInFlight });
  const feedback = createFeedback({
    ...{ ways, paths, limits, reachability, inFlight, throttles, shaping, clock },
    onRecalled: deps.onRecalled,
  });
  const traffic = createTraffic({
    router,
    ways,
    paths,
    limits,
    reachability,
    throttles,
    restrictions,
    inFlight,
    feedback,
    pauses,
    smarthostHosts: new Map([...egress.smarthosts].map(([name, { host }]) => [name, host])),
    sandboxRoom: Math.ceil(config.mtaInFlight / 4),
    clock,
    onOpened: deps.onOpened,
  });
  return { traffic, pauses, limits, keeper, externalIds };
}

/** What a route may lead to, as delivery sees it. */
export function routePolicy(config: Config, families: readonly AddressFamily[]): RoutePolicy {
  const ownAddresses = Object.values(networkInterfaces()).flatMap((list) =>
    (list ?? []).map(({ address }) => address),
  );
  return {
    allowPrivate: config.allowPrivateMx,
    ownAddresses,
    connectPort: config.mxPort,
    listenerPort: null,
    families,
  };
}
