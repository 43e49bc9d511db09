// Which paths a message may leave by, and how many messages may now: its routes in their order, the sources of a pool by
// weight, the limits of each path. Asked twice: for a queue before anything is claimed, and for each claimed message.
import type { ShapingContext } from '../shape/context.js';
import type { MessageType, RouteSide } from '../../contract/names.js';
import type { AddressFamily } from '../../lib/dns-answers/index.js';
import {
  membersFor,
  pickSource,
  routeFor,
  type Egress,
  type EgressRoute,
  type EgressSource,
  type PoolMember,
  type Via,
} from './egress.rules.js';
import type { Clock } from '../../lib/runtime/index.js';
import type { LimitReason } from '../explain/explain-facts.rules.js';
import { checkAll, reserveAll, type Hold, type Limit } from '../shape/limit.js';
import type { PathUse } from '../shape/path-limits.js';
import type { Path, Paths, PathSource } from '../shape/paths.js';
import type { CurrentShare, CurrentShares } from './current-shares.js';
import type { OperatorEgress } from './operator-egress.js';
import type { Destination } from './router.js';
import type { PersistedCounters } from '../shape/persisted-counters.js';
import { viasOnSide } from './share.rules.js';

/** Facts that the choice of a path depends on. */
export interface EnvelopeFacts {
  tenantKey: string;
  rank: number;
  type: MessageType;
  /** Empty when a queue is asked about, whose messages' tags are not known. */
  tags: readonly string[];
}

interface OpenPath {
  use: PathUse;
  /** Messages that may go by it now. */
  capacity: number;
  weight: number;
  /** Its source may be cut off, which is a guess: it is taken when no other path of its kind is open. */
  isDoubtful: boolean;
}

interface ClosedPaths {
  kind: 'closed';
  reason: LimitReason;
  isSourceDown: boolean;
  /** All of them are other nodes'. */
  isElsewhere: boolean;
}

type EgressChoice =
  | {
      kind: 'open';
      paths: OpenPath[];
      /** Why these were chosen instead of the first choice. `null` if they are the first choice. */
      note: string | null;
    }
  | ClosedPaths;

const IPV4_ONLY: readonly AddressFamily[] = [4];

export class EgressPools {
  /** Address families that any source has. Domains are looked up with these. */
  readonly families: readonly AddressFamily[];
  readonly #egress: Egress;
  readonly #operator: OperatorEgress;
  readonly #shares: CurrentShares;
  readonly #paths: Paths;
  /** In the order in which their reasons are given. */
  readonly #limits: readonly Limit<PathUse>[];
  readonly #counters: PersistedCounters;
  readonly #clock: Clock;
  readonly #random: () => number;
  readonly #externalIds: ReadonlyMap<string, string>;
  /** For how long another address is tried rather than one that was turned down, in milliseconds. */
  readonly #blockedMs: number;
  /** Most installations have no share, and need not look for a message's route twice. */
  readonly #fileHasShares: boolean;

  constructor(
    context: Pick<
      ShapingContext,
      'egress' | 'operator' | 'shares' | 'paths' | 'counters' | 'clock' | 'random' | 'externalIds'
    >,
    { limits, blockedMs }: { limits: readonly Limit<PathUse>[]; blockedMs: number },
  ) {
    this.#egress = context.egress;
    this.#operator = context.operator;
    this.#shares = context.shares;
    this.#paths = context.paths;
    this.#limits = limits;
    this.#counters = context.counters;
    this.#clock = context.clock;
    this.#random = context.random;
    this.#externalIds = context.externalIds;
    this.#blockedMs = blockedMs;
    this.#fileHasShares = context.egress.routes.some(({ share }) => share !== null);
    this.families = [...new Set([...context.egress.sources.values()].flatMap((source) => source.families))];
  }

  /** The share of the message's route. `null` if the route has none. */
  shareFor(envelope: EnvelopeFacts, destination: Destination, now: number): CurrentShare | null {
    if (!this.#fileHasShares && !this.#operator.hasShares) return null;
    const route = this.#findRoute(envelope, destination, now);
    return route && this.#shares.of(route);
  }

  /** Side of the message, on a route with a share. `null` for a queue, whose messages may use either side. */
  find(
    envelope: EnvelopeFacts,
    destination: Destination,
    now: number,
    side: RouteSide | null = null,
  ): EgressChoice {
    const route = this.#findRoute(envelope, destination, now);
    const vias = route?.via ?? this.#egress.default;
    const share = route && this.#shares.of(route);
    if (share === null) return this.#findAmong(vias, envelope, destination, now);
    const among = (one: RouteSide): EgressChoice =>
      this.#findAmong(viasOnSide(vias, one), envelope, destination, now);
    if (side !== null) return among(side);
    // Applies at 0 and 100 percent too, because messages that were attempted keep their side.
    return eitherOf(among('direct'), among('smarthost'));
  }

  #findAmong(
    vias: readonly Via[],
    envelope: EnvelopeFacts,
    destination: Destination,
    now: number,
  ): EgressChoice {
    let closed: ClosedPaths | null = null;
    for (const via of vias) {
      const found = this.#choosePaths(via, envelope, destination, { now, hasOther: vias.length > 1 });
      if (found.kind === 'open') return closed ? { ...found, note: closed.reason.detail } : found;
      closed ??= found;
      // A source that is down is a reason to take another route. A slow or suspended destination is not.
      if (!found.isSourceDown && found.reason.code !== 'no_source') break;
    }
    if (closed?.reason.code === 'warm_up' && this.#egress.overflow) {
      const found = this.#choosePaths(this.#egress.overflow, envelope, destination, { now, hasOther: true });
      if (found.kind === 'open') return { ...found, note: closed.reason.detail };
    }
    return closed ?? noSource('No route is configured.');
  }

  /**
   * Chooses one of the open paths: the source used before if it is available, otherwise by weight. Sources whose address the peer
   * has recently refused come last.
   */
  pick(paths: readonly OpenPath[], sourceBefore: string | null): OpenPath | undefined {
    const now = this.#clock();
    const open = paths.filter(({ use }) => this.#blockedUntil(use.path) <= now);
    // If all are blocked, chooses the one whose block is the oldest.
    if (open.length === 0) {
      return [...paths].sort((a, b) => this.#blockedUntil(a.use.path) - this.#blockedUntil(b.use.path))[0];
    }
    const [only] = open;
    if (open.length === 1) return only;
    const same = open.find(({ use }) => use.path.plan.source === sourceBefore);
    if (same) return same;
    const members = open.map(({ use, weight }) => ({ source: use.path.plan.source, weight }));
    const chosen = pickSource(members, this.#random());
    return open.find(({ use }) => use.path.plan.source === chosen);
  }

  /**
   * Another source of the pool that the path's is in, by weight, without those that the peer has turned down lately; null without
   * one. Limits are left aside: they pass.
   */
  otherSource(path: Path, envelope: EnvelopeFacts, destination: Destination): string | null {
    const now = this.#clock();
    const vias = this.#findRoute(envelope, destination, now)?.via ?? this.#egress.default;
    const pool = vias.find((via) => via.kind === 'pool' && this.#holds(via.pool, path.plan.source));
    if (path.plan.via !== 'mta' || pool?.kind !== 'pool') return null;
    const others = membersFor(this.#egress, pool.pool, destination.families).filter(
      ({ source }) =>
        source !== path.plan.source &&
        this.#operator.suspensionOf('mta', source, now) === null &&
        this.#blockedUntil(this.#paths.of(this.#directSource(source), destination)) <= now,
    );
    return others.length === 0 ? null : pickSource(others, this.#random());
  }

  #holds(pool: string, name: string): boolean {
    return this.#egress.pools.get(pool)?.some(({ source }) => source === name) === true;
  }

  /** The operator has suspended the path's source. */
  isSuspended({ plan: { via, source } }: Path, now: number): boolean {
    return this.#operator.suspensionOf(via, source, now) !== null;
  }

  /** A message takes the path. */
  reserve({ use }: OpenPath, now: number): Hold[] {
    return reserveAll(this.#limits, use, 1, now);
  }

  familiesOf({ plan: { via, source } }: Path): readonly AddressFamily[] {
    return via === 'mta' ? this.#findSource(source).families : IPV4_ONLY;
  }

  /** The peer turned the path's source down. */
  blocked(path: Path): void {
    this.#counters.put(blockedKey(path), this.#clock() + this.#blockedMs);
  }

  /** Path under which a message without a route is recorded. */
  anyPath(destination: Destination): Path {
    const [first] = this.#egress.sources.values();
    if (!first) throw new Error('no source is available');
    return this.#paths.of(this.#directSource(first.name), destination);
  }

  #findRoute(
    { tenantKey, type, tags }: EnvelopeFacts,
    { domain, provider }: Destination,
    now: number,
  ): EgressRoute | null {
    const tenant = tenantKey === '' ? null : tenantKey;
    const tenantExternalId = tenant === null ? null : (this.#externalIds.get(tenant) ?? null);
    const question = { tenant, tenantExternalId, domain, provider, type, tags };
    return this.#operator.routeFor(question, now) ?? routeFor(this.#egress, question);
  }

  #choosePaths(
    via: Via,
    envelope: EnvelopeFacts,
    destination: Destination,
    { now, hasOther }: { now: number; hasOther: boolean },
  ): EgressChoice {
    const members =
      via.kind === 'pool'
        ? membersFor(this.#egress, via.pool, destination.families)
        : [{ source: via.name, weight: 1 }];
    const open: OpenPath[] = [];
    let closed: ClosedPaths | null = null;
    for (const member of members) {
      const use = this.#planUse(via, member, envelope, destination, hasOther || members.length > 1);
      const found = checkAll(this.#limits, use, now);
      if (found.kind === 'open') {
        const { capacity, isDoubtful = false } = found;
        open.push({ use, capacity, weight: member.weight, isDoubtful });
      } else {
        const { isSourceDown = false, isElsewhere = false } = found;
        closed = sooner(closed, { ...found, isSourceDown, isElsewhere });
      }
    }
    const sure = open.filter(({ isDoubtful }) => !isDoubtful);
    if (open.length > 0) return { kind: 'open', paths: sure.length > 0 ? sure : open, note: null };
    const name = via.kind === 'pool' ? `pool ${via.pool}` : `smarthost ${via.name}`;
    return closed ?? noSource(`${name} has no sources.`);
  }

  #planUse(
    via: Via,
    { source: name }: PoolMember,
    { tenantKey, rank }: EnvelopeFacts,
    destination: Destination,
    hasOther: boolean,
  ): PathUse {
    const isDirect = via.kind === 'pool';
    const target = isDirect
      ? destination
      : smarthostDestination(name, this.#egress.smarthosts.get(name)?.host ?? name);
    const path = this.#paths.of(isDirect ? this.#directSource(name) : this.#smarthostSource(name), target);
    const site = { source: name, site: target.site, provider: target.provider };
    return { path, site, tenantKey, rank, hasOther };
  }

  #directSource(name: string): PathSource {
    const { address4, address6, ehloName } = this.#findSource(name);
    return { via: 'mta', name, address4, address6, ehloName };
  }

  #smarthostSource(name: string): PathSource {
    const [first] = this.#egress.sources.values();
    const ehloName = first?.ehloName ?? 'localhost';
    return { via: 'smarthost', name, address4: null, address6: null, ehloName };
  }

  #findSource(name: string): EgressSource {
    const source = this.#egress.sources.get(name);
    if (!source) throw new Error(`the source ${name} is in a pool and not among the sources`);
    return source;
  }

  /** Epoch ms; 0: it is not. */
  #blockedUntil(path: Path): number {
    return (this.#counters.get(blockedKey(path)) as number | undefined) ?? 0;
  }
}

function blockedKey(path: Path): string {
  return `blocked ${path.key}`;
}

/** The paths of both sides that are open. */
function eitherOf(direct: EgressChoice, smarthost: EgressChoice): EgressChoice {
  if (direct.kind === 'closed') return smarthost.kind === 'closed' ? sooner(direct, smarthost) : smarthost;
  if (smarthost.kind === 'closed') return direct;
  return { ...direct, paths: [...direct.paths, ...smarthost.paths] };
}

function noSource(detail: string): ClosedPaths {
  const reason = { code: 'no_source', until: null, detail } as const;
  return { kind: 'closed', reason, isSourceDown: false, isElsewhere: false };
}

/** The key under which a smarthost's failures are counted. */
export function smarthostSite(name: string): string {
  return `smarthost ${name}`;
}

/** A smarthost as a destination: a separate group, regardless of the recipients. */
function smarthostDestination(name: string, host: string): Destination {
  const group = smarthostSite(name);
  return {
    domain: name,
    provider: null,
    site: group,
    siteHosts: [host],
    group,
    isOwnNetwork: false,
    families: IPV4_ONLY,
    lookedUpAt: 0,
  };
}

/** Returns why all paths are closed. A path that only the destination closes takes precedence, then the path that opens first. */
function sooner(one: ClosedPaths | null, other: ClosedPaths): ClosedPaths {
  if (!one) return other;
  if (one.isElsewhere !== other.isElsewhere) return one.isElsewhere ? other : one;
  if (one.isSourceDown !== other.isSourceDown) return one.isSourceDown ? other : one;
  return (other.reason.until ?? Infinity) < (one.reason.until ?? Infinity) ? other : one;
}
