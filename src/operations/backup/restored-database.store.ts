// Prepares a restored database in one transaction: holds outbound mail, pauses campaigns and sequences in progress, and gives
// events a new epoch.
import { randomInt } from 'node:crypto';
import { type Kysely, sql } from 'kysely';
import type { environments } from '../../accounts/accounts.tables.js';
import type { restoredChains, restores } from '../../backups/backups.tables.js';
import type { campaigns } from '../../campaigns/campaigns.tables.js';
import type { Instant, TablesOf } from '../../database/columns.js';
import type { Engine, Tx } from '../../database/engine/engine.js';
import { rowsAs } from '../../database/sql.js';
import type { chains } from '../../events/events.tables.js';
import type { messages } from '../../messages/messages.tables.js';
import type { queue, queues } from '../../messages/queue.tables.js';
import type { sequences } from '../../sequences/sequences.tables.js';

type Known = TablesOf<
  | typeof campaigns
  | typeof chains
  | typeof environments
  | typeof messages
  | typeof queue
  | typeof queues
  | typeof restoredChains
  | typeof restores
  | typeof sequences
>;

/** Epoch 0 precedes every restore. */
const EPOCHS = 4096;
const PROBLEM = JSON.stringify({
  code: 'restored',
  message:
    'A backup was restored, so recipients may have received messages sent after the backup. Release the held mail with the delivery log, then resume.',
});

const NEWEST_EVENT = `SELECT MAX(e.occurred_at) AS at FROM chains c
  JOIN events e ON e.position = c.workspace_number * 68719476736 + c.head_seq`;

interface HoldRequest {
  copyName: string;
  /** Epoch ms when the copy began. `null` if unknown, in which case the newest event's time is used. */
  copiedAt: number | null;
  now: number;
}

export interface HeldRestore {
  epoch: number;
  copiedAt: number;
  /** IDs of campaigns that were paused or turned into drafts. */
  campaigns: string[];
  sequences: string[];
  /** Live messages in the queue. */
  queued: number;
}

export function holdRestored(engine: Engine, { copyName, copiedAt, now }: HoldRequest): Promise<HeldRestore> {
  return engine.transaction(async (tx) => {
    const db = tx.db.$extendTables<Known>();
    const unreleased = await db
      .updateTable('restores')
      .set({ released_at: now })
      .where('released_at', 'is', null)
      .returning('copied_at')
      .execute();
    const [newest] = await rowsAs<{ at: Instant | null }>(tx.run(NEWEST_EVENT, []));
    // If the copy was made while mail was held, messages are in doubt since the earlier of the two restores.
    const since = Math.min(copiedAt ?? newest?.at ?? 0, ...unreleased.map((restore) => restore.copied_at));
    const epoch = await insertEpoch(tx, { copyName, copiedAt: since, now, releasedAt: null });
    await db
      .insertInto('restored_chains')
      .columns(['workspace_number', 'epoch', 'head_seq'])
      .expression((eb) =>
        eb.selectFrom('chains').select(['workspace_number', sql.lit(epoch).as('epoch'), 'head_seq']),
      )
      .execute();
    return {
      epoch,
      copiedAt: since,
      campaigns: await stopCampaigns(db, now),
      sequences: await pauseSequences(db, now),
      queued: await queuedLive(db),
    };
  });
}

/**
 * Pauses campaigns that are sending. Scheduled campaigns whose time has come become drafts, because they may have been sent
 * before the restore.
 */
async function stopCampaigns(db: Kysely<Known>, now: number): Promise<string[]> {
  const paused = await db
    .updateTable('campaigns')
    .set({ status: 'paused', paused_at: now, problem: PROBLEM, updated_at: now })
    .where('status', '=', 'sending')
    .where('deleted_at', 'is', null)
    .returning('id')
    .execute();
  const unscheduled = await db
    .updateTable('campaigns')
    .set({ status: 'draft', scheduled_at: null, versions: null, problem: PROBLEM, updated_at: now })
    .where('status', '=', 'scheduled')
    .where('scheduled_at', '<=', now)
    .where('deleted_at', 'is', null)
    .returning('id')
    .execute();
  return [...paused, ...unscheduled].map(({ id }) => id);
}

async function pauseSequences(db: Kysely<Known>, now: number): Promise<string[]> {
  const paused = await db
    .updateTable('sequences')
    .set({ status: 'paused', problem: PROBLEM, updated_at: now })
    .where('status', '=', 'active')
    .where('deleted_at', 'is', null)
    .returning('id')
    .execute();
  return paused.map(({ id }) => id);
}

interface NewEpoch {
  copyName: string;
  copiedAt: number;
  now: number;
  /** Epoch ms. `null` while outbound mail is held until someone releases it. */
  releasedAt: number | null;
}

/** Records a restore with an unused epoch, and returns the epoch. */
export async function insertEpoch(
  tx: Tx,
  { copyName, copiedAt, now, releasedAt }: NewEpoch,
): Promise<number> {
  const db = tx.db.$extendTables<Known>();
  const former = await db.selectFrom('restores').select('epoch').execute();
  const epoch = freshEpoch(new Set(former.map((restore) => restore.epoch)));
  const last = await db
    .selectFrom('messages')
    .select((eb) => eb.fn.max<number | null>('id').as('id'))
    .executeTakeFirst();
  await db
    .insertInto('restores')
    .values({
      epoch,
      copy_name: copyName,
      copied_at: copiedAt,
      restored_at: now,
      last_message_id: last?.id ?? 0,
      released_at: releasedAt,
    })
    .execute();
  return epoch;
}

function freshEpoch(known: ReadonlySet<number>): number {
  for (;;) {
    const epoch = randomInt(1, EPOCHS);
    if (!known.has(epoch) || known.size >= EPOCHS - 1) return epoch;
  }
}

async function queuedLive(db: Kysely<Known>): Promise<number> {
  const { n } = await db
    .selectFrom('queue as q')
    .innerJoin('queues as l', 'l.id', 'q.queue_id')
    .innerJoin('environments as e', 'e.id', 'l.environment_id')
    .select((eb) => eb.fn.countAll<number>().as('n'))
    .where('e.mode', '=', 'live')
    .executeTakeFirstOrThrow();
  return n;
}
