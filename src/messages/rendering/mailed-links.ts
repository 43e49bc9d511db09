// Links that act for the holder of a mail: stored sealed, opened only in the copy of their recipient.
import { sealedTokenText, withTokensOpened } from './sealed-token.rules.js';
import { openSecret, SecretError, sealSecret } from '../../lib/runtime/secrets.js';

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
