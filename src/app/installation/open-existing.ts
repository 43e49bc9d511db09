// Opens an installation's database read-only and creates nothing.
import { Refusal } from '../../contract/refusal.js';
import type { Config } from '../../settings/settings.js';
import { type DataFolder, DataFolderError, describeDataFolder } from '../../lib/files/index.js';
import type { Engine } from '../../database/engine/engine.js';
import { openEngine, choosePlace } from '../../database/engine/place.js';
import { planMigrations } from '../../database/migrations/migrate.js';
import { refuseUnfinishedMove } from '../../database/move/unfinished-move.store.js';
import { createReadStore, type ReadStore } from '../store.js';
import { BUSY_TIMEOUT_MS } from './open-appliance.js';

/** The installation was never started. */
class NoDatabaseError extends DataFolderError {
  constructor(where: string) {
    super(`No database found ${where}. Start the server or run "mailkeel admin bootstrap" first.`);
  }
}

export type DatabaseSettings = Pick<Config, 'dataDir'> & Partial<Pick<Config, 'databaseUrl'>>;

/**
 * Returns the folder. Throws DataFolderError if it contains no database, and the refusal `conflict` if a database server stores
 * the rows.
 */
export async function folderWithDatabase(config: DatabaseSettings): Promise<DataFolder> {
  if ((config.databaseUrl ?? null) !== null) {
    throw new Refusal(
      'conflict',
      'MAILKEEL_DATABASE_URL is set, but this command only works with the SQLite file in the data folder. Use PostgreSQL tools instead (docs/postgresql.md).',
    );
  }
  const folder = await describeDataFolder(config.dataDir);
  if (folder.databaseExists) return folder;
  throw new NoDatabaseError(`in the data folder ${folder.path}`);
}

/** Opens the database for `work` and always closes it. Throws DataFolderError if there is none. */
export async function withExistingDatabase<T>(
  config: DatabaseSettings,
  work: (engine: Engine, folder: DataFolder) => Promise<T>,
): Promise<T> {
  const folder = await describeDataFolder(config.dataDir);
  const place = choosePlace(config, folder.databaseFile);
  if (place.kind === 'file') await folderWithDatabase(config);
  const engine = await openEngine(place, { busyTimeoutMs: BUSY_TIMEOUT_MS, readOnly: true });
  try {
    await refuseUnfinishedMove(engine);
    if (place.kind === 'server' && (await planMigrations(engine)).isNew)
      throw new NoDatabaseError('on the PostgreSQL server');
    return await work(engine, folder);
  } finally {
    await engine.close();
  }
}

/** Whether this release would create or change tables of the database. */
export async function hasPendingMigrations(config: DatabaseSettings): Promise<boolean> {
  const { databaseFile } = await describeDataFolder(config.dataDir);
  const engine = await openEngine(choosePlace(config, databaseFile), {
    busyTimeoutMs: BUSY_TIMEOUT_MS,
    readOnly: true,
  });
  try {
    return (await planMigrations(engine)).pending.length > 0;
  } finally {
    await engine.close();
  }
}

/** Like `withExistingDatabase`, with the store's reads. */
export function withReadStore<T>(
  config: DatabaseSettings,
  work: (store: ReadStore) => Promise<T>,
): Promise<T> {
  return withExistingDatabase(config, (engine) => work(createReadStore(engine)));
}

/** Like `withReadStore`; returns null if there is no database yet. */
export async function withReadStoreIfThere<T>(
  config: DatabaseSettings,
  work: (store: ReadStore) => Promise<T>,
): Promise<T | null> {
  try {
    return await withReadStore(config, work);
  } catch (error) {
    if (error instanceof NoDatabaseError) return null;
    throw error;
  }
}
