// Whether new DKIM keys may be made for a domain now, under which names, and what becomes of those that are there.
import { waitingKey, type LifecycleKey, type LifecycleSettings } from './dkim-lifecycle.rules.js';
import type { DkimMode } from './dkim-publication.rules.js';

/**
 * For so long after an emergency the old record stays: by then no thread signs with the key any more, neither from its
 * memory nor with mail that it was just composing.
 */
export const EMERGENCY_REVOKE_MS = 60_000;

interface RotationInput<K extends LifecycleKey> {
  /** All keys of one owner for its domain. */
  keys: readonly K[];
  /** Publication of the new keys. */
  mode: DkimMode;
  /** The keys in use are feared to be known to others. */
  isEmergency: boolean;
  now: number;
  settings: Pick<LifecycleSettings, 'overlapMs' | 'revokedKeepMs'>;
}

type RotationDecision<K extends LifecycleKey> =
  | { kind: 'refused'; reason: 'under_way' }
  /** Both fixed names still speak of former keys; `freeAt` in epoch ms. */
  | { kind: 'refused'; reason: 'names_taken'; freeAt: number }
  | {
      kind: 'start';
      /** Names of the keys to make; null: those that wait already are the ones that follow. */
      make: { slot: 0 | 1 | null } | null;
      /** Keys whose names are needed, or that nobody will wait for any more: retired at once. */
      drop: K[];
      /** Keys that stop signing at once, or did before; their records are emptied as soon as no thread signs with them. */
      revoke: K[];
    };

/**
 * While new keys wait to be seen there is no second rotation, unless it is to be in another mode, or an emergency. In
 * an emergency everything that has signed is given up, and keys that wait (they have signed nothing) follow at once.
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

/** Keys that have signed, without a key that came with `next`. */
function toRevoke<K extends LifecycleKey>(keys: readonly K[], next: K | null): K[] {
  const isOld = (key: K): boolean => next === null || key.created_at < next.created_at;
  return keys.filter((key) => (key.state === 'active' || key.state === 'retiring') && isOld(key));
}

type FreeName<K> = { slot: 0 | 1; drop: K[] } | { slot: null; freeAt: number };

/** A name is free when DNS says nothing of a former key that anybody needs. */
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
