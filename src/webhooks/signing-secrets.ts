// The opened secrets of endpoints, remembered as long as their rows say the same: an endpoint is met many times a second.
import { LRUCache } from 'lru-cache';
import type { WebhookEndpoint } from './webhooks.store.js';
import { openEndpointSecrets, type SigningSecrets } from './endpoint-secret.js';

const MOST_KNOWN = 10_000;

/** Throws SecretError when a secret does not open with the master key. */
export function createSigningSecrets(masterKey: Buffer): (endpoint: WebhookEndpoint) => SigningSecrets {
  const known = new LRUCache<string, { row: string; secrets: SigningSecrets }>({ max: MOST_KNOWN });
  return (endpoint) => {
    const { id, secret_sealed, previous_secret_sealed, previous_secret_until } = endpoint;
    const row = [secret_sealed, previous_secret_sealed, previous_secret_until].join(' ');
    const found = known.get(id);
    if (found?.row === row) return found.secrets;
    const secrets = openEndpointSecrets(masterKey, endpoint);
    known.set(id, { row, secrets });
    return secrets;
  };
}
