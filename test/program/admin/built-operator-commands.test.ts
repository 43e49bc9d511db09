// Tests doctor, admin shaping and admin classify as installed, by node dist/admin/main.js, with valid and invalid data.
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { mailkeel } from '../../support/appliance.js';
import { startDnsServer, type TestDnsServer } from '../../support/dns-server.js';
import { isFullSize } from '../../support/run-size.js';

let folder: string;
let dns: TestDnsServer;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'mailkeel-cli-'));
  dns = await startDnsServer({
    zones: {
      'example.com': { MX: [{ preference: 10, exchange: 'aspmx.l.google.com' }] },
      'aspmx.l.google.com': { A: ['142.250.0.26'] },
    },
  });
});
afterEach(async () => {
  await dns.close();
  await rm(folder, { recursive: true, force: true });
});

/** `mailkeel …`, its output read as JSON if it is any. */
async function run(args: string[], env: Record<string, string> = {}) {
  const { code, stdout, stderr } = await mailkeel(args, {
    MAILKEEL_DATA_DIR: folder,
    MAILKEEL_DNS_SERVERS: dns.address,
    MAILKEEL_DNS_TIMEOUT: '300ms',
    MAILKEEL_HOSTNAME: 'mta.x.test',
    ...env,
  });
  const json = /^[{[]/.test(stdout) ? (JSON.parse(stdout) as Record<string, unknown>) : null;
  return { code, stdout, stderr, json };
}

describe('mailkeel admin shaping', () => {
  it('shows the limits of a domain after a DNS lookup', async () => {
    const { code, json } = await run(['admin', 'shaping', '--domain', 'example.com']);
    expect(code).toBe(0);
    expect(json).toMatchObject({ provider: 'google', network: 'public' });
  });

  it.runIf(isFullSize)('accepts valid data', async () => {
    const shaping = '{"providers": {"google": {"connections_max": 8}}}';
    const { code, json } = await run(['admin', 'shaping', '--check'], { MAILKEEL_SHAPING: shaping });
    expect([code, json]).toEqual([0, expect.objectContaining({ ok: true })]);
  });

  it('reports the path of every error in both parts, with another exit code', async () => {
    const { code, stdout, stderr } = await run(['admin', 'shaping', '--check'], {
      MAILKEEL_SHAPING: '{"defaults": {"connections": 0}, "providers": {"nobody": {}}}',
      MAILKEEL_OUTBOUND: '{"sources": [{"name": "a", "address4": "nonsense"}], "default": ["pool:none"]}',
    });
    expect(code).not.toBe(0);
    for (const place of ['connections', 'nobody', 'address4', 'default[0]'])
      expect(stdout + stderr).toContain(place);
    expect(stdout + stderr).not.toMatch(/\n\s+at /);
  });

  it.runIf(isFullSize)('reports invalid JSON with its setting, without repeating secrets', async () => {
    const { code, stdout, stderr } = await run(['admin', 'shaping', '--check'], {
      MAILKEEL_OUTBOUND: '{"smarthosts": [{"name": "r", "url": "smtp://u:hunter2@relay.example" ',
    });
    expect(code).not.toBe(0);
    expect(stdout + stderr).toContain('MAILKEEL_OUTBOUND');
    expect(stdout + stderr).not.toContain('hunter2');
  });
});

describe('mailkeel admin classify', () => {
  it('explains the consequences of a reply', async () => {
    const { code, json } = await run(['admin', 'classify', '--code', '552', '--text', '5.2.2 mailbox full']);
    expect(code).toBe(0);
    expect(json).toMatchObject({ category: 'quota', disposition: 'retry' });
  });

  it.runIf(isFullSize)('refuses invalid input and invalid rules', async () => {
    const none = await run(['admin', 'classify', '--code', '99', '--text', 'x']);
    expect(none.code).not.toBe(0);
    await writeFile(join(folder, 'rules.json'), '{"rules": 1}');
    const bad = await run(['admin', 'classify', '--check', '--rules', join(folder, 'rules.json')]);
    expect(bad.code).not.toBe(0);
    expect(bad.stdout + bad.stderr).not.toMatch(/\n\s+at /);
  });
});

describe('mailkeel doctor', () => {
  it('prints its checks as JSON, and fails if names are wrong', async () => {
    const { code, json } = await run(['doctor', '--json']);
    expect(code).toBe(9);
    expect(json).toMatchObject({ status: 'fail', checks: expect.any(Array) as unknown[] });
  });

  it.runIf(isFullSize)('reports an unreadable configuration', async () => {
    const { code, stdout, stderr } = await run(['doctor', '--json'], {
      MAILKEEL_SHAPING: '{"defaults": {"tls": "maybe"}}',
    });
    expect(code).not.toBe(0);
    expect(stdout + stderr).toContain('tls');
    expect(stdout + stderr).not.toMatch(/\n\s+at /);
  });
});
