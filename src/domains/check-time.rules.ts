// Decides when the DNS of a sending domain is checked again: often while its owner waits, and otherwise once per interval, at a
// time derived from its ID so that checks are spread evenly.
import { createHash } from 'node:crypto';

/** Time (ms) after a domain's creation, or its owner's last request, during which every run checks it while it is unverified. */
const EAGER_MS = 3_600_000;
/** Slightly less than the minute between runs. */
const EAGER_INTERVAL_MS = 50_000;
/** Time (ms) after the last request at which an unverified domain fails, until its owner requests a check. */
const ABANDONED_MS = 14 * 24 * EAGER_MS;
/** Time (ms) after which a new key whose record is missing is checked no more often than other records. */
const EAGER_KEY_MS = 24 * EAGER_MS;

/** Times of a domain's row, in epoch ms. */
export interface CheckedDomain {
  id: string;
  status: 'pending_verification' | 'verified' | 'failed' | 'suspended';
  created_at: number;
  /** The owner's last request, or the last change of status. */
  updated_at: number;
  drifting_since: number | null;
}

/** A new key, whose record must be found and settle before it signs. */
export interface AwaitedKey {
  state: 'pending' | 'published';
  created_at: number;
}

export interface CheckIntervals {
  /** Interval of a domain without problems. */
  usualMs: number;
  /** Interval while the signing key is missing in DNS. */
  driftMs: number;
  /** Interval while a new key waits for its record. */
  keyMs: number;
}

/** Returns `null` if the domain is not checked until its owner requests it. */
export function nextCheckAt(
  domain: CheckedDomain,
  awaited: readonly AwaitedKey[],
  now: number,
  intervals: CheckIntervals,
): number | null {
  switch (domain.status) {
    case 'failed':
      return null;
    case 'pending_verification': {
      const isFresh = now - lastRequest(domain) < EAGER_MS;
      return isFresh ? now + EAGER_INTERVAL_MS : nextSlotAfter(domain.id, now, intervals.usualMs);
    }
    case 'suspended':
      return now + intervals.driftMs;
    case 'verified': {
      const usual = nextSlotAfter(domain.id, now, intervals.usualMs);
      const haste = [
        ...(domain.drifting_since === null ? [] : [now + intervals.driftMs]),
        ...(awaited.some((key) => isAwaitedSoon(key, now)) ? [now + intervals.keyMs] : []),
      ];
      return Math.min(usual, ...haste);
    }
  }
}

/** Returns whether an unverified domain has failed. */
export function isAbandoned(domain: CheckedDomain, now: number): boolean {
  return domain.status === 'pending_verification' && now - lastRequest(domain) > ABANDONED_MS;
}

function lastRequest({ created_at, updated_at }: CheckedDomain): number {
  return Math.max(created_at, updated_at);
}

function isAwaitedSoon({ state, created_at }: AwaitedKey, now: number): boolean {
  return state === 'published' || now - created_at < EAGER_KEY_MS;
}

/** Returns the next time after `now` at the ID's offset within the interval. */
export function nextSlotAfter(id: string, now: number, intervalMs: number): number {
  const place = Math.floor(spreadShare(id) * intervalMs);
  return (Math.floor((now - place) / intervalMs) + 1) * intervalMs + place;
}

/** Returns a fraction in [0, 1) that depends only on the ID. */
function spreadShare(id: string): number {
  return createHash('sha256').update(id).digest().readUInt32BE(0) / 2 ** 32;
}
