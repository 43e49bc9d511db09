// Plans the moves of DKIM keys, each conditional on its initial state, with the trail entries.
import type { Actor, TenantTrailEvent } from '../../contract/names.js';
import type { KeyMove, LifecycleKey } from './dkim-lifecycle.rules.js';
import type { DkimMode } from './dkim-publication.rules.js';
import { tenantEntry, type TenantTrail } from '../../tenants/tenant-entry.store.js';
import { type DkimKey, dkimKeys } from '../domains.tables.js';
import type { Change } from '../../database/change.js';
import { update as updateChange } from '../../database/rows.js';

/** Audit trail of an owner's rotations. It is in the live environment, because test mail is not signed. */
export interface KeyTrail extends TenantTrail {
  mode: DkimMode;
}

interface KeyPlanInput {
  moves: readonly KeyMove[];
  /** The keys that the moves are based on. */
  keys: readonly LifecycleKey[];
  /** `null` for keys of senders and of the platform, which have no trail. */
  trail: KeyTrail | null;
  now: number;
}

/** If a key has changed since it was read, the plan is rolled back, so that no event is written twice. */
export const KEYS_CHANGED = {
  code: 'conflict',
  message: 'The DKIM keys were changed by another request. Try again.',
} as const;

/** Returns the changes for one commit, in the order of the moves. */
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
    set: { state: move.to, ...stateColumns(move.to, key, now) },
    // An unchanged `published_at` proves that the record was found throughout.
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
    // A revoked key never signs again.
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
