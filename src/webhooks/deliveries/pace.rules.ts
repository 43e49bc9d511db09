// Computes how many attempts an endpoint may have open: more while it responds quickly, few while it does not. Also decides which
// endpoints share slots, so that slow endpoints leave slots to the others.

const SLOW_MS = 2_000;

/** `new`: nothing is known of it yet. `slow` answers late, `silent` did not answer at all. */
export type EndpointManner = 'new' | 'quick' | 'slow' | 'silent';

export interface EndpointPace {
  /** Number of attempts that may be open, at least 1. */
  limit: number;
  manner: EndpointManner;
}

/** Places that the endpoints of one manner share, of as many as the quick ones have. */
const SHARES: Record<EndpointManner, number> = { quick: 1, new: 0.5, slow: 0.5, silent: 0.25 };

/** Computes how many attempts to endpoints of one manner may be open at the same time. `total` is the number for quick ones. */
export function attemptSlots(manner: EndpointManner, total: number): number {
  return Math.max(Math.floor(total * SHARES[manner]), 1);
}

/** The pace of an endpoint nothing is known of but its count of failed deliveries in a row. */
export function firstPace(input: { consecutiveFailures: number }): EndpointPace {
  return { limit: 1, manner: input.consecutiveFailures > 0 ? 'silent' : 'new' };
}

/** The pace after one more attempt: any answer within 2 s speaks for the endpoint, a late one or none against it. */
export function paceAfterAttempt(
  pace: EndpointPace,
  attempt: { answered: boolean; durationMs: number; max: number },
): EndpointPace {
  if (!attempt.answered) return { limit: Math.max(Math.floor(pace.limit / 2), 1), manner: 'silent' };
  return attempt.durationMs < SLOW_MS
    ? { limit: Math.min(pace.limit + 1, attempt.max), manner: 'quick' }
    : { limit: Math.max(Math.floor(pace.limit / 2), 1), manner: 'slow' };
}
