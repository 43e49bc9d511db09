// Builds MAIL and RCPT with their parameters (RFC 5321 section 3.3; SIZE RFC 1870, BODY RFC 6152, SMTPUTF8
// RFC 6531, DSN RFC 3461, REQUIRETLS RFC 8689), and the refusals that need no round trip.

import { isAscii } from 'node:buffer';
import type { DsnParameters } from '../dsn/index.js';
import type { SmtpCapabilities } from './capabilities.js';
import { composeReply, type SmtpReply } from './reply-reader.js';

export interface Envelope {
  /** Reverse path without angle brackets; empty for a report. */
  mailFrom: string;
  rcptTo: string;
  /** Octets of the message with CRLF line ends, before dot-stuffing. */
  size: number;
  /** Left out if the peer does not offer DSN. */
  dsn?: DsnParameters;
  /** The header fields contain UTF-8 (RFC 6532), so the peer must support SMTPUTF8. */
  utf8Fields?: boolean;
  /** The message must only travel over verified TLS, also beyond the peer, which must support REQUIRETLS. */
  requireTls?: boolean;
}

export interface EnvelopeCommands {
  mail: string;
  rcpt: string;
}

/**
 * Composes the reply that the peer would give for a missing extension; `null` if none is missing.
 * `isVerified` states that the session has TLS to the proven right server.
 */
export function missingCapability(
  envelope: Envelope,
  isEightBit: boolean,
  offered: SmtpCapabilities,
  isVerified: boolean,
): SmtpReply | null {
  // Checked first, because mail that requires TLS must not reach a peer without it, regardless of the peer's other capabilities.
  if (envelope.requireTls === true && !(isVerified && offered.requireTls)) {
    const what = isVerified ? 'the peer does not offer it' : 'TLS with the peer is not verified';
    return composeReply(550, [`5.7.30 REQUIRETLS support required: ${what}`]);
  }
  if (offered.maxSizeBytes !== null && envelope.size > offered.maxSizeBytes) {
    const limit = offered.maxSizeBytes;
    return composeReply(552, [
      `5.3.4 Message of ${envelope.size} octets exceeds the peer's limit of ${limit}`,
    ]);
  }
  if (needsUtf8(envelope) && !offered.smtpUtf8) {
    const what = hasUtf8Address(envelope) ? 'addresses' : 'header fields';
    return composeReply(550, [`5.6.7 The peer does not accept internationalised ${what}`]);
  }
  if (isEightBit && !offered.eightBitMime) {
    return composeReply(554, ['5.6.3 The peer does not accept 8-bit content']);
  }
  return null;
}

/**
 * Adds parameters only if offered, except those that `missingCapability` insists on. Throws on an address
 * with a control character, or with an angle bracket or blank outside a quoted local part, and on a DSN
 * parameter with illegal characters.
 */
export function envelopeCommands(
  envelope: Envelope,
  isEightBit: boolean,
  offered: SmtpCapabilities,
): EnvelopeCommands {
  let mail = `MAIL FROM:<${safeAddress(envelope.mailFrom)}>`;
  let rcpt = `RCPT TO:<${safeAddress(envelope.rcptTo)}>`;
  if (offered.maxSizeBytes !== null) mail += ` SIZE=${envelope.size}`;
  if (isEightBit) mail += ' BODY=8BITMIME';
  if (needsUtf8(envelope)) mail += ' SMTPUTF8';
  if (envelope.requireTls === true) mail += ' REQUIRETLS';
  const dsn = envelope.dsn;
  if (dsn !== undefined && offered.dsn) {
    if (dsn.ret !== undefined) mail += ` RET=${dsn.ret}`;
    if (dsn.envid !== undefined) mail += ` ENVID=${safeParameter(dsn.envid)}`;
    if (dsn.notify !== undefined) rcpt += ` NOTIFY=${dsn.notify.join(',')}`;
    if (dsn.orcpt !== undefined) rcpt += ` ORCPT=${safeParameter(dsn.orcpt)}`;
  }
  return { mail, rcpt };
}

export function hasEightBit(chunks: readonly Buffer[]): boolean {
  return !chunks.every((chunk) => isAscii(chunk));
}

function needsUtf8(envelope: Envelope): boolean {
  return envelope.utf8Fields === true || hasUtf8Address(envelope);
}

function hasUtf8Address({ mailFrom, rcptTo }: Envelope): boolean {
  return /[^\x00-\x7f]/.test(mailFrom) || /[^\x00-\x7f]/.test(rcptTo);
}

const WIRE_ADDRESS = /^(?:"(?:[^"\\\x00-\x1f\x7f]|\\[\x20-\x7e])*"@)?[^\x00-\x20\x7f<>"]*$/;

function safeAddress(address: string): string {
  if (!WIRE_ADDRESS.test(address)) throw new Error('address cannot be put on the wire');
  return address;
}

function safeParameter(value: string): string {
  if (value === '' || /[^!-<>-~]/.test(value)) throw new Error('DSN parameter cannot be put on the wire');
  return value;
}
