// Contacts of a workspace, or of one of its sub-tenants: list, upsert by address, read, change, delete.
import {
  contact,
  contactFilters,
  contactList,
  contactParams,
  contactPatch,
  contactUpsert,
  type ContactPatch,
  type ContactUpsert,
} from './contact.schema.js';
import { deleted } from '../contract/schema.js';
import type { Scope } from '../database/scope.js';
import type { ContactContext } from './context.js';
import { readAddress } from '../http/body/fields.js';
import { assertContactFields } from './fields.routes.js';
import type { Api } from '../http/api.js';
import { createdQueryWith, listAnswer, readPage, creationTimes } from '../http/lists/pages.js';
import { presentContact } from './contact.view.js';
import { deleteContact, editContact, upsertContact, type ContactColumns } from './contacts.js';
import { findContact } from './find.routes.js';
import { scopeWithField } from '../tenants/scope.routes.js';

const tags = ['Contacts'];

export function contactRoutes(app: Api, context: ContactContext): void {
  listRoute(app, context);
  upsertRoute(app, context);
  changeRoutes(app, context);
}

function listRoute(app: Api, { store }: ContactContext): void {
  app.get(
    '/v1/contacts',
    {
      schema: {
        operationId: 'contacts.list',
        tags,
        summary: 'List contacts',
        description:
          'Returns contacts, newest first. A page may have fewer than `limit` contacts while `has_more` is `true`.',
        querystring: createdQueryWith(contactFilters),
        response: { 200: contactList },
      },
    },
    async (request) => {
      const { q, tag, status, list_id: listId } = request.query;
      const filter = {
        ...(q === undefined ? {} : { q }),
        ...(tag === undefined ? {} : { tag }),
        ...(status === undefined ? {} : { status }),
        ...(listId === undefined ? {} : { listId }),
      };
      const { scope } = request.caller;
      const wanted = readPage(request);
      const [page, { total, isExact }] = await Promise.all([
        store.contacts.contacts(scope, wanted, { ...filter, ...creationTimes(wanted) }),
        store.contacts.countContacts(scope, { ...filter, ...creationTimes(wanted) }),
      ]);
      return { ...listAnswer(request, page, presentContact), total, total_exact: isExact };
    },
  );
}

function upsertRoute(app: Api, context: ContactContext): void {
  app.post(
    '/v1/contacts',
    {
      schema: {
        operationId: 'contacts.upsert',
        tags,
        summary: 'Create or update a contact',
        description:
          'Creates a contact (201), or updates the contact with the same address (200). Omitted fields of an existing contact are not changed.',
        body: contactUpsert,
        response: { 200: contact, 201: contact },
      },
    },
    async (request, reply) => {
      const address = readAddress('email', request.body.email);
      const given = readColumns(request.body);
      const scope = await scopeWithField(
        context.store.tenants,
        request.caller.scope,
        request.body.sub_tenant_id,
      );
      const { row, isNew } = await upsertContact(context, scope, address, given);
      return reply.status(isNew ? 201 : 200).send(presentContact(row));
    },
  );
}

function changeRoutes(app: Api, context: ContactContext): void {
  const find = (scope: Scope, idOrAddress: string) => findContact(context.store, scope, idOrAddress);

  app.get(
    '/v1/contacts/:id',
    {
      schema: {
        operationId: 'contacts.get',
        tags,
        summary: 'Retrieve a contact',
        description: 'Returns a contact. You can pass its URL-encoded address instead of its ID.',
        params: contactParams,
        response: { 200: contact },
      },
    },
    async (request) => presentContact(await find(request.caller.scope, request.params.id)),
  );

  app.patch(
    '/v1/contacts/:id',
    {
      schema: {
        operationId: 'contacts.update',
        tags,
        summary: 'Update a contact',
        description: 'Changes the given fields of a contact. `tags` and `metadata` are replaced as a whole.',
        params: contactParams,
        body: contactPatch,
        response: { 200: contact },
      },
    },
    async (request) => {
      const given = readColumns(request.body);
      const { scope } = request.caller;
      const found = await find(scope, request.params.id);
      return presentContact(await editContact(context, scope, found, given));
    },
  );

  app.delete(
    '/v1/contacts/:id',
    {
      schema: {
        operationId: 'contacts.delete',
        tags,
        summary: 'Delete a contact',
        description:
          "Deletes a contact and its list memberships. Suppressions of its address remain. To remove the person's data from messages as well, erase the contact instead.",
        params: contactParams,
        response: { 200: deleted('contact') },
      },
    },
    async (request) => {
      const { scope } = request.caller;
      const found = await find(scope, request.params.id);
      await deleteContact(context, found);
      return { id: found.id, object: 'contact' as const, deleted: true as const };
    },
  );
}

/** The columns that a body sets. */
function readColumns(body: ContactPatch | ContactUpsert): ContactColumns {
  const { name, phone, tags: tagList, metadata, status } = body;
  assertContactFields(body);
  return {
    ...(name === undefined ? {} : { name }),
    ...(phone === undefined ? {} : { phone }),
    ...(tagList === undefined ? {} : { tags: JSON.stringify([...new Set(tagList)]) }),
    ...(metadata === undefined ? {} : { metadata: JSON.stringify(metadata) }),
    ...(status === undefined ? {} : { status }),
  };
}
