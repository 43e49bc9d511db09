// Wire shapes of webhook deliveries, with the exact bytes sent to an endpoint, and of replays.
import { Type, type Static } from 'typebox';
import { anyOf, rangeFields } from '../../contract/lists.js';
import { ALL_WEBHOOK_EVENTS } from '../../contract/names.js';
import { webhookEventName } from '../endpoint.schema.js';
import {
  closed,
  nameEnums,
  nameSchemas,
  nullable,
  oneOf,
  timestamp,
  sentence,
  verbatim,
} from '../../contract/schema.js';
import { webhookEnvelope } from '../webhook-events.schema.js';

export const webhookTest = closed({ event: Type.Optional(webhookEventName) });

export const webhookDeliveryFilters = {
  status: anyOf(['pending', 'succeeded', 'failed']),
  event: anyOf(ALL_WEBHOOK_EVENTS),
  message_id: Type.Optional(
    Type.String({
      maxLength: 64,
      description: 'The ID of the message or sub-tenant in `data.id` of the payload.',
    }),
  ),
  ...rangeFields,
};

const headers = (description: string) => nullable(Type.Record(Type.String(), Type.String(), { description }));

const { data: deliveredData } = webhookEnvelope.properties;
/** The delivered event in the log, in Mailkeel's format regardless of the endpoint's format. */
const deliveredPayload = verbatim(
  Type.Object({
    ...webhookEnvelope.properties,
    data: Type.Object({
      ...deliveredData.properties,
      sandbox: Type.Boolean({
        description:
          'Whether the event is from the sandbox. Only in this log; the body that is sent (`request_body`) does not have this field.',
      }),
    }),
  }),
);

export const webhookDelivery = Type.Object({
  id: Type.String({ description: 'The delivery ID. Also sent as `Service-Delivery` with every attempt.' }),
  object: Type.Literal('webhook_delivery'),
  endpoint_id: Type.String(),
  event: webhookEventName,
  event_id: nullable(
    Type.String({ description: 'The ID of the event in `GET /v1/events`. `null` for a test.' }),
  ),
  status: oneOf(['pending', 'succeeded', 'failed']),
  replay_of: nullable(Type.String({ description: 'The delivery that this one repeats.' })),
  attempts: Type.Array(
    Type.Object({
      number: Type.Integer(),
      at: timestamp,
      duration_ms: Type.Integer(),
      url: nullable(Type.String({ format: 'uri', description: 'The URL of the attempt.' })),
      request_headers: headers('The request headers, including the signature.'),
      request_body: nullable(
        Type.String({
          description:
            'The request body, if the format has the signature in the body. `null` if it is the body of the delivery.',
        }),
      ),
      response_status: nullable(Type.Integer()),
      response_headers: headers('The response headers, up to 50 headers and 4,096 characters.'),
      response_body: nullable(Type.String({ description: 'The first 1,024 bytes of the response body.' })),
      error: nullable(sentence({ description: 'Why there was no response, or why the attempt failed.' })),
    }),
  ),
  next_attempt_at: nullable(timestamp),
  payload: deliveredPayload,
  request_body: Type.String({
    description:
      'The exact body that was signed and sent with every attempt. If each attempt has its own body, this is the body of the last attempt.',
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
      description: 'Start of the period (inclusive), as a date or an ISO 8601 time with an offset.',
    }),
    until: Type.Optional(
      nullable(Type.String({ maxLength: 64, description: 'End of the period (exclusive), by default now.' })),
    ),
    status: Type.Optional(
      nullable(
        oneOf(['succeeded', 'failed'], {
          description:
            'Replay only events whose last delivery to the endpoint has this status. By default, replays all events the endpoint subscribes to, including those it was never sent.',
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
  deliveries: Type.Integer({ description: 'Number of deliveries created so far.' }),
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
