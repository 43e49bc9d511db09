// Derives the ids of a message: its Message-ID (RFC 5322 section 3.6.4), and the `provider_message_id` of
// direct delivery.
import { createHash } from 'node:crypto';
import { addressDomain } from './address.js';

/** Returns the Message-ID, without angle brackets: the public id (`msg_…`) at the domain of From. */
export function rfcMessageId(publicId: string, fromEmail: string): string {
  return `${publicId.slice(4)}@${addressDomain(fromEmail)}`;
}

/**
 * Returns the `provider_message_id` of direct delivery. It is the same for every attempt and reveals no
 * counts.
 */
export function providerMessageId(publicId: string): string {
  return createHash('sha256').update(publicId).digest('hex').slice(0, 20);
}

/** Extracts the public id from a Message-ID that `rfcMessageId` made; `null` for any other. */
export function publicIdIn(messageId: string): string | null {
  const local = /^([0-9a-hjkmnp-tv-z]{26})@/i.exec(messageId)?.[1];
  return local === undefined ? null : `msg_${local.toLowerCase()}`;
}
