// Saved blocks: blocks of template designs, kept under a name for other templates.
import type { Api } from '../http/api.js';
import { resource } from '../http/lists/resource.js';
import { wireOf } from '../contract/codec.js';
import { invalidFields, Refusal } from '../contract/refusal.js';
import { idParams } from '../contract/schema.js';
import { changeTime } from '../contract/time.js';
import { groupedDigits } from '../lib/rows/grouped-digits.js';
import type { Clock } from '../lib/runtime/clock.js';
import { newId } from '../lib/runtime/ids.js';
import type { Scope } from '../database/scope.js';
import type { TemplateStores } from './stores.js';
import { scopeWithField } from '../tenants/scope.routes.js';
import {
  MAX_BLOCK_CHARACTERS,
  savedBlock,
  savedBlockCreate,
  savedBlockQuery,
  savedBlockUpdate,
} from './saved-block.schema.js';
import { type SavedBlock, savedBlocks } from './templates.tables.js';
import { update, remove, insert } from '../database/rows.js';

/** Limits the saved blocks of a workspace, and those of each sub-tenant, in one environment. */
const MAX_SAVED_BLOCKS = 100;

export interface SavedBlockDeps {
  store: Pick<TemplateStores, 'savedBlocks' | 'tenants' | 'commit'>;
  clock: Clock;
}

const tags = ['Saved blocks'];
const presentSavedBlock = wireOf(savedBlock).from<SavedBlock>();

export function savedBlockRoutes(app: Api, deps: SavedBlockDeps): void {
  const { store, clock } = deps;
  createRoute(app, deps);
  const plain = resource(app, {
    path: '/v1/saved-blocks',
    operations: 'savedBlocks',
    tag: 'Saved blocks',
    object: 'saved_block',
    schema: savedBlock,
  });
  plain.list({
    summary: 'List saved blocks',
    description:
      "Returns the workspace's saved blocks and, if requested, those of one sub-tenant. A sub-tenant's key always gets its own blocks and the workspace's.",
    query: savedBlockQuery,
    read: async ({ caller, query: { q, sub_tenant_id: owner } }, page) => {
      const scope = await scopeWithField(store.tenants, caller.scope, owner);
      return store.savedBlocks.savedBlocks(scope, page, q === undefined ? {} : { q });
    },
    present: (row) => presentSavedBlock(row),
  });
  app.patch(
    '/v1/saved-blocks/:id',
    {
      schema: {
        operationId: 'savedBlocks.update',
        tags,
        summary: 'Rename a saved block',
        description: 'Changes the name of a saved block. Its content cannot be changed.',
        params: idParams,
        body: savedBlockUpdate,
        response: { 200: savedBlock },
      },
    },
    async (request) => {
      const before = await findOwned(store, request.caller.scope, request.params.id);
      const set = { name: request.body.name, updated_at: changeTime(before, clock()) };
      const { id } = before;
      await store.commit([update(savedBlocks, { set, where: { id }, otherwise: { code: 'not_found' } })]);
      return presentSavedBlock({ ...before, ...set });
    },
  );
  plain.remove({
    summary: 'Delete a saved block',
    description: 'Deletes a saved block. Templates that contain a copy of it are not changed.',
    remove: async ({ caller, params }) => {
      const { id } = await findOwned(store, caller.scope, params.id);
      await store.commit([remove(savedBlocks, { where: { id }, otherwise: { code: 'not_found' } })]);
    },
  });
}

function createRoute(app: Api, { store, clock }: SavedBlockDeps): void {
  app.post(
    '/v1/saved-blocks',
    {
      schema: {
        operationId: 'savedBlocks.create',
        tags,
        summary: 'Create a saved block',
        description: `Saves a block of a template design for reuse. A workspace and each of its sub-tenants can save up to ${MAX_SAVED_BLOCKS} blocks per environment.`,
        body: savedBlockCreate,
        response: { 201: savedBlock },
      },
    },
    async (request, reply) => {
      const { name, block, sub_tenant_id: owner } = request.body;
      const scope = await scopeWithField(store.tenants, request.caller.scope, owner);
      const json = JSON.stringify(block);
      if (json.length > MAX_BLOCK_CHARACTERS) {
        const limit = groupedDigits(MAX_BLOCK_CHARACTERS);
        throw invalidFields([{ path: 'block', message: `must not exceed ${limit} characters of JSON` }]);
      }
      if ((await store.savedBlocks.countSavedBlocks(scope)) >= MAX_SAVED_BLOCKS) {
        throw new Refusal(
          'conflict',
          `You have reached the limit of ${MAX_SAVED_BLOCKS} saved blocks. Delete one first.`,
        );
      }
      const now = clock();
      const row: SavedBlock = {
        id: newId('sbk', now),
        environment_id: scope.environmentId,
        sub_tenant_id: scope.subTenantId,
        name,
        block: json,
        created_at: now,
        updated_at: now,
      };
      await store.commit([insert(savedBlocks, { row })]);
      return reply.status(201).send(presentSavedBlock(row));
    },
  );
}

/** Returns a block that the scope may change. Refuses an unknown one, and one of the workspace to a sub-tenant. */
async function findOwned(store: SavedBlockDeps['store'], scope: Scope, id: string): Promise<SavedBlock> {
  const found = await store.savedBlocks.savedBlock(scope, id);
  if (found === null) throw new Refusal('not_found');
  if (scope.subTenantId === null || scope.subTenantId === found.sub_tenant_id) return found;
  throw new Refusal('forbidden', 'This saved block belongs to the workspace.');
}
