// Messages on the wire: what POST /v1/messages takes, and the objects that the message operations answer with.
import { Type, type Static } from 'typebox';
import {
  ACTORS,
  DIRECTIONS,
  ERROR_CATEGORIES,
  MESSAGE_STATUSES,
  MESSAGE_TRAIL_EVENTS,
  MESSAGE_TYPES,
  PRIORITIES,
} from '../contract/names.js';
import { receivedPart } from '../inbound/replies/received.schema.js';
import { anyOf, anyText, listOf, orderedQueryWith, partOf, summaryOf, viewOf } from '../contract/lists.js';
import {
  closed,
  emailText,
  MAX_TAG,
  metadata,
  named,
  nameEnums,
  nameSchemas,
  nullable,
  oneOf,
  tagList,
  timestamp,
  shownAs,
} from '../contract/schema.js';
import { ATTEMPT_OUTCOMES } from './attempt.schema.js';
import { errorBody } from '../contract/error-body.js';

const MAX_SUBJECT = 998;
const MAX_KEY = 255;
/** Mailboxes that answers may be asked to: more than a person would write. */
const MAX_REPLY_TO = 25;

export const mailbox = Type.Union(
  [Type.String(), closed({ email: Type.String(), name: Type.Optional(nullable(Type.String())) })],
  { description: 'An address, `Name <address>`, or {email, name}.' },
);
named('MailboxInput', mailbox);
named('MailboxObject', mailbox.anyOf[1]);
export type MailboxInput = Static<typeof mailbox>;

/** One mailbox or several, as request fields take them. */
function mailboxes(description: string, limits: { minItems?: number; maxItems?: number } = {}) {
  return Type.Union([...mailbox.anyOf, Type.Array(mailbox, limits)], { description });
}

const attachment = closed({
  filename: Type.String({ minLength: 1, maxLength: 255 }),
  content: Type.String({ description: 'The file in base64 (RFC 4648 section 4), without line breaks.' }),
  content_type: Type.Optional(
    Type.String({ description: 'A media type; taken from the file name when it is not given.' }),
  ),
  content_id: Type.Optional(
    Type.String({
      description:
        'Shows the file where the html names it by `cid:`. A file that the html does not name is an attachment. Without angle brackets.',
    }),
  ),
});
export type AttachmentInput = Static<typeof attachment>;

export const createMessage = closed(
  {
    to: mailboxes(
      'An address, `Name <address>`, {email, name}, or a list of these. All are shown in one To field; each is sent a ' +
        'message of its own. to, cc and bcc name 50 recipients at most, together.',
      { minItems: 1 },
    ),
    cc: Type.Optional(mailboxes('One or a list. Each is sent a message of its own.')),
    bcc: Type.Optional(mailboxes('One or a list. Like cc, and not shown to anyone.')),
    subject: Type.Optional(
      Type.String({
        maxLength: MAX_SUBJECT,
        description: "Overrides the template's; one of them is needed.",
      }),
    ),
    html: Type.Optional(Type.String({ description: 'Inline body; omit it with a template.' })),
    text: Type.Optional(Type.String({ description: 'Inline body; omit it with a template.' })),
    template: Type.Optional(Type.String({ description: "A template's slug." })),
    template_id: Type.Optional(Type.String({ description: "A template's id." })),
    variables: Type.Optional(
      Type.Record(Type.String(), Type.Unknown(), {
        description:
          'Merged into the template or the inline content; they win over the fields of the saved contact. Inline content ' +
          'is filled if variables are given (an empty object will do), if the recipient is a saved contact, or if the ' +
          'type is marketing or sales; otherwise it is sent as it is. With several recipients everybody gets the one mail, filled from the contact of the first `to`.',
      }),
    ),
    from: Type.Optional(mailbox),
    reply_to: Type.Optional(
      mailboxes('Address for replies: one or a list. You must be allowed to use each.', {
        minItems: 1,
        maxItems: MAX_REPLY_TO,
      }),
    ),
    type: Type.Optional(oneOf(MESSAGE_TYPES, { default: 'transactional' })),
    priority: Type.Optional(oneOf(PRIORITIES, { default: 'normal' })),
    send_at: Type.Optional(
      Type.String({ description: 'ISO 8601 with an offset, at most a year ahead: sent then and not now.' }),
    ),
    expires_at: Type.Optional(
      Type.String({
        description:
          'ISO 8601 with an offset, later than now and than send_at: trying to deliver ends then, when that is before ' +
          'the end of the queue lifetime. For codes and other mail that is worthless when it is late.',
      }),
    ),
    render: Type.Optional(
      Type.Boolean({
        default: true,
        description:
          'Placeholders in inline html, text and subject are filled as `variables` says. False: the content goes out as it stands.',
      }),
    ),
    require_variables: Type.Optional(
      Type.Boolean({
        default: false,
        description:
          'True: if the template or inline content shows a variable that has no value, the message is refused with ' +
          '`validation_error`, which names each. A variable that is given as an empty text has a value.',
      }),
    ),
    require_tls: Type.Optional(
      Type.Boolean({
        default: false,
        description:
          'True: only to servers with verified TLS that promise the same onwards (REQUIRETLS, RFC 8689); otherwise ' +
          'the message bounces.',
      }),
    ),
    idempotency_key: Type.Optional(
      Type.String({ minLength: 1, maxLength: MAX_KEY, description: 'Or the header Idempotency-Key.' }),
    ),
    tags: Type.Optional(tagList),
    metadata: Type.Optional(metadata),
    attachments: Type.Optional(Type.Array(attachment)),
    headers: Type.Optional(
      Type.Record(Type.String(), Type.String(), {
        description:
          'Further header fields. Fields that the service or mail systems write are refused: From, To, Date, Received, DKIM-Signature, ' +
          'Content-*, and the like. List-Unsubscribe (https and mailto URIs), List-Unsubscribe-Post and Message-ID are taken for ' +
          'transactional mail without a topic; in other mail the service writes them.',
      }),
    ),
    auto_submitted: Type.Optional(
      Type.Boolean({
        description:
          'True writes `Auto-Submitted: auto-generated` (RFC 3834): vacation responders do not answer the message, and some help desks ' +
          'suspend it. The default is true for marketing and sales mail and false for transactional mail. `headers` may name another ' +
          'value instead.',
      }),
    ),
    sub_tenant_id: Type.Optional(
      Type.String({
        description:
          'Its id, or `external:` and its external id. Without it, a From on the domain of a verified sub-tenant sends as that one.',
      }),
    ),
    thread_id: Type.Optional(
      Type.String({
        description: 'Continues a thread: sets In-Reply-To and References, unless headers gives them.',
      }),
    ),
    topic: Type.Optional(
      Type.String({
        description:
          'The id of a list, `lst_…`, that stands for the purpose of the message: whoever has unsubscribed from that list is ' +
          'not sent it, and its unsubscribe link leaves that list alone. The list belongs to the sender: to the sub-tenant, or to ' +
          'the workspace. Nobody has to be on it.',
      }),
    ),
    track_opens: Type.Optional(Type.Boolean({ description: 'Only html can be tracked.' })),
    track_clicks: Type.Optional(Type.Boolean({ description: 'Only html can be tracked.' })),
  },
  {
    description: 'One message to each recipient: to, cc and bcc.',
    examples: [
      {
        to: 'Ann <ann@example.com>',
        from: { email: 'news@customer.example', name: 'Customer' },
        subject: 'Welcome',
        html: '<p>Good to have you here.</p>',
        tags: ['welcome'],
        idempotency_key: 'welcome-4711',
      },
    ],
  },
);
export type MessageRequest = Static<typeof createMessage>;

export const rescheduleMessage = closed(
  {
    send_at: Type.String({ description: 'ISO 8601 with an offset; up to 5 minutes past means now.' }),
  },
  { examples: [{ send_at: '2026-03-01T10:00:00+01:00' }] },
);

export const messagesQuery = orderedQueryWith({
  status: anyOf(MESSAGE_STATUSES),
  to: anyText(320, "A recipient's address."),
  from: anyText(320, "A sender's address."),
  subject: partOf('the subject'),
  type: anyOf(MESSAGE_TYPES),
  tag: anyText(MAX_TAG, 'A tag.'),
  metadata: Type.Optional(
    Type.Record(Type.String(), Type.String({ maxLength: 200 }), {
      maxProperties: 5,
      description:
        '`metadata[order]=4711`: a key of the first level and its value as text. All of several must hold.',
    }),
  ),
  view: viewOf('metadata, attachments, errors and what was asked for'),
  thread_id: Type.Optional(Type.String()),
  campaign_id: Type.Optional(Type.String({ description: 'The copies of one campaign.' })),
  sequence_id: Type.Optional(Type.String({ description: 'The mail of one sequence.' })),
  in_doubt: Type.Optional(
    Type.Boolean({
      description:
        'True: messages that may have arrived or not, since the connection or the program ended between the whole message and the answer. They are `sent`, and are not tried again by themselves.',
    }),
  ),
  sub_tenant_id: Type.Optional(Type.String()),
  sandbox: Type.Optional(
    Type.Boolean({ description: 'A key reaches one environment: the other value finds nothing.' }),
  ),
  q: Type.Optional(Type.String({ maxLength: 200, description: 'Found in the recipient or the subject.' })),
});

const textOrNull = nullable(Type.String());
const timeOrNull = nullable(timestamp);
const address = Type.Object({ email: emailText, name: textOrNull });
const freeData = Type.Record(Type.String(), Type.Unknown());

const attachmentSummary = Type.Object({
  filename: Type.String(),
  content_type: Type.String(),
  size: Type.Integer({ description: 'Bytes of the file itself.' }),
  content_id: textOrNull,
  sha256: Type.String({ description: 'Lower-case hex.' }),
});

const recipientRole = oneOf(['to', 'cc', 'bcc']);
const copyReference = Type.Object({
  id: Type.String(),
  object: Type.Literal('message'),
  to: emailText,
  recipient_role: recipientRole,
});

const errorDetail = Type.Object(
  {
    type: oneOf(['hard', 'soft', 'failure']),
    category: oneOf(ERROR_CATEGORIES),
    code: nullable(Type.Integer({ description: 'The SMTP reply code.' })),
    enhanced_code: nullable(Type.String({ description: 'RFC 3463, such as 5.1.1.' })),
    message: Type.String(),
    remote_host: textOrNull,
    occurred_at: timestamp,
  },
  { description: 'Why the message bounced or failed.' },
);

export const lastAttempt = Type.Object(
  {
    number: Type.Integer({ description: 'From 1.' }),
    outcome: oneOf(ATTEMPT_OUTCOMES),
    at: timestamp,
    next_attempt_at: nullable(
      Type.String({ format: 'date-time', description: 'Null if Mailkeel makes no further attempt.' }),
    ),
  },
  {
    description:
      'The latest delivery attempt. A message is `sent` from its first attempt on; the outcome tells whether a server accepted it.',
  },
);

export const message = Type.Object({
  id: Type.String(),
  object: Type.Literal('message'),
  type: oneOf(MESSAGE_TYPES),
  status: oneOf(MESSAGE_STATUSES),
  to: emailText,
  from: address,
  reply_to: nullable(address),
  reply_to_list: Type.Optional(
    Type.Array(address, { description: 'All of them, where there are several; `reply_to` is the first.' }),
  ),
  subject: Type.String(),
  sub_tenant_id: textOrNull,
  template_id: textOrNull,
  template_version: nullable(Type.Integer()),
  priority: oneOf(PRIORITIES),
  tags: Type.Array(Type.String()),
  metadata: freeData,
  attachments: Type.Array(attachmentSummary),
  opened_at: timeOrNull,
  clicked_at: timeOrNull,
  idempotency_key: textOrNull,
  provider: textOrNull,
  provider_message_id: textOrNull,
  internet_message_id: nullable(
    Type.String({
      description:
        'Its Message-ID, as it stands in the mail: with angle brackets. Copies to cc and bcc have the same one.',
    }),
  ),
  content_hash: Type.String(),
  sandbox: Type.Boolean(),
  error: nullable(errorDetail),
  last_attempt: nullable(lastAttempt),
  scheduled_at: timeOrNull,
  created_at: timestamp,
  updated_at: timestamp,
  recipient_role: recipientRole,
  track_opens: Type.Boolean(),
  track_clicks: Type.Boolean(),
  direction: oneOf(DIRECTIONS),
  thread_id: textOrNull,
  campaign_id: nullable(Type.String({ description: 'The campaign that it is a copy of.' })),
  sequence_id: nullable(Type.String({ description: 'The sequence that sent it.' })),
  variant: nullable(
    Type.String({ description: "Which copy it is: a variant's tag, a split's key, a sequence's step." }),
  ),
  topic_id: nullable(Type.String({ description: 'The list of its topic.' })),
  received: Type.Optional(receivedPart),
  copies: Type.Optional(
    Type.Array(copyReference, { description: 'The messages to cc and bcc; on the answer that made them.' }),
  ),
  recipients: Type.Optional(
    Type.Array(copyReference, {
      description:
        'The messages to all other recipients, those in to, cc and bcc; on the answer that made them, where there are any.',
    }),
  ),
});
export type MessageObject = Static<typeof message>;

export const messageSummary = summaryOf('message_summary', message, [
  'id',
  'type',
  'status',
  'to',
  'from',
  'subject',
  'sub_tenant_id',
  'tags',
  'opened_at',
  'clicked_at',
  'sandbox',
  'last_attempt',
  'scheduled_at',
  'created_at',
  'updated_at',
  'direction',
  'thread_id',
  'campaign_id',
  'sequence_id',
]);

/** Of one kind: summaries where `view=summary` asks for them. */
export const messageList = listOf(Type.Union([message, messageSummary]));

export const messageContent = Type.Object({
  object: Type.Literal('message_content'),
  message_id: Type.String(),
  subject: Type.String(),
  html: textOrNull,
  text: textOrNull,
  to: Type.Array(address),
  cc: Type.Array(address),
  headers: Type.Record(Type.String(), Type.String(), { description: 'Your own header fields.' }),
});

export const auditTrail = Type.Object({
  message_id: Type.String(),
  status: oneOf(MESSAGE_STATUSES),
  trail: Type.Array(
    Type.Object({
      event: oneOf(MESSAGE_TRAIL_EVENTS),
      actor: oneOf(ACTORS),
      timestamp,
      metadata: freeData,
      explanation: Type.Optional(
        Type.String({
          description: 'On `suppressed`: why it was not sent, what that ends, and what changes it.',
        }),
      ),
      provider: Type.Optional(Type.String()),
      provider_message_id: Type.Optional(Type.String()),
      ip: Type.Optional(Type.String()),
      user_agent: Type.Optional(Type.String()),
    }),
    { description: 'In the order in which it happened.' },
  ),
});
export type AuditTrail = Static<typeof auditTrail>;

nameSchemas({
  MessageSummary: messageSummary,
  MessageList: messageList,
  AttachmentInput: attachment,
  MessageCreate: createMessage,
  MessageUpdate: rescheduleMessage,
  Mailbox: address,
  Attachment: attachmentSummary,
  MessageCopy: copyReference,
  MessageError: errorDetail,
  MessageLastAttempt: lastAttempt,
  Message: message,
  MessageContent: messageContent,
  MessageAudit: auditTrail,
  MessageAuditEntry: auditTrail.properties.trail.items,
});

nameEnums({ RecipientRole: ['to', 'cc', 'bcc'], MessageErrorType: ['hard', 'soft', 'failure'] });

// Batches of messages on the wire.
/** Items are checked one by one, so that a bad one does not stop the rest. */
export const createBatch = closed(
  {
    messages: Type.Array(shownAs('MessageCreate'), {
      minItems: 1,
      description: 'Each item as the body of POST /v1/messages, with an idempotency_key of its own.',
    }),
    atomic: Type.Optional(
      Type.Boolean({
        default: false,
        description:
          'True: all or nothing. When one item is refused, the whole request is refused, `details.items` says which and why, and no message is sent.',
      }),
    ),
  },
  {
    examples: [
      { messages: [{ to: 'ann@example.com', template: 'welcome', idempotency_key: 'welcome-4711' }] },
    ],
  },
);

export const batchAnswer = Type.Object({
  object: Type.Literal('list'),
  data: Type.Array(Type.Union([message, errorBody]), {
    description: 'In the order of the request.',
  }),
});

nameSchemas({ MessageBatchCreate: createBatch, MessageBatch: batchAnswer });
