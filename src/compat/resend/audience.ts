// Resend's contacts and segments. Segments, formerly audiences, are the workspace's lists.
import { Type, type Static } from 'typebox';
import type { ContactUpsert, ContactWire } from '../../contacts/contact.schema.js';
import { Refusal } from '../../contract/refusal.js';
import { closed, nullable } from '../../contract/schema.js';
import { FEW, LINE } from '../bounds.js';
import { pageById, type WantedById } from '../pages.js';
import { compatRoute, notHere, type CompatRoute } from '../route.js';
import type { V1 } from '../v1.js';
import { DEFAULT_LIMIT, listQuery } from './emails.js';

const text = Type.Optional(nullable(LINE));
const fields = {
  first_name: text,
  last_name: text,
  unsubscribed: Type.Optional(Type.Boolean()),
  properties: Type.Optional(
    Type.Record(Type.String(), Type.Union([LINE, Type.Number(), Type.Boolean(), Type.Null()]), FEW),
  ),
};
const contactUpdate = closed(fields);
type Fields = Static<typeof contactUpdate>;
const contactCreate = closed({
  email: LINE,
  ...fields,
  segments: Type.Optional(Type.Array(closed({ id: LINE }), { maxItems: 20 })),
  topics: notHere(
    Type.Optional(Type.Unknown()),
    'topics are lists. Pass the list ID in segments, or let contacts choose on the preference page',
  ),
});
const example = { email: 'ann@example.com', first_name: 'Ann', last_name: 'Smith' };

const createIn = (path: string): CompatRoute =>
  compatRoute({
    method: 'POST',
    path,
    permission: 'full',
    body: contactCreate,
    example,
    async handle({ params: { list }, body, v1 }) {
      const { segments = [], email } = body;
      const before = await contactOrNull(v1, email);
      const { id } = await v1.contacts.upsert({ email, ...changesOf(body, before) } as ContactUpsert);
      for (const segment of [...segments.map((one) => one.id), ...(list === undefined ? [] : [list])]) {
        await v1.lists.addContacts(segment, [id]);
      }
      return { status: 201, body: { object: 'contact', id } };
    },
  });

const listIn = (path: string): CompatRoute =>
  compatRoute({
    method: 'GET',
    path,
    permission: 'read',
    query: listQuery,
    async handle({ params: { list }, query, v1 }) {
      const page =
        list === undefined ? v1.contacts.list : (wanted: Wanted) => v1.lists.contacts(list, wanted);
      const { items, hasMore } = await pageById({ list: page, find: v1.contacts.get }, wantedOf(query));
      return { body: { object: 'list', has_more: hasMore, data: items.map(contactOf) } };
    },
  });

type Wanted = Parameters<V1['contacts']['list']>[0];

/** Routes for a contact of the workspace, or of a list in the path. */
const oneContact = (base: string): CompatRoute[] => [
  compatRoute({
    method: 'GET',
    path: `${base}/:id`,
    permission: 'read',
    async handle({ params, v1 }) {
      const contact = await contactIn(v1, params);
      return { body: { object: 'contact', ...contactOf(contact), properties: propertiesOf(contact) } };
    },
  }),
  compatRoute({
    method: 'PATCH',
    path: `${base}/:id`,
    permission: 'full',
    body: contactUpdate,
    example: { first_name: 'Ann' },
    async handle({ params, body, v1 }) {
      const contact = await contactIn(v1, params);
      await v1.contacts.update(contact.id, changesOf(body, contact));
      return { body: { object: 'contact', id: contact.id } };
    },
  }),
  compatRoute({
    method: 'DELETE',
    path: `${base}/:id`,
    permission: 'full',
    async handle({ params, v1 }) {
      const { list, id = '' } = params;
      const contact = await contactIn(v1, params);
      if (list === undefined) await v1.contacts.delete(contact.id);
      else await v1.lists.removeContact(list, contact.id);
      return { body: { object: 'contact', contact: id, deleted: true } };
    },
  }),
];

const segmentRoutes = (base: string): CompatRoute[] => [
  compatRoute({
    method: 'POST',
    path: base,
    permission: 'full',
    body: closed({ name: LINE }),
    example: { name: 'Customers' },
    async handle({ body, v1 }) {
      const { id, name } = await v1.lists.create({ name: body.name });
      return { status: 201, body: { object: 'segment', id, name } };
    },
  }),
  compatRoute({
    method: 'GET',
    path: base,
    permission: 'read',
    query: listQuery,
    async handle({ query, v1 }) {
      const { items, hasMore } = await pageById({ list: v1.lists.list, find: v1.lists.get }, wantedOf(query));
      const data = items.map(({ id, name, created_at }) => ({ id, name, created_at }));
      return { body: { object: 'list', has_more: hasMore, data } };
    },
  }),
  compatRoute({
    method: 'GET',
    path: `${base}/:list`,
    permission: 'read',
    async handle({ params: { list = '' }, v1 }) {
      const { id, name, created_at } = await v1.lists.get(list);
      return { body: { object: 'segment', id, name, created_at } };
    },
  }),
  compatRoute({
    method: 'DELETE',
    path: `${base}/:list`,
    permission: 'full',
    async handle({ params: { list = '' }, v1 }) {
      const { id } = await v1.lists.delete(list);
      return { body: { object: 'segment', id, deleted: true } };
    },
  }),
];

export const AUDIENCE_ROUTES: readonly CompatRoute[] = [
  createIn('/contacts'),
  listIn('/contacts'),
  ...oneContact('/contacts'),
  compatRoute({
    method: 'POST',
    path: '/contacts/:id/segments/:list',
    permission: 'full',
    async handle({ params: { id = '', list = '' }, v1 }) {
      const contact = await v1.contacts.get(id);
      await v1.lists.addContacts(list, [contact.id]);
      return { body: { id: list } };
    },
  }),
  compatRoute({
    method: 'DELETE',
    path: '/contacts/:id/segments/:list',
    permission: 'full',
    async handle({ params: { id = '', list = '' }, v1 }) {
      const contact = await v1.contacts.get(id);
      await v1.lists.removeContact(list, contact.id);
      return { body: { id: list, deleted: true } };
    },
  }),
  ...segmentRoutes('/segments'),
  ...segmentRoutes('/audiences'),
  listIn('/segments/:list/contacts'),
  createIn('/audiences/:list/contacts'),
  listIn('/audiences/:list/contacts'),
  ...oneContact('/audiences/:list/contacts'),
];

function wantedOf({ limit = DEFAULT_LIMIT, after, before }: Static<typeof listQuery>): WantedById {
  return { limit, after, before };
}

async function contactOrNull(v1: V1, email: string): Promise<ContactWire | null> {
  try {
    return await v1.contacts.get(email);
  } catch (error) {
    // An invalid address is refused when it is saved, with its field.
    if (error instanceof Refusal && ['not_found', 'validation_error'].includes(error.code)) return null;
    throw error;
  }
}

/** Refuses with `not_found` if the list does not exist. */
async function contactIn(v1: V1, { list, id = '' }: Readonly<Record<string, string>>): Promise<ContactWire> {
  if (list !== undefined) await v1.lists.get(list);
  return v1.contacts.get(id);
}

/** Stores both names separately, besides the combined name that templates and people see. */
function changesOf({ first_name, last_name, unsubscribed, properties }: Fields, before: ContactWire | null) {
  const metadata: Record<string, unknown> = { ...before?.metadata };
  for (const [key, value] of Object.entries({ ...properties, first_name, last_name })) {
    if (value === null) Reflect.deleteProperty(metadata, key);
    else if (value !== undefined) metadata[key] = value;
  }
  const isNamed = first_name !== undefined || last_name !== undefined;
  const names = [metadata['first_name'], metadata['last_name']].filter((name) => typeof name === 'string');
  return {
    ...(isNamed ? { name: names.length === 0 ? null : names.join(' ') } : {}),
    ...(isNamed || properties !== undefined ? { metadata } : {}),
    ...statusOf(unsubscribed, before),
  };
}

/** In Resend, a bounced contact counts as subscribed, so `unsubscribed: false` leaves it unchanged. */
function statusOf(unsubscribed: boolean | undefined, before: ContactWire | null) {
  if (unsubscribed === undefined || (!unsubscribed && before?.status === 'bounced')) return {};
  return { status: unsubscribed ? 'unsubscribed' : 'active' };
}

function contactOf({ id, email, name, metadata, status, created_at }: ContactWire) {
  const { first_name: first, last_name: last } = metadata;
  return {
    id,
    email,
    first_name: typeof first === 'string' ? first : name,
    last_name: typeof last === 'string' ? last : null,
    unsubscribed: status === 'unsubscribed' || status === 'complained',
    created_at,
  };
}

function propertiesOf({ metadata }: ContactWire): Record<string, { type: string; value: unknown }> {
  const shown = Object.entries(metadata).filter(([key]) => key !== 'first_name' && key !== 'last_name');
  return Object.fromEntries(
    shown.map(([key, value]) => [
      key,
      typeof value === 'number' ? { type: 'number', value } : { type: 'string', value: textOf(value) },
    ]),
  );
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}
