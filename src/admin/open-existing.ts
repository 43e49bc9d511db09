// Opens the database of a data folder for reading only; creates nothing.
import type { Config } from '../settings/settings.js';
import { type DataFolder, DataFolderError, describeDataFolder } from '../lib/runtime/data-folder.js';
import { openSqlite } from '../store/engine/sqlite.js';
import { type ReadStore, createReadStore } from '../store/store.js';
import { BUSY_TIMEOUT_MS } from './open-appliance.js';

/** The folder. Throws DataFolderError when it holds no database. */
export async function existingDataFolder(config: Pick<Config, 'dataDir'>): Promise<DataFolder> {
  const folder = await describeDataFolder(config.dataDir);
  if (folder.databaseExists) return folder;
  throw new DataFolderError(
    `There is no database in the data folder ${folder.path}. Start the server once, or run: posthorn admin bootstrap`,
  );
}

/** Opens the database for `work`, and closes it whatever happens. */
export async function withReadStore<T>(
  config: Pick<Config, 'dataDir'>,
  work: (store: ReadStore) => Promise<T>,
): Promise<T> {
  const folder = await existingDataFolder(config);
  const engine = openSqlite({
    file: folder.databaseFile,
    busyTimeoutMs: BUSY_TIMEOUT_MS,
    readOnly: true,
  });
  try {
    return await work(createReadStore(engine));
  } finally {
    await engine.close();
  }
}
