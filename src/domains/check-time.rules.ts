// When the DNS of a sending domain is checked again: often while somebody waits for it, else once an interval at a
// place of its own, so that many domains make no peak.
import { createHash } from 'node:crypto';

/** In this time after its creation or its owner's last request an unverified domain is checked with every run. */
const EAGER_MS = 3_600_000;
/** A little less than the minute between runs. */
const EAGER_INTERVAL_MS = 50_000;
/** A domain that nobody verified for so long after its last request has failed, until verify is asked again. */
const GIVE_UP_MS = 14 * 24 * EAGER_MS;
/** A new key whose record nobody publishes in this time is looked for no more often than the other records. */
const KEY_HASTE_MS = 24 * EAGER_MS;

/** Times of a domain's row, in epoch ms. */
export interface CheckedDomain {
  id: string;
  status: 'pending_verification' | 'verified' | 'failed' | 'suspended';
  created_at: number;
  /** The last request of its owner, or the last change of its status. */
  updated_at: number;
  drifting_since: number | null;
}

/** A key that is to sign; it waits for its record to be seen, or to have been seen for long enough. */
export interface AwaitedKey {
  state: 'pending' | 'published';
  created_at: number;
}

export interface CheckIntervals {
  /** Between the checks of a domain that is right. */
  usualMs: number;
  /** While mail is in danger, or held. */
  driftMs: number;
  /** While a key waits. */
  keyMs: number;
}

/** Null: not before its owner asks. */
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
      return isFresh ? now + EAGER_INTERVAL_MS : placeAfter(domain.id, now, intervals.usualMs);
    }
    case 'suspended':
      return now + intervals.driftMs;
    case 'verified': {
      const usual = placeAfter(domain.id, now, intervals.usualMs);
      const haste = [
        ...(domain.drifting_since === null ? [] : [now + intervals.driftMs]),
        ...(awaited.some((key) => isAwaitedSoon(key, now)) ? [now + intervals.keyMs] : []),
      ];
      return Math.min(usual, ...haste);
    }
  }
}

/** Whether an unverified domain is given up. */
export function isGivenUp(domain: CheckedDomain, now: number): boolean {
  return domain.status === 'pending_verification' && now - lastRequest(domain) > GIVE_UP_MS;
}

function lastRequest({ created_at, updated_at }: CheckedDomain): number {
  return Math.max(created_at, updated_at);
}

function isAwaitedSoon({ state, created_at }: AwaitedKey, now: number): boolean {
  return state === 'published' || now - created_at < KEY_HASTE_MS;
}

/** The next time after `now` that is the id's own: the same place of every interval. */
export function placeAfter(id: string, now: number, intervalMs: number): number {
  const place = Math.floor(spreadShare(id) * intervalMs);
  return (Math.floor((now - place) / intervalMs) + 1) * intervalMs + place;
}

/** From 0 to below 1, the same for the same id. */
function spreadShare(id: string): number {
  return createHash('sha256').update(id).digest().readUInt32BE(0) / 2 ** 32;
}
