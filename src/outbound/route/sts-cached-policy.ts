// Cached MTA-STS policy of one domain, and its effect on mail now (RFC 8461 sections 3.3, 5.1).
import type { StsLookup, StsPolicy } from '../../lib/tls-policy/index.js';
import { dropStsPolicy, keepStsPolicy, type KeptStsPolicy } from './sts-policies.store.js';
import type { Change } from '../../database/change.js';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

/** A domain's TXT record is read again after this time. */
export const LOOK_MS = 5 * MINUTE;
/** A policy in use is fetched again after this time, even if its id is the same. */
export const REFRESH_MS = 24 * HOUR;
/** RFC 8461 section 3.3: after a failed fetch, wait for so long before the next of the same policy id. */
const RETRY_MS = 5 * MINUTE;
/** Use is written down at most so often. */
const MARK_MS = 6 * HOUR;
/** Approximate size of a cache entry without a policy, in characters. */
const ENTRY_CHARACTERS = 200;

export type StsFailure = 'sts-policy-fetch-error' | 'sts-policy-invalid' | 'sts-webpki-invalid';

interface Failure {
  id: string;
  resultType: StsFailure;
  detail: string;
  retryAt: number;
}

/** Cached policy of a domain. Replaced as a whole, never changed. */
export interface CachedPolicy {
  policy: KeptStsPolicy | null;
  /** The policy with this id states that the domain has no policy. */
  none: { id: string; until: number } | null;
  /** Of the last fetch. */
  failure: Failure | null;
  nextLookAt: number;
}

export const UNKNOWN: CachedPolicy = { policy: null, none: null, failure: null, nextLookAt: 0 };

/** Roughly, in characters. */
export function cachedCharacters({ policy }: CachedPolicy): number {
  if (!policy) return ENTRY_CHARACTERS;
  // The lines hold the patterns once more.
  return ENTRY_CHARACTERS + 2 * policy.lines.reduce((sum, line) => sum + line.length, 0);
}

/** After a fetch that gave a policy. `usedAt`: when mail last asked for it. */
export function fetchedPolicy(fetched: {
  domain: string;
  id: string;
  policy: StsPolicy;
  now: number;
  usedAt: number;
}): CachedPolicy {
  const { domain, id, now, usedAt } = fetched;
  const { mode, mx, lines, maxAgeS } = fetched.policy;
  const nextLookAt = now + LOOK_MS;
  const expiresAt = now + maxAgeS * 1000;
  if (mode === 'none') {
    const until = Math.max(nextLookAt, Math.min(expiresAt, now + REFRESH_MS));
    return { policy: null, none: { id, until }, failure: null, nextLookAt };
  }
  const policy = { domain, id, mode, mx, lines, maxAgeS, fetchedAt: now, checkedAt: usedAt, expiresAt };
  return { policy, none: null, failure: null, nextLookAt };
}

/** After a fetch that gave no policy: the cached policy stays. */
export function failedPolicy(
  before: CachedPolicy,
  failure: Omit<Failure, 'retryAt'>,
  now: number,
): CachedPolicy {
  return { ...before, failure: { ...failure, retryAt: now + RETRY_MS }, nextLookAt: now + LOOK_MS };
}

/** Changes that have to be stored. */
export function policyChanges(before: CachedPolicy, after: CachedPolicy): Change[] {
  if (after.policy) return [keepStsPolicy(after.policy)];
  return before.policy ? [dropStsPolicy(before.policy)] : [];
}

/** A policy applies until it expires. If it expires before the next check of the record, it applies until that check. */
function isBinding(policy: KeptStsPolicy | null, now: number): policy is KeptStsPolicy {
  return policy !== null && now < Math.max(policy.expiresAt, policy.fetchedAt + LOOK_MS);
}

/** Whether the policy host is to be asked, now that the TXT record shows `id`. */
export function isFetchDue({ policy, none, failure }: CachedPolicy, id: string, now: number): boolean {
  if (policy?.id === id && now < policy.expiresAt) return false;
  if (none?.id === id && now < none.until) return false;
  return failure?.id !== id || now >= failure.retryAt;
}

/** The same object unless the use should be written down. */
export function markedUsed(cached: CachedPolicy, now: number): CachedPolicy {
  const { policy } = cached;
  if (!policy || now - policy.checkedAt < MARK_MS) return cached;
  return { ...cached, policy: { ...policy, checkedAt: now } };
}

export function policyAnswer({ policy, none, failure }: CachedPolicy, now: number): StsLookup {
  if (isBinding(policy, now)) {
    const { domain, id, mode, mx, lines } = policy;
    return { kind: 'policy', policy: { domain, id, mode, mx, lines } };
  }
  // If a policy of mode `none` was fetched, the domain has no policy until `none.until`, even if a later fetch fails.
  if (!failure || (none !== null && now < none.until)) return { kind: 'none' };
  return { kind: 'failed', resultType: failure.resultType, detail: failure.detail };
}
