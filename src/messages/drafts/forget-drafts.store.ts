// Removes drafts with the thread or message that they belong to.
import type { Change } from '../../database/change.js';
import { remove } from '../../database/rows.js';
import { drafts } from './drafts.tables.js';

/** Open drafts only, because sent ones have no content. */
export function forgetOpenDrafts(threadIds: readonly string[]): Change {
  return remove(drafts, { where: { thread_id: threadIds, message_id: null } });
}

export function forgetDraftsOfThread(threadId: string): Change {
  return remove(drafts, { where: { thread_id: threadId } });
}

/** Drafts that were sent as these messages, which are removed. */
export function forgetSentDrafts(messageIds: readonly string[]): Change {
  return remove(drafts, { where: { message_id: messageIds } });
}
