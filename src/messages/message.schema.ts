// Wire shapes of messages: the request of POST /v1/messages, and the objects that message operations return.
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
import { receivedPart } from './received.schema.js';
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
  sentence,
} from '../contract/schema.js';
import { ATTEMPT_OUTCOMES } from './attempt.schema.js';
import { errorBody } from '../contract/error-body.js';

const MAX_SUBJECT = 998;
const MAX_KEY = 255;
/** Mailboxes that answers may be asked to: more than a person would write. */
const MAX_REPLY_TO = 25;

export const mailbox = Type.Union(
  [Type.String(), closed({ email: Type.String(), name: Type.Optional(nullable(Type.String())) })],
  { description: 'An address, `Name <address>`, or `{email, name}`.' },
);
named('MailboxInput', mailbox);
named('MailboxObject', mailbox.anyOf[1]);
export type MailboxInput = Static<typeof mailbox>;

/** One mailbox or several, as accepted by request fields. */
function mailboxes(description: string, limits: { minItems?: number; maxItems?: number } = {}) {
  return Type.Union([...mailbox.anyOf, Type.Array(mailbox, limits)], { description });
}

const attachment = closed({
  filename: Type.String({ minLength: 1, maxLength: 255 }),
  content: Type.String({ description: 'The file in base64 (RFC 4648 section 4), without line breaks.' }),
  content_type: Type.Optional(
    Type.String({ description: 'The media type. Defaults to the type for the file name.' }),
  ),
  content_id: Type.Optional(
    Type.String({
      description:
        'The content ID, without angle brackets, that the HTML references as `cid:` to show the file inline. A file that the HTML does not reference is sent as an attachment.',
    }),
  ),
});
export type AttachmentInput = Static<typeof attachment>;

const variables = Type.Record(Type.String(), Type.Unknown(), {
  description:
    'Values for the placeholders of the template or inline content. They override the fields of the saved contact. Inline content is rendered only if you pass variables (an empty object is enough), the recipient is a saved contact, or the type is marketing or sales. With several recipients, all of them get the same email, rendered for the contact of the first `to`.',
});
named('MessageVariables', variables);
const headers = Type.Record(Type.String(), Type.String(), {
  description:
    'Additional header fields. Fields set by Mailkeel or by mail servers are rejected, such as From, To, Date, Received, DKIM-Signature and Content-*. List-Unsubscribe (https and mailto URIs), List-Unsubscribe-Post and Message-ID are accepted only for transactional email without a topic.',
});
named('MessageHeaders', headers);

export const createMessage = closed(
  {
    to: mailboxes(
      'One or more recipients, each an address, `Name <address>` or `{email, name}`. Every recipient gets a separate message whose To header lists all of them. `to`, `cc` and `bcc` together can have up to 50 recipients.',
      { minItems: 1 },
    ),
    cc: Type.Optional(mailboxes('One or more Cc recipients, each of whom gets a separate message.')),
    bcc: Type.Optional(
      mailboxes(
        'One or more Bcc recipients, each of whom gets a separate message. No other recipient sees them.',
      ),
    ),
    subject: Type.Optional(
      Type.String({
        maxLength: MAX_SUBJECT,
        description: "The subject. Overrides the template's subject; required if there is none.",
      }),
    ),
    html: Type.Optional(Type.String({ description: 'The HTML body. Omit it if you use a template.' })),
    text: Type.Optional(Type.String({ description: 'The plain text body. Omit it if you use a template.' })),
    template: Type.Optional(Type.String({ description: 'The slug of the template to send.' })),
    template_id: Type.Optional(Type.String({ description: 'The ID of the template to send.' })),
    variables: Type.Optional(variables),
    from: Type.Optional(mailbox),
    reply_to: Type.Optional(
      mailboxes('One or more addresses for replies. You must be allowed to use each of them.', {
        minItems: 1,
        maxItems: MAX_REPLY_TO,
      }),
    ),
    type: Type.Optional(oneOf(MESSAGE_TYPES, { default: 'transactional' })),
    priority: Type.Optional(oneOf(PRIORITIES, { default: 'normal' })),
    send_at: Type.Optional(
      Type.String({
        description: 'When to send the message, as an ISO 8601 time with an offset, up to a year ahead.',
      }),
    ),
    expires_at: Type.Optional(
      Type.String({
        description:
          'When to stop trying to deliver the message, as an ISO 8601 time with an offset. Must be in the future and after `send_at`. Takes effect if it is earlier than the end of the queue lifetime. Use it for login codes and other time-sensitive email.',
      }),
    ),
    render: Type.Optional(
      Type.Boolean({
        default: true,
        description:
          'Whether to render placeholders in inline `html`, `text` and `subject` as described for `variables`. If `false`, the content is sent unchanged.',
      }),
    ),
    require_variables: Type.Optional(
      Type.Boolean({
        default: false,
        description:
          'Whether to reject the message if the template or inline content uses a variable without a value. The resulting `validation_error` lists each missing variable. An empty string is a value.',
      }),
    ),
    require_tls: Type.Optional(
      Type.Boolean({
        default: false,
        description:
          'Whether to require REQUIRETLS (RFC 8689), so that the message is delivered only to servers with verified TLS that pass the requirement on. Otherwise it bounces.',
      }),
    ),
    idempotency_key: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: MAX_KEY,
        description:
          'A unique key that makes the request safe to retry. You can send it as the `Idempotency-Key` header instead.',
      }),
    ),
    tags: Type.Optional(tagList),
    metadata: Type.Optional(metadata),
    attachments: Type.Optional(Type.Array(attachment)),
    headers: Type.Optional(headers),
    auto_submitted: Type.Optional(
      Type.Boolean({
        description:
          'Whether to add `Auto-Submitted: auto-generated` (RFC 3834), which stops vacation responders from replying but makes some help desks suspend the message. Defaults to `true` for marketing and sales email and `false` for transactional email. You can set a different value in `headers`.',
      }),
    ),
    sub_tenant_id: Type.Optional(
      Type.String({
        description:
          'The sub-tenant to send as: its ID, or `external:` followed by its external ID. If omitted and `from` is on the domain of a verified sub-tenant, the message is sent as that sub-tenant.',
      }),
    ),
    thread_id: Type.Optional(
      Type.String({
        description:
          'The thread to continue. Sets In-Reply-To and References unless you set them in `headers`.',
      }),
    ),
    topic: Type.Optional(
      Type.String({
        description:
          'The ID (`lst_…`) of a list that represents the purpose of the message. The message is not sent to anyone who unsubscribed from that list, and its unsubscribe link removes the recipient from that list only. The list must belong to the sender, which is the sub-tenant or the workspace. Recipients do not have to be members.',
      }),
    ),
    track_opens: Type.Optional(
      Type.Boolean({ description: 'Whether to track opens. Requires an HTML body.' }),
    ),
    track_clicks: Type.Optional(
      Type.Boolean({ description: 'Whether to track clicks. Requires an HTML body.' }),
    ),
  },
  {
    description: 'An email to send. Each recipient in `to`, `cc` and `bcc` gets a separate message.',
    examples: [
      {
        to: 'Ann <ann@example.com>',
        from: { email: 'news@customer.example', name: 'Customer' },
        subject: 'Welcome',
        html: '<p>Thanks for signing up.</p>',
        tags: ['welcome'],
        idempotency_key: 'welcome-4711',
      },
    ],
  },
);
export type MessageRequest = Static<typeof createMessage>;

export const rescheduleMessage = closed(
  {
    send_at: Type.String({
      description:
        'The new time to send the message, as an ISO 8601 time with an offset. A time up to 5 minutes in the past means now.',
    }),
  },
  { examples: [{ send_at: '2026-03-01T10:00:00+01:00' }] },
);

export const messagesQuery = orderedQueryWith({
  status: anyOf(MESSAGE_STATUSES),
  to: anyText(320, 'A recipient address.'),
  from: anyText(320, 'A sender address.'),
  subject: partOf('the subject'),
  type: anyOf(MESSAGE_TYPES),
  tag: anyText(MAX_TAG, 'A tag.'),
  metadata: Type.Optional(
    Type.Record(Type.String(), Type.String({ maxLength: 200 }), {
      maxProperties: 5,
      description:
        'Metadata to match, for example `metadata[order]=4711`: a top-level key and its value as text. All conditions must match.',
    }),
  ),
  view: viewOf('metadata, attachments, errors and request options'),
  thread_id: Type.Optional(Type.String()),
  campaign_id: Type.Optional(Type.String({ description: 'Return only copies sent by this campaign.' })),
  sequence_id: Type.Optional(Type.String({ description: 'Return only messages sent by this sequence.' })),
  in_doubt: Type.Optional(
    Type.Boolean({
      description:
        'If `true`, return only messages that may or may not have arrived, because the connection or the server failed after the whole message was sent and before the reply. Their status is `sent` and they are not retried automatically.',
    }),
  ),
  sub_tenant_id: Type.Optional(Type.String()),
  sandbox: Type.Optional(
    Type.Boolean({
      description:
        'Whether to return sandbox or live messages. A key has access to one environment, so the other value returns nothing.',
    }),
  ),
  q: Type.Optional(Type.String({ maxLength: 200, description: 'Text to find in the recipient or subject.' })),
});

const textOrNull = nullable(Type.String());
const timeOrNull = nullable(timestamp);
const address = Type.Object({ email: emailText, name: textOrNull });
const freeData = Type.Record(Type.String(), Type.Unknown());

const attachmentSummary = Type.Object({
  filename: Type.String(),
  content_type: Type.String(),
  size: Type.Integer({ description: 'Size of the file in bytes.' }),
  content_id: textOrNull,
  sha256: Type.String({ description: 'SHA-256 hash of the file in lowercase hexadecimal.' }),
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
    enhanced_code: nullable(
      Type.String({ description: 'The enhanced status code (RFC 3463), for example `5.1.1`.' }),
    ),
    message: sentence(),
    remote_host: textOrNull,
    occurred_at: timestamp,
  },
  { description: 'Why the message bounced or failed.' },
);

export const lastAttempt = Type.Object(
  {
    number: Type.Integer({ description: 'The attempt number, starting at 1.' }),
    outcome: oneOf(ATTEMPT_OUTCOMES),
    at: timestamp,
    next_attempt_at: nullable(
      Type.String({
        format: 'date-time',
        description: 'Time of the next attempt. `null` if no further attempt is planned.',
      }),
    ),
  },
  {
    description:
      'The latest delivery attempt. The status of a message is `sent` from its first attempt on. See `outcome` for whether a server accepted it.',
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
    Type.Array(address, {
      description: 'All reply-to addresses, if there are several. `reply_to` is the first.',
    }),
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
        'The Message-ID header of the email, including angle brackets. Cc and Bcc copies have the same one.',
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
  campaign_id: nullable(Type.String({ description: 'The campaign that sent the message.' })),
  sequence_id: nullable(Type.String({ description: 'The sequence that sent the message.' })),
  variant: nullable(
    Type.String({
      description:
        'The tag of the campaign variant, the key of the split or the sequence step that the message was made from.',
    }),
  ),
  topic_id: nullable(Type.String({ description: 'The ID of the list given as the topic.' })),
  forwarded_from: Type.Optional(
    Type.String({
      description: 'The received message that this one forwards. Only present on forwarded messages.',
    }),
  ),
  received: Type.Optional(receivedPart),
  copies: Type.Optional(
    Type.Array(copyReference, {
      description: 'The messages to `cc` and `bcc`. Only present in the response that created them.',
    }),
  ),
  recipients: Type.Optional(
    Type.Array(copyReference, {
      description:
        'The messages to all other recipients in `to`, `cc` and `bcc`. Only present in the response that created them.',
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

/** All items are summaries if the request has `view=summary`. */
export const messageList = listOf(Type.Union([message, messageSummary]));

export const messageContent = Type.Object({
  object: Type.Literal('message_content'),
  message_id: Type.String(),
  subject: Type.String(),
  html: textOrNull,
  text: textOrNull,
  to: Type.Array(address),
  cc: Type.Array(address),
  headers: Type.Record(Type.String(), Type.String(), {
    description: 'The additional header fields that you set.',
  }),
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
          description:
            'For `suppressed` events: why the message was not sent, what the suppression covers, and how to lift it.',
        }),
      ),
      provider: Type.Optional(Type.String()),
      provider_message_id: Type.Optional(Type.String()),
      ip: Type.Optional(Type.String()),
      user_agent: Type.Optional(Type.String()),
    }),
    { description: 'Events in the order in which they occurred.' },
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
      description:
        'The messages to send. Each item has the same fields as the body of `POST /v1/messages`, with its own `idempotency_key`.',
    }),
    atomic: Type.Optional(
      Type.Boolean({
        default: false,
        description:
          'Whether to reject the whole batch if any item is invalid. `details.items` then lists the invalid items, and no message is sent.',
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
    description: 'Results in the order of the request.',
  }),
});

nameSchemas({ MessageBatchCreate: createBatch, MessageBatch: batchAnswer });
