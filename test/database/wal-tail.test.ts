// Tests what a reader of the write-ahead log sees when SQLite restarts the log.
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Connection, Database } from '../../src/database/engine/sqlite-driver.js';
import { LogStartedAgain, WalTail, type WalPosition } from '../../src/database/engine/wal-tail.js';
import { temporaryFolder } from '../support/open-engines.js';

let folder: ReturnType<typeof temporaryFolder>;
let writer: Connection;
let tail: WalTail;

beforeEach(() => {
  folder = temporaryFolder();
  const file = join(folder.path, 'mail.db');
  writer = new Database(file, { timeout: 0 });
  writer.pragma('journal_mode = WAL');
  writer.pragma('wal_autocheckpoint = 0');
  writer.exec('CREATE TABLE notes (id INTEGER PRIMARY KEY, text BLOB)');
  tail = new WalTail(file);
});
afterEach(() => {
  tail.close();
  writer.close();
  folder.remove();
});

const write = (count = 1): void => {
  for (let i = 0; i < count; i++) writer.exec('INSERT INTO notes (text) VALUES (randomblob(3000))');
};

function readOn(from: WalPosition | null): WalPosition {
  const found = tail.committedSince(from);
  if (found === null) throw new Error('Nothing was committed.');
  return found.to;
}

const readAll = (): WalPosition | null => tail.committedSince(null)?.to ?? null;
const empty = (): boolean => tail.empty(readAll);

describe('a log that was emptied', () => {
  it('is read from its start once a writer has started it again', () => {
    write(3);
    const end = readOn(null);
    expect(empty()).toBe(true);
    expect(tail.committedSince(end)).toBeNull();
    write();
    expect(tail.committedSince(end)).toMatchObject({ from: null });
  });

  it('was read completely before, while no process could write', () => {
    write();
    const isEmpty = tail.empty(() => {
      expect(() => write()).toThrow('locked');
      return readAll();
    });
    expect(isEmpty).toBe(true);
    write();
  });

  it('is not continued if it was started again before all of it was read', () => {
    write(3);
    const end = readOn(null);
    write();
    tail.empty(() => null);
    write();
    expect(() => tail.committedSince(end)).toThrow(LogStartedAgain);
  });

  it('does not restart while a commit is unread, however often others checkpoint it', () => {
    write(3);
    const end = readOn(null);
    empty();
    write(2);
    for (const mode of ['PASSIVE', 'FULL', 'RESTART', 'TRUNCATE']) writer.pragma(`wal_checkpoint(${mode})`);
    write(2);
    const restarted = tail.committedSince(end);
    expect(restarted).toMatchObject({ from: null });
    expect(restarted?.databasePages).toBe(writer.pragma('page_count', { simple: true }));
  });

  it('is not continued if the hold was renewed before all of it was read', () => {
    write(3);
    const end = readOn(null);
    write();
    tail.writeBack(() => null);
    tail.writeBack(() => null);
    write();
    expect(() => tail.committedSince(end)).toThrow(LogStartedAgain);
  });

  it('continues while a reader needs an earlier state', () => {
    write(3);
    const reader = new Database(join(folder.path, 'mail.db'));
    reader.exec('BEGIN');
    reader.prepare('SELECT COUNT(*) FROM notes').get();
    write(3);
    const end = readOn(null);
    expect(tail.writeBack(readAll)).toBeGreaterThan(0);
    expect(empty()).toBe(false);
    write();
    expect(tail.committedSince(end)?.to).toMatchObject({ salt: end.salt });
    reader.close();
    tail.writeBack(readAll);
    expect(empty()).toBe(true);
  });
});
