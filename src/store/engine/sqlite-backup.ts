// Online backup of the database file: a consistent copy while the server runs and writes.
import { randomBytes } from 'node:crypto';
import { link, open, unlink } from 'node:fs/promises';
import { dirname } from 'node:path';
import { Database } from './sqlite-driver.js';

// All pages in one step: between steps another process may write, and the copy would begin anew each time.
const ALL_PAGES = 2 ** 31 - 1;

/**
 * Copies the database to a new file (0600), checks the copy and makes it durable. Returns its size in bytes. Fails with
 * EEXIST when the file exists, and leaves nothing behind when it fails.
 */
export async function backupSqlite(from: string, to: string): Promise<number> {
  const temporary = `${to}.${randomBytes(4).toString('hex')}.part`;
  await (await open(temporary, 'wx', 0o600)).close();
  try {
    await copy(from, temporary);
    check(temporary);
    const sizeBytes = await sync(temporary);
    // Unlike a rename, a link never replaces an older backup.
    await link(temporary, to);
    await sync(dirname(to));
    return sizeBytes;
  } finally {
    await unlink(temporary);
  }
}

async function copy(from: string, to: string): Promise<void> {
  const source = new Database(from, { readonly: true, fileMustExist: true });
  try {
    await source.backup(to, { progress: () => ALL_PAGES });
  } finally {
    source.close();
  }
}

function check(file: string): void {
  const database = new Database(file);
  try {
    // Without its own log beside it the copy is one file, which can be moved and checked as such.
    database.pragma('journal_mode = DELETE');
    const result: unknown = database.pragma('quick_check', { simple: true });
    if (result !== 'ok') throw new Error(`The copy does not pass SQLite's check: ${String(result)}`);
  } finally {
    database.close();
  }
}

async function sync(path: string): Promise<number> {
  const handle = await open(path, 'r');
  try {
    await handle.sync();
    return (await handle.stat()).size;
  } finally {
    await handle.close();
  }
}
