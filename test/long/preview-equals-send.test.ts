// Tests that each recipient receives what the campaign's preview shows, with a thousand generated campaigns, parsed by Python.
import { expect, it } from 'vitest';
import { comparePreviews } from '../support/preview-equals-send.js';
import { startPythonReader } from '../support/python-mail.js';

const CAMPAIGNS = Number(process.env['CAMPAIGNS'] ?? 1_000);

it('each recipient gets the previewed copy', async () => {
  const seed = Number(process.env['SEED'] ?? Math.floor(Math.random() * 1_000_000));
  console.info(`seed ${seed}`);
  const python = startPythonReader();
  try {
    const start = performance.now();
    const { decode } = python;
    const { faults, ...figures } = await comparePreviews({ seed, campaigns: CAMPAIGNS, atOnce: 8, decode });
    console.info(`${JSON.stringify(figures)} in ${Math.round((performance.now() - start) / 1000)} s`);
    expect(faults).toEqual([]);
    expect(figures.copies).toBeGreaterThan(2 * CAMPAIGNS);
  } finally {
    python.close();
  }
});
