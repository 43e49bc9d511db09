// Scopes of requests that name a sub-tenant in the path, body or query.
import { Refusal } from '../contract/refusal.js';
import type { Scope } from '../database/scope.js';
import type { TenantStores } from './stores.js';
import type { FastifyRequest } from 'fastify';
import type { Api } from '../http/api.js';

const OF_A_SUB_TENANT = /^\/v1\/sub-tenants\/:id(?:\/|$)/;

/**
 * Resolves `external:` and a platform's own id in place of `:id`. An unknown name is not changed, so the route responds with 404.
 * Call this before declaring the routes.
 */
export function registerExternalIds(
  app: Api,
  { tenants }: { tenants: Pick<TenantStores['tenants'], 'subTenantIdOf'> },
): void {
  async function replaceName(request: FastifyRequest): Promise<void> {
    const params = request.params as { id: string };
    params.id = (await tenants.subTenantIdOf(request.caller.scope, params.id)) ?? params.id;
  }

  app.addHook('onRoute', (route) => {
    // Runs before the look-up of the Idempotency-Key and before the audit log records the id.
    if (OF_A_SUB_TENANT.test(route.url))
      route.preValidation = [route.preValidation ?? [], replaceName].flat();
  });
}

/**
 * Narrows the caller's scope to the sub-tenant that the field names, by its id or by `external:` and its external id. Refuses
 * with `sub_tenant_mismatch` if the key's pin or the header names another, and with `sub_tenant_not_found` if the workspace has
 * none.
 */
export async function scopeWithField(
  tenants: Pick<TenantStores['tenants'], 'subTenant' | 'subTenantIdOf'>,
  scope: Scope,
  field: string | null | undefined,
): Promise<Scope> {
  if (field === undefined || field === null || field === scope.subTenantId) return scope;
  const id = await tenants.subTenantIdOf(scope, field);
  if (id === scope.subTenantId && id !== null) return scope;
  if (scope.subTenantId !== null) {
    throw new Refusal('sub_tenant_mismatch', undefined, { param: 'sub_tenant_id' });
  }
  if (id === null || !(await tenants.subTenant(scope, id))) {
    throw new Refusal('sub_tenant_not_found', undefined, { param: 'sub_tenant_id' });
  }
  return { ...scope, subTenantId: id };
}
