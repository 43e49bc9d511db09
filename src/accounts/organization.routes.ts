// GET and PATCH /v1/organization.
import { readPrecondition } from '../http/server/preconditions.js';
import { organization, organizationPatch, type OrganizationWire } from './organization.schema.js';
import { wireOf } from '../contract/codec.js';
import { Refusal } from '../contract/refusal.js';
import type { Scope } from '../database/scope.js';
import type { AccountContext } from './context.js';
import type { Config } from '../settings/settings.js';
import type { Api } from '../http/api.js';
import { presentBranding, readBranding } from './branding/branding.view.js';
import { untrackedTypes } from './tracking-default.rules.js';
import type { Organization } from './accounts.tables.js';
import { changeOrganization } from './organization.js';

const presentOrganization = wireOf(organization).from<Organization, Pick<OrganizationWire, 'branding'>>({
  untracked_types: (row) => untrackedTypes(row),
  branding: (_row, { branding }) => branding,
});

const tags = ['Organization'];

type OrganizationContext = Pick<AccountContext, 'store' | 'clock'> & { settings: Pick<Config, 'publicUrl'> };

export function organizationRoutes(
  app: Api,
  { store, clock, settings: { publicUrl } }: OrganizationContext,
): void {
  const present = async ({ organizationId }: Scope): Promise<OrganizationWire> => {
    const [row, brandings] = await Promise.all([
      store.accounts.organization({ organizationId }),
      store.brandings.brandings([organizationId]),
    ]);
    const branding = presentBranding(brandings.get(organizationId), publicUrl);
    return presentOrganization(row, { branding });
  };

  app.get(
    '/v1/organization',
    {
      config: { versioned: true },
      schema: {
        operationId: 'organization.get',
        tags,
        summary: 'Retrieve the organization',
        description: 'Returns the settings shared by all workspaces of the organization.',
        response: { 200: organization },
      },
    },
    async (request) => {
      const { scope } = request.caller;
      refuseTenants(scope);
      return present(scope);
    },
  );

  app.patch(
    '/v1/organization',
    {
      config: { permission: 'admin', role: 'admin', versioned: true },
      schema: {
        operationId: 'organization.update',
        tags,
        summary: 'Update the organization',
        description:
          'Changes the given settings of the organization. Requires a live key with permission `admin` or a signed-in admin. Only a signed-in owner can turn off `two_person`.',
        body: organizationPatch,
        response: { 200: organization },
      },
    },
    async (request) => {
      const { scope, role } = request.caller;
      refuseTenants(scope);
      const settings = request.body;
      const branding = settings.branding === undefined ? null : readBranding(settings.branding);
      const before = await store.accounts.organization(scope);
      // An admin could otherwise approve mail of their own keys.
      if (before.two_person === 1 && settings.two_person === false && role !== 'owner') {
        throw new Refusal('forbidden', 'Only an owner can turn off two-person approval. Ask an owner.');
      }
      const guard = readPrecondition(request, before);
      await changeOrganization({ store, clock }, before, { settings, branding, guard });
      return present(scope);
    },
  );
}

function refuseTenants(scope: Scope): void {
  if (scope.subTenantId === null) return;
  throw new Refusal(
    'forbidden',
    'Requests scoped to a sub-tenant cannot access the organization. Send the request for the whole workspace, with a key that is not pinned to a sub-tenant.',
  );
}
