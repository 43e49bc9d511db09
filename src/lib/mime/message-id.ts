// The names of a message in mail: the Message-ID field (RFC 5322 section 3.6.4), and the id under which our queue has it.
import { createHash } from 'node:crypto';
import { domainOf } from './address.js';

/** The Message-ID, without angle brackets, of a message: its public id (`msg_…`) under the domain of its From. */
export function rfcMessageId(publicId: string, fromEmail: string): string {
  return `${publicId.slice(4)}@${domainOf(fromEmail)}`;
}

/** `provider_message_id` where we deliver: the same at each attempt, and no count of anything. */
export function providerMessageId(publicId: string): string {
  return createHash('sha256').update(publicId).digest('hex').slice(0, 20);
}

/** The public id that a Message-ID of our making carries; null for one that others made. */
export function publicIdIn(rfcMessageId: string): string | null {
  const local = /^([0-9a-hjkmnp-tv-z]{26})@/i.exec(rfcMessageId)?.[1];
  return local === undefined ? null : `msg_${local.toLowerCase()}`;
}
