// Builds the traffic shaper: stored limits and counters, limits, paths, egress pools, router, feedback.
import type { ShapingContext } from './context.js';
import type { OutboundRules } from '../route/outbound-rules.js';
import { EgressPools } from '../route/egress-pools.js';
import { CurrentShares } from '../route/current-shares.js';
import { OperatorEgress } from '../route/operator-egress.js';
import { SideChooser, type Engagement } from '../route/side-chooser.js';
import { Router, type RouteAnswers } from '../route/router.js';
import type { Restriction } from '../../tenants/restrictions.store.js';
import { ActiveLimits } from './active-limits.js';
import { BlockedPorts, type TryHosts } from './blocked-ports.js';
import { CircuitBreakers } from './circuit-breakers.js';
import { Feedback } from './feedback.js';
import { PathLeases, type PathOwners } from './path-leases.js';
import { RouteLookUps } from '../route/route-look-ups.js';
import { InFlightLimit } from './in-flight-limit.js';
import { IN_FLIGHT_DEFAULTS } from './in-flight-window.rules.js';
import { createPathRates, createSuspensions, WarmUps } from './path-limits.js';
import { Paths } from './paths.js';
import { DestinationPauses, ReplanBackOff, RestoreHold } from './queue-limits.js';
import { PersistedCounters } from './persisted-counters.js';
import { limitsFor } from './shaping.rules.js';
import { TenantLimits } from './tenant-limits.js';
import { lookUpGroup, TrafficShaper } from './traffic-shaper.js';
import type {
  DestinationPause,
  LimitOverride,
  OperatorRoute,
  RouteShareRow,
  SuspendedSource,
} from '../outbound.tables.js';
import type { Config } from '../../settings/settings.js';

/** Maximum share of sandbox mail among messages in flight. */
const SANDBOX_SHARE = 1 / 4;
/** A source that was blocked is avoided for this multiple of the retry time, which varies by up to a fifth. */
const BLOCKED_FACTOR = 1.5;

type ShapingSettings = Pick<
  Config,
  | 'mtaInFlight'
  | 'destinationInFlight'
  | 'breakerPausesMs'
  | 'sourcePausesMs'
  | 'reputationThrottlePerHour'
  | 'blockedRetryMs'
>;

/** State stored by a former process. */
export interface StoredTraffic {
  overrides: readonly LimitOverride[];
  counters: ReadonlyMap<string, string>;
  pauses: readonly DestinationPause[];
  /** Whether mail is held after a restore from a backup. */
  isHeld: boolean;
  externalIds: ReadonlyMap<string, string>;
  suspendedSources: readonly SuspendedSource[];
  operatorRoutes: readonly OperatorRoute[];
  routeShares: readonly RouteShareRow[];
}

interface ShaperOptions extends Pick<
  ShapingContext,
  'commit' | 'sessions' | 'tlsCounts' | 'wakeUp' | 'clock' | 'log' | 'random'
> {
  rules: OutboundRules;
  settings: ShapingSettings;
  stored: StoredTraffic;
  /** Reads the limits and stops of sub-tenants, at the start and by each alignment. */
  restrictions: () => Promise<readonly Restriction[]>;
  routing: RouteAnswers;
  tryHosts: TryHosts;
  engagement: Engagement;
  /** Absent if this is the only server. */
  owners?: PathOwners | null;
}

type LookUpContext = ConstructorParameters<typeof RouteLookUps>[1];

export type Shaper = Awaited<ReturnType<typeof createShaper>>;

export async function createShaper(given: ShaperOptions) {
  const { settings, stored } = given;
  const { egress, shaping, providers } = given.rules;
  const { sourcePausesMs, breakerPausesMs: pausesMs } = settings;
  const counters = new PersistedCounters(stored.counters, given);
  const limits = new ActiveLimits(stored.overrides, given);
  const base = { ...given, egress, shaping, providers, counters, limits };

  const window = new InFlightLimit({ ...IN_FLIGHT_DEFAULTS, max: settings.destinationInFlight });
  const pauses = new DestinationPauses(stored.pauses);
  const hold = new RestoreHold(stored.isHeld);
  const replan = new ReplanBackOff();
  const tenants = new TenantLimits(base, {
    initial: await given.restrictions(),
    restrictions: given.restrictions,
    reputationPerHour: settings.reputationThrottlePerHour,
    isShared: (given.owners ?? null) !== null,
  });
  const leases = given.owners ? new PathLeases(given.owners) : null;
  const ports = new BlockedPorts(base, { pausesMs: sourcePausesMs, tryHosts: given.tryHosts });
  const breakers = new CircuitBreakers({ ...base, ports }, { pausesMs, sourcePausesMs });
  const warmUps = new WarmUps(base);

  const paths = new Paths(base);
  const externalIds = new Map(stored.externalIds);
  const operator = new OperatorEgress(base, stored.suspendedSources, stored.operatorRoutes);
  const shares = new CurrentShares(stored.routeShares);
  const pools = new EgressPools(
    { ...base, operator, shares, paths, externalIds },
    {
      limits: [
        operator.limit(),
        createSuspensions(limits),
        breakers,
        createPathRates(limits, counters),
        warmUps,
        ...(leases === null ? [] : [leases]),
      ],
      blockedMs: BLOCKED_FACTOR * settings.blockedRetryMs,
    },
  );
  const router = new Router(base, given.routing, {
    configuredTls: ({ provider, siteHosts, isOwnNetwork }) =>
      limitsFor(shaping, { provider, siteHosts, source: '', network: isOwnNetwork ? 'own' : 'public' }).tls,
    families: pools.families,
  });
  const lookUps = leases === null ? null : createLookUps(given, { base, router, pools });
  const context = {
    ...base,
    window,
    replan,
    tenants,
    leases,
    ports,
    breakers,
    warmUps,
    paths,
    externalIds,
    operator,
    shares,
    sides: new SideChooser(given.engagement),
    pools,
    router,
    lookUps,
  };
  const shaper = new TrafficShaper(context, {
    queueLimits: [hold, tenants.stops, replan, pauses, tenants.throttles],
    feedback: new Feedback(context),
    smarthostHosts: new Map([...egress.smarthosts].map(([name, { host }]) => [name, host])),
    sandboxCapacity: Math.ceil(settings.mtaInFlight * SANDBOX_SHARE),
  });
  return { ...context, shaper, pauses, hold };
}

/** Look-ups of domains before their first messages, which show the node that delivers their mail. */
function createLookUps(
  { owners, wakeUp }: Pick<ShaperOptions, 'owners' | 'wakeUp'>,
  { base, router, pools }: Pick<ShapingContext, 'router' | 'pools'> & { base: LookUpContext },
): RouteLookUps {
  return new RouteLookUps(
    {
      isNeeded: () => owners?.hasPeers ?? false,
      lookUp: async (domain) => router.find({ domain, families: pools.families, terms: 'policy' }),
      onKnown: (domain) => wakeUp.notifyGroup(lookUpGroup(domain)),
    },
    base,
  );
}
