// Threads as /v1 and exports show them.
import { wireOf } from '../../contract/codec.js';
import { thread, threadSummary, type ThreadWire } from './thread.schema.js';
import type { ThreadSummary } from './threads.store.js';
import type { Thread } from './threads.tables.js';

/** A new thread begins with a received message. */
const NO_MESSAGES: ThreadSummary = { messages: 0, lastDirection: 'inbound' };

const correspondent = ({ correspondent_email: email, correspondent_name: name }: Thread) => ({ email, name });

const threadWire = wireOf(thread).from<Thread, ThreadSummary>({
  correspondent,
  messages: (_row, { messages }) => messages,
  last_direction: (_row, { lastDirection }) => lastDirection,
});
export const presentThread = (row: Thread, summary = NO_MESSAGES): ThreadWire => threadWire(row, summary);
export const presentThreadSummary = wireOf(threadSummary).from<Thread>({ correspondent });
