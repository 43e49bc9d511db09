// Webhooks in Mailgun's format: `{signature, "event-data"}`. The signature covers a time and a token that are sent with it, so
// each attempt has a different body.
import { createHmac } from 'node:crypto';
import type { WebhookEvent } from '../../contract/names.js';
import type { VendorFormat, MessageEvent } from '../../webhooks/format.rules.js';
import { mailboxText } from '../fields.js';

/** Mailgun's names of events. */
const EVENT_NAMES: Partial<Record<WebhookEvent, string>> = {
  'message.sent': 'accepted',
  'message.delivered': 'delivered',
  'message.deferred': 'failed',
  'message.bounced': 'failed',
  'message.failed': 'failed',
  'message.suppressed': 'failed',
  'message.complained': 'complained',
  'message.opened': 'opened',
  'message.clicked': 'clicked',
  'message.unsubscribed': 'unsubscribed',
};
const TOKEN_LENGTH = 50;

export const MAILGUN_FORMAT: VendorFormat = {
  events: Object.keys(EVENT_NAMES) as WebhookEvent[], // the keys of a record over these
  bodyOf: eventData,
  sign({ body, secrets: [secret], id, timestamp: at }) {
    const timestamp = String(Math.floor(at));
    const hmac = (text: string): string => createHmac('sha256', secret).update(text).digest('hex');
    // The token is unpredictable and differs for every attempt.
    const token = hmac(`token ${id} ${at}`).slice(0, TOKEN_LENGTH);
    const signature = JSON.stringify({ token, timestamp, signature: hmac(timestamp + token) });
    return { body: `{"signature":${signature},"event-data":${body}}`, headers: {} };
  },
};

/** Returns the payload beside the signature. */
function eventData(event: MessageEvent): object {
  return {
    event: EVENT_NAMES[event.name],
    id: event.key,
    timestamp: event.occurredAt / 1000,
    'log-level': LEVELS[event.name] ?? 'info',
    recipient: event.to,
    'recipient-domain': event.to.split('@').at(-1) ?? '',
    tags: event.tags,
    campaigns: event.campaignId === null ? [] : [event.campaignId],
    'user-variables': event.metadata,
    envelope: { sender: event.from.email, targets: event.to, transport: 'smtp' },
    message: {
      headers: {
        'message-id': event.rfcMessageId ?? '',
        from: mailboxText(event.from),
        to: event.to,
        subject: event.subject,
      },
      attachments: [],
    },
    flags: {
      'is-authenticated': true,
      'is-routed': false,
      'is-test-mode': event.sandbox,
      'is-system-test': false,
    },
    ...PARTS[event.name]?.(event),
  };
}

const LEVELS: Partial<Record<WebhookEvent, string>> = {
  'message.bounced': 'error',
  'message.failed': 'error',
  'message.suppressed': 'error',
  'message.deferred': 'warn',
  'message.complained': 'warn',
  'message.unsubscribed': 'warn',
};

const failed = (event: MessageEvent): object => ({
  severity: 'permanent',
  reason: event.isHardBounce ? 'bounce' : 'generic',
  'delivery-status': statusOf(event),
});
const read = (event: MessageEvent): object => ({
  ip: event.ip ?? '',
  'client-info': { 'user-agent': event.userAgent ?? '', ...(event.isMachine ? { bot: 'generic' } : {}) },
});

/** Fields specific to an event. */
const PARTS: Partial<Record<WebhookEvent, (event: MessageEvent) => object>> = {
  'message.delivered': (event) => ({ 'delivery-status': statusOf(event) }),
  'message.deferred': (event) => ({
    severity: 'temporary',
    reason: 'generic',
    'delivery-status': statusOf(event),
  }),
  'message.bounced': failed,
  'message.failed': failed,
  'message.suppressed': (event) => ({
    severity: 'permanent',
    reason: `suppress-${event.reason ?? 'bounce'}`,
    'delivery-status': { code: 605, message: '', description: 'Not delivering to a suppressed address' },
  }),
  'message.opened': read,
  'message.clicked': (event) => ({ ...read(event), url: event.url ?? '' }),
  'message.unsubscribed': ({ listId }) => (listId === null ? {} : { 'mailing-list': { 'list-id': listId } }),
};

function statusOf({ reply }: MessageEvent) {
  return {
    code: reply.code,
    message: reply.text,
    description: '',
    'enhanced-code': reply.enhancedCode ?? '',
    'mx-host': reply.host ?? '',
  };
}
