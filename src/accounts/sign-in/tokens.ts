// Tokens that work once or for a limited time: sessions, invitations, and resets. 32 random bytes need no slow hash, and only the
// hash is stored.
import { hash, randomBytes, randomInt } from 'node:crypto';

const TOKEN_BYTES = 32;
const TOKEN = /^[A-Za-z0-9_-]{43}$/;

interface NewToken {
  token: string;
  tokenHash: Buffer;
}

export function newToken(): NewToken {
  const token = randomBytes(TOKEN_BYTES).toString('base64url');
  return { token, tokenHash: hash('sha256', token, 'buffer') };
}

/** Returns the hash under which a token is stored. Null if the text cannot be a token. */
export function hashToken(token: string): Buffer | null {
  return TOKEN.test(token) ? hash('sha256', token, 'buffer') : null;
}

/** No vowels, so that codes form no words, and no characters that are easily confused (RFC 8628, section 6.1). */
const LETTERS = 'BCDFGHJKLMNPQRSTVWXZ';
const CODE_LETTERS = 8;

/** Returns a code of eight letters that a person compares or types. */
export function newUserCode(): string {
  return Array.from({ length: CODE_LETTERS }, () => LETTERS[randomInt(LETTERS.length)]).join('');
}

/** Formats `WDJBMJHT` as `WDJB-MJHT`. */
export function formatUserCode(code: string): string {
  return `${code.slice(0, CODE_LETTERS / 2)}-${code.slice(CODE_LETTERS / 2)}`;
}

/** Parses a typed code into its stored form. Null if it cannot be a code. */
export function parseUserCode(text: string): string | null {
  const code = text.toUpperCase().replace(/[^A-Z]/g, '');
  return code.length === CODE_LETTERS ? code : null;
}
