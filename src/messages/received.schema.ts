// The `received` part of the message object.
import { Type, type Static } from 'typebox';
import { named, nameSchemas, nullable, timestamp, sentence } from '../contract/schema.js';

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
          description: 'Whether the domain matches the From domain or belongs to the same organization.',
        }),
      }),
    ),
    dmarc: Type.Object({ result: Type.String(), policy: textOrNull, domain: textOrNull }),
    arc: Type.Object({ result: Type.String() }),
  },
  {
    description:
      'Results of SPF (RFC 7208), DKIM (RFC 6376), DMARC (RFC 7489) and ARC (RFC 8617) when the message was received.',
  },
);

export const receivedPart = Type.Object(
  {
    in_reply_to: nullable(Type.String({ description: 'The ID of the message that this one replies to.' })),
    auto_reply: nullable(
      Type.String({
        description:
          'The kind of automatic reply, for example `vacation`. `null` for a reply written by a person.',
      }),
    ),
    visible_text: nullable(Type.String({ description: 'The new text without quotes and signature.' })),
    visible_html: nullable(
      Type.String({
        description:
          'The new part of the HTML body without quotes and signature. Not sanitized; treat it as untrusted.',
      }),
    ),
    quoted_text: nullable(Type.String({ description: 'The quoted text.' })),
    signature: textOrNull,
    text: nullable(Type.String({ description: 'The complete text body.' })),
    html: nullable(
      Type.String({ description: 'The complete HTML body. Not sanitized; treat it as untrusted.' }),
    ),
    message_id: nullable(Type.String({ description: 'The Message-ID without angle brackets.' })),
    mail_from: Type.String({ description: 'The envelope sender. Empty for the null sender.' }),
    client_address: textOrNull,
    tls: nullable(
      Type.String({ description: 'The TLS version of the session. `null` if it was not encrypted.' }),
    ),
    authentication: nullable(authentication),
    problems: Type.Array(sentence(), {
      description: 'Parts that could not be parsed, with the reason. The raw message contains everything.',
    }),
    received_at: timestamp,
  },
  { description: 'Details of a received message. Only present on received messages.' },
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
