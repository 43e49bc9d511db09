// Applies the change that queues a message in doubt again.
import { defineChange } from '../../database/change.js';
import { refuse, type Otherwise } from '../../database/refuse.js';
import { rowsAs } from '../../database/sql.js';
import type { Message } from '../messages.tables.js';
import { ensureQueue } from './enqueued-rows.store.js';

/** If several requests arrive at the same time, only one of them finds the message. */
const TAKE_DOUBT = `UPDATE messages SET in_doubt_at = NULL, updated_at = ?
  WHERE id = ? AND in_doubt_at IS NOT NULL AND status = 'sent' AND redacted_at IS NULL RETURNING environment_id, sub_tenant_id`;
/** The attempt count continues, and the last attempt remains recorded as in doubt. */
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
 * Queues a message whose last attempt ended in doubt again. The plan is refused if the doubt is resolved or the content was
 * deleted.
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
