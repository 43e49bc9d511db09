// Number of connections of a path: one more while all are in use and messages are accepted, half when the peer refuses. A
// refused number is remembered as a ceiling, which is probed ever more rarely: a probe costs a refusal.

const MINUTE_MS = 60_000;
/** Pauses before the ceiling is probed, by the number of refusals at it; the last repeats. */
export const PROBE_PAUSES_MS: readonly number[] = [1, 2, 5, 15, 30].map((minutes) => minutes * MINUTE_MS);

/** JSON-serializable. */
export interface WindowState {
  /** Connections that may be open or opening. */
  limit: number;
  /** Messages accepted at this limit with all its connections open; counted up to `every`. */
  goodSince: number;
  /** `null` if no refusal is known. */
  ceiling: WindowCeiling | null;
}

interface WindowCeiling {
  /** Connections that were open when one more was refused. */
  limit: number;
  /** Refusals in a row of one more than that. */
  refusals: number;
  /** Until then (epoch ms) the limit does not pass the ceiling. */
  probeAt: number;
}

export function firstWindow(start: number): WindowState {
  return { limit: start, goodSince: 0, ceiling: null };
}

/**
 * Applies a connection refused because there are too many: a 421, a reply that says so, or a refused connect while others are open.
 * `open` counts the other open connections, without the refused one and those still opening. A destination that refuses while none
 * is open is unreachable, which this window does not handle. The limit is never set below `floor`.
 */
export function windowRefused(
  state: WindowState,
  refusal: { open: number; now: number; floor?: number; pausesMs?: readonly number[] },
): WindowState {
  const { open, now, floor = 1, pausesMs = PROBE_PAUSES_MS } = refusal;
  const known = state.ceiling;
  // Fewer connections can be open beside it within the limit, so this one was opened before the limit fell and only shows the
  // ceiling.
  if (known !== null && open >= state.limit) {
    return { ...state, ceiling: { ...known, limit: Math.max(known.limit, open) } };
  }
  const isProbe = known !== null && open >= known.limit;
  const refusals = isProbe ? known.refusals + 1 : 1;
  const limit = Math.max(open, floor, 1);
  const pauseMs = pausesMs[Math.min(refusals, pausesMs.length) - 1] ?? 0;
  return {
    // A refused probe gives no new information, so the accepted limit stays.
    limit: isProbe ? limit : Math.max(Math.floor(open / 2), floor, 1),
    goodSince: 0,
    ceiling: { limit, refusals, probeAt: now + pauseMs },
  };
}

/**
 * Applies a successful connection. Connections accepted along with a refused one are reported after it. Until the ceiling is
 * probed, more open connections than the ceiling were opened before it fell, and show that it is higher.
 */
export function windowOpened(state: WindowState, { open, now }: { open: number; now: number }): WindowState {
  const { ceiling } = state;
  if (ceiling === null || now >= ceiling.probeAt || open <= ceiling.limit) return state;
  return { ...state, ceiling: { ...ceiling, limit: open } };
}

/**
 * Applies an accepted message: one more connection per `every` messages, up to `max`. `open` counts the open connections, including
 * that of this message. A limit that is not used up is not proven and does not grow.
 */
export function windowAccepted(
  state: WindowState,
  { open, max, every, now }: { open: number; max: number; every: number; now: number },
): WindowState {
  const limit = Math.min(state.limit, max);
  if (open < limit) return limit === state.limit ? state : { ...state, limit };
  const goodSince = Math.min(state.goodSince + 1, every);
  if (goodSince < every) return { ...state, limit, goodSince };
  // More than the ceiling for so many messages: the peer has changed its mind.
  const ceiling = state.ceiling !== null && limit > state.ceiling.limit ? null : state.ceiling;
  const mustWait = ceiling !== null && limit >= ceiling.limit && now < ceiling.probeAt;
  if (mustWait || limit >= max) return { limit, goodSince, ceiling };
  return { limit: limit + 1, goodSince: 0, ceiling };
}
