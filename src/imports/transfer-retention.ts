// Forgets imports and exports with their files, and files that belong to none. When: operations/retention/age-limits.
import type { ImportStores } from './stores.js';
import { transfers } from './transfers.tables.js';
import { remove } from '../database/rows.js';

/** Ids that are looked up at once. */
const BATCH = 100;

export interface TransferRetentionDeps {
  store: Pick<ImportStores, 'commit'> & {
    transfers: Pick<ImportStores['transfers'], 'transfersFinishedBefore' | 'transfersAmong'>;
  };
  files: { remove(id: string): Promise<void>; idsBefore(at: number): Promise<string[]> };
}

export type TransferRetention = ReturnType<typeof createTransferRetention>;

export function createTransferRetention({ store, files }: TransferRetentionDeps) {
  return {
    /** Forgets up to `limit` that ended before a time; answers how many. */
    async forgetFinished(before: number, limit: number): Promise<number> {
      const ids = await store.transfers.transfersFinishedBefore(before, limit);
      // The files first: a row without them is found again, files without a row would only be guessed at.
      for (const id of ids) await files.remove(id);
      if (ids.length > 0) await store.commit([remove(transfers, { where: { id: ids } })]);
      return ids.length;
    },

    /** Removes files from before a time that have no row. */
    async removeOrphans(before: number): Promise<void> {
      const ids = await files.idsBefore(before);
      for (let i = 0; i < ids.length; i += BATCH) {
        const some = ids.slice(i, i + BATCH);
        const known = await store.transfers.transfersAmong(some);
        for (const id of some) if (!known.has(id)) await files.remove(id);
      }
    },
  };
}
