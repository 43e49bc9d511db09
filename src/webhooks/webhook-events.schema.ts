// Meanings of the webhook events, for the description of the API; `docs/events.md` has the long form.
import { Type } from 'typebox';
import type { WebhookEvent } from '../contract/names.js';
import { bulkAction } from '../imports/bulk-action.schema.js';
import { campaign } from '../campaigns/campaign.schema.js';
import { contact } from '../contacts/contact.schema.js';
import { exportObject } from '../imports/export.schema.js';
import { contactImport } from '../imports/import.schema.js';
import { message } from '../messages/message.schema.js';
import { sender } from '../domains/senders/sender.schema.js';
import { subTenant } from '../tenants/sub-tenant.schema.js';
import { suppression } from '../suppressions/suppression.schema.js';
import { nameSchemas, timestamp } from '../contract/schema.js';
import { webhookEventName } from './endpoint.schema.js';

export const WEBHOOK_MEANINGS: Record<WebhookEvent, string> = {
  'message.sent': 'Passed to a delivery session for the first time.',
  'message.delivered': "Accepted by the recipient's server.",
  'message.opened': 'The tracking pixel was fetched.',
  'message.clicked': 'A tracked link was followed.',
  'message.bounced': 'Will not be delivered; the message says why.',
  'message.complained': 'The recipient marked it as spam.',
  'message.failed': 'Could not be sent.',
  'message.suppressed': 'Not sent: the address is suppressed.',
  'recipient.suppressed':
    'The address was put onto the suppression list; data.id is the message that it is for.',
  'message.received': 'A reply was received; data.id is the id of the reply.',
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
  'suppression.created':
    'An address was put onto the suppression list, not by an import or a bulk action. Only for endpoints that name it.',
  'suppression.deleted': 'An address was taken off the suppression list. Only for endpoints that name it.',
  'contact.created': 'A contact was added, not by an import. Only for endpoints that name it.',
  'contact.updated':
    'A contact was changed, not by an import or a bulk action. Only for endpoints that name it.',
  'contact.unsubscribed':
    'A contact became unsubscribed, or left a list by their own doing. Only for endpoints that name it.',
  'contact.deleted': 'A contact was deleted, not by a bulk action. Only for endpoints that name it.',
  'contact.erased': 'A contact was deleted with all data of the person. Only for endpoints that name it.',
  'domain.verified':
    'A domain was verified; data.id is the sender, or the sub-tenant whose sending domain it is. Only for endpoints that name it.',
  'domain.failed':
    'A domain was not verified in time, and is not looked at again until asked; data.id as for domain.verified. Only for endpoints that name it.',
  'domain.drifted':
    "The DKIM record of a sender's domain no longer resolves; a grace period runs. Only for endpoints that name it.",
  'domain.suspended':
    "Mail from a sender's domain is held: the grace period is over, or another workspace has proved the domain. Only for endpoints that name it.",
  'domain.recovered': "The DKIM record of a sender's domain resolves again. Only for endpoints that name it.",
  'campaign.scheduled': 'A campaign got a time, or another. Only for endpoints that name it.',
  'campaign.started': 'A campaign began to be sent. Only for endpoints that name it.',
  'campaign.paused':
    'A campaign was paused, or has paused itself; the campaign says why. Only for endpoints that name it.',
  'campaign.resumed': 'A paused campaign goes on. Only for endpoints that name it.',
  'campaign.sent':
    'Every message of a campaign has been attempted at least once. Only for endpoints that name it.',
  'campaign.canceled': 'A campaign was canceled. Only for endpoints that name it.',
  'import.completed': 'An import of contacts has ended. Only for endpoints that name it.',
  'import.failed':
    'An import of contacts was given up; the import says why. Only for endpoints that name it.',
  'import.canceled': 'An import of contacts was canceled. Only for endpoints that name it.',
  'export.completed': 'The file of an export is complete. Only for endpoints that name it.',
  'export.failed': 'An export was given up; the export says why. Only for endpoints that name it.',
  'export.canceled': 'An export was canceled. Only for endpoints that name it.',
  'bulk_action.completed': 'A bulk action has ended. Only for endpoints that name it.',
  'bulk_action.failed':
    'A bulk action was given up; the bulk action says why. Only for endpoints that name it.',
  'bulk_action.canceled': 'A bulk action was canceled. Only for endpoints that name it.',
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
      'Only for endpoints with full payloads: the record that data.id names, when the delivery was made. Null when there is none, as in a test.',
  },
);

/** The body of every webhook. */
export const webhookEnvelope = Type.Object({
  event: webhookEventName,
  occurred_at: timestamp,
  data: Type.Object({
    id: Type.String({
      description: 'Of the record that the event is about: a message, or as the name of the event says.',
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
