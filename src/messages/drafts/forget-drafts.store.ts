// Removes drafts with the thread or message that they belong to. `at` is in epoch ms.
import type { Change } from '../../database/change.js';
import { removeDrafts } from './draft-changes.store.js';

/** Open drafts only, because sent ones have no content. */
export function forgetOpenDrafts(threadId: string, at: number): Change {
  return removeDrafts({ where: { thread_id: threadId, message_id: null }, at });
}

export function forgetDraftsOfThread(threadId: string, at: number): Change {
  return removeDrafts({ where: { thread_id: threadId }, at });
}

/** Drafts that were sent as these messages, which are removed. */
export function forgetSentDrafts(messageIds: readonly string[], at: number): Change {
  return removeDrafts({ where: { message_id: messageIds }, at });
}
