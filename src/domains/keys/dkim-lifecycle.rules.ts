// Life cycle of a domain's DKIM keys (RFC 6376; rotation: section 3.1). The state of each key depends on DNS look-ups and time. A
// key never signs before its record was found.

type DkimKeyState = 'pending' | 'published' | 'active' | 'retiring' | 'revoked' | 'retired';

/** Fields of a key that the rules use. Times are in epoch ms. */
export interface LifecycleKey {
  id: string;
  domain: string;
  selector: string;
  algorithm: 'rsa-sha256' | 'ed25519-sha256';
  record_value: string;
  state: DkimKeyState;
  /** Index of its fixed selector. `null` for a selector that is never reused. */
  slot: number | null;
  created_at: number;
  /** Time since which every look-up has found the record. */
  published_at: number | null;
  /** Time at which it began to sign. */
  activated_at: number | null;
  /** Time at which it stopped signing. */
  retiring_at: number | null;
  /** Time at which its record is emptied. Set for compromised keys; `null` for the end of the overlap. */
  revoke_at: number | null;
  revoked_at: number | null;
}

/** Look-up results by key ID. True if DNS has exactly this record, false if it does not, `null` or absent if unknown. */
export type KeyLookups = ReadonlyMap<string, boolean | null>;

export interface LifecycleSettings {
  /** Time (ms) for which a new key's record must be found before the key replaces another. */
  settleMs: number;
  /** Minimum of that time for a reused selector, as long as resolvers may cache the old record. */
  reusedNameMs: number;
  /** Time (ms) for which a replaced key's record stays for mail in transit. */
  overlapMs: number;
  /** Time (ms) for which DNS shows a key as revoked before its selector can be reused. */
  revokedKeepMs: number;
}

export interface KeyMove {
  keyId: string;
  from: DkimKeyState;
  to: DkimKeyState;
  /** True if this is the first of a rotation's keys that every verifier supports, which completes the rotation. */
  completesRotation: boolean;
}

interface KeyMovesInput {
  /** All keys of one owner. */
  keys: readonly LifecycleKey[];
  /** Empty if only time has passed. */
  lookups: KeyLookups;
  now: number;
  settings: LifecycleSettings;
}

const ALGORITHMS = ['rsa-sha256', 'ed25519-sha256'] as const;

/**
 * Returns the due moves, at most one per key. Moves that leave a state precede those that enter it, so applying them in order
 * never leads to two active keys of one algorithm. The result is deterministic, and applying the moves leaves none due.
 */
export function keyMoves(input: KeyMovesInput): KeyMove[] {
  const domains = new Set(input.keys.map((key) => key.domain));
  return [...domains].flatMap((domain) =>
    movesOfDomain({ ...input, keys: input.keys.filter((key) => key.domain === domain) }),
  );
}

function movesOfDomain(input: KeyMovesInput): KeyMove[] {
  const moves = new Map<string, KeyMove>();
  const add = (key: LifecycleKey, to: DkimKeyState, completesRotation = false): void => {
    if (!moves.has(key.id)) moves.set(key.id, { keyId: key.id, from: key.state, to, completesRotation });
  };
  for (const algorithm of ALGORITHMS) {
    const same = input.keys.filter((key) => key.algorithm === algorithm);
    const next = waitingKey(same);
    const isReady = next !== null && mayBegin(next, same, input) && !awaitsCompanion(next, same, input);
    if (next && isReady) {
      const others = algorithm === 'rsa-sha256' ? input.keys : same;
      for (const former of others) if (isReplacedBy(former, next)) add(former, 'retiring');
      add(next, 'active', isRotation(next, same));
    } else if (next) {
      const seen = input.lookups.get(next.id) ?? null;
      if (seen === true && next.state === 'pending') add(next, 'published');
      if (seen === false && next.state === 'published') add(next, 'pending');
    }
  }
  for (const key of input.keys) {
    if (isOptional(key) && key.state === 'active' && input.lookups.get(key.id) === false) {
      // If another key is waiting, this one need not return.
      add(key, waitingKey(input.keys.filter(isOptional)) ? 'retiring' : 'pending');
    }
    if (key.state === 'retiring' && input.now >= revokedAt(key, input)) add(key, 'revoked');
    if (key.state === 'revoked' && input.now >= (key.revoked_at ?? 0) + input.settings.revokedKeepMs) {
      add(key, 'retired');
    }
  }
  return [...moves.values()];
}

/** Returns the newest key that has not signed yet. */
export function waitingKey<K extends LifecycleKey>(keys: readonly K[]): K | null {
  const waiting = keys.filter(({ state }) => state === 'pending' || state === 'published');
  return newest(waiting);
}

function newest<K extends LifecycleKey>(keys: readonly K[]): K | null {
  const [last] = [...keys].sort((a, b) => b.created_at - a.created_at || (a.id < b.id ? 1 : -1));
  return last ?? null;
}

/** Few verifiers support Ed25519, so mail is sent without that signature, but never without RSA. */
function isOptional(key: LifecycleKey): boolean {
  return key.algorithm !== 'rsa-sha256';
}

function mayBegin(next: LifecycleKey, same: readonly LifecycleKey[], input: KeyMovesInput): boolean {
  const { lookups, now, settings } = input;
  if (lookups.get(next.id) !== true) return false;
  const seenForMs = now - (next.published_at ?? now);
  const others = same.filter((key) => key.id !== next.id);
  const hadOther = next.slot !== null && others.some((key) => key.slot === next.slot);
  const leastMs = hadOther ? settings.reusedNameMs : 0;
  return seenForMs >= (hasReliableKey(others, lookups) ? Math.max(settings.settleMs, leastMs) : leastMs);
}

/** Returns whether a reliable key signs, or signed until now, so that its successor can wait. */
function hasReliableKey(others: readonly LifecycleKey[], sightings: KeyLookups): boolean {
  return others.some(
    (key) =>
      (key.state === 'active' && sightings.get(key.id) !== false) ||
      (key.state === 'retiring' && key.revoke_at === null),
  );
}

/**
 * Returns whether an RSA key waits for the Ed25519 key that was created with it and found later, so that mail keeps both
 * signatures. The RSA key does not wait if the Ed25519 record is missing, or if no key is reliable.
 */
function awaitsCompanion(next: LifecycleKey, same: readonly LifecycleKey[], input: KeyMovesInput): boolean {
  if (isOptional(next)) return false;
  const others = same.filter((key) => key.id !== next.id);
  const optional = input.keys.filter(isOptional);
  const companion = waitingKey(optional);
  return (
    hasReliableKey(others, input.lookups) &&
    companion !== null &&
    input.lookups.get(companion.id) === true &&
    !mayBegin(companion, optional, input)
  );
}

/** Both algorithms change together, so a new RSA key stops all older keys. */
function isReplacedBy(former: LifecycleKey, next: LifecycleKey): boolean {
  if (former.id === next.id || former.state !== 'active') return false;
  return former.algorithm === next.algorithm || former.created_at < next.created_at;
}

function isRotation(next: LifecycleKey, same: readonly LifecycleKey[]): boolean {
  return !isOptional(next) && same.some((key) => key.id !== next.id && key.activated_at !== null);
}

function revokedAt(key: LifecycleKey, { settings, now }: KeyMovesInput): number {
  return key.revoke_at ?? (key.retiring_at ?? now) + settings.overlapMs;
}

/** Returns the RSA key that is replacing or will replace another. `null` without a rotation. */
export function rotatingKey<K extends LifecycleKey>(keys: readonly K[]): K | null {
  const rsa = keys.filter((key) => !isOptional(key));
  const next = waitingKey(rsa);
  return next && isRotation(next, rsa) ? next : null;
}

/** Returns the RSA key on which `verified` depends: the signing key, or else the waiting one. */
export function mainKey<K extends LifecycleKey>(keys: readonly K[]): K | null {
  const rsa = keys.filter((key) => !isOptional(key));
  return newest(rsa.filter(({ state }) => state === 'active')) ?? waitingKey(rsa);
}
