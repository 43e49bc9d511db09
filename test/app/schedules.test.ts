// Tests which scheduled jobs one of several nodes runs.
import { expect, it, vi } from 'vitest';
import { createLeasedRoom, type Job } from '../../src/lib/concurrency/index.js';
import { createLog } from '../../src/lib/runtime/index.js';
import { createSchedules } from '../../src/app/api.js';

const EVERY_SECOND = { pattern: '* * * * * *' };
const SETTINGS = { minuteJobs: '* * * * *' };

it('runs jobs while it has their room, those of each node always, and leaves the room afterwards', async () => {
  const room = createLeasedRoom();
  const runs = { shared: 0, own: 0 };
  let end = (): void => undefined;
  const jobs: Job[] = [
    {
      name: 'shared',
      at: EVERY_SECOND,
      run() {
        runs.shared += 1;
        return new Promise((resolve) => (end = resolve));
      },
    },
    {
      name: 'own',
      at: EVERY_SECOND,
      isOfEachNode: true,
      run() {
        runs.own += 1;
        return Promise.resolve();
      },
    },
  ];
  const schedules = createSchedules(jobs, {
    log: createLog('silent'),
    settings: SETTINGS,
    room,
  });
  schedules.start();
  await vi.waitFor(() => expect(runs.own).toBe(1), 5_000);
  expect(runs.shared).toBe(0);
  room.open();
  await vi.waitFor(() => expect(runs.shared).toBe(1), 5_000);
  let isClosed = false;
  const closed = room.close().then(() => (isClosed = true));
  await new Promise(setImmediate);
  expect(isClosed).toBe(false);
  end();
  await closed;
  const own = runs.own;
  await vi.waitFor(() => expect(runs.own).toBeGreaterThan(own), 5_000);
  expect(runs.shared).toBe(1);
  await schedules.stop();
});

it('runs all jobs on a single node', async () => {
  let runs = 0;
  const run = (): Promise<void> => {
    runs += 1;
    return Promise.resolve();
  };
  const schedules = createSchedules([{ name: 'any', at: EVERY_SECOND, run }], {
    log: createLog('silent'),
    settings: SETTINGS,
  });
  schedules.start();
  await vi.waitFor(() => expect(runs).toBe(1), 5_000);
  await schedules.stop();
});
