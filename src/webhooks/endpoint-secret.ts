// Signing secrets of webhook endpoints: made, replaced, and kept sealed with the master key.
import { randomBytes } from 'node:crypto';
import { openSecret, sealSecret } from '../lib/runtime/secrets.js';
import type { WebhookEndpoint } from './webhooks.tables.js';

const SECRET_BYTES = 32;

/** Secrets that sign the deliveries of an endpoint: the current one, and until a time (epoch ms) the one before it. */
export interface SigningSecrets {
  current: string;
  previous: { secret: string; until: number } | null;
}

export type EndpointSecretColumns = Pick<
  WebhookEndpoint,
  'secret_sealed' | 'previous_secret_sealed' | 'previous_secret_until'
>;

/** A new `whsec_…`, to be shown once, and its sealed form for the endpoint's row. */
export function newEndpointSecret(masterKey: Buffer, endpointId: string): { secret: string; sealed: string } {
  const secret = `whsec_${randomBytes(SECRET_BYTES).toString('base64')}`;
  return { secret, sealed: sealSecret(masterKey, Buffer.from(secret), contextOf(endpointId)) };
}

/** The secret as it was shown. Throws SecretError when it does not open with this master key. */
export function openEndpointSecret(masterKey: Buffer, endpointId: string, sealed: string): string {
  return openSecret(masterKey, sealed, contextOf(endpointId)).toString();
}

/** Opens the secrets of an endpoint's row. Throws SecretError when one of them does not open. */
export function openEndpointSecrets(
  masterKey: Buffer,
  endpoint: Pick<WebhookEndpoint, 'id'> & EndpointSecretColumns,
): SigningSecrets {
  const { id, secret_sealed, previous_secret_sealed: sealed, previous_secret_until: until } = endpoint;
  return {
    current: openEndpointSecret(masterKey, id, secret_sealed),
    previous:
      sealed === null || until === null ? null : { secret: openEndpointSecret(masterKey, id, sealed), until },
  };
}

/** The columns after a rotation: what signed until now goes on signing for `overlapMs`; what signed before it ends. */
export function rotatedColumns(
  sealed: string,
  before: EndpointSecretColumns,
  at: { now: number; overlapMs: number },
): EndpointSecretColumns {
  const hasOverlap = at.overlapMs > 0;
  return {
    secret_sealed: sealed,
    previous_secret_sealed: hasOverlap ? before.secret_sealed : null,
    previous_secret_until: hasOverlap ? at.now + at.overlapMs : null,
  };
}

function contextOf(endpointId: string): string {
  return `webhook-secret:${endpointId}`;
}
