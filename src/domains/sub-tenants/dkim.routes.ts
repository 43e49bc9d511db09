// Rotation of a sub-tenant's DKIM keys on request.
import { Refusal } from '../../contract/refusal.js';
import { idParams } from '../../contract/schema.js';
import { dkimRotate, subTenant } from './sub-tenant.schema.js';
import type { DomainContext } from '../context.js';
import type { Rotations } from '../keys/rotation.js';
import type { SubTenants } from './sub-tenants.js';
import type { Api } from '../../http/api.js';
import { showSubTenant } from './sub-tenant.view.js';
import { refusePinned } from '../../http/access/caller.js';

export function subTenantDkimRoutes(
  app: Api,
  context: Pick<DomainContext, 'store' | 'settings'>,
  { subTenants, rotations }: { subTenants: Pick<SubTenants, 'read'>; rotations: Pick<Rotations, 'request'> },
): void {
  app.post(
    '/v1/sub-tenants/:id/rotate-dkim',
    {
      config: { optionalBody: true, makesKeys: true },
      schema: {
        operationId: 'subTenants.rotateDkim',
        tags: ['Sub-tenants'],
        summary: 'Rotate DKIM keys',
        description:
          'Creates new DKIM keys for a sub-tenant. The current keys sign until the records of the new ones are found in DNS, unless `emergency` is set. Requires a live key that is not pinned to a sub-tenant.',
        params: idParams,
        body: dkimRotate,
        response: { 200: subTenant },
      },
    },
    async (request) => {
      const { caller, params, body } = request;
      const tenant = await subTenants.read(caller.scope, params.id);
      refusePinned(caller);
      if (caller.scope.mode === 'test') {
        throw new Refusal('forbidden', 'DKIM keys are used for live mail. Use a live key.');
      }
      const { mode = null, emergency = false } = body;
      const actor = caller.actor.kind === 'user' ? 'user' : 'api';
      await rotations.request(caller.scope, tenant, { mode, isEmergency: emergency }, actor);
      const after = await subTenants.read(caller.scope, params.id);
      return showSubTenant(context, after);
    },
  );
}
