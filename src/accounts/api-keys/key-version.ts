// The version of the API that a key keeps: that of its first call.
import { Refusal } from '../../contract/refusal.js';
import type { Store } from '../../store/store.js';
import type { CredentialCache } from './credential-cache.js';

/** Returns a function that stores the version of a key, once for concurrent calls. It fails while the store cannot write. */
export function createKeyVersions(
  store: Pick<Store, 'commit'>,
  credentials: Pick<CredentialCache, 'forget'>,
): (keyId: string, version: string) => Promise<void> {
  const remembering = new Map<string, Promise<void>>();
  return (keyId, version) => {
    const known = remembering.get(keyId);
    if (known) return known;
    const writing = store
      .commit([{ kind: 'update', table: 'api_keys', set: { api_version: version }, where: { id: keyId } }])
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
