// Tests records that are deleted by age alone.
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { createStore, type Store } from '../../src/app/store.js';
import { forgettingOf } from '../support/forgetting.js';
import { openMigratedFile, temporaryFolder, type OpenEngine } from '../support/open-engines.js';

const DAY = 86_400_000;
const NOW = 1_000 * DAY;
const YOUNG = NOW - 90 * DAY;
const OLD = YOUNG - 1;

let folder: ReturnType<typeof temporaryFolder>;
let opened: OpenEngine;
let store: Store;

beforeEach(async () => {
  folder = temporaryFolder();
  opened = await openMigratedFile(join(folder.path, 'mail.db'));
  store = createStore(opened.engine, { maxGroup: 50 });
});
afterEach(async () => {
  await store.drain();
  await opened.close();
  folder.remove();
});

const forget = (signal?: AbortSignal) =>
  forgettingOf(store, 'old records', { attemptKeepMs: 90 * DAY, limiterKeepMs: 60 * DAY, clock: () => NOW })(
    signal,
  );

const countOf = async (table: string): Promise<number> =>
  Number((await opened.raw(`SELECT COUNT(*) AS n FROM ${table}`))[0]?.['n']);

it('removes open drafts that were not changed for 90 days', async () => {
  for (const [id, message, at] of [
    ['old', 'NULL', OLD],
    ['young', 'NULL', YOUNG],
    ['sent', "'msg_1'", OLD],
  ]) {
    await opened.raw(
      `INSERT INTO drafts VALUES ('${id}', 1, NULL, 'thr_1', 1, 'a', 'a', ${message}, 2, ${OLD}, ${at}, '{}', NULL)`,
    );
  }
  expect(await forget()).toBe(1);
  expect(await opened.raw('SELECT id FROM drafts ORDER BY id')).toEqual([{ id: 'sent' }, { id: 'young' }]);
});

it('removes only older records', async () => {
  const numbers = `WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 1200)`;
  for (const [at, base] of [
    [OLD, 0],
    [YOUNG, 5_000],
  ] as const) {
    await opened.raw(`${numbers} INSERT INTO attempts SELECT i + ${base}, 1, ${at}, NULL, '{}', NULL FROM n`);
    await opened.raw(`${numbers} INSERT INTO smtp_sessions SELECT 's' || (i + ${base}), ${at}, '{}' FROM n`);
    await opened.raw(
      `${numbers} INSERT INTO delivery_reports SELECT i + ${base}, 'failed', ${at}, '{}', 1, NULL FROM n`,
    );
  }
  await opened.raw(`INSERT INTO delivery_reports VALUES (9999, 'failed', ${OLD}, '{}', 1, ${NOW})`);
  await opened.raw(
    `${numbers} INSERT INTO traffic_state SELECT 'k' || i, '{}', ${NOW - 60 * DAY} - (i % 2) FROM n`,
  );
  expect(await forget()).toBe(3_600);
  for (const table of ['attempts', 'smtp_sessions', 'delivery_reports']) {
    const [row] = await opened.raw(`SELECT MIN(at) AS at FROM ${table} WHERE at <> ${OLD}`);
    expect(Number(row?.['at']), table).toBe(YOUNG);
  }
  expect(await countOf('attempts')).toBe(1_200);
  expect(await countOf('smtp_sessions')).toBe(1_200);
  // One of them is still unsent.
  expect(await countOf('delivery_reports')).toBe(1_201);
  expect(await countOf('traffic_state')).toBe(600);
  expect(await forget()).toBe(0);
});

it('removes nothing after a stop', async () => {
  await opened.raw(`INSERT INTO attempts VALUES (1, 1, ${OLD}, NULL, '{}', NULL)`);
  const stop = new AbortController();
  stop.abort();
  expect(await forget(stop.signal)).toBe(0);
  expect(await countOf('attempts')).toBe(1);
});
