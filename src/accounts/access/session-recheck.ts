// Rechecks the caller of a long request: the key still works, or the person is still signed in.
import type { FastifyRequest } from 'fastify';
import type { CallerRecheck } from '../../http/access/caller.js';
import type { AccountContext } from '../context.js';
import { isActive, type SessionSettings } from '../sign-in/sessions.js';
import { readBearerSecret } from './auth.js';
import type { AccountStores } from '../stores.js';

interface RecheckContext extends Pick<AccountContext, 'credentials' | 'clock'> {
  store: Pick<AccountStores, 'people' | 'tenants'>;
  settings: Pick<SessionSettings, 'sessionIdleMs'>;
}

export function createSessionRecheck({ store, credentials, settings, clock }: RecheckContext): CallerRecheck {
  async function keyWorks(request: FastifyRequest): Promise<boolean> {
    const secret = readBearerSecret(request.headers);
    const known = secret === null ? null : await credentials.find(secret);
    if (!known || (known.expiresAt !== null && known.expiresAt <= clock())) return false;
    if (known.allowsAddress && !known.allowsAddress(request.ip)) return false;
    const { scope } = request.caller;
    if (known.caller.scope.subTenantId === scope.subTenantId) return true;
    return scope.subTenantId !== null && (await credentials.narrow(known.caller, scope.subTenantId)) !== null;
  }

  async function personIsIn(request: FastifyRequest): Promise<boolean> {
    const { session, caller } = request;
    if (session === null) return false;
    const { token_hash, user_id } = session.row;
    const row = await store.people.session(Buffer.from(token_hash));
    if (!row || !isActive(row, settings, clock())) return false;
    const { workspaceId, mode, subTenantId } = caller.scope;
    if (!(await store.people.reach(user_id, { workspaceId, mode }))) return false;
    return subTenantId === null || (await store.tenants.subTenant(caller.scope, subTenantId)) !== null;
  }

  return (request) => (request.caller.actor.kind === 'user' ? personIsIn(request) : keyWorks(request));
}
