// The traffic shaper with all its parts, in the order in which they need each other: stored limits and counters, limits,
// paths, egress pools, router, feedback.
import type { OutboundRules } from '../route/outbound-rules.js';
import type { TlsCounts } from '../outcome/tls-counts.js';
import { EgressPools } from '../route/egress-pools.js';
import { OperatorEgress } from '../route/operator-egress.js';
import { createRouter, type RouterDeps } from '../route/router.js';
import type { WakeUp } from '../schedule/wake-up.js';
import type { Clock } from '../../lib/runtime/clock.js';
import type { Log } from '../../lib/runtime/log.js';
import type { Restriction } from '../../tenants/restrictions.store.js';
import { createActiveLimits } from './active-limits.js';
import { createBlockedPorts, type BlockedPortsDeps } from './blocked-ports.js';
import { CircuitBreakers } from './circuit-breakers.js';
import { Feedback } from './feedback.js';
import { PathLeases, type PathOwners } from './path-leases.js';
import { RouteLookUps } from '../route/route-look-ups.js';
import { InFlightLimit } from './in-flight-limit.js';
import { IN_FLIGHT_DEFAULTS } from './in-flight-window.rules.js';
import { createPathRates, createSuspensions, WarmUps } from './path-limits.js';
import { createPaths, type PathSessions } from './paths.js';
import { DestinationPauses } from './pauses.js';
import { createPersistedCounters } from './persisted-counters.js';
import { RestoreHold } from './restore-hold.js';
import { limitsFor } from './shaping.rules.js';
import { TenantLimits } from './tenant-limits.js';
import { lookUpGroup, ReplanBackOff, TrafficShaper } from './traffic-shaper.js';
import type { DestinationPause, LimitOverride, OperatorRoute, SuspendedSource } from '../outbound.tables.js';
import type { Config } from '../../settings/settings.js';
import type { Plan } from '../../database/change.js';

/** Share of the messages in flight that sandbox mail may have. */
const SANDBOX_SHARE = 1 / 4;
/** For how long another address is tried rather than one that was blocked: until the messages that were refused have come again, later by up to a fifth. */
const BLOCKED_FACTOR = 1.5;

export type ShapingSettings = Pick<
  Config,
  | 'mtaInFlight'
  | 'destinationInFlight'
  | 'breakerPausesMs'
  | 'sourcePausesMs'
  | 'reputationThrottlePerHour'
  | 'blockedRetryMs'
>;

/** State that a former process stored. */
export interface StoredTraffic {
  overrides: readonly LimitOverride[];
  counters: ReadonlyMap<string, string>;
  pauses: readonly DestinationPause[];
  /** A restore from a backup waits for its release. */
  isHeld: boolean;
  externalIds: ReadonlyMap<string, string>;
  suspendedSources: readonly SuspendedSource[];
  operatorRoutes: readonly OperatorRoute[];
}

export interface ShaperDeps {
  rules: OutboundRules;
  settings: ShapingSettings;
  stored: StoredTraffic;
  /** Sub-tenants that are limited or stopped, as their rows say; read at the start and by each alignment. */
  restrictions: () => Promise<readonly Restriction[]>;
  routing: Pick<RouterDeps, 'lookUpRoute' | 'lookUpHost' | 'stsPolicyFor' | 'daneFor'>;
  tryHosts: BlockedPortsDeps['tryHosts'];
  commit: (plan: Plan) => Promise<unknown>;
  sessions: PathSessions;
  tlsCounts: Pick<TlsCounts, 'add'>;
  /** Of several nodes; absent: every path is this program's. */
  owners?: PathOwners | null;
  wakeUp: WakeUp;
  clock: Clock;
  log: Log;
  random: () => number;
}

export type Shaper = Awaited<ReturnType<typeof createShaper>>;

export async function createShaper(deps: ShaperDeps) {
  const { settings, stored, restrictions, commit, sessions, wakeUp, clock, log } = deps;
  const { egress, shaping, providers } = deps.rules;
  const { sourcePausesMs, breakerPausesMs: pausesMs } = settings;
  const counters = createPersistedCounters({ initial: stored.counters, commit, clock, log });
  const limits = createActiveLimits({ initial: stored.overrides, commit, clock, log });

  const window = new InFlightLimit({ ...IN_FLIGHT_DEFAULTS, max: settings.destinationInFlight });
  const pauses = new DestinationPauses(stored.pauses);
  const hold = new RestoreHold(stored.isHeld);
  const replan = new ReplanBackOff();
  const tenants = new TenantLimits({
    initial: await restrictions(),
    reputationPerHour: settings.reputationThrottlePerHour,
    isShared: (deps.owners ?? null) !== null,
    ...{ restrictions, counters, wakeUp },
  });
  const leases = deps.owners ? new PathLeases(deps.owners) : null;
  const ports = createBlockedPorts({
    pausesMs: sourcePausesMs,
    tryHosts: deps.tryHosts,
    ...{ limits, counters, wakeUp, clock, log },
  });
  const breakers = new CircuitBreakers({ limits, ports, pausesMs, sourcePausesMs, wakeUp, clock });
  const warmUps = new WarmUps({ egress, counters, clock });

  const paths = createPaths({ shaping, limits, counters, sessions, clock });
  const externalIds = new Map(stored.externalIds);
  const operator = new OperatorEgress({
    providerNames: providers.names,
    suspended: stored.suspendedSources,
    routes: stored.operatorRoutes,
    ...{ egress, log },
  });
  const pools = new EgressPools({
    limits: [
      operator.limit(),
      createSuspensions(limits),
      breakers,
      createPathRates(limits, counters),
      warmUps,
      ...(leases === null ? [] : [leases]),
    ],
    blockedMs: BLOCKED_FACTOR * settings.blockedRetryMs,
    random: deps.random,
    ...{ egress, operator, paths, counters, externalIds, clock },
  });
  const router = createRouter({
    ...deps.routing,
    configuredTls: ({ provider, siteHosts, isOwnNetwork }) =>
      limitsFor(shaping, { provider, siteHosts, source: '', network: isOwnNetwork ? 'own' : 'public' }).tls,
    tlsCounts: deps.tlsCounts,
    families: pools.families,
    ...{ providers, clock },
  });
  const lookUps =
    leases === null
      ? null
      : new RouteLookUps({
          isNeeded: () => deps.owners?.hasPeers ?? false,
          lookUp: async (domain) => router.find({ domain, families: pools.families, terms: 'policy' }),
          onKnown: (domain) => wakeUp.notifyGroup(lookUpGroup(domain)),
          ...{ clock, log },
        });
  const shaper = new TrafficShaper({
    queueLimits: [hold, tenants.stops, replan, pauses, tenants.throttles],
    feedback: new Feedback({
      ...{ pools, warmUps, paths, limits, breakers, window, sessions, shaping, clock },
    }),
    smarthostHosts: new Map([...egress.smarthosts].map(([name, { host }]) => [name, host])),
    sandboxCapacity: Math.ceil(settings.mtaInFlight * SANDBOX_SHARE),
    ...{ tenants, lookUps, replan, window, router, pools, paths, limits, breakers, wakeUp, clock },
  });
  const parts = { shaper, tenants, pauses, hold, limits, counters, externalIds, operator, window, paths };
  return { ...parts, breakers, leases };
}
