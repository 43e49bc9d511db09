// What a reader of the write-ahead log sees when SQLite starts the log again.
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

describe('a log that was emptied', () => {
  it('is read from its start once a writer has started it again', () => {
    write(3);
    const end = readOn(null);
    expect(tail.empty()).toBe(true);
    expect(tail.committedSince(end)).toBeNull();
    write();
    expect(tail.committedSince(end)).toMatchObject({ from: null });
  });

  it('has the commits that another process made between the last read and the emptying', () => {
    write(3);
    const end = readOn(null);
    write();
    expect(tail.empty()).toBe(true);
    const further = readOn(end);
    expect(further).toMatchObject({ salt: end.salt });
    write();
    expect(tail.committedSince(further)).toMatchObject({ from: null });
  });

  it('is not continued if it was started again before those were read', () => {
    write(3);
    const end = readOn(null);
    write();
    tail.empty();
    write();
    expect(() => tail.committedSince(end)).toThrow(LogStartedAgain);
  });

  it('is not started again while a commit is unread, however often others write it back', () => {
    write(3);
    const end = readOn(null);
    tail.empty();
    tail.committedSince(end);
    write(2);
    for (const mode of ['PASSIVE', 'FULL', 'RESTART', 'TRUNCATE']) writer.pragma(`wal_checkpoint(${mode})`);
    write(2);
    const restarted = tail.committedSince(end);
    expect(restarted).toMatchObject({ from: null });
    expect(restarted?.databasePages).toBe(writer.pragma('page_count', { simple: true }));
  });

  it('leaves frames to be written back as long as a reader holds them', () => {
    write(3);
    const reader = new Database(join(folder.path, 'mail.db'));
    reader.exec('BEGIN');
    reader.prepare('SELECT COUNT(*) FROM notes').get();
    write(3);
    expect(tail.writeBack()).toBeGreaterThan(0);
    reader.close();
    expect(tail.writeBack()).toBe(0);
  });
});
