// Changes of threads by a request, with their event.
import { defineChange } from '../../database/change.js';
import { type RowChange, updateRows } from '../../database/rows.js';
import { appendRecordEvent } from '../../events/record-events.store.js';
import { type Thread, threads } from './threads.tables.js';

interface ChangedThread {
  thread: Pick<Thread, 'id' | 'environment_id' | 'sub_tenant_id'>;
  set: RowChange<typeof threads> & Pick<Thread, 'updated_at'>;
  /** The fields that the event names. */
  changed: readonly string[];
}

/** Appends no event if the thread was deleted meanwhile. */
export const changeThread = defineChange<ChangedThread>('change-thread', async (writing, change) => {
  const { thread, set, changed } = change;
  const rows = await updateRows(writing, threads, { set, where: { id: thread.id } }, ['id']);
  if (rows.length === 0) return;
  await appendRecordEvent(writing, {
    of: { environmentId: thread.environment_id },
    subTenantId: thread.sub_tenant_id,
    subjectId: thread.id,
    event: 'thread.updated',
    usually: 'api',
    at: set.updated_at,
    metadata: { changed },
  });
});
