// The Message-ID field (RFC 5322 section 3.6.4).
import { domainOf } from './address.js';

/** The Message-ID, without angle brackets, of a message: its public id (`msg_…`) under the domain of its From. */
export function rfcMessageId(publicId: string, fromEmail: string): string {
  return `${publicId.slice(4)}@${domainOf(fromEmail)}`;
}
