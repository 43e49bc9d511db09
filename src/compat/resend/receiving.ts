// Resend's received emails: the received messages of the workspace.
import { Refusal } from '../../contract/refusal.js';
import type { MessageObject } from '../../messages/message.schema.js';
import { mailboxText } from '../fields.js';
import { pageById } from '../pages.js';
import { compatRoute, type CompatRoute } from '../route.js';
import { DEFAULT_LIMIT, listQuery } from './emails.js';

export const RECEIVING_ROUTES: readonly CompatRoute[] = [
  compatRoute({
    method: 'GET',
    path: '/emails/receiving',
    permission: 'send',
    query: listQuery,
    async handle({ query: { limit = DEFAULT_LIMIT, after, before }, v1 }) {
      const { items, hasMore } = await pageById(
        { list: (query) => v1.messages.list({ ...query, status: 'received' }), find: v1.messages.get },
        { limit, after, before },
      );
      return { body: { object: 'list', has_more: hasMore, data: items.map(summaryOf) } };
    },
  }),
  compatRoute({
    method: 'GET',
    path: '/emails/receiving/:id',
    permission: 'send',
    async handle({ params: { id = '' }, v1 }) {
      const message = await v1.messages.get(id);
      if (message.received === undefined) throw new Refusal('not_found');
      const { html, text } = message.received;
      const { headers } = await v1.messages.content(id);
      return { body: { object: 'email', ...summaryOf(message), html, text, headers } };
    },
  }),
];

function summaryOf(message: MessageObject) {
  const replyTo = message.reply_to === null ? [] : [message.reply_to.email];
  return {
    id: message.id,
    to: [message.to],
    from: mailboxText(message.from),
    subject: message.subject,
    message_id: message.internet_message_id,
    ...{ bcc: [], cc: [], reply_to: replyTo },
    created_at: message.created_at,
    attachments: message.attachments.map(({ filename, content_type, content_id, size }, at) => ({
      ...{ id: String(at), filename, content_type, content_id, size },
      content_disposition: content_id === null ? 'attachment' : 'inline',
    })),
  };
}
