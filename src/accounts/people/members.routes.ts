// The people of the organization: list, change a role, remove or leave.
import { orderedQuery } from '../../contract/lists.js';
import { member, memberPatch } from './member.schema.js';
import { idParams } from '../../contract/schema.js';
import type { Store } from '../../store/store.js';
import type { Members } from './members.js';
import type { Api } from '../../api/api.js';
import { actingMemberOf, organizationSeenBy } from './role-check.routes.js';
import { resource } from '../../api/lists/resource.js';
import { presentMember } from './people.view.js';

export interface MemberRouteDeps {
  store: Pick<Store, 'people'>;
  members: Members;
}

const tags = ['Members'];

export function memberRoutes(app: Api, { store, members }: MemberRouteDeps): void {
  const plain = resource(app, {
    path: '/v1/members',
    operations: 'members',
    tag: 'Members',
    object: 'member',
    schema: member,
  });
  plain.list({
    config: { permission: 'admin', role: 'viewer' },
    summary: 'List the people of the organization',
    query: orderedQuery,
    read: ({ caller }, page) => store.people.members(organizationSeenBy(caller), page),
    present: (row) => presentMember(row),
  });

  app.patch(
    '/v1/members/:id',
    {
      config: { permission: 'admin', role: 'admin' },
      schema: {
        operationId: 'members.update',
        tags,
        summary: 'Change the role of a person; only an owner may make or remove owners',
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

  plain.remove({
    operation: 'remove',
    // everybody may remove themselves
    config: { permission: 'admin', role: 'viewer' },
    summary:
      'Remove a person from the organization, or leave it; an account without any organization is deleted',
    remove: ({ caller, params }) => members.remove(actingMemberOf(caller), params.id),
  });
}
