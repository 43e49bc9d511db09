// Creates, changes, rotates and revokes API keys. A key cannot create one with more rights than its own.
import type { KeyPermission, Mode } from '../../contract/names.js';
import { invalidFields, Refusal } from '../../contract/refusal.js';
import { readStoredPolicy, type SendPolicy } from '../../contract/send-policy.js';
import { isWithinAllowed } from '../../lib/addresses/index.js';
import type { Clock } from '../../lib/runtime/index.js';
import type { Scope } from '../../database/scope.js';
import type { AccountContext } from '../context.js';
import type { Config } from '../../settings/settings.js';
import type { AccountStores } from '../stores.js';
import { planApiKey, type KeyMaker, type MadeKey, type NewApiKey, type ShownKey } from './api-key-plan.js';
import type { FoundKey } from '../accounts.store.js';
import type { CredentialCache } from './credential-cache.js';
import type { Caller } from '../../http/access/caller.js';
import { type ApiKey, apiKeys } from './api-keys.tables.js';
import { update } from '../../database/rows.js';
import type { Change } from '../../database/change.js';
import { limitApiKeys } from './key-limit.store.js';
import { newSesSecret } from './ses-credentials.js';

/** Limits the working keys of a workspace. */
const MAX_KEYS = 1_000;
/** Further keys that are allowed while replaced keys still work. */
const OVERLAPPING = 100;

export interface WantedKey {
  name: string;
  permission: KeyPermission;
  mode: Mode;
  allowedIps: readonly string[] | null;
  /** Epoch ms. */
  expiresAt: number | null;
  policy: SendPolicy | null;
}

/** SES credentials of a key. */
interface MadeSesCredentials {
  keyId: string;
  /** Nowhere else: show it once. */
  secret: string;
  /** Epoch ms. */
  createdAt: number;
}

interface KeyChange {
  name?: string;
  allowedIps?: readonly string[] | null;
  expiresAt?: number | null;
  policy?: SendPolicy | null;
}

type KeyContext = Pick<AccountContext, 'store' | 'clock' | 'masterKey'> & {
  credentials: Pick<CredentialCache, 'forget'>;
  settings: Pick<Config, 'keyOverlapMs'>;
};

/** The API keys that a caller may see and change. */
export class ApiKeys {
  readonly #store: AccountStores;
  readonly #clock: Clock;
  readonly #masterKey: Buffer;
  readonly #credentials: Pick<CredentialCache, 'forget'>;
  /** Default time (ms) for which a rotated key works alongside its replacement. */
  readonly #overlapMs: number;
  readonly #maxKeys: number;

  /** `maxKeys` limits the keys of a workspace. */
  constructor({ store, clock, masterKey, credentials, settings }: KeyContext, maxKeys = MAX_KEYS) {
    this.#store = store;
    this.#clock = clock;
    this.#masterKey = masterKey;
    this.#credentials = credentials;
    this.#overlapMs = settings.keyOverlapMs;
    this.#maxKeys = maxKeys;
  }

  /** Creates a key in `scope`, which is the caller's or within it. Refuses with `forbidden`, or with `conflict` at the limit. */
  async create(
    caller: Caller,
    scope: Scope,
    { name, permission, mode, allowedIps, expiresAt, policy }: WantedKey,
  ): Promise<MadeKey> {
    assertMode(caller, mode);
    assertMakes(caller, scope, permission);
    assertOnlySends(permission, policy);
    await this.#assertReach(caller, { allowedIps, expiresAt });
    const { workspaceId, subTenantId } = scope;
    const { environmentId } = await this.#store.accounts.environmentOf(workspaceId, mode);
    const maker = await readMaker(this.#store, caller);
    const key = { environmentId, mode, name, permission, subTenantId, allowedIps, expiresAt, policy, maker };
    const now = this.#clock();
    const { secret, shown, change } = planApiKey(key, now);
    await this.#store.commit([change, keyLimit(workspaceId, this.#maxKeys, now)]);
    return { row: shown, secret };
  }

  /** Refuses with `not_found`. */
  read(caller: Caller, id: string): Promise<ShownKey> {
    return this.#find(caller, id);
  }

  /** Refuses with `not_found`, with `forbidden`, or with `conflict` if a replaced key would live longer. */
  async change(
    caller: Caller,
    id: string,
    { name, allowedIps, expiresAt, policy }: KeyChange,
  ): Promise<ShownKey> {
    const before = await this.#find(caller, id);
    assertMode(caller, before.mode);
    assertPermission(caller, before.permission);
    assertOnlySends(before.permission, policy ?? null);
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
      ...(policy === undefined ? {} : { policy: policy === null ? null : JSON.stringify(policy) }),
    };
    if (Object.keys(set).length === 0) return before;
    await this.#store.commit([
      update(apiKeys, {
        set,
        // A simultaneous rotation sets an expiry that this change must not overwrite.
        where: { id, revoked_at: null, replaced_by: before.replaced_by },
        otherwise: { code: 'conflict', message: 'The API key was changed by another request. Try again.' },
      }),
    ]);
    this.#credentials.forget(id);
    return { ...before, ...set };
  }

  /**
   * Creates a key of the same kind. The old one works for `overlapMs` more, or until its own earlier expiry. Refuses with
   * `not_found`, `forbidden`, or with `conflict` for a replaced or expired key, or if the workspace has too many.
   */
  async rotate(caller: Caller, id: string, overlapMs: number | null): Promise<MadeKey> {
    const { mode, ...old } = await this.#find(caller, id);
    assertMode(caller, mode);
    assertPermission(caller, old.permission);
    assertHasSecret(old);
    const now = this.#clock();
    if (old.replaced_by !== null)
      throw new Refusal('conflict', `The API key was replaced by ${old.replaced_by}.`);
    if (old.expires_at !== null && old.expires_at <= now)
      throw new Refusal('conflict', 'The API key has expired.');
    // The new key lives as long as the old one was meant to, but no longer than the calling key.
    const span = old.expires_at === null ? null : now + (old.expires_at - old.created_at);
    const last = span === null ? null : await this.#lastEnd(caller);
    const expiresAt = span === null || last === null ? span : Math.min(span, last);
    await this.#assertReach(caller, { allowedIps: allowedAddresses(old), expiresAt });
    // The caller knows the new secret, so the key belongs to the caller.
    const maker = (await readMaker(this.#store, caller)) ?? makerOfKey(old);
    const { secret, row, shown, change } = planApiKey(
      {
        maker,
        environmentId: old.environment_id,
        mode,
        name: old.name,
        permission: old.permission,
        subTenantId: old.sub_tenant_id,
        allowedIps: allowedAddresses(old),
        expiresAt,
        policy: readStoredPolicy(old.policy),
      },
      now,
    );
    const end = now + (overlapMs ?? this.#overlapMs);
    await this.#store.commit([
      change,
      keyLimit(caller.scope.workspaceId, this.#maxKeys + OVERLAPPING, now),
      update(apiKeys, {
        set: { replaced_by: row.id, expires_at: Math.min(end, old.expires_at ?? end) },
        where: { id, revoked_at: null, replaced_by: null, expires_at: old.expires_at },
        otherwise: { code: 'conflict', message: 'The API key was changed by another request. Try again.' },
      }),
    ]);
    this.#credentials.forget(id);
    return { row: shown, secret };
  }

  /**
   * Creates the SES credentials of a key, whose earlier ones stop working. Refuses with `not_found`, with `forbidden` for another
   * person's key, or with `conflict` for an expired one.
   */
  async createSesCredentials(caller: Caller, id: string): Promise<MadeSesCredentials> {
    const key = await this.#find(caller, id);
    assertMode(caller, key.mode);
    assertPermission(caller, key.permission);
    assertHasSecret(key);
    const maker = await readMaker(this.#store, caller);
    if (maker !== null && maker.id !== key.made_by) {
      throw new Refusal(
        'forbidden',
        'The API key does not belong to you, and SES credentials have the same rights as the key. Rotate the key, or create your own.',
      );
    }
    const now = this.#clock();
    if (key.expires_at !== null && key.expires_at <= now)
      throw new Refusal('conflict', 'The API key has expired.');
    await this.#assertReach(caller, { allowedIps: allowedAddresses(key), expiresAt: key.expires_at });
    const { secret, sealed } = newSesSecret(this.#masterKey, id);
    await this.#store.commit([
      update(apiKeys, {
        set: { ses_secret_sealed: sealed, ses_credentials_at: now },
        where: { id, revoked_at: null },
        otherwise: { code: 'not_found' },
      }),
    ]);
    this.#credentials.forget(id);
    return { keyId: id, secret, createdAt: now };
  }

  /** Refuses with `not_found` and `forbidden`. */
  async revoke(caller: Caller, id: string): Promise<void> {
    const { mode, permission } = await this.#find(caller, id);
    assertMode(caller, mode);
    assertPermission(caller, permission);
    await this.#store.commit([
      update(apiKeys, {
        set: { revoked_at: this.#clock() },
        where: { id, revoked_at: null },
        otherwise: { code: 'not_found' },
      }),
    ]);
    this.#credentials.forget(id);
  }

  async #find(caller: Caller, id: string): Promise<FoundKey> {
    const key = await this.#store.accounts.apiKey(caller.scope, id);
    if (!key) throw new Refusal('not_found');
    return key;
  }

  /** Reads the calling key; null for a person. */
  async #ownKey(caller: Caller): Promise<FoundKey | null> {
    if (caller.actor.kind !== 'api_key') return null;
    const own = await this.#store.accounts.apiKey(
      { ...caller.scope, subTenantId: caller.pinnedTo },
      caller.actor.id,
    );
    if (!own) throw new Refusal('unauthorized', 'The API key is unknown or revoked.');
    return own;
  }

  /** Reads the expiry of the calling key; null if it has none. */
  async #lastEnd(caller: Caller): Promise<number | null> {
    return (await this.#ownKey(caller))?.expires_at ?? null;
  }

  /** A key cannot allow addresses that it may not use itself, or an expiry later than its own. */
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
    const reach = allowedAddresses(own);
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

/** Returns the change that refuses a commit with `conflict` if the workspace has more than `most` working keys. */
function keyLimit(workspaceId: string, most: number, now: number): Change {
  const message = `The workspace has reached its limit of ${most} API keys. Revoke unused keys first.`;
  return limitApiKeys({ workspaceId, most, now, otherwise: { code: 'conflict', message } });
}

/** Plans a key of a workspace. The commit is refused with `conflict` at the limit. */
export function planWorkspaceKey(
  workspaceId: string,
  key: NewApiKey,
  now: number,
): { id: string; plan: Change[]; made: MadeKey } {
  const { id, change, shown, secret } = planApiKey(key, now);
  const plan = [change, keyLimit(workspaceId, MAX_KEYS, now)];
  return { id, plan, made: { row: shown, secret } };
}

/** Reads the person who owns new keys of the caller; null for a key of the operator. */
export async function readMaker(
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

/** People may change live keys from either environment. */
function assertMode(caller: Caller, mode: Mode): void {
  if (caller.role === null && caller.scope.mode === 'test' && mode === 'live') {
    throw new Refusal('forbidden', 'Test keys cannot create, change or revoke live keys.');
  }
}

/** Only people create keys with permission `admin`, which reach the whole organization and cannot be pinned. */
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

/** Keys with permission `admin` can only be changed by people and by other such keys. */
function assertPermission(caller: Caller, permission: KeyPermission): void {
  if (permission !== 'admin' || caller.role !== null || caller.permission === 'admin') return;
  throw new Refusal(
    'forbidden',
    'Keys with admin permission cannot be changed, replaced or revoked by other keys.',
  );
}

function assertHasSecret({ oauth_client_id: clientId }: Pick<ApiKey, 'oauth_client_id'>): void {
  if (clientId === null) return;
  throw new Refusal(
    'conflict',
    'The API key belongs to a connected application, which uses tokens. Disconnect the application by revoking the key.',
  );
}

/** A key with other permissions could add contacts and list members, to whom its policy then lets it write. */
function assertOnlySends(permission: KeyPermission, policy: SendPolicy | null): void {
  if (policy === null || permission === 'send') return;
  throw invalidFields([{ path: 'policy', message: 'can only be set on keys with the permission send' }]);
}

function allowedAddresses({ allowed_ips: text }: Pick<ApiKey, 'allowed_ips'>): string[] | null {
  return text === null ? null : (JSON.parse(text) as string[]); // written by `JSON.stringify`
}

function isLater(at: number | null, than: number | null): boolean {
  if (than === null) return false;
  return at === null || at > than;
}
