import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { createResolver, type DnsResolver, type ResolverOptions } from '../../../src/lib/dns/resolver.js';
import { parseDnsServer } from '../../../src/lib/dns/servers.js';
import { startDnsServer, type TestDnsServer } from '../../support/dns-server.js';

const LONG_TEXT = 'v=DKIM1; k=rsa; p=' + 'A'.repeat(800);
let server: TestDnsServer;
let resolver: DnsResolver;
let now: number;

function open(options: Partial<ResolverOptions> = {}): DnsResolver {
  return createResolver({
    servers: [server.address],
    timeoutMs: 100,
    tries: 1,
    clock: () => now,
    ...options,
  });
}

beforeEach(async () => {
  now = 1_000_000;
  server = await startDnsServer({
    zones: {
      'example.test': {
        MX: [
          { preference: 20, exchange: 'B.example.test' },
          { preference: 10, exchange: 'a.example.test' },
        ],
        TXT: [LONG_TEXT, 'grüße'],
        NS: ['ns1.example.test'],
      },
      'a.example.test': { A: ['192.0.2.1', '192.0.2.2'], AAAA: ['2001:db8::1'] },
      'alias.example.test': { CNAME: ['a.example.test'] },
      'null.test': { MX: [{ preference: 0, exchange: '.' }] },
      '1.2.0.192.in-addr.arpa': { PTR: ['a.example.test'] },
      '1.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.8.b.d.0.1.0.0.2.ip6.arpa': {
        PTR: ['six.example.test'],
      },
    },
  });
  resolver = open();
});

afterEach(async () => {
  resolver.close();
  await server.close();
});

describe('answers', () => {
  test('contain each type as plain values', async () => {
    expect(await resolver.mx('Example.test.')).toEqual({
      kind: 'found',
      records: expect.arrayContaining([
        { preference: 20, exchange: 'b.example.test' },
        { preference: 10, exchange: 'a.example.test' },
      ]) as unknown,
    });
    expect(await resolver.txt('example.test')).toEqual({ kind: 'found', records: [LONG_TEXT, 'grüße'] });
    expect(await resolver.ns('example.test')).toEqual({ kind: 'found', records: ['ns1.example.test'] });
    expect(await resolver.cname('alias.example.test')).toEqual({
      kind: 'found',
      records: ['a.example.test'],
    });
    expect(await resolver.ptr('192.0.2.1')).toEqual({ kind: 'found', records: ['a.example.test'] });
    expect(await resolver.ptr('2001:db8::1')).toEqual({ kind: 'found', records: ['six.example.test'] });
    expect(await resolver.mx('null.test')).toEqual({
      kind: 'found',
      records: [{ preference: 0, exchange: '' }],
    });
  });

  test('addresses follow aliases and the requested families', async () => {
    const records = ['192.0.2.1', '192.0.2.2'];
    expect(await resolver.addresses('alias.example.test', [4])).toEqual({ kind: 'found', records });
    expect(await resolver.addresses('a.example.test', [6, 4])).toEqual({
      kind: 'found',
      records: ['2001:db8::1', ...records],
    });
    server.fault('a.example.test', 'servfail', 'A');
    expect(await resolver.addresses('a.example.test', [4, 6], { fresh: true })).toEqual({
      kind: 'found',
      records: ['2001:db8::1'],
    });
  });

  test('an unknown name, a name without such records and each failure differ', async () => {
    for (const name of ['servfail.test', 'refused.test', 'silent.test']) server.set(name, 'A', ['192.0.2.1']);
    server.fault('servfail.test', 'servfail');
    server.fault('refused.test', 'refused');
    server.fault('silent.test', 'drop');
    expect(await resolver.mx('nowhere.test')).toEqual({ kind: 'no_name' });
    expect(await resolver.mx('a.example.test')).toEqual({ kind: 'no_data' });
    expect(await resolver.mx(`${'x'.repeat(64)}.test`)).toEqual({ kind: 'no_name' });
    expect(await resolver.mx('servfail.test')).toEqual({ kind: 'failed', reason: 'servfail' });
    expect(await resolver.mx('refused.test')).toEqual({ kind: 'failed', reason: 'refused' });
    expect(await resolver.mx('silent.test')).toEqual({ kind: 'failed', reason: 'timeout' });
    expect(await resolver.addresses('servfail.test', [4, 6])).toEqual({ kind: 'failed', reason: 'servfail' });
  });

  test('an answer too long for UDP is fetched over TCP', async () => {
    const texts = Array.from({ length: 20 }, (_, i) => `${i} `.padEnd(300, 'y'));
    server.set('long.test', 'TXT', texts);
    expect(await resolver.txt('long.test')).toEqual({ kind: 'found', records: texts });
    expect(server.queries.map(({ transport }) => transport)).toEqual(['udp', 'tcp']);
  });

  test('closing ends a pending query', async () => {
    const slow = open({ timeoutMs: 5_000 });
    server.fault('example.test', 'drop');
    const answer = slow.mx('example.test');
    await vi.waitUntil(() => server.queries.length > 0);
    slow.close();
    expect(await answer).toEqual({ kind: 'failed', reason: 'canceled' });
  });
});

describe('cache', () => {
  const asked = (): number => resolver.stats().asked;

  test('an answer is cached for its TTL and then queried again', async () => {
    await resolver.mx('example.test');
    now += 299_999;
    await resolver.mx('EXAMPLE.test');
    expect(server.queries).toHaveLength(1);
    now += 1;
    await resolver.mx('example.test');
    expect(asked()).toBe(2);
    expect(resolver.stats()).toMatchObject({ asked: 2, hits: 1 });
  });

  test('an address is not cached longer than its record allows', async () => {
    const brief = await startDnsServer({ zones: { 'brief.test': { A: ['192.0.2.1'] } }, ttlSeconds: 10 });
    const own = open({ servers: [brief.address] });
    await own.addresses('brief.test', [4]);
    now += 10_000;
    await own.addresses('brief.test', [4]);
    expect(brief.queries).toHaveLength(2);
    await brief.close();
  });

  test('an absent name is cached for a minute, a failure for ten seconds', async () => {
    await resolver.mx('nowhere.test');
    server.fault('example.test', 'servfail');
    await resolver.mx('example.test');
    const before = asked();
    now += 9_999;
    await resolver.mx('example.test');
    expect(asked()).toBe(before);
    server.fault('example.test', null);
    now += 1;
    expect((await resolver.mx('example.test')).kind).toBe('found');
    await resolver.mx('nowhere.test');
    expect(asked()).toBe(before + 1);
    now += 50_000;
    await resolver.mx('nowhere.test');
    expect(asked()).toBe(before + 2);
  });

  test('a fresh lookup queries again and caches the answer', async () => {
    await resolver.txt('example.test');
    server.set('example.test', 'TXT', ['new']);
    expect(await resolver.txt('example.test', { fresh: true })).toEqual({ kind: 'found', records: ['new'] });
    expect(await resolver.txt('example.test')).toEqual({ kind: 'found', records: ['new'] });
    expect(asked()).toBe(2);
  });

  test('a failed fresh lookup keeps the cached answer', async () => {
    await resolver.mx('example.test');
    server.fault('example.test', 'servfail');
    expect((await resolver.mx('example.test', { fresh: true })).kind).toBe('failed');
    expect((await resolver.mx('example.test')).kind).toBe('found');
  });

  test('simultaneous equal lookups share one query', async () => {
    const answers = await Promise.all(Array.from({ length: 50 }, () => resolver.mx('example.test')));
    expect(new Set(answers.map(({ kind }) => kind))).toEqual(new Set(['found']));
    expect(asked()).toBe(1);
    expect(resolver.stats()).toMatchObject({ asked: 1, joined: 49 });
  });

  test('pending queries are limited', async () => {
    const narrow = open({ maxParallel: 3, timeoutMs: 2_000 });
    const names = Array.from({ length: 10 }, (_, i) => `n${i}.test`);
    for (const name of names) server.fault(name, { delayMs: 20 });
    const all = Promise.all(names.map((name) => narrow.mx(name)));
    expect(narrow.stats()).toMatchObject({ running: 3, waiting: 7 });
    expect(await all).toHaveLength(10);
    expect(narrow.stats()).toMatchObject({ running: 0, waiting: 0, asked: 10 });
  });
});

describe('parseDnsServer', () => {
  test.each([
    ['127.0.0.1', '127.0.0.1:53'],
    [' 127.0.0.1:5353 ', '127.0.0.1:5353'],
    ['::1', '[::1]:53'],
    ['[2001:db8::1]:5353', '[2001:db8::1]:5353'],
    ['[::1]', '[::1]:53'],
  ])('%s is valid', (text, parsed) => {
    expect(parseDnsServer(text)).toBe(parsed);
    expect(() => open({ servers: [text] })).not.toThrow();
  });

  test.each([
    'dns.example',
    '',
    '127.0.0.1:0',
    '127.0.0.1:65536',
    '127.0.0.1:',
    '1.2.3',
    '[::1]:x',
    'udp://1.1.1.1',
  ])('"%s" is refused and quoted', (text) => {
    expect(() => parseDnsServer(text)).toThrow(`"${text}" is not a valid DNS server`);
    expect(() => open({ servers: [text] })).toThrow();
  });
});
