// Creates and reads the signed local parts that recipients write to, and the reference in complaints. Each identifies a message of
// this server and cannot be forged. RFC 5321 section 4.5.3.1.1 allows 64 octets before the @; these have at most 55.
import { readMessageToken, signMessageToken, type TokenKey, type TokenKind } from '../lib/tokens/index.js';

/** 80 bits each: a guess must be made over SMTP, one RCPT at a time. */
const REPLY: AddressKind = { prefix: 'reply+', token: { label: 'service reply', macBytes: 10 } };
const UNSUBSCRIBE: AddressKind = {
  prefix: 'unsubscribe+',
  token: { label: 'service unsubscribe by mail', macBytes: 10 },
};
const REFERENCE: TokenKind = { label: 'service reference', macBytes: 10 };

/** Local parts that are signed. An address with one is never a mailbox or a sender. */
export const SIGNED_PREFIX = /^(?:reply|unsubscribe)\+/i;

interface AddressKind {
  prefix: string;
  token: TokenKind;
}

interface Named {
  /** `msg_…` */
  messageId: string;
  /** The token holds at this domain only, compared without case. */
  domain: string;
  key: TokenKey;
}

/** `reply+TOKEN@domain`: mail to it answers the message. */
export function replyAddress(named: Named): string {
  return addressOf(REPLY, named);
}

/** Returns the message id in a reply address's local part, or `null` if its signature is not valid for this domain. */
export function readReplyLocal(local: string, domain: string, keys: readonly TokenKey[]): string | null {
  return readLocal(REPLY, local, domain, keys);
}

/** `unsubscribe+TOKEN@domain`: mail to it unsubscribes the message's recipient (RFC 2369, mailto of List-Unsubscribe). */
export function unsubscribeAddress(named: Named): string {
  return addressOf(UNSUBSCRIBE, named);
}

/** Like `readReplyLocal`, for an unsubscribe address. */
export function readUnsubscribeLocal(
  local: string,
  domain: string,
  keys: readonly TokenKey[],
): string | null {
  return readLocal(UNSUBSCRIBE, local, domain, keys);
}

/** The value of X-Service-Ref: survives in complaints whose addresses were blacked out. */
export function messageReference(messageId: string, key: TokenKey): string {
  return signMessageToken(REFERENCE, key, '', messageId);
}

/** The message id of a reference that one of the keys signed, in any letter case; otherwise null. */
export function readMessageReference(reference: string, keys: readonly TokenKey[]): string | null {
  return readMessageToken(REFERENCE, keys, '', reference);
}

function addressOf({ prefix, token }: AddressKind, { messageId, domain, key }: Named): string {
  return `${prefix}${signMessageToken(token, key, domain.toLowerCase(), messageId)}@${domain}`;
}

function readLocal(
  { prefix, token }: AddressKind,
  local: string,
  domain: string,
  keys: readonly TokenKey[],
): string | null {
  if (local.slice(0, prefix.length).toLowerCase() !== prefix) return null;
  return readMessageToken(token, keys, domain.toLowerCase(), local.slice(prefix.length));
}
