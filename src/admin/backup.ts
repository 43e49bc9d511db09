// `posthorn admin backup`: a consistent copy of the database, while the server runs or not.
import { resolve } from 'node:path';
import { Refusal } from '../contract/refusal.js';
import type { Config } from '../settings/settings.js';
import { backupSqlite } from '../store/engine/sqlite-backup.js';
import { existingDataFolder } from './open-existing.js';

export interface Backup {
  file: string;
  sizeBytes: number;
  /** Not in the file; without it the sealed secrets in the database cannot be opened. */
  keysFolder: string;
}

/** Refuses with `conflict` when the file exists. */
export async function adminBackup(config: Pick<Config, 'dataDir'>, to: string): Promise<Backup> {
  const folder = await existingDataFolder(config);
  const file = resolve(to);
  try {
    return { file, sizeBytes: await backupSqlite(folder.databaseFile, file), keysFolder: folder.keysFolder };
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') {
      throw new Refusal('conflict', `${file} exists already; a backup never replaces a file.`);
    }
    throw error;
  }
}
