// The `received` part of the message object.
import { Type, type Static } from 'typebox';
import { named, nameSchemas, nullable, timestamp } from '../../contract/schema.js';

const textOrNull = nullable(Type.String());

const authentication = Type.Object(
  {
    spf: Type.Object({ result: Type.String(), domain: textOrNull }),
    dkim: Type.Array(
      Type.Object({
        result: Type.String(),
        domain: Type.String(),
        selector: Type.String(),
        aligned: Type.Boolean({
          description: 'The domain is that of From, or belongs to the same organization.',
        }),
      }),
    ),
    dmarc: Type.Object({ result: Type.String(), policy: textOrNull, domain: textOrNull }),
    arc: Type.Object({ result: Type.String() }),
  },
  {
    description:
      'SPF (RFC 7208), DKIM (RFC 6376), DMARC (RFC 7489) and ARC (RFC 8617) as seen when it arrived.',
  },
);

export const receivedPart = Type.Object(
  {
    in_reply_to: nullable(Type.String({ description: 'The message of yours that it answers.' })),
    auto_reply: nullable(
      Type.String({
        description: 'Kind of automatic answer, such as `vacation`; null for a person’s.',
      }),
    ),
    visible_text: nullable(Type.String({ description: 'The new text: without quotes and signature.' })),
    visible_html: nullable(
      Type.String({ description: 'The same of the html part. Not sanitized: do not trust it.' }),
    ),
    quoted_text: nullable(Type.String({ description: 'The quoted rest.' })),
    signature: textOrNull,
    text: nullable(Type.String({ description: 'The whole text part.' })),
    html: nullable(Type.String({ description: 'The whole html part. Not sanitized: do not trust it.' })),
    message_id: nullable(Type.String({ description: 'Its Message-ID, without angle brackets.' })),
    mail_from: Type.String({ description: 'The envelope sender; empty for the null sender.' }),
    client_address: textOrNull,
    tls: nullable(Type.String({ description: 'The TLS version of the session; null: in clear.' })),
    authentication: nullable(authentication),
    problems: Type.Array(Type.String(), {
      description: 'The parts that could not be read, and why. The raw form has all.',
    }),
    received_at: timestamp,
  },
  { description: 'Of a received message only.' },
);
named('ReceivedPart', receivedPart);
export type AuthenticationWire = Static<typeof authentication>;

nameSchemas({
  ReceivedAuthentication: authentication,
  ReceivedDkim: authentication.properties.dkim.items,
  ReceivedSpf: authentication.properties.spf,
  ReceivedDmarc: authentication.properties.dmarc,
  ReceivedArc: authentication.properties.arc,
});
