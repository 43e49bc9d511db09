// Rate limiting with one number per key: the generic cell rate algorithm (virtual scheduling form). That number, the
// theoretical arrival time (tat, epoch ms), lies ahead of the clock by the used share.

export interface RateLimit {
  /** `count` messages per `perMs`, both whole and at least 1. */
  count: number;
  perMs: number;
  /**
   * Messages that may go at once after a rest, at least 1. Any trailing `perMs` holds at most `count + burst - 1`
   * messages: exactly `count` with a burst of 1. Clocks tell whole milliseconds, so a burst of 1 cannot reach rates near
   * one per millisecond: give fast limits the burst of a second.
   */
  burst: number;
}

/**
 * Intervals are whole 1024ths of a millisecond: such sums are exact in a double until the year 2248, so nothing drifts.
 * Rounded up: a key may be slower than asked by less than 1 µs per message, never faster.
 */
const PER_MS = 1024;

const intervalMs = ({ count, perMs }: RateLimit): number => Math.ceil((perMs * PER_MS) / count) / PER_MS;

/** The most that is remembered as used up: a full burst, and a debt of one period for a caller that took unasked. */
const horizonMs = (limit: RateLimit): number => limit.burst * intervalMs(limit) + limit.perMs;

/**
 * Time (ms) by which the tat is ahead of the clock. Beyond the horizon it comes from a clock that was fast or a
 * slower limit, and counts as 0.
 */
function aheadMs(tat: number | undefined, limit: RateLimit, now: number): number {
  const ahead = (tat ?? now) - now;
  return ahead > 0 && ahead <= horizonMs(limit) ? ahead : 0;
}

/** Whole messages that may go now, 0 to `burst`. No tat, or one that has passed: a key at rest, which need not be kept. */
export function gcraCapacity(tat: number | undefined, limit: RateLimit, now: number): number {
  const interval = intervalMs(limit);
  return Math.max(0, Math.floor((limit.burst * interval - aheadMs(tat, limit, now)) / interval));
}

/** The tat after `n` messages. The caller has asked for the capacity; messages beyond it are owed. */
export function gcraTake(tat: number | undefined, limit: RateLimit, now: number, n = 1): number {
  return now + Math.min(aheadMs(tat, limit, now) + n * intervalMs(limit), horizonMs(limit));
}

/** When (whole epoch ms) at least one message may go; `now` when it may already. */
export function gcraNextAt(tat: number | undefined, limit: RateLimit, now: number): number {
  const waitMs = aheadMs(tat, limit, now) - (limit.burst - 1) * intervalMs(limit);
  return Math.max(now, Math.ceil(now + waitMs));
}

/**
 * The tat after `n` taken messages did not go. With `takenTat`, what `gcraTake` answered then, they are given back only
 * while nothing was taken after them, and the promise of `RateLimit` holds to the letter; without it, a trailing
 * period may hold one more for each message that was given back after others had been taken.
 */
export function gcraRelease(tat: number, limit: RateLimit, n: number, takenTat = tat): number {
  return tat === takenTat ? tat - n * intervalMs(limit) : tat;
}
