// The kinds of changes. Work reads, decides, and commits one plan: a list of these values, applied in order
// in one transaction, all or nothing. Appending an event is the only way to tell the outside world anything.
import type { Insertable, Updateable } from 'kysely';
import type { Actor, MessageStatus, MessageType, Mode, TrailEvent } from '../contract/names.js';
import type { DsnAction } from '../lib/dsn/dsn-part.js';
import type { PlanLimits } from '../accounts/quota.rules.js';
import type { SettleAddresses } from '../domains/apply-domains.store.js';
import type { CountUnsolicitedMail } from '../accounts/unsolicited-mail.store.js';
import type { AudienceChange } from '../contacts/audience-changes.store.js';
import type { CampaignChange } from '../campaigns/changes.store.js';
import type { Otherwise } from './refuse.js';
import type { TakeReport } from '../inbound/reports/apply-report.store.js';
import type { SequenceChange } from '../sequences/changes.store.js';
import type { Tables } from './tables.js';
import type { InboundMailTable } from '../inbound/inbound.tables.js';
import type { ReceivedMessageTable } from '../messages/received.tables.js';
import type { AttemptAbout } from '../messages/attempt.schema.js';
import type { ContentTable, MessageTable } from '../messages/messages.tables.js';

type TableName = keyof Tables;
/** Every given column equals the given value; a list means any of its values. */
export type Where<T extends TableName> = {
  [C in keyof Tables[T]]?: Tables[T][C] extends infer V ? Plain<V> | readonly Plain<V>[] : never;
};
type Plain<V> = V extends { readonly __select__: infer S } ? S : V;

export type Insert = {
  [T in TableName]: {
    kind: 'insert';
    into: T;
    row: Insertable<Tables[T]>;
    conflict?: Otherwise | 'ignore';
    /** One of an import's or a bulk action's many: no event tells of it by itself. */
    isBulk?: true;
  };
}[TableName];

export type Upsert = {
  [T in TableName]: {
    kind: 'upsert';
    into: T;
    row: Insertable<Tables[T]>;
    /** The unique columns. */
    key: readonly (keyof Tables[T] & string)[];
    set: Updateable<Tables[T]>;
  };
}[TableName];

export type Update = {
  [T in TableName]: {
    kind: 'update';
    table: T;
    set: Updateable<Tables[T]>;
    where: Where<T>;
    /** No row matched. */
    otherwise?: Otherwise;
    /** Another row has the new value of a unique column. */
    conflict?: Otherwise;
  } & ChangedAt<T>;
}[TableName];

/** Ties an update to one version of its row: a part of `where`, and the refusal if another change came first. */
export interface ChangeGuard<Time extends number | null = number> {
  where: { updated_at?: Time };
  otherwise?: Otherwise;
}

export type Delete = {
  [T in TableName]: { kind: 'delete'; from: T; where: Where<T>; otherwise?: Otherwise } & ChangedAt<T>;
}[TableName];

/** The event and the change of the contact's status tell when it happened. Epoch ms. */
type ChangedAt<T extends TableName> = T extends 'suppressions' ? { at: number } : unknown;

export interface EventDetail {
  metadata?: Record<string, unknown>;
  ip?: string;
  user_agent?: string;
  provider?: string;
  provider_message_id?: string;
}

export interface NewEvent {
  environmentId: number;
  /** The high part of the event's position in the chain. */
  workspaceNumber: number;
  /** Row id; null for events about a sub-tenant or another record. */
  messageId: number | null;
  /** Public id of the message, the sub-tenant or the record. */
  subjectId: string;
  /** Sub-tenant of the record, for events about neither a message nor a sub-tenant. */
  subTenantId?: string | null;
  event: TrailEvent;
  actor: Actor;
  occurredAt: number;
  detail?: EventDetail;
}

export interface Append {
  kind: 'append';
  event: NewEvent;
}

export interface NewAttachment {
  filename: string;
  contentType: string;
  cid: string | null;
  sha256: string;
  content: Uint8Array;
}

export interface NewMessage {
  /** Columns that acceptance leaves empty are not among them. */
  row: Omit<Insertable<MessageTable>, 'content_id' | 'id' | 'redacted_at' | 'in_doubt_at'>;
  workspaceId: string;
  /** The environment's, for the metrics; absent: they do not count it. */
  mode?: Mode;
  /** `same`: the copy shares the content row of the message before it in the plan. */
  content:
    | {
        kind: 'new';
        row: Omit<Insertable<ContentTable>, 'id'>;
        attachments: NewAttachment[];
        /** The octets as they were submitted, kept beside; a received message's `raw_id` names kept ones. */
        raw?: Uint8Array;
      }
    | { kind: 'same' };
  tags: string[];
  idempotency: { subTenantKey: string; key: string; fingerprint: Uint8Array } | null;
  /** Null when it goes nowhere (suppressed). */
  queue: { domain: string; rank: number; dueAt: number; expiresAt: number } | null;
  /** Null when it is not counted (sandbox, suppressed, received). */
  usageDay: number | null;
  /** The Message-ID under which it is found when somebody else made it. */
  foreignMessageId?: string;
  /** Further row of a received message. */
  received?: Omit<Insertable<ReceivedMessageTable>, 'message_id'>;
  /** Delivery reports that are due at once; `messageId` is filled in. */
  reports?: readonly Omit<ReportDue, 'kind' | 'messageId'>[];
  /** `messageId` is filled in. */
  events: Omit<NewEvent, 'messageId'>[];
}

/** A message enters. Refused with `conflict` + `IDEMPOTENCY_RACE` when its key was taken in the meantime. */
export interface Accept {
  kind: 'accept';
  message: NewMessage;
}

/**
 * A message's status moves if it still has one of `from`; with `otherwise` the whole plan is refused if not. `set` is
 * written whether the status moves or not.
 */
export interface Advance {
  kind: 'advance';
  messageId: number;
  to: MessageStatus;
  from: readonly MessageStatus[];
  set?: Amend['set'];
  otherwise?: Otherwise;
}

/** Columns of a message that are not its status. */
export interface Amend {
  kind: 'amend';
  messageId: number;
  set: Omit<Updateable<MessageTable>, 'status'>;
}

/** The message has left the queue. With `unleased` it must not be in a worker's hands. */
export interface Dequeue {
  kind: 'dequeue';
  messageId: number;
  unleased?: Otherwise;
}

/** The message goes back to its queue. Attempts count only what a peer or the network decided. */
export interface Requeue {
  kind: 'requeue';
  messageId: number;
  dueAt: number;
  attempts: number;
  ambiguousAttempts: number;
  blockedAttempts: number;
  retryStep: number;
  /** The source of the attempt that ended; a later one uses it again. */
  source: string | null;
  holdReason: string | null;
}

/**
 * A message whose last attempt ended in doubt goes into the queue once more; the plan is refused when the doubt is resolved, or
 * its content is gone.
 */
export interface ResendInDoubt {
  kind: 'resend-in-doubt';
  messageId: number;
  at: number;
  expiresAt: number;
  domain: string;
  rank: number;
  otherwise: Otherwise;
}

/** An attempt: the peer and its reply. One row per message and number. */
export interface RecordAttempt {
  kind: 'record-attempt';
  messageId: number;
  /** Absent: logs and metrics leave the attempt out. */
  about?: AttemptAbout;
  number: number;
  at: number;
  sessionId: string | null;
  /** JSON. */
  detail: string;
  conversation: string | null;
}

/** Makes durable that the final dots of these messages are about to be written, where the lease is still the owner's. */
export interface IntendDot {
  kind: 'intend-dot';
  messageIds: readonly number[];
  owner: string;
  at: number;
}

/** One recipient of a mail that came in. */
export type NewInboundMail = Omit<Insertable<InboundMailTable>, 'id' | 'raw_id'>;

/** Keeps the octets of a received mail, with a row for each of its recipients. */
export interface Spool {
  kind: 'spool';
  raw: Uint8Array;
  mails: readonly NewInboundMail[];
}

/** The sender of a relayed message asked for a report by mail (RFC 3461). */
export interface ReportDue {
  kind: 'report-due';
  messageId: number;
  action: DsnAction;
  at: number;
  /** JSON: what the report says about the recipient. */
  detail: string;
}

/** Messages that a request with an API key brought. */
export interface CountKeyUse {
  kind: 'count-key-use';
  keyId: string;
  /** Days since the epoch, UTC. */
  day: number;
  messages: number;
}

export interface CountUse {
  kind: 'count-use';
  environmentId: number;
  day: number;
  type: MessageType;
  sends: number;
}

/** The plan is refused with `quota_exceeded` unless the organization may send that many more. Stands before what it is for. */
export interface CheckQuota {
  kind: 'check-quota';
  organizationId: string;
  limits: PlanLimits;
  type: MessageType;
  asked: number;
  now: number;
}

/** The plan is refused when the workspace has more keys that work than so many. Stands behind what makes one. */
export interface LimitApiKeys {
  kind: 'limit-api-keys';
  workspaceId: string;
  most: number;
  now: number;
  otherwise: Otherwise;
}

export type Change =
  | Insert
  | LimitApiKeys
  | Upsert
  | Update
  | Delete
  | Append
  | Accept
  | Advance
  | Amend
  | Dequeue
  | Requeue
  | ResendInDoubt
  | RecordAttempt
  | IntendDot
  | Spool
  | ReportDue
  | CountKeyUse
  | CountUse
  | CheckQuota
  | SettleAddresses
  | CountUnsolicitedMail
  | TakeReport
  | AudienceChange
  | CampaignChange
  | SequenceChange;

export type Plan = readonly Change[];

/** Row ids of the messages that the plan accepted, in the plan's order. */
export interface Committed {
  messageIds: number[];
  /** Queues that received work. */
  queueIds: number[];
  /** Messages whose dot intent is durable: their owner may write the dot. */
  intended: number[];
}
