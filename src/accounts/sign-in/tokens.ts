// Tokens that open something once or for a while: sessions, invitations, resets. 32 random bytes need no slow hash, and
// only the hash is stored.
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

/** Hash under which a token is stored; null for a text that cannot be a token. */
export function hashToken(token: string): Buffer | null {
  return TOKEN.test(token) ? hash('sha256', token, 'buffer') : null;
}

/** No vowels, so that no word comes of it, and nothing that is taken for something else (RFC 8628, section 6.1). */
const LETTERS = 'BCDFGHJKLMNPQRSTVWXZ';
const CODE_LETTERS = 8;

/** Code that a person compares or types in: eight letters. */
export function newUserCode(): string {
  return Array.from({ length: CODE_LETTERS }, () => LETTERS[randomInt(LETTERS.length)]).join('');
}

/** `WDJB-MJHT` of `WDJBMJHT`. */
export function shownUserCode(code: string): string {
  return `${code.slice(0, CODE_LETTERS / 2)}-${code.slice(CODE_LETTERS / 2)}`;
}

/** The code as it is stored, however it was typed; null for what cannot be one. */
export function parseUserCode(text: string): string | null {
  const code = text.toUpperCase().replace(/[^A-Z]/g, '');
  return code.length === CODE_LETTERS ? code : null;
}
