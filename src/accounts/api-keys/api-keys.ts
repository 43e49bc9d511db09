// API keys through the API: made, changed, replaced, revoked. No key makes one that can do more than it can itself.
import type { KeyPermission, Mode } from '../../contract/names.js';
import { Refusal } from '../../contract/refusal.js';
import { isWithinAllowed } from '../../lib/addresses/allowed-addresses.rules.js';
import type { Clock } from '../../lib/runtime/clock.js';
import type { Scope } from '../../database/scope.js';
import type { AccountStores } from '../stores.js';
import { planApiKey, type KeyMaker, type MadeKey, type NewApiKey, type ShownKey } from './api-key-plan.js';
import type { FoundKey } from '../accounts.store.js';
import type { CredentialCache } from './credential-cache.js';
import type { Caller } from '../../http/access/caller.js';
import { type ApiKey, apiKeys } from './api-keys.tables.js';
import { update } from '../../database/rows.js';
import type { Change } from '../../database/change.js';
import { limitApiKeys } from './key-limit.store.js';

/** Keys of a workspace that work. */
const MAX_KEYS = 1_000;
/** So many more while keys that were replaced still work. */
const OVERLAPPING = 100;

export interface WantedKey {
  name: string;
  permission: KeyPermission;
  mode: Mode;
  allowedIps: readonly string[] | null;
  /** Epoch ms. */
  expiresAt: number | null;
}

export interface KeyChange {
  name?: string;
  allowedIps?: readonly string[] | null;
  expiresAt?: number | null;
}

export interface ApiKeysDeps {
  store: Pick<AccountStores, 'accounts' | 'people' | 'commit'>;
  clock: Clock;
  credentials: Pick<CredentialCache, 'forget'>;
  /** Time (ms) that a rotated key works beside the new one unless the request says. */
  overlapMs: number;
  /** Keys that a workspace may have; 1,000 when absent. */
  maxKeys?: number;
}

/** The API keys that a caller may see and change. */
export class ApiKeys {
  readonly #deps: ApiKeysDeps;
  readonly #maxKeys: number;

  constructor(deps: ApiKeysDeps) {
    this.#deps = deps;
    this.#maxKeys = deps.maxKeys ?? MAX_KEYS;
  }

  /** In `scope`, which is the caller's or within it. Refuses `forbidden`, and `conflict` where the workspace has its keys. */
  async create(
    caller: Caller,
    scope: Scope,
    { name, permission, mode, allowedIps, expiresAt }: WantedKey,
  ): Promise<MadeKey> {
    assertMode(caller, mode);
    assertMakes(caller, scope, permission);
    await this.#assertReach(caller, { allowedIps, expiresAt });
    const { workspaceId, subTenantId } = scope;
    const { environmentId } = await this.#deps.store.accounts.environmentOf(workspaceId, mode);
    const maker = await makerOf(this.#deps.store, caller);
    const key = { environmentId, mode, name, permission, subTenantId, allowedIps, expiresAt, maker };
    const now = this.#deps.clock();
    const { secret, shown, change } = planApiKey(key, now);
    await this.#deps.store.commit([change, roomFor(workspaceId, this.#maxKeys, now)]);
    return { row: shown, secret };
  }

  /** Refuses `not_found`. */
  read(caller: Caller, id: string): Promise<ShownKey> {
    return this.#find(caller, id);
  }

  /** Refuses `not_found`, `forbidden`, and `conflict` where a key that was replaced would live longer. */
  async change(caller: Caller, id: string, { name, allowedIps, expiresAt }: KeyChange): Promise<ShownKey> {
    const before = await this.#find(caller, id);
    assertMode(caller, before.mode);
    assertPermission(caller, before.permission);
    if (allowedIps !== undefined || expiresAt !== undefined) {
      await this.#assertReach(caller, {
        ...(allowedIps === undefined ? {} : { allowedIps }),
        ...(expiresAt === undefined ? {} : { expiresAt }),
      });
    }
    if (expiresAt !== undefined && before.replaced_by !== null && isLater(expiresAt, before.expires_at)) {
      throw new Refusal(
        'conflict',
        'The API key has been replaced. Its expiry can only be moved to an earlier time.',
      );
    }
    const set = {
      ...(name === undefined ? {} : { name }),
      ...(allowedIps === undefined
        ? {}
        : { allowed_ips: allowedIps === null ? null : JSON.stringify(allowedIps) }),
      ...(expiresAt === undefined ? {} : { expires_at: expiresAt }),
    };
    if (Object.keys(set).length === 0) return before;
    await this.#deps.store.commit([
      update(apiKeys, {
        set, // A rotation meanwhile has given it an end that this must not take away.
        where: { id, revoked_at: null, replaced_by: before.replaced_by },
        otherwise: { code: 'conflict', message: 'The API key was changed by another request. Try again.' },
      }),
    ]);
    this.#deps.credentials.forget(id);
    return { ...before, ...set };
  }

  /**
   * Another key of the same kind; this one works for `overlapMs` more, or until its own earlier end. Refuses `not_found`,
   * `forbidden`, and `conflict` for a key that was replaced or has ended, or where the workspace has too many keys.
   */
  async rotate(caller: Caller, id: string, overlapMs: number | null): Promise<MadeKey> {
    const { mode, ...old } = await this.#find(caller, id);
    assertMode(caller, mode);
    assertPermission(caller, old.permission);
    const now = this.#deps.clock();
    if (old.replaced_by !== null)
      throw new Refusal('conflict', `The API key was replaced by ${old.replaced_by}.`);
    if (old.expires_at !== null && old.expires_at <= now)
      throw new Refusal('conflict', 'The API key has expired.');
    // As long a life as the old one was given, and no longer than the calling key's.
    const span = old.expires_at === null ? null : now + (old.expires_at - old.created_at);
    const last = span === null ? null : await this.#lastEnd(caller);
    const expiresAt = span === null || last === null ? span : Math.min(span, last);
    await this.#assertReach(caller, { allowedIps: addressesOf(old), expiresAt });
    // The new secret is known to the caller, so the key is the caller's from here on.
    const maker = (await makerOf(this.#deps.store, caller)) ?? makerOfKey(old);
    const { secret, row, shown, change } = planApiKey(
      {
        maker,
        environmentId: old.environment_id,
        mode,
        name: old.name,
        permission: old.permission,
        subTenantId: old.sub_tenant_id,
        allowedIps: addressesOf(old),
        expiresAt,
      },
      now,
    );
    const end = now + (overlapMs ?? this.#deps.overlapMs);
    await this.#deps.store.commit([
      change,
      roomFor(caller.scope.workspaceId, this.#maxKeys + OVERLAPPING, now),
      update(apiKeys, {
        set: { replaced_by: row.id, expires_at: Math.min(end, old.expires_at ?? end) },
        where: { id, revoked_at: null, replaced_by: null, expires_at: old.expires_at },
        otherwise: { code: 'conflict', message: 'The API key was changed by another request. Try again.' },
      }),
    ]);
    this.#deps.credentials.forget(id);
    return { row: shown, secret };
  }

  /** Refuses `not_found` and `forbidden`. */
  async revoke(caller: Caller, id: string): Promise<void> {
    const { mode, permission } = await this.#find(caller, id);
    assertMode(caller, mode);
    assertPermission(caller, permission);
    await this.#deps.store.commit([
      update(apiKeys, {
        set: { revoked_at: this.#deps.clock() },
        where: { id, revoked_at: null },
        otherwise: { code: 'not_found' },
      }),
    ]);
    this.#deps.credentials.forget(id);
  }

  async #find(caller: Caller, id: string): Promise<FoundKey> {
    const key = await this.#deps.store.accounts.apiKey(caller.scope, id);
    if (!key) throw new Refusal('not_found');
    return key;
  }

  /** The row of the calling key; null for a person. */
  async #ownKey(caller: Caller): Promise<FoundKey | null> {
    if (caller.actor.kind !== 'api_key') return null;
    const own = await this.#deps.store.accounts.apiKey(
      { ...caller.scope, subTenantId: caller.pinnedTo },
      caller.actor.id,
    );
    if (!own) throw new Refusal('unauthorized', 'The API key is unknown or revoked.');
    return own;
  }

  /** When the calling key ends; null when it does not. */
  async #lastEnd(caller: Caller): Promise<number | null> {
    return (await this.#ownKey(caller))?.expires_at ?? null;
  }

  /** A key for some addresses makes none for others, and one that ends none that lives longer. */
  async #assertReach(
    caller: Caller,
    { allowedIps, expiresAt }: { allowedIps?: readonly string[] | null; expiresAt?: number | null },
  ): Promise<void> {
    const own = await this.#ownKey(caller);
    if (!own) return;
    if (expiresAt !== undefined && own.expires_at !== null && isLater(expiresAt, own.expires_at)) {
      throw new Refusal(
        'forbidden',
        'The API key making this request expires. A new key must not expire later.',
        {
          param: 'expires_at',
        },
      );
    }
    const reach = addressesOf(own);
    if (allowedIps === undefined || reach === null) return;
    if (allowedIps !== null && isWithinAllowed(allowedIps, reach)) return;
    throw new Refusal(
      'forbidden',
      'The API key making this request is restricted to IP addresses. A new key can only use a subset of them.',
      {
        param: 'allowed_ips',
      },
    );
  }
}

/** The change that refuses a commit with `conflict` where the workspace has more than `most` keys that work. */
function roomFor(workspaceId: string, most: number, now: number): Change {
  const message = `The workspace has reached its limit of ${most} API keys. Revoke unused keys first.`;
  return limitApiKeys({ workspaceId, most, now, otherwise: { code: 'conflict', message } });
}

/** The changes that make a key in a workspace that has room for one, else refuse with `conflict`. */
export function planKeyIn(
  workspaceId: string,
  key: NewApiKey,
  now: number,
): { id: string; plan: Change[]; made: MadeKey } {
  const { id, change, shown, secret } = planApiKey(key, now);
  const plan = [change, roomFor(workspaceId, MAX_KEYS, now)];
  return { id, plan, made: { row: shown, secret } };
}

/** Returns the person to whom new keys of the caller belong; null for a key of the operator. */
export async function makerOf(
  store: Pick<AccountStores, 'people'>,
  { actor, maker }: Caller,
): Promise<KeyMaker | null> {
  const id = actor.kind === 'user' ? actor.id : (maker?.id ?? null);
  if (id === null) return null;
  const user = await store.people.user(id);
  if (user === null) throw new Refusal('unauthorized', 'The account that owns the API key no longer exists.');
  return { id, email: user.email };
}

function makerOfKey({
  made_by: id,
  made_by_email: email,
}: Pick<FoundKey, 'made_by' | 'made_by_email'>): KeyMaker | null {
  return id === null || email === null ? null : { id, email };
}

/** A person may do to live keys whatever environment they look at. */
function assertMode(caller: Caller, mode: Mode): void {
  if (caller.role === null && caller.scope.mode === 'test' && mode === 'live') {
    throw new Refusal('forbidden', 'Test keys cannot create, change or revoke live keys.');
  }
}

/** People alone make keys that reach the whole organization; such a key is not pinned. */
function assertMakes(caller: Caller, scope: Scope, permission: KeyPermission): void {
  if (permission !== 'admin') return;
  if (caller.role === null) {
    throw new Refusal(
      'forbidden',
      'Only a signed-in user can create a key with admin permission. Sign in, or run: mailkeel admin keys create',
      { param: 'permission' },
    );
  }
  if (scope.subTenantId !== null) {
    throw new Refusal('forbidden', 'API keys with admin permission cannot be pinned to a sub-tenant.', {
      param: 'permission',
    });
  }
}

/** A key of permission admin is changed by people and by its like. */
function assertPermission(caller: Caller, permission: KeyPermission): void {
  if (permission !== 'admin' || caller.role !== null || caller.permission === 'admin') return;
  throw new Refusal(
    'forbidden',
    'Keys with admin permission cannot be changed, replaced or revoked by other keys.',
  );
}

function addressesOf({ allowed_ips: text }: Pick<ApiKey, 'allowed_ips'>): string[] | null {
  return text === null ? null : (JSON.parse(text) as string[]); // as it was written
}

function isLater(at: number | null, than: number | null): boolean {
  if (than === null) return false;
  return at === null || at > than;
}
