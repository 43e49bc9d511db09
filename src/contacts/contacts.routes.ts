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
import { Refusal } from '../contract/refusal.js';
import { deleted } from '../contract/schema.js';
import type { Clock } from '../lib/runtime/clock.js';
import { newId } from '../lib/runtime/ids.js';
import type { Contact } from './contacts.tables.js';
import type { Scope } from '../database/scope.js';
import type { ContactStores } from './stores.js';
import { readAddress, type AddressField } from '../http/body/fields.js';
import { assertContactFields } from './fields.routes.js';
import type { Api } from '../http/api.js';
import { createdQueryWith, listAnswer, readPage, timesOf } from '../http/lists/pages.js';
import { presentContact } from './contact.view.js';
import { leaveLists } from './contacts.store.js';
import { findContact } from './find.routes.js';
import { ownContact } from './person.js';
import { scopeWithField } from '../tenants/scope.routes.js';
import { suppressAddress } from '../suppressions/suppression-plan.store.js';
import type { Plan } from '../database/change.js';
import {
  removeContact,
  putContact,
  changeContact as changeContactChange,
  type PutContact,
} from './contact-changes.store.js';
import { liftSuppressions } from '../suppressions/suppression-changes.store.js';

export interface ContactDeps {
  store: Pick<ContactStores, 'contacts' | 'tenants' | 'commit'>;
  clock: Clock;
}

const tags = ['Contacts'];

export function contactRoutes(app: Api, deps: ContactDeps): void {
  listRoute(app, deps);
  upsertRoute(app, deps);
  changeRoutes(app, deps);
}

function listRoute(app: Api, { store }: ContactDeps): void {
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
        store.contacts.contacts(scope, wanted, { ...filter, ...timesOf(wanted) }),
        store.contacts.countContacts(scope, { ...filter, ...timesOf(wanted) }),
      ]);
      return { ...listAnswer(request, page, presentContact), total, total_exact: isExact };
    },
  );
}

function upsertRoute(app: Api, { store, clock }: ContactDeps): void {
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
      const given = columnsOf(request.body);
      const scope = await scopeWithField(store.tenants, request.caller.scope, request.body.sub_tenant_id);
      const known = await ownContact(store, scope, address.key);
      const made = known ? null : await insertContact(store, scope, { address, given, now: clock() });
      if (made) return reply.status(201).send(presentContact(made));
      const existing = known ?? (await ownContact(store, scope, address.key));
      if (!existing)
        throw new Refusal('conflict', 'The contact was added and deleted by other requests. Try again.');
      const changed = await changeContact(store, scope, { id: existing.id, address, given, now: clock() });
      return reply.status(200).send(presentContact(changed));
    },
  );
}

function changeRoutes(app: Api, { store, clock }: ContactDeps): void {
  const find = (scope: Scope, idOrAddress: string) => findContact(store, scope, idOrAddress);

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
      const given = columnsOf(request.body);
      const { scope } = request.caller;
      const found = await find(scope, request.params.id);
      const { id, email, email_key: key } = found;
      const change = { id, address: { email, key }, given, now: clock() };
      // A contact's status is its owner's, whoever changes it: a key of the workspace reaches those of all sub-tenants.
      const owner = { ...scope, subTenantId: found.sub_tenant_id };
      return presentContact(await changeContact(store, owner, change));
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
      const { id, number } = await find(scope, request.params.id);
      const at = clock();
      await store.commit([
        ...leaveLists(await store.contacts.placesOf(number), at),
        removeContact({ id, at, otherwise: { code: 'not_found' } }),
      ]);
      return { id, object: 'contact' as const, deleted: true as const };
    },
  );
}

type Given = Partial<Pick<Contact, 'name' | 'phone' | 'tags' | 'metadata'>> & Pick<ContactPatch, 'status'>;

/** The columns that a body sets. */
function columnsOf(body: ContactPatch | ContactUpsert): Given {
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

/** Null when a simultaneous request added the address first. */
async function insertContact(
  store: ContactDeps['store'],
  scope: Scope,
  { address, given, now }: { address: AddressField; given: Given; now: number },
): Promise<Contact | null> {
  const row: PutContact['row'] = {
    id: newId('cnt', now),
    environment_id: scope.environmentId,
    sub_tenant_id: scope.subTenantId,
    email: address.email,
    email_key: address.key,
    name: null,
    phone: null,
    tags: '[]',
    metadata: '{}',
    status: 'active',
    ...given,
    created_at: now,
    updated_at: now,
  };
  await store.commit([
    ...suppressionChanges(scope, address, given.status, now),
    putContact({ row, ifKnown: 'ignore' }),
  ]);
  return store.contacts.contact(scope, row.id);
}

async function changeContact(
  store: ContactDeps['store'],
  scope: Scope,
  { id, address, given, now }: { id: string; address: AddressField; given: Given; now: number },
): Promise<Contact> {
  const { status, ...rest } = given;
  // The suppression decides the other status.
  const set = { ...rest, ...(status === 'active' ? { status } : {}), updated_at: now };
  await store.commit([
    ...suppressionChanges(scope, address, given.status, now),
    changeContactChange({ id, set, otherwise: { code: 'not_found' } }),
  ]);
  const changed = await store.contacts.contact(scope, id);
  if (!changed) throw new Refusal('not_found');
  return changed;
}

/**
 * The changes of the suppression that the status asks for. `active` lifts the suppression of a contact that had
 * unsubscribed; `unsubscribed` suppresses the address for all mail.
 */
function suppressionChanges(
  { environmentId, subTenantId }: Scope,
  { email, key }: AddressField,
  status: ContactPatch['status'],
  now: number,
): Plan {
  if (status === undefined) return [];
  if (status === 'active') {
    const where = {
      environment_id: environmentId,
      sub_tenant_key: subTenantId ?? '',
      email_key: key,
      reason: 'unsubscribe' as const,
    };
    return [liftSuppressions({ where, at: now })];
  }
  const owner = { environmentId, subTenantId, email, emailKey: key, publicId: null };
  return suppressAddress(owner, 'unsubscribe', now);
}
