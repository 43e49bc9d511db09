// listmonk, read with its API and a user of type API. Pages are in the order of the addresses, so that contacts which are added
// meanwhile move no other page by more than their number.
import { Type } from 'typebox';
import type { LeftOut, TemplateItem, VendorPage } from '../items.rules.js';
import { fieldProblems } from './connection.rules.js';
import { contactOf, listOf, suppressionOf, templateOf } from './listmonk-objects.rules.js';
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

async function readBounces(reader: VendorReader, cursor: string | null): Promise<VendorPage<'suppressions'>> {
  const page = pageOf(cursor);
  const { data } = await reader.json(
    `/api/bounces?page=${page}&per_page=${PAGE}&order_by=created_at&order=asc`,
    BOUNCES,
  );
  const items = data.results.flatMap((bounce) => suppressionOf(bounce) ?? []);
  return { items, leftOut: [], next: nextPage(page, data) };
}

async function readLists(reader: VendorReader, cursor: string | null): Promise<VendorPage<'lists'>> {
  const page = pageOf(cursor);
  const { data } = await reader.json(
    `/api/lists?page=${page}&per_page=${PAGE}&order_by=created_at&order=asc`,
    LISTS,
  );
  return { items: data.results.map(listOf), leftOut: [], next: nextPage(page, data) };
}

async function readSubscribers(reader: VendorReader, cursor: string | null): Promise<VendorPage<'contacts'>> {
  const page = pageOf(cursor);
  const { data } = await reader.json(
    `/api/subscribers?page=${page}&per_page=${PAGE}&order_by=email&order=asc`,
    SUBSCRIBERS,
  );
  const items = data.results.map((one) => {
    const lists = one.lists.map(({ subscription_status: status, ...list }) => ({ ...list, status }));
    return contactOf({ ...one, lists });
  });
  return { items, leftOut: [], next: nextPage(page, data) };
}

async function readTemplates(reader: VendorReader): Promise<VendorPage<'templates'>> {
  const { data } = await reader.json('/api/templates', TEMPLATES);
  const read = data.map(templateOf);
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
