// Webhook endpoints and their signing secrets.
import { readPrecondition } from '../http/server/preconditions.js';
import { deleted, idParams } from '../contract/schema.js';
import {
  webhookEndpoint,
  webhookEndpointCreate,
  webhookEndpointCreated,
  webhookEndpointPatch,
} from './endpoint.schema.js';
import type { WebhookContext } from './context.js';
import type { Config } from '../settings/settings.js';
import { changeEndpoint, createEndpoint, deleteEndpoint, readEndpoint, rotateSecret } from './endpoints.js';
import type { Api } from '../http/api.js';
import { orderedQuery } from '../http/lists/pages.js';
import { resource } from '../http/lists/resource.js';
import { scopeWithField } from '../tenants/scope.routes.js';
import type { WebhookEndpoint } from './webhooks.tables.js';
import { presentWebhookEndpoint } from './endpoint.view.js';

const tags = ['Webhook endpoints'];

type EndpointRouteContext = Pick<
  WebhookContext,
  'store' | 'masterKey' | 'formats' | 'clock' | 'checkUrl' | 'notifyDeliveries'
> & { config: Pick<Config, 'webhookSecretOverlapMs'> };

export function webhookEndpointRoutes(app: Api, context: EndpointRouteContext): void {
  const { store, formats, clock } = context;
  createRoute(app, context);
  patchRoute(app, context);
  deleteRoute(app, context);

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

  rotateRoute(app, context);
}

function createRoute(app: Api, context: EndpointRouteContext): void {
  const { store, formats, clock } = context;
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
      const { row, secret } = await createEndpoint(context, scope, body);
      return reply.status(201).send({ ...presentWebhookEndpoint(row, { formats, now: clock() }), secret });
    },
  );
}

function patchRoute(app: Api, context: EndpointRouteContext): void {
  const { store, formats, clock } = context;
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
      const before = await readEndpoint(store, scope, request.params.id);
      const guard = readPrecondition(request, before);
      await changeEndpoint(context, scope, { before, change: request.body, guard });
      const row = await readEndpoint(store, scope, before.id);
      return presentWebhookEndpoint(row, { formats, now: clock() });
    },
  );
}

function deleteRoute(app: Api, context: EndpointRouteContext): void {
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
      const row = await readEndpoint(context.store, request.caller.scope, request.params.id);
      await deleteEndpoint(context, row, readPrecondition(request, row));
      return { id: row.id, object: 'webhook_endpoint' as const, deleted: true as const };
    },
  );
}

function rotateRoute(app: Api, context: EndpointRouteContext): void {
  const { store, formats, clock } = context;
  app.post(
    '/v1/webhook-endpoints/:id/rotate-secret',
    {
      config: { role: 'admin', showsSecret: true },
      schema: {
        operationId: 'webhookEndpoints.rotateSecret',
        tags,
        summary: "Rotate a webhook endpoint's signing secret",
        description:
          'Replaces the signing secret and returns the new one, which is not shown again. Until `previous_secret_until`, deliveries are signed with both secrets. Rotating again within that time discards the older one. Formats with a single signature use the new secret immediately. Users need the role `admin`.',
        params: idParams,
        response: { 200: webhookEndpointCreated },
      },
    },
    async (request) => {
      const before = await readEndpoint(store, request.caller.scope, request.params.id);
      const { row, secret } = await rotateSecret(context, before);
      return { ...presentWebhookEndpoint(row, { formats, now: clock() }), secret };
    },
  );
}
