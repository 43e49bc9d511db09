// Tools that send and stop mail. A send policy of the key applies to all of them, because /v1 checks it.
import { Type, type Static } from 'typebox';
import { MESSAGE_STATUSES, MESSAGE_TYPES } from '../../contract/names.js';
import { closed, oneOf, timestamp } from '../../contract/schema.js';
import { pathPart } from '../../http/server/v1-calls.js';
import type { MessageObject } from '../../messages/message.schema.js';
import { SUPPRESSION_REASONS, type SuppressionWire } from '../../suppressions/suppression.schema.js';
import { defineTool, line, untrusted, type Tool } from '../tool.js';

const SENDS = { destructive: true, idempotent: true, openWorld: true } as const;

const mailbox = Type.String({
  minLength: 3,
  maxLength: 600,
  description: 'An address, or `Name <address>`.',
});
const mailboxes = (description: string) =>
  Type.Array(Type.String({ minLength: 3, maxLength: 600 }), { minItems: 1, maxItems: 50, description });
const subject = Type.String({ minLength: 1, maxLength: 998 });
const bodies = {
  text: Type.Optional(Type.String({ maxLength: 200_000, description: 'The plain text body.' })),
  html: Type.Optional(Type.String({ maxLength: 500_000, description: 'The HTML body.' })),
};
const sending = {
  idempotency_key: Type.String({
    minLength: 1,
    maxLength: 255,
    description:
      'A unique value for this mail, such as a UUID. A repeated call with the same value sends nothing again and returns the first result.',
  }),
  send_at: Type.Optional(
    Type.String({ maxLength: 64, description: 'When to send, as an ISO 8601 time with an offset.' }),
  ),
  tags: Type.Optional(Type.Array(Type.String({ minLength: 1, maxLength: 128 }), { maxItems: 50 })),
};
const recipients = mailboxes(
  'The recipients, each an address or `Name <address>`. Each gets a separate message.',
);
const addressing = {
  cc: Type.Optional(mailboxes('Recipients of a copy.')),
  bcc: Type.Optional(mailboxes('Recipients of a copy whom no one else sees.')),
  from: Type.Optional(mailbox),
  reply_to: Type.Optional(mailbox),
};
/** Fields of a reply in a thread. */
export const replyFields = {
  to: Type.Optional(recipients),
  ...addressing,
  subject: Type.Optional(subject),
  ...bodies,
};
const type = Type.Optional(oneOf(MESSAGE_TYPES, { default: 'transactional' }));

const accepted = Type.Object({
  messages: Type.Array(
    Type.Object({
      id: Type.String(),
      untrusted_content: untrusted({ to: Type.String() }),
    }),
    { description: 'One message for each recipient. Use explain_message to follow one.' },
  ),
  status: oneOf(MESSAGE_STATUSES),
  sandbox: Type.Boolean({ description: 'Whether the mail is simulated and never leaves the server.' }),
  idempotency_key: Type.String(),
});

function presentAccepted(message: MessageObject, key: string): Static<typeof accepted> {
  const all = [message, ...(message.recipients ?? message.copies ?? [])];
  return {
    messages: all.map(({ id, to }) => ({ id, untrusted_content: { to: line(to) } })),
    status: message.status,
    sandbox: message.sandbox,
    idempotency_key: key,
  };
}

const sendMessage = defineTool({
  name: 'send_message',
  title: 'Send message',
  description:
    'Sends an email that cannot be recalled once delivered. Write the complete content yourself; placeholders are not filled in. With a test key, nothing leaves the server.',
  operation: { method: 'POST', permission: 'send' },
  effect: SENDS,
  input: closed({ to: recipients, ...addressing, type, subject, ...bodies, ...sending }),
  output: accepted,
  async run(args, { v1 }) {
    const message = (await v1.post('/v1/messages', { ...args, render: false })) as MessageObject;
    return presentAccepted(message, args.idempotency_key);
  },
});

const sendTemplate = defineTool({
  name: 'send_template',
  title: 'Send template',
  description:
    'Sends an email from a saved template, and refuses if a variable of the template has no value. Find templates with list_templates.',
  operation: { method: 'POST', permission: 'send' },
  effect: SENDS,
  input: closed({
    template: Type.String({ minLength: 1, maxLength: 100, description: 'The slug of the template.' }),
    variables: Type.Optional(
      Type.Unsafe<Record<string, unknown>>({
        type: 'object',
        additionalProperties: true,
        description: "Values of the template's variables.",
      }),
    ),
    ...{ to: recipients, ...addressing, type },
    subject: Type.Optional({ ...subject, description: "Overrides the template's subject." }),
    ...sending,
  }),
  output: accepted,
  async run(args, { v1 }) {
    const body = { variables: {}, ...args, require_variables: true };
    const message = (await v1.post('/v1/messages', body)) as MessageObject;
    return presentAccepted(message, args.idempotency_key);
  },
});

const replyToThread = defineTool({
  name: 'reply_to_thread',
  title: 'Reply to thread',
  description: "Sends a reply in a thread, by default to the correspondent and with the thread's subject.",
  operation: { method: 'POST', permission: 'send' },
  effect: SENDS,
  input: closed({
    thread_id: Type.String({ maxLength: 64 }),
    ...replyFields,
    ...sending,
  }),
  output: accepted,
  async run({ thread_id: id, ...reply }, { v1 }) {
    const path = `/v1/threads/${pathPart(id)}/reply`;
    const message = (await v1.post(path, { ...reply, render: false })) as MessageObject;
    return presentAccepted(message, reply.idempotency_key);
  },
});

const cancelMessage = defineTool({
  name: 'cancel_message',
  title: 'Cancel message',
  description: 'Cancels a message that is scheduled or queued. It will not be sent.',
  operation: { method: 'POST', permission: 'send' },
  effect: { destructive: true, idempotent: true, openWorld: false },
  input: closed({ message_id: Type.String({ maxLength: 64 }) }),
  output: Type.Object({ id: Type.String(), status: oneOf(MESSAGE_STATUSES) }),
  async run({ message_id: id }, { v1 }) {
    const message = (await v1.post(`/v1/messages/${pathPart(id)}/cancel`)) as MessageObject;
    return { id: message.id, status: message.status };
  },
});

const suppressAddress = defineTool({
  name: 'suppress_address',
  title: 'Suppress address',
  description: 'Adds an address to the suppression list, so that no mail is sent to it.',
  operation: { method: 'POST' },
  effect: { destructive: true, idempotent: true, openWorld: false },
  input: closed({
    email: Type.String({ minLength: 3, maxLength: 320 }),
    reason: Type.Optional(oneOf(SUPPRESSION_REASONS, { default: 'manual' })),
  }),
  output: Type.Object({
    id: Type.String(),
    reason: oneOf(SUPPRESSION_REASONS),
    created_at: timestamp,
    untrusted_content: untrusted({ email: Type.String() }),
  }),
  async run(args, { v1 }) {
    const made = (await v1.post('/v1/suppressions', args)) as SuppressionWire;
    return {
      id: made.id,
      reason: made.reason,
      created_at: made.created_at,
      untrusted_content: { email: line(made.email) },
    };
  },
});

export const SENDING_TOOLS: readonly Tool[] = [
  sendMessage,
  sendTemplate,
  replyToThread,
  cancelMessage,
  suppressAddress,
];
