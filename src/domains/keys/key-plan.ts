// The moves of DKIM keys as changes of the store, each guarded by the state it starts from, with what the trail says.
import type { Actor, TenantTrailEvent } from '../../contract/names.js';
import type { KeyMove, LifecycleKey } from './dkim-lifecycle.rules.js';
import type { DkimMode } from './dkim-publication.rules.js';
import { tenantEntry, type TenantTrail } from '../../tenants/tenant-entry.store.js';
import { type DkimKey, dkimKeys } from '../domains.tables.js';
import type { Change } from '../../database/change.js';
import { update as updateChange } from '../../database/rows.js';

/** Where and how the rotations of an owner are recorded: in the live environment, since test mail is not signed. */
export interface KeyTrail extends TenantTrail {
  mode: DkimMode;
}

export interface KeyPlanInput {
  moves: readonly KeyMove[];
  /** The keys that the moves were decided from. */
  keys: readonly LifecycleKey[];
  /** Null for the keys of senders and of the platform, which have no trail. */
  trail: KeyTrail | null;
  now: number;
}

/** A key has changed since it was read: the whole plan is undone, and no event is written twice. */
export const KEYS_CHANGED = {
  code: 'conflict',
  message: 'The DKIM keys were changed by another request. Try again.',
} as const;

/** The changes for one commit, in the order of the moves; empty without moves. */
export function keyPlan({ moves, keys, trail, now }: KeyPlanInput): Change[] {
  return moves.flatMap((move): Change[] => {
    const key = keys.find(({ id }) => id === move.keyId);
    if (!key) return [];
    const update = moveKey(move, key, now);
    if (!move.completesRotation || !trail) return [update];
    return [update, rotationEntry('dkim_rotation_completed', { key, trail, actor: 'worker', now })];
  });
}

function moveKey(move: KeyMove, key: LifecycleKey, now: number): Change {
  return updateChange(dkimKeys, {
    set: { state: move.to, ...stateColumns(move.to, key, now) }, // `published_at`: that it was seen all the time.
    where: { id: move.keyId, state: move.from, published_at: key.published_at },
    otherwise: KEYS_CHANGED,
    conflict: KEYS_CHANGED,
  });
}

function stateColumns(to: KeyMove['to'], key: LifecycleKey, now: number): Partial<DkimKey> {
  switch (to) {
    case 'pending':
      return { published_at: null, activated_at: null };
    case 'published':
      return { published_at: now };
    case 'active':
      return { published_at: key.published_at ?? now, activated_at: now };
    case 'retiring':
      return { retiring_at: now };
    // Nothing is ever signed with it again.
    case 'revoked':
      return { revoked_at: now, private_key_sealed: '' };
    case 'retired':
      return { private_key_sealed: '' };
  }
}

/** Trail entry of a rotation. `key` is the new RSA one. */
export function rotationEntry(
  event: Extract<TenantTrailEvent, 'dkim_rotation_started' | 'dkim_rotation_completed'>,
  entry: {
    key: Pick<LifecycleKey, 'selector' | 'algorithm'>;
    trail: KeyTrail;
    actor: Actor;
    now: number;
    metadata?: Record<string, unknown>;
  },
): Change {
  const { key, trail, actor, now, metadata } = entry;
  const { selector, algorithm } = key;
  return tenantEntry(trail, {
    event,
    actor,
    at: now,
    metadata: { selector, algorithm, mode: trail.mode, ...metadata },
  });
}
