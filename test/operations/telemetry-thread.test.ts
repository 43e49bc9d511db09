// Tests that every line of the delivery log is written even if the telemetry thread ends, is killed or crashes with unwritten
// lines, and another one replaces it on the same port.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Worker } from 'node:worker_threads';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { createLog } from '../../src/lib/runtime/index.js';
import { threadEnded } from '../../src/lib/threads/index.js';
import { Telemetry } from '../../src/operations/telemetry/telemetry.js';
import { freePort } from '../support/free-port.js';
import { temporaryFolder } from '../support/open-engines.js';
import { waitFor } from '../support/wait.js';

const threads: Worker[] = [];
const keepThread = (thread: Worker): void => void threads.push(thread);
let folder: ReturnType<typeof temporaryFolder>;
let telemetry: Telemetry;
let file = '';
let port = 0;
let ends = 0;
let unsubscribe: () => void;

beforeEach(async () => {
  folder = temporaryFolder();
  file = join(folder.path, 'delivery.log');
  port = await freePort();
  ends = 0;
  threads.length = 0;
  process.on('worker', keepThread);
  unsubscribe = threadEnded.subscribe(() => void ends++);
  telemetry = new Telemetry({
    settings: {
      metrics: { host: '127.0.0.1', port },
      deliveryLog: { path: file, maxBytes: 1e9, files: 1 },
      ...{ otlp: null, databaseFile: file, dataFolder: folder.path, version: '1.0.0', instanceId: '' },
    },
    measure: () => Promise.resolve(),
    clock: Date.now,
    log: createLog('silent'),
  });
  expect(await telemetry.start()).toBe(port);
});
afterEach(async () => {
  await telemetry.stop();
  unsubscribe();
  process.off('worker', keepThread);
  folder.remove();
});

const scrape = async (): Promise<string | null> => {
  try {
    return await (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
  } catch {
    return null;
  }
};
const servedAgain = (): Promise<string | null> =>
  waitFor('metrics', scrape, (text) => text?.includes('mailkeel_build_info') === true);
const written = (): string[] => (existsSync(file) ? readFileSync(file, 'utf8').split('\n') : []);
const line = (n: number): string => JSON.stringify({ n, text: 'x'.repeat(200) });
const lacking = (count: number): number => {
  const found = new Set(written());
  return Array.from({ length: count }, (_, n) => line(n)).filter((one) => !found.has(one)).length;
};

it.each<[string, (thread: Worker) => unknown]>([
  ['is killed', (thread) => thread.terminate()],
  // A message that the thread does not know.
  [
    'breaks down',
    (thread) => {
      thread.postMessage(null);
    },
  ],
])('a thread that %s while it holds lines is replaced, and no line is lost', async (_, end) => {
  const lines = 2_500;
  for (let n = 0; n < lines; n++) telemetry.line(line(n));
  telemetry.meters.count('mailkeel_worker_ends_total', ['before']);
  // A scrape passes a batch on, which is being written when the thread ends.
  void scrape();
  const [thread] = threads;
  if (!thread) throw new Error('There is no thread.');
  await new Promise((resolve) => setImmediate(resolve));
  await end(thread);
  await waitFor(
    'its end',
    () => Promise.resolve(ends),
    (count) => count === 1,
  );
  telemetry.meters.count('mailkeel_worker_ends_total', ['after']);
  await servedAgain();
  expect(threads).toHaveLength(2);
  expect(
    await waitFor(
      'all lines',
      () => Promise.resolve(lacking(lines)),
      (count) => count === 0,
    ),
  ).toBe(0);
  // A partially written line is on its own line.
  expect(written().filter((one) => one.includes('"gap"'))).toEqual([]);
  expect(await scrape()).toContain('mailkeel_worker_ends_total{kind="after"} 1');
});

it('a thread that repeatedly ends marks a gap for lines without room', async () => {
  const lines = 12_000;
  for (let round = 1; round <= 3; round++) {
    await threads.at(-1)?.terminate();
    await waitFor(
      'its end',
      () => Promise.resolve(ends),
      (count) => count === round,
    );
    if (round === 1) for (let n = 0; n < lines; n++) telemetry.line(line(n));
    await waitFor(
      'the next one',
      () => Promise.resolve(threads.length),
      (count) => count === round + 1,
    );
  }
  await servedAgain();
  const gap = await waitFor(
    'the gap',
    () => Promise.resolve(written().find((one) => one.includes('"event":"gap"'))),
    (one) => one !== undefined,
    20_000,
  );
  expect(lacking(lines)).toBe((JSON.parse(gap ?? '{}') as { lines: number }).lines);
  expect(lacking(lines)).toBe(2_000);
});
