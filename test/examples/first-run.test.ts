// Runs the SDK lines that the program prints at startup.
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createAppliance, type Appliance } from '../support/appliance.js';

let appliance: Appliance;
beforeAll(async () => {
  appliance = await createAppliance({ process: 'shared' });
  await appliance.start();
});
afterAll(() => appliance.close());

it('the SDK sends the same message as the first curl line', async () => {
  const output = appliance.output();
  const [url] = /(?<=npm install )\S+/.exec(output) ?? [];
  expect(url).toBe(`${appliance.url.replace('127.0.0.1', 'localhost')}/sdk.tgz`);
  const [command = ''] = /^ {2}MAILKEEL_URL=[^]*?'$/m.exec(output) ?? [];
  const { PATH = '' } = process.env;
  // The package is already present in this repository.
  const env = { PATH, KEY: appliance.keys.test_key };
  const { stdout, stderr } = await promisify(execFile)('sh', ['-c', command], { env });
  expect(stderr).toBe('');
  const id = stdout.trim();
  const { json } = await appliance.api('GET', `/v1/messages/${id}`, { key: appliance.keys.test_key });
  expect(json).toMatchObject({ id, to: 'delivered@example.com', subject: 'Hello', sandbox: true });
});
