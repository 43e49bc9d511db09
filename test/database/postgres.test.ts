// Tests the engine with a PostgreSQL server that responds late, wrongly or not at all, which a stub of the pool simulates.
import type { PostgresPool } from 'kysely';
import { expect, it } from 'vitest';
import type { Engine } from '../../src/database/engine/engine.js';
import { openPostgres } from '../../src/database/engine/postgres.js';
import type { messages } from '../../src/messages/messages.tables.js';
import type { TablesOf } from '../../src/database/columns.js';

type Answer = { rows: unknown[] } | Error;

/**
 * A pool that returns the given results, in order, for statements that contain a text. All other statements succeed without rows.
 * There is one connection, and another one after it was released as broken.
 */
function poolThat(answers: Record<string, Answer[]>) {
  const asked: string[] = [];
  const released: boolean[] = [];
  const query = (statement: string | { text: string }): Promise<unknown> => {
    const text = typeof statement === 'string' ? statement : statement.text;
    asked.push(text);
    const part = Object.keys(answers).find((one) => text.includes(one));
    const answer = part === undefined ? undefined : answers[part]?.shift();
    if (answer instanceof Error) return Promise.reject(answer);
    const result = { command: 'SELECT', rowCount: 0, rows: [], ...answer };
    return Promise.resolve(result);
  };
  const release = (isUseless = false): void => {
    released.push(isUseless);
    if (isUseless) idle.client = connect();
  };
  const connect = () => ({ query, release });
  const idle = { client: connect() };
  const pool = { connect: () => Promise.resolve(idle.client), end: () => Promise.resolve() };
  const engine = openPostgres(pool as unknown as PostgresPool, { isServer: true, commitQuestionMs: 1_500 });
  return { engine, asked, released, idle, connect };
}

const withCode = (code: string, message = code): Error => Object.assign(new Error(message), { code });
const LOST = new Error('Connection terminated unexpectedly');

it('repeats a transaction that lost against another one', async () => {
  const { engine, asked } = poolThat({ 'UPDATE t': [withCode('40P01'), withCode('40001')] });
  let runs = 0;
  const value = await engine.transaction(async (tx) => {
    runs += 1;
    await tx.run('UPDATE t SET a = ?', [1]);
    return 'done';
  });
  expect(value).toBe('done');
  expect(runs).toBe(3);
  expect(asked.filter((text) => text === 'ROLLBACK')).toHaveLength(2);
  expect(asked.filter((text) => text === 'COMMIT')).toHaveLength(1);
});

it('gives up after the third time as unavailable', async () => {
  const { engine } = poolThat({ 'UPDATE t': [withCode('40P01'), withCode('40P01'), withCode('40P01')] });
  const work = engine.transaction(async (tx) => void (await tx.run('UPDATE t SET a = 1', [])));
  const error: unknown = await work.catch((reason: unknown) => reason);
  expect(engine.isUnavailable(error)).toBe(true);
  expect(engine.isOutcomeUnknown(error)).toBe(false);
});

it('recognizes an unreachable server by its socket too', async () => {
  const { engine } = poolThat({});
  const noSocket = Object.assign(withCode('ENOENT'), { syscall: 'connect' });
  const away = openPostgres(
    { connect: () => Promise.reject(noSocket), end: () => Promise.resolve(), options: {} },
    { isServer: true },
  );
  const error: unknown = await away.transaction(() => Promise.resolve()).catch((reason: unknown) => reason);
  expect(away.isUnavailable(error)).toBe(true);
  await expect(away.rows('SELECT 1', [])).rejects.toMatchObject({ code: 'unavailable' });
  // Another missing file says nothing about the server.
  expect(engine.isUnavailable(withCode('ENOENT'))).toBe(false);
});

it("fails with the posted statement's error, not with one that followed from it", async () => {
  const { engine } = poolThat({ posted: [withCode('23505')], after: [withCode('25P02')] });
  const work = engine.transaction(async (tx) => {
    tx.post('INSERT posted', []);
    await tx.run('SELECT after', []);
  });
  expect(engine.isUniqueViolation(await work.catch((reason: unknown) => reason))).toBe(true);
});

it("fails with the posted statement's error, not with Kysely's", async () => {
  const { engine } = poolThat({ posted: [withCode('40P01')], messages: [withCode('25P02')] });
  let runs = 0;
  await engine.transaction(async (tx) => {
    runs += 1;
    tx.post('INSERT posted', []);
    await tx.db.$extendTables<TablesOf<typeof messages>>().selectFrom('messages').select('id').execute();
  });
  // A deadlock is tried again.
  expect(runs).toBe(2);
});

it('refuses a text that it cannot store, in any statement', async () => {
  const { engine } = poolThat({ INSERT: [withCode('22021'), withCode('22P05')] });
  for (const statement of ['INSERT one', 'INSERT other']) {
    const work = engine.transaction(async (tx) => void (await tx.run(statement, [])));
    await expect(work).rejects.toMatchObject({ code: 'validation_error' });
  }
});

/** Ids of a sequence. */
const drawn = (from: number): Answer => ({ rows: Array.from({ length: 64 }, (_, i) => ({ id: from + i })) });

/** Id of a row that a transaction inserts by this statement. */
const insert = (engine: Engine, statement = 'INSERT'): Promise<number> =>
  engine.transaction(async (tx) => {
    const id = await engine.rowIds(tx).next('messages');
    await tx.run(statement, []);
    return id;
  });

it('keeps ids only for a committed transaction', async () => {
  const { engine } = poolThat({ nextval: [drawn(1), drawn(101)], fails: [withCode('23505')] });
  await expect(insert(engine, 'INSERT fails')).rejects.toThrow('23505');
  // A crashed server would assign the first 64 to others.
  expect(await insert(engine)).toBe(101);
  expect(await insert(engine)).toBe(102);
});

it('draws ids again over another connection, which may lead to another server', async () => {
  const { engine, idle, connect } = poolThat({
    nextval: [drawn(1), drawn(2), drawn(3)],
    'INSERT refused': [withCode('25006')],
  });
  expect(await insert(engine)).toBe(1);
  idle.client = connect();
  // The replica that took over knows only the first id.
  expect(await insert(engine)).toBe(2);
  await expect(insert(engine, 'INSERT refused')).rejects.toThrow('25006');
  expect(await insert(engine)).toBe(3);
  expect(await insert(engine)).toBe(4);
});

it('assigns increasing ids, whichever connection writes', async () => {
  const { engine, idle, connect } = poolThat({ nextval: [drawn(1), drawn(65), drawn(129)] });
  const [first, second] = [connect(), connect()];
  const ids: number[] = [];
  for (const client of [first, first, second, second, first, first]) {
    idle.client = client;
    ids.push(await insert(engine));
  }
  expect(ids).toEqual([1, 2, 65, 66, 129, 130]);
});

it('assigns consecutive ids to the messages of one request', async () => {
  const far = { rows: [{ id: 65 }, { id: 1_065 }, { id: 66 }] };
  const { engine, asked } = poolThat({ nextval: [drawn(1), far, drawn(2_001), drawn(2_100)] });
  const ids: number[] = [];
  const insertTogether = (count: number): Promise<void> =>
    engine.transaction(async (tx) => {
      const of = engine.rowIds(tx);
      await of.together('messages', count);
      for (let i = 0; i < count; i += 1) ids.push(await of.next('messages'));
    });
  await insertTogether(62);
  // Two are left, and other nodes have drawn meanwhile, so the next range includes one of another node.
  await insertTogether(3);
  await insertTogether(1);
  expect(ids.slice(60)).toEqual([61, 62, 2_001, 2_002, 2_003, 2_004]);
  expect(asked.filter((text) => text.includes('nextval'))).toHaveLength(3);
});

it("fails with the last posted statement's error before it commits", async () => {
  const { engine, asked } = poolThat({ posted: [withCode('23505')] });
  const work = engine.transaction((tx) => {
    tx.post('INSERT posted', []);
    return Promise.resolve();
  });
  await expect(work).rejects.toThrow('23505');
  expect(asked).not.toContain('COMMIT');
});

it.each([
  { became: 'kept', isKept: true, runs: 1 },
  { became: 'not kept', isKept: false, runs: 2 },
])('checks the result of a commit whose reply is lost: $became', async ({ isKept, runs }) => {
  const { engine, asked, released } = poolThat({ COMMIT: [LOST], SELECT: [withCode('55P03')] });
  let ran = 0;
  await engine.transaction(
    (tx) => {
      ran += 1;
      tx.post('INSERT INTO t VALUES (1)', []);
      return Promise.resolve();
    },
    { wasKept: async (ask) => (await ask('SELECT number FROM t', [])).length === 0 && isKept },
  );
  expect(ran).toBe(runs);
  // It was under way still at the first question.
  expect(asked.filter((text) => text.includes('SELECT number'))).toHaveLength(2);
  // Nothing is repeated on the lost connection.
  if (!isKept) expect(released).toContain(true);
});

it.each([
  ['the server is away', () => Promise.reject(withCode('ECONNREFUSED'))],
  ['there is nothing to tell it by', () => Promise.resolve(null)],
  ['nobody was to be asked', undefined],
])('reports that the result of a commit is unknown: %s', async (_why, wasKept) => {
  const { engine } = poolThat({ COMMIT: [LOST] });
  const work = engine.transaction(() => Promise.resolve(), wasKept === undefined ? {} : { wasKept });
  const error: unknown = await work.catch((reason: unknown) => reason);
  expect(engine.isOutcomeUnknown(error)).toBe(true);
  expect(engine.isUnavailable(error)).toBe(true);
});

it('reads again over another connection', async () => {
  const { engine, released } = poolThat({ 'SELECT 1': [LOST, { rows: [{ one: 1 }] }] });
  expect(await engine.rows('SELECT 1', [])).toEqual([{ one: 1 }]);
  expect(released).toEqual([true, false]);
});

it('refuses reads as unavailable while the server is unreachable, and logs its text', async () => {
  const away = Array.from({ length: 9 }, () => withCode('57P03', 'the database system is starting up'));
  const { engine } = poolThat({ 'SELECT 1': away });
  await expect(engine.rows('SELECT 1', [])).rejects.toMatchObject({
    code: 'unavailable',
    message: 'The database cannot be read right now. Try again.',
    details: { reason: 'the database system is starting up' },
  });
});

it('closes a connection to a read-only server', async () => {
  const { engine, released } = poolThat({ 'UPDATE t': [withCode('25006')] });
  const work = engine.transaction(async (tx) => void (await tx.run('UPDATE t SET a = 1', [])));
  expect(engine.isUnavailable(await work.catch((reason: unknown) => reason))).toBe(true);
  expect(released).toEqual([true]);
});
