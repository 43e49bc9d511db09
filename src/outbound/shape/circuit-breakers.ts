// Who can be reached from where: a circuit breaker for each site seen from each source, and for each source whose own address
// cannot be used.
import {
  breakerFailed,
  breakerGate,
  breakerProbing,
  breakerProbeUnused,
  breakerSucceeded,
  type BreakerGate,
  type BreakerState,
} from './circuit-breaker.rules.js';
import type { Clock } from '../../lib/runtime/clock.js';
import type { OverrideRow } from './traffic.store.js';
import { PORT_RULE, type BlockedPorts } from './blocked-ports.js';
import type { LimitsInForce } from './active-limits.js';

export const BREAKER_RULE = 'circuit breaker';
const UNUSABLE = 'its address cannot be used on this machine';
/** How long the row of a breaker that nobody asks stays. */
const KEPT_MS = 86_400_000;

export interface Place {
  source: string;
  site: string;
  provider: string | null;
}

export interface Reachability {
  /** Whether messages for the site may go from the source. */
  gate(place: Place, now: number): BreakerGate;
  /** Whether the source can be used at all; open: not before then. */
  sourceGate(source: string, now: number): SourceGate;
  /** A message that probes is on its way. */
  probing(place: Place): void;
  probeUnused(place: Place): void;
  /** A session works. `address`: the peer's, of one that was opened directly. */
  reached(place: Place, address?: string): void;
  /** No session could be opened; `isSilent`: nothing answered at all, not even by refusing. */
  failed(place: Place, why: { text: string; isSilent: boolean }): void;
  /** Breakers of the site let a message go now. */
  probeNow(site: string): void;
  /** Our own address cannot be used at all. */
  sourceFailed(place: Place, text: string): void;
  /** Somebody removed its row, or its time is over. */
  forget(row: Pick<OverrideRow, 'rule' | 'path' | 'source'>): void;
}

export type SourceGate =
  | Exclude<BreakerGate, { kind: 'open' }>
  /** `isGuess`: it stops no mail that has no other way. */
  | { kind: 'open'; until: number; isGuess: boolean; detail: string };

export interface ReachabilityDeps {
  limits: LimitsInForce;
  ports: BlockedPorts;
  /** Pauses after the first, second... failure in a row; the last repeats. */
  pausesMs: readonly number[];
  sourcePausesMs: readonly number[];
  clock: Clock;
  /** What waited for a probe, for as long as one may take, need not: it is over. */
  onProbed: () => void;
}

export function createReachability(deps: ReachabilityDeps): Reachability {
  const { limits, ports, clock } = deps;
  const breakers = new Map<string, BreakerState>();

  /** From memory, or from the row that a former process left. */
  function stateOf(path: string): BreakerState | undefined {
    const known = breakers.get(path);
    if (known) return known;
    const left = limits.of(path).find(({ row }) => row.rule === BREAKER_RULE);
    // A former version kept its guesses about port 25 so.
    if (!left || (left.row.site === '*' && left.row.reason !== UNUSABLE)) return undefined;
    const state = left.value as BreakerState;
    breakers.set(path, state);
    return state;
  }

  function fail(
    path: string,
    place: Place,
    why: { reason: string; text: string },
    pausesMs: readonly number[],
  ): void {
    const now = clock();
    const before = stateOf(path) ?? breakerSucceeded();
    const state = breakerFailed(before, now, { rounds: 1, pausesMs });
    if (state === before || state.openUntil === null) return;
    breakers.set(path, state);
    if (before.probing) deps.onProbed();
    limits.put({
      ...place,
      path,
      kind: 'suspend',
      value: state,
      rule: BREAKER_RULE,
      reason: why.reason,
      reply: why.text,
      expiresAt: state.openUntil + KEPT_MS,
    });
  }

  function succeed(path: string): void {
    if (stateOf(path) === undefined) return;
    breakers.delete(path);
    limits.drop(path, 'suspend', BREAKER_RULE);
    deps.onProbed();
  }

  function reasonFor(path: string, now: number): BreakerGate {
    const state = stateOf(path);
    return state ? breakerGate(state, now) : { kind: 'closed' };
  }

  function change(path: string, how: (state: BreakerState, now: number) => BreakerState): void {
    const state = stateOf(path);
    if (state) breakers.set(path, how(state, clock()));
  }

  return {
    gate: (place, now) => reasonFor(siteKey(place), now),
    sourceGate(source, now) {
      const own = reasonFor(sourceKey(source), now);
      if (own.kind === 'open') return { ...own, isGuess: false, detail: UNUSABLE };
      const port = ports.gate(source, now);
      return port.kind === 'open' ? port : own;
    },
    probing(place) {
      for (const path of [siteKey(place), sourceKey(place.source)]) {
        if (reasonFor(path, clock()).kind === 'probe')
          change(path, (state, now) => breakerProbing(state, now));
      }
    },
    probeUnused(place) {
      for (const path of [siteKey(place), sourceKey(place.source)]) {
        if (stateOf(path)?.probing !== true) continue;
        change(path, breakerProbeUnused);
        deps.onProbed();
      }
    },
    reached(place, address) {
      succeed(siteKey(place));
      succeed(sourceKey(place.source));
      ports.answered(place.source, address);
    },
    failed(place, { text, isSilent }) {
      fail(siteKey(place), place, { reason: 'cannot be reached', text }, deps.pausesMs);
      if (isSilent) ports.silent(place.source, place.site, text);
      else ports.answered(place.source);
    },
    probeNow(site) {
      const now = clock();
      for (const [path, state] of breakers) {
        if (path.endsWith(` > ${site}`) && state.openUntil !== null) {
          breakers.set(path, { ...state, openUntil: now, probing: false });
        }
      }
    },
    sourceFailed({ source }, text) {
      const place = { source, site: '*', provider: null };
      fail(sourceKey(source), place, { reason: UNUSABLE, text }, deps.sourcePausesMs);
    },
    forget({ rule, path, source }) {
      if (rule === PORT_RULE) ports.forget(source);
      else breakers.delete(path);
    },
  };
}

function siteKey({ source, site }: Place): string {
  return `${source} > ${site}`;
}

function sourceKey(source: string): string {
  return `${source} > *`;
}
