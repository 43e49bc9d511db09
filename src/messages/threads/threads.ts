// Changes the status, labels and assignee of threads, and marks them as read.
import { invalidFields } from '../../contract/refusal.js';
import { update } from '../../database/rows.js';
import type { Scope } from '../../database/scope.js';
import type { MessageContext } from '../context.js';
import type { ThreadUpdate } from './thread.schema.js';
import { type Thread, threads } from './threads.tables.js';

type Writes = Pick<MessageContext, 'store' | 'clock'>;

/** A thread that has the wanted values already is not changed. */
export async function updateThread(
  context: Writes,
  scope: Scope,
  thread: Thread,
  wanted: ThreadUpdate,
): Promise<Thread> {
  const { status = thread.status, assigned_to: assignee = thread.assigned_to } = wanted;
  if (assignee !== thread.assigned_to) await assertAssignable(context, scope, assignee);
  const next = {
    status,
    assigned_to: assignee,
    unread: wanted.unread === undefined ? thread.unread : wanted.unread ? (1 as const) : (0 as const),
    labels: wanted.labels === undefined ? thread.labels : JSON.stringify([...new Set(wanted.labels)]),
  };
  const isSame = Object.entries(next).every(([name, value]) => thread[name as keyof typeof next] === value);
  if (isSame) return thread;
  const set = { ...next, updated_at: context.clock() };
  await context.store.commit([update(threads, { set, where: { id: thread.id } })]);
  return { ...thread, ...set };
}

async function assertAssignable({ store }: Writes, scope: Scope, id: string | null): Promise<void> {
  if (id === null) return;
  const found = id.startsWith('usr_')
    ? await store.people.member(scope.organizationId, id)
    : await store.accounts.apiKey(scope, id);
  if (!found) {
    throw invalidFields([
      {
        path: 'assigned_to',
        message: 'is neither a member of the organization nor an API key of the workspace',
      },
    ]);
  }
}
