// The webhooks of the OpenAPI document: what is posted to the endpoints of customers.
import type { WebhookEvent } from '../../contract/names.js';
import { subjectPrefixOf } from '../../webhooks/event.rules.js';
import { WEBHOOK_MEANINGS, webhookEnvelope } from '../../webhooks/webhook-events.schema.js';

/** One for each event. Their schemas still have their marks. */
export function webhooks(): Record<string, object> {
  const events = Object.keys(WEBHOOK_MEANINGS) as WebhookEvent[]; // the keys of a record over exactly these
  return Object.fromEntries(events.map((event) => [event, { post: webhook(event) }]));
}

function webhook(event: WebhookEvent): object {
  const occurred_at = '2026-03-01T09:00:00.000Z';
  const id = `${subjectPrefixOf(event)}_01kdyak3se4w5amvgkazjzkvb7`;
  const example = { event, occurred_at, data: { id, event, occurred_at } };
  return {
    operationId: `on.${event}`,
    tags: ['Events'],
    summary: WEBHOOK_MEANINGS[event],
    parameters: HEADERS,
    requestBody: {
      required: true,
      content: { 'application/json': { schema: webhookEnvelope, example } },
    },
    responses: { '2XX': { description: 'Received. Anything else is tried again.' } },
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
    '`t=<unix seconds>,v1=<hex HMAC-SHA256 of "<t>.<raw body>">`; with a second `v1` while a secret is being replaced.',
    't=1772355600,v1=5257a869e7ecebeda32affa62cdca3fa51cad7e77a0e56ff536d0ce8e108d8bd',
  ),
  header('Service-Event', 'The name of the event.', 'message.delivered'),
  header('Service-Delivery', 'The same for every attempt of a delivery.', 'whd_01kdyak3se4w5amvgkazjzkvb7'),
  header('Service-Attempt', 'Counts from 1.', '1'),
  header(
    'Service-Replay-Of',
    'Only on a replay: the delivery that this one repeats.',
    'whd_01kdyak3se4w5amvgkazjzkvb6',
    false,
  ),
];
