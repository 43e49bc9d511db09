// Pins an API key to the API version of its first call.
import { Refusal } from '../../contract/refusal.js';
import type { AccountStores } from '../stores.js';
import type { CredentialCache } from './credential-cache.js';
import { apiKeys } from './api-keys.tables.js';
import { update } from '../../database/rows.js';

/** Returns a function that stores the version of a key, once for concurrent calls. It fails while the store cannot write. */
export function createPinnedVersions(
  store: Pick<AccountStores, 'commit'>,
  credentials: Pick<CredentialCache, 'forget'>,
): (keyId: string, version: string) => Promise<void> {
  const remembering = new Map<string, Promise<void>>();
  return (keyId, version) => {
    const known = remembering.get(keyId);
    if (known) return known;
    const writing = store
      .commit([update(apiKeys, { set: { api_version: version }, where: { id: keyId } })])
      .then(
        () => credentials.forget(keyId),
        (error: unknown) => {
          if (!(error instanceof Refusal)) throw error;
        },
      )
      .finally(() => remembering.delete(keyId));
    remembering.set(keyId, writing);
    return writing;
  };
}
