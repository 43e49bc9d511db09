// Lists and segments, with their tags, growth and publishable keys. Members have their own file.
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
import { deleted, idParams } from '../contract/schema.js';
import type { ContactList } from '../contacts/lists/lists.tables.js';
import type { Scope } from '../database/scope.js';
import type { ListContext } from './context.js';
import {
  createList,
  deleteList,
  editList,
  findList,
  previewSegment,
  rotatePublishableKey,
  setFormKey,
} from './lists.js';
import type { SegmentCounts } from './segment-counts.js';
import type { SignUps } from './sign-up/sign-up.js';
import type { Api } from '../http/api.js';
import { listAnswer, readPage } from '../http/lists/pages.js';
import { presentContact } from '../contacts/contact.view.js';
import { presentContactList, presentGrowth } from './contact-list.view.js';
import { scopeWithField } from '../tenants/scope.routes.js';

const tags = ['Lists'];
const DAY_MS = 86_400_000;
const DEFAULT_WINDOW_DAYS = 30;

/** Objects that the routes share with the rest of the module. */
interface Shared {
  segmentCounts: SegmentCounts;
  signUps: SignUps;
}

export function listRoutes(app: Api, context: ListContext, shared: Shared): void {
  collectionRoutes(app, context, shared);
  previewRoute(app, context);
  objectRoutes(app, context, shared);
  insightRoutes(app, context, shared);
  publishableKeyRoutes(app, context, shared);
}

/** Presents lists with the URLs of their sign-up pages. */
function presenter({ signUps }: Shared) {
  return (list: ContactList, { mode }: Scope) => presentContactList(list, signUps.pageUrl(list, mode));
}

function collectionRoutes(app: Api, context: ListContext, shared: Shared): void {
  const { store } = context;
  const { segmentCounts } = shared;
  const present = presenter(shared);

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
      const made = await segmentCounts.counted(await createList(context, scope, body));
      return reply.status(201).send(present(made, scope));
    },
  );
}

function previewRoute(app: Api, context: ListContext): void {
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
      const scope = await scopeWithField(context.store.tenants, caller.scope, body.sub_tenant_id);
      const { contacts, sample } = await previewSegment(context, scope, body.filter);
      return { object: 'list_preview' as const, contacts, sample: sample.map(presentContact) };
    },
  );
}

function objectRoutes(app: Api, context: ListContext, shared: Shared): void {
  const { store } = context;
  const { segmentCounts } = shared;
  const present = presenter(shared);

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
      const changed = await editList(context, segmentCounts, { scope, list }, request.body);
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
      const list = await findList(store, request.caller.scope, request.params.id);
      await deleteList(context, list);
      return { id: list.id, object: 'contact_list' as const, deleted: true as const };
    },
  );
}

function insightRoutes(app: Api, { store, clock }: ListContext, { segmentCounts }: Shared): void {
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

function publishableKeyRoutes(app: Api, context: ListContext, shared: Shared): void {
  const present = presenter(shared);

  app.post(
    '/v1/lists/:id/publishable-key',
    {
      schema: {
        operationId: 'lists.rotatePublishableKey',
        tags,
        summary: "Create or replace a list's publishable key",
        description:
          'Returns a key with which a form on any website can sign up contacts: `POST /v1/subscribe` as `application/x-www-form-urlencoded` with `email`, `name`, `list_key`, `metadata[key]` and `redirect_url`. The previous key stops working.',
        params: idParams,
        response: { 200: contactListObject },
      },
    },
    async (request) => {
      const { scope } = request.caller;
      return present(await rotatePublishableKey(context, scope, request.params.id), scope);
    },
  );

  app.delete(
    '/v1/lists/:id/publishable-key',
    {
      schema: {
        operationId: 'lists.deletePublishableKey',
        tags,
        summary: "Revoke a list's publishable key",
        description: 'Revokes the publishable key of a list. Forms that use it stop working.',
        params: idParams,
        response: { 200: contactListObject },
      },
    },
    async (request) => {
      const { scope } = request.caller;
      return present(await setFormKey(context, scope, request.params.id, null), scope);
    },
  );
}
