// When a day's report is sent, and when it is retried (RFC 8460 sections 4.1 and 5.5).
import { createHash } from 'node:crypto';
import { DAY_MS } from '../../lib/tls-policy/index.js';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
/** Time (ms) after midnight in which the day's last results still arrive. */
export const SETTLE_MS = 10 * MINUTE_MS;
/** Time (ms) over which reports are spread, because receivers get everyone's reports for the same day. */
const SPREAD_MS = 4 * HOUR_MS;
/** Time (ms) for retries after the first attempt. */
export const RETRY_FOR_MS = DAY_MS;
const FIRST_WAIT_MS = 15 * MINUTE_MS;
const LONGEST_WAIT_MS = 8 * HOUR_MS;
const JITTER = 0.2;

/** Returns the time at which the report about `domain` for `day` is due. It is the same time after midnight every day. */
export function reportDueAt(day: number, domain: string): number {
  const share = createHash('sha256').update(domain).digest().readUInt32BE(0) / 2 ** 32;
  return (day + 1) * DAY_MS + SETTLE_MS + Math.floor(share * SPREAD_MS);
}

/**
 * Returns the time (epoch ms) of the attempt after `attempt` (counted from 1). Waits double from 15 minutes to 8 hours, ±20 % by
 * `jitter` in [0, 1). `null` if it would be later than a day after the first.
 */
export function nextReportAttemptAt(input: {
  attempt: number;
  firstAt: number;
  now: number;
  jitter: number;
}): number | null {
  const waitMs = Math.min(FIRST_WAIT_MS * 2 ** (Math.min(input.attempt, 20) - 1), LONGEST_WAIT_MS);
  const at = input.now + Math.round(waitMs * (1 - JITTER + 2 * JITTER * input.jitter));
  return at <= input.firstAt + RETRY_FOR_MS ? at : null;
}
