// `posthorn admin backup FILE`: a consistent copy of the database, while the server runs or not.
import type { Command } from 'commander';
import { type OutputOptions, type Terminal, print } from './terminal.js';
import { resolve } from 'node:path';
import { Refusal } from '../contract/refusal.js';
import type { Config } from '../settings/settings.js';
import { backupSqlite } from '../store/engine/sqlite-backup.js';
import { existingDataFolder } from './open-existing.js';

export function addAdminBackup(admin: Command, terminal: Terminal): void {
  admin
    .command('backup')
    .description('copy the database to FILE while the server runs; the keys folder is not inside')
    .argument('<file>', 'a file that does not exist yet')
    .option('--json', 'print JSON')
    .action(async (file: string, options: OutputOptions) => {
      const backup = await adminBackup(terminal.loadConfig().config, file);
      const note =
        `The keys are not inside. Copy ${backup.keysFolder} too, to another place: without it the signing keys ` +
        'and webhook secrets in this file cannot be opened.';
      const value = {
        file: backup.file,
        size_bytes: backup.sizeBytes,
        keys_folder: backup.keysFolder,
        note,
      };
      print(terminal, options, value, `${backup.file}: ${backup.sizeBytes} bytes\n${note}`);
    });
}

interface Backup {
  file: string;
  sizeBytes: number;
  /** Not in the file; without it the sealed secrets in the database cannot be opened. */
  keysFolder: string;
}

/** Writes the copy. Refuses with `conflict` when the file exists. */
async function adminBackup(config: Pick<Config, 'dataDir'>, to: string): Promise<Backup> {
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
