// Runs work under the locks of a running server, so that no server interferes.
import type { Config } from '../../settings/settings.js';
import { Refusal } from '../../contract/refusal.js';
import { describeDataFolder } from '../../lib/files/index.js';
import { lockDatabaseNow } from '../../database/engine/postgres-session.js';
import { lockDataFolder } from '../../database/engine/server-lock.js';

/** Refuses with `conflict`, or throws a FolderLockError, while a server uses the data folder or the database. */
export async function withStoppedServer<T>(
  config: Pick<Config, 'dataDir' | 'databaseUrl'>,
  work: () => Promise<T>,
): Promise<T> {
  const { path } = await describeDataFolder(config.dataDir);
  const folderLock = lockDataFolder(path);
  try {
    return await withDatabaseLock(config.databaseUrl, work);
  } finally {
    folderLock.release();
  }
}

/** Refuses with `conflict` while a server uses the database. `url` is null if a file stores the rows. */
export async function withDatabaseLock<T>(url: string | null, work: () => Promise<T>): Promise<T> {
  if (url === null) return work();
  const lock = await lockDatabaseNow(url);
  if (lock === null) {
    throw new Refusal(
      'conflict',
      'A Mailkeel server is using this database. Stop it and all standby servers first.',
    );
  }
  try {
    return await work();
  } finally {
    await lock.release();
  }
}
