// Resend's webhooks: the workspace's endpoints with Resend's format.
import { Type } from 'typebox';
import type { WebhookEvent } from '../../contract/names.js';
import { invalidFields, Refusal } from '../../contract/refusal.js';
import { closed, oneOf } from '../../contract/schema.js';
import type { WebhookEndpointWire } from '../../webhooks/endpoint.schema.js';
import { LINE } from '../bounds.js';
import { given } from '../fields.js';
import { pageById } from '../pages.js';
import { compatRoute, type CompatRoute } from '../route.js';
import type { V1 } from '../v1.js';
import { DEFAULT_LIMIT, listQuery } from './emails.js';
import { EVENT_NAMES } from './webhook-format.js';

const events = Type.Array(Type.String({ maxLength: 100 }), { minItems: 1, maxItems: 100 });

export const WEBHOOK_ROUTES: readonly CompatRoute[] = [
  compatRoute({
    method: 'POST',
    path: '/webhooks',
    permission: 'full',
    body: closed({ endpoint: LINE, events }),
    example: { endpoint: 'https://customer.example/resend', events: ['email.delivered'] },
    async handle({ body, v1 }) {
      const wanted = { url: body.endpoint, events: eventsOf(body.events), format: 'resend' } as const;
      const { id, secret } = await v1.webhookEndpoints.create(wanted);
      return { status: 201, body: { object: 'webhook', id, signing_secret: secret } };
    },
  }),
  compatRoute({
    method: 'GET',
    path: '/webhooks',
    permission: 'read',
    query: listQuery,
    async handle({ query, v1 }) {
      const { limit = DEFAULT_LIMIT, after, before } = query;
      const { items, hasMore } = await pageById(
        { list: v1.webhookEndpoints.list, find: v1.webhookEndpoints.get, isShown: isOurs },
        { limit, after, before },
      );
      return { body: { object: 'list', has_more: hasMore, data: items.map(webhookOf) } };
    },
  }),
  compatRoute({
    method: 'GET',
    path: '/webhooks/:id',
    permission: 'read',
    async handle({ params: { id = '' }, v1 }) {
      return { body: { object: 'webhook', ...webhookOf(await find(v1, id)) } };
    },
  }),
  compatRoute({
    method: 'PATCH',
    path: '/webhooks/:id',
    permission: 'full',
    body: closed({
      endpoint: Type.Optional(LINE),
      events: Type.Optional(events),
      status: Type.Optional(oneOf(['enabled', 'disabled'])),
    }),
    example: { status: 'enabled' },
    async handle({ params: { id: wanted = '' }, body, v1 }) {
      const { id } = await find(v1, wanted);
      const { endpoint, events: names, status } = body;
      await v1.webhookEndpoints.update(id, {
        ...given('url', endpoint),
        ...given('events', names === undefined ? undefined : eventsOf(names)),
        ...given('status', status),
      });
      return { body: { object: 'webhook', id } };
    },
  }),
  compatRoute({
    method: 'DELETE',
    path: '/webhooks/:id',
    permission: 'full',
    async handle({ params: { id: wanted = '' }, v1 }) {
      const { id } = await find(v1, wanted);
      await v1.webhookEndpoints.delete(id);
      return { body: { object: 'webhook', id, deleted: true } };
    },
  }),
  compatRoute({
    method: 'POST',
    path: '/webhooks/:id/signing-secret/rotate',
    permission: 'full',
    async handle({ params: { id: wanted = '' }, v1 }) {
      const { id } = await find(v1, wanted);
      const { secret } = await v1.webhookEndpoints.rotateSecret(id);
      return { body: { object: 'webhook', id, signing_secret: secret } };
    },
  }),
];

const isOurs = ({ format }: WebhookEndpointWire): boolean => format === 'resend';

async function find(v1: V1, id: string): Promise<WebhookEndpointWire> {
  const found = await v1.webhookEndpoints.get(id);
  if (!isOurs(found)) throw new Refusal('not_found');
  return found;
}

const OURS = new Map(
  Object.entries(EVENT_NAMES).map(([ours, theirs]) => [theirs, ours as WebhookEvent] as const), // keys of that record
);

function eventsOf(names: readonly string[]): WebhookEvent[] {
  return names.map((name, at) => {
    const ours = OURS.get(name);
    if (ours !== undefined) return ours;
    const message = `${JSON.stringify(name)} is not supported. Supported events: ${[...OURS.keys()].join(', ')}`;
    throw invalidFields([{ path: `events.${at}`, message }]);
  });
}

function webhookOf({ id, url, created_at, status, events: ours }: WebhookEndpointWire) {
  const names = ours.flatMap((name) => EVENT_NAMES[name] ?? []);
  return { id, created_at, status, endpoint: url, events: names };
}
