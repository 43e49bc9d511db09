// New DKIM keys for old: on request and by age. The new ones wait to be seen in DNS; the checks of the domain do the rest.
import { invalidFields, Refusal } from '../../contract/refusal.js';
import type { Actor } from '../../contract/names.js';
import { keyMoves, type LifecycleSettings } from './dkim-lifecycle.rules.js';
import type { DkimMode } from './dkim-publication.rules.js';
import { EMERGENCY_REVOKE_MS, rotationStart } from './dkim-rotation.rules.js';
import type { Clock } from '../../lib/runtime/clock.js';
import type { Scope } from '../../database/scope.js';
import type { DomainStores } from '../stores.js';
import type { SubTenant } from '../../tenants/tenants.store.js';
import { PLATFORM_OWNER } from '../domains.store.js';
import { makeDkimKeys } from './dkim-keys.js';
import { keyPlan, KEYS_CHANGED, rotationEntry, type KeyTrail } from './key-plan.js';
import { type DkimKey, dkimKeys, senders } from '../domains.tables.js';
import type { Change } from '../../database/change.js';
import { update } from '../../database/rows.js';
import { subTenants } from '../../tenants/tenants.tables.js';

export interface RotationSettings {
  /** Our zone; null: there are no aliases. */
  zone: string | null;
  lifecycle: LifecycleSettings;
}

/** The times of keys, as configured. */
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
    // Others keep mail that we gave them for as long as we would.
    overlapMs: Math.max(config.dkimOverlapMs, config.queueLifetimeMs, config.marketingQueueLifetimeMs),
    revokedKeepMs: config.dkimRevokedKeepMs,
  };
}

export interface RotationsDeps {
  store: Pick<DomainStores, 'domains' | 'accounts' | 'commit'>;
  masterKey: Buffer;
  settings: RotationSettings;
  clock: Clock;
  wakeUps: { events(): void };
  /** Tells whoever signs that the keys in its memory may be stale. */
  forgetKeys: () => void;
}

/** Owner of the keys to change. */
export interface KeyOwner {
  id: string;
  domain: string;
  mode: DkimMode;
  /** Of a sub-tenant; null for senders and the platform. */
  trail: Pick<KeyTrail, 'environmentId' | 'workspaceNumber'> | null;
}

export interface RotationRequest {
  /** Null: as before. */
  mode: 'txt' | 'cname' | null;
  isEmergency: boolean;
}

export type RotationOutcome =
  | { kind: 'started' }
  | { kind: 'under_way' }
  | { kind: 'names_taken'; freeAt: number }
  | { kind: 'no_zone' };

export interface Rotations {
  /** Refuses `conflict` while it cannot be, with what to wait for, and a `mode` that the sub-tenant cannot have. */
  request(scope: Scope, tenant: SubTenant, request: RotationRequest, actor: Actor): Promise<void>;
  /** By age. What stands in its way is left for another time. */
  begin(owner: KeyOwner): Promise<RotationOutcome>;
  /** Revokes and forgets keys whose time has come. */
  end(ownerId: string): Promise<void>;
}

export function createRotations(deps: RotationsDeps): Rotations {
  const { store, masterKey, settings, clock } = deps;

  async function start(owner: KeyOwner, isEmergency: boolean, actor: Actor): Promise<RotationOutcome> {
    if (owner.mode !== 'txt' && settings.zone === null) return { kind: 'no_zone' };
    const all = await store.domains.dkimKeys([owner.id]);
    const keys = all.filter((key) => key.domain === owner.domain);
    const now = clock();
    const { lifecycle } = settings;
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
        ...{ ownerId: owner.id, domain: owner.domain, masterKey, now, ...make },
        conflict: KEYS_CHANGED,
      }));
    const next = made?.rows ?? keys.filter(({ state }) => state === 'pending' || state === 'published');
    await store.commit([
      ...drop.map((key) => moved(key, { state: 'retired', private_key_sealed: '' })),
      ...revoke.map((key) => moved(key, stopped(key, now))),
      ...(made?.changes ?? []),
      ...ownerChanges(owner, now),
      // Before a key has signed there is nothing that another takes the place of.
      ...(keys.some((key) => key.activated_at !== null)
        ? startedEntry(owner, next, { actor, now, isEmergency })
        : []),
    ]);
    deps.forgetKeys();
    if (owner.trail) deps.wakeUps.events();
    return { kind: 'started' };
  }

  return {
    async request(scope, tenant, { mode, isEmergency }, actor) {
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
          {
            param: 'mode',
          },
        );
      }
      const live = await store.accounts.environmentOf(scope.workspaceId, 'live');
      const owner: KeyOwner = {
        id: tenant.id,
        domain: tenant.sending_domain,
        mode: mode ?? tenant.dkim_mode,
        trail: live,
      };
      refuseUnstarted(await start(owner, isEmergency, actor), mode);
    },
    begin: (owner) => start(owner, false, 'worker'),
    async end(ownerId) {
      const keys = await store.domains.dkimKeys([ownerId]);
      const now = clock();
      const moves = keyMoves({ keys, sightings: new Map(), now, settings: settings.lifecycle });
      // A move that only time causes leaves no trail entry.
      if (moves.length > 0) await store.commit(keyPlan({ moves, keys, trail: null, now }));
    },
  };
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

function moved(key: DkimKey, set: Partial<DkimKey>): Change {
  return update(dkimKeys, { set, where: { id: key.id, state: key.state }, otherwise: KEYS_CHANGED });
}

/** Of a key that had stopped already only the end of its record comes sooner. */
function stopped(key: DkimKey, now: number): Partial<DkimKey> {
  const revokeAt = Math.min(key.revoke_at ?? Infinity, now + EMERGENCY_REVOKE_MS);
  return { state: 'retiring', retiring_at: key.retiring_at ?? now, revoke_at: revokeAt };
}

/** The domain is checked with the next run. The platform's keys are, as long as one waits. */
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
