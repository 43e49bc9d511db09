// Saved blocks: blocks of template designs, kept under a name for other templates.
import type { Api } from '../http/api.js';
import { resource } from '../http/lists/resource.js';
import { idParams } from '../contract/schema.js';
import { scopeWithField } from '../tenants/scope.routes.js';
import { savedBlock, savedBlockCreate, savedBlockQuery, savedBlockUpdate } from './saved-block.schema.js';
import type { TemplateContext } from './context.js';
import { deleteBlock, MAX_SAVED_BLOCKS, renameBlock, saveBlock } from './saved-blocks.js';
import { presentSavedBlock } from './saved-block.view.js';

const tags = ['Saved blocks'];

export function savedBlockRoutes(app: Api, context: Pick<TemplateContext, 'store' | 'clock'>): void {
  createRoute(app, context);
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
      const scope = await scopeWithField(context.store.tenants, caller.scope, owner);
      return context.store.savedBlocks.savedBlocks(scope, page, q === undefined ? {} : { q });
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
      const { body, caller, params } = request;
      const { name } = body;
      return presentSavedBlock(await renameBlock(context, caller.scope, { id: params.id, name }));
    },
  );
  plain.remove({
    summary: 'Delete a saved block',
    description: 'Deletes a saved block. Templates that contain a copy of it are not changed.',
    remove: ({ caller, params }) => deleteBlock(context, caller.scope, params.id),
  });
}

function createRoute(app: Api, context: Pick<TemplateContext, 'store' | 'clock'>): void {
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
      const scope = await scopeWithField(context.store.tenants, request.caller.scope, owner);
      const row = await saveBlock(context, scope, { name, block });
      return reply.status(201).send(presentSavedBlock(row));
    },
  );
}
