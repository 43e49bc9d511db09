// Tests counters that survive a restart: what `stop` waits for, and that nothing is written afterwards.
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { createLog } from '../../src/lib/runtime/index.js';
import { PersistedCounters, putRate } from '../../src/outbound/shape/persisted-counters.js';
import type { Plan } from '../../src/database/change.js';

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

function given() {
  const commits: { plan: Plan; end: () => void }[] = [];
  const counters = new PersistedCounters(new Map([['site', '1']]), {
    commit: (plan: Plan) =>
      new Promise<void>((end) => {
        commits.push({ plan, end });
      }),
    clock: () => 0,
    log: createLog('silent'),
  });
  return { counters, commits };
}

/** The change that writes the counter with that key. */
const written = (key: string) => ({ kind: 'upsert', into: 'traffic_state', row: { key } });

it('writes values of one second together', async () => {
  const { counters, commits } = given();
  counters.put('site', 2);
  counters.put('other', 3);
  await vi.advanceTimersByTimeAsync(1_000);
  expect(commits.map(({ plan }) => plan)).toMatchObject([[written('site'), written('other')]]);
});

it('stops after pending writes, and writes nothing more', async () => {
  const { counters, commits } = given();
  counters.putAtOnce('site', 2);
  let isStopped = false;
  const stopped = counters.stop().then(() => (isStopped = true));
  await vi.advanceTimersByTimeAsync(0);
  expect(isStopped).toBe(false);
  for (const { end } of commits) end();
  await stopped;

  counters.put('site', 3);
  counters.putAtOnce('site', 4);
  await vi.advanceTimersByTimeAsync(5_000);
  await counters.stop();
  expect(commits).toHaveLength(1);
  expect(counters.get('site')).toBe(4);
});

it('repeats failed writes, unless another node has updated the counter', async () => {
  const written: string[] = [];
  let isDown = true;
  const counters = new PersistedCounters(new Map(), {
    commit(plan: Plan) {
      if (isDown) return Promise.reject(new Error('the database is away'));
      written.push(JSON.stringify(plan));
      return Promise.resolve();
    },
    clock: () => 0,
    log: createLog('silent'),
  });
  counters.put('ours', 1);
  counters.put('theirs', 1);
  expect(await counters.flush()).toBe(false);
  counters.reload(new Map([['theirs', '5']]));
  isDown = false;
  expect(await counters.flush()).toBe(true);
  expect([written.length, written[0]?.includes('ours'), written[0]?.includes('theirs')]).toEqual([
    1,
    true,
    false,
  ]);
  expect(counters.get('theirs')).toBe(5);
});

it.each([
  ['a slow rate at once: a kill makes no room for a second burst', 60, 1],
  ['a fast one with all others', 600, 0],
])('writes the use of %s', async (_how, count, commitsAtOnce) => {
  const { counters, commits } = given();
  putRate(counters, 'rate a', 7, { count, perMs: 60_000, burst: 1 });
  expect(commits).toHaveLength(commitsAtOnce);
  await vi.advanceTimersByTimeAsync(1_000);
  expect(commits.map(({ plan }) => plan)).toMatchObject([[written('rate a')]]);
});
