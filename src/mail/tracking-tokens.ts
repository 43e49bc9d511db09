// The links of tracking: signed tokens that name a message, and for a click the place of the link in it. Nobody can
// guess one or lead it elsewhere: where a click goes is read from the stored message.
import { readMessageToken, signMessageToken, type TokenKey, type TokenKind } from './signed-token.js';

/** 80 bits each: a guess must be made over HTTP, and gains nothing but a false open. */
const OPEN: TokenKind = { label: 'posthorn open', macBytes: 10 };
const CLICK: TokenKind = { label: 'posthorn click', macBytes: 10 };

const INDEX = /^(?:0|[1-9]\d{0,5})$/;

interface Named {
  /** Base of the link, without a slash at the end. */
  base: string;
  /** `msg_…` */
  messageId: string;
  key: TokenKey;
}

/** Where tracked links begin: the public URL, or the same under a customer's own host. No slash at the end. */
export function trackingBase(publicUrl: string, host: string | null): string {
  if (host === null) return publicUrl;
  const url = new URL(publicUrl);
  url.hostname = host;
  return url.href.replace(/\/$/, '');
}

/** What the pixel of a message is fetched from. */
export function openUrl({ base, messageId, key }: Named): string {
  return `${base}/o/${signMessageToken(OPEN, key, '', messageId)}`;
}

/** What stands in the place of the message's link `index`. */
export function clickUrl({ base, messageId, key }: Named, index: number): string {
  return `${base}/c/${signMessageToken(CLICK, key, String(index), messageId)}/${index}`;
}

/** The message id of an open token that one of the keys signed, in any letter case; otherwise null. */
export function readOpenToken(token: string, keys: readonly TokenKey[]): string | null {
  return readMessageToken(OPEN, keys, '', token);
}

/** The message and the link of the two last parts of a click URL; null unless one of the keys signed them together. */
export function readClick(
  token: string,
  indexText: string,
  keys: readonly TokenKey[],
): { messageId: string; index: number } | null {
  if (!INDEX.test(indexText)) return null;
  const messageId = readMessageToken(CLICK, keys, indexText, token);
  return messageId === null ? null : { messageId, index: Number(indexText) };
}
