// When a failed webhook attempt is repeated.

const JITTER = 0.2;
/** Upper limit of a Retry-After. */
const MAX_RETRY_AFTER_MS = 86_400_000;

/**
 * Time (epoch ms) of the attempt after attempt number `attempt` (from 1) failed, spread by ±20 % with `jitter` in
 * [0,1), and not before `now + atLeastMs`; null when that was the last and the delivery has failed.
 */
export function nextWebhookAttemptAt(input: {
  attempt: number;
  scheduleMs: readonly number[];
  now: number;
  jitter: number;
  atLeastMs?: number;
}): number | null {
  const stepMs = input.scheduleMs[input.attempt - 1];
  if (stepMs === undefined) return null;
  const waitMs = Math.round(stepMs * (1 - JITTER + 2 * JITTER * input.jitter));
  return input.now + Math.max(waitMs, input.atLeastMs ?? 0);
}

/**
 * Milliseconds that a Retry-After asks for, at most a day; 0 without one, or where it cannot be read. RFC 9110 section
 * 10.2.3.
 */
export function retryAfterMs(field: string | undefined, now: number): number {
  const text = field ?? '';
  // Date.parse alone would read 3600.5 as the year 3600.
  const at = /^[a-z]{3,9},? /i.test(text) ? Date.parse(text) : Number.NaN;
  const wanted = /^\d{1,10}(?:\.\d+)?$/.test(text) ? Number(text) * 1000 : at - now;
  return Number.isNaN(wanted) ? 0 : Math.min(Math.max(wanted, 0), MAX_RETRY_AFTER_MS);
}
