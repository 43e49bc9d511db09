// Mailgun's webhooks. An event has up to three URLs there; here each URL is an endpoint with its events and Mailgun's format.
import { Type } from 'typebox';
import type { WebhookEvent } from '../../contract/names.js';
import { invalidFields, Refusal } from '../../contract/refusal.js';
import { closed } from '../../contract/schema.js';
import { shownUrl } from '../../webhooks/endpoint-secret.js';
import type { WebhookEndpointWire } from '../../webhooks/endpoint.schema.js';
import { given } from '../fields.js';
import { toForm, readSingle, type TakenFields } from '../form-body.js';
import { compatRoute, type CompatRoute } from '../route.js';
import type { V1 } from '../v1.js';

/** Events for each of Mailgun's webhook names. */
const EVENTS: Readonly<Record<string, readonly WebhookEvent[]>> = {
  accepted: ['message.sent'],
  delivered: ['message.delivered'],
  opened: ['message.opened'],
  clicked: ['message.clicked'],
  unsubscribed: ['message.unsubscribed'],
  complained: ['message.complained'],
  temporary_fail: ['message.deferred'],
  permanent_fail: ['message.bounced', 'message.failed', 'message.suppressed'],
};
const CREATE: TakenFields = { id: true, url: true };
const UPDATE: TakenFields = { url: true };
const MAX_URLS = 3;
const PAGE = 100;

export const WEBHOOK_ROUTES: readonly CompatRoute[] = [
  compatRoute({
    method: 'GET',
    path: '/v3/domains/:domain/webhooks',
    permission: 'read',
    query: closed({
      limit: Type.Optional(Type.Integer({ minimum: 1 })),
      skip: Type.Optional(Type.Integer({ minimum: 0 })),
    }),
    async handle({ v1, query: { skip = 0, limit = PAGE } }) {
      const all = await fetchEndpoints(v1);
      const webhooks = Object.keys(EVENTS).flatMap((id) => {
        const urls = urlsOf(all, id);
        return urls.length === 0 ? [] : [[id, { urls }] as const];
      });
      return { body: { webhooks: Object.fromEntries(webhooks.slice(skip, skip + limit)) } };
    },
  }),
  compatRoute({
    method: 'GET',
    path: '/v3/domains/:domain/webhooks/:id',
    permission: 'read',
    async handle({ params: { id = '' }, v1 }) {
      return { body: { webhook: { urls: present(urlsOf(await fetchEndpoints(v1), id)) } } };
    },
  }),
  compatRoute({
    method: 'POST',
    path: '/v3/domains/:domain/webhooks',
    permission: 'full',
    body: Type.Unknown(),
    form: CREATE,
    example: { id: 'delivered', url: 'https://customer.example/mailgun' },
    async handle({ body, v1 }) {
      const { id, urls } = wantedOf(body, null);
      const all = await fetchEndpoints(v1);
      if (urlsOf(all, id).length > 0) {
        throw invalidFields([{ path: 'id', message: `${id} already has a URL. Change it with PUT` }]);
      }
      await place(v1, all, { id, urls });
      return { body: { message: 'Webhook has been created', webhook: { urls: [...urls.keys()] } } };
    },
  }),
  compatRoute({
    method: 'PUT',
    path: '/v3/domains/:domain/webhooks/:id',
    permission: 'full',
    body: Type.Unknown(),
    form: UPDATE,
    example: { url: 'https://customer.example/mailgun' },
    async handle({ params: { id: wanted = '' }, body, v1 }) {
      const { id, urls } = wantedOf(body, wanted);
      const all = await fetchEndpoints(v1);
      present(urlsOf(all, id));
      await place(v1, all, { id, urls });
      return { body: { message: 'Webhook has been updated', webhook: { urls: [...urls.keys()] } } };
    },
  }),
  compatRoute({
    method: 'DELETE',
    path: '/v3/domains/:domain/webhooks/:id',
    permission: 'full',
    async handle({ params: { id = '' }, v1 }) {
      const all = await fetchEndpoints(v1);
      const urls = present(urlsOf(all, id));
      await place(v1, all, { id, urls: new Map() });
      return { body: { message: 'Webhook has been deleted', webhook: { urls } } };
    },
  }),
];

async function fetchEndpoints(v1: V1): Promise<WebhookEndpointWire[]> {
  const { data } = await v1.webhookEndpoints.list({ limit: PAGE });
  return data.filter(({ format }) => format === 'mailgun');
}

/** Whether an endpoint receives the events of the name. */
function isOf({ events }: WebhookEndpointWire, id: string): boolean {
  return eventsOf(id).every((event) => events.includes(event));
}

function eventsOf(id: string): readonly WebhookEvent[] {
  const known = Object.hasOwn(EVENTS, id) ? EVENTS[id] : undefined;
  if (known !== undefined) return known;
  const names = Object.keys(EVENTS).join(', ');
  throw invalidFields([{ path: 'id', message: `must be one of ${names}` }]);
}

function urlsOf(endpoints: readonly WebhookEndpointWire[], id: string): string[] {
  return endpoints.filter((one) => isOf(one, id)).map(({ url }) => url);
}

function present(urls: string[]): string[] {
  if (urls.length === 0) throw new Refusal('not_found');
  return urls;
}

interface WantedEndpoints {
  id: string;
  /** Each URL as given in the request, by the form in which it is shown. */
  urls: ReadonlyMap<string, string>;
}

/** Sets the URLs of the name. New ones are added first, so that no event is missed. */
async function place(
  v1: V1,
  endpoints: readonly WebhookEndpointWire[],
  { id, urls }: WantedEndpoints,
): Promise<void> {
  const events = eventsOf(id);
  const known = endpoints.filter(({ url }) => urls.has(url));
  const unknown = [...urls].filter(([shown]) => !known.some((one) => one.url === shown));
  await createAll(
    v1,
    unknown.map(([, url]) => url),
    events,
  );
  for (const one of known) {
    const url = urls.get(one.url);
    if (isOf(one, id) && url === one.url) continue;
    // The URL may contain a different password.
    await v1.webhookEndpoints.update(one.id, {
      ...given('url', url),
      events: [...new Set([...one.events, ...events])],
    });
  }
  for (const one of endpoints) {
    if (known.includes(one) || !isOf(one, id)) continue;
    const rest = one.events.filter((event) => !events.includes(event));
    if (rest.length === 0) await v1.webhookEndpoints.delete(one.id);
    else await v1.webhookEndpoints.update(one.id, { events: rest });
  }
}

/** Creates all endpoints or none, because a URL may be refused. */
async function createAll(v1: V1, urls: readonly string[], events: readonly WebhookEvent[]): Promise<void> {
  const made: string[] = [];
  try {
    for (const url of urls) {
      made.push((await v1.webhookEndpoints.create({ url, events, format: 'mailgun' })).id);
    }
  } catch (error) {
    for (const id of made) await v1.webhookEndpoints.delete(id);
    throw error;
  }
}

/** `id` is null if the body contains the name. */
function wantedOf(body: unknown, id: string | null): WantedEndpoints {
  const form = toForm(body);
  const urls = new Map((form.fields.get('url') ?? []).map((url) => [shownUrl(url), url]));
  if (urls.size === 0 || urls.size > MAX_URLS) {
    throw invalidFields([{ path: 'url', message: `must be 1 to ${MAX_URLS} URLs` }]);
  }
  const wanted = id ?? readSingle(form, 'id') ?? '';
  eventsOf(wanted);
  return { id: wanted, urls };
}
