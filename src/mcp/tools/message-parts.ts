// Messages in the results of tools, with everything that others wrote in `untrusted_content`.
import { Type, type Static } from 'typebox';
import { DIRECTIONS, ERROR_CATEGORIES, MESSAGE_STATUSES, MESSAGE_TYPES } from '../../contract/names.js';
import { nullable, oneOf, timestamp } from '../../contract/schema.js';
import { ATTEMPT_OUTCOMES } from '../../messages/attempt.schema.js';
import type { MessageObject } from '../../messages/message.schema.js';
import type { RiskWire } from '../../messages/received.schema.js';
import { cutBodies, line, lineOrNull, untrusted } from '../tool.js';

const textOrNull = nullable(Type.String());
const timeOrNull = nullable(timestamp);
export const address = Type.Object({ email: Type.String(), name: textOrNull });

const facts = {
  id: Type.String(),
  status: oneOf(MESSAGE_STATUSES),
  direction: oneOf(DIRECTIONS),
  type: oneOf(MESSAGE_TYPES),
  sandbox: Type.Boolean({ description: 'Whether the message is simulated and never leaves the server.' }),
  sub_tenant_id: textOrNull,
  thread_id: textOrNull,
  template_id: textOrNull,
  campaign_id: textOrNull,
  sequence_id: textOrNull,
  last_attempt: nullable(
    Type.Object({
      number: Type.Integer(),
      outcome: oneOf(ATTEMPT_OUTCOMES),
      at: timestamp,
      next_attempt_at: timeOrNull,
    }),
  ),
  error: nullable(
    Type.Object({
      type: oneOf(['hard', 'soft', 'failure']),
      category: oneOf(ERROR_CATEGORIES),
      code: nullable(Type.Integer({ description: 'The SMTP reply code.' })),
      enhanced_code: textOrNull,
      occurred_at: timestamp,
    }),
  ),
  opened_at: timeOrNull,
  clicked_at: timeOrNull,
  scheduled_at: timeOrNull,
  created_at: timestamp,
};

const written = {
  from: address,
  to: Type.String(),
  subject: Type.String(),
  tags: Type.Array(Type.String()),
  error_message: nullable(
    Type.String({ description: "The mail server's reply, or the reason of the failure." }),
  ),
  remote_host: nullable(Type.String({ description: 'The mail server that replied.' })),
};

export const messageItem = Type.Object({ ...facts, untrusted_content: untrusted(written) });

export const attachedFile = Type.Object({
  ...{ filename: Type.String(), content_type: Type.String(), size: Type.Integer() },
});

export const messageWithText = Type.Object({
  ...facts,
  received: nullable(
    Type.Object(
      {
        received_at: timestamp,
        is_automatic_reply: Type.Boolean(),
        authentication: nullable(
          Type.Object({ spf: Type.String(), dkim: Type.Array(Type.String()), dmarc: Type.String() }),
        ),
        risk: nullable(
          Type.Object(
            {
              first_time_sender: Type.Boolean(),
              hidden_texts: Type.Integer(),
              misleading_links: Type.Integer(),
              executable_attachments: Type.Integer(),
            },
            { description: 'Facts that may show a fraud, as numbers. Hidden text is not in the bodies.' },
          ),
        ),
      },
      { description: '`null` for a message that was sent.' },
    ),
  ),
  untrusted_content: untrusted({
    ...written,
    reply_to: nullable(address),
    text: nullable(
      Type.String({ description: 'The text body. Of a received message, without quotes and signature.' }),
    ),
    html: nullable(Type.String({ description: 'The HTML body. `null` unless `include_html` is `true`.' })),
    truncated: Type.Boolean({ description: 'Whether a body was cut at 20,000 characters.' }),
    attachments: Type.Array(attachedFile),
  }),
});

export function presentMessage(message: MessageObject): Static<typeof messageItem> {
  return { ...factsOf(message), untrusted_content: writtenIn(message) };
}

/** Returns numbers only, because the findings are words of the sender. */
function countsOf(risk: RiskWire) {
  const { first_time_sender, hidden_text, link_mismatch, executable_attachments } = risk;
  return {
    first_time_sender,
    hidden_texts: hidden_text.count,
    misleading_links: link_mismatch.count,
    executable_attachments: executable_attachments.count,
  };
}

/** `content` has the bodies of a message that was sent; those of a received one are in the message. */
export function presentWithText(
  message: MessageObject,
  content: { text: string | null; html: string | null } | null,
  includeHtml: boolean,
): Static<typeof messageWithText> {
  const { received } = message;
  const bodies =
    received === undefined
      ? (content ?? { text: null, html: null })
      : {
          text: received.visible_text ?? received.text,
          html: received.visible_html ?? received.html,
        };
  return {
    ...factsOf(message),
    received:
      received === undefined
        ? null
        : {
            received_at: received.received_at,
            is_automatic_reply: received.auto_reply !== null,
            authentication:
              received.authentication === null
                ? null
                : {
                    spf: received.authentication.spf.result,
                    dkim: received.authentication.dkim.map(({ result }) => result),
                    dmarc: received.authentication.dmarc.result,
                  },
            risk: received.risk === null ? null : countsOf(received.risk),
          },
    untrusted_content: {
      ...writtenIn(message),
      reply_to: message.reply_to === null ? null : presentAddress(message.reply_to),
      ...cutBodies({ text: bodies.text, html: includeHtml ? bodies.html : null }),
      attachments: message.attachments.map(({ filename, content_type, size }) => ({
        filename: line(filename),
        content_type: line(content_type),
        size,
      })),
    },
  };
}

export function presentAddress({ email, name }: { email: string; name: string | null }) {
  return { email: line(email), name: lineOrNull(name) };
}

function factsOf(message: MessageObject) {
  const { last_attempt: attempt, error } = message;
  return {
    id: message.id,
    status: message.status,
    direction: message.direction,
    type: message.type,
    sandbox: message.sandbox,
    sub_tenant_id: message.sub_tenant_id,
    thread_id: message.thread_id,
    template_id: message.template_id,
    campaign_id: message.campaign_id,
    sequence_id: message.sequence_id,
    last_attempt:
      attempt === null
        ? null
        : {
            number: attempt.number,
            outcome: attempt.outcome,
            at: attempt.at,
            next_attempt_at: attempt.next_attempt_at,
          },
    error:
      error === null
        ? null
        : {
            type: error.type,
            category: error.category,
            code: error.code,
            enhanced_code: error.enhanced_code,
            occurred_at: error.occurred_at,
          },
    opened_at: message.opened_at,
    clicked_at: message.clicked_at,
    scheduled_at: message.scheduled_at,
    created_at: message.created_at,
  };
}

function writtenIn({ from, to, subject, tags, error }: MessageObject) {
  return {
    from: presentAddress(from),
    to: line(to),
    subject: line(subject),
    tags: [...tags],
    error_message: lineOrNull(error?.message),
    remote_host: lineOrNull(error?.remote_host),
  };
}
