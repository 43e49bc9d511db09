// Postmark's webhooks: the workspace's endpoints with Postmark's format. A webhook's ID is that of the endpoint, not a number.
import { Type, type Static } from 'typebox';
import type { WebhookEvent } from '../../contract/names.js';
import { invalidFields, Refusal } from '../../contract/refusal.js';
import { closed } from '../../contract/schema.js';
import type { WebhookEndpointWire } from '../../webhooks/endpoint.schema.js';
import { LINE } from '../bounds.js';
import { given } from '../fields.js';
import { compatRoute, notHere, type CompatRoute } from '../route.js';
import type { V1 } from '../v1.js';
import { RECORD_TYPES } from './webhook-format.js';

const PAGE = 100;
const CONTENT = 'the content is not included. Retrieve the message with GET /messages/outbound/:id/details';
const isOff = (sentence: string) =>
  Type.Optional(Type.Union([Type.Literal(false), notHere(Type.Literal(true), sentence)]));
const trigger = (more = {}) => Type.Optional(closed({ Enabled: Type.Boolean(), ...more }));
const triggers = closed({
  Open: trigger({ PostFirstOpenOnly: isOff('every open is sent') }),
  Click: trigger(),
  Delivery: trigger(),
  Bounce: trigger({ IncludeContent: isOff(CONTENT) }),
  SpamComplaint: trigger({ IncludeContent: isOff(CONTENT) }),
  SubscriptionChange: trigger(),
});
type Triggers = Static<typeof triggers>;
const unsettable = (sentence: string) => notHere(Type.Optional(Type.Unknown()), sentence);
const common = {
  Triggers: Type.Optional(triggers),
  HttpAuth: Type.Optional(closed({ Username: LINE, Password: LINE })),
  HttpHeaders: unsettable(
    "are not supported. Verify the Service-Signature header with the endpoint's secret",
  ),
};

export const WEBHOOK_ROUTES: readonly CompatRoute[] = [
  compatRoute({
    method: 'GET',
    path: '/webhooks',
    permission: 'read',
    query: closed({ messagestream: Type.Optional(Type.Literal('outbound')) }),
    async handle({ v1 }) {
      const { data } = await v1.webhookEndpoints.list({ limit: PAGE });
      return { body: { Webhooks: data.filter(isOurs).map(webhookOf) } };
    },
  }),
  compatRoute({
    method: 'GET',
    path: '/webhooks/:id',
    permission: 'read',
    async handle({ params: { id = '' }, v1 }) {
      return { body: webhookOf(await find(v1, id)) };
    },
  }),
  compatRoute({
    method: 'POST',
    path: '/webhooks',
    permission: 'full',
    body: closed({ Url: LINE, MessageStream: Type.Optional(Type.Literal('outbound')), ...common }),
    example: { Url: 'https://customer.example/postmark', Triggers: { Delivery: { Enabled: true } } },
    async handle({ body, v1 }) {
      const events = eventsOf(body.Triggers ?? {});
      return {
        body: webhookOf(
          await v1.webhookEndpoints.create({
            url: withAuth(body.Url, body.HttpAuth),
            events,
            format: 'postmark',
          }),
        ),
      };
    },
  }),
  compatRoute({
    method: 'PUT',
    path: '/webhooks/:id',
    permission: 'full',
    body: closed({ Url: Type.Optional(LINE), ...common }),
    example: { Triggers: { Bounce: { Enabled: true } } },
    async handle({ params: { id = '' }, body, v1 }) {
      const before = await find(v1, id);
      const events =
        body.Triggers === undefined
          ? undefined
          : eventsOf({ ...triggersOf(before.events), ...body.Triggers });
      const changed = await v1.webhookEndpoints.update(before.id, {
        ...given('url', changedUrl(before.url, body)),
        ...given('events', events),
      });
      return { body: webhookOf(changed) };
    },
  }),
  compatRoute({
    method: 'DELETE',
    path: '/webhooks/:id',
    permission: 'full',
    async handle({ params: { id: wanted = '' }, v1 }) {
      const { id } = await find(v1, wanted);
      await v1.webhookEndpoints.delete(id);
      return { body: { ErrorCode: 0, Message: `Webhook ${id} removed.` } };
    },
  }),
];

type Auth = Static<typeof common.HttpAuth> | undefined;

/** Returns the URL with user name and password, where /v1 expects them. An invalid URL is left for /v1 to refuse. */
function withAuth(url: string, auth: Auth): string {
  if (auth === undefined || !URL.canParse(url)) return url;
  const parsed = new URL(url);
  if (parsed.username !== '' || parsed.password !== '') {
    throw invalidFields([{ path: 'HttpAuth', message: 'is also set in Url. Set it once' }]);
  }
  parsed.username = encodeURIComponent(auth.Username);
  parsed.password = encodeURIComponent(auth.Password);
  return parsed.href;
}

/** Keeps the URL's user name and password unless others are given. Returns undefined if nothing changes. */
function changedUrl(
  before: string,
  { Url, HttpAuth }: { Url?: string; HttpAuth?: Auth },
): string | undefined {
  if (Url === undefined && HttpAuth === undefined) return undefined;
  if (HttpAuth !== undefined) return withAuth(Url ?? bareUrl(before), HttpAuth);
  const { username: mask } = new URL(before);
  if (Url === undefined || mask === '' || !URL.canParse(Url)) return Url;
  const parsed = new URL(Url);
  if (parsed.username === '' && parsed.password === '') parsed.username = mask;
  return parsed.href;
}

function bareUrl(url: string): string {
  const parsed = new URL(url);
  if (parsed.username === '') return url;
  parsed.username = '';
  return parsed.href;
}

const isOurs = ({ format }: WebhookEndpointWire): boolean => format === 'postmark';

async function find(v1: V1, id: string): Promise<WebhookEndpointWire> {
  const found = await v1.webhookEndpoints.get(id);
  if (!isOurs(found)) throw new Refusal('not_found');
  return found;
}

/** Returns the events of the enabled triggers; a webhook has at least one. */
function eventsOf(wanted: Triggers): WebhookEvent[] {
  const all = Object.entries(RECORD_TYPES) as [WebhookEvent, string][]; // keys of that record
  const on = new Map(Object.entries(wanted).map(([type, { Enabled }]) => [type, Enabled]));
  const events = all.flatMap(([event, type]) => (on.get(type) === true ? [event] : []));
  if (events.length > 0) return events;
  throw invalidFields([{ path: 'Triggers', message: 'must enable at least one trigger' }]);
}

function triggersOf(events: readonly WebhookEvent[]) {
  const isOn = (event: WebhookEvent) => ({ Enabled: events.includes(event) });
  return {
    Open: { ...isOn('message.opened'), PostFirstOpenOnly: false as const },
    Click: isOn('message.clicked'),
    Delivery: isOn('message.delivered'),
    Bounce: { ...isOn('message.bounced'), IncludeContent: false as const },
    SpamComplaint: { ...isOn('message.complained'), IncludeContent: false as const },
    SubscriptionChange: isOn('message.unsubscribed'),
  };
}

function webhookOf({ id, url, events }: WebhookEndpointWire) {
  // Both are masked.
  const { username } = new URL(url);
  return {
    ID: id,
    Url: bareUrl(url),
    HttpAuth: username === '' ? null : { Username: username, Password: username },
    HttpHeaders: [],
    MessageStream: 'outbound',
    Triggers: triggersOf(events),
  };
}
