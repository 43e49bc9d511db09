// Tokens that open something once or for a while: sessions, invitations, resets. 32 random bytes need no slow hash, and
// only the hash is stored.
import { hash, randomBytes } from 'node:crypto';

const TOKEN_BYTES = 32;
const TOKEN = /^[A-Za-z0-9_-]{43}$/;

export interface NewToken {
  token: string;
  tokenHash: Buffer;
}

export function newToken(): NewToken {
  const token = randomBytes(TOKEN_BYTES).toString('base64url');
  return { token, tokenHash: hash('sha256', token, 'buffer') };
}

/** What a token is stored as; null for what cannot be one. */
export function tokenHashOf(token: string): Buffer | null {
  return TOKEN.test(token) ? hash('sha256', token, 'buffer') : null;
}
