// Who can be reached from where: a circuit breaker for each site seen from each source, and one for each source itself, for a
// network that lets no SMTP out.
import {
  breakerFailed,
  breakerGate,
  breakerProbing,
  breakerProbeUnused,
  breakerSucceeded,
  type BreakerGate,
  type BreakerState,
} from '../../rules/circuit-breaker.js';
import type { Clock } from '../../runtime/clock.js';
import type { LimitsInForce } from './limits-in-force.js';

export const BREAKER_RULE = 'circuit breaker';
/** A source that reaches none of so many sites in a row is what is at fault. */
const SITES_THAT_CONVICT = 3;
const SHUT = 'no server answers, so port 25 seems to be shut for it';
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
  /** Whether the source reaches anybody; open: nobody, until then. */
  sourceGate(source: string, now: number): BreakerGate;
  /** Why it is open. */
  sourceTrouble(source: string): string;
  /** It is open because our own address can't be used: that is certain. */
  isUnusable(source: string): boolean;
  /** A message that probes is on its way. */
  probing(place: Place): void;
  probeUnused(place: Place): void;
  reached(place: Place): void;
  /** No session could be opened; `isSilent`: nobody answered at all. */
  failed(place: Place, why: { text: string; isSilent: boolean }): void;
  /** Breakers of the site let a message go now. */
  probeNow(site: string): void;
  /** Our own address cannot be used at all. */
  sourceFailed(place: Place, text: string): void;
  /** Somebody removed its row. */
  forget(path: string): void;
}

export interface ReachabilityDeps {
  limits: LimitsInForce;
  /** Pauses after the first, second... failure in a row; the last repeats. */
  pausesMs: readonly number[];
  sourcePausesMs: readonly number[];
  clock: Clock;
  /** What waited for a probe, for as long as one may take, need not: it is over. */
  onProbed: () => void;
}

export function createReachability(deps: ReachabilityDeps): Reachability {
  const { limits, clock } = deps;
  const breakers = new Map<string, BreakerState>();
  /** Sites that a source failed to reach since it last reached any. */
  const unreached = new Map<string, Set<string>>();

  /** From memory, or from the row that a former process left. */
  function stateOf(path: string): BreakerState | undefined {
    const known = breakers.get(path);
    if (known) return known;
    const left = limits.of(path).find(({ row }) => row.rule === BREAKER_RULE);
    if (!left) return undefined;
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

  function failSource({ source }: Place, why: { reason: string; text: string }): void {
    fail(sourceKey(source), { source, site: '*', provider: null }, why, deps.sourcePausesMs);
  }

  function succeed(path: string): void {
    if (stateOf(path) === undefined) return;
    breakers.delete(path);
    limits.drop(path, 'suspend', BREAKER_RULE);
    deps.onProbed();
  }

  function gateOf(path: string, now: number): BreakerGate {
    const state = stateOf(path);
    return state ? breakerGate(state, now) : { kind: 'closed' };
  }

  function change(path: string, how: (state: BreakerState, now: number) => BreakerState): void {
    const state = stateOf(path);
    if (state) breakers.set(path, how(state, clock()));
  }

  return {
    gate: (place, now) => gateOf(siteKey(place), now),
    sourceGate: (source, now) => gateOf(sourceKey(source), now),
    sourceTrouble(source) {
      const found = limits.of(sourceKey(source)).find(({ row }) => row.rule === BREAKER_RULE);
      return found?.row.reason ?? SHUT;
    },
    isUnusable(source) {
      const found = limits.of(sourceKey(source)).find(({ row }) => row.rule === BREAKER_RULE);
      return found !== undefined && found.row.reason !== SHUT;
    },
    probing(place) {
      for (const path of [siteKey(place), sourceKey(place.source)]) {
        if (gateOf(path, clock()).kind === 'probe') change(path, (state, now) => breakerProbing(state, now));
      }
    },
    probeUnused(place) {
      for (const path of [siteKey(place), sourceKey(place.source)]) {
        if (stateOf(path)?.probing !== true) continue;
        change(path, breakerProbeUnused);
        deps.onProbed();
      }
    },
    reached(place) {
      succeed(siteKey(place));
      unreached.delete(place.source);
      succeed(sourceKey(place.source));
    },
    failed(place, { text, isSilent }) {
      fail(siteKey(place), place, { reason: 'cannot be reached', text }, deps.pausesMs);
      if (!isSilent) return;
      const sites = unreached.get(place.source) ?? new Set();
      if (sites.size < SITES_THAT_CONVICT) unreached.set(place.source, sites.add(place.site));
      if (sites.size >= SITES_THAT_CONVICT) {
        failSource(place, { reason: SHUT, text });
      }
    },
    probeNow(site) {
      const now = clock();
      for (const [path, state] of breakers) {
        if (path.endsWith(` > ${site}`) && state.openUntil !== null) {
          breakers.set(path, { ...state, openUntil: now, probing: false });
        }
      }
    },
    sourceFailed: (place, text) => failSource(place, { reason: UNUSABLE, text }),
    forget: (path) => void breakers.delete(path),
  };
}

function siteKey({ source, site }: Place): string {
  return `${source} > ${site}`;
}

function sourceKey(source: string): string {
  return `${source} > *`;
}
