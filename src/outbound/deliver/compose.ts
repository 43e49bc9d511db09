// From stored rows to the message as it leaves: copy, service headers, envelope. The same rows give the same bytes.
import { type ComposedMessage, composeMessage, envelopeAddress, type Mailbox } from '../../lib/mime/index.js';
import { listUnsubscribeHeaders, unsubscribeUrl } from '../../contacts/unsubscribe.rules.js';
import { messageReference, replyAddress, unsubscribeAddress } from '../../messages/mail-tokens.rules.js';
import { relayedForm } from '../../messages/relayed/relayed-form.rules.js';
import type { TokenKey } from '../../lib/tokens/index.js';
import { readSubmittedAgain } from '../../messages/relayed/submitted-mail.rules.js';
import { returnPathLocal } from '../../messages/verp.rules.js';
import type { Config } from '../../settings/settings.js';
import { replyToOf } from '../../messages/rows.store.js';
import type { OpenTokens } from '../../lib/secrets/index.js';
import type { Deliverable } from '../../messages/deliverables.store.js';
import { defaultNames, ownNamesOf, type OwnNames } from '../../domains/own-names.rules.js';
import { trackHtml } from '../../tracking/tracking-links.rules.js';
import { clickUrl, openUrl, trackingBase } from '../../tracking/tracking-tokens.rules.js';
import type { Flag } from '../../database/columns.js';

export interface ComposeSettings {
  /** Base of links, without a slash at the end. */
  publicUrl: string;
  /** The platform's return-path domain, for domains whose own is not set up. */
  bounceDomain: string;
  /** The platform's domain of reply and unsubscribe addresses, likewise. */
  inboundDomain: string;
  /** Mail without reply_to gets a signed reply address. */
  replyAddresses: boolean;
  relayReplyAddresses: boolean;
  /** Our name in mail. */
  hostname: string;
  /** Tracked links are on the click domain of the sender once that leads to us; when absent, too. */
  tenantTrackingDomains?: boolean;
  tokenKey: TokenKey;
  /** Opens the links of mail that keeps them sealed, for the recipient; without it they stay so. */
  openTokens?: OpenTokens;
}

export interface OutgoingMail {
  composed: ComposedMessage;
  mailFrom: string;
  rcptTo: string;
}

/** The settings of composing, out of those of the program. */
export function composeSettings(
  config: Pick<Config, Exclude<keyof ComposeSettings, 'tokenKey' | 'openTokens'>>,
  tokenKey: TokenKey,
): ComposeSettings {
  const { publicUrl, bounceDomain, inboundDomain, replyAddresses, relayReplyAddresses } = config;
  const { hostname, tenantTrackingDomains } = config;
  const domains = { publicUrl, bounceDomain, inboundDomain, hostname, tenantTrackingDomains };
  return { ...domains, replyAddresses, relayReplyAddresses, tokenKey };
}

/** How late (ms) a relayed message may leave with the Date that its submitter wrote. */
const STALE_MS = 10 * 60_000;

/**
 * The time of the Date field: that of the first attempt, which is `now` for a message without one. An attempt of a former
 * release, which noted no time, had that of the acceptance.
 */
export function messageDate({ message }: Deliverable, now: number): number {
  return message.dated_at ?? (message.provider === null ? now : message.created_at);
}

/** Composes a stored message with the Date `date`. The return path names it, so that its bounces find back; a report has none. */
export function composeOutgoing(
  deliverable: Deliverable,
  date: number,
  settings: ComposeSettings,
): OutgoingMail {
  const { message, raw } = deliverable;
  const composed =
    raw === null
      ? composeContent(deliverable, date, settings)
      : composeRelayed(raw, deliverable, date, settings);
  const mailFrom = message.null_sender === 1 ? '' : returnPath(deliverable, settings);
  return { composed, mailFrom, rcptTo: envelopeAddress(message.to_email) };
}

function returnPath(deliverable: Deliverable, { bounceDomain, tokenKey: key }: ComposeSettings): string {
  const { message } = deliverable;
  const domain = effectiveDomains(deliverable).returnPath ?? bounceDomain;
  return `${returnPathLocal({ messageId: message.public_id, domain, key })}@${domain}`;
}

function composeContent(deliverable: Deliverable, date: number, settings: ComposeSettings): ComposedMessage {
  const { message, content, attachments } = deliverable;
  const opened = (text: string): string => settings.openTokens?.(text, message.to_key) ?? text;
  return composeMessage({
    from: { email: message.from_email, name: message.from_name },
    to: JSON.parse(content.to_list) as Mailbox[],
    cc: JSON.parse(content.cc_list) as Mailbox[],
    replyTo: answersTo(deliverable, settings),
    subject: message.subject,
    messageId: content.rfc_message_id,
    date,
    html:
      content.html === null
        ? null
        : trackedHtml(
            opened(content.html),
            { message, host: effectiveDomains(deliverable).tracking },
            settings,
          ),
    text: content.text === null ? null : opened(content.text),
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
    reportType: reportTypeOf(deliverable),
    boundarySeed: content.rfc_message_id,
  });
}

/** As submitted, with the service's fields. */
function composeRelayed(
  raw: Uint8Array,
  deliverable: Deliverable,
  date: number,
  settings: ComposeSettings,
): ComposedMessage {
  const { message, content } = deliverable;
  const submitted = readSubmittedAgain(asBuffer(raw));
  if (submitted === null) throw new Error(`What was submitted as ${message.public_id} cannot be read now`);
  const headers = new Map(JSON.parse(content.headers) as [string, string][]);
  const replyTo = settings.relayReplyAddresses ? signedAddress(replyAddress, deliverable, settings) : null;
  return relayedForm(submitted, {
    headers: serviceHeaders(deliverable, settings),
    messageId: content.rfc_message_id,
    date,
    isDateStale: message.scheduled_at !== null || date - message.created_at > STALE_MS,
    received: headers.get('Received') ?? null,
    hostname: settings.hostname,
    replyTo: replyTo === null ? null : { email: replyTo, name: null },
  });
}

/**
 * Reply-To that the caller asked for, else the signed address whose mail is a reply to this message. Mail from a vendor API gets
 * none, as from the vendor, so that replies go to its From.
 */
function answersTo(deliverable: Deliverable, settings: ComposeSettings): Mailbox[] {
  const { message } = deliverable;
  const asked = replyToOf(message);
  if (asked.length > 0) return asked;
  const isAdded = settings.replyAddresses && message.null_sender === 0 && message.from_vendor_api === 0;
  if (!isAdded) return [];
  const signed = signedAddress(replyAddress, deliverable, settings);
  return signed === null ? [] : [{ email: signed, name: null }];
}

/** At an inbound domain of its own once that is set up; null where mail cannot come back: a host without a domain. */
function signedAddress(
  make: typeof replyAddress,
  deliverable: Deliverable,
  { inboundDomain, tokenKey: key }: ComposeSettings,
): string | null {
  const { message } = deliverable;
  const domain = effectiveDomains(deliverable).inbound ?? inboundDomain;
  return domain.includes('.') ? make({ messageId: message.public_id, domain, key }) : null;
}

function serviceHeaders(deliverable: Deliverable, settings: ComposeSettings): [string, string][] {
  const { message, content } = deliverable;
  const { publicUrl, tokenKey } = settings;
  // A report is not complained about or unsubscribed from; its own fields say what it is.
  if (message.null_sender === 1) return [];
  const headers: [string, string][] = [
    // Constant per tenant and type, so that providers can aggregate complaints (Gmail's Feedback-ID).
    ['Feedback-ID', `${message.sub_tenant_id ?? 'platform'}:${message.type}:service`],
    ['X-Service-Ref', messageReference(message.public_id, tokenKey)],
  ];
  if (message.require_tls === -1) headers.push(['TLS-Required', 'No']);
  // Only the author knows whether a person wrote transactional or relayed mail, and help desks suspend mail that has this field.
  const isLeftToAuthor = message.type === 'transactional' || deliverable.raw !== null;
  if (!isLeftToAuthor && !/"auto-submitted"/i.test(content.headers)) {
    headers.push(['Auto-Submitted', 'auto-generated']);
  }
  if (message.type !== 'transactional' || message.topic_id !== null) {
    const url = unsubscribeUrl(publicUrl, message.public_id, tokenKey);
    headers.push(...listUnsubscribeHeaders(url, signedAddress(unsubscribeAddress, deliverable, settings)));
  }
  return headers;
}

/** Only the appliance itself writes reports: customers have neither the null sender nor that header field. */
function reportTypeOf({ message, content }: Deliverable): 'delivery-status' | 'tlsrpt' | null {
  if (message.null_sender === 1) return 'delivery-status';
  return content.headers.includes('"TLS-Report-Domain"') ? 'tlsrpt' : null;
}

function asBuffer(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

// The names that a message goes by: where its bounces and replies come in, and its links lead.
/** Null: the name of the service, since no other leads to us. */
type EffectiveDomains = { [K in keyof OwnNames]: OwnNames[K] | null };

/** Domains of the From first, so that SPF aligns (RFC 7489 section 3.1.2); then the sub-tenant's. */
function effectiveDomains({ sender, tenant }: Pick<Deliverable, 'sender' | 'tenant'>): EffectiveDomains {
  const domains = [
    ...(sender ? [{ names: defaultNames(sender.identity), row: sender }] : []),
    ...(tenant ? [{ names: ownNamesOf(tenant), row: tenant }] : []),
  ];
  return {
    returnPath: domains.find(({ row }) => row.return_path_ok === 1)?.names.returnPath ?? null,
    inbound: domains.find(({ row }) => row.inbound_ok === 1)?.names.inbound ?? null,
    tracking: domains.find(({ row }) => row.tracking_ok === 1)?.names.tracking ?? null,
  };
}

// Puts tracking into the html of a message as it is composed: what is stored, previewed and hashed stays without.
interface TrackedMail {
  message: { public_id: string; track_opens: Flag; track_clicks: Flag };
  /** The click domain that leads to us; null: that of the service. */
  host: string | null;
}

interface TrackedHtmlSettings {
  /** Without a slash at the end. */
  publicUrl: string;
  /** True when absent. */
  tenantTrackingDomains?: boolean;
  tokenKey: TokenKey;
}

/** The html with what the message asks for, under its sender's click domain where that leads to us. */
export function trackedHtml(
  html: string,
  { message, host }: TrackedMail,
  { publicUrl, tenantTrackingDomains = true, tokenKey: key }: TrackedHtmlSettings,
): string {
  const base = trackingBase(publicUrl, tenantTrackingDomains ? host : null);
  const named = { base, messageId: message.public_id, key };
  return trackHtml(html, {
    pixelUrl: message.track_opens === 1 ? openUrl(named) : null,
    clickUrl: message.track_clicks === 1 ? (link) => clickUrl(named, link) : null,
    publicUrl,
  });
}
