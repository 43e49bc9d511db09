// Adds new messages of threads to the search index, and drops the words of removed ones, a little per commit, with pauses in which
// others write.
import { setTimeout as pause } from 'node:timers/promises';
import type { MessageStores } from '../stores.js';
import { dropRemovedWords, indexDueThreads, REMOVED } from './search-index.store.js';

/** Messages per commit, which takes a few milliseconds. */
const BATCH = 20;
const PAUSE_MS = 30;

/** Until no thread is due, or `signal` aborts. */
export async function indexThreads(
  store: Pick<MessageStores, 'threads' | 'commit'>,
  signal: AbortSignal,
): Promise<void> {
  while (!signal.aborted && (await store.threads.isSearchDue())) {
    await store.commit([indexDueThreads({ limit: BATCH })], 'background');
    await pause(PAUSE_MS);
  }
}

/** Until the database file has none of their words, or `signal` aborts. */
export async function dropWordsOfRemoved(
  store: Pick<MessageStores, 'accounts' | 'commit'>,
  signal: AbortSignal,
): Promise<void> {
  while (!signal.aborted && (await store.accounts.mark(REMOVED)) !== null) {
    await store.commit([dropRemovedWords({})], 'background');
    await pause(PAUSE_MS);
  }
}
