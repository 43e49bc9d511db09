// Opens the data folder as the server and the offline commands do: folder, keys, database, schema, in this order,
// one process at a time.
import { open } from 'node:fs/promises';
import type { Config } from '../settings/settings.js';
import {
  type DataFolder,
  describeDataFolder,
  prepareDataFolder,
  refuseUnfinishedRestore,
} from '../lib/runtime/data-folder.js';
import { type Keys, openKeyFiles } from '../lib/runtime/key-files.js';
import type { Engine } from '../store/engine/engine.js';
import { withSetupLock } from '../store/engine/server-lock.js';
import { openSqlite } from '../store/engine/sqlite.js';
import { migrate } from '../store/migrations/migrate.js';
import { type Store, createStore } from '../store/store.js';

/** Time (ms) that a statement waits for another process that writes. */
export const BUSY_TIMEOUT_MS = 5000;
const SETUP_WAIT_MS = 60_000;

export interface Appliance {
  folder: DataFolder;
  keys: Keys;
  engine: Engine;
  store: Store;
  /** Names of the migrations that ran. */
  migrated: string[];
}

export type ApplianceConfig = Pick<Config, 'dataDir' | 'groupCommitMaxPlans'> &
  Partial<Pick<Config, 'masterKeyFile'>>;

/** Opens the data folder and creates what is missing. The caller closes `store`. Throws DataFolderError, KeyFileError and FolderLockError. */
export async function openAppliance(config: ApplianceConfig): Promise<Appliance> {
  const { path } = await prepareDataFolder(config.dataDir);
  return withSetupLock(path, SETUP_WAIT_MS, async () => {
    await refuseUnfinishedRestore(path);
    const folder = await describeDataFolder(path);
    const keys = await openKeyFiles(path, {
      databaseExists: folder.databaseExists,
      masterKeyFile: config.masterKeyFile ?? null,
    });
    // The engine would make it readable for all users; its log files take over the mode.
    await (await open(folder.databaseFile, 'a', 0o600)).close();
    const engine = openSqlite({ file: folder.databaseFile, busyTimeoutMs: BUSY_TIMEOUT_MS });
    try {
      const migrated = await migrate(engine);
      const store = createStore(engine, { maxGroup: config.groupCommitMaxPlans });
      return { folder, keys, engine, store, migrated };
    } catch (error) {
      await engine.close();
      throw error;
    }
  });
}

/** Opens the data folder for `work`, and closes it whatever happens. */
export async function withAppliance<T>(
  config: ApplianceConfig,
  work: (appliance: Appliance) => Promise<T>,
): Promise<T> {
  const appliance = await openAppliance(config);
  try {
    return await work(appliance);
  } finally {
    await appliance.store.close();
  }
}
