// Webhook endpoints of /v1.
import { Type, type Static } from 'typebox';
import {
  EXTRA_WEBHOOK_EVENTS,
  WEBHOOK_EVENTS,
  WEBHOOK_FORMATS,
  WEBHOOK_PAYLOADS,
  type WebhookEvent,
} from '../contract/names.js';
import {
  closed,
  named,
  nameEnums,
  nameSchemas,
  nullable,
  oneOf,
  timestamp,
  timestampWith,
  uriText,
} from '../contract/schema.js';

export const ALL_WEBHOOK_EVENTS = [...WEBHOOK_EVENTS, ...EXTRA_WEBHOOK_EVENTS] as const;
/** Every event that an endpoint can get. */
export const webhookEventName = oneOf(ALL_WEBHOOK_EVENTS);

export const webhookEndpoint = Type.Object({
  id: Type.String(),
  object: Type.Literal('webhook_endpoint'),
  url: uriText,
  events: Type.Array(webhookEventName),
  description: nullable(Type.String()),
  format: oneOf(WEBHOOK_FORMATS),
  payload: oneOf(WEBHOOK_PAYLOADS),
  public_key: nullable(
    Type.String({
      description:
        'Verifies the deliveries, in base64 (SPKI, DER); null in formats that are verified with the secret. It changes with ' +
        'the secret.',
    }),
  ),
  sub_tenant_id: nullable(Type.String({ description: 'Set: only events of this sub-tenant are sent.' })),
  status: oneOf(['enabled', 'disabled']),
  disabled_reason: nullable(Type.String()),
  consecutive_failures: Type.Integer({ description: 'Failed deliveries since the last that succeeded.' }),
  previous_secret_until: nullable(
    timestampWith({
      description: 'Until then the former secret signs too; null when only one signs.',
    }),
  ),
  created_at: timestamp,
  updated_at: timestamp,
});
export type WebhookEndpointWire = Static<typeof webhookEndpoint>;

export const webhookEndpointCreated = Type.Object({
  ...webhookEndpoint.properties,
  secret: Type.String({ description: 'Signs every delivery. Shown in this answer only.' }),
});

const url = Type.String({
  maxLength: 2048,
  description:
    'http(s), leading to a public address. A user name and a password in it are sent as Basic authentication; answers ' +
    'show `***` in their place, which keeps them when it is sent back.',
});
const description = nullable(Type.String({ maxLength: 500 }));
const FORMAT = {
  description:
    '`standard` adds the headers of Standard Webhooks (webhook-id, webhook-timestamp, webhook-signature), which their ' +
    'libraries verify. The names of vendors stand for bodies, names of events and signatures as those vendors have them; ' +
    'such a format tells only of events that it has a form for. Service-Signature is always there.',
};
const PAYLOAD = {
  description:
    '`full` adds `data.object`: the record as its GET shows it, when the delivery was made. In the formats of vendors it says ' +
    'nothing.',
};
// The names are checked by `readEventNames`, whose refusal can say which of them is unknown.
const events = nullable(
  Type.Array(named('WebhookEventName', Type.String()), {
    minItems: 1,
    maxItems: 100,
    description:
      'Names of events; null for those of messages and sub-tenants but message.deferred and message.unsubscribed. These two, ' +
      'and the events of other records, must be named.',
    examples: [['message.delivered', 'message.bounced']],
  }),
);

export const webhookEndpointCreate = closed(
  {
    url,
    events: Type.Optional(events),
    description: Type.Optional(description),
    format: Type.Optional(oneOf(WEBHOOK_FORMATS, { ...FORMAT, default: 'service' })),
    payload: Type.Optional(oneOf(WEBHOOK_PAYLOADS, { ...PAYLOAD, default: 'thin' })),
    sub_tenant_id: Type.Optional(nullable(Type.String())),
  },
  { examples: [{ url: 'https://customer.example/hooks', events: ['message.delivered', 'message.bounced'] }] },
);

export const webhookEndpointPatch = closed(
  {
    url: Type.Optional(url),
    events: Type.Optional(events),
    description: Type.Optional(description),
    format: Type.Optional(oneOf(WEBHOOK_FORMATS, FORMAT)),
    payload: Type.Optional(oneOf(WEBHOOK_PAYLOADS, PAYLOAD)),
    status: Type.Optional(
      oneOf(['enabled', 'disabled'], { description: '`enabled` also starts the count of failures anew.' }),
    ),
  },
  { examples: [{ status: 'enabled' }] },
);

/** Names without repetition, or the first that is no event. */
export function readEventNames(
  names: readonly string[],
): { ok: true; events: WebhookEvent[] } | { ok: false; index: number; name: string } {
  const events = new Set<WebhookEvent>();
  for (const [index, name] of names.entries()) {
    const known = ALL_WEBHOOK_EVENTS.find((one) => one === name);
    if (known === undefined) return { ok: false, index, name };
    events.add(known);
  }
  return { ok: true, events: [...events] };
}

nameSchemas({
  WebhookEndpoint: webhookEndpoint,
  WebhookEndpointCreated: webhookEndpointCreated,
  WebhookEndpointCreate: webhookEndpointCreate,
  WebhookEndpointUpdate: webhookEndpointPatch,
});

nameEnums({ WebhookEventName: ALL_WEBHOOK_EVENTS, WebhookEndpointStatus: ['enabled', 'disabled'] });
