// The scope of a request that may also name a sub-tenant in its body or query.
import { Refusal } from '../contract/refusal.js';
import type { Scope } from '../database/scope.js';
import type { TenantStores } from './stores.js';
import type { FastifyRequest } from 'fastify';
import type { Api } from '../http/api.js';

// Sub-tenants that a path names by their platform's own id: `external:` and the id, in place of `:id`.
const OF_A_SUB_TENANT = /^\/v1\/sub-tenants\/:id(?:\/|$)/;

/** Must be called before the routes are declared. The name of no sub-tenant stays as it is: the route answers 404. */
export function registerExternalIds(
  app: Api,
  { tenants }: { tenants: Pick<TenantStores['tenants'], 'subTenantIdOf'> },
): void {
  async function replaceName(request: FastifyRequest): Promise<void> {
    const params = request.params as { id: string };
    params.id = (await tenants.subTenantIdOf(request.caller.scope, params.id)) ?? params.id;
  }

  app.addHook('onRoute', (route) => {
    // Before the answer to an Idempotency-Key is looked for and the audit log notes the id.
    if (OF_A_SUB_TENANT.test(route.url))
      route.preValidation = [route.preValidation ?? [], replaceName].flat();
  });
}

/**
 * The caller's scope, narrowed to the sub-tenant that the field names by its id or as `external:` and its external id, if any. Refused with `sub_tenant_mismatch` when
 * the key's pin or the header names another, with `sub_tenant_not_found` when there is none in this workspace.
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
