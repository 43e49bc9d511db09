// Limits rates with one number per key by the generic cell rate algorithm (virtual scheduling form). That
// number, the theoretical arrival time (tat, epoch ms), is ahead of the clock by the used share.

export interface RateLimit {
  /** Allows `count` messages per `perMs`; both are whole and at least 1. */
  count: number;
  perMs: number;
  /**
   * Messages allowed immediately after a rest, at least 1. Any trailing `perMs` contains at most `count + burst - 1` messages, so
   * exactly `count` with a burst of 1. Clocks count whole milliseconds, so a burst of 1 cannot reach rates near one per
   * millisecond; give fast limits the burst of a second.
   */
  burst: number;
}

/**
 * Intervals are whole 1024ths of a millisecond, whose sums are exact in a double until the year 2248, so
 * nothing drifts. Rounding up makes a key slower by less than 1 µs per message, never faster.
 */
const PER_MS = 1024;

const intervalMs = ({ count, perMs }: RateLimit): number => Math.ceil((perMs * PER_MS) / count) / PER_MS;

/** Maximum remembered use: a full burst, and a debt of one period for callers that take without asking. */
const horizonMs = (limit: RateLimit): number => limit.burst * intervalMs(limit) + limit.perMs;

/**
 * Returns by how many ms the tat is ahead of the clock. A tat beyond the horizon comes from a fast clock or a
 * slower limit, and counts as 0.
 */
function aheadMs(tat: number | undefined, limit: RateLimit, now: number): number {
  const ahead = (tat ?? now) - now;
  return ahead > 0 && ahead <= horizonMs(limit) ? ahead : 0;
}

/**
 * Returns how many messages may be sent now, 0 to `burst`. A key without a tat, or with one in the past, is
 * at rest and need not be kept.
 */
export function gcraCapacity(tat: number | undefined, limit: RateLimit, now: number): number {
  const interval = intervalMs(limit);
  return Math.max(0, Math.floor((limit.burst * interval - aheadMs(tat, limit, now)) / interval));
}

/** Returns the tat after `n` messages. Ask for the capacity first; messages beyond it become a debt. */
export function gcraTake(tat: number | undefined, limit: RateLimit, now: number, n = 1): number {
  return now + Math.min(aheadMs(tat, limit, now) + n * intervalMs(limit), horizonMs(limit));
}

/** Returns the time (whole epoch ms) from which at least one message may be sent; `now` if it may already. */
export function gcraNextAt(tat: number | undefined, limit: RateLimit, now: number): number {
  const waitMs = aheadMs(tat, limit, now) - (limit.burst - 1) * intervalMs(limit);
  return Math.max(now, Math.ceil(now + waitMs));
}

/**
 * Returns the tat after `n` taken messages were not sent. With `takenTat`, the result of `gcraTake`, they are
 * only given back if nothing was taken since, and the promise of `RateLimit` holds exactly. Without it, a
 * trailing period may contain one more message for each one given back after others were taken.
 */
export function gcraRelease(tat: number, limit: RateLimit, n: number, takenTat = tat): number {
  return tat === takenTat ? tat - n * intervalMs(limit) : tat;
}
