// Backups that were made, the hold after a restore, and the ends of the chains at each restore.
import type { Engine } from '../database/engine/engine.js';
import type { BackupRow, RestoreRow, backups, restoredChains, restores } from './backups.tables.js';
import type { chains } from '../events/events.tables.js';
import type { TablesOf } from '../database/columns.js';

type Known = TablesOf<typeof backups | typeof chains | typeof restoredChains | typeof restores>;

/** From this number in a workspace's chain on, events are of this epoch. */
interface ChainEpoch {
  workspaceNumber: number;
  /** The last number of the history before. */
  after: number;
  epoch: number;
}

export function createBackupStore(engine: Engine) {
  const db = engine.read.$extendTables<Known>();
  return {
    /** The newest that was tried, and the newest that is good. */
    async latest(): Promise<{ tried: BackupRow | null; good: BackupRow | null }> {
      const newest = db.selectFrom('backups').selectAll().orderBy('ended_at', 'desc').limit(1);
      return {
        tried: (await newest.executeTakeFirst()) ?? null,
        good: (await newest.where('error', 'is', null).executeTakeFirst()) ?? null,
      };
    },

    /** The restore whose outbound mail is still held; null when none is. */
    async hold(): Promise<RestoreRow | null> {
      const query = db.selectFrom('restores').selectAll().where('released_at', 'is', null);
      return (await query.orderBy('restored_at', 'desc').executeTakeFirst()) ?? null;
    },

    /** Returns the time of the last restore to a state that had the message; null without one. */
    async restoredWith(messageId: number): Promise<number | null> {
      const query = db.selectFrom('restores').select('restored_at').where('last_message_id', '>=', messageId);
      return (await query.orderBy('restored_at', 'desc').executeTakeFirst())?.restored_at ?? null;
    },

    /** Of every workspace that has events. */
    async workspaceNumbers(): Promise<number[]> {
      const rows = await db.selectFrom('chains').select('workspace_number').execute();
      return rows.map((row) => row.workspace_number);
    },

    /** Oldest first within a workspace. */
    async chainEpochs(): Promise<ChainEpoch[]> {
      const rows = await db
        .selectFrom('restored_chains as c')
        .innerJoin('restores as r', 'r.epoch', 'c.epoch')
        .select(['c.workspace_number', 'c.head_seq', 'c.epoch'])
        .orderBy('c.workspace_number')
        .orderBy('r.restored_at')
        .execute();
      return rows.map((row) => ({
        workspaceNumber: row.workspace_number,
        after: row.head_seq,
        epoch: row.epoch,
      }));
    },
  };
}
