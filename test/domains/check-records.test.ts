import { afterEach, beforeEach, expect, test } from 'vitest';
import { createRecordCheck, type CheckedRecord } from '../../src/domains/check-records.js';
import { createResolver, type DnsResolver } from '../../src/lib/dns/index.js';
import { dnsRecordsFor } from '../../src/domains/dns-records.rules.js';
import { startDnsServer, type TestDnsServer, type TestRecords } from '../support/dns-server.js';

const KEY = `v=DKIM1; k=rsa; p=${'MIIB'.repeat(100)}`;
const DOMAIN = 'mail.shop.test';
const EXPECTED = dnsRecordsFor({
  domain: DOMAIN,
  dkim: [{ type: 'TXT', host: `s1._domainkey.${DOMAIN}`, value: KEY, required: true }],
  hostname: 'ph.test',
});
const PUBLISHED: Record<string, TestRecords> = {
  's1._domainkey.mail.shop.test': { TXT: [KEY] },
  'bounce.mail.shop.test': { MX: [{ preference: 10, exchange: 'ph.test' }], TXT: ['v=spf1 a:ph.test -all'] },
  'mail.shop.test': { TXT: ['v=spf1 a:ph.test include:x.test ~all'] },
  '_dmarc.shop.test': { TXT: ['v=DMARC1; p=reject'] },
  'reply.mail.shop.test': { MX: [{ preference: 10, exchange: 'ph.test' }] },
  'click.mail.shop.test': { CNAME: ['ph.test'] },
};

let resolverServer: TestDnsServer;
let authority: TestDnsServer;
let resolver: DnsResolver;

beforeEach(async () => {
  authority = await startDnsServer({ zones: PUBLISHED });
  resolverServer = await startDnsServer();
  resolver = createResolver({ servers: [resolverServer.address], timeoutMs: 100, tries: 1, clock: () => 0 });
});

afterEach(async () => {
  resolver.close();
  await Promise.all([authority.close(), resolverServer.close()]);
});

const statuses = (records: CheckedRecord[]): string[] =>
  records.map(({ purpose, type, status }) => `${purpose} ${type} ${status}`);

const ALL_OK = [
  'dkim TXT ok',
  'return_path MX ok',
  'return_path TXT ok',
  'spf TXT ok',
  'dmarc TXT ok',
  'inbound MX ok',
  'tracking CNAME ok',
];

function check(askAuthority: boolean, options: { allowPrivate?: boolean } = {}): Promise<CheckedRecord[]> {
  const recordCheck = createRecordCheck({
    resolver,
    askAuthority,
    clock: () => 0,
    authorityTimeoutMs: 100,
    authorityPort: authority.port,
    allowPrivate: options.allowPrivate ?? true,
  });
  return recordCheck.lookUpRecords(DOMAIN, EXPECTED);
}

function delegate(): void {
  resolverServer.set('shop.test', 'NS', ['ns1.shop.test']);
  resolverServer.set('ns1.shop.test', 'A', ['127.0.0.1']);
}

function publishAtResolver(): void {
  for (const [name, { MX, TXT, CNAME }] of Object.entries(PUBLISHED)) {
    if (MX) resolverServer.set(name, 'MX', MX);
    if (TXT) resolverServer.set(name, 'TXT', TXT);
    if (CNAME) resolverServer.set(name, 'CNAME', CNAME);
  }
}

test("the domain's own servers see records that the resolver does not know yet", async () => {
  delegate();
  expect(statuses(await check(true))).toEqual(ALL_OK);
});

test('with configured servers no others are asked', async () => {
  delegate();
  const records = await check(false);
  expect(new Set(records.map(({ status }) => status))).toEqual(new Set(['missing']));
  expect(authority.queries).toEqual([]);
  publishAtResolver();
  expect(statuses(await check(false))).toEqual(ALL_OK);
});

test('name servers with private addresses are not asked, and the resolver answers instead', async () => {
  delegate();
  publishAtResolver();
  expect(statuses(await check(true, { allowPrivate: false }))).toEqual(ALL_OK);
  expect(authority.queries).toEqual([]);
});

test('the resolver answers if the own servers do not respond or have no record of the type', async () => {
  delegate();
  publishAtResolver();
  authority.fault('s1._domainkey.mail.shop.test', 'drop');
  authority.remove('click.mail.shop.test', 'CNAME');
  expect(statuses(await check(true))).toEqual(ALL_OK);
});

test('a record removed from the own servers is missing even if the resolver caches it', async () => {
  delegate();
  publishAtResolver();
  authority.remove('s1._domainkey.mail.shop.test');
  expect(statuses(await check(true))).toContain('dkim TXT missing');
});

test.each(['shop.test', DOMAIN])(
  'finds a record at a name that a DNS panel has doubled with %s',
  async (zone) => {
    const host = `s1._domainkey.${DOMAIN}`;
    delegate();
    authority.remove(host);
    authority.set(`${host}.${zone}`, 'TXT', [KEY]);
    const [dkim, ...others] = await check(true);
    expect(dkim).toMatchObject({ status: 'missing', found: [], misplaced_at: `${host}.${zone}` });
    expect(others.every(({ status, misplaced_at: at }) => status === 'ok' && at === undefined)).toBe(true);
  },
);

test('ignores a different record at a doubled name', async () => {
  const host = `s1._domainkey.${DOMAIN}`;
  delegate();
  authority.remove(host);
  authority.set(`${host}.shop.test`, 'TXT', ['something else']);
  expect((await check(true))[0]).not.toHaveProperty('misplaced_at');
});

test('a record is pending if no server responds', async () => {
  delegate();
  for (const server of [authority, resolverServer]) server.fault('s1._domainkey.mail.shop.test', 'servfail');
  expect(statuses(await check(true))[0]).toBe('dkim TXT pending');
});

test('a record with the wrong value is a mismatch and shows the value', async () => {
  delegate();
  authority.set('click.mail.shop.test', 'CNAME', ['other.test']);
  const records = await check(true);
  expect(records.find(({ purpose }) => purpose === 'tracking')).toMatchObject({
    status: 'mismatch',
    found: ['other.test'],
    value: 'ph.test',
  });
});
