// Backs up the database file online and checks files. The code is synchronous, so a server runs it in a separate thread
// (file-tasks.ts).
import { createHash, randomBytes } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { link, open, unlink } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { TableSize } from './file-port.js';
import { Database } from './sqlite-driver.js';

// All pages in one step, because a write between steps would restart the copy.
const ALL_PAGES = 2 ** 31 - 1;
const PART = '.part';
/** Event positions of a workspace, as in events/chains.store.ts. */
const CHAIN_HEADS = `SELECT c.workspace_number FROM chains c
  LEFT JOIN events e ON e.position = c.workspace_number * 68719476736 + c.head_seq
  WHERE c.head_seq > 0 AND (e.hash IS NULL OR e.hash <> c.head_hash) LIMIT 1`;

/** Returns the name of a file's unfinished copy. */
export function partName(file: string): string {
  return `${file}.${randomBytes(4).toString('hex')}${PART}`;
}

/** Whether a name is that of an unfinished copy, which a crash may leave. */
export function isPart(name: string): boolean {
  return name.endsWith(PART);
}

/**
 * Copies the database to a new file (0600), verifies the copy and makes it durable. Returns its size in bytes. Fails with
 * EEXIST if the file exists, and leaves no files if it fails.
 */
export async function backupSqlite(from: string, to: string): Promise<number> {
  const temporary = partName(to);
  await (await open(temporary, 'wx', 0o600)).close();
  try {
    await copy(from, temporary);
    const problem = sqliteProblem(temporary);
    if (problem !== null) throw new Error(`The copy is invalid: ${problem}`);
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
  const made = new Database(to);
  try {
    // Without a separate log, the copy is one file that can be moved and verified.
    made.pragma('journal_mode = DELETE');
  } finally {
    made.close();
  }
}

/**
 * Returns the damage of a database file as a sentence; null if its pages and the ends of its event chains are intact. Changes
 * nothing.
 */
export function sqliteProblem(file: string, isFull = false): string | null {
  try {
    const database = new Database(file, { readonly: true, fileMustExist: true });
    try {
      const result: unknown = database.pragma(`${isFull ? 'integrity' : 'quick'}_check(1)`, { simple: true });
      if (result !== 'ok') return `SQLite integrity check failed: ${String(result)}`;
      const tables = `SELECT COUNT(*) FROM sqlite_master WHERE name IN ('chains', 'events')`;
      if (database.prepare(tables).pluck().get() !== 2) return 'not a Mailkeel database';
      const broken = database.prepare(CHAIN_HEADS).pluck().get();
      return broken === undefined ? null : `the event chain of workspace ${Number(broken)} is incomplete`;
    } finally {
      database.close();
    }
  } catch (error) {
    if (error instanceof Database.SqliteError) return `${error.message} (${error.code})`;
    throw error;
  }
}

/** Returns the tables of a database file with their indexes, largest first. */
export function sqliteTableSizes(file: string): TableSize[] {
  const database = new Database(file, { readonly: true, fileMustExist: true });
  try {
    const sizes = `SELECT s.tbl_name AS name, SUM(d.pgsize) AS bytes FROM dbstat d
      JOIN sqlite_schema s ON s.name = d.name WHERE d.aggregate = TRUE GROUP BY s.tbl_name ORDER BY bytes DESC`;
    return database.prepare<[], TableSize>(sizes).all();
  } finally {
    database.close();
  }
}

/** Returns the SHA-256 of a file in lowercase hex. */
export async function sha256OfFile(file: string): Promise<string> {
  const digest = createHash('sha256');
  for await (const piece of createReadStream(file, { highWaterMark: 1024 * 1024 }))
    digest.update(piece as Buffer);
  return digest.digest('hex');
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
