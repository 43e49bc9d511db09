// Turns a draft into the rows of an accepted message and its copies.
import type { Actor } from '../../contract/names.js';
import { addressDomain, type Mailbox, rfcMessageId } from '../../lib/mime/index.js';
import type { QuoteText } from '../../lib/json/index.js';
import { contentHash } from '../content-hash.rules.js';
import { queueRank } from '../queue-rank.rules.js';
import { tlsTermsColumn } from '../tls-terms.rules.js';
import { usageDays } from '../../accounts/quota.rules.js';
import { expiresAt, type Lifetimes } from '../lifetime.rules.js';
import { suppressedMetadata } from '../../suppressions/suppression.rules.js';
import type { Message } from '../messages.store.js';
import { dueReports } from '../relayed/due-reports.js';
import type { Scope } from '../../database/scope.js';
import type { IdempotencyKey } from './idempotency.js';
import type { Recipient } from './recipients.js';
import type { Draft, RelayedPart } from './draft.js';
import type { Change } from '../../database/change.js';
import type { NewEvent } from '../../events/append.store.js';
import { type HeldFor, requestedEvent } from '../approvals/request-approval.js';
import { type NewMessage, acceptMessage } from './accept.store.js';

/** A message row before the store has numbered it and its content. */
export type MessageRow = Omit<Message, 'id' | 'content_id' | 'redacted_at' | 'in_doubt_at' | 'route'>;

interface PlanContext {
  scope: Scope;
  actor: Actor;
  now: number;
  idempotency: IdempotencyKey | null;
  lifetimes: Lifetimes;
  /** W3C Trace Context of the request. */
  traceparent?: string | null;
  /** Caches texts that the request's fingerprint has quoted. */
  quote?: QuoteText;
  /** The approval that the messages wait for. Absent: they are queued for delivery. */
  approval?: HeldFor | null;
}

/** The rows of the message and its copies, and the changes that store them; `rows[0]` is the one to `to`. */
export function planMessages(draft: Draft, context: PlanContext): { rows: MessageRow[]; plan: Change[] } {
  const shared = sharedColumns(draft, context);
  const hashes = attachmentHashes(draft);
  const rows: MessageRow[] = [];
  const plan = draft.recipients.map((recipient, index): Change => {
    const status = draft.suppressed.has(recipient.key) ? 'suppressed' : 'queued';
    const own = { recipient, publicId: draft.publicIds[index] ?? '', status } as const;
    const row = { ...shared, ...ownColumns(draft, hashes, own, context.quote) };
    rows.push(row);
    return acceptMessage({ message: newMessage(row, draft, context, index === 0) });
  });
  return { rows, plan };
}

/** The row and the content of a message that is not sent: one that was received. */
export function planReceivedMessage(
  draft: Draft,
  context: Pick<PlanContext, 'scope' | 'now'>,
): { row: MessageRow; content: MessageContent } {
  const [recipient] = draft.recipients;
  if (!recipient) throw new Error('A received message has no recipient.');
  const own = { recipient, publicId: draft.publicIds[0] ?? '', status: 'received' } as const;
  const row = {
    ...sharedColumns(draft, { ...context, idempotency: null }),
    ...ownColumns(draft, attachmentHashes(draft), own),
  };
  return { row, content: contentOf(draft) };
}

/** The change that stores the forwarded copy of a received message. It follows the message in the plan and shares its content. */
export function planForwarded(draft: Draft, context: Omit<PlanContext, 'idempotency'>): Change {
  const [recipient] = draft.recipients;
  if (!recipient) throw new Error('A forwarded message has no recipient.');
  const own = { recipient, publicId: draft.publicIds[0] ?? '', status: 'queued' } as const;
  const given = { ...context, idempotency: null };
  const row = { ...sharedColumns(draft, given), ...ownColumns(draft, attachmentHashes(draft), own) };
  return acceptMessage({ message: newMessage(row, draft, given, false) });
}

type OwnColumn =
  | 'public_id'
  | 'status'
  | 'recipient_role'
  | 'to_email'
  | 'to_name'
  | 'to_key'
  | 'content_hash'
  | 'dsn';

function ownColumns(
  draft: Draft,
  attachments: readonly string[],
  { recipient, publicId, status }: { recipient: Recipient; publicId: string; status: MessageRow['status'] },
  quote?: QuoteText,
): Pick<MessageRow, OwnColumn> {
  return {
    public_id: publicId,
    status,
    recipient_role: recipient.role,
    to_email: recipient.email,
    to_name: recipient.name,
    to_key: recipient.key,
    dsn: dsnOf(draft.relayed, recipient.key),
    content_hash: contentHash({ ...draft, to: recipient, attachments }, quote),
  };
}

function attachmentHashes({ attachments }: Draft): string[] {
  return attachments.map(({ sha256 }) => sha256);
}

function sharedColumns(
  draft: Draft,
  {
    scope,
    now,
    idempotency,
    traceparent = null,
  }: Pick<PlanContext, 'scope' | 'now' | 'idempotency' | 'traceparent'>,
): Omit<MessageRow, OwnColumn> {
  return {
    environment_id: scope.environmentId,
    sub_tenant_id: scope.subTenantId,
    type: draft.type,
    from_email: draft.from.email,
    from_name: draft.from.name,
    reply_to_email: draft.replyTo[0]?.email ?? null,
    reply_to_name: draft.replyTo[0]?.name ?? null,
    reply_to_more: draft.replyTo.length < 2 ? null : JSON.stringify(draft.replyTo.slice(1).map(mailboxOf)),
    subject: draft.subject,
    template_id: draft.template?.id ?? null,
    template_version: draft.template?.version ?? null,
    priority: draft.priority,
    tags: JSON.stringify(draft.tags),
    metadata: draft.metadata,
    idempotency_key: idempotency?.key ?? null,
    track_opens: draft.trackOpens ? 1 : 0,
    track_clicks: draft.trackClicks ? 1 : 0,
    require_tls: tlsTermsColumn(draft.tlsTerms),
    null_sender: draft.nullSender ? 1 : 0,
    asked_for: draft.askedFor ? 1 : 0,
    from_vendor_api: draft.fromVendorApi ? 1 : 0,
    thread_id: draft.threadId,
    campaign_id: draft.source !== null && 'campaignId' in draft.source ? draft.source.campaignId : null,
    sequence_id: draft.source !== null && 'sequenceId' in draft.source ? draft.source.sequenceId : null,
    variant: draft.source?.variant ?? null,
    topic_id: draft.topic?.id ?? null,
    forward: draft.forward === null ? null : JSON.stringify(draft.forward),
    provider: null,
    provider_message_id: null,
    signed_at: null,
    dated_at: null,
    error: null,
    scheduled_at: draft.scheduledAt,
    opened_at: null,
    clicked_at: null,
    created_at: now,
    updated_at: now,
    traceparent,
  };
}

function newMessage(row: MessageRow, draft: Draft, context: PlanContext, isFirst: boolean): NewMessage {
  const { scope, now, idempotency } = context;
  const isSuppressed = row.status === 'suppressed';
  const events = eventsOf(row, draft, context);
  const reports = dueReports(row.dsn, events);
  return {
    row,
    workspaceId: scope.workspaceId,
    mode: scope.mode,
    content: isFirst ? contentOf(draft) : { kind: 'same' },
    tags: draft.tags,
    idempotency:
      isFirst && idempotency !== null ? { subTenantKey: scope.subTenantId ?? '', ...idempotency } : null,
    queue: isSuppressed || context.approval ? null : queueRowOf(row, draft.expiresAt, context),
    usageDay: isSuppressed || scope.mode === 'test' || draft.nullSender ? null : usageDays(now).today,
    events,
    ...(reports.length > 0 ? { reports } : {}),
    ...(draft.rfcMessageId === null ? {} : { foreignMessageId: draft.rfcMessageId }),
  };
}

function dsnOf(relayed: RelayedPart | null, recipientKey: string): string | null {
  const options = relayed?.dsnOf(recipientKey) ?? null;
  return options === null ? null : JSON.stringify(options);
}

/** Returns the Message-ID of a mail without angle brackets, which is the same for all recipients. */
export function chooseMessageId({ rfcMessageId: given, publicIds, from }: Draft): string {
  return given ?? rfcMessageId(publicIds[0] ?? '', from.email);
}

type MessageContent = Extract<NewMessage['content'], { kind: 'new' }>;

function contentOf(draft: Draft): MessageContent {
  return {
    kind: 'new',
    row: {
      rfc_message_id: chooseMessageId(draft),
      to_list: JSON.stringify(draft.to.map(mailboxOf)),
      cc_list: JSON.stringify(draft.cc.map(mailboxOf)),
      headers: JSON.stringify(draft.headers),
      html: draft.html,
      text: draft.text,
      raw_id: null,
    },
    attachments: draft.attachments,
    ...(draft.relayed === null ? {} : { raw: draft.relayed.raw }),
    ...(draft.publicIds.length > 1 ? { copies: draft.publicIds.length - 1 } : {}),
  };
}

function mailboxOf({ email, name }: Mailbox): Mailbox {
  return { email, name };
}

function queueRowOf(
  row: MessageRow,
  latest: number | null,
  { now, lifetimes }: PlanContext,
): NewMessage['queue'] {
  const dueAt = row.scheduled_at ?? now;
  return {
    domain: addressDomain(row.to_email),
    rank: queueRank(row.type, row.priority),
    dueAt,
    expiresAt: expiresAt({ firstDueAt: dueAt, type: row.type, lifetimes, latest }),
  };
}

function eventsOf(row: MessageRow, draft: Draft, context: PlanContext): NewMessage['events'] {
  const { scope, actor, now } = context;
  const base = {
    environmentId: scope.environmentId,
    workspaceNumber: scope.workspaceNumber,
    subjectId: row.public_id,
    occurredAt: now,
  };
  const queued: Omit<NewEvent, 'messageId'> = { ...base, event: 'queued', actor };
  const metadata = deliveryOptions(row, draft);
  if (Object.keys(metadata).length > 0) queued.detail = { metadata };
  const reason = draft.suppressed.get(row.to_key);
  if (reason === undefined) {
    const { approval } = context;
    return approval ? [queued, { ...base, ...requestedEvent(approval) }] : [queued];
  }
  // A campaign or sequence creates no copy for a suppressed recipient, so nothing was queued.
  const before = draft.source === null ? [queued] : [];
  const detail = { metadata: suppressedMetadata(reason, draft.topic) };
  return [...before, { ...base, event: 'suppressed', actor: 'system', detail }];
}

/** The sender's options for the delivery, for the audit trail. */
function deliveryOptions(row: MessageRow, draft: Draft): Record<string, unknown> {
  const iso = (at: number): string => new Date(at).toISOString();
  return {
    ...(row.scheduled_at === null ? {} : { scheduled_at: iso(row.scheduled_at) }),
    ...(draft.expiresAt === null ? {} : { expires_at: iso(draft.expiresAt) }),
    ...(draft.tlsTerms === 'required' ? { require_tls: true } : {}),
    ...(draft.forward === null ? {} : { forwarded_from: draft.forward.message_id }),
  };
}
