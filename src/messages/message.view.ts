// Message rows as the objects of the API.
import { wireOf } from '../contract/codec.js';
import { trailInCausalOrder } from './causal-order.rules.js';
import {
  message,
  messageContent,
  messageSummary,
  type AuditTrail,
  type MessageObject,
} from './message.schema.js';
import type { MessageTrailEvent, Mode } from '../contract/names.js';
import { readDetail } from '../events/events.store.js';
import { suppressedSentence } from '../suppressions/suppression.rules.js';
import { readReplyTo, type Content, type LastAttempt } from './rows.store.js';
import type { Accepted, AttachmentSummary } from './accept/accept.js';
import type { MessageRow } from './accept/plan-message.js';
import { iso } from '../contract/time.js';
import { readTrace } from './inboxes/forwards.tables.js';
import type { StoredEvent } from '../events/events.tables.js';
import type { Message } from './messages.tables.js';

/** The parts of a message that its object shows beside its row. */
export interface ShownMessage {
  /** Without angle brackets. */
  rfcMessageId: string | null;
  attachments: readonly AttachmentSummary[];
  lastAttempt: LastAttempt | null;
}

interface MessageContext extends ShownMessage {
  mode: Mode;
}

const NAMED = {
  id: 'public_id',
  to: 'to_email',
  from: ({ from_email: email, from_name: name }: MessageRow) => ({ email, name }),
  direction: ({ status }: MessageRow) => (status === 'received' ? 'inbound' : 'outbound'),
} as const;

const messageWire = wireOf(message).from<MessageRow, MessageContext>({
  ...NAMED,
  reply_to: (row) => readReplyTo(row)[0] ?? null,
  reply_to_list: (row) => {
    const all = readReplyTo(row);
    return all.length > 1 ? all : undefined;
  },
  internet_message_id: (_row, { rfcMessageId: id }) => (id === null ? null : `<${id}>`),
  attachments: (_row, { attachments }) => attachments.map(presentAttachment),
  sandbox: (_row, { mode }) => mode === 'test',
  last_attempt: (_row, { lastAttempt }) => presentLastAttempt(lastAttempt),
  forwarded_from: ({ forward }) => readTrace(forward)?.message_id,
});

export function presentLastAttempt(last: LastAttempt | null): MessageObject['last_attempt'] {
  if (last === null) return null;
  const { number, outcome, at, nextAttemptAt } = last;
  return {
    number,
    outcome,
    at: iso(at),
    next_attempt_at: nextAttemptAt === null ? null : iso(nextAttemptAt),
  };
}

export function presentMessage(row: MessageRow, shown: ShownMessage, mode: Mode): MessageObject {
  return messageWire(row, { ...shown, mode });
}

export const presentMessageSummary = wireOf(messageSummary).from<
  Message,
  { mode: Mode; lastAttempt: LastAttempt | null }
>({
  ...NAMED,
  sandbox: (_row, { mode }) => mode === 'test',
  last_attempt: (_row, { lastAttempt }) => presentLastAttempt(lastAttempt),
});

function presentAttachment(attachment: AttachmentSummary): MessageObject['attachments'][number] {
  return {
    filename: attachment.filename,
    content_type: attachment.contentType,
    size: attachment.sizeBytes,
    content_id: attachment.cid,
    sha256: attachment.sha256,
  };
}

/** The answer to a create request; with several recipients it lists the messages of the others. */
export function presentAccepted({ message: first, copies, content }: Accepted, mode: Mode): MessageObject {
  const object = presentMessage(first, content, mode);
  if (copies.length === 0) return object;
  const recipients = copies.map((copy) => ({
    id: copy.public_id,
    object: 'message' as const,
    to: copy.to_email,
    recipient_role: copy.recipient_role,
  }));
  const further = recipients.filter(({ recipient_role: role }) => role !== 'to');
  return { ...object, ...(further.length > 0 ? { copies: further } : {}), recipients };
}

export const presentContent = wireOf(messageContent).from<Content, Pick<Message, 'public_id' | 'subject'>>({
  message_id: (_row, { public_id }) => public_id,
  subject: (_row, { subject }) => subject,
  to: 'to_list',
  cc: 'cc_list',
  headers: ({ headers }) => Object.fromEntries(JSON.parse(headers) as [string, string][]),
});

export function presentAuditTrail(row: Message, trail: readonly StoredEvent[]): AuditTrail {
  return {
    message_id: row.public_id,
    status: row.status,
    trail: trailInCausalOrder(trail).map((entry) => {
      const { metadata = {}, ...detail } = readDetail(entry);
      const explanation = entry.event === 'suppressed' ? suppressedSentence(metadata) : null;
      return {
        event: entry.event as MessageTrailEvent, // a message's entries carry no tenant events
        actor: entry.actor,
        timestamp: iso(entry.occurred_at),
        metadata,
        ...(explanation === null ? {} : { explanation }),
        ...detail,
      };
    }),
  };
}
