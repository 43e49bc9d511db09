// When deferred mail is retried (RFC 5321 section 4.5.4.1).
import type { BounceCategory } from '../../contract/names.js';

const JITTER = 0.2;
const SECOND_MS = 1000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;
const HINT_MIN_MS = MINUTE_MS;
const HINT_MAX_MS = 4 * HOUR_MS;
/** A full mailbox that stays full for a day is not going to be emptied. */
const QUOTA_LIFETIME_MS = 24 * HOUR_MS;

const HINT_WORDS = '(?:in|after|for|wait|least|within|next|another|minimum|delay|retry|retry-after|back)';
/** `in about 5 minutes`, `at least 300 s`, `retry after: 2h` */
const HINT_OF_UNITS = new RegExp(
  `\\b${HINT_WORDS}[ :=]{1,3}(?:about |approximately |roughly |the next )?(\\d{1,6}|an?|one)(?: more)?[ -]?` +
    `(seconds?|secs?|s|minutes?|mins?|m|hours?|hrs?|h)\\b`,
  'i',
);
/** `in 00:04:59` */
const HINT_OF_CLOCK = /\b(?:in|after|for|wait) (\d{1,2}):(\d{2}):(\d{2})\b/i;
/** `retry after 300`, in seconds as in HTTP. */
const HINT_OF_SECONDS = /\bretry[- ]after[ :=]{1,3}(\d{1,6})\b(?![:.-]\d)/i;
const HINT_UNITS: Record<string, number> = { s: SECOND_MS, m: MINUTE_MS, h: HOUR_MS };

function hintedMs(text: string): number | null {
  const [, hours, minutes, seconds] = HINT_OF_CLOCK.exec(text) ?? [];
  if (hours !== undefined) {
    return Number(hours) * HOUR_MS + Number(minutes) * MINUTE_MS + Number(seconds) * SECOND_MS;
  }
  const [, count, unit = ''] = HINT_OF_UNITS.exec(text) ?? [];
  const unitMs = HINT_UNITS[unit.charAt(0).toLowerCase()];
  if (count !== undefined && unitMs !== undefined) return (Number(count) || 1) * unitMs;
  const bare = HINT_OF_SECONDS.exec(text)?.[1];
  return bare === undefined ? null : Number(bare) * SECOND_MS;
}

/**
 * The wait that a reply asks for ("try again in 300 seconds"), between 1 minute and 4 hours; null when it
 * names none.
 */
export function retryHintMs(replyText: string): number | null {
  const ms = hintedMs(replyText.slice(0, 512));
  return ms === null ? null : Math.min(Math.max(ms, HINT_MIN_MS), HINT_MAX_MS);
}

/** Times are epoch ms, spans milliseconds. */
export interface RetryInput {
  category: BounceCategory;
  /** Basic code of the reply; null without one. */
  code: number | null;
  /** Retries that the schedule has given so far. */
  step: number;
  /** The waits before the retries; the last repeats. */
  scheduleMs: readonly number[];
  /** Attempts that ended with a permanent rejection of this server's address, including this one. */
  blockedAttempts: number;
  /** The wait after one of these, and how often it is waited for. */
  blockedRetryMs: number;
  blockedRetries: number;
  /** Shortest and longest wait after greylisting. */
  greylistMs: readonly [number, number];
  replyText: string;
  /** When the message was due first. */
  firstDueAt: number;
  expiresAt: number;
  now: number;
  /** In [0, 1): spreads the waits. */
  jitter: number;
}

export type RetryDecision =
  /** `step` is what to remember for the next decision. */
  | { kind: 'retry'; at: number; step: number }
  /** Its time is over, and the last attempt was made at its end. */
  | { kind: 'expired' }
  /** The rejection is final, because the message has waited for the block often enough. */
  | { kind: 'give_up' };

/** A permanent rejection of this server's address. Another source or a later attempt may succeed. */
export function isAddressBlock(category: BounceCategory, code: number | null): boolean {
  return category === 'spam_block' && code !== null && code >= 500;
}

/** The shortest wait after greylisting, and after a block-list reply. */
export interface AskedWaits {
  greylistRetryMs: number;
  blockedRetryMs: number;
}

/** The wait that a refusal asked for, in milliseconds; 0: none. An operator's wish to try sooner does not shorten it. */
export function askedWaitMs(
  refusal: { category: string | null; code: number | null; reply: string },
  { greylistRetryMs, blockedRetryMs }: AskedWaits,
): number {
  const { category, code, reply } = refusal;
  if (category === 'spam_block' && code !== null && code >= 500) return blockedRetryMs;
  return retryHintMs(reply) ?? (category === 'greylist' ? greylistRetryMs : 0);
}

/**
 * Decides the next step after an attempt with the disposition `retry`: the time of the next attempt or the end. The time is never
 * later than the end of the lifetime, when the message gets its last attempt.
 */
export function decideRetry(input: RetryInput): RetryDecision {
  const { now, step, code } = input;
  const isBlock = isAddressBlock(input.category, code);
  const end =
    input.category === 'quota'
      ? Math.min(input.expiresAt, input.firstDueAt + QUOTA_LIFETIME_MS)
      : input.expiresAt;
  if (isBlock && (input.blockedAttempts > input.blockedRetries || now >= end)) return { kind: 'give_up' };
  if (now >= end) return { kind: 'expired' };
  const waitMs = isBlock ? later(input.blockedRetryMs, input) : waitOf(input);
  return { kind: 'retry', at: Math.min(now + Math.round(waitMs), end), step: isBlock ? step : step + 1 };
}

/** Spread by up to 20 %, never sooner. */
function later(ms: number, { jitter }: RetryInput): number {
  return ms * (1 + JITTER * jitter);
}

function waitOf(input: RetryInput): number {
  const { category, step, scheduleMs, jitter, replyText } = input;
  const [shortest, longest] = input.greylistMs;
  const stepMs = scheduleMs[Math.min(Math.max(step, 0), scheduleMs.length - 1)] ?? HOUR_MS;
  const scheduledMs = stepMs * (1 - JITTER + 2 * JITTER * jitter);
  const hintMs = retryHintMs(replyText);
  if (hintMs !== null) {
    // A peer may ask for every minute; once the schedule has reached its end the peer is asked no more often than it says.
    const isClimbing = step < scheduleMs.length;
    return isClimbing ? later(hintMs, input) : Math.max(later(hintMs, input), scheduledMs);
  }
  if (category !== 'greylist') return scheduledMs;
  return Math.max(scheduledMs, shortest + (longest - shortest) * jitter);
}
