// Tests reader threads: their results, the order of waiting readers, and statements that take too long.
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Engine } from '../../src/database/engine/engine.js';
import { ReaderPool } from '../../src/database/engine/reader-pool.js';
import { createReadings, type Reading } from '../../src/database/engine/reading.js';
import { openSqlite } from '../../src/database/engine/sqlite.js';
import { Database } from '../../src/database/engine/sqlite-driver.js';
import { temporaryFolder } from '../support/open-engines.js';
import { waitFor } from '../support/wait.js';
import type { marks } from '../../src/accounts/accounts.tables.js';
import type { TablesOf } from '../../src/database/columns.js';

type Known = TablesOf<typeof marks>;

/** Takes about a second per ten million. */
const COUNT = `WITH RECURSIVE step (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM step WHERE n < ?)
  SELECT COUNT(*) AS n FROM step`;
const LONG = 2_000_000;

let folder: ReturnType<typeof temporaryFolder>;
let file: string;
let engine: Engine;

beforeEach(async () => {
  folder = temporaryFolder();
  file = join(folder.path, 'mail.db');
  engine = openSqlite({ file, busyTimeoutMs: 5_000, readers: { fromBytes: 0, statementLimitMs: 60_000 } });
  await engine.transaction(async (tx) => {
    await tx.run('CREATE TABLE things (id INTEGER PRIMARY KEY, name TEXT, weight REAL, photo BLOB)', []);
  });
});

afterEach(async () => {
  await engine.close();
  folder.remove();
});

function open(owner = 'key_1', budgetMs: number | null = 60_000): Reading {
  if (engine.readings === null) throw new Error('This engine has no reader threads.');
  return engine.readings.open(owner, budgetMs);
}

describe('a read', () => {
  it('sees the latest commit, and returns the same rows as the main thread', async () => {
    // Larger than a page of the file.
    const photo = Buffer.alloc(10_000, 3);
    await engine.transaction(async (tx) => {
      await tx.run('INSERT INTO things VALUES (?, ?, ?, ?)', [1, 'ä 🎺', 1.5, photo]);
      await tx.run('INSERT INTO things VALUES (?, ?, ?, ?)', [2, null, null, Buffer.from('small')]);
    });
    const reading = open();
    const there = await reading.run(() => engine.rows('SELECT * FROM things ORDER BY id', []));
    reading.end();
    const here = await engine.rows('SELECT * FROM things ORDER BY id', []);
    expect(there).toEqual(here);
    expect(Buffer.isBuffer(there[0]?.['photo'])).toBe(true);
  });

  it('supports the query builder, several at a time', async () => {
    const reading = open();
    const ask = () => engine.read.$extendTables<Known>().selectFrom('marks').selectAll().execute();
    await expect(reading.run(ask)).rejects.toMatchObject({ code: 'SQLITE_ERROR', message: /no such table/ });
    const rows = await reading.run(() => Promise.all([1, 2, 3].map(async (n) => engine.rows(COUNT, [n]))));
    expect(rows.flat()).toEqual([{ n: 1 }, { n: 2 }, { n: 3 }]);
    reading.end();
  });

  it('does not block the main thread', async () => {
    const reading = open();
    let turns = 0;
    const timer = setInterval(() => (turns += 1), 5);
    await reading.run(() => engine.rows(COUNT, [LONG / 8]));
    clearInterval(timer);
    reading.end();
    expect(turns).toBeGreaterThan(1);
  });

  it('reads the parts of a file separately for any caller', async () => {
    async function* pieces() {
      for (const n of [1, 2]) yield (await engine.rows(COUNT, [n]))[0];
      await engine.rows('SELECT * FROM nothing', []);
    }
    const reading = open();
    const read = reading.pieces(pieces());
    expect(await read.next()).toMatchObject({ value: { n: 1 }, done: false });
    expect(await read.next()).toMatchObject({ value: { n: 2 }, done: false });
    await expect(read.next()).rejects.toMatchObject({ code: 'SQLITE_ERROR' });
    reading.end();
  });

  it('ends when it has used its budget', async () => {
    const first = open();
    await first.run(() => engine.rows('SELECT 1', []));
    first.end();
    const reading = open('key_1', 10);
    await expect(reading.run(() => engine.rows(COUNT, [LONG / 4]))).rejects.toMatchObject({
      code: 'read_too_slow',
    });
    await expect(reading.run(() => engine.rows('SELECT 1', []))).rejects.toMatchObject({
      code: 'read_too_slow',
    });
    reading.end();
    const other = open('key_2');
    expect(await other.run(() => engine.rows('SELECT 1 AS one', []))).toEqual([{ one: 1 }]);
    other.end();
  });
});

it('a small file is read in the same thread', async () => {
  const small = openSqlite({ file, busyTimeoutMs: 5_000 });
  const reading = small.readings?.open('key_1', 10_000);
  try {
    // A promise would be another thread's.
    expect(reading?.run(() => small.rows('SELECT 1 AS one', []))).toEqual([{ one: 1 }]);
  } finally {
    reading?.end();
    await small.close();
  }
});

describe('the pool', () => {
  let pool: ReaderPool;
  const readings = createReadings();
  const of = (owner: string): Reading => readings.open(owner, 60_000);
  const start = (
    more: { file?: string; size?: number; statementLimitMs?: number; idleMs?: number } = {},
  ): void => {
    pool = new ReaderPool({
      ...{ file, busyTimeoutMs: 5_000, size: 2, statementLimitMs: 60_000, idleMs: 60_000 },
      ...more,
    });
  };

  afterEach(() => pool.close());

  it('serves callers fairly', async () => {
    start();
    // Both threads are busy.
    await Promise.all(['key_1', 'key_2'].map((owner) => pool.rows(COUNT, [1], of(owner))));
    const order: string[] = [];
    const slow = [1, 2, 3].map(() =>
      pool.rows(COUNT, [LONG / 20], of('key_1')).then(() => order.push('slow')),
    );
    const quick = pool.rows(COUNT, [1], of('key_2')).then(() => order.push('quick'));
    await Promise.all([...slow, quick]);
    expect(order.indexOf('quick')).toBeLessThan(2);
  });

  it('continues with another thread after a slow statement', async () => {
    const lock = new Database(join(folder.path, 'locked.db'));
    lock.exec('CREATE TABLE things (id INTEGER)');
    start({ file: join(folder.path, 'locked.db'), size: 1, statementLimitMs: 200 });
    // A statement may wait longer than its limit if a thread starts slowly.
    const again = () => pool.rows(COUNT, [5], of('key_2')).catch(() => []);
    await waitFor('a thread', again, (rows) => rows[0]?.['n'] === 5, 20_000);
    lock.exec('BEGIN EXCLUSIVE');
    const cut = pool.rows('SELECT id FROM things', [], of('key_1'));
    const waiting = pool.rows(COUNT, [5], { ...of('key_2'), leftMs: null });
    await expect(cut).rejects.toMatchObject({ code: 'read_too_slow', type: 'unavailable' });
    lock.exec('COMMIT');
    await waiting.catch(() => undefined);
    await waitFor('a thread in its place', again, (rows) => rows[0]?.['n'] === 5, 20_000);
    lock.close();
  });

  it('refuses reads behind too long a queue', async () => {
    start({ size: 1 });
    const asked = Array.from({ length: 400 }, () =>
      pool.rows(COUNT, [1_000], of('key_1')).then(
        () => 'read',
        (error: unknown) => (error as { code: string }).code,
      ),
    );
    const ends = await Promise.all(asked);
    expect(new Set(ends)).toEqual(new Set(['read', 'unavailable']));
    expect(ends.filter((end) => end === 'unavailable').length).toBeGreaterThan(100);
  });

  it('ends idle threads, and starts others', async () => {
    start({ idleMs: 20 });
    expect(pool.threads()).toBe(0);
    await pool.rows(COUNT, [1], of('key_1'));
    await waitFor(
      'the thread to end',
      () => Promise.resolve(pool.threads()),
      (count) => count === 0,
    );
    expect(await pool.rows(COUNT, [2], of('key_1'))).toEqual([{ n: 2 }]);
  });

  it('reports each time that threads do not start', async () => {
    start();
    await pool.close();
    pool = new ReaderPool({
      ...{ file: join(folder.path, 'missing.db'), busyTimeoutMs: 100, size: 1 },
      ...{ statementLimitMs: 20_000, idleMs: 60_000 },
    });
    for (const n of [1, 2]) {
      await expect(pool.rows(COUNT, [n], of('key_1'))).rejects.toThrow('A reader thread ended.');
    }
  });

  it('refuses pending and later reads when it is closed', async () => {
    start();
    const running = expect(pool.rows(COUNT, [LONG], of('key_1'))).rejects.toMatchObject({
      code: 'unavailable',
    });
    await pool.close();
    await running;
    await expect(pool.rows(COUNT, [1], of('key_1'))).rejects.toMatchObject({ code: 'unavailable' });
  });
});
