// Seals links that act for the recipient of a mail. They are stored sealed and opened only in the recipient's
// own copy.
import { openSecret, SecretError, sealSecret } from './secrets.js';

/** Matches `~s1.` and the result of `sealSecret` in the alphabet of URLs. */
const SEALED = /~s1\.([A-Za-z0-9_-]{40,2000})/g;
const MARK = '~s1.';

/** Seals a token for storage in a mail. `emailKey` names the recipient whose copy shows it. */
export type SealToken = (token: string, emailKey: string) => string;
/** Opens the tokens in the text of a recipient's copy. */
export type OpenTokens = (text: string, emailKey: string) => string;

export function createSealToken(masterKey: Buffer): SealToken {
  return (token, emailKey) =>
    sealedTokenText(sealSecret(masterKey, Buffer.from(token), tokenContext(emailKey)));
}

export function createOpenTokens(masterKey: Buffer): OpenTokens {
  return (text, emailKey) =>
    withTokensOpened(text, (sealed) => {
      try {
        return openSecret(masterKey, sealed, tokenContext(emailKey)).toString();
      } catch (error) {
        // Text that only looks like a token, or a link of another recipient.
        if (error instanceof SecretError) return null;
        throw error;
      }
    });
}

function tokenContext(emailKey: string): string {
  return `mailed-link:${emailKey}`;
}

function sealedTokenText(sealed: string): string {
  return MARK + Buffer.from(sealed, 'base64').toString('base64url');
}

/** Opens the tokens in a text; those for which `open` returns `null` stay unchanged. */
function withTokensOpened(text: string, open: (sealed: string) => string | null): string {
  if (!text.includes(MARK)) return text;
  return text.replace(SEALED, (whole, base64url: string) => {
    return open(Buffer.from(base64url, 'base64url').toString('base64')) ?? whole;
  });
}
