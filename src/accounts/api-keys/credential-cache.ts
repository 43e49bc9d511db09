// Caches callers by secret for some seconds, so that requests need no look-up. Changed and revoked keys are dropped immediately
// in this process, and within those seconds in every other.
import { createLruCache } from '../../lib/runtime/index.js';
import { allowedAddressTest } from '../../lib/addresses/index.js';
import { apiKeySecretHash } from './api-key-secret.js';
import type { Caller } from '../../http/access/caller.js';
import type { AccountStores } from '../stores.js';
import { hashOauthToken } from '../oauth/oauth-tokens.js';
import { permissionOfMaker } from '../people/role.rules.js';

const MAX_ENTRIES = 10_000;

export interface CachedCaller {
  /** Frozen, because all requests of the key share it. */
  caller: Caller;
  expiresAt: number | null;
  /** The secret access key of the key's SES credentials. Null if it has none. */
  sesSecretSealed: string | null;
  /** API version of its first call. Null before that. */
  apiVersion: string | null;
  /** Null if the key may be used from any address. */
  allowsAddress: ((clientAddress: string) => boolean) | null;
}

interface TokenGrant {
  keyId: string;
  expiresAt: number;
}

export interface CredentialCache {
  /** Returns a cached caller synchronously. Null for an unknown secret. */
  find(secret: string): CachedCaller | Promise<CachedCaller | null>;
  /** Finds the caller of a key that a signature or an internal request names. Null for an unknown ID. */
  findById(keyId: string): CachedCaller | Promise<CachedCaller | null>;
  /** Finds the caller of a connected application's access token, which expires with the token. Null for an unknown token. */
  findByAccessToken(token: string): Promise<CachedCaller | null>;
  /** Returns the sub-tenant that a request names. Null for an unknown `external:` ID. */
  tenantIdOf(caller: Caller, named: string): Promise<string | null>;
  /** Returns the caller narrowed to a sub-tenant. Null if the caller cannot access it. */
  narrow(caller: Caller, subTenantId: string): Caller | Promise<Caller | null>;
  /** Drops callers after a change or revocation of a key, deletion of a sub-tenant, or change of an owner's role. */
  forget(keyOrTenantOrUserId: string): void;
  /** Notes the use of a key. */
  noteUse(keyId: string): void;
  /** Returns the keys that were used since the last call. */
  drainUsed(): string[];
}

export function createCredentialCache(
  store: Pick<AccountStores, 'accounts' | 'oauth' | 'tenants'>,
  options: { ttlMs: number },
): CredentialCache {
  const known = createLruCache<string, CachedCaller>(MAX_ENTRIES, { ttl: options.ttlMs });
  const narrowed = createLruCache<string, Caller>(MAX_ENTRIES, { ttl: options.ttlMs });
  // A look-up that began before `forget` must not cache the key again.
  let generation = 0;
  let used = new Set<string>();

  async function look(hashOrId: Buffer | string, entry: string): Promise<CachedCaller | null> {
    const begun = generation;
    const credential = await store.accounts.credential(hashOrId);
    if (!credential) return null;
    const { keyId, maker, scope, allowedIps, expiresAt, sesSecretSealed, apiVersion, policy } = credential;
    const permission = permissionOfMaker(maker?.role ?? null, credential.permission);
    if (permission === null) return null;
    if (scope.subTenantId !== null && !(await store.tenants.subTenant(scope, scope.subTenantId))) return null;
    const caller = Object.freeze({
      actor: { kind: 'api_key' as const, id: keyId },
      maker,
      role: null,
      permission,
      scope: Object.freeze(scope),
      pinnedTo: scope.subTenantId,
      isBounded: allowedIps !== null || expiresAt !== null,
      policy,
    });
    const allowsAddress = allowedIps === null ? null : allowedAddressTest(allowedIps);
    const found: CachedCaller = { caller, expiresAt, sesSecretSealed, apiVersion, allowsAddress };
    if (begun === generation) known.set(entry, found);
    return found;
  }

  function findById(keyId: string): CachedCaller | Promise<CachedCaller | null> {
    const entry = `id ${keyId}`;
    return known.get(entry) ?? look(keyId, entry);
  }

  async function lookForTenant(caller: Caller, subTenantId: string, entry: string): Promise<Caller | null> {
    const begun = generation;
    if (!(await store.tenants.subTenant(caller.scope, subTenantId))) return null;
    const found = Object.freeze({ ...caller, scope: Object.freeze({ ...caller.scope, subTenantId }) });
    if (begun === generation) narrowed.set(entry, found);
    return found;
  }

  return {
    find(secret) {
      const hash = apiKeySecretHash(secret);
      const entry = hash.toString('latin1');
      return known.get(entry) ?? look(hash, entry);
    },
    findById,
    findByAccessToken: createTokenReader(store, options, findById),
    tenantIdOf: (caller, named) => store.tenants.subTenantIdOf(caller.scope, named),
    narrow(caller, subTenantId) {
      const entry = `${caller.actor.id} ${subTenantId}`;
      return narrowed.get(entry) ?? lookForTenant(caller, subTenantId, entry);
    },
    noteUse: (keyId) => void used.add(keyId),
    drainUsed() {
      const taken = [...used];
      used = new Set();
      return taken;
    },
    forget(id) {
      generation++;
      for (const [entry, { caller }] of known.entries()) {
        if ([caller.actor.id, caller.pinnedTo, caller.maker?.id].includes(id)) known.delete(entry);
      }
      for (const [entry, { maker }] of narrowed.entries()) {
        if (entry.split(' ').includes(id) || maker?.id === id) narrowed.delete(entry);
      }
    },
  };
}

/** Returns a function that finds the caller of an access token. The grant of a token never changes, and ends with its key. */
function createTokenReader(
  { oauth }: Pick<AccountStores, 'oauth'>,
  { ttlMs }: { ttlMs: number },
  findById: CredentialCache['findById'],
): CredentialCache['findByAccessToken'] {
  const known = createLruCache<string, TokenGrant>(MAX_ENTRIES, { ttl: ttlMs });

  async function findGrant(token: string): Promise<TokenGrant | null> {
    const hash = hashOauthToken(token);
    const entry = hash?.toString('latin1') ?? '';
    const kept = known.get(entry);
    if (kept !== undefined) return kept;
    const found = hash === null ? null : await oauth.token(hash);
    if (found?.kind !== 'access') return null;
    const grant = { keyId: found.api_key_id, expiresAt: found.expires_at };
    known.set(entry, grant);
    return grant;
  }

  return async (token) => {
    const grant = await findGrant(token);
    const found = grant === null ? null : await findById(grant.keyId);
    if (grant === null || found === null) return null;
    return { ...found, expiresAt: Math.min(grant.expiresAt, found.expiresAt ?? grant.expiresAt) };
  };
}
