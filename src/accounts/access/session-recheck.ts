// Whether the caller of a request that lasts would still be let in: the key works, the person is signed in.
import type { FastifyRequest } from 'fastify';
import type { CallerRecheck } from '../../http/access/caller.js';
import type { Clock } from '../../lib/runtime/clock.js';
import type { CredentialCache } from '../api-keys/credential-cache.js';
import { isAlive, type SessionSettings } from '../sign-in/sessions.js';
import { bearerSecretOf } from './auth.js';
import type { AccountStores } from '../stores.js';

export interface SessionRecheckDeps {
  store: Pick<AccountStores, 'people' | 'tenants'>;
  credentials: CredentialCache;
  settings: Pick<SessionSettings, 'sessionIdleMs'>;
  clock: Clock;
}

export function createSessionRecheck(deps: SessionRecheckDeps): CallerRecheck {
  const { store, credentials, settings, clock } = deps;

  async function keyWorks(request: FastifyRequest): Promise<boolean> {
    const secret = bearerSecretOf(request.headers);
    const known = secret === null ? null : await credentials.find(secret);
    if (!known || (known.expiresAt !== null && known.expiresAt <= clock())) return false;
    if (known.mayComeFrom && !known.mayComeFrom(request.ip)) return false;
    const { scope } = request.caller;
    if (known.caller.scope.subTenantId === scope.subTenantId) return true;
    return scope.subTenantId !== null && (await credentials.narrow(known.caller, scope.subTenantId)) !== null;
  }

  async function personIsIn(request: FastifyRequest): Promise<boolean> {
    const { session, caller } = request;
    if (session === null) return false;
    const { token_hash, user_id } = session.row;
    const row = await store.people.session(Buffer.from(token_hash));
    if (!row || !isAlive(row, settings, clock())) return false;
    const { workspaceId, mode, subTenantId } = caller.scope;
    if (!(await store.people.reach(user_id, { workspaceId, mode }))) return false;
    return subTenantId === null || (await store.tenants.subTenant(caller.scope, subTenantId)) !== null;
  }

  return (request) => (request.caller.actor.kind === 'user' ? personIsIn(request) : keyWorks(request));
}
