import { afterEach, beforeEach, expect, test } from 'vitest';
import { createResolver, type DnsResolver } from '../../src/lib/dns/index.js';
import { lookUpHost, lookUpRoute } from '../../src/outbound/route/mx-look-up.js';
import type { RoutePolicy } from '../../src/outbound/route/mx.rules.js';
import { startDnsServer, type TestDnsServer } from '../support/dns-server.js';

const POLICY: RoutePolicy = {
  allowPrivate: true,
  ownAddresses: [],
  connectPort: 2526,
  listenerPort: 2525,
  families: [4],
};
let server: TestDnsServer;
let resolver: DnsResolver;

beforeEach(async () => {
  server = await startDnsServer({
    zones: {
      'shop.test': {
        MX: [
          { preference: 20, exchange: 'mx2.shop.test' },
          { preference: 10, exchange: 'mx1.shop.test' },
        ],
      },
      'mx1.shop.test': { A: ['127.0.0.2'] },
      'mx2.shop.test': { CNAME: ['real.shop.test'] },
      'real.shop.test': { A: ['127.0.0.3'] },
      'bare.test': { A: ['127.0.0.4'] },
      'six.test': { AAAA: ['2606:4700::1'] },
      'empty.test': { TXT: ['v=spf1 -all'] },
      'null.test': { MX: [{ preference: 0, exchange: '.' }], A: ['127.0.0.5'] },
      ['xn--gre-6ka8l.test']: { MX: [{ preference: 1, exchange: 'mx1.shop.test' }] },
    },
  });
  resolver = createResolver({ servers: [server.address], timeoutMs: 100, tries: 1, clock: () => 0 });
});

afterEach(async () => {
  resolver.close();
  await server.close();
});

test('mail follows MX records and their aliases', async () => {
  expect(await lookUpRoute(resolver, 'Shop.test', POLICY)).toMatchObject({
    kind: 'route',
    hosts: [
      { host: 'mx1.shop.test', addresses: ['127.0.0.2'] },
      { host: 'mx2.shop.test', addresses: ['127.0.0.3'] },
    ],
    mxHosts: ['mx1.shop.test', 'mx2.shop.test'],
  });
});

test('an international domain is looked up by its A-label', async () => {
  expect((await lookUpRoute(resolver, 'Grüße.test', POLICY)).kind).toBe('route');
  expect(server.queries[0]?.name).toMatch(/^xn--/);
});

test('a domain without MX receives at its own address', async () => {
  expect(await lookUpRoute(resolver, 'bare.test', POLICY)).toMatchObject({
    kind: 'route',
    hosts: [{ host: 'bare.test', addresses: ['127.0.0.4'] }],
  });
});

test('an IPv6-only domain is not dead for an IPv4 sender', async () => {
  expect(await lookUpRoute(resolver, 'six.test', POLICY)).toMatchObject({
    kind: 'temporary',
    category: 'network',
    enhanced: '4.4.4',
  });
  expect(await lookUpRoute(resolver, 'empty.test', POLICY)).toMatchObject({ category: 'bad_domain' });
});

test('null MX, unknown domain and address literals are permanent', async () => {
  expect(await lookUpRoute(resolver, 'null.test', POLICY)).toMatchObject({ enhanced: '5.1.10' });
  expect(await lookUpRoute(resolver, 'nowhere.test', POLICY)).toMatchObject({ enhanced: '5.1.2' });
  expect(await lookUpRoute(resolver, '[127.0.0.1]', POLICY)).toMatchObject({ kind: 'permanent' });
  expect(await lookUpRoute(resolver, '127.0.0.1', POLICY)).toMatchObject({ kind: 'permanent' });
});

test('a failing MX lookup never falls back to the address', async () => {
  server.fault('bare.test', 'servfail', 'MX');
  expect(await lookUpRoute(resolver, 'bare.test', POLICY)).toMatchObject({
    kind: 'temporary',
    enhanced: '4.4.3',
  });
  expect(server.queries.every(({ type }) => type === 'MX')).toBe(true);
});

test('a domain with hundreds of MX hosts causes a limited number of queries', async () => {
  const hosts = Array.from({ length: 200 }, (_, i) => ({ preference: i, exchange: `h${i}.many.test` }));
  server.set('many.test', 'MX', hosts);
  expect((await lookUpRoute(resolver, 'many.test', POLICY)).kind).toBe('temporary');
  expect(server.queries.filter(({ type }) => type === 'A').length).toBeLessThanOrEqual(15);
});

test('a smarthost is a name or an address', async () => {
  expect(await lookUpHost(resolver, 'bare.test', POLICY)).toMatchObject({
    hosts: [{ host: 'bare.test', addresses: ['127.0.0.4'] }],
  });
  expect(await lookUpHost(resolver, '[::1]', { ...POLICY, families: [4, 6] })).toMatchObject({
    hosts: [{ addresses: ['::1'] }],
  });
  expect(await lookUpHost(resolver, '10.0.0.1', { ...POLICY, allowPrivate: false })).toMatchObject({
    kind: 'permanent',
    enhanced: '5.4.4',
  });
});
