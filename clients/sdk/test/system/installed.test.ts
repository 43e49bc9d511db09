// Tests installing the package from the running server into an empty project outside the repository, as ESM and CommonJS, and
// that `npm pack` produces the same files.
import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { transformSync } from 'esbuild';
import { list } from 'tar';
import { afterAll, beforeAll, expect, it } from 'vitest';
import {
  publish,
  receives,
  startMailRig,
  type DnsRecord,
  type MailRig,
} from '../../../../test/support/mail-rig.js';
import { startSmtpSink, type SmtpSink } from '../../../../test/support/smtp-sink.js';
import { compile, readSamples } from '../support/samples.js';

const run = promisify(execFile);
/** Packages of the repository that the samples need in addition to the SDK. */
const BESIDES = ['react', 'react-dom', '@react-email', '@types', 'csstype'];

let sink: SmtpSink;
let rig: MailRig;
let project: string;
beforeAll(async () => {
  sink = await startSmtpSink({ keep: true });
  rig = await startMailRig({ process: 'shared', mxPort: sink.port });
  receives(rig.dns, 'example.com');
  await verifySender();
  project = await mkdtemp(join(tmpdir(), 'mailkeel-sdk-user-'));
  await writeFile(join(project, 'package.json'), '{ "name": "user", "private": true }\n');
  await run('npm', ['install', '--no-audit', '--no-fund', `${rig.appliance.url}/sdk.tgz`], { cwd: project });
  for (const name of BESIDES)
    await symlink(join(process.cwd(), 'node_modules', name), join(project, 'node_modules', name));
}, 120_000);
afterAll(async () => {
  await rig.close();
  await sink.close();
  await rm(project, { recursive: true, force: true });
});

/** Verifies the domain that the samples send from. */
async function verifySender(): Promise<void> {
  const { appliance, dns } = rig;
  const body = { domain: 'customer.example' };
  const { json } = await appliance.api('POST', '/v1/senders', { body });
  const { id, dns_records: records } = json as { id: string; dns_records: DnsRecord[] };
  publish(dns, records);
  await appliance.api('POST', `/v1/senders/${id}/verify`);
}

const MODES = ['test', 'live'] as const;
/** It creates a customer whose DNS is never published; examples/customer-onboarding does so with a live key. */
const SANDBOX_ONLY = 'Send for your customers and prove delivery';

const env = (mode: (typeof MODES)[number] = 'test'): Record<string, string> => ({
  PATH: process.env['PATH'] ?? '',
  MAILKEEL_URL: rig.appliance.url,
  MAILKEEL_API_KEY: rig.appliance.keys[`${mode}_key`],
});

it('every sample of the README compiles in strict mode, and runs with either key', async () => {
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
  for (const [i, file] of files.entries()) {
    const script = file.replace('.mts', '.mjs');
    for (const mode of samples[i]?.title === SANDBOX_ONLY ? (['test'] as const) : MODES) {
      const options = { env: env(mode), cwd: project };
      const { stderr } = await run(process.execPath, ['--no-warnings', script], options);
      expect(stderr, `${script} with a ${mode} key`).toBe('');
    }
  }
  expect(sink.messages.some(({ rcptTo }) => rcptTo.includes('ann@example.com'))).toBe(true);
}, 180_000);

it('can be required from CommonJS too', async () => {
  const script = `const { Mailkeel, webhooks } = require('@mailkeel/sdk');
    webhooks.verifySync('{"event":"message.sent"}', webhooks.sign('{"event":"message.sent"}', 'whsec_dGVzdA=='), 'whsec_dGVzdA==');
    new Mailkeel().me.get().then(({ object }) => console.log(object));`;
  const { stdout } = await run(process.execPath, ['-e', script], { env: env(), cwd: project });
  expect(stdout).toBe('me\n');
});

it('is packed by npm as the server provides it', async () => {
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
