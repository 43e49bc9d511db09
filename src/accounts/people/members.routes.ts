// The people of the organization: list, change a role, remove or leave.
import { listOf, orderedQuery } from '../../contract/lists.js';
import { member, memberPatch } from './member.schema.js';
import { deleted, idParams } from '../../contract/schema.js';
import type { Store } from '../../store/store.js';
import type { Members } from './members.js';
import type { Api } from '../../api/api.js';
import { actingMemberOf, organizationSeenBy } from './role-check.routes.js';
import { listAnswer, readPage } from '../../api/pages.js';
import { presentMember } from './people.view.js';

export interface MemberRouteDeps {
  store: Pick<Store, 'people'>;
  members: Members;
}

const tags = ['Members'];

export function memberRoutes(app: Api, { store, members }: MemberRouteDeps): void {
  app.get(
    '/v1/members',
    {
      config: { permission: 'admin', role: 'viewer' },
      schema: {
        operationId: 'members.list',
        tags,
        summary: 'List the people of the organization',
        querystring: orderedQuery,
        response: { 200: listOf(member) },
      },
    },
    async (request) => {
      const organizationId = organizationSeenBy(request.caller);
      return listAnswer(
        request,
        await store.people.members(organizationId, readPage(request)),
        presentMember,
      );
    },
  );

  app.patch(
    '/v1/members/:id',
    {
      config: { permission: 'admin', role: 'admin' },
      schema: {
        operationId: 'members.update',
        tags,
        summary: 'Change the role of a person; only an owner makes or unmakes owners',
        params: idParams,
        body: memberPatch,
        response: { 200: member },
      },
    },
    async (request) => {
      const { caller, params, body } = request;
      return presentMember(await members.changeRole(actingMemberOf(caller), params.id, body.role));
    },
  );

  app.delete(
    '/v1/members/:id',
    {
      // everybody may remove themselves
      config: { permission: 'admin', role: 'viewer' },
      schema: {
        operationId: 'members.remove',
        tags,
        summary:
          'Remove a person from the organization, or leave it; an account without any organization is deleted',
        params: idParams,
        response: { 200: deleted('member') },
      },
    },
    async (request) => {
      const { id } = request.params;
      await members.remove(actingMemberOf(request.caller), id);
      return { id, object: 'member' as const, deleted: true as const };
    },
  );
}
