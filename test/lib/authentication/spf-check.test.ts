// Tests the SPF result that receivers will find.
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createResolver, type DnsResolver } from '../../../src/lib/dns/index.js';
import { lookUpSpf } from '../../../src/lib/authentication/spf-check.js';
import { startDnsServer, type TestDnsServer } from '../../support/dns-server.js';

const IP = '192.0.2.10';
let dns: TestDnsServer;
let resolver: DnsResolver;

beforeEach(async () => {
  dns = await startDnsServer({
    zones: {
      'mta.test': { A: [IP], AAAA: ['2001:db8::10'] },
      'mx.test': { MX: [{ preference: 10, exchange: 'mta.test' }] },
      '_spf.in.test': { TXT: ['v=spf1 ip4:192.0.2.0/24 -all'] },
      '_spf.out.test': { TXT: ['v=spf1 ip4:198.51.100.0/24 -all'] },
      'loop.test': { TXT: ['v=spf1 include:loop.test -all'] },
      '192.0.2.10.y.test': { A: ['127.0.0.2'] },
      'nothing.test': { TXT: ['hello'] },
      'two.test': { TXT: ['v=spf1 -all', 'v=spf1 ~all'] },
    },
  });
  resolver = createResolver({ servers: [dns.address], timeoutMs: 200, tries: 1, clock: () => 0 });
});

afterEach(async () => {
  resolver.close();
  await dns.close();
});

test.each([
  ['v=spf1 ip4:192.0.2.10 -all', 'pass'],
  ['v=spf1 ip4:192.0.2.11 -all', 'fail'],
  ['v=spf1 ip4:192.0.2.11 ~all', 'softfail'],
  ['v=spf1 ip4:192.0.2.11', 'neutral'],
  ['v=spf1 a:mta.test -all', 'pass'],
  ['v=spf1 mx:mx.test -all', 'pass'],
  ['v=spf1 mx:mx.test/24 -all', 'pass'],
  ['v=spf1 include:_spf.in.test -all', 'pass'],
  ['v=spf1 include:_spf.out.test -all', 'fail'],
  ['v=spf1 include:nothing.test -all', 'permerror'],
  ['v=spf1 include:two.test -all', 'permerror'],
  ['v=spf1 include:loop.test -all', 'permerror'],
  ['v=spf1 redirect=_spf.in.test', 'pass'],
  ['v=spf1 redirect=nothing.test', 'permerror'],
  ['v=spf1 redirect=_spf.in.test -all', 'fail'],
  ['v=spf1 exists:%{i}.x.test ip4:192.0.2.10 -all', 'pass'],
  ['v=spf1 exists:%{i}.x.test -all', 'fail'],
  ['v=spf1 exists:%{i}.y.test -all', 'pass'],
  ['v=spf1 -exists:%{i}.x.test ip4:192.0.2.10 -all', 'pass'],
  ['v=spf1 a:no1.test a:no2.test a:no3.test ip4:192.0.2.10 -all', 'permerror'],
  ['v=spf1 bogus -all', 'permerror'],
  ['v=spf1 ip4:192.0.2.300 -all', 'permerror'],
  ['v=spf1 ip4:192.0.2.0/33 -all', 'permerror'],
  ['v=spf1 include -all', 'permerror'],
  ['v=spf1 all:x -all', 'permerror'],
  ['v=spf1 ipv4:192.0.2.1 -all', 'permerror'],
  ['v=spf1 a/33 -all', 'permerror'],
  ['v=spf1 a: -all', 'permerror'],
  ['v=spf1 redirect=_spf.in.test redirect=_spf.out.test', 'permerror'],
  ['v=spf10 ip4:192.0.2.10 -all', 'none'],
  ['V=SPF1 ip4:192.0.2.10 -all', 'pass'],
  ['v=spf1 a:mta.test/30//64 -all', 'pass'],
  ['v=spf1 ip4:192.0.2.10 x=1 -all', 'pass'],
])('%s: %s', async (record, result) => {
  dns.set('b.test', 'TXT', [record]);
  expect((await lookUpSpf(resolver, 'b.test', IP)).result).toBe(result);
});

test('an IPv6 source is compared with IPv6 addresses', async () => {
  dns.set('b.test', 'TXT', ['v=spf1 a:mta.test -all']);
  expect((await lookUpSpf(resolver, 'b.test', '2001:db8::10')).result).toBe('pass');
  expect((await lookUpSpf(resolver, 'b.test', '2001:db8::11')).result).toBe('fail');
});

test('a domain without a record has the result none, and an unresponsive one a temporary error', async () => {
  expect(await lookUpSpf(resolver, 'gone.test', IP)).toMatchObject({ result: 'none' });
  dns.fault('b.test', 'servfail');
  expect(await lookUpSpf(resolver, 'b.test', IP)).toMatchObject({ result: 'temperror' });
});
