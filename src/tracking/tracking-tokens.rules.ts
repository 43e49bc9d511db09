// Creates and reads tracking links: signed tokens that name a message and, for a click, the link and its position. A token cannot
// be guessed or redirected, because the target of a click is read from the stored message.
import { readMessageToken, signMessageToken, type TokenKey, type TokenKind } from '../lib/tokens/index.js';

/** 80 bits each. An attacker can only guess over HTTP, and would gain nothing but a false open. */
const OPEN: TokenKind = { label: 'service open', macBytes: 10 };
const CLICK: TokenKind = { label: 'service click', macBytes: 10 };

/** The number of the link; since its place is known, also that. Each in one spelling only, since the whole is signed. */
const LINK = /^(0|[1-9]\d{0,5})(?:-(0|[1-9]\d{0,6})-(0|[1-9]\d{0,3})-([0-9a-z]{1,4}))?$/;

/** Position of a link's href value in the stored HTML, so that it need not be searched. */
export interface LinkPlace {
  /** In UTF-16 code units, as `slice` counts. */
  start: number;
  length: number;
  /** `hrefChecksum` of the href, which reveals that the HTML was changed, for example by an erasure. */
  check: string;
}

export interface SignedLink {
  /** Among all links of the html, from 0. */
  index: number;
  /** Null in mail of before places were written. */
  place: LinkPlace | null;
}

/** Computes a checksum of one to four characters. It detects changed HTML, not forgeries, which the signature prevents. */
export function hrefChecksum(spelling: string): string {
  // FNV-1a, folded to 20 bits.
  let hash = 0x811c9dc5;
  for (let i = 0; i < spelling.length; i += 1) hash = Math.imul(hash ^ spelling.charCodeAt(i), 0x01000193);
  return (((hash >>> 20) ^ hash) & 0xfffff).toString(36);
}

interface Named {
  /** Base of the link, without a slash at the end. */
  base: string;
  /** `msg_…` */
  messageId: string;
  key: TokenKey;
}

/** Base of tracked links: the public URL, or a customer's own host. Without a trailing slash. */
export function trackingBase(publicUrl: string, host: string | null): string {
  if (host === null) return publicUrl;
  const url = new URL(publicUrl);
  url.hostname = host;
  return url.href.replace(/\/$/, '');
}

/** URL of a message's pixel. */
export function openUrl({ base, messageId, key }: Named): string {
  return `${base}/o/${signMessageToken(OPEN, key, '', messageId)}`;
}

/** URL that replaces a link of the message. */
export function clickUrl({ base, messageId, key }: Named, { index, place }: SignedLink): string {
  const link = place === null ? `${index}` : `${index}-${place.start}-${place.length}-${place.check}`;
  return `${base}/c/${signMessageToken(CLICK, key, link, messageId)}/${link}`;
}

/** The message id of an open token that one of the keys signed, in any letter case; otherwise null. */
export function readOpenToken(token: string, keys: readonly TokenKey[]): string | null {
  return readMessageToken(OPEN, keys, '', token);
}

/** The message and the link of the two last parts of a click URL; null unless one of the keys signed them together. */
export function readClick(
  token: string,
  linkText: string,
  keys: readonly TokenKey[],
): (SignedLink & { messageId: string }) | null {
  // In any letter case, as the token.
  const link = linkText.replace(/[A-Z]/g, (letter) => letter.toLowerCase());
  const found = LINK.exec(link);
  if (!found) return null;
  const messageId = readMessageToken(CLICK, keys, link, token);
  if (messageId === null) return null;
  const [, index, start, length, check] = found;
  const place = check === undefined ? null : { start: Number(start), length: Number(length), check };
  return { messageId, index: Number(index), place };
}
