// The token of a share link: the link's id and a truncated HMAC-SHA256 in base32, like the tokens of messages (signed-token.ts).
import { readTextToken, signTextToken, type TokenKey } from '../lib/tokens/index.js';

const SHARE = { label: 'service share', macBytes: 20 };
const LINK = 'shr_';
const ID_LENGTH = 26;

/** Throws a plain Error for what is no id of a share link. */
export function shareToken(linkId: string, key: TokenKey): string {
  if (!linkId.startsWith(LINK) || linkId.length !== LINK.length + ID_LENGTH) {
    throw new Error('not a share link id');
  }
  return signTextToken(SHARE, key, linkId.slice(LINK.length));
}

/** The id of the share link; null for everything that none of the keys signed. */
export function readShareToken(token: string, keys: readonly TokenKey[]): string | null {
  const text = readTextToken(SHARE, keys, ID_LENGTH, token);
  return text === null ? null : `${LINK}${text}`;
}
