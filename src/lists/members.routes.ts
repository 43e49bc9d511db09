// The members of a list: who is on it, put there and taken off by its owner.
import {
  listAddition,
  listMember,
  listMemberAdd,
  listMemberParams,
  listMemberQuery,
  listMemberRemoved,
  listMembers,
  type ListMemberAdd,
} from './contact-list.schema.js';
import { invalidFields } from '../contract/refusal.js';
import { idParams } from '../contract/schema.js';
import { Type } from 'typebox';
import type { ContactList } from '../contacts/lists/lists.tables.js';
import type { Scope } from '../database/scope.js';
import type { ListStores } from './stores.js';
import type { ListMembers } from './members.js';
import type { Person } from '../contacts/person.js';
import { readAddress } from '../http/body/fields.js';
import { assertContactFields, consentOf } from '../contacts/fields.routes.js';
import type { Api } from '../http/api.js';
import { listAnswer, readPage, timesOf } from '../http/lists/pages.js';
import { presentMember } from './contact-list.view.js';
import { findList } from './lists.routes.js';

const tags = ['Lists'];

export interface ListMemberRouteDeps {
  store: Pick<ListStores, 'contacts' | 'lists'>;
  members: ListMembers;
}

export function listMemberRoutes(app: Api, deps: ListMemberRouteDeps): void {
  readRoute(app, deps);
  changeRoutes(app, deps);
}

function readRoute(app: Api, { store }: ListMemberRouteDeps): void {
  app.get(
    '/v1/lists/:id/contacts',
    {
      schema: {
        operationId: 'lists.listContacts',
        tags,
        summary: "List a list's contacts",
        description: 'Returns the members of a list, or the contacts in a segment, newest contact first.',
        params: idParams,
        querystring: listMemberQuery,
        response: { 200: listMembers },
      },
    },
    async (request) => {
      const { q, tag, status, list_state: state } = request.query;
      const filter = {
        ...(q === undefined ? {} : { q }),
        ...(tag === undefined ? {} : { tag }),
        ...(status === undefined ? {} : { status }),
        ...(state === undefined ? {} : { state }),
      };
      const list = await findList(store, request.caller.scope, request.params.id);
      const wanted = readPage(request);
      const page = await store.lists.members(list, wanted, { ...filter, ...timesOf(wanted) });
      return listAnswer(request, page, presentMember);
    },
  );
}

function changeRoutes(app: Api, { store, members }: ListMemberRouteDeps): void {
  app.post(
    '/v1/lists/:id/contacts',
    {
      schema: {
        operationId: 'lists.addContacts',
        tags,
        summary: 'Add contacts to a list',
        description:
          'Adds one contact to a list (201, or 200 if it was already a member), or up to 1,000 contacts by ID (200 with the results). Unless you set `resubscribe`, contacts who unsubscribed from the list themselves are not added: a single contact fails with `contact_left_list`, and several are listed in the response. Fails for segments.',
        params: idParams,
        body: listMemberAdd,
        response: { 200: Type.Union([listMember, listAddition]), 201: listMember },
      },
    },
    async (request, reply) => {
      const { body } = request;
      const { scope } = request.caller;
      const list = await findList(store, scope, request.params.id);
      const asked = { resubscribe: body.resubscribe === true, consent: consentOf(request) };
      refuseAmbiguous(body);
      if (body.contact_ids) {
        const addition = await members.addContacts(list, body.contact_ids, asked);
        return { object: 'list_addition' as const, list_id: list.id, ...addition };
      }
      const person = await personOf(store, list, body);
      const { member, isNew } = await members.addPerson(scope, list, person, asked);
      return reply.status(isNew ? 201 : 200).send(presentMember(member));
    },
  );

  app.delete(
    '/v1/lists/:id/contacts/:contact_id',
    {
      schema: {
        operationId: 'lists.removeContact',
        tags,
        summary: 'Remove a contact from a list',
        description: 'Removes a contact from a list. The contact is not deleted.',
        params: listMemberParams,
        response: { 200: listMemberRemoved },
      },
    },
    async (request) => {
      const { id: listId, contact_id: idOrAddress } = request.params;
      const scope: Scope = request.caller.scope;
      const list = await findList(store, scope, listId);
      const contact = idOrAddress.includes('@')
        ? { emailKey: readAddress('contact_id', idOrAddress).key }
        : { id: idOrAddress };
      const id = await members.remove(scope, list, contact);
      return { id, object: 'list_member' as const, list_id: list.id, deleted: true as const };
    },
  );
}

function refuseAmbiguous({
  contact_id: id,
  contact_ids: ids,
  email,
  name,
  metadata,
  tags: tagList,
}: ListMemberAdd): void {
  if ([id, ids, email].filter((one) => one !== undefined).length !== 1) {
    throw invalidFields([
      { path: '', message: 'specify exactly one of `email`, `contact_id` and `contact_ids`' },
    ]);
  }
  if (email !== undefined) return;
  const given = Object.entries({ name, metadata, tags: tagList }).find(([, value]) => value !== undefined);
  if (given) throw invalidFields([{ path: given[0], message: 'can only be used with `email`' }]);
}

/** The person that the body names. Refused with `validation_error` when there is no such contact of the list's owner. */
async function personOf(
  store: Pick<ListStores, 'lists'>,
  list: ContactList,
  { contact_id: id, email, name, metadata, tags: tagList }: ListMemberAdd,
): Promise<Person> {
  if (email !== undefined) return personFields({ email, name, metadata, tags: tagList });
  const [contact] = await store.lists.contactsThatMayJoin(list, [id ?? '']);
  if (contact) return { email: contact.email, key: contact.email_key };
  const message = 'the contact does not exist in the workspace or sub-tenant that owns the list';
  throw invalidFields([{ path: 'contact_id', message }]);
}

/** Checked. */
export function personFields({
  email,
  name,
  metadata,
  tags: tagList,
}: {
  email: string;
  name?: string | null | undefined;
  metadata?: Record<string, unknown> | undefined;
  tags?: string[] | undefined;
}): Person {
  const address = readAddress('email', email);
  assertContactFields({ name, tags: tagList, metadata });
  return {
    ...address,
    ...(name === undefined ? {} : { name }),
    ...(metadata === undefined ? {} : { metadata }),
    ...(tagList === undefined ? {} : { tags: tagList }),
  };
}
