// Work that no server may disturb: it has the locks that a running server has.
import type { Config } from '../settings/settings.js';
import { Refusal } from '../contract/refusal.js';
import { describeDataFolder } from '../lib/runtime/data-folder.js';
import { lockDatabaseNow } from '../store/engine/postgres-lock.js';
import { lockDataFolder } from '../store/engine/server-lock.js';

/** Refuses with `conflict`, or throws a FolderLockError, while a server works on the data folder or the database. */
export async function withStoppedServer<T>(
  config: Pick<Config, 'dataDir' | 'databaseUrl'>,
  work: () => Promise<T>,
): Promise<T> {
  const { path } = await describeDataFolder(config.dataDir);
  const folderLock = lockDataFolder(path);
  try {
    if (config.databaseUrl === null) return await work();
    const databaseLock = await lockDatabaseNow(config.databaseUrl);
    if (databaseLock === null) {
      throw new Refusal(
        'conflict',
        'A Posthorn server works on this database. Stop it first, and those that stand by.',
      );
    }
    try {
      return await work();
    } finally {
      await databaseLock.release();
    }
  } finally {
    folderLock.release();
  }
}
