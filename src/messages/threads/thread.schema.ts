// Wire shapes of threads, which are conversations with one correspondent, and of replies.
import { Type, type Static } from 'typebox';
import { anyOf, createdQueryWith, listOf, summaryOf, viewOf } from '../../contract/lists.js';
import { DIRECTIONS } from '../../contract/names.js';
import { createMessage, message } from '../message.schema.js';
import {
  closed,
  emailText,
  nameEnums,
  nameSchemas,
  nullable,
  oneOf,
  timestamp,
} from '../../contract/schema.js';

export const THREAD_STATUSES = ['open', 'closed'] as const;

const MAX_LABELS = 20;
export const label = Type.String({
  pattern: '^[a-z0-9][a-z0-9_-]{0,49}$',
  description: 'A label of lower-case letters, digits, hyphens and underscores.',
});

const threadFields = {
  id: Type.String(),
  object: Type.Literal('thread'),
  subject: Type.String({ description: 'The subject of the first message.' }),
  status: oneOf(THREAD_STATUSES),
  correspondent: Type.Object({ email: emailText, name: nullable(Type.String()) }),
  sub_tenant_id: nullable(Type.String()),
  inbox_id: nullable(Type.String({ description: 'The inbox that the correspondent last wrote to.' })),
  unread: Type.Boolean({
    description:
      'Whether the correspondent has written since the thread was last marked as read or answered.',
  }),
  labels: Type.Array(Type.String()),
  assigned_to: nullable(
    Type.String({ description: 'The ID of the user or API key that the thread is assigned to.' }),
  ),
  messages: Type.Integer({
    description:
      'Number of messages sent and received. A message to several recipients is counted once per recipient.',
  }),
  last_message_at: timestamp,
  last_direction: oneOf(DIRECTIONS, { description: 'The direction of the latest message.' }),
  created_at: timestamp,
  updated_at: timestamp,
};

export const thread = Type.Object(threadFields);
export type ThreadWire = Static<typeof thread>;

export const threadInFull = Type.Object({
  ...threadFields,
  recent: Type.Array(message, {
    description:
      'The latest 25 messages, oldest first, or fewer if their texts are very long. Received messages have `received`. To list all of them, use `GET /v1/messages?thread_id=`.',
  }),
});
export type ThreadInFullWire = Static<typeof threadInFull>;

export const threadSummary = summaryOf('thread_summary', thread, [
  'id',
  'subject',
  'status',
  'correspondent',
  'sub_tenant_id',
  'inbox_id',
  'unread',
  'labels',
  'assigned_to',
  'last_message_at',
  'created_at',
  'updated_at',
]);

/** All items are summaries if the request has `view=summary`. */
export const threadList = listOf(Type.Union([thread, threadSummary]));

export const threadsQuery = createdQueryWith({
  q: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 200,
      description:
        'Words to find in the subject, addresses, names or text of a message in the thread. One message must contain all of them. The last word can be incomplete, and double quotes enclose a phrase. Only the newest 2,000 matching messages are considered.',
    }),
  ),
  view: viewOf('the message count and last direction'),
  status: anyOf(THREAD_STATUSES),
  correspondent: Type.Optional(Type.String({ maxLength: 320, description: "The correspondent's address." })),
  sub_tenant_id: Type.Optional(
    Type.String({ maxLength: 200, description: 'Return only threads of this sub-tenant.' }),
  ),
  unread: Type.Optional(
    Type.Boolean({ description: 'Return only unread threads (`true`) or only read threads (`false`).' }),
  ),
  label: Type.Optional(label),
  assigned_to: Type.Optional(
    Type.String({ maxLength: 64, description: 'Return only threads assigned to this user or API key.' }),
  ),
  inbox_id: Type.Optional(Type.String({ maxLength: 64, description: 'Return only threads of this inbox.' })),
});
export type ThreadsQuery = Static<typeof threadsQuery>;

export const threadUpdate = closed(
  {
    status: Type.Optional(
      oneOf(THREAD_STATUSES, {
        description: 'The new status. Setting the current status has no effect.',
      }),
    ),
    unread: Type.Optional(Type.Boolean({ description: '`false` marks the thread as read.' })),
    labels: Type.Optional(
      Type.Array(label, { maxItems: MAX_LABELS, description: 'Replaces all labels of the thread.' }),
    ),
    assigned_to: Type.Optional(
      nullable(
        Type.String({
          maxLength: 64,
          description: 'The ID of a member of the organization, or of an API key of the workspace.',
        }),
      ),
    ),
  },
  { minProperties: 1, examples: [{ unread: false, labels: ['billing'] }] },
);
export type ThreadUpdate = Static<typeof threadUpdate>;

// The thread determines these fields.
const { to, from, subject, ...replyFields } = Type.Omit(createMessage, [
  'type',
  'thread_id',
  'sub_tenant_id',
]).properties;

export const threadReply = closed(
  {
    ...replyFields,
    to: Type.Optional({
      ...to,
      description:
        'The recipients. Defaults to the correspondent, or to the Reply-To address of their latest message if it passed DMARC.',
    }),
    from: Type.Optional({
      ...from,
      description:
        'The sender. Defaults to the From address of your last message in the thread. If there is none, Mailkeel uses the address the correspondent wrote to, if it is still valid, and otherwise the default sender.',
    }),
    subject: Type.Optional({
      ...subject,
      description: "The subject. Defaults to `Re:` and the thread's subject, even with a template.",
    }),
  },
  {
    description: 'A transactional message that replies in the thread.',
    examples: [{ text: 'Your order shipped this morning.', idempotency_key: 'reply-4711' }],
  },
);
export type ThreadReplyRequest = Static<typeof threadReply>;

nameSchemas({
  ThreadSummary: threadSummary,
  ThreadList: threadList,
  Thread: thread,
  ThreadInFull: threadInFull,
  ThreadUpdate: threadUpdate,
  ThreadReply: threadReply,
  Mailbox: thread.properties.correspondent,
});

nameEnums({ ThreadStatus: THREAD_STATUSES });
