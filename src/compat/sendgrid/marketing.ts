// SendGrid's contacts and lists.
import { Type, type Static } from 'typebox';
import type { ContactUpsert, ContactWire } from '../../contacts/contact.schema.js';
import { invalidFields, Refusal } from '../../contract/refusal.js';
import { closed } from '../../contract/schema.js';
import { addressProblem } from '../../lib/mime/index.js';
import { FEW, LINE, MAX_LINE } from '../bounds.js';
import { given } from '../fields.js';
import { compatRoute, notHere, type CompatRoute } from '../route.js';
import type { V1 } from '../v1.js';

/** Most contacts of one request; POST /v1/imports accepts more. */
const MAX_CONTACTS = 1000;
const MAX_SOUGHT = 100;
/** Contacts of a request without a search. */
const NEWEST = 50;
/** Contacts that are saved concurrently. */
const PARALLEL = 20;

const text = Type.Optional(LINE);
/** Fields that contacts do not have; they are stored in the metadata. */
const OTHERS = [
  'address_line_1',
  'address_line_2',
  'city',
  'country',
  'postal_code',
  'state_province_region',
] as const;
const contact = closed({
  email: LINE,
  first_name: text,
  last_name: text,
  phone_number: text,
  ...(Object.fromEntries(OTHERS.map((name) => [name, text])) as Record<(typeof OTHERS)[number], typeof text>),
  custom_fields: Type.Optional(Type.Record(Type.String(), Type.Union([LINE, Type.Number()]), FEW)),
});
type Contact = Static<typeof contact>;
const sought = closed({ emails: Type.Array(LINE, { minItems: 1, maxItems: MAX_SOUGHT }) });

export const MARKETING_ROUTES: readonly CompatRoute[] = [
  compatRoute({
    method: 'PUT',
    path: '/v3/marketing/contacts',
    permission: 'full',
    body: closed({
      list_ids: Type.Optional(Type.Array(LINE, { maxItems: 20 })),
      contacts: Type.Array(contact, { minItems: 1, maxItems: MAX_CONTACTS }),
    }),
    example: { contacts: [{ email: 'ann@example.com', first_name: 'Ann' }] },
    async handle({ body: { contacts, list_ids = [] }, v1, requestId }) {
      refuseAddresses(contacts);
      v1.expect(contacts.length + 2 * list_ids.length);
      for (const id of list_ids) await v1.lists.get(id);
      const ids: string[] = [];
      for (let i = 0; i < contacts.length; i += PARALLEL) {
        const some = contacts.slice(i, i + PARALLEL).map((one) => save(v1, one));
        ids.push(...(await Promise.all(some)));
      }
      for (const id of list_ids) await addTo(v1, id, ids);
      return { status: 202, body: { job_id: requestId } };
    },
  }),
  compatRoute({
    method: 'POST',
    path: '/v3/marketing/contacts/search/emails',
    permission: 'full',
    body: sought,
    example: { emails: ['ann@example.com'] },
    async handle({ body, v1 }) {
      v1.expect(body.emails.length);
      const result: Record<string, { contact: object }> = {};
      for (const email of body.emails) {
        const found = await contactOrNull(v1, email);
        if (found !== null) result[email] = { contact: contactOf(found) };
      }
      if (Object.keys(result).length === 0) throw new Refusal('not_found');
      return { body: { result } };
    },
  }),
  compatRoute({
    method: 'GET',
    path: '/v3/marketing/contacts',
    permission: 'read',
    async handle({ v1, baseUrl }) {
      const { data, total } = await v1.contacts.list({ limit: NEWEST });
      const self = `${baseUrl}/v3/marketing/contacts`;
      return { body: { result: data.map(contactOf), contact_count: total, _metadata: { self } } };
    },
  }),
  compatRoute({
    method: 'GET',
    path: '/v3/marketing/contacts/count',
    permission: 'read',
    async handle({ v1 }) {
      const { total } = await v1.contacts.list({ limit: 1 });
      return { body: { contact_count: total, billable_count: total } };
    },
  }),
  compatRoute({
    method: 'GET',
    path: '/v3/marketing/contacts/:id',
    permission: 'read',
    async handle({ params: { id = '' }, v1 }) {
      return { body: contactOf(await v1.contacts.get(id)) };
    },
  }),
  compatRoute({
    method: 'DELETE',
    path: '/v3/marketing/contacts',
    permission: 'full',
    query: closed({ ids: Type.String({ minLength: 1, maxLength: MAX_LINE }) }),
    async handle({ query: { ids }, v1, requestId }) {
      const wanted = readIds(ids, 'ids');
      // All must exist before the first is deleted.
      v1.expect(2 * wanted.length);
      for (const id of wanted) await v1.contacts.get(id);
      for (const id of wanted) await v1.contacts.delete(id);
      return { status: 202, body: { job_id: requestId } };
    },
  }),
  compatRoute({
    method: 'GET',
    path: '/v3/marketing/lists',
    permission: 'read',
    query: closed({
      page_size: Type.Optional(Type.Integer({ minimum: 1, maximum: 100 })),
      page_token: text,
    }),
    async handle({ query: { page_size, page_token }, v1, baseUrl }) {
      const { data, next_cursor: next } = await v1.lists.list({
        limit: page_size ?? 100,
        ...given('cursor', page_token),
      });
      const self = `${baseUrl}/v3/marketing/lists`;
      const links = next === null ? { self } : { self, next: `${self}?page_token=${next}` };
      return { body: { result: data.map(({ id, name }) => ({ id, name })), _metadata: links } };
    },
  }),
  compatRoute({
    method: 'POST',
    path: '/v3/marketing/lists',
    permission: 'full',
    body: closed({ name: LINE }),
    example: { name: 'Customers' },
    async handle({ body, v1 }) {
      const { id, name } = await v1.lists.create({ name: body.name });
      return { status: 201, body: { id, name, contact_count: 0 } };
    },
  }),
  compatRoute({
    method: 'GET',
    path: '/v3/marketing/lists/:id',
    permission: 'read',
    async handle({ params: { id: wanted = '' }, v1 }) {
      const { id, name } = await v1.lists.get(wanted);
      return { body: { id, name } };
    },
  }),
  compatRoute({
    method: 'PATCH',
    path: '/v3/marketing/lists/:id',
    permission: 'full',
    body: closed({ name: LINE }),
    example: { name: 'Customers' },
    async handle({ params: { id: wanted = '' }, body, v1 }) {
      const { id, name } = await v1.lists.update(wanted, { name: body.name });
      return { body: { id, name } };
    },
  }),
  compatRoute({
    method: 'GET',
    path: '/v3/marketing/lists/:id/contacts/count',
    permission: 'read',
    async handle({ params: { id = '' }, v1 }) {
      const { total } = await v1.lists.contacts(id, { limit: 1 });
      return { body: { contact_count: total, billable_count: total } };
    },
  }),
  compatRoute({
    method: 'DELETE',
    path: '/v3/marketing/lists/:id/contacts',
    permission: 'full',
    query: closed({
      contact_ids: text,
      delete_all_contacts: notHere(
        Type.Optional(Type.Unknown()),
        'contacts are removed by their ids. Pass contact_ids',
      ),
    }),
    async handle({ params: { id = '' }, query: { contact_ids: ids = '' }, v1, requestId }) {
      if (ids === '') throw invalidFields([{ path: 'contact_ids', message: 'is required' }]);
      const wanted = readIds(ids, 'contact_ids');
      v1.expect(wanted.length);
      for (const contactId of wanted) await v1.lists.removeContact(id, contactId);
      return { status: 202, body: { job_id: requestId } };
    },
  }),
  compatRoute({
    method: 'DELETE',
    path: '/v3/marketing/lists/:id',
    permission: 'full',
    async handle({ params: { id = '' }, v1 }) {
      await v1.lists.delete(id);
      return { status: 204 };
    },
  }),
];

function readIds(joined: string, path: string): string[] {
  const ids = joined.split(',');
  if (ids.length <= MAX_SOUGHT) return ids;
  throw invalidFields([{ path, message: `has ${ids.length} contacts, but the limit is ${MAX_SOUGHT}` }]);
}

/** Validates all addresses first, so that a request is saved as a whole. */
function refuseAddresses(contacts: readonly Contact[]): void {
  const problems = contacts.flatMap(({ email }, at) => {
    const problem = addressProblem(email, { utf8Local: true });
    return problem === null ? [] : [{ path: `contacts.${at}.email`, message: problem }];
  });
  if (problems.length > 0) throw invalidFields(problems.slice(0, 20));
}

/** Saves a contact and returns its id. Absent fields are unchanged. */
async function save(v1: V1, one: Contact): Promise<string> {
  const others = Object.fromEntries(
    OTHERS.flatMap((name) => (one[name] === undefined ? [] : [[name, one[name]]])),
  );
  const names = { ...given('first_name', one.first_name), ...given('last_name', one.last_name) };
  const added = { ...others, ...names, ...one.custom_fields };
  const before = Object.keys(added).length === 0 ? null : await contactOrNull(v1, one.email);
  const metadata: Record<string, unknown> = { ...before?.metadata, ...added };
  const name = [metadata['first_name'], metadata['last_name']]
    .filter((part) => typeof part === 'string')
    .join(' ');
  const upsert: ContactUpsert = {
    email: one.email,
    ...given('phone', one.phone_number),
    ...(Object.keys(names).length === 0 ? {} : { name }),
    ...(Object.keys(added).length === 0 ? {} : { metadata }),
  };
  return (await v1.contacts.upsert(upsert)).id;
}

const MOST_ADDED = 100;

async function addTo(v1: V1, listId: string, ids: readonly string[]): Promise<void> {
  const unique = [...new Set(ids)];
  for (let i = 0; i < unique.length; i += MOST_ADDED) {
    await v1.lists.addContacts(listId, unique.slice(i, i + MOST_ADDED));
  }
}

async function contactOrNull(v1: V1, email: string): Promise<ContactWire | null> {
  try {
    return await v1.contacts.get(email);
  } catch (error) {
    if (error instanceof Refusal && ['not_found', 'validation_error'].includes(error.code)) return null;
    throw error;
  }
}

function contactOf({ id, email, name, phone, metadata, created_at, updated_at }: ContactWire) {
  const { first_name: first, last_name: last, ...custom } = metadata;
  return {
    id,
    email,
    first_name: typeof first === 'string' ? first : (name ?? ''),
    last_name: typeof last === 'string' ? last : '',
    phone_number: phone ?? '',
    custom_fields: custom,
    created_at,
    updated_at,
  };
}
