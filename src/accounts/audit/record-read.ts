// Audits a request that only reads, such as the download of a person's data.
import type { Commits } from '../../database/committer.js';

/** Commits nothing but the entry of the request, whose route sets `audit.reads`. */
export async function recordRead(store: Commits): Promise<void> {
  await store.commit([]);
}
