// Links that act for the holder of a mail: stored sealed, opened only in the copy of their recipient.
import { openSecret, SecretError, sealSecret } from './secrets.js';

/** `~s1.` and what `sealSecret` makes, in the alphabet of URLs. */
const SEALED = /~s1\.([A-Za-z0-9_-]{40,2000})/g;
const MARK = '~s1.';

/** A token as the stored mail holds it. `emailKey`: whose copy shows the token itself. */
export type SealToken = (token: string, emailKey: string) => string;
/** The text of somebody's copy. */
export type OpenTokens = (text: string, emailKey: string) => string;

export function createSealToken(masterKey: Buffer): SealToken {
  return (token, emailKey) => sealedTokenText(sealSecret(masterKey, Buffer.from(token), contextOf(emailKey)));
}

export function createOpenTokens(masterKey: Buffer): OpenTokens {
  return (text, emailKey) =>
    withTokensOpened(text, (sealed) => {
      try {
        return openSecret(masterKey, sealed, contextOf(emailKey)).toString();
      } catch (error) {
        // Text of somebody's own, or of another recipient's link.
        if (error instanceof SecretError) return null;
        throw error;
      }
    });
}

function contextOf(emailKey: string): string {
  return `mailed-link:${emailKey}`;
}

function sealedTokenText(sealed: string): string {
  return MARK + Buffer.from(sealed, 'base64').toString('base64url');
}

/** The text with its tokens opened; what `open` does not know (null) stays as it is. */
function withTokensOpened(text: string, open: (sealed: string) => string | null): string {
  if (!text.includes(MARK)) return text;
  return text.replace(SEALED, (whole, base64url: string) => {
    return open(Buffer.from(base64url, 'base64url').toString('base64')) ?? whole;
  });
}
