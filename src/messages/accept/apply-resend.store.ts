// Applies the change by which a message that may have arrived or not goes into the queue once more.
import { defineChange } from '../../database/change.js';
import { refuse, type Otherwise } from '../../database/refuse.js';
import { rowsAs } from '../../database/sql.js';
import type { Message } from '../messages.tables.js';
import { ensureQueue } from './enqueued-rows.store.js';

/** If several requests arrive at once, one of them finds the message. */
const TAKE_DOUBT = `UPDATE messages SET in_doubt_at = NULL, updated_at = ?
  WHERE id = ? AND in_doubt_at IS NOT NULL AND status = 'sent' AND redacted_at IS NULL RETURNING environment_id, sub_tenant_id`;
/** Attempts go on counting where the last one ended; the doubt about that one stays known. */
const ENQUEUE_AGAIN = `INSERT INTO queue
  (message_id, queue_id, due_at, expires_at, attempts, lease_until, lease_owner, dot_intent_at, ambiguous_attempts, hold_reason)
  VALUES (?, ?, ?, ?, (SELECT COALESCE(MAX(number), 1) FROM attempts WHERE message_id = ?), NULL, NULL, NULL, 1, NULL)
  ON CONFLICT DO NOTHING`;

interface ResendInDoubt {
  messageId: number;
  at: number;
  expiresAt: number;
  domain: string;
  rank: number;
  otherwise: Otherwise;
}

/**
 * A message whose last attempt ended in doubt goes into the queue once more; the plan is refused when the doubt is resolved, or
 * its content is gone.
 */
export const resendInDoubt = defineChange<ResendInDoubt>(
  'resend-in-doubt',
  async ({ tx }, { messageId, at, expiresAt, domain, rank, otherwise }, committed) => {
    const [message] = await rowsAs<Pick<Message, 'environment_id' | 'sub_tenant_id'>>(
      tx.run(TAKE_DOUBT, [at, messageId]),
    );
    if (!message) return refuse(otherwise);
    const { environment_id: environmentId, sub_tenant_id: subTenantId } = message;
    const subTenantKey = subTenantId ?? '';
    const queueId = await ensureQueue(tx, { environmentId, subTenantKey, domain, rank });
    await tx.run(ENQUEUE_AGAIN, [messageId, queueId, at, expiresAt, messageId]);
    committed.queueIds.push(queueId);
  },
);
