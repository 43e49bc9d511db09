// Webhooks in Resend's format: `{type, created_at, data}`, with the headers of Svix.
import type { WebhookEvent } from '../../contract/names.js';
import type { VendorFormat, MessageEvent } from '../../webhooks/format.rules.js';
import { standardHeaders } from '../../webhooks/signature.rules.js';
import { mailboxText } from '../fields.js';

/** Resend's names of events. */
export const EVENT_NAMES: Partial<Record<WebhookEvent, string>> = {
  'message.sent': 'email.sent',
  'message.delivered': 'email.delivered',
  'message.deferred': 'email.delivery_delayed',
  'message.bounced': 'email.bounced',
  'message.complained': 'email.complained',
  'message.opened': 'email.opened',
  'message.clicked': 'email.clicked',
  'message.failed': 'email.failed',
  'message.suppressed': 'email.suppressed',
  'message.received': 'email.received',
};

export const RESEND_FORMAT: VendorFormat = {
  events: Object.keys(EVENT_NAMES) as WebhookEvent[], // the keys of a record over these
  bodyOf: (event) => ({
    type: EVENT_NAMES[event.name],
    created_at: new Date(event.occurredAt).toISOString(),
    data: { ...dataOf(event), ...PARTS[event.name]?.(event) },
  }),
  sign({ body: rawBody, secrets, id, timestamp }) {
    const headers = standardHeaders({ secrets, id, timestamp, rawBody });
    return {
      body: rawBody,
      headers: {
        'svix-id': headers['webhook-id'],
        'svix-timestamp': headers['webhook-timestamp'],
        'svix-signature': headers['webhook-signature'],
      },
    };
  },
};

function dataOf(event: MessageEvent) {
  return {
    created_at: event.createdAt,
    email_id: event.messageId,
    ...(event.rfcMessageId === null ? {} : { message_id: `<${event.rfcMessageId}>` }),
    from: mailboxText(event.from),
    to: [event.to],
    subject: event.subject,
    ...(event.campaignId === null ? {} : { broadcast_id: event.campaignId }),
    ...(event.templateId === null ? {} : { template_id: event.templateId }),
    ...(event.tags.length === 0 ? {} : { tags: Object.fromEntries(event.tags.map(tagOf)) }),
  };
}

/** Tags are stored as `name:value`. */
function tagOf(tag: string): [string, string] {
  const at = tag.indexOf(':');
  return at < 0 ? [tag, ''] : [tag.slice(0, at), tag.slice(at + 1)];
}

/** Fields specific to an event. */
const PARTS: Partial<Record<WebhookEvent, (event: MessageEvent) => object>> = {
  'message.bounced': ({ reply, category, isHardBounce }) => ({
    bounce: {
      message: reply.text,
      type: isHardBounce ? 'Permanent' : 'Transient',
      subType: SUB_TYPES[category ?? ''] ?? 'General',
    },
  }),
  'message.clicked': ({ ip, url, userAgent, occurredAt }) => ({
    click: {
      ipAddress: ip ?? '',
      link: url ?? '',
      timestamp: new Date(occurredAt).toISOString(),
      userAgent: userAgent ?? '',
    },
  }),
  'message.failed': ({ reply, category }) => ({
    failed: { reason: reply.text === '' ? (category ?? 'failed') : reply.text },
  }),
  'message.suppressed': ({ reason }) => ({
    suppressed: { message: 'The address is on the suppression list.', type: reason ?? 'manual' },
  }),
  'message.received': ({ to }) => ({ cc: [], bcc: [], received_for: [to], attachments: [] }),
};

const SUB_TYPES: Readonly<Record<string, string>> = {
  quota: 'MailboxFull',
  too_large: 'MessageTooLarge',
  spam_content: 'ContentRejected',
};
