// Postmark's inbound messages: the received messages of the workspace.
import { Type } from 'typebox';
import { Refusal } from '../../contract/refusal.js';
import type { MessageObject } from '../../messages/message.schema.js';
import { closed } from '../../contract/schema.js';
import { LINE } from '../bounds.js';
import { given, readEnd } from '../fields.js';
import { pageByOffset } from '../pages.js';
import { compatRoute, notHere, type CompatRoute } from '../route.js';
import { pageFields } from './messages.js';

const text = Type.Optional(LINE);
const missing = (sentence: string) => notHere(Type.Optional(Type.Unknown()), sentence);

export const INBOUND_ROUTES: readonly CompatRoute[] = [
  compatRoute({
    method: 'GET',
    path: '/messages/inbound',
    permission: 'send',
    query: closed({
      ...pageFields,
      recipient: text,
      fromemail: text,
      subject: text,
      fromdate: text,
      todate: text,
      tag: missing('received messages have no tags. Omit it'),
      mailboxhash: missing('mailbox hashes are not kept. Use recipient'),
      status: missing('every received message is processed. Omit it'),
    }),
    async handle({ query: wanted, v1 }) {
      const filters = {
        ...given('to', wanted.recipient),
        ...given('from', wanted.fromemail),
        ...given('subject', wanted.subject),
        ...given('created_after', wanted.fromdate),
        ...given('created_before', wanted.todate === undefined ? undefined : readEnd(wanted.todate)),
      };
      const { items, total } = await pageByOffset(
        (page) => v1.messages.list({ ...filters, ...page, status: 'received' }),
        { count: wanted.count ?? 100, offset: wanted.offset ?? 0 },
      );
      return { body: { TotalCount: total, InboundMessages: items.map(messageOf) } };
    },
  }),
  compatRoute({
    method: 'GET',
    path: '/messages/inbound/:id/details',
    permission: 'send',
    async handle({ params: { id = '' }, v1 }) {
      const message = await v1.messages.get(id);
      if (message.received === undefined) throw new Refusal('not_found');
      const { headers } = await v1.messages.content(id);
      const { text: TextBody, html: HtmlBody, visible_text: StrippedTextReply } = message.received;
      const Headers = Object.entries(headers).map(([Name, Value]) => ({ Name, Value }));
      return { body: { ...messageOf(message), TextBody, HtmlBody, StrippedTextReply, Headers } };
    },
  }),
];

function messageOf(message: MessageObject) {
  const { email, name } = message.from;
  return {
    ...{ From: email, FromName: name ?? '', FromFull: { Email: email, Name: name ?? '' } },
    ...{ To: message.to, ToFull: [{ Email: message.to, Name: '' }], OriginalRecipient: message.to },
    ...{ Cc: '', CcFull: [], ReplyTo: message.reply_to?.email ?? '', Tag: '', MailboxHash: '' },
    ...{ Subject: message.subject, Date: message.created_at, MessageID: message.id, Status: 'Processed' },
    Attachments: message.attachments.map((one) => ({
      ...{ Name: one.filename, ContentType: one.content_type, ContentID: one.content_id ?? '' },
      ContentLength: one.size,
    })),
  };
}
