// Prepares a restored database for its second life: outbound mail is held, campaigns and sequences that were under way are paused,
// and events get another epoch. All in one transaction.
import { randomInt } from 'node:crypto';
import type { Engine, Tx } from '../../database/engine/engine.js';

/** Epoch 0 is the history before any restore. */
const EPOCHS = 4096;
const PROBLEM = JSON.stringify({
  code: 'restored',
  message:
    'A backup was restored, so recipients may have received messages sent after the backup. Release the held mail with the delivery log, then resume.',
});

const PAUSE_CAMPAIGNS = `UPDATE campaigns SET status = 'paused', paused_at = ?, problem = ?, updated_at = ?
  WHERE status = 'sending' AND deleted_at IS NULL RETURNING id`;
/** The former life may have sent it. One whose time has not come certainly was not sent. */
const UNSCHEDULE_CAMPAIGNS = `UPDATE campaigns SET status = 'draft', scheduled_at = NULL, versions = NULL, problem = ?, updated_at = ?
  WHERE status = 'scheduled' AND scheduled_at <= ? AND deleted_at IS NULL RETURNING id`;
const PAUSE_SEQUENCES = `UPDATE sequences SET status = 'paused', problem = ?, updated_at = ?
  WHERE status = 'active' AND deleted_at IS NULL RETURNING id`;
const NEWEST_EVENT = `SELECT MAX(e.occurred_at) AS at FROM chains c
  JOIN events e ON e.position = c.workspace_number * 68719476736 + c.head_seq`;

export interface HoldRequest {
  copyName: string;
  /** When the copy was begun, epoch ms; null: not known, the newest event counts. */
  copiedAt: number | null;
  now: number;
}

export interface Held {
  epoch: number;
  copiedAt: number;
  /** Ids of what was paused, or is a draft again. */
  campaigns: string[];
  sequences: string[];
  /** Live messages in the queue. */
  queued: number;
}

export function holdRestored(engine: Engine, { copyName, copiedAt, now }: HoldRequest): Promise<Held> {
  return engine.transaction(async (tx) => {
    const former = await tx.run('SELECT copied_at, released_at FROM restores', []);
    const held = former.filter((row) => row['released_at'] === null).map((row) => row['copied_at'] as number);
    const [newest] = await tx.run(NEWEST_EVENT, []);
    // Of a copy that was made while mail was held, the doubt reaches back to the first of the two.
    const since = Math.min(copiedAt ?? (newest?.['at'] as number | null) ?? 0, ...held);
    await tx.run('UPDATE restores SET released_at = ? WHERE released_at IS NULL', [now]);
    const epoch = await insertEpoch(tx, { copyName, copiedAt: since, now, releasedAt: null });
    await tx.run(
      'INSERT INTO restored_chains (workspace_number, epoch, head_seq) SELECT workspace_number, ?, head_seq FROM chains',
      [epoch],
    );
    return {
      epoch,
      copiedAt: since,
      campaigns: [
        ...ids(await tx.run(PAUSE_CAMPAIGNS, [now, PROBLEM, now])),
        ...ids(await tx.run(UNSCHEDULE_CAMPAIGNS, [PROBLEM, now, now])),
      ],
      sequences: ids(await tx.run(PAUSE_SEQUENCES, [PROBLEM, now])),
      queued: await queuedLive(tx),
    };
  });
}

interface NewEpoch {
  copyName: string;
  copiedAt: number;
  now: number;
  /** Null: outbound mail is held until somebody releases it. */
  releasedAt: number | null;
}

/** A restore with an epoch that none has had; that epoch. */
export async function insertEpoch(
  tx: Tx,
  { copyName, copiedAt, now, releasedAt }: NewEpoch,
): Promise<number> {
  const former = await tx.run('SELECT epoch FROM restores', []);
  const epoch = freshEpoch(new Set(former.map((row) => row['epoch'] as number)));
  const [last] = await tx.run('SELECT COALESCE(MAX(id), 0) AS id FROM messages', []);
  await tx.run(
    'INSERT INTO restores (epoch, copy_name, copied_at, restored_at, last_message_id, released_at) VALUES (?, ?, ?, ?, ?, ?)',
    [epoch, copyName, copiedAt, now, Number(last?.['id'] ?? 0), releasedAt],
  );
  return epoch;
}

function freshEpoch(known: ReadonlySet<number>): number {
  for (;;) {
    const epoch = randomInt(1, EPOCHS);
    if (!known.has(epoch) || known.size >= EPOCHS - 1) return epoch;
  }
}

function ids(rows: readonly Record<string, unknown>[]): string[] {
  return rows.map((row) => String(row['id']));
}

async function queuedLive(tx: Tx): Promise<number> {
  const [row] = await tx.run(
    `SELECT COUNT(*) AS n FROM queue q JOIN queues l ON l.id = q.queue_id
      JOIN environments e ON e.id = l.environment_id WHERE e.mode = 'live'`,
    [],
  );
  return Number(row?.['n'] ?? 0);
}
