// Tests the job that stores a daily sample of the sizes and measures the tables, on a real file.
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { growthJob, growthNow } from '../../src/operations/growth/growth.js';
import { createStore, type Store } from '../../src/app/store.js';
import { openMigratedFile, temporaryFolder, type OpenEngine } from '../support/open-engines.js';
import { raws } from '../../src/messages/messages.tables.js';
import { insert, remove } from '../../src/database/rows.js';

const DAY = 86_400_000;
const NOW = 20_000 * DAY + 3_600_000;

let folder: ReturnType<typeof temporaryFolder>;
let file: string;
let opened: OpenEngine;
let store: Store;
let now = NOW;

beforeEach(async () => {
  folder = temporaryFolder();
  file = join(folder.path, 'mail.db');
  opened = await openMigratedFile(file);
  store = createStore(opened.engine, { maxGroup: 50 });
  now = NOW;
});
afterEach(async () => {
  await store.drain();
  await opened.close();
  folder.remove();
});

const settings = () => ({ dataDir: folder.path, minFreeDiskBytes: 0 });
const run = () => growthJob({ store, config: settings(), clock: () => now }, file).run();

it('keeps the first sample of each day for a month', async () => {
  for (let day = 0; day < 33; day += 1) {
    now = NOW + day * DAY;
    await run();
    // A second one on the first days and the last.
    if (day % 29 < 4) {
      now += 3_600_000;
      await run();
    }
  }
  const { samples } = await store.growth();
  expect(samples.map(({ day }) => day)).toEqual(Array.from({ length: 30 }, (_, n) => 20_003 + n));
  expect(samples.every(({ day, taken_at }) => taken_at === day * DAY + 3_600_000)).toBe(true);
  expect(samples.at(-1)).toMatchObject({ disk_free_bytes: expect.any(Number) as number });
});

it('drops samples from a clock that was ahead', async () => {
  now = NOW + 400 * DAY;
  await run();
  now = NOW;
  await run();
  expect((await store.growth()).samples.map(({ day }) => day)).toEqual([20_000]);
});

it('measures the tables and their indexes once a week', async () => {
  await store.commit([insert(raws, { row: { size_bytes: 3_000_000, content: Buffer.alloc(3_000_000, 1) } })]);
  await run();
  const first = await growthNow(store, settings(), now);
  expect(first?.largest[0]).toEqual({ name: 'raws', bytes: expect.any(Number) as number });
  expect(first?.largest[0]?.bytes).toBeGreaterThan(3_000_000);
  expect(first?.forecast).toEqual({ kind: 'too_few_days', days: 0 });
  await store.commit([remove(raws, { where: { id: [1] } })]);
  now = NOW + 6 * DAY;
  await run();
  expect((await store.growth()).largest[0]?.name).toBe('raws');
  now = NOW + 7 * DAY;
  await run();
  expect((await store.growth()).largest[0]?.name).not.toBe('raws');
});

it('a stop ends the measurement without an error', async () => {
  const job = growthJob({ store, config: settings(), clock: () => now }, file);
  job.stop?.();
  await job.run();
  expect(await store.growth()).toMatchObject({ largest: [], samples: [{ day: 20_000 }] });
});

it('there is no sample or forecast if a server keeps the rows', async () => {
  const server = { ...store, growth: async () => ({ ...(await store.growth()), file: null }) };
  await growthJob({ store: server, config: settings(), clock: () => now }, file).run();
  expect((await store.growth()).samples).toEqual([]);
  expect(await growthNow(server, settings(), now)).toBeNull();
});
