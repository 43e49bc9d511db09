// The body of webhooks and the operations that receive them, for the description of the API.
import { Type } from 'typebox';
import { WEBHOOK_MEANINGS, type WebhookEvent } from '../contract/names.js';
import { bulkAction } from '../imports/bulk-action.schema.js';
import { campaign } from '../campaigns/campaign.schema.js';
import { contact } from '../contacts/contact.schema.js';
import { exportObject } from '../imports/export.schema.js';
import { contactImport } from '../imports/import.schema.js';
import { message } from '../messages/message.schema.js';
import { sender } from '../domains/senders/sender.schema.js';
import { subTenant } from '../domains/sub-tenants/sub-tenant.schema.js';
import { suppression } from '../suppressions/suppression.schema.js';
import { nameSchemas, timestamp } from '../contract/schema.js';
import { subjectPrefix } from '../events/event-names.rules.js';
import { webhookEventName } from './endpoint.schema.js';

/** With full payloads. */
const webhookRecord = Type.Union(
  [
    message,
    subTenant,
    suppression,
    contact,
    sender,
    campaign,
    contactImport,
    exportObject,
    bulkAction,
    Type.Null(),
  ],
  {
    description:
      'The record that `data.id` refers to, at the time of delivery. Only sent to endpoints with full payloads. `null` if there is no record, as in a test.',
  },
);

/** The body of every webhook. */
export const webhookEnvelope = Type.Object({
  event: webhookEventName,
  occurred_at: timestamp,
  data: Type.Object({
    id: Type.String({
      description:
        'The ID of the record that the event is about: a message, or another record depending on the event name.',
    }),
    event: webhookEventName,
    occurred_at: timestamp,
    object: Type.Optional(webhookRecord),
  }),
});

nameSchemas({
  WebhookEvent: webhookEnvelope,
  WebhookEventData: webhookEnvelope.properties.data,
  WebhookRecord: webhookRecord,
});

/** The webhooks of the OpenAPI document, one for each event. Their schemas still have their marks. */
export function webhookOperations(): Record<string, object> {
  return Object.fromEntries(
    WEBHOOK_MEANINGS.map(([event, meaning]) => [event, { post: webhook(event, meaning) }]),
  );
}

function webhook(event: WebhookEvent, meaning: string): object {
  const occurred_at = '2026-03-01T09:00:00.000Z';
  const id = `${subjectPrefix(event)}_01kdyak3se4w5amvgkazjzkvb7`;
  const example = { event, occurred_at, data: { id, event, occurred_at } };
  return {
    operationId: `on.${event}`,
    tags: ['Events'],
    summary: meaning,
    parameters: HEADERS,
    requestBody: {
      required: true,
      content: { 'application/json': { schema: webhookEnvelope, example } },
    },
    responses: { '2XX': { description: 'Received. Any other response is retried.' } },
    security: [],
  };
}

const header = (name: string, description: string, example: string, required = true) => ({
  in: 'header',
  name,
  required,
  description,
  schema: { type: 'string', examples: [example] },
});

const HEADERS = [
  header(
    'Service-Signature',
    '`t=<unix seconds>,v1=<hex HMAC-SHA256 of "<t>.<raw body>">`, with a second `v1` while a secret is being rotated.',
    't=1772355600,v1=5257a869e7ecebeda32affa62cdca3fa51cad7e77a0e56ff536d0ce8e108d8bd',
  ),
  header('Service-Event', 'The event name.', 'message.delivered'),
  header(
    'Service-Delivery',
    'The delivery ID, which is the same for every attempt.',
    'whd_01kdyak3se4w5amvgkazjzkvb7',
  ),
  header('Service-Attempt', 'The attempt number, starting at 1.', '1'),
  header(
    'Service-Replay-Of',
    'The ID of the original delivery. Only present on replays.',
    'whd_01kdyak3se4w5amvgkazjzkvb6',
    false,
  ),
];
