// Shares one program between tests that read all rows: restores its rows, which takes a twentieth of a start. The program's
// caches of rows remain, and nothing may be in progress.
import { join } from 'node:path';
import { Database } from '../../src/database/engine/sqlite-driver.js';
import { temporaryFolder } from './open-engines.js';
import type { TestProgram } from './program.js';

/** Saves the program's current rows. `rewind` restores them, `forget` discards them. */
export async function keepRows({ store, databaseFile }: Pick<TestProgram, 'store' | 'databaseFile'>) {
  const folder = temporaryFolder();
  const kept = join(folder.path, 'kept.db');
  await copyRows(databaseFile, kept);
  return {
    async rewind(): Promise<void> {
      await store.drain();
      await copyRows(kept, databaseFile);
    },
    forget: () => folder.remove(),
  };
}

/** A process that has `to` open sees the other rows from then on. */
async function copyRows(from: string, to: string): Promise<void> {
  const database = new Database(from);
  try {
    await database.backup(to, { progress: () => 100_000 });
  } finally {
    database.close();
  }
}
