// Webhook endpoints of /v1.
import { Type, type Static } from 'typebox';
import {
  ALL_WEBHOOK_EVENTS,
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
  sentence,
} from '../contract/schema.js';

/** Every event that an endpoint can get. */
export const webhookEventName = oneOf(ALL_WEBHOOK_EVENTS);

export const webhookEndpoint = Type.Object({
  id: Type.String(),
  object: Type.Literal('webhook_endpoint'),
  url: uriText,
  events: Type.Array(webhookEventName),
  inbox_ids: nullable(
    Type.Array(Type.String(), {
      description: 'IDs of inboxes. If set, `message.received` is sent only for mail to these inboxes.',
    }),
  ),
  description: nullable(Type.String()),
  format: oneOf(WEBHOOK_FORMATS),
  payload: oneOf(WEBHOOK_PAYLOADS),
  public_key: nullable(
    Type.String({
      description:
        'The public key that verifies deliveries, in base64 (SPKI, DER). `null` for formats that are verified with the secret. It changes with the secret.',
    }),
  ),
  sub_tenant_id: nullable(Type.String({ description: 'If set, only events of this sub-tenant are sent.' })),
  status: oneOf(['enabled', 'disabled']),
  disabled_reason: nullable(sentence()),
  consecutive_failures: Type.Integer({
    description: 'Number of failed deliveries since the last successful one.',
  }),
  previous_secret_until: nullable(
    timestampWith({
      description:
        'Until this time, deliveries are also signed with the previous secret. `null` if there is only one secret.',
    }),
  ),
  created_at: timestamp,
  updated_at: timestamp,
});
export type WebhookEndpointWire = Static<typeof webhookEndpoint>;

export const webhookEndpointCreated = Type.Object({
  ...webhookEndpoint.properties,
  secret: Type.String({
    description: 'The secret that signs every delivery. Only returned in this response.',
  }),
});

const url = Type.String({
  maxLength: 2048,
  description:
    'An http or https URL with a public address. A username and password in the URL are sent as Basic authentication. Responses show `***` instead; send that back to keep them.',
});
const description = nullable(Type.String({ maxLength: 500 }));
const FORMAT = {
  description:
    'The payload format. `standard` adds the Standard Webhooks headers (webhook-id, webhook-timestamp, webhook-signature) for use with their libraries. The vendor formats use the bodies, event names and signatures of that vendor, and only send events for which the vendor has an equivalent. `Service-Signature` is always included.',
};
const PAYLOAD = {
  description:
    'The payload size. `full` adds `data.object`, the record at the time of delivery, as its GET operation returns it. Has no effect in the vendor formats.',
};
// `readEventNames` checks the names, because its refusal can name the unknown one.
const eventNames = nullable(
  Type.Array(named('WebhookEventName', Type.String()), {
    minItems: 1,
    maxItems: 100,
    description:
      'Event names. `null` subscribes to all message and sub-tenant events except `message.deferred` and `message.unsubscribed`. These two and the events of other records are opt-in; list them to receive them.',
    examples: [['message.delivered', 'message.bounced']],
  }),
);
const inboxIds = nullable(
  Type.Array(Type.String({ maxLength: 100 }), {
    minItems: 1,
    maxItems: 100,
    description:
      'IDs of inboxes. `message.received` is sent only for mail to these inboxes; other events are not affected. `null` sends it for all received mail.',
    examples: [['ibx_01kdyak3se4w5amvgkazjzkvb7']],
  }),
);

export const webhookEndpointCreate = closed(
  {
    url,
    events: Type.Optional(eventNames),
    inbox_ids: Type.Optional(inboxIds),
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
    events: Type.Optional(eventNames),
    inbox_ids: Type.Optional(inboxIds),
    description: Type.Optional(description),
    format: Type.Optional(oneOf(WEBHOOK_FORMATS, FORMAT)),
    payload: Type.Optional(oneOf(WEBHOOK_PAYLOADS, PAYLOAD)),
    status: Type.Optional(
      oneOf(['enabled', 'disabled'], { description: 'The status. `enabled` also resets the failure count.' }),
    ),
  },
  { examples: [{ status: 'enabled' }] },
);

/** Returns the names without repetition, or the first unknown event. */
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
