// From stored rows to the message as it leaves: copy, service headers, envelope. The same rows give the same bytes.
import { envelopeAddress, type Mailbox } from '../../mail/address.js';
import { listUnsubscribeHeaders, unsubscribeUrl } from '../../mail/list-unsubscribe.js';
import { composeMessage, type ComposedMessage } from '../../mail/mime-build.js';
import type { TokenKey } from '../../mail/signed-token.js';
import { returnPathLocal } from '../../mail/verp.js';
import type { Deliverable } from '../../store/deliverables.js';

export interface ComposeSettings {
  /** Base of links, without a slash at the end. */
  publicUrl: string;
  /** The platform's return-path domain, for tenants whose own is not set up. */
  bounceDomain: string;
  tokenKey: TokenKey;
}

export interface OutgoingMail {
  composed: ComposedMessage;
  mailFrom: string;
  rcptTo: string;
}

/** Composes a stored message. The return path names it, so that its bounces find back. */
export function composeOutgoing(deliverable: Deliverable, settings: ComposeSettings): OutgoingMail {
  const { message, content, attachments, tenant } = deliverable;
  const returnDomain = tenant?.return_path_ok ? `bounce.${tenant.sending_domain}` : settings.bounceDomain;
  const local = returnPathLocal({
    messageId: message.public_id,
    domain: returnDomain,
    key: settings.tokenKey,
  });
  const composed = composeMessage({
    from: { email: message.from_email, name: message.from_name },
    to: JSON.parse(content.to_list) as Mailbox[],
    cc: JSON.parse(content.cc_list) as Mailbox[],
    replyTo:
      message.reply_to_email === null ? null : { email: message.reply_to_email, name: message.reply_to_name },
    subject: message.subject,
    messageId: content.rfc_message_id,
    date: message.created_at,
    html: content.html,
    text: content.text,
    attachments: attachments.map((attachment) => ({
      filename: attachment.filename,
      contentType: attachment.contentType,
      contentId: attachment.cid,
      content: asBuffer(attachment.content),
    })),
    headers: [
      ...(JSON.parse(content.headers) as [string, string][]),
      ...serviceHeaders(deliverable, settings),
    ],
    reportType: isTlsReport(content.headers) ? 'tlsrpt' : null,
    boundarySeed: content.rfc_message_id,
  });
  return { composed, mailFrom: `${local}@${returnDomain}`, rcptTo: envelopeAddress(message.to_email) };
}

function serviceHeaders({ message, content }: Deliverable, settings: ComposeSettings): [string, string][] {
  // Constant per tenant and type, so that providers can aggregate complaints (Gmail's Feedback-ID).
  const headers: [string, string][] = [
    ['Feedback-ID', `${message.sub_tenant_id ?? 'platform'}:${message.type}:posthorn`],
  ];
  if (message.require_tls === -1) headers.push(['TLS-Required', 'No']);
  if (message.type === 'transactional') {
    if (!/"auto-submitted"/i.test(content.headers)) headers.push(['Auto-Submitted', 'auto-generated']);
  } else {
    headers.push(
      ...listUnsubscribeHeaders(
        unsubscribeUrl(settings.publicUrl, message.public_id, settings.tokenKey),
        null,
      ),
    );
  }
  return headers;
}

/** Only the appliance itself writes this field; customers' header fields with it are refused. */
function isTlsReport(headers: string): boolean {
  return headers.includes('"TLS-Report-Domain"');
}

function asBuffer(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}
