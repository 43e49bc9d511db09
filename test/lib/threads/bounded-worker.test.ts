import { execFileSync } from 'node:child_process';

import { afterEach, describe, expect, it } from 'vitest';

import {
  createBoundedPool,
  type BoundedPool,
  type PoolOptions,
} from '../../../src/lib/threads/bounded-worker.js';
import { createFairQueue } from '../../../src/lib/concurrency/index.js';
import { sized } from '../../support/run-size.js';

type Job = {
  id?: number;
  spinMs?: number;
  blockMs?: number;
  eat?: boolean;
  exit?: boolean;
  fail?: boolean;
  odd?: () => void;
  waitMs?: number;
  hang?: boolean;
  failLater?: boolean;
  throwBeside?: boolean;
  octets?: number;
};
type Value = { id: number; thread: number; env: number; octets?: Uint8Array };

const ENTRY = new URL('./bounded-worker-entry.mjs', import.meta.url);
const BUSY_FOREVER = { spinMs: 1e9 };
const FOREVER = { blockMs: 1e9 };
const open: BoundedPool<Job, Value>[] = [];

function pool(options: Partial<PoolOptions> = {}): BoundedPool<Job, Value> {
  const made = createBoundedPool<Job, Value>({
    entry: ENTRY,
    size: 1,
    wallLimitMs: 300,
    memoryLimitMb: 32,
    maxQueue: 100,
    ...options,
  });
  open.push(made);
  return made;
}

async function idOf(result: Promise<{ kind: string; value?: Value }>): Promise<number | string> {
  const { kind, value } = await result;
  return value?.id ?? kind;
}

afterEach(async () => {
  await Promise.all(open.splice(0).map((each) => each.close()));
});

describe('a pool for untrusted work', () => {
  it('returns the right answer for each of many jobs', async () => {
    const { run } = pool({ size: 2 });
    const jobs = Array.from({ length: 40 }, (_, id) =>
      idOf(run({ id }, { owner: `o${id % 3}`, key: () => `${id}` })),
    );
    expect(await Promise.all(jobs)).toEqual(Array.from({ length: 40 }, (_, id) => id));
  });

  it('ends a job at the time limit and loses none of the others', async () => {
    const { run } = pool({ wallLimitMs: 150 });
    const tag = (key: string) => ({ owner: 'a', key: () => key });
    const jobs = [
      run({ id: 1 }, tag('1')),
      run(BUSY_FOREVER, tag('bad')),
      run({ id: 2 }, tag('2')),
      run({ id: 3 }, tag('3')),
    ];
    expect(await Promise.all(jobs.map(idOf))).toEqual([1, 'timeout', 2, 3]);
  });

  it('counts a job\u2019s own time, and not its wait for others', async () => {
    const { run } = pool();
    const jobs = Array.from({ length: 5 }, (_, id) =>
      run({ id, blockMs: 90 }, { owner: 'a', key: () => `${id}` }),
    );
    expect(await Promise.all(jobs.map(idOf))).toEqual([0, 1, 2, 3, 4]);
  });

  it('reports that a job ran out of memory or ended its thread, and continues', async () => {
    const { run } = pool({ wallLimitMs: 10_000, memoryLimitMb: 16 });
    const results = await Promise.all([
      run({ eat: true }, { owner: 'a', key: () => 'eat' }),
      run({ exit: true }, { owner: 'b', key: () => 'exit' }),
      run({ id: 1 }, { owner: 'a', key: () => '1' }),
    ]);
    expect(results).toMatchObject([
      { kind: 'crashed', reason: 'memory' },
      { kind: 'crashed', reason: 'exit' },
      { kind: 'done', value: { id: 1 } },
    ]);
  });

  it('rejects if the worker\u2019s code fails, a job cannot be copied, or the entry cannot be loaded', async () => {
    const { run } = pool();
    await expect(run({ fail: true }, { owner: 'a', key: () => '1' })).rejects.toThrow('our own mistake');
    await expect(run({ odd: () => undefined }, { owner: 'a', key: () => '2' })).rejects.toThrow(
      'could not be cloned',
    );
    expect(await idOf(run({ id: 3 }, { owner: 'a', key: () => '3' }))).toBe(3);
    const broken = pool({ entry: new URL('./no-such-entry.mjs', import.meta.url) });
    await expect(broken.run({ id: 1 }, { owner: 'a', key: () => '1' })).rejects.toThrow('did not start');
  });

  it('refuses the same job of the same owner for a while, then tries it again', async () => {
    const { run } = pool({ penaltyMs: 700 });
    const bad = { owner: 'a', key: () => 'bad' };
    expect(await idOf(run(FOREVER, bad))).toBe('timeout');
    const started = performance.now();
    expect(await idOf(run({ id: 1 }, bad))).toBe('timeout');
    expect(performance.now() - started).toBeLessThan(50);
    expect(await idOf(run({ id: 2 }, { owner: 'b', key: () => 'bad' }))).toBe(2);
    await expect.poll(() => idOf(run({ id: 3 }, bad)), { timeout: 5_000 }).toBe(3);
  });

  it('serves owners in turns, and one that exceeded a limit after the others', async () => {
    const { run } = pool({ maxBatch: 1 });
    await run(FOREVER, { owner: 'bad', key: () => 'x' });
    const order: string[] = [];
    const submit = async (owner: string, key: string): Promise<void> => {
      await run({ blockMs: 5 }, { owner, key: () => key });
      order.push(owner);
    };
    const tags = ['bad', 'bad', 'a', 'a', 'a', 'b', 'b'];
    await Promise.all(tags.map((owner, index) => submit(owner, `${index}`)));
    expect(order).toEqual(['a', 'b', 'a', 'b', 'a', 'bad', 'bad']);
  });

  it('keeps a thread free of one owner, and of all owners that exceeded a limit', async () => {
    const { run } = pool({ size: 2, wallLimitMs: 1_000 });
    await Promise.all(['x', 'y'].map((owner) => run(FOREVER, { owner, key: () => 'first' })));
    const hostile = ['x', 'y'].flatMap((owner) =>
      Array.from({ length: 3 }, (_, index) => run(FOREVER, { owner, key: () => `${index}` })),
    );
    const started = performance.now();
    for (let id = 0; id < 20; id++)
      expect(await idOf(run({ id }, { owner: 'good', key: () => `${id}` }))).toBe(id);
    expect(performance.now() - started).toBeLessThan(900);
    await Promise.all(open.splice(0).map((each) => each.close()));
    expect(new Set(await Promise.all(hostile.map(idOf)))).toEqual(new Set(['crashed']));
  });

  it('is busy if too many jobs wait, and one owner cannot fill the queue', async () => {
    const { run } = pool({ maxQueue: 4, maxBatch: 1 });
    const greedy = Array.from({ length: 6 }, (_, id) =>
      idOf(run({ id, blockMs: 20 }, { owner: 'a', key: () => `${id}` })),
    );
    const other = idOf(run({ id: 9 }, { owner: 'b', key: () => '9' }));
    expect(await other).toBe(9);
    expect(await Promise.all(greedy)).toEqual([0, 1, 'busy', 'busy', 'busy', 'busy']);
  });

  it('passes the process\u2019s environment to no worker', async () => {
    expect(await pool().run({ id: 1 }, { owner: 'a', key: () => '1' })).toMatchObject({ value: { env: 0 } });
  });

  it('does not keep the process alive after its jobs', () => {
    const script = `
      import { createBoundedPool } from '${new URL('../../../dist/lib/threads/bounded-worker.js', import.meta.url).href}';
      const pool = createBoundedPool({ entry: new URL('${ENTRY.href}'), size: 1, wallLimitMs: 500, memoryLimitMb: 32, maxQueue: 9 });
      console.log((await pool.run({ id: 7 }, { owner: 'a', key: () => '1' })).value.id);`;
    const output = execFileSync(process.execPath, ['--input-type=module', '-e', script], { timeout: 10_000 });
    expect(output.toString().trim()).toBe('7');
  });
});

describe('asynchronous work', () => {
  const tag = (key: string) => ({ owner: 'a', key: () => key });

  it('is answered one job after the other, among synchronous work', async () => {
    const { run } = pool({ wallLimitMs: 5_000, sliceMs: 5_000 });
    const jobs: Job[] = [{ id: 1, waitMs: 30 }, { id: 2 }, { id: 3, waitMs: 1 }, { id: 4 }];
    expect(await Promise.all(jobs.map((job, index) => idOf(run(job, tag(`${index}`)))))).toEqual([
      1, 2, 3, 4,
    ]);
  });

  it('has the same time limit, and does not affect other jobs when it exceeds it', async () => {
    const { run } = pool();
    const jobs = [
      run({ id: 1, waitMs: 1 }, tag('1')),
      run({ hang: true }, tag('2')),
      run({ id: 3, waitMs: 1 }, tag('3')),
    ];
    expect(await Promise.all(jobs.map(idOf))).toEqual([1, 'timeout', 3]);
  });

  it('rejects if the promise does, and ends its thread if it throws outside the promise', async () => {
    const { run } = pool({ wallLimitMs: 5_000 });
    await expect(run({ failLater: true }, tag('1'))).rejects.toThrow('our own mistake, later');
    expect(await run({ throwBeside: true }, tag('2'))).toEqual({ kind: 'crashed', reason: 'exit' });
    expect(await idOf(run({ id: 3, waitMs: 1 }, tag('3')))).toBe(3);
  });

  it('transfers buffers, several in a batch', async () => {
    const { run } = pool({ wallLimitMs: 5_000 });
    const results = await Promise.all([0, 5, 100_000].map((octets, id) => run({ id, octets }, tag(`${id}`))));
    const sizes = results.map((result) => (result.kind === 'done' ? result.value.octets?.length : null));
    expect(sizes).toEqual([0, 5, 100_000]);
  });
});

describe('several slots of one thread', () => {
  const SLOTS: Partial<PoolOptions> = { slots: 3, maxBatch: 1, wallLimitMs: 5_000 };

  /** Results of the jobs in the order in which they ended. */
  async function inOrder(made: BoundedPool<Job, Value>, jobs: [string, Job][]): Promise<(number | string)[]> {
    const order: (number | string)[] = [];
    await Promise.all(
      jobs.map(async ([owner, job], index) => {
        order.push(await idOf(made.run(job, { owner, key: () => `${index}` })));
      }),
    );
    return order;
  }

  it('do not wait for each other, up to their number', async () => {
    const order = await inOrder(pool(SLOTS), [
      ['a', { id: 1, waitMs: 600 }],
      ['b', { id: 2, waitMs: 300 }],
      ['a', { id: 3, waitMs: 1 }],
      ['b', { id: 4, waitMs: 1 }],
    ]);
    expect(order).toEqual([3, 4, 2, 1]);
    const full = await inOrder(pool({ ...SLOTS, slots: 2 }), [
      ['a', { id: 1, waitMs: 900 }],
      ['b', { id: 2, waitMs: 400 }],
      ['c', { id: 3, waitMs: 1 }],
    ]);
    expect(full).toEqual([2, 3, 1]);
  });

  it('lose nothing if one job blocks the thread or never ends', async () => {
    const made = pool({ ...SLOTS, wallLimitMs: 400 });
    const blocked = await inOrder(made, [
      ['a', FOREVER],
      ['b', { id: 2, waitMs: 1 }],
      ['c', { id: 3, waitMs: 1 }],
      ['d', { id: 4 }],
    ]);
    expect(blocked[0]).toBe('timeout');
    expect(blocked.slice(1).sort()).toEqual([2, 3, 4]);
    const hung = await inOrder(made, [
      ['e', { hang: true }],
      ['f', { id: 2, waitMs: 1 }],
    ]);
    expect(hung).toEqual([2, 'timeout']);
  });

  it('end with their thread, and one of their jobs is the cause', async () => {
    const ended = await inOrder(pool(SLOTS), [
      ['a', { exit: true }],
      ['b', { id: 2, waitMs: 50 }],
      ['c', { id: 3, waitMs: 50 }],
    ]);
    expect(ended.sort()).toEqual([2, 3, 'crashed']);
    const broken = pool({ ...SLOTS, entry: new URL('./no-such-entry.mjs', import.meta.url) });
    await expect(broken.run({ id: 1 }, { owner: 'a', key: () => '1' })).rejects.toThrow('did not start');
  });

  it('leave one owner all threads but one', async () => {
    const bad = sized({ small: 3, full: 8 });
    const made = pool({ ...SLOTS, size: 2, wallLimitMs: 700 });
    const order = await inOrder(made, [
      ...Array.from({ length: bad }, (): [string, Job] => ['bad', { hang: true }]),
      ['good', { id: 1, waitMs: 1 }],
      ['good', { id: 2, waitMs: 1 }],
    ]);
    expect(order.slice(0, 2).sort()).toEqual([1, 2]);
    expect(order.slice(2)).toEqual(Array(bad).fill('timeout'));
  });
});

describe('a fair queue', () => {
  it('gives each owner a turn, keeps an owner\u2019s order and serves returned jobs first', () => {
    const queue = createFairQueue<string>({ total: 10, perOwner: 5 });
    for (const item of ['a1', 'a2', 'a3', 'b1', 'c1']) queue.push(item.charAt(0), item);
    const all = (): boolean => true;
    expect(queue.take(all, 2)).toEqual({ owner: 'a', items: ['a1', 'a2'] });
    queue.putBack('a', ['a2']);
    expect(queue.take((owner) => owner !== 'b', 9)).toEqual({ owner: 'c', items: ['c1'] });
    expect(queue.take(all, 1)).toEqual({ owner: 'b', items: ['b1'] });
    expect(queue.take(all, 9)).toEqual({ owner: 'a', items: ['a2', 'a3'] });
    expect(queue.take(all, 9)).toBeNull();
    expect(queue.waiting()).toBe(0);
  });
});
