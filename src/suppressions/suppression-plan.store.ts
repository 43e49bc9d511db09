// The changes that suppress an address because of the outcome of a message.
import { newId } from '../lib/runtime/ids.js';
import { isErasedAddress } from '../contract/erased-address.js';
import type { AudienceStore } from '../contacts/audience.store.js';
import { detailOf, type EventStore } from '../events/events.store.js';
import type { SignedLinkTarget } from '../messages/messages.store.js';
import type { Change, EventDetail } from '../store/plan.js';
import {
  auditTrailEntry,
  auditTrailSubject,
  type AuditTrailSubject,
} from '../events/audit-trail-entry.store.js';
import { replyJson, type SuppressionReply } from './suppression.schema.js';
import type { ContactList } from '../contacts/lists/lists.tables.js';

/** The message, and whom it was for; a queue claim has all of this. */
export interface SuppressedRecipient extends AuditTrailSubject {
  subTenantId: string | null;
  toEmail: string;
  toKey: string;
}

/** Suppresses the recipient of a message because of its outcome, with the audit trail entry. */
export function addSuppression(
  recipient: SuppressedRecipient,
  reason: 'bounce' | 'complaint',
  at: number,
  reply: Partial<SuppressionReply> | null = null,
): Change[] {
  const detail = { metadata: { reason, added: true } };
  return [
    ...suppressRecipient(recipient, reason, { at, reply }),
    auditTrailEntry(recipient, { event: 'suppressed', actor: 'system', at, detail }),
  ];
}

/** Unsubscribes a recipient from all mail, with the audit trail entry. */
export function unsubscribe(recipient: SuppressedRecipient, detail: EventDetail, at: number): Change[] {
  return [
    ...suppressRecipient(recipient, 'unsubscribe', { at, reply: null }),
    auditTrailEntry(recipient, { event: 'unsubscribed', actor: 'recipient', at, detail }),
  ];
}

/** Unsubscribes the recipient of a message from one list, with an entry in the message's audit trail. */
export function leaveListOf(
  { message, scope }: SignedLinkTarget,
  list: ContactList,
  { contactId, detail, at }: { contactId: string | null; detail: EventDetail; at: number },
): Change[] {
  const metadata = { ...detail.metadata, list_id: list.id };
  const { number: listNumber } = list;
  return [
    { kind: 'leave-list', listNumber, emailKey: message.to_key, contactId, unsubscribed: true, at },
    auditTrailEntry(auditTrailSubject(message, scope), {
      event: 'unsubscribed',
      actor: 'recipient',
      at,
      detail: { ...detail, metadata },
    }),
  ];
}

/** Whether he left by this message and is still off the list; whoever was let in again can leave once more. */
export async function hasLeft(
  store: {
    audience: Pick<AudienceStore, 'suppressionsOfExactly'>;
    events: Pick<EventStore, 'auditTrailOfMessage'>;
  },
  { message, scope }: SignedLinkTarget,
): Promise<boolean> {
  const rows = await store.audience.suppressionsOfExactly(scope, [message.to_key]);
  if (rows.length === 0) return false;
  const trail = await store.events.auditTrailOfMessage(message.id);
  // Leaving one list is an entry too, and no reason to go on with the others.
  return trail.some((entry) => entry.event === 'unsubscribed' && !isOfOneList(entry));
}

function isOfOneList(entry: Parameters<typeof detailOf>[0]): boolean {
  return detailOf(entry).metadata?.['list_id'] !== undefined;
}

/** Of a message, by whoever found it by a signed token. */
export function recipientOf({ message, scope }: SignedLinkTarget): SuppressedRecipient {
  return {
    ...auditTrailSubject(message, scope),
    subTenantId: message.sub_tenant_id,
    toEmail: message.to_email,
    toKey: message.to_key,
  };
}

/** From the weakest: a later, stronger reason takes the place of the one that the list has. */
const STRENGTH = ['bounce', 'manual', 'unsubscribe', 'complaint'] as const;

function suppressRecipient(
  { publicId, environmentId, subTenantId, toEmail, toKey }: SuppressedRecipient,
  reason: 'bounce' | 'complaint' | 'unsubscribe',
  { at, reply }: { at: number; reply: Partial<SuppressionReply> | null },
): Change[] {
  // Mail about an erased person says nothing about anybody.
  if (isErasedAddress(toEmail)) return [];
  return suppressAddress(
    { environmentId, subTenantId, email: toEmail, emailKey: toKey, publicId, reply },
    reason,
    at,
  );
}

/** Suppresses an address for its owner. A stronger reason replaces the one of an existing suppression, a weaker one does not. */
export function suppressAddress(
  {
    environmentId,
    subTenantId,
    email,
    emailKey,
    publicId,
    reply = null,
  }: {
    environmentId: number;
    subTenantId: string | null;
    email: string;
    emailKey: string;
    /** Of the message that caused it; null without one. */
    publicId: string | null;
    reply?: Partial<SuppressionReply> | null;
  },
  reason: 'bounce' | 'complaint' | 'unsubscribe',
  at: number,
): Change[] {
  const key = { environment_id: environmentId, sub_tenant_key: subTenantId ?? '', email_key: emailKey };
  const cause = { message_public_id: publicId, reply: reply === null ? null : replyJson(reply) };
  const changes: Change[] = [
    {
      kind: 'insert',
      into: 'suppressions',
      conflict: 'ignore',
      row: { id: newId('sup', at), ...key, email, reason, ...cause, created_at: at },
    },
  ];
  const weaker = STRENGTH.slice(0, STRENGTH.indexOf(reason));
  if (weaker.length > 0) {
    changes.push({
      kind: 'update',
      table: 'suppressions',
      set: { reason, ...cause },
      where: { ...key, reason: weaker },
      at,
    });
  }
  return changes;
}
