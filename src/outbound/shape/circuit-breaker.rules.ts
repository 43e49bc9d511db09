// Decides when an unreachable destination is retried. After several failed connect rounds, it receives nothing for a while. Then
// one message probes it, and if that succeeds, the others follow.

const MINUTE_MS = 60_000;

interface BreakerSettings {
  /** Failed connect rounds in a row that open the breaker. */
  rounds: number;
  /** Times (ms) that the breaker stays open, the first time, the second and so on; the last repeats. */
  pausesMs: readonly number[];
}

export const BREAKER_DEFAULTS: BreakerSettings = {
  rounds: 3,
  pausesMs: [2, 5, 15, 30].map((minutes) => minutes * MINUTE_MS),
};

/** A probe that has not ended after so long is lost, with its worker or its process, and another one goes. */
export const PROBE_MS = 5 * MINUTE_MS;

/** JSON-serializable. */
export interface BreakerState {
  /** Failed rounds in a row. */
  failures: number;
  /** Times it was opened since the last success. */
  openedTimes: number;
  /** Epoch ms; null while closed. With a probe under way, when that counts as lost. */
  openUntil: number | null;
  probing: boolean;
}

export type BreakerPosition = { kind: 'closed' } | { kind: 'open'; until: number } | { kind: 'probe' };

/**
 * After a connect round, every address of the destination, has failed. A failure that comes while the breaker is open is
 * of a round begun before and does not lengthen the pause.
 */
export function breakerFailed(state: BreakerState, now: number, settings: BreakerSettings): BreakerState {
  const isOpen = state.openUntil !== null && now < state.openUntil && !state.probing;
  if (isOpen) return state;
  const failures = state.failures + 1;
  if (state.openUntil === null && failures < settings.rounds) return { ...state, failures };
  const openedTimes = state.openedTimes + 1;
  const pauseMs = settings.pausesMs[Math.min(openedTimes, settings.pausesMs.length) - 1] ?? 0;
  return { failures, openedTimes, openUntil: now + pauseMs, probing: false };
}

/** The closed state: of a destination that a message has reached, and of an unknown one. */
export function breakerSucceeded(): BreakerState {
  return { failures: 0, openedTimes: 0, openUntil: null, probing: false };
}

/** Whether messages may go. On 'probe' one may, once `breakerProbing` is noted; `until` is when to ask again. */
export function breakerPosition(state: BreakerState, now: number): BreakerPosition {
  if (state.openUntil === null) return { kind: 'closed' };
  return now < state.openUntil ? { kind: 'open', until: state.openUntil } : { kind: 'probe' };
}

/** The one probe is in flight; the circuit is open behind it. */
export function breakerProbing(state: BreakerState, now: number, probeMs = PROBE_MS): BreakerState {
  return state.openUntil === null ? state : { ...state, openUntil: now + probeMs, probing: true };
}

/** The probe ended without an attempt to connect (canceled, suppressed, the process restarted): another one may go. */
export function breakerProbeReleased(state: BreakerState, now: number): BreakerState {
  return state.probing ? { ...state, openUntil: now, probing: false } : state;
}
