// Meanings of the webhook events and the operations that receive them, for the description of the API; `docs/events.md` has the long form.
import { Type } from 'typebox';
import type { WebhookEvent } from '../contract/names.js';
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

const WEBHOOK_MEANINGS: Record<WebhookEvent, string> = {
  'message.sent': 'The message was handed to a delivery session for the first time.',
  'message.delivered': "The recipient's mail server accepted the message.",
  'message.opened': 'The tracking pixel was loaded.',
  'message.clicked': 'A tracked link was clicked.',
  'message.bounced': 'The message will not be delivered. See its error for the reason.',
  'message.complained': 'The recipient marked the message as spam.',
  'message.failed': 'The message could not be sent.',
  'message.suppressed': 'The message was not sent because the address is suppressed.',
  'recipient.suppressed':
    'The address was added to the suppression list. `data.id` is the message that caused it.',
  'message.received': 'A reply was received. `data.id` is the ID of the reply.',
  'message.deferred': 'An attempt failed and will be retried. Opt-in event.',
  'message.unsubscribed': 'The recipient unsubscribed. Opt-in event.',
  'tenant.warned': "A sub-tenant's complaint rate reached the warning level.",
  'tenant.throttled':
    'A sub-tenant was throttled because of its complaint rate, by default to 60 messages per hour.',
  'tenant.paused': "A sub-tenant's live mail is on hold until it is resumed.",
  'tenant.recovered': "A sub-tenant's rates are back within the limits.",
  'tenant.dns_drifted': "A sub-tenant's DKIM record no longer resolves and a grace period has begun.",
  'tenant.dns_suspended':
    'The grace period has ended. Live messages are rejected and queued messages are on hold.',
  'tenant.dns_recovered': 'The DKIM record resolves again.',
  'tenant.dkim_rotation_started': 'A new DKIM key is waiting for its DNS record.',
  'tenant.dkim_rotation_completed': 'The new DKIM key is now used for signing.',
  'suppression.created': 'An address was suppressed, except by an import or bulk action. Opt-in event.',
  'suppression.deleted': 'A suppression was deleted. Opt-in event.',
  'contact.created': 'A contact was created, except by an import. Opt-in event.',
  'contact.updated': 'A contact was changed, except by an import or bulk action. Opt-in event.',
  'contact.unsubscribed': 'A contact became unsubscribed or left a list themselves. Opt-in event.',
  'contact.deleted': 'A contact was deleted, except by a bulk action. Opt-in event.',
  'contact.erased': "A contact and all of the person's data were erased. Opt-in event.",
  'domain.verified':
    'A domain was verified. `data.id` is the sender, or the sub-tenant whose sending domain it is. Opt-in event.',
  'domain.failed':
    'A domain was not verified in time and is no longer checked automatically. `data.id` is as for domain.verified. Opt-in event.',
  'domain.drifted':
    'The DKIM record of a sender domain no longer resolves and a grace period has begun. Opt-in event.',
  'domain.suspended':
    'Mail from a sender domain is on hold because the grace period has ended or another workspace has verified the domain. Opt-in event.',
  'domain.recovered': 'The DKIM record of a sender domain resolves again. Opt-in event.',
  'campaign.scheduled': 'A campaign was scheduled or rescheduled. Opt-in event.',
  'campaign.started': 'Sending of a campaign has begun. Opt-in event.',
  'campaign.paused':
    'A campaign was paused by a user or automatically. See the campaign for the reason. Opt-in event.',
  'campaign.resumed': 'A paused campaign was resumed. Opt-in event.',
  'campaign.sent': 'Every message of a campaign has been attempted at least once. Opt-in event.',
  'campaign.canceled': 'A campaign was canceled. Opt-in event.',
  'import.completed': 'A contact import has finished. Opt-in event.',
  'import.failed': 'A contact import has failed. See the import for the reason. Opt-in event.',
  'import.canceled': 'A contact import was canceled. Opt-in event.',
  'export.completed': 'The file of an export is complete. Opt-in event.',
  'export.failed': 'An export has failed. See the export for the reason. Opt-in event.',
  'export.canceled': 'An export was canceled. Opt-in event.',
  'bulk_action.completed': 'A bulk action has finished. Opt-in event.',
  'bulk_action.failed': 'A bulk action has failed. See the bulk action for the reason. Opt-in event.',
  'bulk_action.canceled': 'A bulk action was canceled. Opt-in event.',
};

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
  const events = Object.keys(WEBHOOK_MEANINGS) as WebhookEvent[]; // the keys of a record over exactly these
  return Object.fromEntries(events.map((event) => [event, { post: webhook(event) }]));
}

function webhook(event: WebhookEvent): object {
  const occurred_at = '2026-03-01T09:00:00.000Z';
  const id = `${subjectPrefix(event)}_01kdyak3se4w5amvgkazjzkvb7`;
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
