// Tests that ten million events and their messages do not make a start slower, after a stop and after a kill, nor the process
// larger. START_MESSAGES makes it smaller; a message has three to four events.
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createAppliance, type Appliance } from '../support/appliance.js';
import { fillFolder } from '../support/large-folder.js';
import { Database } from '../../src/database/engine/sqlite-driver.js';
import { memoryMib } from '../support/memory-of.js';

const MESSAGES = Number(process.env['START_MESSAGES'] ?? 3_000_000);
/** How many times as long as on an empty folder. Both begin with the same second or so of loading and keys. */
const MOST_TIMES = 3;

const FILL_MS = 3_600_000;

let appliance: Appliance;
let emptyMs: number;

async function startedIn(): Promise<number> {
  const since = performance.now();
  await appliance.start();
  return performance.now() - since;
}

beforeAll(async () => {
  appliance = await createAppliance({ env: { MAILKEEL_LOG_LEVEL: 'warn' } });
  // The very first start creates the keys.
  await appliance.start();
  await appliance.end();
  emptyMs = await startedIn();
  await appliance.end();
  const since = performance.now();
  fillFolder(join(appliance.dataDir, 'mail.db'), MESSAGES);
  console.info(`${MESSAGES} messages written in ${((performance.now() - since) / 1000).toFixed(0)} s`);
}, FILL_MS);

afterAll(() => appliance.close());

function events(): number {
  const database = new Database(join(appliance.dataDir, 'mail.db'), { readonly: true });
  const row = database.prepare('SELECT COUNT(*) AS n FROM events').get() as { n: number };
  database.close();
  return row.n;
}

it('starts as fast as on an empty folder', async () => {
  console.info(`${events()} events`);
  const first = await startedIn();
  const rss = Math.round(await memoryMib(appliance, 'VmRSS'));
  await appliance.end('SIGKILL');
  const afterKill = await startedIn();
  expect((await appliance.api('GET', '/readyz', { key: '' })).status).toBe(200);
  await appliance.end();
  const afterStop = await startedIn();
  const ms = [emptyMs, first, afterKill, afterStop].map(Math.round);
  console.info(`started in ${ms.join(', ')} ms: empty, first, after a kill, after a stop; ${rss} MiB`);
  expect(Math.max(first, afterKill, afterStop)).toBeLessThan(MOST_TIMES * emptyMs);
});
