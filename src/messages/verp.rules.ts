// Creates and reads the signed return path: `b-TOKEN@bounce.<domain>` identifies the message of a bounce (VERP). It cannot be
// forged, so forged bounces are refused at RCPT. RFC 5321 section 3.6.3.
import { readMessageToken, signMessageToken, type TokenKey } from '../lib/tokens/index.js';

const PREFIX = 'b-';
/** 80 bits: a guess must be made over SMTP, one RCPT at a time. */
const RETURN_PATH = { label: 'service return path', macBytes: 10 };

/** The local part, 45 octets. It holds for this return-path domain only (compared without case). */
export function returnPathLocal(input: { messageId: string; domain: string; key: TokenKey }): string {
  const context = input.domain.toLowerCase();
  return `${PREFIX}${signMessageToken(RETURN_PATH, input.key, context, input.messageId)}`;
}

/** Returns the message id in a return-path local part, or `null` if its signature is not valid for this domain. */
export function readReturnPathLocal(local: string, domain: string, keys: readonly TokenKey[]): string | null {
  if (local.slice(0, PREFIX.length).toLowerCase() !== PREFIX) return null;
  return readMessageToken(RETURN_PATH, keys, domain.toLowerCase(), local.slice(PREFIX.length));
}
