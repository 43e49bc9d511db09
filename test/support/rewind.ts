// One program for many tests that look at all rows: its rows as they were, which takes a twentieth of a start. What the program
// remembers of rows stays; nothing of it may be under way.
import { join } from 'node:path';
import { Database } from '../../src/database/engine/sqlite-driver.js';
import { temporaryFolder } from './open-engines.js';
import type { TestProgram } from './program.js';

/** Keeps the rows that the program has now. `rewind` brings them back, `forget` ends that. */
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

/** Whoever has `to` open finds the other rows from then on. */
async function copyRows(from: string, to: string): Promise<void> {
  const database = new Database(from);
  try {
    await database.backup(to, { progress: () => 100_000 });
  } finally {
    database.close();
  }
}
