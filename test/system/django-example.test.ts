// Tests examples/django-smtp: Django's own mail functions, signed in with an API key, through the real relay to a mail server.
import { spawn, spawnSync } from 'node:child_process';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Finished } from '../support/appliance.js';
import { ensurePackages } from '../support/apt.js';
import { readMail } from '../support/mail-oracles.js';
import { startMailRigWithSink, type SinkRig } from '../support/mail-rig.js';

const PYTHON = '/usr/bin/python3';
const missing = ensurePackages({
  packages: ['python3-django'],
  isThere: () => spawnSync(PYTHON, ['-c', 'import django']).status === 0,
});
if (missing !== null) console.warn(`skipped: ${missing}`);

describe.skipIf(missing !== null)(`Django by SMTP${missing === null ? '' : ` (${missing})`}`, () => {
  let relay: SinkRig;
  beforeAll(async () => {
    relay = await startMailRigWithSink({ process: 'shared' });
  });
  afterAll(() => relay.close());

  /** Runs `python manage.py …`, with these settings over those of the relay. */
  function manage(args: readonly string[], more: Record<string, string> = {}): Promise<Finished> {
    const { PATH = '' } = process.env;
    const child = spawn(PYTHON, ['-B', 'manage.py', ...args], {
      cwd: 'examples/django-smtp',
      env: {
        PATH,
        // As a newer Django checks it: by the name in the certificate, which the relay created itself.
        SSL_CERT_FILE: relay.appliance.env['MAILKEEL_TLS_CERT'] ?? '',
        MAILKEEL_SMTP_HOST: 'localhost',
        MAILKEEL_SMTP_PORT: String(relay.appliance.mailPort('Relay')),
        MAILKEEL_API_KEY: relay.key,
        ...more,
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const written = { stdout: '', stderr: '' };
    child.stdout.on('data', (bytes: Buffer) => (written.stdout += bytes.toString()));
    child.stderr.on('data', (bytes: Buffer) => (written.stderr += bytes.toString()));
    return new Promise((resolve, reject) => {
      child.once('error', reject);
      child.once('close', (code) => resolve({ code, ...written }));
    });
  }

  it('sends a receipt that arrives signed, with its tag and metadata', async () => {
    const to = 'ann@receiver.example';
    const { code, stdout, stderr } = await manage(['send_receipt', to, '--order', '4711']);
    expect([code, stdout, stderr]).toEqual([0, `Receipt 4711 is on its way to ${to}.\n`, '']);
    const { raw } = await relay.arrived(to);
    expect(await relay.validSignatures(raw)).toContain('shop.example');
    expect(raw.toString()).not.toMatch(/^X-Service-(?:Tag|Metadata)/im);
    const types = (await readMail(raw)).parts.map(({ type }) => type);
    expect(types).toEqual(expect.arrayContaining(['text/plain', 'text/html']));
    const { json } = await relay.appliance.api('GET', `/v1/messages?to=${to}`);
    expect(json.data).toMatchObject([
      { subject: 'Your receipt, order 4711', tags: ['receipt'], metadata: { order: '4711' } },
    ]);
  });

  it('sends a receipt once, however often the command runs', async () => {
    const to = 'ben@receiver.example';
    const runs: string[] = [];
    for (let i = 0; i < 2; i++) {
      const { code, stdout, stderr } = await manage(['send_receipt', to, '--order', '4712']);
      expect([code, stderr]).toEqual([0, '']);
      runs.push(stdout);
    }
    expect(runs).toEqual([`Receipt 4712 is on its way to ${to}.\n`, 'Receipt 4712 was sent before.\n']);
    const { json } = await relay.appliance.api('GET', `/v1/messages?to=${to}`);
    expect(json.data).toHaveLength(1);
  });

  it.each([
    ['no key is set', { MAILKEEL_API_KEY: '' }, /Set MAILKEEL_API_KEY to an API key that may send/],
    [
      'the key is none',
      { MAILKEEL_API_KEY: `svc_live_${'x'.repeat(40)}` },
      /CommandError: The relay refused.*535/,
    ],
    [
      'the sender is not verified',
      { DEFAULT_FROM_EMAIL: 'orders@elsewhere.example' },
      /CommandError: The relay refused.*550/,
    ],
    ['nobody listens', { MAILKEEL_SMTP_PORT: '1' }, /CommandError: The relay cannot be reached/],
  ])('explains what to do if %s', async (_when, env, said) => {
    const { code, stderr } = await manage(['send_receipt', 'cem@receiver.example', '--order', '1'], env);
    expect(stderr).toMatch(said);
    expect(code).not.toBe(0);
  });
});
