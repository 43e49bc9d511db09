// Changes of messages that wait for approval: they start waiting, are released into the queue, or are canceled.
import { appendRecordEvent } from '../../events/record-events.store.js';
import { defineChange } from '../../database/change.js';
import type { Writing } from '../../database/committer.js';
import { NEIGHBOURS } from '../../database/engine/row-ids.js';
import { insertOne, type NewRow, updateRows } from '../../database/rows.js';
import { refuse, type Otherwise } from '../../database/refuse.js';
import { rowsAs } from '../../database/sql.js';
import { enqueuedRows } from '../accept/enqueued-rows.store.js';
import { type Approval, approvals } from './approvals.tables.js';

const FIND_MESSAGE = 'SELECT id, content_id FROM messages WHERE public_id = ?';
const LOCK = "SELECT id FROM approvals WHERE id = ? AND status = 'pending'";
const RELEASE = `UPDATE messages SET updated_at = ? WHERE id = ? AND status = 'queued' AND redacted_at IS NULL
  AND COALESCE(scheduled_at, 0) = ? RETURNING environment_id, sub_tenant_id`;
const STILL_WAITING = `SELECT 1 AS one FROM approvals a
  JOIN messages m ON m.id >= a.message_id AND m.id < a.message_id + ${NEIGHBOURS} AND m.content_id = a.content_id
  WHERE a.id = ? AND m.status = 'queued' LIMIT 1`;

interface RequestApproval {
  /** Without the ids that the database assigns. */
  row: Omit<NewRow<typeof approvals>, 'message_id' | 'content_id'>;
  /** Public ID of the first message. An earlier change of the same plan accepts it. */
  messagePublicId: string;
}

/** Makes the accepted messages of a request wait for approval. */
export const requestApproval = defineChange<RequestApproval>(
  'request-approval',
  async (writing, { row, messagePublicId }) => {
    const [message] = await rowsAs<{ id: number; content_id: number }>(
      writing.tx.run(FIND_MESSAGE, [messagePublicId]),
    );
    if (!message) throw new Error('A message must be accepted before its approval is requested.');
    const ids = { message_id: message.id, content_id: message.content_id };
    await insertOne(writing, approvals, { row: { ...row, ...ids } });
    await appendRecordEvent(writing, {
      of: { environmentId: row.environment_id },
      subTenantId: row.sub_tenant_id ?? null,
      subjectId: row.id,
      event: 'approval.requested',
      usually: 'system',
      at: row.created_at,
    });
  },
);

interface DecideApproval {
  approval: Approval;
  status: 'approved' | 'rejected' | 'expired';
  /** Null if no one decided. */
  person: { id: string; email: string } | null;
  note: string | null;
  at: number;
  /** Someone else decided, or the message was edited. */
  otherwise: Otherwise;
}

/** Ends an approval. This is a separate kind of change, so that metrics can count it. Precedes changes of its messages. */
export const decideApproval = defineChange<DecideApproval>(
  'decide-approval',
  async (writing, { approval, status, person, note, at, otherwise }) => {
    const { id, version, environment_id: environmentId, sub_tenant_id: subTenantId } = approval;
    const set = {
      ...{ status, note, decided_at: at, updated_at: at },
      decided_by: person?.id ?? null,
      decided_by_email: person?.email ?? null,
    };
    const where = { id, version, status: 'pending' } as const;
    if ((await updateRows(writing, approvals, { set, where }, ['id'])).length === 0) refuse(otherwise);
    await appendRecordEvent(writing, {
      ...{ of: { environmentId }, subTenantId, subjectId: id, at },
      event: `approval.${status}`,
      usually: 'system',
    });
  },
);

interface ReleaseHeld {
  messageId: number;
  /** The time from which `dueAt` was derived. */
  scheduledAt: number | null;
  domain: string;
  rank: number;
  dueAt: number;
  expiresAt: number;
  at: number;
  /** The message was canceled or rescheduled in the meantime. */
  otherwise: Otherwise;
}

/** Adds an approved message to the queue. */
export const releaseHeld = defineChange<ReleaseHeld>(
  'release-held',
  async ({ tx, gathered }, { messageId, scheduledAt, at, otherwise, ...entry }, committed) => {
    const [message] = await rowsAs<{ environment_id: number; sub_tenant_id: string | null }>(
      tx.run(RELEASE, [at, messageId, scheduledAt ?? 0]),
    );
    if (!message) return refuse(otherwise);
    const { domain, rank, dueAt, expiresAt } = entry;
    const { environment_id: environmentId, sub_tenant_id: subTenantId } = message;
    const destination = { environmentId, subTenantKey: subTenantId ?? '', domain, rank };
    gathered.of(enqueuedRows).add(destination, { messageId, dueAt, expiresAt }, committed);
  },
);

/**
 * Locks the approval against decisions until the plan ends. Refused if it was already decided. Precedes changes of its messages.
 */
export const lockPending = defineChange<{ id: string; otherwise: Otherwise }>(
  'lock-approval',
  async ({ tx, engine }, { id, otherwise }) => {
    if ((await tx.run(`${LOCK} ${engine.forUpdate}`, [id])).length === 0) refuse(otherwise);
  },
);

/** Cancels a pending approval if none of its messages is waiting. Follows the changes of its messages. */
export const endIfNoneWaits = defineChange<{ id: string; at: number }>(
  'end-approval',
  async (writing: Writing, { id, at }) => {
    if ((await writing.tx.run(STILL_WAITING, [id])).length > 0) return;
    const set: Partial<Approval> = { status: 'canceled', decided_at: at, updated_at: at };
    await updateRows(writing, approvals, { set, where: { id, status: 'pending' } }, ['id']);
  },
);
