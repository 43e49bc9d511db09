// The secrets of API keys. Only the hash is stored: 32 random bytes need no slow hash.
import { hash, randomBytes } from 'node:crypto';

const SECRET_BYTES = 32;
const HINT_CHARACTERS = 13;

/** Returns `svc_live_` or `svc_test_` followed by 32 random bytes in base64url. */
export function newApiKeySecret(mode: 'live' | 'test'): string {
  return `svc_${mode}_${randomBytes(SECRET_BYTES).toString('base64url')}`;
}

/** Returns the SHA-256 of the whole secret for `api_keys.secret_hash`. */
export function apiKeySecretHash(secret: string): Buffer {
  return hash('sha256', secret, 'buffer');
}

/** Returns the first characters of the secret, by which its owner recognizes it. */
export function apiKeyPrefix(secret: string): string {
  return secret.slice(0, HINT_CHARACTERS);
}
