// The people of the organization: list, change a role, remove or leave.
import { apiKey } from '../api-keys/api-key.schema.js';
import { presentApiKey } from '../api-keys/api-key.view.js';
import { listAnswer, readPage } from '../../http/lists/pages.js';
import { listOf, orderedQuery } from '../../contract/lists.js';
import { member, memberPatch } from './member.schema.js';
import { idParams } from '../../contract/schema.js';
import type { AccountContext } from '../context.js';
import type { Members } from './members.js';
import type { Api } from '../../http/api.js';
import { actingMember, visibleOrganization } from './role-check.routes.js';
import { resource } from '../../http/lists/resource.js';
import { presentMember } from './people.view.js';

const tags = ['Members'];

export function memberRoutes(app: Api, { store }: AccountContext, members: Members): void {
  const plain = resource(app, {
    path: '/v1/members',
    operations: 'members',
    tag: 'Members',
    object: 'member',
    schema: member,
  });
  plain.list({
    config: { permission: 'admin', role: 'viewer' },
    summary: 'List members',
    description: 'Returns the users of the organization, newest first. API keys need permission `admin`.',
    query: orderedQuery,
    read: ({ caller }, page) => store.people.members(visibleOrganization(caller), page),
    present: (row) => presentMember(row),
  });

  app.patch(
    '/v1/members/:id',
    {
      config: { permission: 'admin', role: 'admin' },
      schema: {
        operationId: 'members.update',
        tags,
        summary: 'Update a member',
        description:
          "Changes the role of a member, or whether a member can approve messages. Only an owner can make someone an owner or change an owner's role. Requires permission `admin`; users need the role `admin`.",
        params: idParams,
        body: memberPatch,
        response: { 200: member },
      },
    },
    async (request) => {
      const { caller, params, body } = request;
      const { role, can_approve: canApprove } = body;
      const acting = actingMember(caller);
      if (role !== undefined) await members.changeRole(acting, params.id, role);
      if (canApprove !== undefined) await members.setCanApprove(acting, params.id, canApprove);
      return presentMember(await members.read(acting, params.id));
    },
  );

  app.get(
    '/v1/members/:id/api-keys',
    {
      config: { permission: 'admin', role: 'admin' },
      schema: {
        operationId: 'members.listApiKeys',
        tags,
        summary: "List a member's API keys",
        description:
          'Returns the API keys of a member in all workspaces. Removing the member revokes them. Requires permission `admin`; users need the role `admin`.',
        params: idParams,
        querystring: orderedQuery,
        response: { 200: listOf(apiKey) },
      },
    },
    async (request) => {
      const organizationId = visibleOrganization(request.caller);
      const { user_id: userId } = await members.read({ organizationId }, request.params.id);
      const page = await store.accounts.apiKeysOfMaker(organizationId, userId, readPage(request));
      return listAnswer(request, page, (row) => presentApiKey(row));
    },
  );

  plain.remove({
    operation: 'remove',
    // All members may remove themselves.
    config: { permission: 'admin', role: 'viewer' },
    summary: 'Remove a member',
    description:
      "Removes a member from the organization and revokes the member's API keys. An account without any organization is deleted. Every user can remove themselves; API keys need permission `admin`.",
    remove: ({ caller, params }) => members.remove(actingMember(caller), params.id),
  });
}
