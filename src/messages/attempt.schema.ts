// Wire shapes of delivery attempts with their SMTP conversation. The detail is stored in this form.
import { Type, type Static } from 'typebox';
import { ROUTE_SIDES, type Mode } from '../contract/names.js';
import { named, nameEnums, nameSchemas, nullable, oneOf, timestamp } from '../contract/schema.js';

/** Reasons for the side of a message on a route with a share. */
const SHARE_REASONS = ['position', 'engagement', 'kept'] as const;

export const ATTEMPT_OUTCOMES = ['delivered', 'deferred', 'bounced', 'failed', 'ambiguous', 'held'] as const;

const textOrNull = nullable(Type.String());

const attemptTls = Type.Object(
  {
    version: Type.String(),
    cipher: Type.String(),
    verified: Type.Boolean(),
    error: nullable(Type.String({ description: 'Why the certificate could not be verified.' })),
    policy: Type.String({
      description:
        'The TLS policy: `dane`, `tlsa_unusable`, `sts`, `configured`, `require_tls` or `opportunistic`.',
    }),
  },
  { description: 'TLS details of the session. `null` if the session was not encrypted.' },
);

const attemptShare = Type.Object(
  {
    route: Type.String({ description: 'The name or ID of the route.' }),
    percent: Type.Integer({
      description: "Percentage of the route's mail that was delivered directly at the time.",
    }),
    side: oneOf(ROUTE_SIDES, {
      description: 'Whether the message was delivered directly or through a smarthost of the route.',
    }),
    reason: oneOf(SHARE_REASONS, {
      description:
        "Why Mailkeel chose this side. `position`: the recipient's position among all recipients. `engagement`: at this position, only engaged recipients get direct mail. `kept`: the side was chosen earlier.",
    }),
  },
  { description: "The route's share and the chosen side. Only present if the route has a share." },
);

const detailFields = {
  outcome: oneOf(ATTEMPT_OUTCOMES, {
    description:
      'The result of the attempt. `ambiguous` means that the whole message was sent but no reply was received. `delivered` by a smarthost means that the smarthost accepted the message.',
  }),
  phase: textOrNull,
  code: nullable(Type.Integer({ description: 'The SMTP reply code. `null` if no reply was received.' })),
  enhanced_code: nullable(
    Type.String({ description: 'The enhanced status code (RFC 3463), for example `4.7.1`.' }),
  ),
  category: nullable(named('ErrorCategory', Type.String())),
  reply: Type.String({ description: "The reply of the recipient's mail server, or the network error." }),
  source: Type.String({ description: 'The name of the sending IP or smarthost.' }),
  via: oneOf(['mta', 'smarthost', 'simulator']),
  host: textOrNull,
  address: textOrNull,
  local_address: textOrNull,
  tls: nullable(attemptTls),
  tls_policy: Type.Optional(
    nullable(Type.String({ description: 'The TLS policy that applied, whether or not TLS was used.' })),
  ),
  times: nullable(
    Type.Record(Type.String(), Type.Number(), { description: 'Duration of each phase in milliseconds.' }),
  ),
  duration_ms: nullable(Type.Number({ description: 'Milliseconds from the signed message to the outcome.' })),
  next_attempt_at: nullable(timestamp),
  route_share: Type.Optional(attemptShare),
};

/** The column `attempts.detail`, as JSON. */
export const attemptDetail = Type.Object(detailFields);
export type AttemptDetail = Static<typeof attemptDetail>;

/** Facts about an attempt for logs and metrics, which come from other rows or are not stored. */
export interface AttemptAbout {
  /** `msg_…`. */
  publicId: string;
  subTenantId: string | null;
  mode: Mode;
  toEmail: string;
  /** The recipient's address as addresses are compared. */
  toKey: string;
  /** The campaign of the copy. `null` if it belongs to none. */
  campaignId: string | null;
  /** Of the recipient. */
  domain: string;
  /** A name of config/providers.json; null for none of them. */
  provider: string | null;
  /** Octets on the wire; null when no copy was made. */
  sizeBytes: number | null;
  /** W3C Trace Context of the request, or `null`. */
  traceparent: string | null;
}

export const attempt = Type.Object(
  {
    object: Type.Literal('attempt'),
    message_id: Type.String(),
    number: Type.Integer({ description: 'The attempt number, starting at 1.' }),
    at: timestamp,
    ...detailFields,
    session_id: nullable(
      Type.String({ description: 'The session ID. Attempts with the same ID shared a connection.' }),
    ),
    conversation: Type.Object(
      {
        opening: nullable(
          Type.Array(Type.String(), {
            description: 'The start of the SMTP session, shared by all of its attempts.',
          }),
        ),
        transaction: Type.Array(Type.String()),
      },
      {
        description:
          'The SMTP transcript, line by line. `> ` marks lines sent, `< ` lines received, and `* ` connection events. Passwords are masked and the message itself is omitted.',
      },
    ),
  },
  { description: 'An attempt to deliver a message.' },
);
export type AttemptObject = Static<typeof attempt>;

export const attemptList = Type.Object({
  object: Type.Literal('list'),
  data: Type.Array(attempt, {
    description: 'Attempts, oldest first. If there are more than 200, only the last 200.',
  }),
  has_more: Type.Boolean({ description: 'Whether earlier attempts were omitted.' }),
  next_cursor: Type.Null(),
});

nameSchemas({
  AttemptTls: attemptTls,
  AttemptShare: attemptShare,
  AttemptConversation: attempt.properties.conversation,
  Attempt: attempt,
  AttemptList: attemptList,
});

nameEnums({ AttemptOutcome: ATTEMPT_OUTCOMES, ShareReason: SHARE_REASONS });
