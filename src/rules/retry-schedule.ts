// When deferred mail is tried again, and when the trying ends (RFC 5321 section 4.5.4.1).
import type { BounceCategory, MessageType } from '../contract/names.js';

const JITTER = 0.2;
const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const HINT_MIN_MS = MINUTE_MS;
const HINT_MAX_MS = 4 * HOUR_MS;
/** A full mailbox that stays full for a day is not going to be emptied. */
const QUOTA_LIFETIME_MS = 24 * HOUR_MS;
const HINT =
  /\b(?:in|after|for|wait)\s{1,3}(?:about\s)?(\d{1,6})\s{0,3}(s|secs?|seconds?|m|mins?|minutes?|h|hours?)\b/i;
const HINT_UNITS: Record<string, number> = { s: 1000, m: MINUTE_MS, h: HOUR_MS };

/**
 * The wait that a reply asks for ("try again in 300 seconds"), between 1 minute and 4 hours; null when it
 * names none.
 */
export function retryHintMs(replyText: string): number | null {
  const match = HINT.exec(replyText.slice(0, 512));
  const unitMs = HINT_UNITS[match?.[2]?.charAt(0).toLowerCase() ?? ''];
  if (!match || unitMs === undefined) return null;
  return Math.min(Math.max(Number(match[1]) * unitMs, HINT_MIN_MS), HINT_MAX_MS);
}

/**
 * Time (epoch ms) of the next attempt. `attempt` is the number of attempts made, from 1; the last step of
 * `scheduleMs` repeats. `jitter` in [0,1) spreads by ±20 %; a hint in `replyText` wins and is only spread
 * later.
 */
export function nextAttemptAt(input: {
  attempt: number;
  scheduleMs: readonly number[];
  now: number;
  jitter: number;
  replyText?: string;
}): number {
  const { attempt, scheduleMs, now, jitter, replyText = '' } = input;
  const hintMs = retryHintMs(replyText);
  if (hintMs !== null) return now + Math.round(hintMs * (1 + JITTER * jitter));
  const stepMs = scheduleMs[Math.max(0, Math.min(attempt, scheduleMs.length) - 1)] ?? HOUR_MS;
  return now + Math.round(stepMs * (1 - JITTER + 2 * JITTER * jitter));
}

export interface Lifetimes {
  queueLifetimeMs: number;
  marketingQueueLifetimeMs: number;
}

/**
 * When (epoch ms) trying ends for a message that was due first at `firstDueAt`; `category` is that of the
 * last deferral.
 */
export function expiresAt(input: {
  firstDueAt: number;
  type: MessageType;
  lifetimes: Lifetimes;
  category?: BounceCategory;
}): number {
  const { firstDueAt, type, lifetimes, category } = input;
  const limits = [lifetimes.queueLifetimeMs];
  if (type === 'marketing') limits.push(lifetimes.marketingQueueLifetimeMs);
  if (category === 'quota') limits.push(QUOTA_LIFETIME_MS);
  return firstDueAt + Math.min(...limits);
}

export type RetryDecision = { kind: 'retry'; at: number } | { kind: 'expired' };

/** Retry, never later than the end of the lifetime, which gets a last attempt of its own; or expired. */
export function retryOrExpire(input: { now: number; nextAt: number; expiresAt: number }): RetryDecision {
  if (input.now >= input.expiresAt) return { kind: 'expired' };
  return { kind: 'retry', at: Math.min(input.nextAt, input.expiresAt) };
}
