// Postmark's sent messages: search, details and raw source.
import { Type } from 'typebox';
import type { MessageObject } from '../../messages/message.schema.js';
import { closed, oneOf } from '../../contract/schema.js';
import { LINE } from '../bounds.js';
import { readEnd, given, mailboxText } from '../fields.js';
import { MAX_OFFSET, pageByOffset } from '../pages.js';
import { compatRoute, type CompatRoute } from '../route.js';

const text = Type.Optional(LINE);
export const pageFields = {
  count: Type.Optional(Type.Integer({ minimum: 1, maximum: 500, default: 100 })),
  offset: Type.Optional(Type.Integer({ minimum: 0, maximum: MAX_OFFSET, default: 0 })),
};
const STATUSES = {
  queued: 'queued',
  sent: 'sent,delivered,opened,clicked',
  processed: 'sent,delivered,opened,clicked',
};
const query = closed({
  ...pageFields,
  recipient: text,
  fromemail: text,
  tag: text,
  status: Type.Optional(oneOf(['queued', 'sent', 'processed'])),
  fromdate: text,
  todate: text,
  subject: text,
  messagestream: Type.Optional(Type.Literal('outbound')),
});

export const MESSAGE_ROUTES: readonly CompatRoute[] = [
  compatRoute({
    method: 'GET',
    path: '/messages/outbound',
    permission: 'send',
    query,
    async handle({ query: wanted, v1 }) {
      const filters = {
        ...given('to', wanted.recipient),
        ...given('from', wanted.fromemail),
        ...given('tag', wanted.tag),
        ...given('status', wanted.status === undefined ? undefined : STATUSES[wanted.status]),
        ...given('created_after', wanted.fromdate),
        ...given('created_before', wanted.todate === undefined ? undefined : readEnd(wanted.todate)),
        ...given('subject', wanted.subject),
      };
      const { items, total } = await pageByOffset(
        (page) => v1.messages.list({ ...filters, ...page }),
        { count: wanted.count ?? 100, offset: wanted.offset ?? 0 },
        ({ direction }) => direction === 'outbound',
      );
      return { body: { TotalCount: total, Messages: items.map(messageOf) } };
    },
  }),
  compatRoute({
    method: 'GET',
    path: '/messages/outbound/:id/details',
    permission: 'send',
    async handle({ params: { id = '' }, v1 }) {
      const message = await v1.messages.get(id);
      const [content, trail, raw] = await Promise.all([
        v1.messages.content(id),
        v1.messages.trail(id),
        v1.messages.raw(id),
      ]);
      return {
        body: {
          ...messageOf(message),
          To: content.to.map(recipientOf),
          Cc: content.cc.map(recipientOf),
          TextBody: content.text,
          HtmlBody: content.html,
          Body: raw.toString('utf8'),
          MessageEvents: trail.trail.flatMap((entry) => {
            const type = EVENTS[entry.event];
            if (type === undefined) return [];
            return [
              { Recipient: message.to, Type: type, ReceivedAt: entry.timestamp, Details: entry.metadata },
            ];
          }),
        },
      };
    },
  }),
  compatRoute({
    method: 'GET',
    path: '/messages/outbound/:id/dump',
    permission: 'send',
    async handle({ params: { id = '' }, v1 }) {
      return { body: { Body: (await v1.messages.raw(id)).toString('utf8') } };
    },
  }),
];

const EVENTS: Partial<Record<string, string>> = {
  delivered: 'Delivered',
  deferred: 'Transient',
  bounced: 'Bounced',
  opened: 'Opened',
  clicked: 'LinkClicked',
  unsubscribed: 'SubscriptionChanged',
};

function recipientOf({ email, name }: { email: string; name: string | null }) {
  return { Email: email, Name: name };
}

export function streamOf({ type }: Pick<MessageObject, 'type'>): 'outbound' | 'broadcast' {
  return type === 'transactional' ? 'outbound' : 'broadcast';
}

function messageOf(message: MessageObject) {
  const recipients = [{ Email: message.to, Name: null }];
  const of = (role: string) => (message.recipient_role === role ? recipients : []);
  return {
    Tag: message.tags[0] ?? null,
    MessageID: message.id,
    InternetMessageID: message.internet_message_id,
    MessageStream: streamOf(message),
    To: of('to'),
    Cc: of('cc'),
    Bcc: of('bcc'),
    Recipients: [message.to],
    ReceivedAt: message.created_at,
    From: mailboxText(message.from),
    Subject: message.subject,
    Attachments: message.attachments.map(({ filename }) => filename),
    Status: message.status === 'queued' || message.status === 'sending' ? 'Queued' : 'Sent',
    TrackOpens: message.track_opens,
    TrackLinks: message.track_clicks ? 'HtmlOnly' : 'None',
    Metadata: message.metadata,
    Sandboxed: message.sandbox,
  };
}
