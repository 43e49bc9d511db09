// Sub-tenants that a path names by their platform's own id: `external:` and the id, in place of `:id`.
import type { FastifyRequest } from 'fastify';
import type { Store } from '../store/store.js';
import type { Api } from '../api/api.js';

const OF_A_SUB_TENANT = /^\/v1\/sub-tenants\/:id(?:\/|$)/;

/** Must be called before the routes are declared. The name of no sub-tenant stays as it is: the route answers 404. */
export function registerExternalIds(
  app: Api,
  { tenants }: { tenants: Pick<Store['tenants'], 'subTenantIdOf'> },
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
