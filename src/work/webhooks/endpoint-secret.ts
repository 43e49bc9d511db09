// Signing secrets of webhook endpoints: made, and kept sealed with the master key.
import { randomBytes } from 'node:crypto';
import { openSecret, sealSecret } from '../../runtime/secrets.js';

const SECRET_BYTES = 32;

/** A new `whsec_…`, to be shown once, and its sealed form for the endpoint's row. */
export function newEndpointSecret(masterKey: Buffer, endpointId: string): { secret: string; sealed: string } {
  const secret = `whsec_${randomBytes(SECRET_BYTES).toString('base64url')}`;
  return { secret, sealed: sealSecret(masterKey, Buffer.from(secret), contextOf(endpointId)) };
}

/** The secret as it was shown. Throws SecretError when it does not open with this master key. */
export function openEndpointSecret(masterKey: Buffer, endpointId: string, sealed: string): string {
  return openSecret(masterKey, sealed, contextOf(endpointId)).toString();
}

function contextOf(endpointId: string): string {
  return `webhook-secret:${endpointId}`;
}
