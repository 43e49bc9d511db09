// The credentials with which clients of Amazon SES sign requests as an API key. The key's id is the access key ID. The secret
// must be readable to verify a signature, so it is stored sealed, unlike that of the key.
import { randomBytes } from 'node:crypto';
import { openSecret, sealSecret } from '../../lib/secrets/index.js';

/** Gives 40 characters, as many as AWS's secrets have. */
const SECRET_BYTES = 30;

/** Returns a new secret access key, to be shown once, and its sealed form for the key's row. */
export function newSesSecret(masterKey: Buffer, keyId: string): { secret: string; sealed: string } {
  const secret = randomBytes(SECRET_BYTES).toString('base64url');
  return { secret, sealed: sealSecret(masterKey, Buffer.from(secret), contextOf(keyId)) };
}

/** Throws a SecretError if the value does not open with this master key. */
export function openSesSecret(masterKey: Buffer, keyId: string, sealed: string): string {
  return openSecret(masterKey, sealed, contextOf(keyId)).toString();
}

function contextOf(keyId: string): string {
  return `ses-secret:${keyId}`;
}
