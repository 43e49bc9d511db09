// Members of a list, as its owner lists, adds and removes them.
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
import type { ListStores } from './stores.js';
import type { ListContext } from './context.js';
import { addContacts, addPerson, removeMember } from './members.js';
import type { Person } from '../contacts/person.js';
import { readAddress } from '../http/body/fields.js';
import { assertContactFields, callConsent } from '../contacts/fields.routes.js';
import type { Api } from '../http/api.js';
import { listAnswer, readPage, creationTimes } from '../http/lists/pages.js';
import { presentMember } from './contact-list.view.js';
import { findList } from './lists.js';

const tags = ['Lists'];

export function listMemberRoutes(app: Api, context: ListContext): void {
  readRoute(app, context);
  changeRoutes(app, context);
}

function readRoute(app: Api, { store }: ListContext): void {
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
      const page = await store.lists.members(list, wanted, { ...filter, ...creationTimes(wanted) });
      return listAnswer(request, page, presentMember);
    },
  );
}

function changeRoutes(app: Api, context: ListContext): void {
  const { store } = context;

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
      const asked = { resubscribe: body.resubscribe === true, consent: callConsent(request) };
      refuseAmbiguous(body);
      if (body.contact_ids) {
        const addition = await addContacts(context, list, body.contact_ids, asked);
        return { object: 'list_addition' as const, list_id: list.id, ...addition };
      }
      const person = await readPerson(store, list, body);
      const { member, isNew } = await addPerson(context, { scope, list }, person, asked);
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
      const { scope } = request.caller;
      const list = await findList(store, scope, listId);
      const contact = idOrAddress.includes('@')
        ? { emailKey: readAddress('contact_id', idOrAddress).key }
        : { id: idOrAddress };
      const id = await removeMember(context, { scope, list }, contact);
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

/** Reads the person that the body names. Refuses with `validation_error` if the list's owner has no such contact. */
async function readPerson(
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

/** Checks the fields of a person. */
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
