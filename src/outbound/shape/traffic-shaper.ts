// The traffic desk: how many messages of a lane may go now, and which way each of them goes.
import { LRUCache } from 'lru-cache';
import type { Outcome } from '../outcome/attempt.rules.js';
import type { PathPlan, PathSignal, PlannedRoute } from '../deliver/delivery-plan.rules.js';
import type { LimitReason } from '../explain/explain-facts.rules.js';
import { typeOfRank } from '../schedule/queue-rank.rules.js';
import type { Clock } from '../../lib/runtime/clock.js';
import type { Claim, QueueKey } from '../schedule/queue.store.js';
import type { Restriction } from '../../tenants/reputation/reputation.store.js';
import type { OverrideRow } from './traffic.store.js';
import { PORT_RULE } from './blocked-ports.js';
import type { Feedback, Ride, Said } from './feedback.js';
import type { InFlight } from './in-flight.js';
import type { LimitsInForce } from './active-limits.js';
import type { Pauses } from './pauses.js';
import { ADAPTIVE_RULE, type Path, type Paths } from './paths.js';
import { BREAKER_RULE, type Place, type Reachability } from './circuit-breakers.js';
import type { Destination, Routed, Router } from '../route/router.js';
import type { StopCause, Throttles } from './throttles.js';
import type { Closed, Traveller, Way, WaysOut } from '../route/egress-pools.js';

/** How many messages of a domain may be on their way before its hosts are known. */
const UNKNOWN_ROOM = 20;
/** A lane whose message could not go after all is not asked again before. */
const SECOND_THOUGHTS_MS = 1_000;
const STOPS = { paused: 'tenant_paused', suspended: 'tenant_dns_suspended' } as const satisfies Record<
  StopCause,
  LimitReason['code']
>;

export type Lane = QueueKey;

type Allowance =
  | { kind: 'go'; room: number; place: string }
  | { kind: 'full'; place: string }
  | { kind: 'closed'; until: number | null };

export type Plan =
  { kind: 'go'; path: PathPlan; group: string; route: PlannedRoute; note: string | null } | { kind: 'later' };

export interface Traffic {
  allow(lane: Lane, now: number): Allowance;
  take(lane: Lane, place: string, count: number): void;
  /** Reserved and not there after all. */
  unused(lane: Lane, count: number): void;
  giveBack(place: string, count: number): void;
  plan(claim: Claim): Plan | Promise<Plan>;
  hear(signals: readonly PathSignal[]): void;
  ended(claim: Claim, outcome: Outcome, said: Said | null): void;
  /** Its outcome is durable: it stands in its lane again, and what it gave back may be had. */
  settled(claim: Claim): void;
  /** A worker is gone with its sessions. */
  workerEnded(pathIds: Iterable<number>): void;
  /** Null: nothing holds it back. */
  why(lane: Lane): LimitReason | null;
  destinationOf(domain: string): Destination | undefined;
  overrides(): OverrideRow[];
  /** False for an unknown id. */
  removeOverride(id: string): Promise<boolean>;
  /** Asks a destination that could not be reached again, now. */
  probe(domain: string): void;
  /** Its sub-tenant was found stopped after all: the lane is not asked again at once. */
  heldBack(claim: Claim): void;
  /** Claims of the sandbox: only the first step of a message counts as sent. */
  played(claims: readonly Claim[]): void;
  /** What holds sub-tenants back, whatever the destination; what opens lets their mail go at once. */
  tenants: TenantControls;
  /** Lifts what has expired. */
  tick(): void;
  /** Drops what was not used lately. */
  forgetIdle(): void;
}

export interface TenantControls extends Pick<Throttles, 'limit' | 'stop' | 'forget'> {
  /** Puts in force what the rows say. */
  align(): Promise<void>;
}

export interface TrafficDeps {
  router: Router;
  ways: WaysOut;
  paths: Paths;
  limits: LimitsInForce;
  reachability: Reachability;
  throttles: Throttles;
  /** What the rows say of who is held back. */
  restrictions: () => Promise<readonly Restriction[]>;
  inFlight: InFlight;
  feedback: Feedback;
  pauses: Pauses;
  smarthostHosts: ReadonlyMap<string, string>;
  /** Most sandbox messages in hand. */
  sandboxRoom: number;
  clock: Clock;
  /** Held lanes are to be asked about again. */
  onOpened: () => void;
}

export function createTraffic(deps: TrafficDeps): Traffic {
  const { router, ways, paths, limits, reachability, throttles, inFlight, feedback, pauses, clock } = deps;
  /** By lane. */
  const secondThoughts = new LRUCache<number, number>({ max: 10_000 });
  const rides = new WeakMap<Claim, Ride>();
  let opening: NodeJS.Immediate | null = null;
  /** Those that others, held until a later time, may wait for. */
  const gaveBack = new WeakSet<Claim>();

  function travellerOf(lane: Lane): Traveller {
    return { tenantKey: lane.subTenantKey, rank: lane.rank, type: typeOfRank(lane.rank), tags: [] };
  }

  /** The whole judgement on a lane; `allow` and `why` are its two faces. */
  function judge(
    lane: Lane,
    now: number,
  ):
    { kind: 'go'; room: number; place: string } | (LimitReason & { kind: 'full' | 'closed'; place: string }) {
    const { domain } = lane;
    const stopped = throttles.stopped(lane);
    if (stopped) return closed(domain, { code: STOPS[stopped], until: null, detail: '' });
    const second = secondThoughts.get(lane.queueId);
    // Later than that: the clock was set back.
    if (second !== undefined && second > now && second <= now + SECOND_THOUGHTS_MS) {
      return closed(domain, {
        code: 'concurrency_limited',
        until: second,
        detail: 'It is being planned anew.',
      });
    }
    const paused = lane.mode === 'live' ? pauses.find(lane) : undefined;
    if (paused) return closed(domain, { code: 'paused', until: null, detail: paused.reason });
    const throttle = throttles.room(lane, now);
    if (throttle?.room === 0) {
      const why = throttle.by === 'reputation' ? ', for its reputation' : '';
      const detail = `The sub-tenant may send ${throttle.perHour} messages an hour${why}.`;
      return closed(domain, { code: 'tenant_throttled', until: throttle.until, detail });
    }
    const room = throttle?.room ?? Infinity;
    if (lane.mode === 'test') return within('sandbox', deps.sandboxRoom, room);
    const destination = router.known(domain);
    if (!destination) return within(`domain ${domain}`, UNKNOWN_ROOM, room);
    const found = ways.find(travellerOf(lane), destination, now);
    if (found.kind === 'closed') return closed(destination.group, found);
    const group = found.ways[0]?.path.group ?? destination.group;
    const windowRoom = inFlight.room(group, lane.rank);
    if (windowRoom <= 0) {
      const detail = `${inFlight.count(group)} messages are on their way there.`;
      return { kind: 'full', place: group, code: 'concurrency_limited', until: null, detail };
    }
    const open = found.ways.reduce((sum, way) => sum + way.room, 0);
    return { kind: 'go', room: Math.min(room, windowRoom, open), place: group };
  }

  /** A place that takes so many at once; `own`: what the lane's sender may have. */
  function within(place: string, most: number, own: number): ReturnType<typeof judge> {
    const room = most - inFlight.count(place);
    if (room > 0) return { kind: 'go', room: Math.min(room, own), place };
    return {
      kind: 'full',
      place,
      code: 'concurrency_limited',
      until: null,
      detail: 'Its first messages are on their way.',
    };
  }

  function closed(place: string, reason: LimitReason | Closed): ReturnType<typeof judge> {
    const { code, until, detail, overrideId } = reason;
    return {
      kind: 'closed',
      place,
      code,
      until,
      detail,
      ...(overrideId === undefined ? {} : { overrideId }),
    };
  }

  function plan(claim: Claim): Plan | Promise<Plan> {
    const { domain, tlsTerms: terms } = claim;
    const found = router.find({ domain, families: ways.families, terms });
    return found instanceof Promise ? found.then((routed) => choose(claim, routed)) : choose(claim, found);
  }

  function choose(claim: Claim, { destination, route }: Routed): Plan | Promise<Plan> {
    const now = clock();
    const traveller: Traveller = {
      tenantKey: claim.subTenantId ?? '',
      rank: claim.rank,
      type: claim.type,
      tags: claim.tags === '[]' ? [] : (JSON.parse(claim.tags) as string[]),
    };
    const found = ways.find(traveller, destination, now);
    if (found.kind === 'closed') return later(claim, now);
    const way = ways.pick(found.ways, claim.source);
    if (!way) return later(claim, now);
    const isDirect = way.path.plan.via === 'mta';
    // A smarthost finds its own way to the domain, also where we find none.
    if (isDirect && route.kind !== 'route') {
      const path = ways.anyPath(destination);
      board(claim, { path, place: placeOf(path, destination.site) }, { isCounted: false, isRated: false });
      return { kind: 'go', path: path.plan, group: path.group, route, note: null };
    }
    board(claim, way, { isCounted: true, isRated: ways.take(way, now) });
    const { path } = way;
    const go = (given: PlannedRoute): Plan => ({
      kind: 'go',
      path: path.plan,
      group: path.group,
      route: given,
      note: found.note,
    });
    const exact = exactRoute(claim, way, route);
    return exact instanceof Promise ? exact.then((given) => go(given.route)) : go(exact.route);
  }

  /** The route with the families of the chosen source, or to the smarthost. */
  function exactRoute(
    claim: Claim,
    { path }: Way,
    route: PlannedRoute,
  ): { route: PlannedRoute } | Promise<Routed> {
    const { via, source } = path.plan;
    if (via === 'smarthost') {
      const found = router.findHost({ name: source, host: deps.smarthostHosts.get(source) ?? source });
      return found;
    }
    const families = ways.familiesOf(path);
    if (families.join() === ways.families.join()) return { route };
    return router.find({ domain: claim.domain, families, terms: claim.tlsTerms });
  }

  function board(
    claim: Claim,
    { path, place }: Pick<Way, 'path' | 'place'>,
    counted: Pick<Ride, 'isCounted' | 'isRated'>,
  ): void {
    rides.set(claim, { path, place, group: path.group, startedAt: clock(), ...counted });
  }

  function placeOf(path: Path, site: string): Place {
    return { source: path.plan.source, site, provider: path.provider };
  }

  function heldBack({ queueId }: Claim): void {
    secondThoughts.set(queueId, clock() + SECOND_THOUGHTS_MS);
  }

  /** Once for many: a sweep may free a thousand sub-tenants, and each look is one at every lane. */
  function openSoon(): void {
    opening ??= setImmediate(() => {
      opening = null;
      deps.onOpened();
    });
  }

  function later(claim: Claim, now: number): Plan {
    secondThoughts.set(claim.queueId, now + SECOND_THOUGHTS_MS);
    const { environmentId, subTenantId } = claim;
    if (throttles.giveBack({ environmentId, subTenantKey: subTenantId ?? '' }, 1)) gaveBack.add(claim);
    return { kind: 'later' };
  }

  return {
    allow(lane, now) {
      const found = judge(lane, now);
      if (found.kind === 'go') return found;
      return found.kind === 'full'
        ? { kind: 'full', place: found.place }
        : { kind: 'closed', until: found.until };
    },
    take(lane, place, count) {
      inFlight.add(place, count);
      throttles.take(lane, clock(), count);
    },
    unused(lane, count) {
      throttles.giveBack(lane, count);
    },
    giveBack: (place, count) => inFlight.take(place, count),
    plan,
    hear(signals) {
      for (const signal of signals) feedback.heard(signal);
    },
    ended(claim, outcome, said) {
      const ride = rides.get(claim);
      if (!ride) return;
      if (isTenantsHold(outcome)) heldBack(claim);
      rides.delete(claim);
      if (feedback.ended(ride, claim, outcome, said)) gaveBack.add(claim);
    },
    settled(claim) {
      if (gaveBack.delete(claim)) deps.onOpened();
    },
    workerEnded(pathIds) {
      for (const id of pathIds) {
        const path = paths.byId(id);
        if (path) path.openSessions = 0;
      }
    },
    why(lane) {
      const found = judge(lane, clock());
      if (found.kind === 'go') return null;
      const { code, until, detail, overrideId } = found;
      return { code, until, detail, ...(overrideId === undefined ? {} : { overrideId }) };
    },
    destinationOf: (domain) => router.known(domain),
    probe(domain) {
      const destination = router.known(domain);
      if (!destination) return;
      reachability.probeNow(destination.site);
      deps.onOpened();
    },
    overrides: () => paths.overrides(),
    async removeOverride(id) {
      const row = await limits.remove(id);
      if (!row) return false;
      lifted(row);
      deps.onOpened();
      return true;
    },
    played(claims) {
      let isBack = false;
      for (const { environmentId, subTenantId, attempts } of claims) {
        if (attempts === 0 || subTenantId === null) continue;
        isBack = throttles.giveBack({ environmentId, subTenantKey: subTenantId }, 1) || isBack;
      }
      if (isBack) deps.onOpened();
    },
    heldBack,
    tenants: {
      limit(...change) {
        throttles.limit(...change);
        openSoon();
      },
      stop(...change) {
        throttles.stop(...change);
        openSoon();
      },
      forget(tenantId) {
        throttles.forget(tenantId);
        openSoon();
      },
      async align() {
        if (await throttles.align(deps.restrictions)) openSoon();
      },
    },
    forgetIdle: () => paths.forgetIdle(),
    tick() {
      const over = limits.expire();
      for (const row of over) lifted(row);
      if (over.length > 0) deps.onOpened();
    },
  };

  function lifted(row: OverrideRow): void {
    if (row.rule === BREAKER_RULE || row.rule === PORT_RULE) {
      reachability.forget(row);
      return;
    }
    const path = paths.byKey(row.path);
    if (!path) return;
    if (row.rule === ADAPTIVE_RULE) paths.restart(path);
    else paths.refresh(path);
  }
}

/** The last check before delivery found that the sub-tenant is stopped. */
function isTenantsHold({ result }: Outcome): boolean {
  return result.kind === 'held' && result.reason === 'tenant';
}
