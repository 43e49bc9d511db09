// Locks on the data folder, held by the kernel for this process: they are gone when it is, however it ends.
// An SQLite database that is never written to is the portable way to such a lock.
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { Database } from './sqlite-driver.js';

export interface FolderLock {
  release(): void;
}

/** Another process holds the lock. */
export class FolderLockError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'FolderLockError';
  }
}

const RETRY_MS = 25;

/** One server per data folder. Throws a FolderLockError that names the folder when another one runs on it. */
export function lockDataFolder(dir: string): FolderLock {
  const lock = tryLock(join(dir, 'server.lock'));
  if (lock === null) {
    throw new FolderLockError(
      `Another Mailkeel server is using the data folder ${dir}. Stop it, or choose another folder with MAILKEEL_DATA_DIR.`,
    );
  }
  return lock;
}

/** Runs `work` while no other process makes keys or migrates the database in the folder; waits for its turn. */
export async function withSetupLock<T>(dir: string, waitMs: number, work: () => Promise<T>): Promise<T> {
  const lock = await lockWhenFree(dir, waitMs);
  try {
    return await work();
  } finally {
    lock.release();
  }
}

async function lockWhenFree(dir: string, waitMs: number): Promise<FolderLock> {
  for (let waitedMs = 0; ; waitedMs += RETRY_MS) {
    const lock = tryLock(join(dir, 'setup.lock'));
    if (lock !== null) return lock;
    if (waitedMs >= waitMs) {
      throw new FolderLockError(
        `Another process has been initializing the data folder ${dir} for ${waitMs} ms. Retry later.`,
      );
    }
    await wait(RETRY_MS);
  }
}

function tryLock(file: string): FolderLock | null {
  const database = new Database(file, { timeout: 0 });
  try {
    database.exec('BEGIN EXCLUSIVE');
  } catch (error) {
    database.close();
    if (error instanceof Database.SqliteError && error.code.startsWith('SQLITE_BUSY')) return null;
    throw error;
  }
  return { release: () => void database.close() };
}
