import { describe, expect, test } from 'vitest';
import type { DnsAnswer, MxRecord } from '../../src/lib/dns-answers/index.js';
import {
  candidateHosts,
  planHost,
  planRoute,
  type Route,
  type RoutePolicy,
} from '../../src/outbound/route/mx.rules.js';

const POLICY: RoutePolicy = {
  allowPrivate: false,
  ownAddresses: ['8.8.4.4', '::ffff:8.8.4.5'],
  connectPort: 25,
  listenerPort: 25,
  families: [4, 6],
};
const first = (): number => 0;
const last = (n: number): number => n - 1;

const found = <T>(...records: T[]): DnsAnswer<T> => ({ kind: 'found', records });
const mx = (...hosts: [number, string][]): DnsAnswer<MxRecord> =>
  found(...hosts.map(([preference, exchange]) => ({ preference, exchange })));
const noData = { kind: 'no_data' } as const;
const noName = { kind: 'no_name' } as const;
const timeout = { kind: 'failed', reason: 'timeout' } as const;

function plan(
  answer: DnsAnswer<MxRecord>,
  addresses: Record<string, DnsAnswer<string>>,
  options: { policy?: Partial<RoutePolicy>; shuffle?: (n: number) => number } = {},
): Route {
  return planRoute({
    domain: 'example.test',
    mx: answer,
    addresses: new Map(Object.entries(addresses)),
    policy: { ...POLICY, ...options.policy },
    shuffle: options.shuffle ?? first,
  });
}

function hostsOf(route: Route): [string, string[]][] {
  return route.kind === 'route' ? route.hosts.map(({ host, addresses }) => [host, addresses]) : [];
}

describe('planRoute', () => {
  test('sorts hosts by preference and compares names without case or final dot', () => {
    const route = plan(mx([20, 'B.example.test.'], [10, 'a.example.test']), {
      'a.example.test': found('1.1.1.1'),
      'b.example.test': found('2.2.2.2'),
    });
    expect(route).toEqual({
      kind: 'route',
      hosts: [
        { host: 'a.example.test', preference: 10, addresses: ['1.1.1.1'] },
        { host: 'b.example.test', preference: 20, addresses: ['2.2.2.2'] },
      ],
      mxHosts: ['a.example.test', 'b.example.test'],
      notes: [],
    });
  });

  test('randomizes hosts and addresses only within equal preference', () => {
    const answer = mx([10, 'a.test'], [10, 'b.test'], [5, 'c.test']);
    const addresses = {
      'a.test': found('1.1.1.1', '1.1.1.2'),
      'b.test': found('2.2.2.2'),
      'c.test': found('3.3.3.3'),
    };
    expect(hostsOf(plan(answer, addresses, { shuffle: first }))).toEqual([
      ['c.test', ['3.3.3.3']],
      ['a.test', ['1.1.1.1', '1.1.1.2']],
      ['b.test', ['2.2.2.2']],
    ]);
    expect(hostsOf(plan(answer, addresses, { shuffle: last }))).toEqual([
      ['c.test', ['3.3.3.3']],
      ['b.test', ['2.2.2.2']],
      ['a.test', ['1.1.1.2', '1.1.1.1']],
    ]);
  });

  test('prefers the configured family, and omits one without a source address', () => {
    const answer = mx([10, 'a.test']);
    const addresses = { 'a.test': found('1.1.1.1', '2606:4700::1') };
    expect(hostsOf(plan(answer, addresses, { policy: { families: [6, 4] } }))).toEqual([
      ['a.test', ['2606:4700::1', '1.1.1.1']],
    ]);
    expect(hostsOf(plan(answer, addresses, { policy: { families: [4] } }))).toEqual([
      ['a.test', ['1.1.1.1']],
    ]);
  });

  test('a domain without MX is its own mail host', () => {
    expect(hostsOf(plan(noData, { 'example.test': found('1.1.1.1') }))).toEqual([
      ['example.test', ['1.1.1.1']],
    ]);
  });

  test('keeps at most five hosts and ten addresses', () => {
    const names = ['a', 'b', 'c', 'd', 'e', 'f', 'g'].map((letter) => `${letter}.test`);
    const many = plan(
      mx(...names.map((name, index): [number, string] => [index, name])),
      Object.fromEntries(names.map((name) => [name, found('1.1.1.1')])),
    );
    expect(hostsOf(many)).toHaveLength(5);
    const wide = plan(mx([1, 'a.test'], [2, 'b.test'], [3, 'c.test']), {
      'a.test': found(...Array.from({ length: 8 }, (_, i) => `1.1.1.${i + 1}`)),
      'b.test': found(...Array.from({ length: 8 }, (_, i) => `2.2.2.${i + 1}`)),
      'c.test': found('3.3.3.3'),
    });
    expect(hostsOf(wide).map(([host, addresses]) => [host, addresses.length])).toEqual([
      ['a.test', 8],
      ['b.test', 2],
    ]);
  });

  test('skips and notes an unusable host', () => {
    const route = plan(
      mx([1, '9.9.9.9'], [2, 'gone.test'], [3, 'private.test'], [4, 'slow.test'], [5, 'good.test']),
      {
        'gone.test': noName,
        'private.test': found('10.0.0.1'),
        'slow.test': timeout,
        'good.test': found('10.0.0.2', '1.1.1.1'),
      },
    );
    expect(hostsOf(route)).toEqual([['good.test', ['1.1.1.1']]]);
    expect(route).toMatchObject({
      notes: [
        '9.9.9.9 is an address, not a host name',
        'gone.test does not exist',
        'private.test has a private address (10.0.0.1)',
        'DNS lookup of the address of slow.test failed (timeout)',
      ],
    });
  });

  const refusals: [string, Route, string, string, string][] = [
    ['an unknown domain', plan(noName, {}), 'permanent', 'bad_domain', '5.1.2'],
    ['a null MX', plan(mx([0, '']), {}), 'permanent', 'bad_domain', '5.1.10'],
    [
      'a failed MX look-up',
      plan(timeout, { 'example.test': found('1.1.1.1') }),
      'temporary',
      'network',
      '4.4.3',
    ],
    ['no MX and no address', plan(noData, { 'example.test': noData }), 'permanent', 'bad_domain', '5.1.2'],
    [
      'no MX and a failed address',
      plan(noData, { 'example.test': timeout }),
      'temporary',
      'network',
      '4.4.3',
    ],
    [
      'no MX and only the other family',
      plan(noData, { 'example.test': found('2606:4700::1') }, { policy: { families: [4] } }),
      'temporary',
      'network',
      '4.4.4',
    ],
    ['only an IP literal', plan(mx([1, '9.9.9.9']), {}), 'permanent', 'network', '5.4.4'],
    [
      'only a host without address',
      plan(mx([1, 'a.test']), { 'a.test': noData }),
      'permanent',
      'network',
      '5.4.4',
    ],
    [
      'one host gone and one not answering',
      plan(mx([1, 'a.test'], [2, 'b.test']), { 'a.test': noName, 'b.test': timeout }),
      'temporary',
      'network',
      '4.4.3',
    ],
    [
      'one host gone and one not asked for',
      plan(mx([1, 'a.test'], [2, 'b.test']), { 'a.test': noName }),
      'temporary',
      'network',
      '4.4.3',
    ],
    [
      'only loopback',
      plan(mx([1, 'a.test']), { 'a.test': found('127.0.0.1') }),
      'permanent',
      'network',
      '5.4.4',
    ],
    ['ourselves', plan(mx([1, 'a.test']), { 'a.test': found('8.8.4.4') }), 'permanent', 'network', '5.4.6'],
    [
      'ourselves before another host',
      plan(mx([1, 'a.test'], [1, 'c.test'], [2, 'b.test']), {
        'a.test': found('8.8.4.5'),
        'b.test': found('1.1.1.1'),
        'c.test': found('1.1.1.2'),
      }),
      'permanent',
      'network',
      '5.4.6',
    ],
    [
      'a better host not answering, then ourselves',
      plan(mx([1, 'a.test'], [2, 'b.test']), { 'a.test': timeout, 'b.test': found('8.8.4.4') }),
      'temporary',
      'network',
      '4.4.3',
    ],
  ];
  test.each(refusals)('%s gives no route', (_name, route, kind, category, enhanced) => {
    expect(route).toMatchObject({ kind, category, enhanced });
  });

  test("uses hosts that precede Mailkeel's own, and none after it", () => {
    const route = plan(mx([1, 'a.test'], [2, 'us.test'], [3, 'c.test']), {
      'a.test': found('1.1.1.1'),
      'us.test': found('8.8.4.4'),
      'c.test': found('3.3.3.3'),
    });
    expect(hostsOf(route)).toEqual([['a.test', ['1.1.1.1']]]);
  });

  test("accepts private addresses if allowed, and own ones only on other ports than the listener's", () => {
    const answer = mx([1, 'a.test']);
    const addresses = { 'a.test': found('127.0.0.1') };
    const policy = { allowPrivate: true, ownAddresses: ['127.0.0.1'] };
    expect(
      plan(answer, addresses, { policy: { ...policy, connectPort: 2526, listenerPort: 2525 } }).kind,
    ).toBe('route');
    expect(plan(answer, addresses, { policy: { ...policy, connectPort: 25, listenerPort: null } }).kind).toBe(
      'route',
    );
    expect(
      plan(answer, addresses, { policy: { ...policy, connectPort: 25, listenerPort: 25 } }),
    ).toMatchObject({
      enhanced: '5.4.6',
    });
  });

  test('never accepts multicast or unspecified addresses, even if private ones are allowed', () => {
    const route = plan(
      mx([1, 'a.test']),
      { 'a.test': found('0.0.0.0', '224.0.0.1') },
      { policy: { allowPrivate: true } },
    );
    expect(route).toMatchObject({ kind: 'permanent', enhanced: '5.4.4' });
  });
});

test('a host that is named twice is used once, at its best preference', () => {
  expect(
    candidateHosts('example.test', mx([20, 'a.test'], [10, 'A.test.'], [15, 'b.test'], [1, ''])),
  ).toEqual([
    { host: 'a.test', preference: 10 },
    { host: 'b.test', preference: 15 },
  ]);
});

describe('planHost', () => {
  test('accepts a smarthost by name or by address', () => {
    const byName = planHost({ host: 'smart.test', answer: found('1.1.1.1'), policy: POLICY, shuffle: first });
    expect(hostsOf(byName)).toEqual([['smart.test', ['1.1.1.1']]]);
    const byAddress = planHost({ host: '1.1.1.1', answer: found('1.1.1.1'), policy: POLICY, shuffle: first });
    expect(hostsOf(byAddress)).toEqual([['1.1.1.1', ['1.1.1.1']]]);
  });

  test('an unresolvable smarthost fails temporarily or permanently, depending on the answer', () => {
    const route = (answer: DnsAnswer<string>): Route =>
      planHost({ host: 'smart.test', answer, policy: POLICY, shuffle: first });
    expect(route(timeout).kind).toBe('temporary');
    expect(route(noName)).toMatchObject({ kind: 'permanent', enhanced: '5.4.4' });
  });
});
