// The changes that suppress an address because of the outcome of a message.
import { newId } from '../lib/runtime/index.js';
import { isErasedAddress } from '../contract/erased-address.js';
import type { Scope } from '../database/scope.js';
import {
  auditTrailEntry,
  auditTrailSubject,
  type AuditTrailSubject,
} from '../events/audit-trail-entry.store.js';
import { replyJson, type SuppressionReply } from './suppression.schema.js';
import type { Change } from '../database/change.js';
import type { EventDetail } from '../events/append.store.js';
import { suppress, changeSuppressions } from './suppression-changes.store.js';

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

/** The columns of a message that identify its recipient. */
interface RecipientColumns {
  id: number;
  public_id: string;
  sub_tenant_id: string | null;
  to_email: string;
  to_key: string;
}

/** Returns the recipient of a message that was found by a signed token. */
export function messageRecipient({
  message,
  scope,
}: {
  message: RecipientColumns;
  scope: Pick<Scope, 'environmentId' | 'workspaceNumber'>;
}): SuppressedRecipient {
  return {
    ...auditTrailSubject(message, scope),
    subTenantId: message.sub_tenant_id,
    toEmail: message.to_email,
    toKey: message.to_key,
  };
}

/** In ascending order, because a later, stronger reason replaces the existing one. */
const STRENGTH = ['bounce', 'manual', 'unsubscribe', 'complaint'] as const;

function suppressRecipient(
  { publicId, environmentId, subTenantId, toEmail, toKey }: SuppressedRecipient,
  reason: 'bounce' | 'complaint' | 'unsubscribe',
  { at, reply }: { at: number; reply: Partial<SuppressionReply> | null },
): Change[] {
  // Mail about an erased person reveals nothing about others.
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
    suppress({
      conflict: 'ignore',
      row: { id: newId('sup', at), ...key, email, reason, ...cause, created_at: at },
    }),
  ];
  const weaker = STRENGTH.slice(0, STRENGTH.indexOf(reason));
  if (weaker.length > 0) {
    changes.push(changeSuppressions({ set: { reason, ...cause }, where: { ...key, reason: weaker }, at }));
  }
  return changes;
}
