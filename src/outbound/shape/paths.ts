// The paths that mail leaves by: one for each source (or smarthost) and each provider or site, with the limits that hold on it now.
import type { Via as ViaKind } from '../outcome/attempt.rules.js';
import type { TriggerCounts } from './automation.rules.js';
import {
  firstWindow,
  windowAccepted,
  windowOpened,
  windowRefused,
  type WindowState,
} from './connection-window.rules.js';
import type { PathPlan, SessionLimits } from '../deliver/delivery-plan.rules.js';
import {
  gcraGiveBack,
  gcraNextAt,
  gcraRoom,
  gcraTake,
  type RateLimit,
} from '../../lib/runtime/gcra.rules.js';
import { limitsFor, type PathLimits, type Shaping } from './shaping.rules.js';
import type { Clock } from '../../lib/runtime/clock.js';
import type { OverrideRow } from './traffic.store.js';
import type { LimitInForce, LimitsInForce } from './active-limits.js';
import { BREAKER_RULE } from './circuit-breakers.js';
import type { Destination } from '../route/router.js';
import type { StateKeeper } from './persisted-counters.js';

/** Accepted messages after which one connection more is tried. */
const GROWTH_EVERY = 20;
/** Longer than any session lasts without a message. */
const IDLE_MS = 30 * 60_000;
export const ADAPTIVE_RULE = 'adaptive';
/** How long the row of an adaptive limit that nobody uses stays. */
const ADAPTIVE_KEPT_MS = 86_400_000;

/** The end of a way: what the path leaves from. */
export interface PathSource {
  via: ViaKind;
  name: string;
  address4: string | null;
  address6: string | null;
  ehloName: string;
}

export interface Path {
  readonly key: string;
  readonly group: string;
  readonly plan: PathPlan;
  readonly base: PathLimits;
  readonly provider: string | null;
  window: WindowState;
  /** Sessions that are open, as far as the worker has said. */
  openSessions: number;
  /** By the name of the rule. */
  triggers: Map<string, TriggerCounts>;
  usedAt: number;
}

export interface Paths {
  /** The path from a source to a destination; made on first use. */
  of(source: PathSource, destination: Destination): Path;
  byId(id: number): Path | undefined;
  byKey(key: string): Path | undefined;
  /** Messages that the path's rate lets go now, and the reply's limit that it is, if one is; null: any number. */
  rateRoom(path: Path, now: number): { room: number; until: number; by: LimitInForce | null } | null;
  /** False when it has no rate. */
  takeRate(path: Path, now: number): boolean;
  /** False when it has no rate. */
  giveBackRate(path: Path): boolean;
  /** Of those that hold for the tenant's mail on this path the suspension that ends last. */
  suspension(path: Path, tenantKey: string): LimitInForce | null;
  /** A session was opened. */
  opened(path: Path): void;
  /** A session was turned away, or a reply said that there is too much. */
  crowded(path: Path, why: { reason: string; reply: string }): void;
  accepted(path: Path): void;
  /** Something in force has changed: the worker is told. */
  refresh(path: Path): void;
  /** The limits that replies have set, with what is in force of each: an adaptive one grows with every success. */
  overrides(): OverrideRow[];
  /** Its adaptive limit was removed: as on the first day. */
  restart(path: Path): void;
  /** Forgets what nobody has used lately; a path that is needed again is made anew. */
  forgetIdle(): void;
}

export interface PathsDeps {
  shaping: Shaping;
  limits: LimitsInForce;
  keeper: StateKeeper;
  clock: Clock;
  onLimits: (path: Path) => void;
  /** The worker may forget it too. */
  onForgotten: (path: Path) => void;
}

export function createPaths(deps: PathsDeps): Paths {
  const { limits, keeper, clock } = deps;
  const byKey = new Map<string, Path>();
  const byId = new Map<number, Path>();
  let lastId = 0;

  function create(key: string, source: PathSource, destination: Destination): Path {
    const { provider, siteHosts, isOwnNetwork, group } = destination;
    const network = source.via === 'smarthost' ? 'smarthost' : isOwnNetwork ? 'own' : 'public';
    const base = limitsFor(deps.shaping, { provider, siteHosts, source: source.name, network });
    const left = limits.of(key).find(({ row }) => row.rule === ADAPTIVE_RULE);
    const window = left ? (left.value as WindowState) : firstWindow(base.connections);
    const plan: PathPlan = {
      id: (lastId += 1),
      via: source.via,
      source: source.name,
      localAddress4: source.address4,
      localAddress6: source.address6,
      ehloName: source.ehloName,
      provider,
      limits: sessionLimits(key, base, window),
    };
    const path: Path = {
      key,
      group,
      plan,
      base,
      provider,
      window,
      openSessions: 0,
      triggers: new Map(),
      usedAt: clock(),
    };
    byKey.set(key, path);
    byId.set(plan.id, path);
    return path;
  }

  function sessionLimits(key: string, base: PathLimits, window: WindowState): SessionLimits {
    const { connectionRate, idleMs } = base;
    let connections = Math.min(window.limit, base.connectionsMax);
    let { messagesPerConnection } = base;
    for (const { row, value } of limits.of(key)) {
      if (row.rule === ADAPTIVE_RULE) continue;
      const { limit } = value as { limit: number };
      if (row.kind === 'connections') connections = Math.min(connections, limit);
      if (row.kind === 'messages_per_connection')
        messagesPerConnection = Math.min(messagesPerConnection, limit);
    }
    return { connections, connectionRate, messagesPerConnection, idleMs };
  }

  /** What a refusal has taught, for the next process too. */
  function keep(path: Path, window: WindowState, why: { reason: string; reply: string }): void {
    path.window = window;
    limits.put({
      path: path.key,
      provider: path.provider,
      site: path.group,
      source: path.plan.source,
      kind: 'connections',
      value: window,
      rule: ADAPTIVE_RULE,
      ...why,
      expiresAt: clock() + ADAPTIVE_KEPT_MS,
    });
  }

  function refresh(path: Path): void {
    const next = sessionLimits(path.key, path.base, path.window);
    const { limits: now } = path.plan;
    if (next.connections === now.connections && next.messagesPerConnection === now.messagesPerConnection) {
      return;
    }
    path.plan.limits = next;
    deps.onLimits(path);
  }

  /** The tightest of the configured rate and those in force; `by`: the one in force that it is. */
  function tightestRate(path: Path): { rate: RateLimit | null; by: LimitInForce | null } {
    let rate = path.base.messageRate;
    let by: LimitInForce | null = null;
    for (const limit of limits.of(path.key)) {
      if (limit.row.kind !== 'rate') continue;
      const other = limit.value as RateLimit;
      if (rate && other.count / other.perMs >= rate.count / rate.perMs) continue;
      rate = other;
      by = limit;
    }
    return { rate, by };
  }

  const rateOf = (path: Path): RateLimit | null => tightestRate(path).rate;

  const tatKey = (path: Path): string => `rate ${path.key}`;
  const tatOf = (path: Path): number | undefined => keeper.get(tatKey(path)) as number | undefined;

  return {
    of(source, destination) {
      const key = `${source.name} > ${destination.group}`;
      const path = byKey.get(key) ?? create(key, source, destination);
      path.usedAt = clock();
      return path;
    },
    byId: (id) => byId.get(id),
    byKey: (key) => byKey.get(key),
    rateRoom(path, now) {
      const { rate, by } = tightestRate(path);
      if (!rate) return null;
      const tat = tatOf(path);
      return { room: gcraRoom(tat, rate, now), until: gcraNextAt(tat, rate, now), by };
    },
    takeRate(path, now) {
      const rate = rateOf(path);
      if (!rate) return false;
      keeper.put(tatKey(path), gcraTake(tatOf(path), rate, now));
      return true;
    },
    giveBackRate(path) {
      const rate = rateOf(path);
      const tat = tatOf(path);
      if (!rate || tat === undefined) return false;
      keeper.put(tatKey(path), gcraGiveBack(tat, rate, 1));
      return true;
    },
    suspension(path, tenantKey) {
      let last: LimitInForce | null = null;
      for (const limit of limits.of(path.key)) {
        const { row } = limit;
        const holds =
          (row.kind === 'suspend' && row.rule !== BREAKER_RULE) ||
          (row.kind === 'suspend_tenant' && row.sub_tenant_key === tenantKey);
        if (holds && (!last || row.expires_at > last.row.expires_at)) last = limit;
      }
      return last;
    },
    opened(path) {
      path.openSessions += 1;
      const window = windowOpened(path.window, { open: path.openSessions, now: clock() });
      if (window === path.window) return;
      const row = limits.of(path.key).find((limit) => limit.row.rule === ADAPTIVE_RULE)?.row;
      keep(path, window, { reason: row?.reason ?? '', reply: row?.reply ?? '' });
    },
    crowded(path, why) {
      const window = windowRefused(path.window, { open: path.openSessions, now: clock() });
      if (window === path.window) return;
      keep(path, window, why);
      refresh(path);
    },
    accepted(path) {
      const { openSessions: open, window: before } = path;
      const max = path.base.connectionsMax;
      path.window = windowAccepted(before, { open, max, every: GROWTH_EVERY, now: clock() });
      if (path.window.limit === before.limit) return;
      if (before.ceiling && path.window.limit >= max) limits.drop(path.key, 'connections', ADAPTIVE_RULE);
      refresh(path);
    },
    refresh,
    overrides() {
      const now = clock();
      return limits.list().flatMap((row) => {
        if (row.expires_at <= now) return [];
        const window = row.rule === ADAPTIVE_RULE ? byKey.get(row.path)?.window : undefined;
        return [window === undefined ? row : { ...row, value: JSON.stringify(window) }];
      });
    },
    restart(path) {
      path.window = firstWindow(path.base.connections);
      refresh(path);
    },
    forgetIdle() {
      const before = clock() - IDLE_MS;
      for (const path of byId.values()) {
        if (path.usedAt > before || path.openSessions > 0) continue;
        byKey.delete(path.key);
        byId.delete(path.plan.id);
        deps.onForgotten(path);
      }
    },
  };
}
