// Wire shapes of approvals and decisions.
import { Type } from 'typebox';
import { APPROVAL_STATUSES, MESSAGE_STATUSES } from '../../contract/names.js';
import { anyOf, orderedQueryWith } from '../../contract/lists.js';
import {
  closed,
  emailText,
  nameSchemas,
  nullable,
  oneOf,
  sentence,
  timestamp,
  timestampWith,
} from '../../contract/schema.js';
import { POLICY_FIELDS } from '../../contract/send-policy.js';
import { message, messageContent } from '../message.schema.js';

const MAX_NOTE = 1_000;
const MAX_SUBJECT = 998;

const textOrNull = nullable(Type.String());

const person = Type.Object({ id: Type.String({ description: 'The user ID.' }), email: nullable(emailText) });

const difference = Type.Object(
  {
    field: oneOf(POLICY_FIELDS),
    value: Type.String({ description: 'The address or host name outside the list.' }),
  },
  { description: 'A part of the message that a list of the send policy does not allow.' },
);

const submitter = Type.Object(
  {
    id: Type.String(),
    name: textOrNull,
    owner: nullable(person),
  },
  { description: 'The API key that sent the message, and the user who owns the key.' },
);

export const approval = Type.Object({
  id: Type.String(),
  object: Type.Literal('approval'),
  status: oneOf(APPROVAL_STATUSES, {
    description:
      '`pending`: the message is waiting. `approved`: it is queued or was sent. `rejected` or `expired`: it was canceled. `canceled`: its sender canceled it.',
  }),
  message_id: nullable(Type.String({ description: 'The first message. Its copies are approved with it.' })),
  sub_tenant_id: textOrNull,
  from: textOrNull,
  to: nullable(Type.String({ description: 'The recipient of the first message.' })),
  subject: textOrNull,
  recipients: Type.Integer({ description: 'Number of messages covered by the approval, including copies.' }),
  api_key: submitter,
  differences: Type.Array(difference),
  content_hash: Type.String({
    description: 'The `content_hash` of the first message. It changes if the message is edited.',
  }),
  version: Type.Integer({ description: 'The version number. Starts at 1 and increases with each edit.' }),
  edited_by: nullable(
    Type.String({ description: 'The user who edited this version. `null` if the message was not edited.' }),
  ),
  expires_at: timestamp,
  decided_at: nullable(timestamp),
  decided_by: nullable(person),
  note: textOrNull,
  created_at: timestamp,
  updated_at: timestamp,
});

const recipient = Type.Object({
  message_id: Type.String(),
  to: emailText,
  recipient_role: message.properties.recipient_role,
  status: oneOf(MESSAGE_STATUSES),
});

const { html, text, to, cc } = messageContent.properties;
const headers = Type.Record(Type.String(), Type.String(), {
  description:
    'The additional header fields. For a message submitted as MIME, all header fields; repeated fields are joined by line breaks.',
});

export const approvalDetail = Type.Object({
  ...approval.properties,
  messages: Type.Array(recipient, { description: 'The message and its copies, with blind copies.' }),
  content: Type.Object(
    { html, text, to, cc, headers, attachments: message.properties.attachments },
    { description: 'The content as it will be sent, before tracking links and the signature are added.' },
  ),
  editable: Type.Boolean({ description: 'Whether the content can be edited. MIME messages cannot.' }),
  restored_at: nullable(
    timestampWith({
      description:
        'When a backup was restored that contained this waiting message. The message may already have been approved and sent. `null` if no backup was restored.',
    }),
  ),
  problem: nullable(
    sentence({ description: 'Why the caller cannot approve this message. `null` if they can.' }),
  ),
});

export const approvalsQuery = orderedQueryWith({
  status: anyOf(APPROVAL_STATUSES),
  api_key_id: Type.Optional(Type.String({ description: 'Return only messages of this API key.' })),
  sub_tenant_id: Type.Optional(Type.String()),
});

const note = Type.Optional(
  Type.String({ maxLength: MAX_NOTE, description: "A comment, shown in the message's audit trail." }),
);

export const approvalApprove = closed(
  {
    content_hash: Type.String({
      maxLength: 100,
      description: 'The `content_hash` of the version that you reviewed.',
    }),
    note,
  },
  {
    examples: [{ content_hash: 'sha256:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08' }],
  },
);

export const approvalReject = closed({ note }, { examples: [{ note: 'Wrong customer' }] });

export const approvalPatch = closed(
  {
    subject: Type.Optional(Type.String({ minLength: 1, maxLength: MAX_SUBJECT })),
    html: Type.Optional(Type.String({ minLength: 1 })),
    text: Type.Optional(Type.String({ minLength: 1 })),
  },
  { examples: [{ subject: 'Your invoice of March' }] },
);

export const approvalCount = Type.Object({
  object: Type.Literal('approval_count'),
  pending: Type.Integer({ description: 'Number of pending approvals.' }),
});

nameSchemas({
  Approval: approval,
  ApprovalDetail: approvalDetail,
  ApprovalContent: approvalDetail.properties.content,
  ApprovalMessage: recipient,
  ApprovalApiKey: submitter,
  ApprovalPerson: person,
  ApprovalApprove: approvalApprove,
  ApprovalReject: approvalReject,
  ApprovalUpdate: approvalPatch,
  ApprovalCount: approvalCount,
  PolicyDifference: difference,
});
