// Locks on the data folder. The kernel holds them for this process and releases them when it ends in any way. A lock on an
// SQLite database that is never written works on all systems.
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { Database } from './sqlite-driver.js';

interface FolderLock {
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

/** Allows one server per data folder. Throws a FolderLockError that names the folder if another server holds it. */
export function lockDataFolder(dir: string): FolderLock {
  const lock = tryLock(join(dir, 'server.lock'));
  if (lock === null) {
    throw new FolderLockError(
      `Another Mailkeel server is using the data folder ${dir}. Stop it, or choose another folder with MAILKEEL_DATA_DIR.`,
    );
  }
  return lock;
}

/** Runs `work` while no other process creates keys or migrates the database in the folder; waits for the lock. */
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
