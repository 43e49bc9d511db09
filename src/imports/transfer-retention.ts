// The sweep that forgets imports and exports some time after they ended, and files that belong to none.
import type { Clock } from '../lib/runtime/clock.js';
import type { Store } from '../store/store.js';

/** Each its own commit, so that others can write in between. */
const BATCH = 100;
/** Rows of one run; the next run goes on. */
const MAX_BATCHES = 100;
/** A file is older than its row: it is written first. */
const ORPHAN_MS = 3_600_000;

export interface TransferRetentionDeps {
  store: Pick<Store, 'commit'> & {
    transfers: Pick<Store['transfers'], 'transfersFinishedBefore' | 'transfersAmong'>;
  };
  files: { remove(id: string): Promise<void>; idsBefore(at: number): Promise<string[]> };
  /** How long they are kept after their end. */
  keepMs: number;
  clock: Clock;
}

export interface TransferRetention {
  run(): Promise<void>;
}

export function createTransferRetention({
  store,
  files,
  keepMs,
  clock,
}: TransferRetentionDeps): TransferRetention {
  async function forgetOld(): Promise<void> {
    for (let batch = 0; batch < MAX_BATCHES; batch++) {
      const ids = await store.transfers.transfersFinishedBefore(clock() - keepMs, BATCH);
      // The files first: a row without them is found again, files without a row would only be guessed at.
      for (const id of ids) await files.remove(id);
      if (ids.length > 0) await store.commit([{ kind: 'delete', from: 'transfers', where: { id: ids } }]);
      if (ids.length < BATCH) return;
    }
  }

  async function removeOrphans(): Promise<void> {
    const ids = await files.idsBefore(clock() - ORPHAN_MS);
    for (let i = 0; i < ids.length; i += BATCH) {
      const some = ids.slice(i, i + BATCH);
      const known = await store.transfers.transfersAmong(some);
      for (const id of some) if (!known.has(id)) await files.remove(id);
    }
  }

  return {
    async run() {
      await forgetOld();
      await removeOrphans();
    },
  };
}
