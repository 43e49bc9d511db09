import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compileEgress, type EgressBase } from '../../src/outbound/route/egress-data.rules.js';
import {
  membersFor,
  pickSource,
  viasFor,
  type EgressQuestion,
} from '../../src/outbound/route/egress.rules.js';
import { readSmarthost } from '../../src/outbound/route/smarthost.rules.js';
import { DataProblems } from '../../src/lib/config/index.js';

const plain: EgressBase = { sourceAddresses: null, smarthost: null, ehloName: 'mail.example.com' };
const SECRET = 'hunter2';
const RELAY = `smtps://user:${SECRET}@relay.example:465`;
const ask = (question: Partial<EgressQuestion> = {}): EgressQuestion => ({
  tenant: null,
  domain: 'example.org',
  provider: null,
  type: 'transactional',
  ...question,
});

function problemsOf(json: unknown, base: Partial<EgressBase> = {}): readonly string[] {
  try {
    compileEgress(json, { ...plain, ...base });
  } catch (error) {
    if (error instanceof DataProblems) return error.problems;
    throw error;
  }
  return [];
}

describe('without an outbound object', () => {
  it('mail is sent over IPv4 from the address that the system chooses', () => {
    const egress = compileEgress(null, plain);
    expect([...egress.sources.values()]).toEqual([
      {
        name: 'default',
        address4: null,
        address6: null,
        ehloName: 'mail.example.com',
        families: [4],
        warmUp: null,
      },
    ]);
    expect(viasFor(egress, ask())).toEqual([{ kind: 'pool', pool: 'default' }]);
    expect(egress.pools.get('default')).toEqual([{ source: 'default', weight: 1 }]);
    expect(egress).toMatchObject({ overflow: null, notes: [] });
  });

  it('a smarthost delivers all mail', () => {
    const egress = compileEgress(null, { ...plain, smarthost: RELAY });
    expect(viasFor(egress, ask())).toEqual([{ kind: 'smarthost', name: 'default' }]);
    expect(egress.smarthosts.get('default')).toEqual(readSmarthost(RELAY));
    expect(egress.notes).toEqual([]);
  });
});

describe('the list of source addresses', () => {
  const listOf = (sourceAddresses: string) => compileEgress(null, { ...plain, sourceAddresses });

  it.each<[string, [string | null, string | null, string, number[]][]]>([
    ['192.0.2.1', [['192.0.2.1', null, 'mail.example.com', [4]]]],
    [' 192.0.2.1=Mail1.example.com , ', [['192.0.2.1', null, 'mail1.example.com', [4]]]],
    ['[2001:DB8::1]=m.example.com', [[null, '2001:db8::1', 'm.example.com', [6]]]],
    ['2001:db8::1=m.example.com', [[null, '2001:db8::1', 'm.example.com', [6]]]],
    [
      '192.0.2.1=m.example.com,[2001:db8::1]=m.example.com',
      [['192.0.2.1', '2001:db8::1', 'm.example.com', [4, 6]]],
    ],
    ['192.0.2.1,[2001:db8::1]', [['192.0.2.1', '2001:db8::1', 'mail.example.com', [4, 6]]]],
    [
      '192.0.2.1=a.example.com,[2001:db8::1]=b.example.com',
      [
        ['192.0.2.1', null, 'a.example.com', [4]],
        [null, '2001:db8::1', 'b.example.com', [6]],
      ],
    ],
    [
      '192.0.2.1=m.example.com,192.0.2.2=m.example.com,[2001:db8::2]=m.example.com',
      [
        ['192.0.2.1', '2001:db8::2', 'm.example.com', [4, 6]],
        ['192.0.2.2', null, 'm.example.com', [4]],
      ],
    ],
  ])('%s', (text, expected) => {
    const sources = [...listOf(text).sources.values()];
    expect(sources.map((s) => [s.address4, s.address6, s.ehloName, s.families])).toEqual(expected);
    expect(sources.map(({ name }) => name)).toEqual(expected.map(([v4, v6]) => v4 ?? v6));
  });

  it('names the pools', () => {
    const egress = listOf(
      '192.0.2.1=a.example.com,bulk/192.0.2.2=b.example.com,bulk/192.0.2.1=a.example.com',
    );
    expect(Object.fromEntries(egress.pools)).toEqual({
      default: [{ source: '192.0.2.1', weight: 1 }],
      bulk: [
        { source: '192.0.2.1', weight: 1 },
        { source: '192.0.2.2', weight: 1 },
      ],
    });
    expect(egress.notes).toEqual(['Pool bulk is not used by any route.']);
  });

  it.each([
    ['mail.example.com', 'source addresses: entry 1 must be an IPv4 address'],
    ['192.0.2.1,192.0.2.0/24', 'source addresses: entry 2 must be an IPv4 address'],
    ['192.0.2.1=a b', 'source addresses: entry 1 must be a host name'],
    ['0.0.0.0', "source addresses: entry 1 is an unspecified address and can't be used to send mail"],
    ['[ff02::1]', "source addresses: entry 1 is a multicast address and can't be used to send mail"],
    [
      '192.0.2.1=a.example.com,x/192.0.2.1=b.example.com',
      'source addresses: entry 2 sets a second EHLO name for an address',
    ],
    ['[192.0.2.1', 'source addresses: entry 1 must be ip, ip=ehlo.name'],
    [',', 'source addresses: the list must contain at least one address'],
  ])('refuses %s', (sourceAddresses, problem) => {
    expect(problemsOf(null, { sourceAddresses })[0]).toContain(problem);
  });
});

describe('an outbound object', () => {
  const outbound = {
    sources: [
      { name: 'a', address4: '192.0.2.1', address6: '2001:db8::1', ehlo: 'a.example.com', prefer: 6 },
      { name: 'b', address4: '192.0.2.2', ehlo: 'b.example.com' },
      { name: 'six', address6: '2001:db8::6', ehlo: 'six.example.com' },
      { name: 'new', address4: '192.0.2.9', warm_up: { started_on: '2026-11-01', plan: [50, 100] } },
    ],
    pools: { default: ['a', { source: 'b', weight: 3 }, 'six'], warm: ['new'] },
    smarthosts: [{ name: 'relay', url: RELAY }],
    routes: [
      { tenant: ['ten_1', 'acme'], type: 'marketing', via: ['pool:warm', 'smarthost:relay'] },
      { domain: ['Bücher.example', '*.example.net'], via: ['smarthost:relay'] },
      { provider: 'google', tag: 'spring', via: ['pool:warm'] },
    ],
    overflow: 'pool:default',
  };
  const egress = compileEgress(outbound, plain);

  it.each<[Partial<EgressQuestion>, string]>([
    [{}, 'default'],
    [{ tenant: 'ten_1', type: 'marketing' }, 'warm relay'],
    [{ tenant: 'ten_9', tenantExternalId: 'acme', type: 'marketing' }, 'warm relay'],
    [{ tenant: 'ten_1' }, 'default'],
    [{ domain: 'xn--bcher-kva.example.' }, 'relay'],
    [{ domain: 'a.example.net' }, 'relay'],
    [{ domain: 'example.net' }, 'default'],
    [{ domain: 'badexample.net' }, 'default'],
    [{ provider: 'google', tags: ['spring'] }, 'warm'],
    [{ provider: 'google' }, 'default'],
    [{ tags: ['spring'] }, 'default'],
  ])('routes %j', (question, expected) => {
    const vias = viasFor(egress, ask(question)).map((via) => (via.kind === 'pool' ? via.pool : via.name));
    expect(vias.join(' ')).toBe(expected);
  });

  it('gives sources their address families, and IPv6 only with an address', () => {
    const families = [...egress.sources.values()].map(({ name, families: all }) => [name, ...all]);
    expect(families).toEqual([
      ['a', 6, 4],
      ['b', 4],
      ['six', 6],
      ['new', 4],
    ]);
    expect(membersFor(egress, 'default', [4]).map(({ source }) => source)).toEqual(['a', 'b']);
    expect(membersFor(egress, 'default', [6]).map(({ source }) => source)).toEqual(['a', 'six']);
    expect(membersFor(egress, 'nowhere', [4])).toEqual([]);
    expect(egress.sources.get('new')).toMatchObject({
      ehloName: 'mail.example.com',
      warmUp: { startedOn: '2026-11-01', dailyCaps: [50, 100] },
    });
  });

  it('reports probable mistakes', () => {
    expect(egress.notes).toEqual(["Source six has no IPv4 address and can't reach hosts without IPv6."]);
    const odd = compileEgress(
      {
        ...outbound,
        pools: { default: ['a'], spare: ['b'] },
        routes: [{ via: ['pool:default'] }, { type: 'sales', via: ['pool:default'] }],
        overflow: undefined,
      },
      plain,
    );
    expect(odd.notes).toEqual([
      'Pool spare is not used by any route.',
      'Smarthost relay is not used by any route.',
      'Source six is not in any pool.',
      'Source new is not in any pool.',
      "Source six has no IPv4 address and can't reach hosts without IPv6.",
      'routes[0] matches all mail, so later routes are never used.',
    ]);
  });

  it('can be combined with the simple settings', () => {
    const both = compileEgress(
      { routes: [{ type: 'transactional', via: ['pool:default'] }] },
      { ...plain, smarthost: RELAY, sourceAddresses: '192.0.2.1' },
    );
    expect(viasFor(both, ask())).toEqual([{ kind: 'pool', pool: 'default' }]);
    expect(viasFor(both, ask({ type: 'sales' }))).toEqual([{ kind: 'smarthost', name: 'default' }]);
  });
});

describe('errors in the object', () => {
  const source = { name: 'a', address4: '192.0.2.1' };
  it.each<[unknown, string]>([
    [[], 'outbound: the whole must be an object'],
    [{ source: [] }, 'outbound: the whole has an unknown field: "source"'],
    [{ sources: [{ ...source, address4: '2001:db8::1' }] }, 'sources[0].address4 must be an IPv4 address'],
    [
      { sources: [{ ...source, address6: '::ffff:192.0.2.1' }] },
      'sources[0].address6 must be an IPv6 address',
    ],
    [{ sources: [{ ...source, prefer: 6 }] }, 'sources[0].prefer requires an address6'],
    [{ sources: [{ ...source, prefer: 5 }] }, 'sources[0].prefer must be 4 or 6'],
    [{ sources: [{ ...source, ehlo: 'x y' }] }, 'sources[0].ehlo must be a host name'],
    [{ sources: [{ ...source, name: 'a/b' }] }, 'sources[0].name must be a name'],
    [
      { sources: [source, { ...source, address4: '192.0.2.2' }] },
      'sources[1] has the name of another source: "a"',
    ],
    [{ sources: [source, { ...source, name: 'b' }] }, 'sources[1] uses an address of another source'],
    [
      { sources: [{ ...source, warm_up: { started_on: '2026-02-30' } }] },
      'sources[0].warm_up.started_on must be a date',
    ],
    [
      { sources: [{ ...source, warm_up: { started_on: '2026-02-03', plan: [] } }] },
      'sources[0].warm_up.plan must not be empty',
    ],
    [{ pools: { default: ['b'] } }, 'pools.default refers to an unknown source. Known sources: default'],
    [{ pools: { default: [] } }, 'pools.default must have at least one member'],
    [{ sources: [source], pools: { default: ['a', 'a'] } }, 'pools.default lists a source twice'],
    [
      { sources: [source], pools: { default: [{ source: 'a', weight: 0 }] } },
      'pools.default[0].weight must be a whole number from 1 to 1000',
    ],
    [{ sources: [source], pools: { x: ['a'] } }, 'default must define where mail goes'],
    [
      { smarthosts: [{ name: 'r', url: `http://u:${SECRET}@relay` }] },
      'smarthosts[0].url must be smtp[s]://',
    ],
    [
      { smarthosts: [{ name: 'r', url: `smtp://u:${SECRET}%zz@relay` }] },
      'smarthosts[0].url must be smtp[s]://',
    ],
    [
      { smarthosts: [{ name: 'r', url: `smtp://u:${SECRET}@relay/path` }] },
      'smarthosts[0].url must be smtp[s]://',
    ],
    [{ default: ['smarthost:r'] }, 'default[0] refers to an unknown smarthost: "r"'],
    [
      { default: [`smarthost:smtp://u:${SECRET}@relay`] },
      'default[0] must be "pool:name" or "smarthost:name"',
    ],
    [{ default: [] }, 'default must refer to a pool or a smarthost'],
    [
      { routes: [{ type: 'bulk', via: ['pool:default'] }] },
      'routes[0].type must be one of transactional, marketing, sales',
    ],
    [{ routes: [{ domain: '*', via: ['pool:default'] }] }, 'routes[0].domain must be a domain'],
    [{ routes: [{ provider: 'gogle', via: ['pool:default'] }] }, 'routes[0].provider must be one of google'],
    [{ routes: [{ tenant: [], via: ['pool:default'] }] }, 'routes[0].tenant must not be empty'],
    [{ routes: [{ tenant: 'x' }] }, 'routes[0].via must be a list'],
    [{ overflow: 'relay' }, 'overflow must be "pool:name" or "smarthost:name"'],
    [{ [`smtp://u:${SECRET}@relay`]: 1 }, 'the whole has an unknown field'],
  ])('%j', (json, problem) => {
    const problems = problemsOf(json, { providerNames: new Set(['google']) });
    expect(problems[0]).toContain(problem);
    expect(problems.join()).not.toContain(SECRET);
  });
});

describe('pickSource', () => {
  const members = [
    { source: 'a', weight: 1 },
    { source: 'b', weight: 3 },
  ];
  it.each([
    [0, 'a'],
    [0.2499, 'a'],
    [0.25, 'b'],
    [0.9999999999999999, 'b'],
  ])('%f is %s', (random, expected) => {
    expect(pickSource(members, random)).toBe(expected);
  });

  it('distributes mail by weight', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 1, max: 50 }), { minLength: 1, maxLength: 8 }), (weights) => {
        const pool = weights.map((weight, i) => ({ source: String(i), weight }));
        const total = weights.reduce((sum, weight) => sum + weight, 0);
        const counts = new Map<string, number>();
        for (let i = 0; i < total; i += 1) {
          const source = pickSource(pool, (i + 0.5) / total);
          counts.set(source, (counts.get(source) ?? 0) + 1);
        }
        expect(pool.map(({ source }) => counts.get(source))).toEqual(weights);
      }),
    );
  });
});

describe('readSmarthost', () => {
  it.each([
    ['smtp://relay.example', 25, 'opportunistic', false, null],
    ['smtp://relay.example/', 25, 'opportunistic', false, null],
    ['smtp://u:p%40ss@relay.example', 587, 'required', true, { user: 'u', pass: 'p@ss' }],
    ['smtp://u:p@relay.example:2525', 2525, 'required', true, { user: 'u', pass: 'p' }],
    ['smtps://relay.example', 465, 'implicit', true, null],
    [
      'smtp://us%40x.example@relay.example?oauth2_token_file=/run/my%20token',
      587,
      'required',
      true,
      { user: 'us@x.example', tokenFile: '/run/my token' },
    ],
  ])('%s', (url, port, tlsMode, verifyTls, auth) => {
    expect(readSmarthost(url)).toEqual({
      host: 'relay.example',
      port,
      tlsMode,
      verifyTls,
      auth,
      headers: [],
      mailFrom: null,
    });
  });

  it('accepts an IPv6 address in brackets', () => {
    expect(readSmarthost('smtp://[2001:db8::1]:26')).toMatchObject({ host: '[2001:db8::1]', port: 26 });
  });

  it.each([
    'relay',
    'http://relay',
    'smtp://',
    'smtp://relay:0',
    'smtp://u:%zz@relay',
    'smtp://relay?x=1',
    'smtp://relay?oauth2_token_file=/run/token',
    'smtp://u:p@relay?oauth2_token_file=/run/token',
    'smtp://u@relay?oauth2_token_file=',
    'smtp://u@relay?oauth2_token_file=/run/token&x=1',
  ])('refuses %s', (url) => {
    expect(() => readSmarthost(url)).toThrow('a smarthost must be smtp[s]://[user:password@]host[:port]');
  });
});
