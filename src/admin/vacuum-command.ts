// `mailkeel admin vacuum`: rewrites the database file without free pages, while no server runs.
import type { Command } from 'commander';
import { type OutputOptions, type Terminal, print } from './terminal.js';
import { statfs } from 'node:fs/promises';
import { Refusal } from '../contract/refusal.js';
import { keepTemporaryFilesIn } from '../settings/temporary-files.js';
import { lockDataFolder, withSetupLock } from '../database/engine/server-lock.js';
import { vacuumSqlite, type Vacuumed } from '../database/engine/sqlite-vacuum.js';
import {
  type DatabaseSettings,
  folderWithDatabase,
  withReadStore,
} from '../app/installation/open-existing.js';

const SETUP_WAIT_MS = 10_000;
/** The copy, and the log, which contains a second one. */
const COPIES = 2;

/** Refuses with `conflict` if the disk lacks free space. Throws a FolderLockError while a server runs. */
export async function adminVacuum(config: DatabaseSettings): Promise<Vacuumed> {
  const { path, databaseFile } = await folderWithDatabase(config);
  const lock = lockDataFolder(path);
  try {
    return await withSetupLock(path, SETUP_WAIT_MS, async () => {
      await refuseWithoutRoom(config, path);
      // The system's temporary folder may be small or in memory.
      keepTemporaryFilesIn(path);
      return vacuumSqlite(databaseFile);
    });
  } finally {
    lock.release();
  }
}

async function refuseWithoutRoom(config: DatabaseSettings, folder: string): Promise<void> {
  const { file } = await withReadStore(config, (store) => store.size());
  if (file === null) return;
  const needed = COPIES * (file.bytes - file.freeBytes);
  const { bavail, bsize } = await statfs(folder);
  if (bavail * bsize >= needed) return;
  throw new Refusal('conflict', `Not enough free disk space. Rewriting the file requires ${needed} bytes.`);
}

export function addAdminVacuum(admin: Command, terminal: Terminal): void {
  admin
    .command('vacuum')
    .description('Compact the database file; stop the server first')
    .option('--json', 'Output JSON')
    .action(async (options: OutputOptions) => {
      const { before, after } = await adminVacuum(terminal.loadConfig().config);
      const value = { size_bytes_before: before, size_bytes: after };
      print(terminal, options, value, `Database size: ${before} bytes before, ${after} bytes after`);
    });
}
