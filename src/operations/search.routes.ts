// GET /v1/search returns a few objects of each type that match a text, found by the filters of that type's list.
import { addressKey, addressProblem } from '../lib/mime/index.js';
import type { Page, PageRequest, Scope } from '../database/scope.js';
import type { OperationStores } from './stores.js';
import type { Api } from '../http/api.js';
import { iso } from '../contract/time.js';
import { Type, type Static } from 'typebox';
import { closed, nameEnums, nameSchemas, nullable, oneOf, timestamp } from '../contract/schema.js';

const SEARCHED = [
  'message',
  'contact',
  'template',
  'campaign',
  'list',
  'sub_tenant',
  'sender',
  'suppression',
] as const;
type Searched = (typeof SEARCHED)[number];

const searchQuery = closed({
  q: Type.String({
    minLength: 2,
    maxLength: 200,
    description: 'An ID, a full address, or part of an address, name or subject.',
    examples: ['ann'],
  }),
  type: Type.Optional(
    Type.Array(oneOf(SEARCHED), {
      minItems: 1,
      maxItems: SEARCHED.length,
      description: 'Object types to search, separated by commas. Defaults to all types.',
    }),
  ),
  limit: Type.Optional(
    Type.Integer({ minimum: 1, maximum: 20, default: 5, description: 'Maximum number of results per type.' }),
  ),
});

const result = Type.Object({
  object: Type.Literal('search_result'),
  type: oneOf(SEARCHED),
  id: Type.String(),
  title: Type.String({ description: "The object's name, address or subject." }),
  detail: nullable(
    Type.String({
      description: 'A further detail that identifies the object, for example an address, slug or domain.',
    }),
  ),
  status: nullable(Type.String()),
  sub_tenant_id: nullable(Type.String()),
  created_at: timestamp,
});
type SearchResult = Static<typeof result>;

const searchAnswer = Type.Object({
  object: Type.Literal('search'),
  q: Type.String(),
  data: Type.Array(result, { description: 'Results grouped by type, newest first within each type.' }),
  more: Type.Array(oneOf(SEARCHED), {
    description:
      'Types that may have more results than shown. Use the same `q` with the list operation of that type.',
  }),
});

nameSchemas({ Search: searchAnswer, SearchResult: result });
nameEnums({ SearchResultType: SEARCHED });

type SearchedStores = Pick<
  OperationStores,
  'messages' | 'suppressions' | 'contacts' | 'templates' | 'campaigns' | 'lists' | 'tenants' | 'domains'
>;

const DEFAULT_LIMIT = 5;
/** A complete ID. */
const ID = /^[a-z]{2,4}_[0-9a-z]{26}$/;

type Found = Omit<SearchResult, 'object' | 'type'>;
type Look = (scope: Scope, q: string, page: PageRequest) => Promise<Page<Found>>;

export function searchRoutes(app: Api, { store }: { store: SearchedStores }): void {
  const byText = looksByText(store);
  const byId = looksById(store);
  app.get(
    '/v1/search',
    {
      schema: {
        operationId: 'search.find',
        tags: ['Search'],
        summary: 'Search the workspace',
        description:
          'Searches messages, contacts and all other objects, and returns a few results of each type. Partial text is matched against the newest 50,000 messages; a full address or an ID finds older messages too.',
        querystring: searchQuery,
        response: { 200: searchAnswer },
      },
    },
    async (request) => {
      const { scope } = request.caller;
      const { type: types = SEARCHED, limit = DEFAULT_LIMIT } = request.query;
      const q = request.query.q.trim();
      const data: SearchResult[] = [];
      const more: Searched[] = [];
      for (const type of SEARCHED.filter((one) => types.includes(one))) {
        const look = ID.test(q) ? byId[type] : byText[type];
        const { rows, next } =
          q === '' ? { rows: [], next: null } : await look(scope, q, { limit, after: null });
        data.push(...rows.map((row) => ({ object: 'search_result' as const, type, ...row })));
        if (next !== null) more.push(type);
      }
      return { object: 'search' as const, q, data, more };
    },
  );
}

interface Dated {
  id: string;
  created_at: number;
  sub_tenant_id?: string | null;
}

function found(row: Dated, title: string, detail: string | null, status: string | null): Found {
  const { id, sub_tenant_id: subTenantId = null } = row;
  return { id, title, detail, status, sub_tenant_id: subTenantId, created_at: iso(row.created_at) };
}

function shown<Row>({ rows, next }: Page<Row>, present: (row: Row) => Found): Page<Found> {
  return { rows: rows.map(present), next };
}

type MessageRow = Awaited<ReturnType<OperationStores['messages']['messages']>>['rows'][number];
const ofMessage = (row: MessageRow): Found =>
  found({ ...row, id: row.public_id }, row.subject, row.to_email, row.status);
const ofContact = (row: Dated & { email: string; name: string | null; status: string }): Found =>
  found(row, row.name ?? row.email, row.email, row.status);
const ofTemplate = (row: Dated & { name: string; slug: string }): Found =>
  found(row, row.name, row.slug, null);
const ofCampaign = (row: Dated & { name: string; subject: string | null; status: string }): Found =>
  found(row, row.name, row.subject, row.status);
const ofList = (row: Dated & { name: string; description: string | null }): Found =>
  found(row, row.name, row.description, null);
const ofSubTenant = (row: Dated & { name: string; sending_domain: string; status: string }): Found =>
  found({ ...row, sub_tenant_id: row.id }, row.name, row.sending_domain, row.status);
const ofSender = (row: Dated & { identity: string; name: string | null; status: string }): Found =>
  found(row, row.identity, row.name, row.status);
const ofSuppression = (row: Dated & { email: string; reason: string; sub_tenant_key: string }): Found =>
  found({ ...row, sub_tenant_id: row.sub_tenant_key || null }, row.email, row.reason, null);

function looksByText(store: SearchedStores): Record<Searched, Look> {
  return {
    message: async (scope, q, page) => {
      const isAddress = addressProblem(q, { utf8Local: true }) === null;
      const filter = isAddress ? { toKeys: [addressKey(q)] } : { q };
      return shown(await store.messages.messages(scope, page, filter), ofMessage);
    },
    contact: async (scope, q, page) => shown(await store.contacts.contacts(scope, page, { q }), ofContact),
    template: async (scope, q, page) =>
      shown(await store.templates.templates(scope, page, { q }), ofTemplate),
    campaign: async (scope, q, page) =>
      shown(await store.campaigns.campaigns(scope, page, { q }), ofCampaign),
    list: async (scope, q, page) => shown(await store.lists.lists(scope, page, { q }), ofList),
    sub_tenant: async (scope, q, page) =>
      shown(await store.tenants.subTenants(scope, page, { q }), ofSubTenant),
    sender: async (scope, q, page) => shown(await store.domains.senders(scope, page, { q }), ofSender),
    suppression: async (scope, q, page) =>
      shown(await store.suppressions.suppressions(scope, page, { q }), ofSuppression),
  };
}

function looksById(store: SearchedStores): Record<Searched, Look> {
  const one =
    <Row>(
      prefix: string,
      read: (scope: Scope, id: string) => Promise<Row | null>,
      present: (row: Row) => Found,
    ): Look =>
    async (scope, id) => {
      const row = id.startsWith(prefix) ? await read(scope, id) : null;
      return { rows: row === null ? [] : [present(row)], next: null };
    };
  return {
    message: one('msg_', (scope, id) => store.messages.message(scope, id), ofMessage),
    contact: one('cnt_', (scope, id) => store.contacts.contact(scope, id), ofContact),
    template: one('tpl_', (scope, id) => store.templates.template(scope, id), ofTemplate),
    campaign: one('cmp_', (scope, id) => store.campaigns.campaign(scope, id), ofCampaign),
    list: one('lst_', (scope, id) => store.lists.list(scope, id), ofList),
    sub_tenant: one('tnt_', (scope, id) => store.tenants.subTenant(scope, id), ofSubTenant),
    sender: one('snd_', (scope, id) => store.domains.sender(scope, id), ofSender),
    suppression: one('sup_', (scope, id) => store.suppressions.suppression(scope, id), ofSuppression),
  };
}
