// POST /v1/messages/raw on the wire: a whole MIME message with its envelope.
import { Type, type Static } from 'typebox';
import { MESSAGE_TYPES, PRIORITIES } from '../contract/names.js';
import { closed, KEEPS_EMPTY, metadata, nameSchemas, oneOf, tagList } from '../contract/schema.js';

/** Longer than any address, because the parser explains what is wrong. */
const ADDRESS = { maxLength: 1000 };
const address = Type.String(ADDRESS);
/** More than the limit, so that the refusal can count them. */
const MOST_RECIPIENTS = 1000;

const RECIPIENTS =
  'The recipients of the envelope. Each gets a separate message, and those who are not in the To or Cc header get a blind copy. Defaults to all addresses in the To, Cc and Bcc headers.';
const SENDER =
  'The envelope sender, which must be a verified sender. It receives delivery reports (`MAILKEEL_RELAY_DSN`). Without it, no reports are sent.';

/** Envelope of a message whose body is `message/rfc822`. */
export const rawMessageQuery = closed({
  to: Type.Optional(
    Type.Array(address, {
      minItems: 1,
      maxItems: MOST_RECIPIENTS,
      description: `${RECIPIENTS} Repeat the parameter for each address. Only for bodies of the type \`message/rfc822\`.`,
    }),
  ),
  from: Type.Optional(
    Type.String({ ...ADDRESS, description: `${SENDER} Only for bodies of the type \`message/rfc822\`.` }),
  ),
});

const createRawMessage = closed(
  {
    raw: Type.String({
      minLength: 1,
      description: 'The MIME message in base64 (RFC 4648 section 4), without line breaks.',
    }),
    to: Type.Optional(
      Type.Union([address, Type.Array(address, { minItems: 1, maxItems: MOST_RECIPIENTS })], {
        description: RECIPIENTS,
      }),
    ),
    from: Type.Optional(Type.String({ ...ADDRESS, description: SENDER })),
    type: Type.Optional(oneOf(MESSAGE_TYPES, { default: 'transactional' })),
    priority: Type.Optional(oneOf(PRIORITIES, { default: 'normal' })),
    send_at: Type.Optional(
      Type.String({
        description:
          'When to send the message, as an ISO 8601 time with an offset, up to a year ahead. The Date header is then set to the first attempt.',
      }),
    ),
    expires_at: Type.Optional(
      Type.String({
        description: 'When to stop trying to deliver the message, as an ISO 8601 time with an offset.',
      }),
    ),
    require_tls: Type.Optional(
      Type.Boolean({ default: false, description: 'Whether to require REQUIRETLS (RFC 8689).' }),
    ),
    tags: Type.Optional(tagList),
    metadata: Type.Optional(metadata),
    sub_tenant_id: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 255,
        description:
          'The sub-tenant to send as: its ID or external ID. If omitted and the From address is on the domain of a verified sub-tenant, the message is sent as that sub-tenant.',
      }),
    ),
    track_opens: Type.Optional(
      Type.Boolean({ description: 'Stored with the message. The message itself is not modified.' }),
    ),
    track_clicks: Type.Optional(
      Type.Boolean({ description: 'Stored with the message. The message itself is not modified.' }),
    ),
  },
  {
    // An empty list of recipients must not become the header's.
    [KEEPS_EMPTY]: true,
    description:
      'A MIME message to send. Options can also be control fields in its header (`X-Service-Tag` and others), as for the SMTP relay.',
    examples: [
      {
        raw: Buffer.from(
          'From: Customer <news@customer.example>\r\nTo: Ann <ann@example.com>\r\nSubject: Welcome\r\n\r\nThanks for signing up.\r\n',
        ).toString('base64'),
        to: ['ann@example.com'],
        tags: ['welcome'],
      },
    ],
  },
);

export type RawMessageRequest = Static<typeof createRawMessage>;

export const RFC822 = 'message/rfc822';

/** By media type. A message of the type `message/rfc822` is read as octets. */
export const rawMessageBody = Type.Unsafe<RawMessageRequest | Buffer>({
  content: {
    'application/json': { schema: createRawMessage },
    [RFC822]: {
      schema: Type.String({
        format: 'binary',
        description: 'The MIME message itself. The query has the envelope. Lone LF and CR become CRLF.',
        examples: [
          'From: Customer <news@customer.example>\r\nTo: Ann <ann@example.com>\r\nSubject: Welcome\r\n\r\nThanks for signing up.\r\n',
        ],
      }),
    },
  },
});

nameSchemas({ RawMessageCreate: createRawMessage });
