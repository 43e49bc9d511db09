// Sign-in back-off: after consecutive failures, an account, or a known client address, accepts no attempts for some time.

export interface LockRule {
  /** Number of consecutive failures after which each further one causes a wait. */
  maxFailures: number;
  /** The longest wait. Failures are forgotten after the same time without an attempt. */
  lockMs: number;
}

export interface Attempts {
  failures: number;
  locked_until: number | null;
}

const SHORTEST_SHARE = 16;

/** Returns the counters after one more attempt. Null during a wait, which attempts do not extend. */
export function countAttempt(before: Attempts, rule: LockRule, now: number): Attempts | null {
  const { failures, locked_until: until } = before;
  if (until !== null && until > now) return null;
  const isForgotten = until !== null && now - until >= rule.lockMs;
  const count = (isForgotten ? 0 : failures) + 1;
  if (count < rule.maxFailures) return { failures: count, locked_until: null };
  const doubled = Math.ceil((rule.lockMs / SHORTEST_SHARE) * 2 ** Math.min(count - rule.maxFailures, 30));
  return { failures: count, locked_until: now + Math.min(rule.lockMs, doubled) };
}
