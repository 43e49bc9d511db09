// Creates the approval of accepted messages: its row, and the entry in their audit trail.
import type { Actor, MessageTrailEvent } from '../../contract/names.js';
import { iso } from '../../contract/time.js';
import type { Change } from '../../database/change.js';
import type { Scope } from '../../database/scope.js';
import type { EventDetail } from '../../events/append.store.js';
import { newId } from '../../lib/runtime/index.js';
import type { Draft } from '../accept/draft.js';
import type { Message } from '../messages.tables.js';
import type { PolicyDifference } from '../accept/send-policy.rules.js';
import { requestApproval } from './approval-changes.store.js';

/** The approval of a request that is being accepted. */
export interface HeldFor {
  id: string;
  keyId: string;
  differences: readonly PolicyDifference[];
  deliverUntil: number | null;
  expiresAt: number;
}

/** `ttlMs` limits the time for the decision. The approval also ends when the request's delivery expires. */
export function newApproval(
  { keyId, differences }: Pick<HeldFor, 'keyId' | 'differences'>,
  { expiresAt: deliverUntil }: Pick<Draft, 'expiresAt'>,
  { ttlMs, now }: { ttlMs: number; now: number },
): HeldFor {
  const end = now + ttlMs;
  return {
    ...{ id: newId('apr', now), keyId, differences, deliverUntil },
    expiresAt: Math.min(end, deliverUntil ?? end),
  };
}

/** The change that follows the messages of a plan. `rows` has the accepted messages. */
export function approvalChange(
  { id, keyId, differences, deliverUntil, expiresAt }: HeldFor,
  scope: Scope,
  { rows, now }: { rows: readonly Pick<Message, 'public_id' | 'status' | 'content_hash'>[]; now: number },
): Change {
  const [first] = rows;
  if (first === undefined) throw new Error('A draft without recipients was accepted.');
  return requestApproval({
    messagePublicId: first.public_id,
    row: {
      id,
      environment_id: scope.environmentId,
      sub_tenant_id: scope.subTenantId,
      recipients: rows.filter(({ status }) => status === 'queued').length,
      api_key_id: keyId,
      status: 'pending',
      differences: JSON.stringify(differences),
      content_hash: first.content_hash,
      version: 1,
      deliver_until: deliverUntil,
      expires_at: expiresAt,
      created_at: now,
      updated_at: now,
    },
  });
}

/** The entry in the audit trail of each message. */
export function requestedEvent({ id, expiresAt }: HeldFor): {
  event: MessageTrailEvent;
  actor: Actor;
  detail: EventDetail;
} {
  const metadata = { approval_id: id, expires_at: iso(expiresAt) };
  return { event: 'approval_requested', actor: 'system', detail: { metadata } };
}
