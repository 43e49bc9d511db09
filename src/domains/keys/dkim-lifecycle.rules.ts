// Life cycle of a domain's DKIM keys (RFC 6376; rotation: section 3.1): which key moves to which state, by the DNS answers for
// each and the time. A key never signs before its record was seen.

type DkimKeyState = 'pending' | 'published' | 'active' | 'retiring' | 'revoked' | 'retired';

/** Fields of a key that the rules read; times in epoch ms. */
export interface LifecycleKey {
  id: string;
  domain: string;
  selector: string;
  algorithm: 'rsa-sha256' | 'ed25519-sha256';
  record_value: string;
  state: DkimKeyState;
  /** Which of the two fixed names of its algorithm it has; null for a name that no other key ever has. */
  slot: number | null;
  created_at: number;
  /** Since when every look-up has shown the record. */
  published_at: number | null;
  /** When it began to sign. */
  activated_at: number | null;
  /** When it stopped. */
  retiring_at: number | null;
  /** When its record is to be emptied; null: after the overlap. Set where the key is feared to be known to others. */
  revoke_at: number | null;
  revoked_at: number | null;
}

/** By the key's id. True: DNS shows the very record; false: it surely does not; null or absent: nobody could say. */
export type Sightings = ReadonlyMap<string, boolean | null>;

export interface LifecycleSettings {
  /** Time (ms) that the record of a new key has to be seen before the key replaces another and signs. */
  settleMs: number;
  /** The least of that at a name which had another key before: as long as resolvers may cache it. */
  reusedNameMs: number;
  /** Time (ms) that the record of a replaced key stays for mail that is in transit. */
  overlapMs: number;
  /** Time (ms) that DNS shows a key as revoked before its name is free. */
  revokedKeepMs: number;
}

export interface KeyMove {
  keyId: string;
  from: DkimKeyState;
  to: DkimKeyState;
  /** The key is the first of a rotation's new ones that every verifier can read: the rotation has done its work. */
  completesRotation: boolean;
}

interface KeyMovesInput {
  /** All keys of one owner. */
  keys: readonly LifecycleKey[];
  /** Empty: only time passes. */
  sightings: Sightings;
  now: number;
  settings: LifecycleSettings;
}

const ALGORITHMS = ['rsa-sha256', 'ed25519-sha256'] as const;

/**
 * The moves that are due, at most one per key. Those that end a state come before those that begin it elsewhere, so
 * that, applied in order, there are never two active keys of an algorithm. Deterministic: the same facts give the same
 * moves, and what was applied gives none again.
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
    const isReady = next !== null && mayBegin(next, same, input) && !companionSettles(next, same, input);
    if (next && isReady) {
      const others = algorithm === 'rsa-sha256' ? input.keys : same;
      for (const former of others) if (isReplacedBy(former, next)) add(former, 'retiring');
      add(next, 'active', isRotation(next, same));
    } else if (next) {
      const seen = input.sightings.get(next.id) ?? null;
      if (seen === true && next.state === 'pending') add(next, 'published');
      if (seen === false && next.state === 'published') add(next, 'pending');
    }
  }
  for (const key of input.keys) {
    if (isOptional(key) && key.state === 'active' && input.sightings.get(key.id) === false) {
      // With another one waiting it need not come back.
      add(key, waitingKey(input.keys.filter(isOptional)) ? 'retiring' : 'pending');
    }
    if (key.state === 'retiring' && input.now >= revokedAt(key, input)) add(key, 'revoked');
    if (key.state === 'revoked' && input.now >= (key.revoked_at ?? 0) + input.settings.revokedKeepMs) {
      add(key, 'retired');
    }
  }
  return [...moves.values()];
}

/** The newest key that is yet to sign. */
export function waitingKey<K extends LifecycleKey>(keys: readonly K[]): K | null {
  const waiting = keys.filter(({ state }) => state === 'pending' || state === 'published');
  return newest(waiting);
}

function newest<K extends LifecycleKey>(keys: readonly K[]): K | null {
  const [last] = [...keys].sort((a, b) => b.created_at - a.created_at || (a.id < b.id ? 1 : -1));
  return last ?? null;
}

/** Few verifiers read Ed25519: mail goes without that signature, but not without the RSA one. */
function isOptional(key: LifecycleKey): boolean {
  return key.algorithm !== 'rsa-sha256';
}

function mayBegin(next: LifecycleKey, same: readonly LifecycleKey[], input: KeyMovesInput): boolean {
  const { sightings, now, settings } = input;
  if (sightings.get(next.id) !== true) return false;
  const seenForMs = now - (next.published_at ?? now);
  const others = same.filter((key) => key.id !== next.id);
  const hadOther = next.slot !== null && others.some((key) => key.slot === next.slot);
  const leastMs = hadOther ? settings.reusedNameMs : 0;
  return seenForMs >= (hasTime(others, sightings) ? Math.max(settings.settleMs, leastMs) : leastMs);
}

/** Whether mail is, or was until now, signed by a key that can be relied on, so that its successor can wait. */
function hasTime(others: readonly LifecycleKey[], sightings: Sightings): boolean {
  return others.some(
    (key) =>
      (key.state === 'active' && sightings.get(key.id) !== false) ||
      (key.state === 'retiring' && key.revoke_at === null),
  );
}

/**
 * Whether an RSA key waits for the Ed25519 key that came with it, whose record was seen a check later: mail keeps both
 * signatures. A companion that DNS does not show holds nobody up, and neither does one while no key can be relied on.
 */
function companionSettles(next: LifecycleKey, same: readonly LifecycleKey[], input: KeyMovesInput): boolean {
  if (isOptional(next)) return false;
  const others = same.filter((key) => key.id !== next.id);
  const optional = input.keys.filter(isOptional);
  const companion = waitingKey(optional);
  return (
    hasTime(others, input.sightings) &&
    companion !== null &&
    input.sightings.get(companion.id) === true &&
    !mayBegin(companion, optional, input)
  );
}

/** The two algorithms change together: with a new RSA key no older key signs on. */
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

/** The RSA key that takes, or is to take, another's place; null while no rotation is under way. */
export function rotatingKey<K extends LifecycleKey>(keys: readonly K[]): K | null {
  const rsa = keys.filter((key) => !isOptional(key));
  const next = waitingKey(rsa);
  return next && isRotation(next, rsa) ? next : null;
}

/** The RSA key on which `verified` depends: the one that signs, else the one that is to sign. */
export function mainKey<K extends LifecycleKey>(keys: readonly K[]): K | null {
  const rsa = keys.filter((key) => !isOptional(key));
  return newest(rsa.filter(({ state }) => state === 'active')) ?? waitingKey(rsa);
}
