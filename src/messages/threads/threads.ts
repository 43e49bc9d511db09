// Closes and reopens threads.
import { update } from '../../database/rows.js';
import type { Clock } from '../../lib/runtime/index.js';
import type { MessageStores } from '../stores.js';
import { type Thread, threads } from './threads.tables.js';

/** Sets the status of a thread. A thread that already has it is not changed. */
export async function setThreadStatus(
  { store, clock }: { store: Pick<MessageStores, 'commit'>; clock: Clock },
  thread: Thread,
  status: Thread['status'],
): Promise<Thread> {
  if (thread.status === status) return thread;
  const set = { status, updated_at: clock() };
  await store.commit([update(threads, { set, where: { id: thread.id } })]);
  return { ...thread, ...set };
}
