// How many attempts an endpoint may have open at once: more while it answers quickly, few while it does not.

const START = 4;
const SLOW_MS = 2_000;

export interface EndpointPace {
  /** Attempts open at once, at least 1. */
  limit: number;
  /** Slow endpoints share a part of the whole, so that any number of them leaves room for the others. */
  isSlow: boolean;
}

/** The pace of an endpoint nothing is known of but its count of failed deliveries in a row. */
export function firstPace(input: { consecutiveFailures: number; max: number }): EndpointPace {
  return input.consecutiveFailures > 0
    ? { limit: 1, isSlow: true }
    : { limit: Math.min(START, input.max), isSlow: false };
}

/** The pace after one more attempt: any answer within 2 s speaks for the endpoint, a late one or none against it. */
export function paceAfterAttempt(
  pace: EndpointPace,
  attempt: { answered: boolean; durationMs: number; max: number },
): EndpointPace {
  const isQuick = attempt.answered && attempt.durationMs < SLOW_MS;
  return isQuick
    ? { limit: Math.min(pace.limit + 1, attempt.max), isSlow: false }
    : { limit: Math.max(Math.floor(pace.limit / 2), 1), isSlow: true };
}
