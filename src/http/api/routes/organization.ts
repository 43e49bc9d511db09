// GET and PATCH /v1/organization.
import { organization, organizationPatch } from '../../../contract/organization.js';
import { Refusal } from '../../../contract/refusal.js';
import type { Clock } from '../../../runtime/clock.js';
import type { Scope } from '../../../store/scope.js';
import type { Store } from '../../../store/store.js';
import type { Api } from '../api.js';
import { presentOrganization } from '../present/organization.js';

const tags = ['Organization'];

export function organizationRoutes(
  app: Api,
  { store, clock }: { store: Pick<Store, 'accounts' | 'commit'>; clock: Clock },
): void {
  app.get(
    '/v1/organization',
    {
      schema: {
        operationId: 'organization.get',
        tags,
        summary: 'Read the organization',
        response: { 200: organization },
      },
    },
    async (request) => {
      const { scope } = request.caller;
      refuseTenants(scope);
      return presentOrganization(await store.accounts.organization(scope));
    },
  );

  app.patch(
    '/v1/organization',
    {
      config: { permission: 'admin', role: 'admin' },
      schema: {
        operationId: 'organization.update',
        tags,
        summary: 'Change the organization',
        description: 'With a live key of permission `admin`, or as an admin who has signed in.',
        body: organizationPatch,
        response: { 200: organization },
      },
    },
    async (request) => {
      const { scope } = request.caller;
      refuseTenants(scope);
      const { track_opens, track_clicks, untracked_types, ...rest } = request.body;
      const flags = {
        ...(track_opens === undefined ? {} : { track_opens: flag(track_opens) }),
        ...(track_clicks === undefined ? {} : { track_clicks: flag(track_clicks) }),
        ...(untracked_types === undefined ? {} : { untracked_types: JSON.stringify(untracked_types) }),
      };
      await store.commit([
        {
          kind: 'update',
          table: 'organizations',
          set: { ...rest, ...flags, updated_at: clock() },
          where: { id: scope.organizationId },
        },
      ]);
      return presentOrganization(await store.accounts.organization(scope));
    },
  );
}

function flag(value: boolean): 0 | 1 {
  return value ? 1 : 0;
}

function refuseTenants(scope: Scope): void {
  if (scope.subTenantId === null) return;
  throw new Refusal('forbidden', 'The organization is out of reach of a request for one sub-tenant.');
}
