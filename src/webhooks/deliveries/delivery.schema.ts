// Webhook deliveries of /v1: what was sent to an endpoint, to the octet, and replays of it.
import { Type, type Static } from 'typebox';
import { anyOf, rangeFields } from '../../contract/lists.js';
import { ALL_WEBHOOK_EVENTS, webhookEventName } from '../endpoint.schema.js';
import { closed, nameEnums, nameSchemas, nullable, oneOf, timestamp } from '../../contract/schema.js';
import { webhookEnvelope } from '../webhook-events.schema.js';

export const webhookTest = closed({ event: Type.Optional(webhookEventName) });

export const webhookDeliveryFilters = {
  status: anyOf(['pending', 'succeeded', 'failed']),
  event: anyOf(ALL_WEBHOOK_EVENTS),
  message_id: Type.Optional(
    Type.String({ maxLength: 64, description: '`data.id` of the payload: a message, or a sub-tenant.' }),
  ),
  ...rangeFields,
};

const headers = (description: string) => nullable(Type.Record(Type.String(), Type.String(), { description }));

const { data: deliveredData } = webhookEnvelope.properties;
/** Delivered event, as the log shows it: in our form, whatever the format of the endpoint. */
const deliveredPayload = Type.Object({
  ...webhookEnvelope.properties,
  data: Type.Object({
    ...deliveredData.properties,
    sandbox: Type.Boolean({
      description: 'Only in this log: the body that is sent has no such field (`request_body`).',
    }),
  }),
});

export const webhookDelivery = Type.Object({
  id: Type.String({ description: 'Also the header Service-Delivery of every attempt.' }),
  object: Type.Literal('webhook_delivery'),
  endpoint_id: Type.String(),
  event: webhookEventName,
  event_id: nullable(Type.String({ description: 'In GET /v1/events; null for a test.' })),
  status: oneOf(['pending', 'succeeded', 'failed']),
  replay_of: nullable(Type.String({ description: 'The delivery that this one repeats.' })),
  attempts: Type.Array(
    Type.Object({
      number: Type.Integer(),
      at: timestamp,
      duration_ms: Type.Integer(),
      url: nullable(Type.String({ format: 'uri', description: 'The URL of the attempt.' })),
      request_headers: headers('The headers as they were sent, with the signature.'),
      request_body: nullable(
        Type.String({
          description:
            'In a format with the signature in the body: what was sent. Null: that of the delivery.',
        }),
      ),
      response_status: nullable(Type.Integer()),
      response_headers: headers('The first 50 of them, 4,096 characters of all.'),
      response_body: nullable(Type.String({ description: 'Its first 1,024 bytes.' })),
      error: nullable(Type.String({ description: 'Why there was no answer, or why it counts as failed.' })),
    }),
  ),
  next_attempt_at: nullable(timestamp),
  payload: deliveredPayload,
  request_body: Type.String({
    description:
      'The body of every attempt, octet for octet, as it was signed; of the last attempt, where each has its own.',
  }),
  created_at: timestamp,
});
export type WebhookDeliveryWire = Static<typeof webhookDelivery>;

/** `:id` of the endpoint and `:delivery_id` in a path. */
export const webhookDeliveryParams = Type.Object({ id: Type.String(), delivery_id: Type.String() });

export const webhookReplayCreate = closed(
  {
    since: Type.String({
      maxLength: 64,
      description: 'Events that happened at this time or later; ISO 8601 with an offset, or a date.',
    }),
    until: Type.Optional(
      nullable(
        Type.String({ maxLength: 64, description: 'Events before this time; now when it is left out.' }),
      ),
    ),
    status: Type.Optional(
      nullable(
        oneOf(['succeeded', 'failed'], {
          description:
            'Only events whose last delivery to the endpoint ended so. Without it all that the endpoint would get, ' +
            'those that it was never sent too.',
        }),
      ),
    ),
  },
  { examples: [{ since: '2026-03-01T09:00:00Z', status: 'failed' }] },
);

export const webhookReplay = Type.Object({
  id: Type.String(),
  object: Type.Literal('webhook_replay'),
  endpoint_id: Type.String(),
  since: timestamp,
  until: timestamp,
  status: nullable(oneOf(['succeeded', 'failed'])),
  state: oneOf(['running', 'finished']),
  deliveries: Type.Integer({ description: 'Made by it so far.' }),
  created_at: timestamp,
  finished_at: nullable(timestamp),
});

nameSchemas({
  WebhookTest: webhookTest,
  WebhookAttempt: webhookDelivery.properties.attempts.items,
  WebhookDelivery: webhookDelivery,
  WebhookReplayCreate: webhookReplayCreate,
  WebhookReplay: webhookReplay,
});

nameEnums({
  WebhookDeliveryStatus: ['pending', 'succeeded', 'failed'],
  WebhookDeliveryResult: ['succeeded', 'failed'],
  WebhookReplayState: ['running', 'finished'],
});
