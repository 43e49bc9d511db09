// Tests that everyone can download the SDK and the command line that match the release.
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createAppliance, type Appliance } from '../support/appliance.js';

let appliance: Appliance;
beforeAll(async () => {
  appliance = await createAppliance({ process: 'shared' });
  await appliance.start();
});
afterAll(() => appliance.close());

it.each(['sdk.tgz', 'cli.tgz'])('%s is served without a key, octet for octet, and cached', async (name) => {
  const first = await fetch(`${appliance.url}/${name}`);
  expect(first.status).toBe(200);
  expect(first.headers.get('content-type')).toBe('application/gzip');
  expect(first.headers.get('content-encoding')).toBeNull();
  expect(first.headers.get('cache-control')).toBe('public, max-age=300');
  expect(Buffer.from(await first.arrayBuffer()).equals(readFileSync(`dist/${name}`))).toBe(true);
  const etag = first.headers.get('etag') ?? '';
  const again = await fetch(`${appliance.url}/${name}`, { headers: { 'if-none-match': etag } });
  expect(again.status).toBe(304);
});
