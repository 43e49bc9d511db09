// Measures every list with every filter on a million messages, one and four at a time, and the effect on POST /v1/messages and
// /healthz. Prints figures; READ_MESSAGES makes it smaller.
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { operationsOf, type ApiDocument } from '../support/api-operations.js';
import { createAppliance, type Appliance } from '../support/appliance.js';
import { fillFolder, type LargeFolder } from '../support/large-folder.js';
import { questionsOf } from '../support/list-filters.js';

const MESSAGES = Number(process.env['READ_MESSAGES'] ?? 1_000_000);
const AT_ONCE = 4;
/** Limit for all other requests meanwhile; busy machines get more time. */
const P99_MS = 100;
const TOLERANCE = 3;
const SLOW_MS = 500;

let appliance: Appliance;
let folder: LargeFolder;

beforeAll(async () => {
  appliance = await createAppliance({
    env: { MAILKEEL_RATE_LIMIT_LIVE: '0', MAILKEEL_RATE_LIMIT_TEST: '0', MAILKEEL_LOG_LEVEL: 'warn' },
  });
  const since = performance.now();
  folder = fillFolder(join(appliance.dataDir, 'mail.db'), MESSAGES);
  console.info(`${MESSAGES} messages written in ${seconds(since)} s`);
  const before = performance.now();
  await appliance.start();
  console.info(`the program started on them in ${seconds(before)} s`);
});

afterAll(() => appliance.close());

const seconds = (since: number): string => ((performance.now() - since) / 1000).toFixed(1);

const quantile = (values: readonly number[], part: number): number =>
  values.toSorted((a, b) => a - b)[Math.min(Math.floor(values.length * part), values.length - 1)] ?? 0;

/** Measures each call in sequence until `signal`. */
async function measured(call: () => Promise<unknown>, signal: AbortSignal): Promise<number[]> {
  const found: number[] = [];
  while (!signal.aborted) {
    found.push(await timed(call));
    await pause(5);
  }
  return found;
}

async function timed(call: () => Promise<unknown>): Promise<number> {
  const since = performance.now();
  await call();
  return performance.now() - since;
}

async function send(): Promise<void> {
  const answer = await appliance.api('POST', '/v1/messages', {
    key: appliance.keys.test_key,
    body: {
      from: 'news@shop-1.example',
      to: 'delivered@simulator.test',
      subject: 'Beside the lists',
      text: 'Hello',
    },
  });
  expect(answer.status).toBe(202);
}

it('reading does not stop mail', async () => {
  const document = (await appliance.api('GET', '/openapi.json')).json as ApiDocument;
  const questions = questionsOf(operationsOf(document), folder);
  const stop = new AbortController();
  const sends = measured(send, stop.signal);
  const looks = measured(() => appliance.api('GET', '/healthz', { key: '' }), stop.signal);
  const alone: number[] = [];
  const together: number[] = [];
  for (const { path, name } of questions) {
    let status = 0;
    const get = async (): Promise<void> => {
      ({ status } = await appliance.api('GET', path));
    };
    alone.push(await timed(get));
    const four = await Promise.all(Array.from({ length: AT_ONCE }, () => timed(get)));
    together.push(...four);
    const slowest = Math.max(alone.at(-1) ?? 0, ...four);
    if (slowest > SLOW_MS) console.info(`${Math.round(slowest)} ms: ${name} (${status})`);
    expect(status, name).toBeLessThan(500);
  }
  stop.abort();
  const [posts, healths] = await Promise.all([sends, looks]);
  const told = (values: readonly number[]): string =>
    `p50 ${quantile(values, 0.5).toFixed(0)} ms, p99 ${quantile(values, 0.99).toFixed(0)} ms, most ${quantile(values, 1).toFixed(0)} ms of ${values.length}`;
  console.info(
    `${questions.length} lists and filters alone: ${told(alone)}; ${AT_ONCE} at a time: ${told(together)}`,
  );
  console.info(`POST /v1/messages beside them: ${told(posts)}; /healthz: ${told(healths)}`);
  expect(quantile(posts, 0.99)).toBeLessThan(P99_MS * TOLERANCE);
  expect(quantile(healths, 0.99)).toBeLessThan(P99_MS * TOLERANCE);
});

it('another key does not wait for four that read everything', async () => {
  const stop = new AbortController();
  const slow = Array.from({ length: AT_ONCE }, () =>
    measured(() => appliance.api('GET', '/v1/messages?limit=100&q=nothing%20of%20the%20kind'), stop.signal),
  );
  const waits: number[] = [];
  for (let n = 0; n < 50; n += 1) {
    const list = () => appliance.api('GET', '/v1/messages', { key: appliance.keys.test_key });
    waits.push(await timed(list));
  }
  stop.abort();
  await Promise.all(slow);
  console.info(
    `a list of another key beside four that look through everything: p99 ${quantile(waits, 0.99).toFixed(0)} ms`,
  );
  expect(quantile(waits, 0.99)).toBeLessThan(P99_MS * TOLERANCE);
});
