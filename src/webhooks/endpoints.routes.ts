// Webhook endpoints: where events go. Both environments of a workspace share them.
import { preconditionOf } from '../http/server/preconditions.js';
import { changeTime } from '../contract/time.js';
import type { WebhookEvent, WebhookFormat } from '../contract/names.js';
import { invalidFields, Refusal } from '../contract/refusal.js';
import { deleted, idParams } from '../contract/schema.js';
import {
  readEventNames,
  webhookEndpoint,
  webhookEndpointCreate,
  webhookEndpointCreated,
  webhookEndpointPatch,
} from './endpoint.schema.js';
import { BEING_DELETED, DISABLED_BY_REQUEST } from './disabled.rules.js';
import type { VendorFormats } from './format.rules.js';
import type { Clock } from '../lib/runtime/clock.js';
import { newId } from '../lib/runtime/ids.js';
import type { Scope } from '../database/scope.js';
import type { WebhookStores } from './stores.js';
import { newEndpointSecret, openEndpointSecret, urlColumns } from './endpoint-secret.js';
import type { Api } from '../http/api.js';
import { orderedQuery } from '../http/lists/pages.js';
import { resource } from '../http/lists/resource.js';
import { presentWebhookEndpoint } from './endpoint.view.js';
import { scopeWithField } from '../tenants/scope.routes.js';
import { type WebhookEndpoint, webhookEndpoints } from './webhooks.tables.js';
import { insert, update } from '../database/rows.js';

const MAX_ENDPOINTS = 50;
const BATCH = 1_000;
const CHANGED = {
  code: 'conflict',
  message: 'The webhook endpoint was changed by another request. Try again.',
} as const;
const tags = ['Webhook endpoints'];
/** For a program that its developer runs on the same machine. */
const OF_A_DEVELOPER =
  'To receive events on your own machine, run `mailkeel listen --forward-to URL`. It does not need an endpoint. On a private network, the operator sets MAILKEEL_WEBHOOK_ALLOW_PRIVATE=true.';

export interface WebhookEndpointDeps {
  store: Pick<WebhookStores, 'webhooks' | 'tenants' | 'commit'>;
  masterKey: Buffer;
  formats: VendorFormats;
  clock: Clock;
  /** Why a URL may not be saved, or null. */
  checkUrl: (url: string) => Promise<string | null>;
  /** Called when an endpoint was changed. */
  notifyDeliveries: () => void;
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

/** Refused with `not_found` outside of the scope. */
export async function endpointOf(
  store: Pick<WebhookStores, 'webhooks'>,
  scope: Scope,
  id: string,
): Promise<WebhookEndpoint> {
  const endpoint = await store.webhooks.endpoint(scope, id);
  if (!endpoint) throw new Refusal('not_found');
  return endpoint;
}

function createRoute(app: Api, deps: WebhookEndpointDeps): void {
  const { store, masterKey, formats, clock, checkUrl } = deps;
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
      const { description = null, format = 'service', payload = 'thin', sub_tenant_id } = request.body;
      const scope = await scopeWithField(store.tenants, request.caller.scope, sub_tenant_id);
      const events = eventsColumn(request.body.events ?? null, format, formats);
      const now = clock();
      const id = newId('whe', now);
      const address = urlColumns(masterKey, { id, url: '', credentials_sealed: null }, request.body.url);
      await refuseForbiddenUrl(checkUrl, address.url);
      const others = await store.webhooks.endpointsOfEnvironment(scope.environmentId);
      if (others.length >= MAX_ENDPOINTS) {
        throw new Refusal(
          'conflict',
          `Each environment of a workspace can have up to ${MAX_ENDPOINTS} webhook endpoints.`,
        );
      }
      const { secret, sealed } = newEndpointSecret(masterKey, id);
      const row: WebhookEndpoint = {
        id,
        environment_id: scope.environmentId,
        sub_tenant_id: scope.subTenantId,
        ...address,
        description,
        events,
        format,
        payload,
        status: 'enabled',
        disabled_reason: null,
        consecutive_failures: 0,
        last_success_at: null,
        secret_sealed: sealed,
        previous_secret_sealed: null,
        previous_secret_until: null,
        public_key: formats[format]?.publicKeyOf?.(secret) ?? null,
        created_at: now,
        updated_at: now,
      };
      await store.commit([insert(webhookEndpoints, { row })]);
      return reply.status(201).send({ ...presentWebhookEndpoint(row, { formats, now }), secret });
    },
  );
}

function patchRoute(app: Api, deps: WebhookEndpointDeps): void {
  const { store, masterKey, formats, clock, checkUrl, notifyDeliveries } = deps;
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
      const { url, events, description, payload, status } = request.body;
      const before = await endpointOf(store, request.caller.scope, request.params.id);
      const precondition = preconditionOf(request, before);
      const { format = before.format } = request.body;
      const column = events === undefined ? undefined : eventsColumn(events, format, formats);
      if (column === undefined) refuseUnsupported(before, format, formats);
      const address = url === undefined ? null : urlColumns(masterKey, before, url);
      if (address !== null) await refuseForbiddenUrl(checkUrl, address.url);
      const now = clock();
      const set = {
        ...address,
        ...(column === undefined ? {} : { events: column }),
        ...(description === undefined ? {} : { description }),
        ...(format === before.format ? {} : formatColumns(before, format, { formats, masterKey })),
        ...(payload === undefined ? {} : { payload }),
        ...statusColumns(before, status),
        updated_at: changeTime(before, now),
      };
      const { id, secret_sealed } = before;
      const where = { id, ...precondition.where };
      // A public key belongs to the secret and the format.
      const guard =
        format === before.format
          ? ({ where, otherwise: precondition.otherwise ?? { code: 'not_found' } } as const)
          : {
              where: { ...where, secret_sealed, format: before.format },
              otherwise: precondition.otherwise ?? CHANGED,
            };
      // While nothing is attempted yet: an event whose retry happens to be due would overtake an earlier one of its message.
      if (before.status === 'disabled' && status === 'enabled') await hasten(store, before.id, now);
      await store.commit([update(webhookEndpoints, { set, ...guard })]);
      notifyDeliveries();
      const row = await endpointOf(store, request.caller.scope, before.id);
      return presentWebhookEndpoint(row, { formats, now });
    },
  );
}

function deleteRoute(app: Api, { store, clock, notifyDeliveries }: WebhookEndpointDeps): void {
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
      const row = await endpointOf(store, request.caller.scope, request.params.id);
      const guard = preconditionOf(request, row);
      const { id } = row;
      // Its log goes in many transactions; nothing is to be attempted in between. Cut short, it can be deleted again.
      const set = {
        status: 'disabled',
        disabled_reason: BEING_DELETED,
        updated_at: clock(),
      } as const;
      const where = { id, ...guard.where };
      const otherwise = guard.otherwise ?? { code: 'not_found' };
      await store.commit([update(webhookEndpoints, { set, where, otherwise })]);
      notifyDeliveries();
      while (!(await store.webhooks.deleteEndpoint(id, BATCH)));
      return { id, object: 'webhook_endpoint' as const, deleted: true as const };
    },
  );
}

/** Makes deliveries that wait for a later retry due now. */
async function hasten(
  store: Pick<WebhookStores, 'webhooks'>,
  endpointId: string,
  now: number,
): Promise<void> {
  while ((await store.webhooks.hastenDeliveries(endpointId, now, BATCH)) === BATCH);
}

async function refuseForbiddenUrl(checkUrl: WebhookEndpointDeps['checkUrl'], url: string): Promise<void> {
  const problem = await checkUrl(url);
  if (problem === null) return;
  const message = problem.includes('public address') ? `${problem} ${OF_A_DEVELOPER}` : problem;
  throw new Refusal('webhook_url_not_allowed', message, { param: 'url' });
}

/** Null stays null: the default set, with what later releases add to it. */
function eventsColumn(
  names: readonly string[] | null,
  format: WebhookFormat,
  formats: VendorFormats,
): string | null {
  if (names === null) return null;
  const read = readEventNames(names);
  if (!read.ok) {
    const message = `${JSON.stringify(read.name.slice(0, 100))} is not a known event`;
    throw invalidFields([{ path: `events.${read.index}`, message }]);
  }
  const supported = formats[format]?.events;
  const unsupported =
    supported === undefined ? [] : names.filter((name) => !supported.some((one) => one === name));
  const problems = unsupported.map((name) => ({
    path: `events.${names.indexOf(name)}`,
    message: `${name} is not available in the format ${format}`,
  }));
  if (problems.length > 0) throw invalidFields(problems);
  return JSON.stringify(read.events satisfies WebhookEvent[]);
}

/** The events that an endpoint has must have a form in its new format as well. */
function refuseUnsupported({ events }: WebhookEndpoint, format: WebhookFormat, formats: VendorFormats): void {
  const supported = formats[format]?.events;
  if (supported === undefined || events === null) return;
  const names = JSON.parse(events) as WebhookEvent[]; // written by the API only
  const unsupported = names.filter((name) => !supported.includes(name));
  if (unsupported.length === 0) return;
  const message = `does not have ${unsupported.join(', ')}, which the endpoint receives. Also pass events`;
  throw invalidFields([{ path: 'format', message }]);
}

function formatColumns(
  { id, secret_sealed: sealed }: WebhookEndpoint,
  format: WebhookFormat,
  { formats, masterKey }: Pick<WebhookEndpointDeps, 'formats' | 'masterKey'>,
): Pick<WebhookEndpoint, 'format' | 'public_key'> {
  const publicKeyOf = formats[format]?.publicKeyOf;
  return { format, public_key: publicKeyOf?.(openEndpointSecret(masterKey, id, sealed)) ?? null };
}

function statusColumns(
  before: WebhookEndpoint,
  status: WebhookEndpoint['status'] | undefined,
): Partial<Pick<WebhookEndpoint, 'status' | 'disabled_reason' | 'consecutive_failures'>> {
  if (status === 'enabled') return { status, disabled_reason: null, consecutive_failures: 0 };
  if (status === undefined || before.status === 'disabled') return {};
  return { status, disabled_reason: DISABLED_BY_REQUEST };
}
