// Access and refresh tokens. Only hashes are stored: 32 random bytes need no slow hash.
import { hash, randomBytes, timingSafeEqual } from 'node:crypto';
import type { Change } from '../../database/change.js';
import { insert } from '../../database/rows.js';
import { oauthTokens } from './oauth.tables.js';

export const ACCESS_TOKEN_PREFIX = 'svc_access_';
const REFRESH_TOKEN_PREFIX = 'svc_refresh_';
const TOKEN_BYTES = 32;
const TOKEN = /^svc_(?:access|refresh)_[A-Za-z0-9_-]{43}$/;
export const ACCESS_TOKEN_MS = 60 * 60_000;
/** A client that does not return for this long must be connected again. */
const REFRESH_TOKEN_MS = 90 * 86_400_000;

export interface IssuedTokens {
  accessToken: string;
  refreshToken: string;
}

/** Plans the next tokens of a grant. */
export function planTokens(
  grant: { keyId: string; clientId: string },
  now: number,
): { plan: Change[]; issued: IssuedTokens; endsAt: number } {
  const make = (prefix: string): string => prefix + randomBytes(TOKEN_BYTES).toString('base64url');
  const [accessToken, refreshToken] = [make(ACCESS_TOKEN_PREFIX), make(REFRESH_TOKEN_PREFIX)];
  const endsAt = now + REFRESH_TOKEN_MS;
  const row = { api_key_id: grant.keyId, client_id: grant.clientId, is_used: 0, created_at: now };
  return {
    plan: [
      insert(oauthTokens, {
        row: { ...row, kind: 'access', token_hash: sha256(accessToken), expires_at: now + ACCESS_TOKEN_MS },
      }),
      insert(oauthTokens, {
        row: { ...row, kind: 'refresh', token_hash: sha256(refreshToken), expires_at: endsAt },
      }),
    ],
    issued: { accessToken, refreshToken },
    endsAt,
  };
}

/** Returns the hash under which a token is stored. Null if the text cannot be a token. */
export function hashOauthToken(text: string): Buffer | null {
  return TOKEN.test(text) ? sha256(text) : null;
}

/** Compares in a time that does not depend on the texts. */
export function isSame(one: string, other: string): boolean {
  return timingSafeEqual(sha256(one), sha256(other));
}

/** The challenge that a verifier proves (RFC 7636 section 4.2). */
export function challengeOf(verifier: string): string {
  return hash('sha256', verifier, 'base64url');
}

function sha256(text: string): Buffer {
  return hash('sha256', text, 'buffer');
}
