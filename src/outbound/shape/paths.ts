// Paths of outgoing mail: one for each pair of source (or smarthost) and provider (or site), with its current limits.
import type { ShapingContext } from './context.js';
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
import { limitsFor, type PathLimits, type Shaping } from './shaping.rules.js';
import type { Clock } from '../../lib/runtime/index.js';
import type { ActiveLimits } from './active-limits.js';
import type { Destination } from '../route/router.js';
import type { LimitOverride } from '../outbound.tables.js';
import { putRate, type PersistedCounters } from './persisted-counters.js';

/** Accepted messages after which one connection more is tried. */
const GROWTH_EVERY = 20;
/** Longer than any session lasts without a message. */
const IDLE_MS = 30 * 60_000;
export const ADAPTIVE_RULE = 'adaptive';
/** Time (ms) that the row of an unused adaptive limit stays. */
const ADAPTIVE_KEPT_MS = 86_400_000;

/** Source of a path: one of the server's addresses, or a smarthost. */
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
  /** Open sessions reported by the worker. */
  openSessions: number;
  /** Sessions that are open or being opened. */
  sessions: number;
  /** By the name of the rule. */
  triggers: Map<string, TriggerCounts>;
  usedAt: number;
}

/** The sessions of paths, in delivery workers. */
export interface PathSessions {
  /** The limits of the path's sessions have changed. */
  change(path: Path): void;
  /** Returns mail that waits for a session of the path to its queue, to be planned again. */
  recall(path: Path): void;
  /** No more mail comes for the path. */
  forget(path: Path): void;
}

export class Paths {
  readonly #limits: ActiveLimits;
  readonly #counters: PersistedCounters;
  readonly #sessions: PathSessions;
  readonly #clock: Clock;
  readonly #shaping: Shaping;
  readonly #byKey = new Map<string, Path>();
  readonly #byId = new Map<number, Path>();
  #lastId = 0;

  constructor(context: Pick<ShapingContext, 'shaping' | 'limits' | 'counters' | 'sessions' | 'clock'>) {
    this.#limits = context.limits;
    this.#counters = context.counters;
    this.#sessions = context.sessions;
    this.#clock = context.clock;
    this.#shaping = context.shaping;
  }

  /** Applies the active limits to the path's sessions. */
  refresh(path: Path): void {
    const next = sessionLimits(this.#limits, path.key, path.base, path.window);
    const { limits: now } = path.plan;
    if (next.connections === now.connections && next.messagesPerConnection === now.messagesPerConnection) {
      return;
    }
    path.plan.limits = next;
    this.#sessions.change(path);
  }

  /** The path from a source to a destination, created on first use. */
  of(source: PathSource, destination: Destination): Path {
    const key = `${source.name} > ${destination.group}`;
    const path = this.#byKey.get(key) ?? this.#create(key, source, destination);
    path.usedAt = this.#clock();
    return path;
  }

  byId(id: number): Path | undefined {
    return this.#byId.get(id);
  }

  byKey(key: string): Path | undefined {
    return this.#byKey.get(key);
  }

  /** Returns mail that waits for a session to its queue, to be planned again, on one source's paths or on all. */
  recall(source?: { via: ViaKind; name: string }): void {
    for (const path of this.#byId.values()) {
      const { via, source: name } = path.plan;
      if (source === undefined || (via === source.via && name === source.name)) this.#sessions.recall(path);
    }
  }

  /** Ends the sessions of these paths after their current messages, and returns waiting mail to its queue. */
  close(isOfThem: (path: Path) => boolean): void {
    for (const path of [...this.#byId.values()].filter(isOfThem)) {
      this.#sessions.recall(path);
      path.plan.limits = { ...path.plan.limits, connections: 0 };
      this.#sessions.change(path);
    }
  }

  /** Number of sessions of these paths that are open or being opened. */
  sessions(isOfThem: (path: Path) => boolean): number {
    return [...this.#byId.values()].reduce((sum, path) => sum + (isOfThem(path) ? path.sessions : 0), 0);
  }

  /** Forgets closed paths and their state. */
  drop(isOfThem: (path: Path) => boolean): void {
    for (const path of [...this.#byId.values()].filter(isOfThem)) this.#drop(path);
  }

  /** Counts a session that is being opened. `tat`: the state of the connection rate including it. */
  opening(path: Path, tat: number | null): void {
    path.sessions += 1;
    if (tat === null || tat === path.plan.openedTat) return;
    path.plan.openedTat = tat;
    putRate(this.#counters, tatKey(path.key), tat, path.base.connectionRate);
  }

  /** Counts an opened session. */
  opened(path: Path): void {
    path.openSessions += 1;
    const window = windowOpened(path.window, { open: path.openSessions, now: this.#clock() });
    if (window === path.window) return;
    const row = this.#limits.of(path.key).find((limit) => limit.row.rule === ADAPTIVE_RULE)?.row;
    this.#keep(path, window, { reason: row?.reason ?? '', reply: row?.reply ?? '' });
  }

  /** Reduces the limit because a session was refused or a reply reported too much mail. */
  crowded(path: Path, why: { reason: string; reply: string }): void {
    const window = windowRefused(path.window, { open: path.openSessions, now: this.#clock() });
    if (window === path.window) return;
    this.#keep(path, window, why);
    this.refresh(path);
  }

  accepted(path: Path): void {
    const { openSessions: open, window: before } = path;
    const max = path.base.connectionsMax;
    path.window = windowAccepted(before, { open, max, every: GROWTH_EVERY, now: this.#clock() });
    if (path.window.limit === before.limit) return;
    if (before.ceiling && path.window.limit >= max) this.#limits.drop(path.key, 'connections', ADAPTIVE_RULE);
    this.refresh(path);
  }

  /** Limits set because of replies, with current values: an adaptive one grows with each success. */
  overrides(): LimitOverride[] {
    const now = this.#clock();
    return this.#limits.list().flatMap((row) => {
      if (row.expires_at <= now) return [];
      const window = row.rule === ADAPTIVE_RULE ? this.#byKey.get(row.path)?.window : undefined;
      return [window === undefined ? row : { ...row, value: JSON.stringify(window) }];
    });
  }

  /** Paths with open sessions. */
  open(): Pick<Path, 'provider' | 'plan' | 'openSessions'>[] {
    return [...this.#byId.values()].filter(({ openSessions }) => openSessions > 0);
  }

  /** Resets the path after its adaptive limit was removed. */
  restart(path: Path): void {
    path.window = firstWindow(path.base.connections);
    this.refresh(path);
  }

  /** Forgets paths that were not used recently. */
  forgetIdle(): void {
    const before = this.#clock() - IDLE_MS;
    for (const path of this.#byId.values()) {
      if (path.usedAt > before || path.sessions > 0) continue;
      this.#drop(path);
    }
  }

  #create(key: string, source: PathSource, destination: Destination): Path {
    const { provider, siteHosts, isOwnNetwork, group } = destination;
    const network = source.via === 'smarthost' ? 'smarthost' : isOwnNetwork ? 'own' : 'public';
    const base = limitsFor(this.#shaping, { provider, siteHosts, source: source.name, network });
    const left = this.#limits.of(key).find(({ row }) => row.rule === ADAPTIVE_RULE);
    const window = left ? (left.value as WindowState) : firstWindow(base.connections);
    const plan: PathPlan = {
      id: (this.#lastId += 1),
      via: source.via,
      source: source.name,
      localAddress4: source.address4,
      localAddress6: source.address6,
      ehloName: source.ehloName,
      provider,
      limits: sessionLimits(this.#limits, key, base, window),
      openedTat: (this.#counters.get(tatKey(key)) as number | undefined) ?? null,
    };
    const path: Path = {
      key,
      group,
      plan,
      base,
      provider,
      window,
      openSessions: 0,
      sessions: 0,
      triggers: new Map(),
      usedAt: this.#clock(),
    };
    this.#byKey.set(key, path);
    this.#byId.set(plan.id, path);
    return path;
  }

  /** Sets the window after a refusal, and stores it for the next process. */
  #keep(path: Path, window: WindowState, why: { reason: string; reply: string }): void {
    path.window = window;
    this.#limits.put({
      path: path.key,
      provider: path.provider,
      site: path.group,
      source: path.plan.source,
      kind: 'connections',
      value: window,
      rule: ADAPTIVE_RULE,
      ...why,
      expiresAt: this.#clock() + ADAPTIVE_KEPT_MS,
    });
  }

  #drop(path: Path): void {
    this.#byKey.delete(path.key);
    this.#byId.delete(path.plan.id);
    this.#sessions.forget(path);
  }
}

/** The counter of the path's rate of connections. */
function tatKey(key: string): string {
  return `connections ${key}`;
}

function sessionLimits(
  limits: ActiveLimits,
  key: string,
  base: PathLimits,
  window: WindowState,
): SessionLimits {
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
