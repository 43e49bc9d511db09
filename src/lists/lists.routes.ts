// Lists: made, read, changed and deleted; their tags and how they grew. Members have a file of their own.
import {
  contactListCreate,
  contactListObject,
  contactListPatch,
  contactListQuery,
  contactLists,
  growthQuery,
  listGrowth,
  listPreview,
  listPreviewRequest,
  listTags,
} from './contact-list.schema.js';
import { invalidFields, Refusal } from '../contract/refusal.js';
import { deleted, idParams } from '../contract/schema.js';
import { listsNamedBy, readSegment, type SegmentGroup } from '../contacts/lists/segment.rules.js';
import type { Clock } from '../lib/runtime/clock.js';
import { newId } from '../lib/runtime/ids.js';
import type { ContactList } from '../contacts/lists/lists.tables.js';
import type { Scope } from '../database/scope.js';
import type { ListStores } from './stores.js';
import type { SegmentCounts } from './segment-counts.js';
import type { SignUp } from './sign-up/sign-up.js';
import type { Api } from '../http/api.js';
import { listAnswer, readPage } from '../http/lists/pages.js';
import { presentContact } from '../contacts/contact.view.js';
import { presentContactList, presentGrowth } from './contact-list.view.js';
import { scopeWithField } from '../tenants/scope.routes.js';
import { contactLists as contactListsTable } from '../contacts/lists/lists.tables.js';
import { insert, update } from '../database/rows.js';

const tags = ['Lists'];
const DAY_MS = 86_400_000;
const DEFAULT_WINDOW_DAYS = 30;
const PREVIEW_SAMPLE = 10;
const GONE = { code: 'not_found' } as const;

export interface ListRouteDeps {
  store: Pick<ListStores, 'lists' | 'templates' | 'tenants' | 'commit'>;
  segmentCounts: SegmentCounts;
  signUp: Pick<SignUp, 'pageUrl'>;
  clock: Clock;
}

export function listRoutes(app: Api, deps: ListRouteDeps): void {
  collectionRoutes(app, deps);
  previewRoute(app, deps);
  objectRoutes(app, deps);
  insightRoutes(app, deps);
}

/** A list of the scope. Refused with `not_found`. */
export async function findList(
  store: Pick<ListStores, 'lists'>,
  scope: Scope,
  id: string,
): Promise<ContactList> {
  const list = await store.lists.list(scope, id);
  if (!list) throw new Refusal('not_found');
  return list;
}

/** Shows lists with the address of their page. */
export function presenter({ signUp }: Pick<ListRouteDeps, 'signUp'>) {
  return (list: ContactList, { mode }: Scope) => presentContactList(list, signUp.pageUrl(list, mode));
}

function collectionRoutes(app: Api, deps: ListRouteDeps): void {
  const { store, segmentCounts, clock } = deps;
  const present = presenter(deps);

  app.get(
    '/v1/lists',
    {
      schema: {
        operationId: 'lists.list',
        tags,
        summary: 'List lists',
        description: 'Returns lists and segments, newest first.',
        querystring: contactListQuery,
        response: { 200: contactLists },
      },
    },
    async (request) => {
      const { scope } = request.caller;
      const { q } = request.query;
      const page = await store.lists.lists(scope, readPage(request), q === undefined ? {} : { q });
      for (const row of page.rows) await segmentCounts.counted(row, { inBackground: true });
      return listAnswer(request, page, (row) => present(row, scope));
    },
  );

  app.post(
    '/v1/lists',
    {
      schema: {
        operationId: 'lists.create',
        tags,
        summary: 'Create a list',
        description:
          'Creates a list that contacts join and leave. If you pass a `filter`, it is a segment whose members are determined by the filter.',
        body: contactListCreate,
        response: { 201: contactListObject },
      },
    },
    async (request, reply) => {
      const { body, caller } = request;
      const scope = await scopeWithField(store.tenants, caller.scope, body.sub_tenant_id);
      const templateId = body.confirmation_template_id ?? null;
      await checkTemplate(store, scope, templateId);
      const filter = await readFilter(store, scope, body.filter ?? null);
      const now = clock();
      const row = {
        id: newId('lst', now),
        environment_id: scope.environmentId,
        sub_tenant_id: scope.subTenantId,
        name: body.name,
        description: body.description ?? null,
        double_opt_in: body.double_opt_in === true ? (1 as const) : (0 as const),
        confirmation_template_id: templateId,
        filter,
        contacts: 0,
        counted_at: null,
        form_origins: JSON.stringify(readOrigins(body.form_origins ?? [])),
        created_at: now,
        updated_at: now,
        deleted_at: null,
      };
      await store.commit([insert(contactListsTable, { row })]);
      const made = await segmentCounts.counted(await findList(store, scope, row.id));
      return reply.status(201).send(present(made, scope));
    },
  );
}

function previewRoute(app: Api, { store, clock }: ListRouteDeps): void {
  app.post(
    '/v1/lists/preview',
    {
      schema: {
        operationId: 'lists.preview',
        tags,
        summary: 'Preview a segment',
        description:
          'Counts the contacts that match a filter and returns a sample of them. Nothing is saved.',
        body: listPreviewRequest,
        response: { 200: listPreview },
      },
      config: { reading: 'request' },
    },
    async (request) => {
      const { body, caller } = request;
      const scope = await scopeWithField(store.tenants, caller.scope, body.sub_tenant_id);
      const filter = await readFilter(store, scope, body.filter);
      if (filter === null)
        throw invalidFields([{ path: 'filter', message: 'must not be null for a segment' }]);
      const audience = { list: unsavedSegment(scope, filter, clock()), segmentTag: null };
      const contacts = await store.lists.audienceCount(audience);
      const sample = await store.lists.audiencePage({
        ...audience,
        beforeNumber: null,
        limit: PREVIEW_SAMPLE,
      });
      return { object: 'list_preview' as const, contacts, sample: sample.map(presentContact) };
    },
  );
}

/** A segment that has no row: nobody has left it. */
function unsavedSegment(scope: Scope, filter: string, now: number): ContactList {
  return {
    ...{ number: 0, id: '', name: '', description: null, double_opt_in: 0, confirmation_template_id: null },
    ...{ environment_id: scope.environmentId, sub_tenant_id: scope.subTenantId, filter },
    ...{ form_key: null, form_origins: '[]' },
    ...{ contacts: 0, counted_at: null, created_at: now, updated_at: now, deleted_at: null },
  };
}

function objectRoutes(app: Api, deps: ListRouteDeps): void {
  const { store, segmentCounts, clock } = deps;
  const present = presenter(deps);

  app.get(
    '/v1/lists/:id',
    {
      schema: {
        operationId: 'lists.get',
        tags,
        summary: 'Retrieve a list',
        description: 'Returns a list or segment with its number of contacts.',
        params: idParams,
        response: { 200: contactListObject },
      },
    },
    async (request) => {
      const { scope } = request.caller;
      const list = await findList(store, scope, request.params.id);
      return present(await segmentCounts.counted(list), scope);
    },
  );

  app.patch(
    '/v1/lists/:id',
    {
      schema: {
        operationId: 'lists.update',
        tags,
        summary: 'Update a list',
        description: 'Changes the given fields of a list. A list cannot be converted to or from a segment.',
        params: idParams,
        body: contactListPatch,
        response: { 200: contactListObject },
      },
    },
    async (request) => {
      const { scope } = request.caller;
      const list = await findList(store, scope, request.params.id);
      const set = await changesOf(store, { ...scope, subTenantId: list.sub_tenant_id }, list, request.body);
      if (set.filter !== undefined) segmentCounts.forget(list.number);
      const where = { number: list.number, deleted_at: null };
      const whole = { ...set, updated_at: clock() };
      await store.commit([update(contactListsTable, { set: whole, where, otherwise: GONE })]);
      const changed = await findList(store, scope, list.id);
      return present(await segmentCounts.counted(changed), scope);
    },
  );

  app.delete(
    '/v1/lists/:id',
    {
      schema: {
        operationId: 'lists.delete',
        tags,
        summary: 'Delete a list',
        description: 'Deletes a list. Its contacts are not deleted.',
        params: idParams,
        response: { 200: deleted('contact_list') },
      },
    },
    async (request) => {
      const { id, number } = await findList(store, request.caller.scope, request.params.id);
      const now = clock();
      const set = { deleted_at: now, updated_at: now };
      const where = { number, deleted_at: null };
      await store.commit([update(contactListsTable, { set, where, otherwise: GONE })]);
      return { id, object: 'contact_list' as const, deleted: true as const };
    },
  );
}

function insightRoutes(app: Api, { store, segmentCounts, clock }: ListRouteDeps): void {
  app.get(
    '/v1/lists/:id/tags',
    {
      schema: {
        operationId: 'lists.listTags',
        tags,
        summary: "List a list's tags",
        description:
          'Returns the distinct tags of the subscribed members, with the number of members for each. If there are more than 10,000 tags, only the most frequent are returned.',
        params: idParams,
        response: { 200: listTags },
      },
    },
    async (request) => {
      const list = await findList(store, request.caller.scope, request.params.id);
      const data = await store.lists.tags(list);
      return { object: 'list' as const, data, has_more: false as const, next_cursor: null };
    },
  );

  app.get(
    '/v1/lists/:id/growth',
    {
      schema: {
        operationId: 'lists.getGrowth',
        tags,
        summary: "Retrieve a list's growth",
        description: 'Returns the number of contacts who joined and left a list, by day.',
        params: idParams,
        querystring: growthQuery,
        response: { 200: listGrowth },
      },
    },
    async (request) => {
      const found = await findList(store, request.caller.scope, request.params.id);
      const list = await segmentCounts.counted(found);
      const windowDays = request.query.window_days ?? DEFAULT_WINDOW_DAYS;
      const today = Math.floor(clock() / DAY_MS);
      const days = await store.lists.growth(list.number, today - windowDays + 1);
      return presentGrowth(list, days, { today, windowDays });
    },
  );
}

interface Edit {
  name?: string;
  description?: string | null;
  double_opt_in?: boolean;
  confirmation_template_id?: string | null;
  filter?: Record<string, unknown> | null;
  form_origins?: string[];
}

async function changesOf(store: ListRouteDeps['store'], scope: Scope, list: ContactList, body: Edit) {
  const { name, description, double_opt_in: doubleOptIn, confirmation_template_id: templateId } = body;
  if (templateId !== undefined) await checkTemplate(store, scope, templateId);
  const isSegment = list.filter !== null;
  if (body.filter !== undefined && (body.filter !== null) !== isSegment) {
    const message = isSegment
      ? 'a segment must have a filter'
      : 'a list that is not a segment cannot have a filter';
    throw invalidFields([{ path: 'filter', message }]);
  }
  const filter = body.filter ? await readFilter(store, scope, body.filter) : null;
  const { form_origins: origins } = body;
  return {
    ...(name === undefined ? {} : { name }),
    ...(description === undefined ? {} : { description }),
    ...(doubleOptIn === undefined ? {} : { double_opt_in: doubleOptIn ? (1 as const) : (0 as const) }),
    ...(templateId === undefined ? {} : { confirmation_template_id: templateId }),
    ...(origins === undefined ? {} : { form_origins: JSON.stringify(readOrigins(origins)) }),
    ...(filter === null || filter === list.filter ? {} : { filter, counted_at: null }),
  };
}

/** As browsers write them; refused when one is more than scheme, host and port. */
function readOrigins(origins: readonly string[]): string[] {
  const problems = origins.flatMap((text, i) => {
    const isOrigin =
      /^https?:/.test(text) && URL.canParse(text) && new URL(text).origin === text.toLowerCase();
    return isOrigin
      ? []
      : [{ path: `form_origins.${i}`, message: 'must be a web origin such as https://www.example.com' }];
  });
  if (problems.length > 0) throw invalidFields(problems);
  return [...new Set(origins.map((text) => text.toLowerCase()))];
}

async function checkTemplate(
  store: Pick<ListStores, 'templates'>,
  scope: Scope,
  templateId: string | null,
): Promise<void> {
  if (templateId === null || (await store.templates.template(scope, templateId))) return;
  throw new Refusal('template_not_found', undefined, { param: 'confirmation_template_id' });
}

/** The filter as it is kept; refused with every problem by its path, lists that are not there included. */
async function readFilter(
  store: Pick<ListStores, 'lists'>,
  scope: Scope,
  input: Record<string, unknown> | null,
): Promise<string | null> {
  if (input === null) return null;
  const read = readSegment(input, 'filter');
  if (!read.ok) throw invalidFields(read.problems);
  await checkLists(store, scope, read.filter);
  return JSON.stringify(read.filter);
}

async function checkLists(
  store: Pick<ListStores, 'lists'>,
  scope: Scope,
  filter: SegmentGroup,
): Promise<void> {
  for (const id of listsNamedBy(filter)) {
    const list = await store.lists.list(scope, id);
    if (list?.sub_tenant_id !== scope.subTenantId) {
      throw new Refusal('list_not_found', `The filter refers to a list that does not exist: ${id}.`, {
        param: 'filter',
      });
    }
    if (list.filter !== null) {
      throw invalidFields([
        { path: 'filter', message: `${id} is a segment. A segment cannot be based on another segment` },
      ]);
    }
  }
}
