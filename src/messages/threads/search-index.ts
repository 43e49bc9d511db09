// Adds new messages of threads to the search index and removes words of removed messages, in small commits with pauses for other
// writers.
import { setTimeout as pause } from 'node:timers/promises';
import type { Change } from '../../database/change.js';
import { monotonicMs } from '../../lib/runtime/index.js';
import type { MessageStores } from '../stores.js';
import { dropRemovedWords, fillEmptyIndex, indexDueThreads, REMOVED } from './search-index.store.js';

/** Messages per commit, which takes about 10 ms. */
const BATCH = 20;
const PAUSE_MS = 30;
/** A pause lasts at least this multiple of the preceding commit, because commits take longer on a busy server. */
const PAUSE_FACTOR = 4;

/** Returns the run of a job, the first of which fills an empty index. */
export function createThreadIndexer(
  store: Pick<MessageStores, 'threads' | 'commit'>,
  signal: AbortSignal,
): () => Promise<void> {
  let isFilled = false;
  return async () => {
    if (!isFilled) await store.commit([fillEmptyIndex({})], 'background');
    isFilled = true;
    await indexThreads(store, signal);
  };
}

/** Runs until no thread is due, or `signal` aborts. */
export async function indexThreads(
  store: Pick<MessageStores, 'threads' | 'commit'>,
  signal: AbortSignal,
): Promise<void> {
  while (!signal.aborted && (await store.threads.isSearchDue())) {
    await commitAndPause(store, indexDueThreads({ limit: BATCH }));
  }
}

/** Runs until the database file has none of the removed words, or `signal` aborts. */
export async function dropWordsOfRemoved(
  store: Pick<MessageStores, 'accounts' | 'commit'>,
  signal: AbortSignal,
): Promise<void> {
  while (!signal.aborted && (await store.accounts.mark(REMOVED)) !== null) {
    await commitAndPause(store, dropRemovedWords({}));
  }
}

async function commitAndPause(store: Pick<MessageStores, 'commit'>, change: Change): Promise<void> {
  const since = monotonicMs();
  await store.commit([change], 'background');
  await pause(Math.max(PAUSE_MS, PAUSE_FACTOR * (monotonicMs() - since)));
}
