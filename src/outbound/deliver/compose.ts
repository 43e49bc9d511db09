// Composes an outgoing message from its rows: content, service headers and envelope. The same rows result in the same bytes.
import { type ComposedMessage, composeMessage, envelopeAddress, type Mailbox } from '../../lib/mime/index.js';
import { listUnsubscribeHeaders, unsubscribeUrl } from '../../contacts/unsubscribe.rules.js';
import { messageReference, replyAddress, unsubscribeAddress } from '../../messages/mail-tokens.rules.js';
import { forwardedForm } from '../../messages/inboxes/forwarded-form.rules.js';
import { readTrace } from '../../messages/inboxes/forwards.tables.js';
import { relayedForm } from '../../messages/relayed/relayed-form.rules.js';
import type { TokenKey } from '../../lib/tokens/index.js';
import { readSubmittedAgain } from '../../messages/relayed/submitted-mail.rules.js';
import { returnPathLocal } from '../../messages/verp.rules.js';
import type { Config } from '../../settings/settings.js';
import { readReplyTo } from '../../messages/rows.store.js';
import type { OpenTokens } from '../../lib/secrets/index.js';
import type { Deliverable } from '../../messages/deliverables.store.js';
import { defaultNames, effectiveNames, type EffectiveNames } from '../../domains/effective-names.rules.js';
import { trackHtml } from '../../tracking/tracking-links.rules.js';
import { clickUrl, openUrl, trackingBase } from '../../tracking/tracking-tokens.rules.js';
import type { Flag } from '../../database/columns.js';

export interface ComposeSettings {
  /** Base URL of links, without a trailing slash. */
  publicUrl: string;
  /** Return-path domain for senders whose own is not set up. */
  bounceDomain: string;
  /** Domain of reply and unsubscribe addresses for senders whose own is not set up. */
  inboundDomain: string;
  /** Whether mail without `reply_to` gets a signed reply address. */
  replyAddresses: boolean;
  relayReplyAddresses: boolean;
  /** Host name in Received fields. */
  hostname: string;
  /** Whether tracked links use the click domain of the sender once it is set up. Default true. */
  tenantTrackingDomains?: boolean;
  tokenKey: TokenKey;
  /** Decrypts the links of mail that is stored with sealed links. Without it they remain sealed. */
  openTokens?: OpenTokens;
}

interface OutgoingMail {
  composed: ComposedMessage;
  mailFrom: string;
  rcptTo: string;
}

/** Selects the settings of composing from the configuration. */
export function composeSettings(
  config: Pick<Config, Exclude<keyof ComposeSettings, 'tokenKey' | 'openTokens'>>,
  tokenKey: TokenKey,
): ComposeSettings {
  const { publicUrl, bounceDomain, inboundDomain, replyAddresses, relayReplyAddresses } = config;
  const { hostname, tenantTrackingDomains } = config;
  const domains = { publicUrl, bounceDomain, inboundDomain, hostname, tenantTrackingDomains };
  return { ...domains, replyAddresses, relayReplyAddresses, tokenKey };
}

/** Longest delay (ms) after which a relayed message keeps the Date of its submitter. */
const STALE_MS = 10 * 60_000;

/**
 * Computes the Date of a message, in epoch ms. It is the time of the first attempt, or `now` if there was none. Earlier
 * releases used the time of acceptance.
 */
export function messageDate({ message }: Deliverable, now: number): number {
  return message.dated_at ?? (message.provider === null ? now : message.created_at);
}

/**
 * Composes a stored message with the given Date (epoch ms). The return path contains the message's id, so that bounces can
 * be assigned to it. Reports have an empty return path. Throws if a relayed message can't be parsed.
 */
export function composeOutgoing(
  deliverable: Deliverable,
  date: number,
  settings: ComposeSettings,
): OutgoingMail {
  const { message, raw } = deliverable;
  const composed =
    raw === null ? composeContent(deliverable, date, settings) : composeRaw(raw, deliverable, date, settings);
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

function composeRaw(
  raw: Uint8Array,
  deliverable: Deliverable,
  date: number,
  settings: ComposeSettings,
): ComposedMessage {
  const trace = readTrace(deliverable.message.forward);
  return trace === null
    ? composeRelayed(raw, deliverable, date, settings)
    : forwardedForm(asBuffer(raw), trace);
}

/** Adds the service's header fields to a message as it was submitted. */
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
 * Returns the Reply-To of the request, or else a signed address that assigns replies to this message. Mail from a vendor
 * API gets no Reply-To, as with that vendor, so replies go to its From.
 */
function answersTo(deliverable: Deliverable, settings: ComposeSettings): Mailbox[] {
  const { message } = deliverable;
  const asked = readReplyTo(message);
  if (asked.length > 0) return asked;
  const isAdded = settings.replyAddresses && message.null_sender === 0 && message.from_vendor_api === 0;
  if (!isAdded) return [];
  const signed = signedAddress(replyAddress, deliverable, settings);
  return signed === null ? [] : [{ email: signed, name: null }];
}

/** Makes an address at the sender's inbound domain, or the platform's. Returns `null` if that is not a domain that can receive mail. */
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
  // Recipients don't complain about reports or unsubscribe from them.
  if (message.null_sender === 1) return [];
  const headers: [string, string][] = [
    // Constant per sub-tenant and type, so that providers can aggregate complaints (Gmail's Feedback-ID).
    ['Feedback-ID', `${message.sub_tenant_id ?? 'platform'}:${message.type}:service`],
    ['X-Service-Ref', messageReference(message.public_id, tokenKey)],
  ];
  if (message.require_tls === -1) headers.push(['TLS-Required', 'No']);
  // Transactional and relayed mail may be written by a person, and help desks reject mail with this field.
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

/** Returns the type of a report, which only Mailkeel itself sends. Customers can use neither the null sender nor the header field. */
function reportTypeOf({ message, content }: Deliverable): 'delivery-status' | 'tlsrpt' | null {
  if (message.null_sender === 1) return 'delivery-status';
  return content.headers.includes('"TLS-Report-Domain"') ? 'tlsrpt' : null;
}

function asBuffer(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

/** Domains of the sender that are set up for bounces, replies and links; `null` stands for the platform's. */
type EffectiveDomains = { [K in keyof EffectiveNames]: EffectiveNames[K] | null };

/** Returns the domains of the From, so that SPF aligns (RFC 7489 section 3.1.2), or else the sub-tenant's. */
function effectiveDomains({ sender, tenant }: Pick<Deliverable, 'sender' | 'tenant'>): EffectiveDomains {
  const domains = [
    ...(sender ? [{ names: defaultNames(sender.identity), row: sender }] : []),
    ...(tenant ? [{ names: effectiveNames(tenant), row: tenant }] : []),
  ];
  return {
    returnPath: domains.find(({ row }) => row.return_path_ok === 1)?.names.returnPath ?? null,
    inbound: domains.find(({ row }) => row.inbound_ok === 1)?.names.inbound ?? null,
    tracking: domains.find(({ row }) => row.tracking_ok === 1)?.names.tracking ?? null,
  };
}

interface TrackedMail {
  message: { public_id: string; track_opens: Flag; track_clicks: Flag };
  /** Click domain that is set up; `null` for the platform's. */
  host: string | null;
}

interface TrackedHtmlSettings {
  /** Base URL without a trailing slash. */
  publicUrl: string;
  /** Default true. */
  tenantTrackingDomains?: boolean;
  tokenKey: TokenKey;
}

/**
 * Adds the open pixel and tracked links that the message asks for, at the click domain of its sender if that is set up.
 * Stored, previewed and hashed HTML has no tracking.
 */
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
