// listmonk, read with its API and a user of type API. Pages are in the order of the addresses, so that contacts which are added
// meanwhile move no other page by more than their number.
import { Type } from 'typebox';
import { translateGoTemplate } from '../dialects/go-templates.rules.js';
import {
  leftOut,
  type ContactItem,
  type LeftOut,
  type TemplateItem,
  type VendorPage,
} from '../items.rules.js';
import { filled } from '../values.rules.js';
import { fieldProblems } from './connection.rules.js';
import type { ApiSource } from './source.js';
import { shapeOf, type VendorReader } from './vendor-reader.js';

const PAGE = 500;

const paged = <S extends Parameters<typeof Type.Array>[0]>(item: S) =>
  shapeOf(Type.Object({ data: Type.Object({ results: Type.Array(item), total: Type.Integer() }) }));

const BOUNCES = paged(Type.Object({ id: Type.Integer(), type: Type.String(), email: Type.String() }));
const LISTS = paged(
  Type.Object({
    id: Type.Integer(),
    uuid: Type.String(),
    name: Type.String(),
    optin: Type.String(),
    description: Type.Optional(Type.String()),
  }),
);
const SUBSCRIBERS = paged(
  Type.Object({
    uuid: Type.String(),
    email: Type.String(),
    name: Type.String(),
    attribs: Type.Union([Type.Record(Type.String(), Type.Unknown()), Type.Null()]),
    status: Type.String(),
    lists: Type.Array(
      Type.Object({
        uuid: Type.String(),
        optin: Type.Optional(Type.String()),
        subscription_status: Type.Optional(Type.String()),
      }),
    ),
  }),
);
const TEMPLATES = shapeOf(
  Type.Object({
    data: Type.Array(
      Type.Object({
        id: Type.Integer(),
        name: Type.String(),
        type: Type.String(),
        body: Type.String(),
        subject: Type.Optional(Type.String()),
      }),
    ),
  }),
);

export const LISTMONK: ApiSource = {
  problems: (connection) => fieldProblems(connection, ['url', 'user', 'token']),
  base: ({ url = '' }) => url.replace(/\/+$/, ''),
  headers: ({ user = '', token = '' }) => ({
    authorization: `Basic ${Buffer.from(`${user}:${token}`).toString('base64')}`,
  }),
  isPaced: false,
  pages: {
    suppressions: readBounces,
    lists: readLists,
    contacts: readSubscribers,
    templates: readTemplates,
  },
};

/** Soft bounces are temporary and suppress nothing. Blocked subscribers are suppressed with their contacts. */
async function readBounces(reader: VendorReader, cursor: string | null): Promise<VendorPage<'suppressions'>> {
  const page = pageOf(cursor);
  const { data } = await reader.json(
    `/api/bounces?page=${page}&per_page=${PAGE}&order_by=created_at&order=asc`,
    BOUNCES,
  );
  const items = data.results
    .filter(({ type }) => type === 'hard' || type === 'complaint')
    .map(({ id, type, email }) => ({
      externalId: String(id),
      name: email,
      reason: type === 'complaint' ? ('complaint' as const) : ('bounce' as const),
    }));
  return { items, leftOut: [], next: nextPage(page, data) };
}

async function readLists(reader: VendorReader, cursor: string | null): Promise<VendorPage<'lists'>> {
  const page = pageOf(cursor);
  const { data } = await reader.json(
    `/api/lists?page=${page}&per_page=${PAGE}&order_by=created_at&order=asc`,
    LISTS,
  );
  const items = data.results.map(({ uuid, name, optin, description }) => ({
    externalId: uuid,
    name,
    description: filled(description),
    doubleOptIn: optin === 'double',
  }));
  return { items, leftOut: [], next: nextPage(page, data) };
}

async function readSubscribers(reader: VendorReader, cursor: string | null): Promise<VendorPage<'contacts'>> {
  const page = pageOf(cursor);
  const { data } = await reader.json(
    `/api/subscribers?page=${page}&per_page=${PAGE}&order_by=email&order=asc`,
    SUBSCRIBERS,
  );
  const items = data.results.map((one): ContactItem => ({
    externalId: one.uuid,
    name: one.email,
    // Without a name, listmonk takes the part before the @.
    fullName: one.name === one.email.split('@')[0] ? '' : one.name,
    tags: [],
    metadata: one.attribs ?? {},
    // listmonk sends to subscribers who are enabled only.
    status: one.status === 'enabled' ? 'active' : 'unsubscribed',
    memberships: one.lists.map(({ uuid, optin, subscription_status: status }) => ({
      listId: uuid,
      state:
        status === 'unsubscribed'
          ? 'unsubscribed'
          : status === 'unconfirmed' && optin === 'double'
            ? 'pending'
            : 'subscribed',
    })),
  }));
  return { items, leftOut: [], next: nextPage(page, data) };
}

async function readTemplates(reader: VendorReader): Promise<VendorPage<'templates'>> {
  const { data } = await reader.json('/api/templates', TEMPLATES);
  const read = data.map(({ id, name, type, subject = '', body }): TemplateItem | LeftOut => {
    const item = { externalId: String(id), name };
    if (type === 'campaign_visual') {
      return leftOut(item, 'The template belongs to the visual editor of listmonk.');
    }
    const [title, html] = [translateGoTemplate(subject), translateGoTemplate(body)];
    const problems = [...title.problems, ...html.problems];
    if (problems.length > 0) return { ...item, problems };
    return { ...item, slug: null, subject: filled(title.text), html: filled(html.text), text: null };
  });
  return {
    items: read.filter((one): one is TemplateItem => !('problems' in one)),
    leftOut: read.filter((one): one is LeftOut => 'problems' in one),
    next: null,
  };
}

function pageOf(cursor: string | null): number {
  return cursor === null ? 1 : Number(cursor);
}

function nextPage(
  page: number,
  { results, total }: { results: readonly unknown[]; total: number },
): string | null {
  return results.length < PAGE || page * PAGE >= total ? null : String(page + 1);
}
