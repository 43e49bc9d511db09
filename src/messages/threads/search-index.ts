// Adds new messages of threads to the search index, a few per commit, with pauses in which others write.
import { setTimeout as pause } from 'node:timers/promises';
import type { MessageStores } from '../stores.js';
import { indexDueThreads } from './search-index.store.js';

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
