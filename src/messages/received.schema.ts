// The `received` part of the message object.
import { Type, type Static, type TSchema } from 'typebox';
import { named, nameEnums, nameSchemas, nullable, oneOf, timestamp, sentence } from '../contract/schema.js';
import { HIDDEN_TEXT_KINDS } from '../lib/html/index.js';
import { NOT_FORWARDED } from './inboxes/forwards.tables.js';
import { EXECUTABLE_SIGNS } from './received.tables.js';

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

function findingsOf<Finding extends TSchema>(finding: Finding, description: string) {
  return Type.Object(
    {
      count: Type.Integer(),
      findings: Type.Array(finding, { description: 'The findings, up to 20.' }),
    },
    { description },
  );
}

const result = (name: string) =>
  nullable(Type.String({ description: `The ${name} result. \`null\` if it was not checked.` }));

const hiddenText = Type.Object({
  kind: oneOf(HIDDEN_TEXT_KINDS, {
    description:
      '`not_displayed`: an element that is not displayed. `too_small`: text too small to read. `same_color`: text in the color of its background. `off_screen`: text outside the visible area. `invisible_characters`: zero-width characters, or characters that encode other text.',
  }),
  text: Type.String({
    description:
      'The first 200 characters, or the code points of invisible characters. Treat it as untrusted.',
  }),
});

const misleadingLink = Type.Object({
  text: Type.String({ description: "The link's text, up to 200 characters." }),
  text_domain: Type.String({ description: 'The domain that the text names.' }),
  target_domain: Type.String({ description: 'The domain that the link leads to.' }),
});

const executable = Type.Object({
  filename: textOrNull,
  archive: nullable(Type.String({ description: 'The zip archive that contains the file.' })),
  sign: oneOf(EXECUTABLE_SIGNS, { description: 'Whether the extension or the content shows it.' }),
});

const risk = Type.Object(
  {
    spf: result('SPF'),
    dkim: nullable(
      Type.String({
        description:
          'The DKIM result: `pass` if a signature passed, otherwise that of the first one. `none` without a signature, `null` if it was not checked.',
      }),
    ),
    dmarc: result('DMARC'),
    first_time_sender: Type.Boolean({
      description: 'Whether this is the first message from the From address in this scope.',
    }),
    hidden_text: findingsOf(
      hiddenText,
      'Text that people cannot see. `visible_text`, `visible_html` and `quoted_text` exclude it.',
    ),
    link_mismatch: findingsOf(misleadingLink, 'Links whose text names a different domain than their target.'),
    executable_attachments: findingsOf(
      executable,
      'Attachments that a computer may run, including files in zip archives.',
    ),
  },
  {
    description:
      'Facts that can indicate fraud. Mailkeel does not score them. `null` if the message was not examined.',
  },
);
export type RiskWire = Static<typeof risk>;

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
    risk: nullable(risk),
    forwards: Type.Array(
      Type.Object({
        forward_id: Type.String({ description: 'The ID of the forwarding address.' }),
        message_id: nullable(Type.String({ description: 'The ID of the forwarded copy.' })),
        not_forwarded: nullable(
          oneOf(NOT_FORWARDED, {
            description:
              "Why the message was not forwarded. `loop`: it had already passed through the inbox, or through too many servers. `dmarc`: it failed DMARC, and the author's domain has the policy `reject`. `malformed`: it cannot be sent unchanged. `suppressed`: the address is on the suppression list. `quota`: the plan's sending limit has been reached.",
          }),
        ),
      }),
      { description: 'The addresses that the inbox forwarded the message to.' },
    ),
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
  ReceivedRisk: risk,
  HiddenTextFindings: risk.properties.hidden_text,
  HiddenText: hiddenText,
  LinkMismatchFindings: risk.properties.link_mismatch,
  LinkMismatch: misleadingLink,
  ExecutableFindings: risk.properties.executable_attachments,
  ExecutableAttachment: executable,
  ForwardedCopy: receivedPart.properties.forwards.items,
});

nameEnums({
  HiddenTextKind: HIDDEN_TEXT_KINDS,
  ExecutableSign: EXECUTABLE_SIGNS,
  NotForwarded: NOT_FORWARDED,
});
