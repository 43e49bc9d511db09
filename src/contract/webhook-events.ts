// What each webhook event means, for the description of the API; `docs/events.md` says the same at length.
import { Type } from 'typebox';
import type { WebhookEvent } from './names.js';
import { message } from './message.js';
import { subTenant } from './sub-tenant.js';
import { nameSchemas, timestamp } from './schema.js';
import { webhookEventName } from './webhook-endpoint.js';

export const WEBHOOK_MEANINGS: Record<WebhookEvent, string> = {
  'message.sent': 'Handed to a delivery session for the first time.',
  'message.delivered': "Accepted by the recipient's server.",
  'message.opened': 'The tracking pixel was fetched.',
  'message.clicked': 'A tracked link was followed.',
  'message.bounced': 'Will not be delivered; the message says why.',
  'message.complained': 'The recipient marked it as spam.',
  'message.failed': 'Could not be sent.',
  'message.suppressed': 'Not sent: the address is suppressed.',
  'recipient.suppressed':
    'The address was put onto the suppression list; data.id is the message that it is for.',
  'message.received': 'A reply came in; data.id is the id of the reply.',
  'message.deferred': 'An attempt failed and will be repeated. Only for endpoints that name it.',
  'message.unsubscribed': 'The recipient unsubscribed. Only for endpoints that name it.',
  'tenant.warned': "A sub-tenant's complaint rate reached the level of a warning.",
  'tenant.throttled': 'A sub-tenant was slowed down to 60 sends an hour.',
  'tenant.paused': "A sub-tenant's live mail is held until it is resumed.",
  'tenant.recovered': "A sub-tenant's rates are back within the limits.",
  'tenant.dns_drifted': "A sub-tenant's DKIM record no longer resolves; a grace period runs.",
  'tenant.dns_suspended': 'The grace period is over; live sends are refused and queued mail is held.',
  'tenant.dns_recovered': 'The DKIM record resolves again.',
  'tenant.dkim_rotation_started': 'A new DKIM key waits for its record.',
  'tenant.dkim_rotation_completed': 'The new DKIM key signs.',
};

/** With full payloads. */
const webhookRecord = Type.Union([message, subTenant, Type.Null()], {
  description:
    'Only for endpoints with full payloads: the message or sub-tenant when the delivery was made. Null when there is none, as in a test.',
});

/** The body of every webhook. */
export const webhookEnvelope = Type.Object({
  event: webhookEventName,
  occurred_at: timestamp,
  data: Type.Object({
    id: Type.String({ description: 'Of the message, or of the sub-tenant.' }),
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
