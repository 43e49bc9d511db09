// Tests installing the command line from the running server into an empty prefix, with an unreachable registry.
import { execFile } from 'node:child_process';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createAppliance, type Appliance } from '../../../../test/support/appliance.js';

const run = promisify(execFile);
/** A port without a listener. */
const NO_REGISTRY = 'http://127.0.0.1:9/';

let appliance: Appliance;
let prefix: string;
let env: Record<string, string>;
beforeAll(async () => {
  appliance = await createAppliance({ process: 'shared' });
  await appliance.start();
  prefix = await mkdtemp(join(tmpdir(), 'mailkeel-prefix-'));
  env = {
    HOME: prefix,
    PATH: `${prefix}/bin:${process.env['PATH'] ?? ''}`,
    npm_config_prefix: prefix,
    npm_config_registry: NO_REGISTRY,
    npm_config_audit: 'false',
    npm_config_fund: 'false',
    MAILKEEL_URL: appliance.url,
    MAILKEEL_API_KEY: appliance.keys.test_key,
  };
  await run('npm', ['install', '-g', `${appliance.url}/cli.tgz`], { env });
}, 120_000);
afterAll(async () => {
  await appliance.close();
  await rm(prefix, { recursive: true, force: true });
});

it('is one package without dependencies', async () => {
  expect(await readdir(join(prefix, 'lib/node_modules'))).toEqual(['@mailkeel']);
  expect(await readdir(join(prefix, 'lib/node_modules/@mailkeel'))).toEqual(['cli']);
});

it('sends a message and explains it', async () => {
  const mail = '--from me@example.com --to delivered@example.com --subject Hello --text Hi --wait'.split(' ');
  const { stdout } = await run('mailkeel', ['send', ...mail], { env });
  const { stdout: help } = await run('mailkeel', ['--help'], { env });
  expect(stdout).toContain('delivered');
  expect(help).toContain('mailkeel login --url');
});

it('explains where admin commands work', async () => {
  const refused = await run('mailkeel', ['admin', 'backup'], { env }).catch((error: unknown) => error);
  expect(refused).toMatchObject({ stderr: expect.stringContaining('npm run mailkeel -- admin backup') });
});
