// Which way a message may leave, and how many may leave now: its vias in their order, the sources of a pool by weight, the
// limits of each path. Asked twice: for a lane before anything is claimed, and for each claimed message.
import type { MessageType } from '../../contract/names.js';
import { withoutAddresses } from '../outcome/bounce-class.rules.js';
import type { AddressFamily } from '../../lib/dns/dns-answer.rules.js';
import {
  membersFor,
  pickSource,
  viasFor,
  type Egress,
  type EgressSource,
  type PoolMember,
  type Via,
} from './egress.rules.js';
import {
  DEFAULT_WARM_UP,
  firstWarmUp,
  warmUpCounted,
  warmUpRoom,
  type WarmUpEvent,
  type WarmUpPlan,
  type WarmUpState,
} from '../shape/warm-up.rules.js';
import type { Clock } from '../../lib/runtime/clock.js';
import type { LimitReason } from '../explain/explain-facts.rules.js';
import type { Path, Paths, PathSource } from '../shape/paths.js';
import type { Place, Reachability } from '../shape/circuit-breakers.js';
import type { Destination } from './router.js';
import type { StateKeeper } from '../shape/persisted-counters.js';

export interface Closed extends LimitReason {
  kind: 'closed';
  /** It is certain that nothing leaves this way now, whatever the destination: a reason to take another. */
  isShut?: boolean;
}

export interface Way {
  path: Path;
  place: Place;
  /** How many may go by it now. */
  room: number;
  weight: number;
  /** Its source may be cut off, which is a guess: it is taken when no other way of its kind is open. */
  isDoubtful: boolean;
}

export type Ways =
  | {
      kind: 'open';
      ways: Way[];
      /** Why these and not the first choice; null: they are the first choice. */
      note: string | null;
    }
  | Closed;

/** What the choice depends on. */
export interface Traveller {
  tenantKey: string;
  rank: number;
  type: MessageType;
  /** Unknown, and empty, as long as a lane is asked about. */
  tags: readonly string[];
}

export interface WaysOut {
  /** The families that any source has: what a domain is looked up with. */
  readonly families: readonly AddressFamily[];
  find(traveller: Traveller, destination: Destination, now: number): Ways;
  /**
   * One of the open ways: the one that was used before if it is there, else by weight. Those whose address the peer has
   * turned down lately come last.
   */
  pick(ways: readonly Way[], before: string | null): Way | undefined;
  familiesOf(path: Path): readonly AddressFamily[];
  /** A message takes the way. True when it counts on the path's rate. */
  take(way: Way, now: number): boolean;
  /** It was not used after all; `isRated` is what `take` said. True when others may wait for what it took. */
  giveBack(path: Path, isRated: boolean): boolean;
  /** The peer turned the path's address down for good, as block lists make it. */
  blocked(path: Path): void;
  /** False when the path is not being warmed up. */
  count(path: Path, event: WarmUpEvent): boolean;
  /** What a message without a route is recorded under. */
  anyPath(destination: Destination): Path;
}

export interface WaysDeps {
  egress: Egress;
  paths: Paths;
  reachability: Reachability;
  keeper: StateKeeper;
  clock: Clock;
  random: () => number;
  /** The operator's own id of a sub-tenant, if it has one. */
  externalIdOf: (tenantId: string) => string | null;
  /** For how long another address is tried rather than one that was turned down, in milliseconds. */
  blockedMs: number;
}

/** How the states of paths that are warmed up are kept: this, and the path's key. */
export const WARM_UP_KEY = 'warm-up ';

const IPV4_ONLY: readonly AddressFamily[] = [4];

export function createWaysOut(deps: WaysDeps): WaysOut {
  const { egress, paths, reachability, keeper, clock } = deps;
  const families = [...new Set([...egress.sources.values()].flatMap((source) => source.families))];

  function find(traveller: Traveller, destination: Destination, now: number): Ways {
    const { domain, provider } = destination;
    const tenant = traveller.tenantKey === '' ? null : traveller.tenantKey;
    const tenantExternalId = tenant === null ? null : deps.externalIdOf(tenant);
    const vias = viasFor(egress, {
      tenant,
      tenantExternalId,
      domain,
      provider,
      type: traveller.type,
      tags: traveller.tags,
    });
    let closed: Closed | null = null;
    for (const via of vias) {
      const found = waysOf(via, traveller, destination, now, vias.length > 1);
      if (found.kind === 'open') return { ...found, note: closed?.detail ?? null };
      closed ??= found;
      // A slow or suspended destination is not a reason to go another way; a way that is shut is.
      if (found.isShut !== true && found.code !== 'no_source') break;
    }
    if (closed?.code === 'warm_up' && egress.overflow) {
      const found = waysOf(egress.overflow, traveller, destination, now, true);
      if (found.kind === 'open') return { ...found, note: closed.detail };
    }
    return closed ?? { kind: 'closed', code: 'no_source', until: null, detail: 'No way out is configured.' };
  }

  /** `hasOther`: there is another way to take when this one is shut. */
  function waysOf(
    via: Via,
    traveller: Traveller,
    destination: Destination,
    now: number,
    hasOther: boolean,
  ): Ways {
    const members =
      via.kind === 'pool'
        ? membersFor(egress, via.pool, destination.families)
        : [{ source: via.name, weight: 1 }];
    const ways: Way[] = [];
    let closed: Closed | null = null;
    for (const member of members) {
      const found = wayOf(via, member, traveller, destination, now, hasOther || members.length > 1);
      if ('path' in found) ways.push(found);
      else closed = sooner(closed, found);
    }
    const sure = ways.filter(({ isDoubtful }) => !isDoubtful);
    if (ways.length > 0) return { kind: 'open', ways: sure.length > 0 ? sure : ways, note: null };
    const name = via.kind === 'pool' ? `pool ${via.pool}` : `smarthost ${via.name}`;
    return closed ?? { kind: 'closed', code: 'no_source', until: null, detail: `${name} has no source.` };
  }

  function wayOf(
    via: Via,
    { source: name, weight }: PoolMember,
    traveller: Traveller,
    destination: Destination,
    now: number,
    hasOther: boolean,
  ): Way | Closed {
    const isDirect = via.kind === 'pool';
    const source = isDirect ? directSource(name) : smarthostSource(name);
    const target = isDirect
      ? destination
      : smarthostDestination(name, egress.smarthosts.get(name)?.host ?? name);
    const path = paths.of(source, target);
    const place: Place = { source: name, site: target.site, provider: target.provider };
    const suspended = paths.suspension(path, traveller.tenantKey);
    if (suspended) {
      const code = suspended.row.kind === 'suspend' ? 'destination_suspended' : 'tenant_suspended';
      const { expires_at: until, reason, reply } = suspended.row;
      // Shown to everybody whose mail waits: the reply may name somebody else's recipient.
      const detail = reply === '' ? reason : `${reason}: ${withoutAddresses(reply)}`;
      return { kind: 'closed', code, until, detail, overrideId: suspended.row.id };
    }
    const bySource = isDirect ? reachability.sourceGate(name, now) : ({ kind: 'closed' } as const);
    const bySite = reachability.gate(place, now);
    // A few dead domains look like a network that lets nothing out: only a guess, and not one to stop all mail for.
    if (bySource.kind === 'open' && (!bySource.isGuess || bySite.kind === 'open')) {
      const detail = `${name} is left alone: ${bySource.detail}.`;
      return {
        kind: 'closed',
        code: 'source_unreachable',
        until: bySource.until,
        detail,
        isShut: !bySource.isGuess,
      };
    }
    if (bySite.kind === 'open') {
      const what = isDirect ? place.site : `smarthost ${name}`;
      const detail = `${what} could not be reached from ${name}.`;
      return { kind: 'closed', code: 'circuit_open', until: bySite.until, detail, isShut: !isDirect };
    }
    let room = bySite.kind === 'probe' || (hasOther && bySource.kind === 'probe') ? 1 : Infinity;
    const rate = paths.rateRoom(path, now);
    if (rate) {
      if (rate.room === 0) {
        const { until, by } = rate;
        const detail = `${path.key} is limited to a rate${by ? ` by ${by.row.rule}` : ''}.`;
        return {
          kind: 'closed',
          code: 'rate_limited',
          until,
          detail,
          ...(by ? { overrideId: by.row.id } : {}),
        };
      }
      room = Math.min(room, rate.room);
    }
    const warming = warmUpOf(path);
    if (warming) {
      const found = warmUpRoom(warming.state, warming.plan, { now, rank: traveller.rank });
      if ('until' in found) {
        const detail = `${name} is being warmed up and has sent what it may for now.`;
        return { kind: 'closed', code: 'warm_up', until: found.until, detail };
      }
      room = Math.min(room, found.room);
    }
    return { path, place, room, weight, isDoubtful: bySource.kind === 'open' };
  }

  function directSource(name: string): PathSource {
    const source = sourceOf(name);
    const { address4, address6, ehloName } = source;
    return { via: 'mta', name, address4, address6, ehloName };
  }

  function smarthostSource(name: string): PathSource {
    const [first] = egress.sources.values();
    return {
      via: 'smarthost',
      name,
      address4: null,
      address6: null,
      ehloName: first?.ehloName ?? 'localhost',
    };
  }

  function sourceOf(name: string): EgressSource {
    const source = egress.sources.get(name);
    if (!source) throw new Error(`the source ${name} is in a pool and not among the sources`);
    return source;
  }

  function warmUpOf(path: Path): { state: WarmUpState; plan: WarmUpPlan; key: string } | null {
    const warmUp = path.plan.via === 'mta' ? sourceOf(path.plan.source).warmUp : null;
    if (!warmUp) return null;
    const plan = warmUp.dailyCaps ? { dailyCaps: warmUp.dailyCaps } : DEFAULT_WARM_UP;
    const key = WARM_UP_KEY + path.key;
    const kept = keeper.get(key) as WarmUpState | undefined;
    const state = kept ?? firstWarmUp({ startedAt: Date.parse(warmUp.startedOn), now: clock() });
    return { state, plan, key };
  }

  function count(path: Path, event: WarmUpEvent): boolean {
    const warming = warmUpOf(path);
    if (!warming) return false;
    keeper.put(warming.key, warmUpCounted(warming.state, event, clock()));
    return true;
  }

  /** Epoch ms; 0: it is not. */
  function blockedUntil(path: Path): number {
    return (keeper.get(`blocked ${path.key}`) as number | undefined) ?? 0;
  }

  return {
    families,
    find,
    pick(open, before) {
      const now = clock();
      const ways = open.filter(({ path }) => blockedUntil(path) <= now);
      // All of them are blocked: the one whose block is the oldest.
      if (ways.length === 0) return [...open].sort((a, b) => blockedUntil(a.path) - blockedUntil(b.path))[0];
      const same = ways.find(({ path }) => path.plan.source === before);
      if (same) return same;
      const members = ways.map(({ path, weight }) => ({ source: path.plan.source, weight }));
      const chosen = members.length > 1 ? pickSource(members, deps.random()) : members[0]?.source;
      return ways.find(({ path }) => path.plan.source === chosen);
    },
    familiesOf: (path) => (path.plan.via === 'mta' ? sourceOf(path.plan.source).families : IPV4_ONLY),
    take({ path, place }, now) {
      const isRated = paths.takeRate(path, now);
      count(path, 'sent');
      reachability.probing(place);
      return isRated;
    },
    giveBack(path, isRated) {
      const [isRateFree, isWarming] = [isRated && paths.giveBackRate(path), count(path, 'unsent')];
      return isRateFree || isWarming;
    },
    count,
    blocked: (path) => keeper.put(`blocked ${path.key}`, clock() + deps.blockedMs),
    anyPath(destination) {
      const [first] = egress.sources.values();
      if (!first) throw new Error('there is no source');
      return paths.of(directSource(first.name), destination);
    },
  };
}

/** Where a smarthost's failures are counted. */
export function smarthostSite(name: string): string {
  return `smarthost ${name}`;
}

/** A smarthost as a destination: its own group, whatever the mail behind it is for. */
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
  };
}

/** What keeps the whole way closed: of a member that could be used but for the destination, else the one that opens sooner. */
function sooner(one: Closed | null, other: Closed): Closed {
  if (!one) return other;
  if ((one.isShut ?? false) !== (other.isShut ?? false)) return one.isShut === true ? other : one;
  return (other.until ?? Infinity) < (one.until ?? Infinity) ? other : one;
}
