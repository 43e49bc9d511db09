// Threads and their messages as the objects of the API.
import type { MessageObject } from '../../messages/message.schema.js';
import type { Mode } from '../../contract/names.js';
import type { ThreadSummaryWire, ThreadWire } from './thread.schema.js';
import type { AttachmentInfo, Message } from '../../messages/messages.store.js';
import type { ReceivedInFull, Thread, ThreadSummary } from './threads.store.js';
import { presentMessage } from '../../messages/message.view.js';
import { presentReceivedMessage } from '../replies/received.view.js';
import { iso } from '../../contract/time.js';

/** A thread begins with a message that came in. */
const NO_MESSAGES: ThreadSummary = { messages: 0, lastDirection: 'inbound' };

export function presentThread(row: Thread, summary: ThreadSummary = NO_MESSAGES): ThreadWire {
  return {
    id: row.id,
    object: 'thread',
    subject: row.subject,
    status: row.status,
    correspondent: { email: row.correspondent_email, name: row.correspondent_name },
    sub_tenant_id: row.sub_tenant_id,
    messages: summary.messages,
    last_message_at: iso(row.last_message_at),
    last_direction: summary.lastDirection,
    created_at: iso(row.created_at),
    updated_at: iso(row.updated_at),
  };
}

export function presentThreadSummary(row: Thread): ThreadSummaryWire {
  return {
    id: row.id,
    object: 'thread_summary',
    subject: row.subject,
    status: row.status,
    correspondent: { email: row.correspondent_email, name: row.correspondent_name },
    sub_tenant_id: row.sub_tenant_id,
    last_message_at: iso(row.last_message_at),
    created_at: iso(row.created_at),
    updated_at: iso(row.updated_at),
  };
}

export interface ConversationRows {
  messages: readonly Message[];
  received: ReadonlyMap<number, ReceivedInFull>;
  /** Of all of them. */
  attachments: readonly AttachmentInfo[];
}

/** In the order given; received ones in full. */
export function presentConversation(rows: ConversationRows, mode: Mode): MessageObject[] {
  return rows.messages.map((message) => {
    const attachments = rows.attachments.filter(({ contentId }) => contentId === message.content_id);
    const received = rows.received.get(message.id);
    return received
      ? presentReceivedMessage({ message, received, attachments }, mode)
      : presentMessage(message, attachments, mode);
  });
}
