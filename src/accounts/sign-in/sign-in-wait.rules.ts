// Sign-in back-off: the time that an account, or a client address that has signed in to it before, takes no further attempt
// after failures in a row.

export interface LockRule {
  /** Failed attempts in a row after which each further one has to wait. */
  maxFailures: number;
  /** The longest wait; after as much without an attempt the failures are forgotten. */
  lockMs: number;
}

export interface Attempts {
  failures: number;
  locked_until: number | null;
}

const SHORTEST_SHARE = 16;

/** The counters after one more attempt; null while there is a wait, which an attempt does not prolong. */
export function countAttempt(before: Attempts, rule: LockRule, now: number): Attempts | null {
  const { failures, locked_until: until } = before;
  if (until !== null && until > now) return null;
  const isForgotten = until !== null && now - until >= rule.lockMs;
  const count = (isForgotten ? 0 : failures) + 1;
  if (count < rule.maxFailures) return { failures: count, locked_until: null };
  const doubled = Math.ceil((rule.lockMs / SHORTEST_SHARE) * 2 ** Math.min(count - rule.maxFailures, 30));
  return { failures: count, locked_until: now + Math.min(rule.lockMs, doubled) };
}
