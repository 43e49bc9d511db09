// Unsubscribing by header: List-Unsubscribe (RFC 2369), one click (RFC 8058), and the signed token in its
// links.
import { readMessageToken, signMessageToken, type TokenKey } from '../lib/tokens/index.js';

const UNSUBSCRIBE = { label: 'service unsubscribe', macBytes: 16 };

/** A token of 53 characters for URLs and mail addresses, naming the message whose recipient leaves. */
export function unsubscribeToken(messageId: string, key: TokenKey): string {
  return signMessageToken(UNSUBSCRIBE, key, '', messageId);
}

/** The address of a message's one-click unsubscribe; `publicUrl` without a slash at its end. */
export function unsubscribeUrl(publicUrl: string, messageId: string, key: TokenKey): string {
  return `${publicUrl}/u/${unsubscribeToken(messageId, key)}`;
}

/**
 * Stands in the place of a token where there is no message: its page does nothing. As long as a token, so that what is
 * cut off or refused at some length is so in a preview, too.
 */
export const SAMPLE_TOKEN = 'preview-only-every-recipient-gets-a-link-of-their-own';

/** The unsubscribe link of a copy that is only shown. */
export function sampleUnsubscribeUrl(publicUrl: string): string {
  return `${publicUrl}/u/${SAMPLE_TOKEN}`;
}

/** The message id of a token that one of the keys signed, in any letter case; otherwise null. */
export function readUnsubscribeToken(token: string, keys: readonly TokenKey[]): string | null {
  return readMessageToken(UNSUBSCRIBE, keys, '', token);
}

/**
 * The two fields, both to be covered by the DKIM signature. `url` takes the one-click POST; receivers want
 * https. `mailto` is an address, without the scheme. Throws a plain Error where either could break out of its
 * brackets.
 */
export function listUnsubscribeHeaders(url: string, mailto: string | null): [name: string, value: string][] {
  const uris = mailto === null ? [url] : [url, `mailto:${mailto}?subject=unsubscribe`];
  if (uris.some((uri) => /[^\x21-\x7e]|[<>]/.test(uri))) throw new Error('not a URI for List-Unsubscribe');
  return [
    ['List-Unsubscribe', uris.map((uri) => `<${uri}>`).join(', ')],
    ['List-Unsubscribe-Post', 'List-Unsubscribe=One-Click'],
  ];
}
