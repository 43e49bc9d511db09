// Imports and exports a million contacts, and measures time, memory and the effect on others.
import { setTimeout as pause } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { createAppliance, type Appliance } from '../support/appliance.js';
import { memoryMib } from '../support/memory-of.js';
import { contactsCsv, fileText, sendImport, transferWhen } from '../support/imported-contacts.js';

const ROWS = Number(process.env['ROWS'] ?? 1_000_000);
const MIB = 1024 * 1024;
/** In addition to the idle program. */
const MEMORY_LIMIT_MIB = 300;

/** Measures how long others wait for a page of contacts, until `signal`. */
async function latencies(appliance: Appliance, signal: AbortSignal): Promise<number[]> {
  const found: number[] = [];
  while (!signal.aborted) {
    const start = performance.now();
    await appliance.api('GET', '/v1/contacts?limit=1');
    found.push(performance.now() - start);
    await pause(20);
  }
  return found.toSorted((a, b) => a - b);
}

const at = (sorted: readonly number[], part: number): string =>
  `${(sorted[Math.floor(sorted.length * part)] ?? 0).toFixed(1)} ms`;

async function measured(appliance: Appliance, what: string, work: () => Promise<unknown>): Promise<void> {
  const stop = new AbortController();
  const watching = latencies(appliance, stop.signal);
  const start = performance.now();
  await work();
  const seconds = (performance.now() - start) / 1000;
  stop.abort();
  const waits = await watching;
  console.info(
    `${what}: ${seconds.toFixed(1)} s, ${Math.round(ROWS / seconds)} rows/s; GET /v1/contacts?limit=1 meanwhile ` +
      `p50 ${at(waits, 0.5)}, p99 ${at(waits, 0.99)}, most ${at(waits, 0.9999)} of ${waits.length}; ` +
      `peak ${Math.round(await memoryMib(appliance, 'VmHWM'))} MiB`,
  );
}

it('imports and exports a million contacts', async () => {
  const appliance = await createAppliance({
    env: { MAILKEEL_RATE_LIMIT_LIVE: '0', MAILKEEL_LOG_LEVEL: 'warn' },
  });
  try {
    await appliance.start();
    const idle = await memoryMib(appliance, 'VmRSS');
    const csv = contactsCsv(ROWS);
    console.info(
      `${ROWS} rows are ${(Buffer.byteLength(csv) / MIB).toFixed(1)} MiB; idle ${Math.round(idle)} MiB`,
    );
    const ended = (one: Record<string, unknown>) => one['finished_at'] !== null;
    const limit = 3_000_000;
    await measured(appliance, 'import', async () => {
      const id = await sendImport(appliance, csv);
      const done = await transferWhen(appliance, `/v1/imports/${id}`, ended, limit);
      expect(done).toMatchObject({
        total: ROWS,
        processed: ROWS,
        created: ROWS - ROWS / 100,
        failed: ROWS / 100,
      });
    });
    await measured(appliance, 'the same again', async () => {
      const id = await sendImport(appliance, csv);
      const done = await transferWhen(appliance, `/v1/imports/${id}`, ended, limit);
      expect(done).toMatchObject({ unchanged: ROWS - ROWS / 100, failed: ROWS / 100 });
    });
    await measured(appliance, 'export to a file', async () => {
      const made = await appliance.api('POST', '/v1/exports', { body: { format: 'csv' } });
      const path = `/v1/exports/${(made.json as { id: string }).id}`;
      const done = await transferWhen(appliance, path, ended, limit);
      expect(done).toMatchObject({ status: 'completed', processed: ROWS - ROWS / 100 });
    });
    await measured(appliance, 'export as a stream', async () => {
      const text = await fileText(appliance, '/v1/exports/contacts?format=csv');
      expect(text.match(/\r\n/g)).toHaveLength(1 + ROWS - ROWS / 100);
    });
    expect(await memoryMib(appliance, 'VmHWM')).toBeLessThan(idle + MEMORY_LIMIT_MIB);
  } finally {
    await appliance.close();
  }
});
