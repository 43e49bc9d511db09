// The List-Unsubscribe header (RFC 2369), one-click unsubscribing (RFC 8058), and the signed token in their links.
import { readMessageToken, signMessageToken, type TokenKey } from '../lib/tokens/index.js';

const UNSUBSCRIBE = { label: 'service unsubscribe', macBytes: 16 };

/** Signs the unsubscribe token of a message. It has 53 characters that are valid in URLs and mail addresses. */
export function unsubscribeToken(messageId: string, key: TokenKey): string {
  return signMessageToken(UNSUBSCRIBE, key, '', messageId);
}

/** Builds the one-click unsubscribe URL of a message. `publicUrl` has no trailing slash. */
export function unsubscribeUrl(publicUrl: string, messageId: string, key: TokenKey): string {
  return `${publicUrl}/u/${unsubscribeToken(messageId, key)}`;
}

/** Replaces the token in previews, and its page does nothing. It is as long as a token, so that length limits apply equally. */
export const SAMPLE_TOKEN = 'preview-only-every-recipient-gets-a-link-of-their-own';

/** Builds the unsubscribe link of a preview. */
export function sampleUnsubscribeUrl(publicUrl: string): string {
  return `${publicUrl}/u/${SAMPLE_TOKEN}`;
}

/** Returns the message id of a token, in any letter case; `null` if none of the keys signed it. */
export function readUnsubscribeToken(token: string, keys: readonly TokenKey[]): string | null {
  return readMessageToken(UNSUBSCRIBE, keys, '', token);
}

/**
 * Builds the header fields of one-click unsubscribing (RFC 8058). DKIM must sign both. `url` accepts the one-click POST and
 * should use HTTPS. `mailto` is an address without scheme. Throws an `Error` if either contains a character that ends the
 * angle brackets.
 */
export function listUnsubscribeHeaders(url: string, mailto: string | null): [name: string, value: string][] {
  const uris = mailto === null ? [url] : [url, `mailto:${mailto}?subject=unsubscribe`];
  if (uris.some((uri) => /[^\x21-\x7e]|[<>]/.test(uri))) throw new Error('not a URI for List-Unsubscribe');
  return [
    ['List-Unsubscribe', uris.map((uri) => `<${uri}>`).join(', ')],
    ['List-Unsubscribe-Post', 'List-Unsubscribe=One-Click'],
  ];
}
