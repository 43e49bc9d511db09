// Tests a fresh server whose host has no public name, from startup to the DNS records of a domain: API, share page and command
// line.
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { createAppliance, type Appliance } from '../../../test/support/appliance.js';
import { startDnsServer, type TestDnsServer } from '../../../test/support/dns-server.js';
import { createCommandLine } from './support/command-line.js';

let dns: TestDnsServer;
let appliance: Appliance;
let cli: Awaited<ReturnType<typeof createCommandLine>>;
beforeAll(async () => {
  dns = await startDnsServer();
  appliance = await createAppliance({
    process: 'shared',
    env: { MAILKEEL_HOSTNAME: 'vm', MAILKEEL_DNS_SERVERS: dns.address },
  });
  await appliance.start();
});
afterAll(async () => {
  await appliance.close();
  await dns.close();
});
beforeEach(async () => {
  cli = await createCommandLine({
    MAILKEEL_URL: appliance.url,
    MAILKEEL_API_KEY: appliance.keys.live_key,
  });
  return () => cli.close();
});

interface Found {
  type: 'TXT' | 'MX' | 'CNAME';
  purpose: string;
  host: string;
  value: string | null;
  status: string;
  missing_setting: string | null;
  advice?: string | null;
}

const OWN_NAMES = /\bvm\b|localhost|127\.0\.0\.1/;
const ask = async (method: string, path: string, body?: unknown) => {
  const { json } = await appliance.api(method, path, { key: appliance.keys.live_key, body });
  return json;
};

it('omits its names from records, and reports the missing settings', async () => {
  const { missing_settings: missing } = await ask('GET', '/v1/system');
  expect(missing).toEqual(['MAILKEEL_HOSTNAME', 'MAILKEEL_PUBLIC_URL']);

  const made = await ask('POST', '/v1/senders', { domain: 'first.example' });
  const records: Found[] = made.dns_records;
  const dkim = records.filter(({ purpose }) => purpose === 'dkim');
  expect(dkim.every(({ value, status }) => value !== null && status === 'pending')).toBe(true);
  const others = records.filter(({ purpose }) => purpose !== 'dkim');
  expect(
    others.map(({ purpose, type, value, status, missing_setting: setting }) => [
      purpose,
      type,
      value,
      status,
      setting,
    ]),
  ).toEqual([
    ['return_path', 'MX', null, 'host_unnamed', 'MAILKEEL_HOSTNAME'],
    ['return_path', 'TXT', null, 'host_unnamed', 'MAILKEEL_HOSTNAME'],
    ['spf', 'TXT', null, 'host_unnamed', 'MAILKEEL_HOSTNAME'],
    ['dmarc', 'TXT', null, 'host_unnamed', 'MAILKEEL_HOSTNAME'],
    ['inbound', 'MX', null, 'host_unnamed', 'MAILKEEL_HOSTNAME'],
    ['tracking', 'CNAME', null, 'host_unnamed', 'MAILKEEL_PUBLIC_URL'],
  ]);
  expect(records.map(({ value }) => value ?? '').join('\n')).not.toMatch(OWN_NAMES);
});

it('also applies to a sub-tenant, whose domain is verified by its DKIM records alone', async () => {
  const tenant = await ask('POST', '/v1/sub-tenants', { name: 'Second', sending_domain: 'second.example' });
  const asked = dns.queries.length;
  for (const { type, host, value } of tenant.dns_records as Found[]) {
    if (type === 'TXT' && value !== null) dns.set(host, 'TXT', [value]);
  }
  const verified = await ask('POST', `/v1/sub-tenants/${tenant.id}/verify`);
  expect(verified.status).toBe('verified');
  const looked = dns.queries.slice(asked).map(({ name }) => name);
  expect(looked.filter((name) => /^(bounce|reply|click|_dmarc)\./.test(name))).toEqual([]);
  const { records } = await ask('GET', `/v1/sub-tenants/${tenant.id}/authentication`);
  const unnamed = (records as Found[]).filter(({ status }) => status === 'host_unnamed');
  expect(unnamed).toHaveLength(6);
  for (const { advice, missing_setting: setting } of unnamed) expect(advice).toContain(setting);
});

it('is explained on the share page, without broken names', async () => {
  const made = await ask('POST', '/v1/senders', { domain: 'third.example' });
  const { url } = await ask('POST', `/v1/senders/${made.id}/share`, { expires_in_days: 1 });
  const page = await (await fetch(`${appliance.url}${new URL(url).pathname}`)).text();
  expect(page).toContain('MAILKEEL_HOSTNAME');
  expect(page).toContain('MAILKEEL_PUBLIC_URL');
  expect(page).toContain('v=DKIM1');
  expect(page).not.toMatch(/<code>(?:vm|localhost)<|a:vm|@vm/);
});

it('is reported on the command line', async () => {
  const made = await ask('POST', '/v1/senders', { domain: 'fourth.example' });
  for (const command of ['records', 'watch']) {
    const args = command === 'watch' ? ['--timeout', '1'] : [];
    const { stdout } = await cli.run(['domains', command, made.id, ...args], { columns: 200 });
    expect(stdout).toContain('set MAILKEEL_HOSTNAME');
    expect(stdout).toContain('set MAILKEEL_PUBLIC_URL');
    expect(stdout).not.toMatch(/a:vm|@vm|\bvm$|localhost/m);
  }
});
