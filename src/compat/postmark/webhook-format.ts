// Webhooks in Postmark's format: an object with a RecordType. Postmark does not sign webhooks; these carry Service-Signature
// like all others.
import type { WebhookEvent } from '../../contract/names.js';
import type { VendorFormat, MessageEvent } from '../../webhooks/format.rules.js';
import { mailboxText } from '../fields.js';

/** Postmark's record types of events. Bounces, complaints and unsubscribes also change a subscription. */
export const RECORD_TYPES: Partial<Record<WebhookEvent, string>> = {
  'message.delivered': 'Delivery',
  'message.bounced': 'Bounce',
  'message.complained': 'SpamComplaint',
  'message.opened': 'Open',
  'message.clicked': 'Click',
  'message.unsubscribed': 'SubscriptionChange',
  'recipient.suppressed': 'SubscriptionChange',
};

export const POSTMARK_FORMAT: VendorFormat = {
  events: Object.keys(RECORD_TYPES) as WebhookEvent[], // the keys of a record over these
  bodyOf(event) {
    // A recipient who leaves one list still receives other mail.
    if (event.listId !== null) return null;
    return { RecordType: RECORD_TYPES[event.name], ...commonPart(event), ...PARTS[event.name]?.(event) };
  },
  sign: ({ body }) => ({ body, headers: {} }),
};

function commonPart(event: MessageEvent) {
  const texts = Object.entries(event.metadata).map(([name, value]) => [
    name,
    typeof value === 'string' ? value : JSON.stringify(value),
  ]);
  return {
    MessageStream: event.type === 'transactional' ? 'outbound' : 'broadcast',
    ServerID: null,
    MessageID: event.messageId,
    ...(event.rfcMessageId === null ? {} : { InternetMessageID: `<${event.rfcMessageId}>` }),
    Tag: event.tags[0] ?? '',
    Metadata: Object.fromEntries(texts) as Record<string, string>,
  };
}

const timeOf = ({ occurredAt }: MessageEvent): string => new Date(occurredAt).toISOString();

function subscriptionPart(event: MessageEvent): object {
  return {
    Recipient: event.to,
    ChangedAt: timeOf(event),
    Origin: 'Recipient',
    SuppressSending: true,
    SuppressionReason: SUPPRESSION_REASONS[event.reason ?? ''] ?? 'ManualSuppression',
  };
}

/** Fields specific to an event. */
const PARTS: Partial<Record<WebhookEvent, (event: MessageEvent) => object>> = {
  'message.delivered': (event) => ({
    Recipient: event.to,
    DeliveredAt: timeOf(event),
    Details: event.reply.text,
  }),
  'message.opened': (event) => ({
    Recipient: event.to,
    ReceivedAt: timeOf(event),
    FirstOpen: event.isFirst,
    ...readerOf(event),
  }),
  'message.clicked': (event) => ({
    Recipient: event.to,
    ReceivedAt: timeOf(event),
    OriginalLink: event.url ?? '',
    ClickLocation: 'HTML',
    ...readerOf(event),
  }),
  'message.bounced': bouncePart,
  'message.complained': bouncePart,
  'message.unsubscribed': subscriptionPart,
  'recipient.suppressed': subscriptionPart,
};

const SUPPRESSION_REASONS: Readonly<Record<string, string>> = {
  bounce: 'HardBounce',
  complaint: 'SpamComplaint',
};

export function readerOf({ ip, userAgent }: Pick<MessageEvent, 'ip' | 'userAgent'>) {
  const unknown = { Name: '', Company: '', Family: '' };
  return {
    UserAgent: userAgent ?? '',
    Client: unknown,
    OS: unknown,
    Platform: 'Unknown',
    Geo: { IP: ip ?? '' },
  };
}

export const BOUNCE_TYPES = {
  HardBounce: { code: 1, name: 'Hard bounce' },
  SoftBounce: { code: 4096, name: 'Soft bounce' },
  SpamComplaint: { code: 100_001, name: 'Spam complaint' },
} as const;

function bouncePart(event: MessageEvent): object {
  const isComplaint = event.name === 'message.complained';
  const type = isComplaint ? 'SpamComplaint' : event.isHardBounce ? 'HardBounce' : 'SoftBounce';
  const { code, name } = BOUNCE_TYPES[type];
  return {
    ID: event.messageId,
    Type: type,
    TypeCode: code,
    Name: name,
    Description: event.category ?? 'complaint',
    Details: event.reply.text,
    Email: event.to,
    From: mailboxText(event.from),
    BouncedAt: timeOf(event),
    DumpAvailable: true,
    Inactive: type !== 'SoftBounce',
    CanActivate: type === 'HardBounce',
    Subject: event.subject,
  };
}
