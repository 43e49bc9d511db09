// Threads on the wire: conversations with one correspondent, and the reply that goes into one.
import { Type, type Static } from 'typebox';
import { anyOf, createdQueryWith, listOf, partOf, summaryOf, viewOf } from '../../contract/lists.js';
import { DIRECTIONS } from '../../contract/names.js';
import { createMessage, message } from '../../messages/message.schema.js';
import {
  closed,
  emailText,
  nameEnums,
  nameSchemas,
  nullable,
  oneOf,
  timestamp,
} from '../../contract/schema.js';

const THREAD_STATUSES = ['open', 'closed'] as const;

const threadFields = {
  id: Type.String(),
  object: Type.Literal('thread'),
  subject: Type.String({ description: 'Of the message that began it.' }),
  status: oneOf(THREAD_STATUSES),
  correspondent: Type.Object({ email: emailText, name: nullable(Type.String()) }),
  sub_tenant_id: nullable(Type.String()),
  messages: Type.Integer({
    description: 'Of both directions; a message to several recipients counts once for each.',
  }),
  last_message_at: timestamp,
  last_direction: oneOf(DIRECTIONS, { description: 'The side that wrote last.' }),
  created_at: timestamp,
  updated_at: timestamp,
};

export const thread = Type.Object(threadFields);
export type ThreadWire = Static<typeof thread>;

export const threadInFull = Type.Object({
  ...threadFields,
  recent: Type.Array(message, {
    description:
      'The last 25 messages, oldest first; received ones with `received`. Fewer where their texts are very long. ' +
      'The rest: GET /v1/messages?thread_id=',
  }),
});
export type ThreadInFullWire = Static<typeof threadInFull>;

export const threadSummary = summaryOf('thread_summary', thread, [
  'id',
  'subject',
  'status',
  'correspondent',
  'sub_tenant_id',
  'last_message_at',
  'created_at',
  'updated_at',
]);

/** Of one kind: summaries where `view=summary` asks for them. */
export const threadList = listOf(Type.Union([thread, threadSummary]));

export const threadsQuery = createdQueryWith({
  q: partOf('the subject or the correspondent'),
  view: viewOf('the number of messages and who wrote last'),
  status: anyOf(THREAD_STATUSES),
  correspondent: Type.Optional(Type.String({ maxLength: 320, description: "The correspondent's address." })),
  sub_tenant_id: Type.Optional(Type.String({ maxLength: 200, description: "Only this sub-tenant's." })),
});
export type ThreadsQuery = Static<typeof threadsQuery>;

export const threadUpdate = closed(
  { status: oneOf(THREAD_STATUSES, { description: 'The same again changes nothing.' }) },
  { examples: [{ status: 'closed' }] },
);

// The thread says what these would.
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
        'Default: the correspondent; their Reply-To where DMARC proved that they wrote it themselves.',
    }),
    from: Type.Optional({
      ...from,
      description:
        'Default: the From of your last message of the thread; else the address that they wrote to, if it may still be used; else the default sender.',
    }),
    subject: Type.Optional({
      ...subject,
      description: "`Re:` and the thread's subject when it is not given, with a template too.",
    }),
  },
  {
    description: 'A transactional message that answers in the thread.',
    examples: [{ text: 'It is being sent.', idempotency_key: 'answer-4711' }],
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
