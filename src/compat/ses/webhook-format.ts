// Webhooks in the form of Amazon SES event destinations: an SNS notification whose Message is the event in JSON. SNS signs with a
// certificate of AWS, so there is no SNS signature; deliveries carry Service-Signature like all others.
import type { WebhookEvent } from '../../contract/names.js';
import type { VendorFormat, MessageEvent } from '../../webhooks/format.rules.js';
import { mailboxText } from '../fields.js';
import { replyReason } from '../smtp-reply.js';

/** SES's types of events. */
const EVENT_TYPES: Partial<Record<WebhookEvent, string>> = {
  'message.sent': 'Send',
  'message.delivered': 'Delivery',
  'message.deferred': 'DeliveryDelay',
  'message.bounced': 'Bounce',
  'message.suppressed': 'Bounce',
  'message.complained': 'Complaint',
  'message.opened': 'Open',
  'message.clicked': 'Click',
  'message.failed': 'Reject',
};

/** Name of the tag with the configuration set of a message. */
export const CONFIGURATION_SET_TAG = 'configuration-set';

const TOPIC = 'arn:aws:sns:us-east-1:000000000000:mailkeel';

export const SES_FORMAT: VendorFormat = {
  events: Object.keys(EVENT_TYPES) as WebhookEvent[], // the keys of a record over these
  bodyOf: (event) => ({
    Type: 'Notification',
    MessageId: event.key,
    TopicArn: TOPIC,
    Subject: 'Amazon SES Email Event Notification',
    Message: JSON.stringify(sesEvent(event)),
    Timestamp: timeOf(event),
  }),
  sign: ({ body }) => ({
    body,
    headers: {
      'Content-Type': 'text/plain; charset=UTF-8',
      'x-amz-sns-message-type': 'Notification',
      'x-amz-sns-topic-arn': TOPIC,
    },
  }),
};

function sesEvent(event: MessageEvent): object {
  return {
    eventType: EVENT_TYPES[event.name],
    mail: mailOf(event),
    ...PARTS[event.name]?.(event),
  };
}

const timeOf = ({ occurredAt }: MessageEvent): string => new Date(occurredAt).toISOString();

function mailOf(event: MessageEvent): object {
  const from = mailboxText(event.from);
  const fields = [
    ['From', from],
    ['To', event.to],
    ['Subject', event.subject],
    ['Message-ID', event.rfcMessageId === null ? '' : `<${event.rfcMessageId}>`],
  ];
  return {
    timestamp: event.createdAt,
    source: from,
    sourceArn: '',
    sendingAccountId: '',
    messageId: event.messageId,
    destination: [event.to],
    headersTruncated: false,
    headers: fields.filter(([, value]) => value !== '').map(([name, value]) => ({ name, value })),
    commonHeaders: { from: [from], to: [event.to], messageId: event.messageId, subject: event.subject },
    tags: tagsOf(event),
  };
}

/** Returns the values of each tag, which is stored as `name:value`, and those that SES adds. */
function tagsOf({ tags, from }: MessageEvent): Record<string, string[]> {
  const named = new Map<string, string[]>();
  const add = (name: string, value: string) => named.set(name, [...(named.get(name) ?? []), value]);
  for (const tag of tags) {
    const colon = tag.indexOf(':');
    const [name, value] = colon < 0 ? [tag, ''] : [tag.slice(0, colon), tag.slice(colon + 1)];
    add(name === CONFIGURATION_SET_TAG ? `ses:${name}` : name, value);
  }
  add('ses:from-domain', from.email.split('@').at(-1) ?? '');
  return Object.fromEntries(named);
}

/** Parts specific to an event. */
const PARTS: Partial<Record<WebhookEvent, (event: MessageEvent) => object>> = {
  'message.sent': () => ({ send: {} }),
  'message.delivered': (event) => ({
    delivery: {
      timestamp: timeOf(event),
      processingTimeMillis: Math.max(0, event.occurredAt - Date.parse(event.createdAt)),
      recipients: [event.to],
      smtpResponse: replyReason(event.reply),
      ...reportingServer(event),
    },
  }),
  'message.deferred': (event) => ({
    deliveryDelay: {
      timestamp: timeOf(event),
      delayType: DELAY_TYPES[event.category ?? ''] ?? 'General',
      delayedRecipients: [recipientOf(event)],
      ...reportingServer(event),
    },
  }),
  'message.bounced': (event) => ({
    bounce: {
      bounceType: event.isHardBounce ? 'Permanent' : 'Transient',
      bounceSubType: SUB_TYPES[event.category ?? ''] ?? 'General',
      bouncedRecipients: [{ ...recipientOf(event), action: 'failed' }],
      timestamp: timeOf(event),
      feedbackId: event.key,
      ...reportingServer(event),
    },
  }),
  'message.suppressed': (event) => ({
    bounce: {
      bounceType: 'Permanent',
      bounceSubType: 'OnAccountSuppressionList',
      bouncedRecipients: [
        {
          emailAddress: event.to,
          action: 'failed',
          status: '5.1.1',
          diagnosticCode: `Mailkeel did not send the message, because the address is suppressed (${event.reason ?? 'manual'}).`,
        },
      ],
      timestamp: timeOf(event),
      feedbackId: event.key,
    },
  }),
  'message.complained': (event) => ({
    complaint: {
      complainedRecipients: [{ emailAddress: event.to }],
      timestamp: timeOf(event),
      feedbackId: event.key,
      complaintSubType: null,
      complaintFeedbackType: 'abuse',
      arrivalDate: timeOf(event),
    },
  }),
  'message.opened': (event) => ({ open: readerOf(event) }),
  'message.clicked': (event) => ({ click: { ...readerOf(event), link: event.url ?? '', linkTags: null } }),
  'message.failed': ({ reply, category }) => ({
    reject: { reason: reply.text === '' ? (category ?? 'failed') : reply.text },
  }),
};

const SUB_TYPES: Readonly<Record<string, string>> = {
  quota: 'MailboxFull',
  too_large: 'MessageTooLarge',
  spam_content: 'ContentRejected',
};
const DELAY_TYPES: Readonly<Record<string, string>> = {
  quota: 'MailboxFull',
  spam_content: 'SpamDetected',
  spam_block: 'SpamDetected',
  network: 'TransientCommunicationFailure',
};

function readerOf(event: MessageEvent): object {
  return { timestamp: timeOf(event), ipAddress: event.ip ?? '', userAgent: event.userAgent ?? '' };
}

function recipientOf({ to, reply: { code, enhancedCode, text } }: MessageEvent) {
  return {
    emailAddress: to,
    status: enhancedCode ?? (code === null ? '' : `${Math.floor(code / 100)}.0.0`),
    diagnosticCode: `smtp; ${replyReason({ code, text })}`,
  };
}

function reportingServer({ reply: { host } }: MessageEvent): { reportingMTA?: string } {
  return host === null ? {} : { reportingMTA: `dns; ${host}` };
}
