// Tests that the README's samples compile under strict and run against the program, and that the examples of the methods compile.
import { execFile } from 'node:child_process';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { transformSync } from 'esbuild';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createAppliance, type Appliance } from '../../../test/support/appliance.js';
import { isFullSize } from '../../../test/support/run-size.js';
import { compile, readExamples, readGuides, readReference, readSamples } from './support/samples.js';

/** Inside the repository, where the package resolves by its name, as for its users. */
const FOLDER = join(process.cwd(), 'node_modules/.cache/sdk-samples');
const samples = readSamples();

/** Output of the samples. */
const SAID: Record<string, RegExp> = {
  'Send a message': /^msg_\w+ queued\n$/,
  'Schedule a template without duplicates': /^true\n$/,
  'Send a batch': /^ann@example\.com msg_\w+\nnot an address validation_error\n$/,
  'Handle errors': /^GET \/v1\/messages\/\{id\} 404 \d+ \S+\nmessage not found\n$/,
  'Paginate lists': /^\d+ true\n$/,
  'Import contacts and create a campaign': /^\w+\n/,
  'Receive webhooks': /^bounced msg_1\n204 400\n$/,
  'Stream events': /^evt_\w+ message\.delivered msg_\w+\n$/,
  'Send for your customers and prove delivery': /\ntrue true\n$/,
};

/** Calls of samples that only define something. */
const USES: Record<string, string> = {
  'Receive webhooks': `
const data = { id: 'msg_1', event: 'message.bounced', occurred_at: '2026-03-01T09:00:00.000Z' };
const body = JSON.stringify({ event: data.event, occurred_at: data.occurred_at, data });
const ask = (headers) => POST(new Request('https://b.example', { method: 'POST', body, headers }));
console.log((await ask(webhooks.sign(body, secrets))).status, (await ask({})).status);
`,
};

let appliance: Appliance | undefined;
beforeAll(async () => {
  rmSync(FOLDER, { recursive: true, force: true });
  mkdirSync(FOLDER, { recursive: true });
  if (!isFullSize) return;
  appliance = await createAppliance({ process: 'shared' });
  await appliance.start();
});
afterAll(() => appliance?.close());

describe('the samples', () => {
  it('compile, and so do the examples of all methods, of the guides and of the API reference', async () => {
    const { count, code } = readExamples();
    expect(count).toBeGreaterThan(170);
    const guides = readGuides();
    expect(guides.count).toBeGreaterThanOrEqual(9);
    const reference = readReference();
    expect(reference.length).toBeGreaterThan(170);
    const files = [...samples.map((sample) => sample.code), code, guides.code, ...reference].map(
      (text, i) => {
        const file = join(FOLDER, `sample-${i}.mts`);
        writeFileSync(file, text);
        return file;
      },
    );
    expect(await compile(files, { declarations: false })).toEqual([]);
  }, 120_000);

  // In CI they run where the package is installed: test/system/installed.test.ts.
  it.runIf(isFullSize).each(samples.map((sample, i) => [sample.title, sample.code, i] as const))(
    'run: %s',
    async (title, code, i) => {
      const file = join(FOLDER, `run-${i}.mjs`);
      writeFileSync(file, transformSync(code, { loader: 'ts', format: 'esm' }).code + (USES[title] ?? ''));
      const { PATH = '' } = process.env;
      const env = { PATH, MAILKEEL_URL: appliance?.url, MAILKEEL_API_KEY: appliance?.keys.test_key };
      const { stdout, stderr } = await promisify(execFile)(process.execPath, ['--no-warnings', file], {
        env,
      });
      expect(stderr).toBe('');
      expect(stdout).toMatch(SAID[title] ?? /^$/);
    },
  );
});
