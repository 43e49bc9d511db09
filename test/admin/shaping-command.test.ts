// Tests that `mailkeel admin shaping` shows which rules apply to mail, and checks the rules.
import { Command } from 'commander';
import { afterEach, describe, expect, it } from 'vitest';
import { type ShapingAnswer, addAdminShaping } from '../../src/admin/shaping-command.js';
import type { Terminal } from '../../src/admin/terminal.js';
import { loadConfig } from '../../src/settings/load.js';
import { startDnsServer, type TestDnsServer } from '../support/dns-server.js';
import { fixedClock } from '../support/fixed-clock.js';

const OUTBOUND = JSON.stringify({
  sources: [
    { name: 'a', address4: '192.0.2.1', ehlo: 'a.example.com' },
    { name: 'b', address4: '192.0.2.2', address6: '2001:db8::2', warm_up: { started_on: '2026-11-01' } },
    { name: 'six', address6: '2001:db8::6' },
  ],
  pools: { default: ['a', { source: 'b', weight: 3 }, 'six'] },
  smarthosts: [{ name: 'relay', url: 'smtp://u:hunter2@relay.example' }],
  routes: [{ tenant: 'acme', type: 'marketing', via: ['smarthost:relay', 'pool:default'] }],
  overflow: 'smarthost:relay',
});

let dns: TestDnsServer | null = null;
afterEach(async () => {
  await dns?.close();
  dns = null;
});

async function shaping(args: string[], env: Record<string, string> = {}, isTTY = false) {
  let stdout = '';
  const terminal: Terminal = {
    stdout: { write: (text) => (stdout += text), isTTY },
    stderr: { write: () => undefined },
    readStdin: () => Promise.resolve(''),
    loadConfig: () => loadConfig({ env: { MAILKEEL_HOSTNAME: 'mail.example.com', ...env } }),
    clock: fixedClock().now,
    exitCode: 0,
  };
  const program = new Command().exitOverride().configureOutput({ writeErr: () => undefined });
  addAdminShaping(program, terminal);
  await program.parseAsync(['shaping', ...args], { from: 'user' });
  return { stdout, exitCode: terminal.exitCode };
}

async function answer(args: string[], env: Record<string, string> = {}): Promise<ShapingAnswer> {
  return JSON.parse((await shaping(args, env)).stdout) as ShapingAnswer;
}

describe('mailkeel admin shaping', () => {
  it('accepts a domain in canonical form only', async () => {
    const MAILKEEL_OUTBOUND = '{"routes": [{"domain": "bücher.example", "via": ["pool:default"]}]}';
    const found = await answer(['--domain', 'BÜCHER.example', '--mx', 'mx.example.net'], {
      MAILKEEL_OUTBOUND,
    });
    expect(found).toMatchObject({ domain: 'xn--bcher-kva.example', decided_by: 'routes[0]' });
    await expect(shaping(['--domain', 'not a domain'])).rejects.toThrow('space');
    await expect(shaping(['--mx', ''])).rejects.toThrow('empty');
  });

  it('shows provider, limits, rules and routes of given mail hosts', async () => {
    const found = await answer(['--mx', 'aspmx.l.google.com,alt1.aspmx.l.google.com'], {
      MAILKEEL_OUTBOUND: OUTBOUND,
      MAILKEEL_SHAPING: '{"providers": {"google": {"sources": {"b": {"connections_max": 3}}}}}',
    });
    expect(found).toMatchObject({
      provider: 'google',
      network: 'public',
      decided_by: 'default',
      overflow: 'smarthost:relay',
      egress: [{ via: 'pool:default' }],
    });
    const [a, b, six] = found.egress[0]?.paths ?? [];
    expect(a).toMatchObject({ source: 'a', share: 20, address4: '192.0.2.1', ehlo_name: 'a.example.com' });
    expect(a?.limits).toEqual({
      connections: 2,
      connections_max: 5,
      connection_rate: '51/min burst 10',
      message_rate: null,
      messages_per_connection: 50,
      idle: '20s',
      tls: 'required',
      from: ['defaults', 'providers.google'],
    });
    expect(b).toMatchObject({ share: 60, ehlo_name: 'mail.example.com', warm_up_started_on: '2026-11-01' });
    expect(b?.limits).toMatchObject({ connections_max: 3 });
    expect(b?.limits.from.at(-1)).toBe('providers.google.sources.b');
    expect(six).toMatchObject({ share: 20, address4: null });
    const names = found.automation.map(({ name }) => name);
    expect(names).toContain('google-unusual-rate');
    expect(names).not.toContain('yahoo-deferred');
  });

  it('looks a domain up in DNS', async () => {
    dns = await startDnsServer({
      zones: {
        'example.org': { MX: [{ preference: 10, exchange: 'mx.example.org' }] },
        'mx.example.org': { A: ['127.0.0.9'] },
      },
    });
    const env = {
      MAILKEEL_DNS_SERVERS: dns.address,
      MAILKEEL_ALLOW_PRIVATE_MX: 'true',
      MAILKEEL_OUTBOUND: OUTBOUND,
      MAILKEEL_SHAPING: '{"sites": {"example.org": {"tls": "required"}}}',
    };
    const found = await answer(['--domain', 'example.org', '--source', 'b'], env);
    expect(found).toMatchObject({
      mx_hosts: ['mx.example.org'],
      provider: null,
      network: 'own',
      no_route: null,
    });
    expect(found.egress[0]?.paths).toHaveLength(1);
    expect(found.egress[0]?.paths[0]).toMatchObject({
      source: 'b',
      share: 75,
      limits: {
        tls: 'required',
        connection_rate: null,
        from: ['defaults', 'own_network', 'sites.example.org'],
      },
    });
    const all = await answer(['--domain', 'example.org'], env);
    expect(all.egress[0]?.paths.map(({ source, share }) => [source, share])).toEqual([
      ['a', 25],
      ['b', 75],
      ['six', 0],
    ]);
    const gone = await answer(['--domain', 'nowhere.example'], env);
    expect(gone).toMatchObject({ mx_hosts: [], no_route: 'The domain nowhere.example does not exist' });
  });

  it('finds the route of a tenant’s mail, and never shows a password', async () => {
    const args = ['--tenant', 'acme', '--type', 'marketing'];
    const found = await answer(args, { MAILKEEL_OUTBOUND: OUTBOUND });
    expect(found).toMatchObject({ decided_by: 'routes[0]' });
    expect(found.egress.map(({ via }) => via)).toEqual(['smarthost:relay', 'pool:default']);
    expect(found.egress[0]?.paths[0]?.limits).toMatchObject({ connection_rate: null });
    const { stdout } = await shaping(args, { MAILKEEL_OUTBOUND: OUTBOUND }, true);
    expect(stdout).not.toContain('hunter2');
    expect(stdout).toContain('1. smarthost:relay\n   relay (100%)\n');
    expect(stdout).toContain('matched by  routes[0]');
    expect(stdout).toMatch(/^too-many-connections {2,}20 within 10m {2,}connections 1 for 15m$/m);
  });

  it('refuses a source that does not exist', async () => {
    await expect(shaping(['--source', 'x'])).rejects.toThrow('known sources: default');
  });

  it("checks the shipped data and the operator's", async () => {
    const good = await shaping(['--check'], { MAILKEEL_OUTBOUND: OUTBOUND });
    expect(good.exitCode).toBe(0);
    expect(JSON.parse(good.stdout)).toMatchObject({ ok: true, problems: [], sources: ['a', 'b', 'six'] });
    const bad = await shaping(
      ['--check'],
      {
        MAILKEEL_OUTBOUND: '{"smarthosts": [{"name": "r", "url": "smtp:hunter2"}], "default": ["pool:x"]}',
        MAILKEEL_SHAPING: '{"defaults": {"idle": 5}}',
      },
      true,
    );
    expect(bad.exitCode).toBe(9);
    expect(bad.stdout.trim().split('\n')).toEqual([
      'shaping: defaults.idle must be a duration up to 366d, for example 90s, 30m or 2h',
      'outbound: smarthosts[0].url must be smtp[s]://[user:password@]host[:port] or smtp[s]://user@host[:port]?oauth2_token_file=path',
      'outbound: default[0] refers to an unknown pool: "x"',
    ]);
  });
});
