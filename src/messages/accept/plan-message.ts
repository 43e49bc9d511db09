// From a settled draft to the rows that an accepted message and its copies consist of.
import type { Actor, MessageType, Priority } from '../../contract/names.js';
import { domainOf, type Mailbox } from '../../lib/mime/address.js';
import { contentHash } from '../content-hash.rules.js';
import type { TlsTerms } from '../../outbound/deliver/delivery-plan.rules.js';
import type { DsnOptions } from '../../lib/dsn/dsn-options.js';
import { queueRank } from '../../outbound/schedule/queue-rank.rules.js';
import { usageDays } from '../../accounts/quota.rules.js';
import { expiresAt, type Lifetimes } from '../../outbound/schedule/retry-schedule.rules.js';
import { suppressedMetadata } from '../../suppressions/suppression.rules.js';
import type { Message } from '../messages.store.js';
import type { Accept, NewAttachment, NewEvent, NewMessage } from '../../store/plan.js';
import { dueReports } from '../../relay/delivery-reports/report-plan.store.js';
import type { Scope } from '../../store/scope.js';
import { rfcMessageId } from '../../lib/mime/message-id.js';
import type { IdempotencyKey } from './idempotency.js';
import type { Recipient } from './recipients.js';
import type { Topic } from './topic.js';

const TERMS_COLUMN = { required: 1, policy: 0, waived: -1 } as const;

/** A message row before the store has numbered it and its content. */
export type MessageRow = Omit<Message, 'id' | 'content_id' | 'redacted_at' | 'in_doubt_at'>;

/** Everything that a message is; decided, not yet kept. */
export interface Draft {
  /** One per recipient, in their order. */
  publicIds: readonly string[];
  recipients: readonly Recipient[];
  /** As shown in the header. */
  to: readonly Mailbox[];
  cc: readonly Mailbox[];
  type: MessageType;
  priority: Priority;
  from: Mailbox;
  /** Empty: none, or the one that the service signs. */
  replyTo: readonly Mailbox[];
  subject: string;
  html: string | null;
  text: string | null;
  template: { id: string; version: number } | null;
  headers: readonly (readonly [name: string, value: string])[];
  attachments: NewAttachment[];
  tags: string[];
  /** JSON text. */
  metadata: string;
  trackOpens: boolean;
  trackClicks: boolean;
  scheduledAt: number | null;
  /** When trying to deliver ends at the latest; null leaves that to the queue lifetime. */
  expiresAt: number | null;
  tlsTerms: TlsTerms;
  /** The thread it goes into; null: none. */
  threadId: string | null;
  /** The list that it stands for; whoever has left it is among `suppressed` with `left_list`. Null: none. */
  topic: Topic | null;
  /** The campaign or the sequence that it is a copy of; null for a message on its own. */
  source: MessageSource | null;
  /** Mail that was submitted by SMTP: its octets, its own Message-ID, what its sender wants to be told. */
  relayed: RelayedPart | null;
  /** Leaves with the null sender: a report, that nobody is told about. */
  nullSender: boolean;
  /** Addresses that are not to be written to, with the reason. */
  suppressed: ReadonlyMap<string, string>;
}

/** What a message is a copy of, and which copy: a variant's tag, a split's key, a step's id; null for the base. */
export type MessageSource = { variant: string | null } & ({ campaignId: string } | { sequenceId: string });

export interface RelayedPart {
  raw: Uint8Array;
  /** Without angle brackets; null when it had none that is valid. */
  rfcMessageId: string | null;
  /** What the sender of each recipient's message wants to be told, by address key. */
  dsnOf: (recipientKey: string) => DsnOptions | null;
}

export interface PlanContext {
  scope: Scope;
  actor: Actor;
  now: number;
  idempotency: IdempotencyKey | null;
  lifetimes: Lifetimes;
}

/** The rows of the message and its copies, and the changes that keep them; `rows[0]` is the one to `to`. */
export function planMessages(draft: Draft, context: PlanContext): { rows: MessageRow[]; plan: Accept[] } {
  const shared = sharedColumns(draft, context);
  const hashes = draft.attachments.map((attachment) => attachment.sha256);
  const rows: MessageRow[] = [];
  const plan = draft.recipients.map((recipient, index): Accept => {
    const row: MessageRow = {
      ...shared,
      public_id: draft.publicIds[index] ?? '',
      status: draft.suppressed.has(recipient.key) ? 'suppressed' : 'queued',
      recipient_role: recipient.role,
      to_email: recipient.email,
      to_name: recipient.name,
      to_key: recipient.key,
      dsn: dsnOf(draft.relayed, recipient.key),
      content_hash: contentHash({ ...draft, to: recipient, attachments: hashes }),
    };
    rows.push(row);
    return { kind: 'accept', message: newMessage(row, draft, context, index === 0) };
  });
  return { rows, plan };
}

type OwnColumn =
  'public_id' | 'status' | 'recipient_role' | 'to_email' | 'to_name' | 'to_key' | 'content_hash' | 'dsn';

function sharedColumns(draft: Draft, { scope, now, idempotency }: PlanContext): Omit<MessageRow, OwnColumn> {
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
    require_tls: TERMS_COLUMN[draft.tlsTerms],
    null_sender: draft.nullSender ? 1 : 0,
    thread_id: draft.threadId,
    campaign_id: draft.source !== null && 'campaignId' in draft.source ? draft.source.campaignId : null,
    sequence_id: draft.source !== null && 'sequenceId' in draft.source ? draft.source.sequenceId : null,
    variant: draft.source?.variant ?? null,
    topic_id: draft.topic?.id ?? null,
    provider: null,
    provider_message_id: null,
    signed_at: null,
    error: null,
    scheduled_at: draft.scheduledAt,
    opened_at: null,
    clicked_at: null,
    created_at: now,
    updated_at: now,
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
    content: isFirst ? contentOf(draft) : { kind: 'same' },
    tags: draft.tags,
    idempotency:
      isFirst && idempotency !== null ? { subTenantKey: scope.subTenantId ?? '', ...idempotency } : null,
    queue: isSuppressed ? null : queueRowOf(row, draft.expiresAt, context),
    usageDay: isSuppressed || scope.mode === 'test' || draft.nullSender ? null : usageDays(now).today,
    events,
    ...(reports.length > 0 ? { reports } : {}),
    ...(draft.relayed?.rfcMessageId ? { foreignMessageId: draft.relayed.rfcMessageId } : {}),
  };
}

function dsnOf(relayed: RelayedPart | null, recipientKey: string): string | null {
  const wish = relayed?.dsnOf(recipientKey) ?? null;
  return wish === null ? null : JSON.stringify(wish);
}

function contentOf(draft: Draft): NewMessage['content'] {
  return {
    kind: 'new',
    row: {
      rfc_message_id: draft.relayed?.rfcMessageId ?? rfcMessageId(draft.publicIds[0] ?? '', draft.from.email),
      to_list: JSON.stringify(draft.to.map(mailboxOf)),
      cc_list: JSON.stringify(draft.cc.map(mailboxOf)),
      headers: JSON.stringify(draft.headers),
      html: draft.html,
      text: draft.text,
      raw_id: null,
    },
    attachments: draft.attachments,
    ...(draft.relayed === null ? {} : { raw: draft.relayed.raw }),
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
    domain: domainOf(row.to_email),
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
  const metadata = wishesOf(row, draft);
  if (Object.keys(metadata).length > 0) queued.detail = { metadata };
  const reason = draft.suppressed.get(row.to_key);
  if (reason === undefined) return [queued];
  // Of a campaign or a sequence no copy is made for them: nothing was ever queued.
  const before = draft.source === null ? [queued] : [];
  const detail = { metadata: suppressedMetadata(reason, draft.topic) };
  return [...before, { ...base, event: 'suppressed', actor: 'system', detail }];
}

/** What the sender asked for about the delivery, for the trail to show. */
function wishesOf(row: MessageRow, draft: Draft): Record<string, unknown> {
  const iso = (at: number): string => new Date(at).toISOString();
  return {
    ...(row.scheduled_at === null ? {} : { scheduled_at: iso(row.scheduled_at) }),
    ...(draft.expiresAt === null ? {} : { expires_at: iso(draft.expiresAt) }),
    ...(draft.tlsTerms === 'required' ? { require_tls: true } : {}),
  };
}
