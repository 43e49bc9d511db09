// Changes the status, labels and assignee of threads, and marks them as read.
import { invalidFields } from '../../contract/refusal.js';
import type { Scope } from '../../database/scope.js';
import type { MessageContext } from '../context.js';
import type { ThreadUpdate } from './thread.schema.js';
import { changeThread } from './thread-changes.store.js';
import type { Thread } from './threads.tables.js';

type Writes = Pick<MessageContext, 'store' | 'clock'>;

const FIELDS = ['status', 'assigned_to', 'unread', 'labels'] as const;
type ChangeableField = (typeof FIELDS)[number];

/** A thread that has the wanted values already is not changed. */
export async function updateThread(
  context: Writes,
  scope: Scope,
  thread: Thread,
  wanted: ThreadUpdate,
): Promise<Thread> {
  const { status, assigned_to: assignee, unread, labels } = wanted;
  if (assignee !== undefined && assignee !== thread.assigned_to)
    await assertAssignable(context, scope, assignee);
  const next: Partial<Pick<Thread, ChangeableField>> = {
    ...(status === undefined ? {} : { status }),
    ...(assignee === undefined ? {} : { assigned_to: assignee }),
    ...(unread === undefined ? {} : { unread: unread ? 1 : 0 }),
    ...(labels === undefined ? {} : { labels: JSON.stringify([...new Set(labels)]) }),
  };
  const changed = FIELDS.filter((name) => next[name] !== undefined && next[name] !== thread[name]);
  if (changed.length === 0) return thread;
  // Only these, because a message may arrive at the same time and make the thread unread or open.
  const set = { ...pick(next, changed), updated_at: context.clock() };
  await context.store.commit([changeThread({ thread, set, changed })]);
  return { ...thread, ...set };
}

function pick<Row extends object, Name extends keyof Row>(row: Row, names: readonly Name[]): Pick<Row, Name> {
  return Object.fromEntries(names.map((name) => [name, row[name]])) as Pick<Row, Name>; // the same columns
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
