// Resend's emails: send, batch, read, list, reschedule, cancel.
import { Type, type Static } from 'typebox';
import type { ErrorBody } from '../../contract/error-body.js';
import type { MessageObject, MessageRequest } from '../../messages/message.schema.js';
import { invalidFields } from '../../contract/refusal.js';
import { closed, KEEPS_EMPTY } from '../../contract/schema.js';
import { CONTENT, FEW, LINE, MAX_FILES, MAX_LINE } from '../bounds.js';
import { toBase64, FILE } from '../file-content.js';
import { pageById } from '../pages.js';
import { compatRoute, notHere, type CompatRoute } from '../route.js';

/** Most messages of one batch. */
const MAX_BATCH = 100;

const addresses = Type.Union([LINE, Type.Array(LINE, { minItems: 1, maxItems: 1000 })]);
const tag = closed({
  name: Type.String({ pattern: '^[A-Za-z0-9_-]+$' }),
  value: Type.String({ pattern: '^[A-Za-z0-9_-]*$' }),
});
const attachment = closed(
  {
    filename: Type.Optional(Type.String({ minLength: 1, maxLength: MAX_LINE })),
    content: Type.Optional(FILE),
    path: notHere(
      Type.Optional(Type.Unknown()),
      'remote files are not supported. Pass the file as content, in base64',
    ),
    content_type: Type.Optional(LINE),
    content_id: Type.Optional(LINE),
    // An empty file.
  },
  { [KEEPS_EMPTY]: true },
);

/** Values of one header field. */
const LIST = { minItems: 1, maxItems: 100 };

const email = closed({
  from: LINE,
  to: addresses,
  cc: Type.Optional(addresses),
  bcc: Type.Optional(addresses),
  reply_to: Type.Optional(addresses),
  subject: Type.Optional(LINE),
  html: Type.Optional(CONTENT),
  text: Type.Optional(CONTENT),
  headers: Type.Optional(Type.Record(Type.String(), Type.Union([LINE, Type.Array(LINE, LIST)]), FEW)),
  attachments: Type.Optional(Type.Array(attachment, { maxItems: MAX_FILES })),
  tags: Type.Optional(Type.Array(tag, { maxItems: 1000 })),
  scheduled_at: Type.Optional(LINE),
  template: Type.Optional(
    closed({
      id: Type.String({ minLength: 1, maxLength: MAX_LINE }),
      variables: Type.Optional(Type.Record(Type.String(), Type.Unknown())),
    }),
  ),
  topic_id: Type.Optional(LINE),
});
type Email = Static<typeof email>;

const listQuery = closed({
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 100 })),
  after: Type.Optional(LINE),
  before: Type.Optional(LINE),
});
export const DEFAULT_LIMIT = 20;
export { listQuery };

const example = {
  from: 'news@customer.example',
  to: ['ann@example.com'],
  subject: 'Welcome',
  text: 'Hello.',
};

export const EMAIL_ROUTES: readonly CompatRoute[] = [
  compatRoute({
    method: 'POST',
    path: '/emails',
    permission: 'send',
    isLarge: true,
    body: email,
    example,
    async handle({ body, v1 }) {
      const { id } = await v1.messages.create(messageOf(body));
      return { body: { id } };
    },
  }),
  compatRoute({
    method: 'POST',
    path: '/emails/batch',
    permission: 'send',
    isLarge: true,
    body: Type.Array(email, { minItems: 1, maxItems: MAX_BATCH }),
    example: [example],
    async handle({ body, headers, v1 }) {
      const atomic = readValidation(headerOf(headers, 'x-batch-validation')) === 'strict';
      const messages = body.map((one, at) => messageOf(one, `${at}.`));
      const { data } = await v1.messages.createBatch(messages, { atomic });
      const ids = data.flatMap((item) => ('id' in item ? [{ id: item.id }] : []));
      return { body: atomic ? { data: ids } : { data: ids, errors: errorsOf(data) } };
    },
  }),
  compatRoute({
    method: 'GET',
    path: '/emails',
    permission: 'send',
    query: listQuery,
    async handle({ query, v1 }) {
      const { limit = DEFAULT_LIMIT, after, before } = query;
      const { items, hasMore } = await pageById(
        {
          list: v1.messages.list,
          find: v1.messages.get,
          isShown: ({ direction }) => direction === 'outbound',
        },
        { limit, after, before },
      );
      return { body: { object: 'list', has_more: hasMore, data: items.map(summaryOf) } };
    },
  }),
  compatRoute({
    method: 'GET',
    path: '/emails/:id',
    permission: 'send',
    async handle({ params: { id = '' }, v1 }) {
      const [message, content] = await Promise.all([v1.messages.get(id), v1.messages.content(id)]);
      return {
        body: {
          object: 'email',
          ...summaryOf(message),
          to: content.to.map(({ email: one }) => one),
          cc: content.cc.map(({ email: one }) => one),
          html: content.html,
          text: content.text,
          tags: message.tags.map(tagOf),
        },
      };
    },
  }),
  compatRoute({
    method: 'PATCH',
    path: '/emails/:id',
    permission: 'send',
    body: closed({ scheduled_at: LINE }),
    example: { scheduled_at: '2030-01-01T00:00:00.000Z' },
    async handle({ params: { id = '' }, body, v1 }) {
      const moved = await v1.messages.reschedule(id, body.scheduled_at);
      return { body: { object: 'email', id: moved.id } };
    },
  }),
  compatRoute({
    method: 'POST',
    path: '/emails/:id/cancel',
    permission: 'send',
    async handle({ params: { id = '' }, v1 }) {
      const canceled = await v1.messages.cancel(id);
      return { body: { object: 'email', id: canceled.id } };
    },
  }),
];

function headerOf(headers: Record<string, string | string[] | undefined>, name: string): string | undefined {
  const value = headers[name];
  return value === undefined ? undefined : String(value);
}

const validations = ['strict', 'permissive'] as const;

function readValidation(given = 'strict'): (typeof validations)[number] {
  const known = validations.find((one) => one === given);
  if (known) return known;
  throw invalidFields([{ path: 'x-batch-validation', message: `must be one of ${validations.join(', ')}` }]);
}

/** The vendor accepts either a template or content. Fields about a saved contact are not part of the content. */
function messageOf(
  { scheduled_at, template, topic_id, tags, attachments, headers, ...rest }: Email,
  place = '',
): MessageRequest {
  return {
    ...rest,
    ...(template === undefined ? { render: false } : templateOf(template)),
    ...(headers === undefined ? {} : { headers: joinedHeaders(headers) }),
    ...(scheduled_at === undefined ? {} : { send_at: scheduled_at }),
    ...(topic_id === undefined ? {} : { topic: topic_id }),
    ...(tags === undefined ? {} : { tags: tags.map(({ name, value }) => `${name}:${value}`) }),
    ...(attachments === undefined
      ? {}
      : { attachments: attachments.map((one, at) => attachmentOf(one, `${place}attachments.${at}`)) }),
  };
}

/** Clients that give a field several values, as django-anymail does with its tags, get one field with all of them. */
function joinedHeaders(headers: NonNullable<Email['headers']>): Record<string, string> {
  const joined = Object.entries(headers).map(([name, value]) => [
    name,
    typeof value === 'string' ? value : value.join(', '),
  ]);
  return Object.fromEntries(joined) as Record<string, string>;
}

function templateOf({ id, variables = {} }: NonNullable<Email['template']>): Partial<MessageRequest> {
  return {
    ...(/^tpl_/.test(id) ? { template_id: id } : { template: id }),
    variables,
    require_variables: true,
  };
}

function attachmentOf(
  { filename, content, content_type, content_id }: Static<typeof attachment>,
  path: string,
) {
  if (filename === undefined) throw invalidFields([{ path: `${path}.filename`, message: 'is required' }]);
  if (content === undefined) throw invalidFields([{ path: `${path}.content`, message: 'is required' }]);
  return {
    filename,
    content: toBase64(content),
    ...(content_type === undefined ? {} : { content_type }),
    ...(content_id === undefined ? {} : { content_id }),
  };
}

function errorsOf(data: readonly (MessageObject | ErrorBody)[]): { index: number; message: string }[] {
  return data.flatMap((item, index) => ('id' in item ? [] : [{ index, message: item.error.message }]));
}

function tagOf(text: string): { name: string; value: string } {
  const [name = '', ...value] = text.split(':');
  return { name, value: value.join(':') };
}

function summaryOf(message: MessageObject) {
  const { email: from, name } = message.from;
  return {
    id: message.id,
    to: [message.to],
    from: name === null ? from : `${name} <${from}>`,
    created_at: message.created_at,
    subject: message.subject,
    bcc: [],
    cc: [],
    reply_to: (message.reply_to_list ?? [message.reply_to]).flatMap((one) => (one ? [one.email] : [])),
    last_event: lastEventOf(message),
    scheduled_at: message.scheduled_at,
    message_id: message.internet_message_id,
  };
}

function lastEventOf({ status, scheduled_at }: MessageObject): string {
  if (status === 'queued') return scheduled_at === null ? 'queued' : 'scheduled';
  return status === 'sending' ? 'queued' : status;
}
