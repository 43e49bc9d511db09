// Message rows as the objects of the API.
import type { Static } from 'typebox';
import type { AuditTrail, messageContent, MessageObject, MessageSummary } from './message.schema.js';
import type { MessageTrailEvent, Mode } from '../contract/names.js';
import type { Mailbox } from '../lib/mime/address.js';
import { detailOf, type StoredEvent } from '../events/events.store.js';
import { suppressedSentence } from '../suppressions/suppression.rules.js';
import { replyToOf, type Content, type Message } from './rows.store.js';
import type { Accepted, AttachmentSummary } from './accept/accept.js';
import type { MessageRow } from './accept/plan-message.js';
import { iso, isoOrNull } from '../contract/time.js';

export function presentMessage(
  row: MessageRow,
  attachments: readonly AttachmentSummary[],
  mode: Mode,
): MessageObject {
  return {
    id: row.public_id,
    object: 'message',
    type: row.type,
    status: row.status,
    to: row.to_email,
    from: { email: row.from_email, name: row.from_name },
    ...presentReplyTo(row),
    subject: row.subject,
    sub_tenant_id: row.sub_tenant_id,
    template_id: row.template_id,
    template_version: row.template_version,
    priority: row.priority,
    tags: JSON.parse(row.tags) as string[],
    metadata: JSON.parse(row.metadata) as Record<string, unknown>,
    attachments: attachments.map(presentAttachment),
    opened_at: isoOrNull(row.opened_at),
    clicked_at: isoOrNull(row.clicked_at),
    idempotency_key: row.idempotency_key,
    provider: row.provider,
    provider_message_id: row.provider_message_id,
    content_hash: row.content_hash,
    sandbox: mode === 'test',
    error: row.error === null ? null : (JSON.parse(row.error) as MessageObject['error']),
    scheduled_at: isoOrNull(row.scheduled_at),
    created_at: iso(row.created_at),
    updated_at: iso(row.updated_at),
    recipient_role: row.recipient_role,
    track_opens: row.track_opens === 1,
    track_clicks: row.track_clicks === 1,
    direction: row.status === 'received' ? 'inbound' : 'outbound',
    thread_id: row.thread_id,
    campaign_id: row.campaign_id,
    sequence_id: row.sequence_id,
    variant: row.variant,
    topic_id: row.topic_id,
  };
}

export function presentMessageSummary(row: Message, mode: Mode): MessageSummary {
  return {
    id: row.public_id,
    object: 'message_summary',
    type: row.type,
    status: row.status,
    to: row.to_email,
    from: { email: row.from_email, name: row.from_name },
    subject: row.subject,
    sub_tenant_id: row.sub_tenant_id,
    tags: JSON.parse(row.tags) as string[],
    opened_at: isoOrNull(row.opened_at),
    clicked_at: isoOrNull(row.clicked_at),
    sandbox: mode === 'test',
    scheduled_at: isoOrNull(row.scheduled_at),
    created_at: iso(row.created_at),
    updated_at: iso(row.updated_at),
    direction: row.status === 'received' ? 'inbound' : 'outbound',
    thread_id: row.thread_id,
    campaign_id: row.campaign_id,
    sequence_id: row.sequence_id,
  };
}

function presentReplyTo(row: MessageRow): Pick<MessageObject, 'reply_to' | 'reply_to_list'> {
  const all = replyToOf(row);
  const [first = null] = all;
  return { reply_to: first, ...(all.length > 1 ? { reply_to_list: all } : {}) };
}

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
export function presentAccepted({ message, copies, attachments }: Accepted, mode: Mode): MessageObject {
  const object = presentMessage(message, attachments, mode);
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

export function presentContent(message: Message, content: Content): Static<typeof messageContent> {
  return {
    object: 'message_content',
    message_id: message.public_id,
    subject: message.subject,
    html: content.html,
    text: content.text,
    to: JSON.parse(content.to_list) as Mailbox[],
    cc: JSON.parse(content.cc_list) as Mailbox[],
    headers: Object.fromEntries(JSON.parse(content.headers) as [string, string][]),
  };
}

export function presentAuditTrail(message: Message, trail: readonly StoredEvent[]): AuditTrail {
  return {
    message_id: message.public_id,
    status: message.status,
    trail: trail.map((entry) => {
      const { metadata = {}, ...detail } = detailOf(entry);
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
