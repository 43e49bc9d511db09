// The package as somebody installs it: from the running appliance, into an empty project outside the repository, as ESM and as CommonJS;
// and `npm pack` gives the same files.
import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { transformSync } from 'esbuild';
import { list } from 'tar';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createAppliance, type Appliance } from '../../../../test/support/appliance.js';
import { compile, readSamples } from '../support/samples.js';

const run = promisify(execFile);
/** Of the repository: what the samples need besides the SDK. */
const BESIDES = ['react', 'react-dom', '@react-email', '@types', 'csstype'];

let appliance: Appliance;
let project: string;
beforeAll(async () => {
  appliance = await createAppliance({ process: 'shared' });
  await appliance.start();
  project = await mkdtemp(join(tmpdir(), 'posthorn-sdk-user-'));
  await writeFile(join(project, 'package.json'), '{ "name": "user", "private": true }\n');
  await run('npm', ['install', '--no-audit', '--no-fund', `${appliance.url}/sdk.tgz`], { cwd: project });
  for (const name of BESIDES)
    await symlink(join(process.cwd(), 'node_modules', name), join(project, 'node_modules', name));
}, 120_000);
afterAll(async () => {
  await appliance.close();
  await rm(project, { recursive: true, force: true });
});

const env = (): Record<string, string> => ({
  PATH: process.env['PATH'] ?? '',
  POSTHORN_URL: appliance.url,
  POSTHORN_API_KEY: appliance.keys.test_key,
});

it('every sample of the README compiles under strict, and runs', async () => {
  const samples = readSamples();
  expect(samples.length).toBeGreaterThanOrEqual(10);
  const files: string[] = [];
  for (const [i, { code }] of samples.entries()) {
    const file = join(project, `sample-${i}.mts`);
    await writeFile(file, code);
    await writeFile(file.replace('.mts', '.mjs'), transformSync(code, { loader: 'ts', format: 'esm' }).code);
    files.push(file);
  }
  expect(await compile(files, { declarations: true })).toEqual([]);
  for (const file of files) {
    const script = file.replace('.mts', '.mjs');
    const { stderr } = await run(process.execPath, ['--no-warnings', script], { env: env(), cwd: project });
    expect(stderr, script).toBe('');
  }
}, 180_000);

it('is required from CommonJS too', async () => {
  const script = `const { Posthorn, webhooks } = require('@posthorn/sdk');
    webhooks.verifySync('{"event":"message.sent"}', webhooks.sign('{"event":"message.sent"}', 'whsec_dGVzdA=='), 'whsec_dGVzdA==');
    new Posthorn().me.get().then(({ object }) => console.log(object));`;
  const { stdout } = await run(process.execPath, ['-e', script], { env: env(), cwd: project });
  expect(stdout).toBe('me\n');
});

it('is packed by npm as the appliance serves it', async () => {
  const folder = join(process.cwd(), 'clients/sdk');
  const { stdout } = await run('npm', ['pack', '--json', '--dry-run', '--ignore-scripts'], { cwd: folder });
  const [{ files }] = JSON.parse(stdout) as [{ files: { path: string }[] }];
  const served: string[] = [];
  await list({
    file: 'dist/sdk.tgz',
    onReadEntry: ({ path, type }) => type === 'File' && served.push(path.slice('package/'.length)),
  });
  expect(served.sort()).toEqual(files.map(({ path }) => path).sort());
  const { version } = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8')) as { version: string };
  expect(await readFile(join(folder, 'src/config.ts'), 'utf8')).toContain(`SDK_VERSION = '${version}'`);
});
