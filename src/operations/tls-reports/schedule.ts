// When a day's report is sent, and when it is tried again (RFC 8460 sections 4.1 and 5.5).
import { createHash } from 'node:crypto';
import { DAY_MS } from '../../lib/tls-policy/index.js';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
/** After midnight the last results of the day still come in. */
export const SETTLE_MS = 10 * MINUTE_MS;
/** Receivers get everybody's reports for the same day; ours are spread over so long. */
const SPREAD_MS = 4 * HOUR_MS;
/** Redelivery is tried for so long after the first attempt. */
export const TRY_FOR_MS = DAY_MS;
const FIRST_WAIT_MS = 15 * MINUTE_MS;
const LONGEST_WAIT_MS = 8 * HOUR_MS;
const JITTER = 0.2;

/** When the report about `domain` for `day` is due: the same time after midnight every day. */
export function reportDueAt(day: number, domain: string): number {
  const share = createHash('sha256').update(domain).digest().readUInt32BE(0) / 2 ** 32;
  return (day + 1) * DAY_MS + SETTLE_MS + Math.floor(share * SPREAD_MS);
}

/**
 * Time (epoch ms) of the attempt after number `attempt` (from 1), doubling from 15 minutes to 8 hours, ±20 % by
 * `jitter` in [0,1); null when it would be later than a day after the first.
 */
export function nextReportAttemptAt(input: {
  attempt: number;
  firstAt: number;
  now: number;
  jitter: number;
}): number | null {
  const waitMs = Math.min(FIRST_WAIT_MS * 2 ** (Math.min(input.attempt, 20) - 1), LONGEST_WAIT_MS);
  const at = input.now + Math.round(waitMs * (1 - JITTER + 2 * JITTER * input.jitter));
  return at <= input.firstAt + TRY_FOR_MS ? at : null;
}
