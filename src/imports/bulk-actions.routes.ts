// Bulk actions: one action for all messages or contacts that a filter finds, first as a dry run, then in the background.
import type { FastifyReply } from 'fastify';
import {
  bulkAction,
  bulkActionQuery,
  bulkOnContacts,
  bulkOnMessages,
  bulkPreview,
  type BulkAction,
} from './bulk-action.schema.js';
import { listOf } from '../contract/lists.js';
import { fieldsOfRefusal, invalidFields, Refusal } from '../contract/refusal.js';
import { idParams } from '../contract/schema.js';
import type { Scope } from '../database/scope.js';
import type { ImportContext } from './context.js';
import type { ImportStores } from './stores.js';
import type { BulkRequest } from './bulk-actions.js';
import type { BulkDeed } from './bulk-record.js';
import type { Transfers } from './transfers.js';
import type { Api } from '../http/api.js';
import { assertContactFields, callConsent } from '../contacts/fields.routes.js';
import { readInstant } from '../http/body/fields.js';
import { readMessageFilter } from '../messages/filter.routes.js';
import { listAnswer, readPage } from '../http/lists/pages.js';
import { presentBulkAction, presentBulkPreview } from './bulk-action.view.js';
import { messageSubmitter } from '../http/access/caller.js';

const tags = ['Bulk actions'];
/** One audit entry shows the request of the whole action. */
const audited = { audit: { shows: ['tags', 'list_id', 'filter.tag'] } };
const HOW =
  'First finds all matching objects, then changes each of them under the same rules as the operation on a single object. Objects that match later are not changed. With `dry_run`, nothing is changed, and the response (200) has the number of matches and a sample.';

export function bulkActionRoutes(
  app: Api,
  { store }: Pick<ImportContext, 'store'>,
  transfers: Transfers,
): void {
  messagesRoute(app, transfers);
  contactsRoute(app, store, transfers);
  readRoutes(app, store, transfers);
}

function messagesRoute(app: Api, transfers: Transfers): void {
  app.post(
    '/v1/bulk-actions/messages',
    {
      config: audited,
      schema: {
        operationId: 'bulkActions.createForMessages',
        tags,
        summary: 'Apply an action to messages',
        description: `Resends or cancels all messages that match a filter, or suppresses their recipients. ${HOW} Each message is resent only once, even if the action is interrupted, and counts toward the plan.`,
        body: bulkOnMessages,
        response: { 200: bulkPreview, 202: bulkAction },
      },
    },
    async (request, reply) => {
      const { action, filter, reason = 'manual', dry_run: isDryRun = false } = request.body;
      const { scope } = request.caller;
      const wanted = underFilter(() => readMessageFilter(filter, scope));
      const { actor, keyId } = messageSubmitter(request.caller);
      const deed = { action, tags: [], reason, actor, keyId };
      const asked: BulkRequest = {
        deed,
        wanted: { target: 'messages', filter: wanted?.filter ?? null },
        asked: filter,
      };
      return answer(transfers, reply, { scope: wanted?.scope ?? scope, asked, isDryRun });
    },
  );
}

function contactsRoute(app: Api, store: ImportStores, transfers: Transfers): void {
  app.post(
    '/v1/bulk-actions/contacts',
    {
      config: audited,
      schema: {
        operationId: 'bulkActions.createForContacts',
        tags,
        summary: 'Apply an action to contacts',
        description: `Adds or removes tags on all contacts that match a filter, adds them to a list, removes them from it, or suppresses or deletes them. ${HOW}`,
        body: bulkOnContacts,
        response: { 200: bulkPreview, 202: bulkAction },
      },
    },
    async (request, reply) => {
      const { action, filter, tags: tagList, reason = 'manual', dry_run: isDryRun = false } = request.body;
      const { list_id: changedListId } = request.body;
      assertOnlyFor(['tag', 'untag'], action, { path: 'tags', isGiven: tagList !== undefined });
      assertOnlyFor(['add_to_list', 'remove_from_list'], action, {
        path: 'list_id',
        isGiven: changedListId !== undefined,
      });
      assertContactFields({ tags: tagList });
      const { q, tag, status, list_id: listId, created_after: after, created_before: before } = filter;
      const wanted = underFilter(() => ({
        ...(q === undefined ? {} : { q }),
        ...(tag === undefined ? {} : { tag }),
        ...(status === undefined ? {} : { status }),
        ...(listId === undefined ? {} : { listId }),
        ...(after === undefined ? {} : { createdAfter: readInstant('created_after', after) }),
        ...(before === undefined ? {} : { createdBefore: readInstant('created_before', before) }),
      }));
      const { actor, keyId } = messageSubmitter(request.caller);
      const { scope } = request.caller;
      const deed: BulkDeed = {
        action,
        tags: [...new Set(tagList)],
        reason,
        ...(changedListId === undefined
          ? {}
          : { list: { ...(await openList(store, scope, changedListId)), consent: callConsent(request) } }),
        actor,
        keyId,
      };
      const asked: BulkRequest = { deed, wanted: { target: 'contacts', filter: wanted }, asked: filter };
      return answer(transfers, reply, { scope, asked, isDryRun });
    },
  );
}

/** Refuses a field that the action needs and lacks, or does not use. */
function assertOnlyFor(
  actions: readonly BulkAction[],
  action: BulkAction,
  { path, isGiven }: { path: string; isGiven: boolean },
): void {
  const isNeeded = actions.includes(action);
  if (isNeeded === isGiven) return;
  const message = isNeeded
    ? `is required to ${action}`
    : `is only for ${actions.join(' and ')}. Omit it to ${action}`;
  throw invalidFields([{ path, message }]);
}

/** Refused with `list_not_found` and `list_is_segment`. */
async function openList(store: Pick<ImportStores, 'lists'>, scope: Scope, listId: string) {
  const list = await store.lists.list(scope, listId);
  if (!list) throw new Refusal('list_not_found', undefined, { param: 'list_id' });
  if (list.filter !== null) throw new Refusal('list_is_segment', undefined, { param: 'list_id' });
  return { id: list.id, number: list.number };
}

/** Names refused fields as parts of the filter. */
function underFilter<T>(read: () => T): T {
  try {
    return read();
  } catch (error) {
    const fields = fieldsOfRefusal(error);
    if (fields === null) throw error;
    throw invalidFields(fields.map(({ path, message }) => ({ path: `filter.${path}`, message })));
  }
}

async function answer(
  transfers: Transfers,
  reply: FastifyReply,
  { scope, asked, isDryRun }: { scope: Scope; asked: BulkRequest; isDryRun: boolean },
) {
  if (isDryRun) {
    const found = await transfers.previewBulkAction(scope, asked);
    return reply.status(200).send(presentBulkPreview(found, asked.wanted, asked.deed.action));
  }
  return reply.status(202).send(presentBulkAction(await transfers.startBulkAction(scope, asked)));
}

function readRoutes(app: Api, store: ImportStores, transfers: Transfers): void {
  app.get(
    '/v1/bulk-actions',
    {
      schema: {
        operationId: 'bulkActions.list',
        tags,
        summary: 'List bulk actions',
        description: 'Returns the bulk actions of the environment, newest first.',
        querystring: bulkActionQuery,
        response: { 200: listOf(bulkAction) },
      },
    },
    async (request) => {
      const page = await store.transfers.transfers(request.caller.scope, 'bulk_action', readPage(request));
      return listAnswer(request, page, presentBulkAction);
    },
  );

  app.get(
    '/v1/bulk-actions/:id',
    {
      schema: {
        operationId: 'bulkActions.get',
        tags,
        summary: 'Retrieve a bulk action',
        description: 'Returns the status, progress and failures of a bulk action.',
        params: idParams,
        response: { 200: bulkAction },
      },
    },
    async (request) => {
      const found = await store.transfers.transfer(request.caller.scope, 'bulk_action', request.params.id);
      if (!found) throw new Refusal('not_found');
      return presentBulkAction(found);
    },
  );

  app.post(
    '/v1/bulk-actions/:id/cancel',
    {
      config: { optionalBody: true },
      schema: {
        operationId: 'bulkActions.cancel',
        tags,
        summary: 'Cancel a bulk action',
        description: 'Stops a bulk action. Changes already made are not undone.',
        params: idParams,
        response: { 200: bulkAction },
      },
    },
    async (request) =>
      presentBulkAction(await transfers.cancel(request.caller.scope, 'bulk_action', request.params.id)),
  );
}
