// Replaces DKIM keys on request and by age. New keys wait for DNS, and the checks of the domain do the rest.
import { invalidFields, Refusal } from '../../contract/refusal.js';
import type { Actor } from '../../contract/names.js';
import { keyMoves, type LifecycleSettings } from './dkim-lifecycle.rules.js';
import type { DkimMode } from './dkim-publication.rules.js';
import { EMERGENCY_REVOKE_MS, rotationStart } from './dkim-rotation.rules.js';
import type { Scope } from '../../database/scope.js';
import type { DomainContext } from '../context.js';
import type { SubTenant } from '../../tenants/tenants.store.js';
import { PLATFORM_OWNER } from '../domains.store.js';
import { makeDkimKeys } from './dkim-keys.js';
import { keyPlan, KEYS_CHANGED, rotationEntry, type KeyTrail } from './key-plan.js';
import { type DkimKey, dkimKeys, senders } from '../domains.tables.js';
import type { Change } from '../../database/change.js';
import { update } from '../../database/rows.js';
import { subTenants } from '../../tenants/tenants.tables.js';

export function lifecycleSettings(config: {
  dkimSettleMs: number;
  dkimOverlapMs: number;
  dkimRevokedKeepMs: number;
  dnsTtlMs: number;
  queueLifetimeMs: number;
  marketingQueueLifetimeMs: number;
}): LifecycleSettings {
  return {
    settleMs: config.dkimSettleMs,
    reusedNameMs: config.dnsTtlMs,
    // Other servers may queue mail for as long as Mailkeel does.
    overlapMs: Math.max(config.dkimOverlapMs, config.queueLifetimeMs, config.marketingQueueLifetimeMs),
    revokedKeepMs: config.dkimRevokedKeepMs,
  };
}

export interface KeyOwner {
  id: string;
  domain: string;
  mode: DkimMode;
  /** Audit trail of a sub-tenant. `null` for senders and the platform. */
  trail: Pick<KeyTrail, 'environmentId' | 'workspaceNumber'> | null;
}

interface RotationRequest {
  /** Null keeps the mode. */
  mode: 'txt' | 'cname' | null;
  isEmergency: boolean;
}

type RotationOutcome =
  | { kind: 'started' }
  | { kind: 'under_way' }
  | { kind: 'names_taken'; freeAt: number }
  | { kind: 'no_zone' };

type RotationContext = Pick<
  DomainContext,
  'store' | 'masterKey' | 'zone' | 'lifecycle' | 'clock' | 'forgetKeys'
> & { wakeUps: Pick<DomainContext['wakeUps'], 'events'> };

export class Rotations {
  readonly #context: RotationContext;

  constructor(context: RotationContext) {
    this.#context = context;
  }

  /** Refuses with `conflict` while a rotation is impossible, and refuses a `mode` that the sub-tenant cannot have. */
  async request(
    scope: Scope,
    tenant: SubTenant,
    { mode, isEmergency }: RotationRequest,
    actor: Actor,
  ): Promise<void> {
    if (tenant.taken_over_at !== null) {
      throw new Refusal(
        'conflict',
        'Another workspace has verified this domain. Verify again to get new DNS records.',
      );
    }
    if (tenant.dkim_mode === 'zone' && mode !== null) {
      throw new Refusal(
        'conflict',
        "The sub-tenant's domain is in this server's DNS zone, where its keys are published automatically.",
        { param: 'mode' },
      );
    }
    const live = await this.#context.store.accounts.environmentOf(scope.workspaceId, 'live');
    const owner: KeyOwner = {
      id: tenant.id,
      domain: tenant.sending_domain,
      mode: mode ?? tenant.dkim_mode,
      trail: live,
    };
    refuseUnstarted(await this.#start(owner, isEmergency, actor), mode);
  }

  /** Starts a rotation by age. The outcome gives the reason if it did not start. */
  begin(owner: KeyOwner): Promise<RotationOutcome> {
    return this.#start(owner, false, 'worker');
  }

  /** Revokes and retires keys that are due. */
  async end(ownerId: string): Promise<void> {
    const { store, clock, lifecycle } = this.#context;
    const keys = await store.domains.dkimKeys([ownerId]);
    const now = clock();
    const moves = keyMoves({ keys, lookups: new Map(), now, settings: lifecycle });
    // Moves caused by time alone leave no trail entry.
    if (moves.length > 0) await store.commit(keyPlan({ moves, keys, trail: null, now }));
  }

  async #start(owner: KeyOwner, isEmergency: boolean, actor: Actor): Promise<RotationOutcome> {
    const { store, masterKey, clock, zone, lifecycle, forgetKeys, wakeUps } = this.#context;
    if (owner.mode !== 'txt' && zone === null) return { kind: 'no_zone' };
    const all = await store.domains.dkimKeys([owner.id]);
    const keys = all.filter((key) => key.domain === owner.domain);
    const now = clock();
    const decision = rotationStart({ keys, mode: owner.mode, isEmergency, now, settings: lifecycle });
    if (decision.kind === 'refused') {
      return decision.reason === 'under_way'
        ? { kind: 'under_way' }
        : { kind: 'names_taken', freeAt: decision.freeAt };
    }
    const { make, drop, revoke } = decision;
    const made =
      make &&
      (await makeDkimKeys({
        ownerId: owner.id,
        domain: owner.domain,
        masterKey,
        now,
        ...make,
        conflict: KEYS_CHANGED,
      }));
    const next = made?.rows ?? keys.filter(({ state }) => state === 'pending' || state === 'published');
    await store.commit([
      ...drop.map((key) => moveKey(key, { state: 'retired', private_key_sealed: '' })),
      ...revoke.map((key) => moveKey(key, stopColumns(key, now))),
      ...(made?.changes ?? []),
      ...ownerChanges(owner, now),
      // A key that never signed needs no successor.
      ...(keys.some((key) => key.activated_at !== null)
        ? startedEntry(owner, next, { actor, now, isEmergency })
        : []),
    ]);
    forgetKeys();
    if (owner.trail) wakeUps.events();
    return { kind: 'started' };
  }
}

function refuseUnstarted(outcome: RotationOutcome, mode: RotationRequest['mode']): void {
  switch (outcome.kind) {
    case 'started':
      return;
    case 'under_way':
      throw new Refusal(
        'conflict',
        'New DKIM keys are already waiting for their DNS records. Publish those records first.',
      );
    case 'names_taken': {
      const until = new Date(outcome.freeAt).toISOString();
      throw new Refusal(
        'conflict',
        `Both key names are in use, one by the current signing key and the other until ${until} by the previous key. Try again then.`,
        { details: { until } },
      );
    }
    case 'no_zone': {
      const message = 'Aliases require a DNS zone for this server. Set MAILKEEL_DNS_ZONE.';
      if (mode === 'cname') throw invalidFields([{ path: 'mode', message }]);
      throw new Refusal('conflict', `${message} Use mode txt instead.`, { param: 'mode' });
    }
  }
}

function moveKey(key: DkimKey, set: Partial<DkimKey>): Change {
  return update(dkimKeys, { set, where: { id: key.id, state: key.state }, otherwise: KEYS_CHANGED });
}

/** For a key that has already stopped signing, only the revocation is brought forward. */
function stopColumns(key: DkimKey, now: number): Partial<DkimKey> {
  const revokeAt = Math.min(key.revoke_at ?? Infinity, now + EMERGENCY_REVOKE_MS);
  return { state: 'retiring', retiring_at: key.retiring_at ?? now, revoke_at: revokeAt };
}

/** Schedules a check of the domain. The platform is checked anyway while one of its keys waits for DNS. */
function ownerChanges({ id, mode, trail }: KeyOwner, now: number): Change[] {
  if (id === PLATFORM_OWNER) return [];
  const where = { id, deleted_at: null };
  const otherwise = { code: 'not_found' } as const;
  const next_check_at = now;
  return trail
    ? [update(subTenants, { set: { dkim_mode: mode, next_check_at }, where, otherwise })]
    : [update(senders, { set: { next_check_at }, where, otherwise })];
}

function startedEntry(
  { id, mode, trail }: KeyOwner,
  keys: readonly DkimKey[],
  { actor, now, isEmergency }: { actor: Actor; now: number; isEmergency: boolean },
): Change[] {
  const key = keys.find(({ algorithm }) => algorithm === 'rsa-sha256');
  if (!trail || !key) return [];
  return [
    rotationEntry('dkim_rotation_started', {
      key,
      trail: { ...trail, subTenantId: id, mode },
      actor,
      now,
      metadata: { emergency: isEmergency },
    }),
  ];
}
