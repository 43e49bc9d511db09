// Decides whether new DKIM keys can be created for a domain, under which selectors, and what happens to the existing keys.
import { waitingKey, type LifecycleKey, type LifecycleSettings } from './dkim-lifecycle.rules.js';
import type { DkimMode } from './dkim-publication.rules.js';

/**
 * Time (ms) for which the old record remains after an emergency, until no thread signs with the key from its cache or for a
 * message in progress.
 */
export const EMERGENCY_REVOKE_MS = 60_000;

interface RotationInput<K extends LifecycleKey> {
  /** All keys of one owner for the domain. */
  keys: readonly K[];
  /** How the new keys are published. */
  mode: DkimMode;
  /** True if the current keys may be compromised. */
  isEmergency: boolean;
  now: number;
  settings: Pick<LifecycleSettings, 'overlapMs' | 'revokedKeepMs'>;
}

type RotationDecision<K extends LifecycleKey> =
  | { kind: 'refused'; reason: 'under_way' }
  /** Both fixed selectors are still used by former keys. `freeAt` is in epoch ms. */
  | { kind: 'refused'; reason: 'names_taken'; freeAt: number }
  | {
      kind: 'start';
      /** Selectors of the keys to create. `null` if the waiting keys are used. */
      make: { slot: 0 | 1 | null } | null;
      /** Keys to retire immediately, because their selectors are needed or they are no longer wanted. */
      drop: K[];
      /** Keys that stop signing immediately, or stopped before. Their records are emptied once no thread signs with them. */
      revoke: K[];
    };

/**
 * Rejects a second rotation while new keys wait for DNS, except for another mode or an emergency. In an emergency, every key that
 * has signed is revoked, and waiting keys, which have signed nothing, replace them immediately.
 */
export function rotationStart<K extends LifecycleKey>(input: RotationInput<K>): RotationDecision<K> {
  const { keys, mode, isEmergency } = input;
  const rsa = keys.filter(({ algorithm }) => algorithm === 'rsa-sha256');
  const next = waitingKey(rsa);
  const isFollowed = next !== null && (next.slot === null) === (mode === 'txt');
  const hasSigned = rsa.some((key) => key.activated_at !== null);
  const revoke = isEmergency ? toRevoke(keys, isFollowed ? next : null) : [];
  if (isFollowed && (hasSigned || !isEmergency)) {
    if (revoke.every((key) => key.revoke_at !== null)) return { kind: 'refused', reason: 'under_way' };
    return { kind: 'start', make: null, drop: [], revoke };
  }
  const waiting = keys.filter(isWaiting);
  if (mode === 'txt') return { kind: 'start', make: { slot: null }, drop: waiting, revoke };
  const name = freeName({ ...input, keys: keys.filter((key) => !isWaiting(key)) });
  if (typeof name.slot !== 'number') return { kind: 'refused', reason: 'names_taken', freeAt: name.freeAt };
  const drop = [...waiting, ...name.drop];
  return {
    kind: 'start',
    make: { slot: name.slot },
    drop,
    revoke: revoke.filter((key) => !drop.includes(key)),
  };
}

function isWaiting({ state }: LifecycleKey): boolean {
  return state === 'pending' || state === 'published';
}

/** Returns keys that have signed, except a key that was created with `next`. */
function toRevoke<K extends LifecycleKey>(keys: readonly K[], next: K | null): K[] {
  const isOld = (key: K): boolean => next === null || key.created_at < next.created_at;
  return keys.filter((key) => (key.state === 'active' || key.state === 'retiring') && isOld(key));
}

type FreeName<K> = { slot: 0 | 1; drop: K[] } | { slot: null; freeAt: number };

/** Returns a selector that DNS no longer needs for a former key. */
function freeName<K extends LifecycleKey>({
  keys,
  isEmergency,
  now,
  settings,
}: RotationInput<K>): FreeName<K> {
  const candidates = ([0, 1] as const).map((slot) => {
    const holders = keys.filter((key) => key.slot === slot && key.state !== 'retired');
    return { slot, holders, freeAt: Math.max(now, ...holders.map((key) => freeAt(key, now, settings))) };
  });
  const [first] = candidates.sort((a, b) => a.freeAt - b.freeAt);
  if (first && (first.freeAt <= now || (isEmergency && first.freeAt < Infinity))) {
    return { slot: first.slot, drop: first.holders };
  }
  return { slot: null, freeAt: first?.freeAt ?? Infinity };
}

function freeAt(
  key: LifecycleKey,
  now: number,
  { overlapMs, revokedKeepMs }: RotationInput<LifecycleKey>['settings'],
): number {
  switch (key.state) {
    case 'retiring':
      return key.revoke_at ?? (key.retiring_at ?? now) + overlapMs + revokedKeepMs;
    case 'revoked':
      return key.revoke_at === null ? (key.revoked_at ?? now) + revokedKeepMs : now;
    case 'retired':
      return now;
    // The time of its replacement is unknown.
    case 'pending':
    case 'published':
    case 'active':
      return Infinity;
  }
}
