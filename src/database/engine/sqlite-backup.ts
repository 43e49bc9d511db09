// Online backup of the database file, and the checks of a file. All of it is synchronous inside: a server has it done by a
// thread of its own (file-tasks.ts).
import { createHash, randomBytes } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { link, open, unlink } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { TableSize } from './file-port.js';
import { Database } from './sqlite-driver.js';

// All pages in one step: between steps another process may write, and the copy would begin anew each time.
const ALL_PAGES = 2 ** 31 - 1;
const PART = '.part';
/** Positions of a workspace's events, as events/chains.store.ts counts them. */
const CHAIN_HEADS = `SELECT c.workspace_number FROM chains c
  LEFT JOIN events e ON e.position = c.workspace_number * 68719476736 + c.head_seq
  WHERE c.head_seq > 0 AND (e.hash IS NULL OR e.hash <> c.head_hash) LIMIT 1`;

/** The name of the unfinished copy of a file. */
export function partOf(file: string): string {
  return `${file}.${randomBytes(4).toString('hex')}${PART}`;
}

/** Whether it is the name of an unfinished copy, which a crash may leave behind. */
export function isPart(name: string): boolean {
  return name.endsWith(PART);
}

/**
 * Copies the database to a new file (0600), checks the copy and makes it durable. Returns its size in bytes. Fails with
 * EEXIST when the file exists, and leaves nothing behind when it fails.
 */
export async function backupSqlite(from: string, to: string): Promise<number> {
  const temporary = partOf(to);
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
    // Without its own log beside it the copy is one file, which can be moved and checked as such.
    made.pragma('journal_mode = DELETE');
  } finally {
    made.close();
  }
}

/** Damage of a database file, in a sentence; null when its pages and the ends of its event chains are in order. Changes nothing. */
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

/** The tables of a database file with their indexes, largest first. */
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

/** SHA-256 of a file in lower-case hex. */
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
