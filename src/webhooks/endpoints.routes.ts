// Webhook endpoints: where events go. Both environments of a workspace share them.
import { preconditionOf } from '../http/server/preconditions.js';
import { deleted, idParams } from '../contract/schema.js';
import {
  webhookEndpoint,
  webhookEndpointCreate,
  webhookEndpointCreated,
  webhookEndpointPatch,
} from './endpoint.schema.js';
import type { WebhookStores } from './stores.js';
import {
  changeEndpoint,
  createEndpoint,
  deleteEndpoint,
  type EndpointDeps,
  endpointOf,
} from './endpoints.js';
import type { Api } from '../http/api.js';
import { orderedQuery } from '../http/lists/pages.js';
import { resource } from '../http/lists/resource.js';
import { presentWebhookEndpoint } from './endpoint.view.js';
import { scopeWithField } from '../tenants/scope.routes.js';
import type { WebhookEndpoint } from './webhooks.tables.js';

const tags = ['Webhook endpoints'];

export interface WebhookEndpointDeps extends EndpointDeps {
  store: Pick<WebhookStores, 'webhooks' | 'tenants' | 'commit'>;
}

export function webhookEndpointRoutes(app: Api, deps: WebhookEndpointDeps): void {
  const { store, formats, clock } = deps;
  createRoute(app, deps);
  patchRoute(app, deps);
  deleteRoute(app, deps);

  const plain = resource(app, {
    path: '/v1/webhook-endpoints',
    operations: 'webhookEndpoints',
    tag: 'Webhook endpoints',
    object: 'webhook_endpoint',
    schema: webhookEndpoint,
  });
  const present = (row: WebhookEndpoint) => presentWebhookEndpoint(row, { formats, now: clock() });
  plain.list({
    summary: 'List webhook endpoints',
    description: 'Returns webhook endpoints, newest first.',
    query: orderedQuery,
    read: ({ caller }, page) => store.webhooks.endpoints(caller.scope, page),
    present,
  });

  plain.get({
    summary: 'Retrieve a webhook endpoint',
    description:
      'Returns a webhook endpoint with its status and failure count. The signing secret is not included.',
    config: { versioned: true },
    find: ({ caller, params }) => store.webhooks.endpoint(caller.scope, params.id),
    present,
  });
}

function createRoute(app: Api, deps: WebhookEndpointDeps): void {
  const { store, formats, clock } = deps;
  app.post(
    '/v1/webhook-endpoints',
    {
      config: { role: 'admin', showsSecret: true },
      schema: {
        operationId: 'webhookEndpoints.create',
        tags,
        summary: 'Create a webhook endpoint',
        description:
          'Creates a webhook endpoint and returns its signing secret, which is not shown again. Users need the role `admin`.',
        body: webhookEndpointCreate,
        response: { 201: webhookEndpointCreated },
      },
    },
    async (request, reply) => {
      const { body, caller } = request;
      const scope = await scopeWithField(store.tenants, caller.scope, body.sub_tenant_id);
      const { row, secret } = await createEndpoint(deps, scope, body);
      return reply.status(201).send({ ...presentWebhookEndpoint(row, { formats, now: clock() }), secret });
    },
  );
}

function patchRoute(app: Api, deps: WebhookEndpointDeps): void {
  const { store, formats, clock } = deps;
  app.patch(
    '/v1/webhook-endpoints/:id',
    {
      config: { role: 'admin', versioned: true },
      schema: {
        operationId: 'webhookEndpoints.update',
        tags,
        summary: 'Update a webhook endpoint',
        description:
          'Changes the given fields of a webhook endpoint. When you enable a disabled endpoint, its pending deliveries are sent. Users need the role `admin`.',
        params: idParams,
        body: webhookEndpointPatch,
        response: { 200: webhookEndpoint },
      },
    },
    async (request) => {
      const { scope } = request.caller;
      const before = await endpointOf(store, scope, request.params.id);
      await changeEndpoint(deps, before, request.body, preconditionOf(request, before));
      const row = await endpointOf(store, scope, before.id);
      return presentWebhookEndpoint(row, { formats, now: clock() });
    },
  );
}

function deleteRoute(app: Api, deps: WebhookEndpointDeps): void {
  app.delete(
    '/v1/webhook-endpoints/:id',
    {
      config: { role: 'admin', versioned: true },
      schema: {
        operationId: 'webhookEndpoints.delete',
        tags,
        summary: 'Delete a webhook endpoint',
        description: 'Deletes a webhook endpoint and its delivery log. Users need the role `admin`.',
        params: idParams,
        response: { 200: deleted('webhook_endpoint') },
      },
    },
    async (request) => {
      const row = await endpointOf(deps.store, request.caller.scope, request.params.id);
      await deleteEndpoint(deps, row, preconditionOf(request, row));
      return { id: row.id, object: 'webhook_endpoint' as const, deleted: true as const };
    },
  );
}
