// Tests authenticated look-ups against a DNS server that replies as told.
import * as packet from 'dns-packet';
import type { Answer } from 'dns-packet';
import fc from 'fast-check';
import { afterEach, describe, expect, it } from 'vitest';
import {
  createValidatingResolver,
  type ValidatingResolver,
  type ValidatingResolverOptions,
} from '../../../src/lib/dns/validating-resolver.js';
import { freePort } from '../../support/free-port.js';
import { startSignedDns, type HeardQuery, type SignedDns, type ToldReply } from '../../support/signed-dns.js';

const HOST = 'mx.example.com';
const NAME = `_25._tcp.${HOST}`;
const digest = Buffer.alloc(32, 7);
const tlsa = (name = NAME, ttl = 300): Answer => ({
  name,
  type: 'TLSA',
  ttl,
  data: { usage: 3, selector: 1, matchingType: 1, certificate: digest },
});
const RECORD = { usage: 3, selector: 1, matchingType: 1, data: digest.toString('hex') };
const a = (name: string, data: string): Answer => ({ name, type: 'A', ttl: 300, data });
const cname = (name: string, data: string): Answer => ({ name, type: 'CNAME', ttl: 300, data });
const soa = (ttl: number, minimum: number): Answer => ({
  name: 'example.com',
  type: 'SOA',
  ttl,
  data: {
    mname: 'ns.example.com',
    rname: 'x.example.com',
    serial: 1,
    refresh: 1,
    retry: 1,
    expire: 1,
    minimum,
  },
});

const open: SignedDns[] = [];
afterEach(async () => {
  for (const dns of open.splice(0)) await dns.close();
});

interface Rig {
  resolver: ValidatingResolver;
  dns: SignedDns;
  /** Moves the clock. */
  pass: (ms: number) => void;
}

async function rigWith(
  tell: (query: HeardQuery) => ToldReply | null,
  more: Partial<ValidatingResolverOptions> = {},
): Promise<Rig> {
  const dns = await startSignedDns(tell);
  open.push(dns);
  let now = 1_000_000;
  const resolver = createValidatingResolver({
    server: dns.server,
    timeoutMs: 200,
    clock: () => now,
    ...more,
  });
  return { resolver, dns, pass: (ms) => (now += ms) };
}

const always = (reply: ToldReply) => (): ToldReply => reply;

describe('an answer', () => {
  it.each([
    [
      'authentic records',
      { answers: [tlsa()], authentic: true },
      { kind: 'found', secure: true, name: NAME, records: [RECORD] },
    ],
    ['records', { answers: [tlsa()] }, { kind: 'found', secure: false, records: [RECORD] }],
    [
      'records of another name',
      { answers: [tlsa('_25._tcp.other.example')], authentic: true },
      { kind: 'no_data', secure: true },
    ],
    [
      'an authentic nothing',
      { authorities: [soa(60, 60)], authentic: true },
      { kind: 'no_data', secure: true },
    ],
    ['nothing', {}, { kind: 'no_data', secure: false }],
    ['an authentic no such name', { rcode: 3, authentic: true }, { kind: 'no_name', secure: true }],
    ['no such name', { rcode: 3 }, { kind: 'no_name', secure: false }],
    ['SERVFAIL, as for what does not verify', { rcode: 2 }, { kind: 'failed', reason: 'servfail' }],
    ['REFUSED', { rcode: 5 }, { kind: 'failed', reason: 'refused' }],
    ['another code', { rcode: 4 }, { kind: 'failed', reason: 'malformed' }],
  ] satisfies [string, ToldReply, object][])('with %s', async (_what, reply, expected) => {
    const { resolver } = await rigWith(always(reply));
    expect(await resolver.tlsa(NAME)).toMatchObject(expected);
  });

  it('is requested with the DO and AD bits and a random id, in lower case without the final dot', async () => {
    const { resolver, dns } = await rigWith(always({ answers: [tlsa()], authentic: true }));
    for (const name of ['_25._TCP.MX.example.com.', '_25._tcp.b', '_25._tcp.c', '_25._tcp.d']) {
      await resolver.tlsa(name);
    }
    expect(dns.queries[0]).toMatchObject({
      name: NAME,
      type: 'TLSA',
      transport: 'udp',
      packet: {
        flag_rd: true,
        flag_ad: true,
        flag_cd: false,
        additionals: [{ type: 'OPT', flag_do: true, udpPayloadSize: 4096 }],
      },
    });
    expect(new Set(dns.queries.map((query) => query.packet.id)).size).toBeGreaterThan(1);
  });

  it('is fetched over TCP if it is truncated', async () => {
    const many = Array.from({ length: 120 }, () => tlsa());
    const { resolver, dns } = await rigWith(({ transport }) =>
      transport === 'udp' ? { truncated: true, authentic: true } : { answers: many, authentic: true },
    );
    expect(await resolver.tlsa(NAME)).toMatchObject({
      kind: 'found',
      secure: true,
      records: { length: 120 },
    });
    expect(dns.queries.map((query) => query.transport)).toEqual(['udp', 'tcp']);
  });

  it('that is truncated over TCP too is malformed', async () => {
    const cut = (query: Buffer): Buffer[] => {
      const reply = Buffer.from(query);
      reply.writeUInt16BE(0x8200, 2);
      return [reply];
    };
    const { resolver } = await rigWith(always({ raw: cut }));
    expect(await resolver.tlsa(NAME)).toEqual({ kind: 'failed', reason: 'malformed' });
  });

  const good = (query: Buffer): packet.Packet => ({
    type: 'response',
    id: query.readUInt16BE(0),
    flags: packet.AUTHENTIC_DATA,
    questions: packet.decode(query).questions ?? [],
    answers: [tlsa()],
  });
  it.each<[string, (query: Buffer) => packet.Packet]>([
    ['of another id', (query) => ({ ...good(query), id: query.readUInt16BE(0) ^ 1 })],
    ['of another name', (query) => ({ ...good(query), questions: [{ type: 'TLSA', name: 'x.example' }] })],
    ['of another type', (query) => ({ ...good(query), questions: [{ type: 'A', name: NAME }] })],
    ['without a question', (query) => ({ ...good(query), questions: [] })],
    ['that is a query', (query) => ({ ...good(query), type: 'query' })],
  ])('%s is ignored, and the right one is awaited', async (_what, wrong) => {
    const raw = (query: Buffer): Buffer[] => {
      const bad = wrong(query);
      return [
        packet.encode({ ...bad, answers: [tlsa(NAME, 1), tlsa(NAME, 2)] }),
        Buffer.from([1, 2, 3]),
        packet.encode(good(query)),
      ];
    };
    const { resolver, dns } = await rigWith(always({ raw }));
    expect(await resolver.tlsa(NAME)).toMatchObject({ kind: 'found', records: [RECORD] });
    expect(dns.queries).toHaveLength(1);
  });

  it.each([
    ['in the middle of its data', 20],
    ['in the middle of its header', 38],
    ['in the middle of its name', 47],
  ])('whose record is truncated %s is malformed immediately', async (_what, octets) => {
    const raw = (query: Buffer): Buffer[] => {
      const reply = packet.encode(good(query));
      return [reply.subarray(0, reply.length - octets)];
    };
    const { resolver, dns } = await rigWith(always({ raw }));
    expect(await resolver.tlsa(NAME)).toEqual({ kind: 'failed', reason: 'malformed' });
    expect(dns.queries).toHaveLength(1);
  });

  it('with any octets after the right id is a value', async () => {
    let octets = Buffer.alloc(0);
    const raw = (query: Buffer): Buffer[] => {
      const header = Buffer.from(query.subarray(0, 12));
      header.writeUInt16BE(0x8020, 2);
      return [Buffer.concat([header, octets]), packet.encode(good(query))];
    };
    const { resolver } = await rigWith(always({ raw }));
    let n = 0;
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ maxLength: 120 }), async (bytes) => {
        octets = Buffer.from(bytes);
        n += 1;
        const { kind } = await resolver.tlsa(`_25._tcp.n${n}.example`);
        expect(['found', 'no_data', 'failed']).toContain(kind);
      }),
      { numRuns: 200 },
    );
  });

  it('that does not arrive is requested again, and then given up', async () => {
    let asked = 0;
    const { resolver, dns } = await rigWith(() => (++asked === 2 ? { answers: [tlsa()] } : null), {
      timeoutMs: 40,
    });
    expect(await resolver.tlsa(NAME)).toMatchObject({ kind: 'found' });
    expect(await resolver.tlsa('_25._tcp.silent.example')).toEqual({ kind: 'failed', reason: 'timeout' });
    expect(dns.queries).toHaveLength(4);
  });

  it('is unreachable if no server listens', async () => {
    const { resolver } = await rigWith(always({}), { server: `127.0.0.1:${await freePort()}` });
    expect(await resolver.tlsa(NAME)).toEqual({ kind: 'failed', reason: 'unreachable' });
  });

  it.each(['a..b', `${'x'.repeat(64)}.example`, `${'abc.'.repeat(70)}example`])(
    'for the impossible name %s is returned without a query',
    async (name) => {
      const { resolver, dns } = await rigWith(always({}));
      expect(await resolver.tlsa(name)).toMatchObject({ kind: 'no_name', secure: false });
      expect(dns.queries).toEqual([]);
    },
  );
});

describe('aliases', () => {
  it('are followed, and the target is returned', async () => {
    const answers = [
      cname(HOST, 'B.example.net'),
      cname('b.example.net', 'c.example.org'),
      a('c.example.org', '192.0.2.1'),
    ];
    const { resolver } = await rigWith(({ type }) => ({
      answers: type === 'A' ? answers : answers.slice(0, 2),
      authentic: true,
    }));
    expect(await resolver.secureAddresses(HOST)).toEqual({
      kind: 'found',
      secure: true,
      name: 'c.example.org',
      records: ['192.0.2.1'],
    });
  });

  it('in a loop are malformed', async () => {
    const answers = [cname(HOST, 'b.example'), cname('b.example', HOST)];
    const { resolver } = await rigWith(always({ answers, authentic: true }));
    expect(await resolver.tlsa(HOST)).toEqual({ kind: 'failed', reason: 'malformed' });
  });

  it('can be queried themselves', async () => {
    const { resolver } = await rigWith(always({ answers: [cname(HOST, 'Other.Example.')], authentic: true }));
    expect(await resolver.secureAlias(HOST)).toEqual({
      kind: 'found',
      secure: true,
      name: HOST,
      records: ['other.example'],
    });
  });
});

describe('addresses of both families', () => {
  const aaaa: Answer = { name: HOST, type: 'AAAA', ttl: 300, data: '2001:db8::1' };
  it.each([
    [
      'both signed',
      { answers: [a(HOST, '192.0.2.1')], authentic: true },
      { answers: [aaaa], authentic: true },
      { kind: 'found', secure: true, records: ['192.0.2.1', '2001:db8::1'] },
    ],
    [
      'one unsigned',
      { answers: [a(HOST, '192.0.2.1')], authentic: true },
      { answers: [aaaa] },
      { kind: 'found', secure: false },
    ],
    [
      'one signed, one failing',
      { answers: [a(HOST, '192.0.2.1')], authentic: true },
      { rcode: 2 },
      { kind: 'found', secure: true, records: ['192.0.2.1'] },
    ],
    [
      'one signed, one signed away',
      { answers: [a(HOST, '192.0.2.1')], authentic: true },
      { authentic: true },
      { kind: 'found', secure: true },
    ],
    ['none, and one failing', { authentic: true }, { rcode: 2 }, { kind: 'failed', reason: 'servfail' }],
    ['none, signed', { authentic: true }, { authentic: true }, { kind: 'no_data', secure: true }],
    ['none, half signed', { authentic: true }, {}, { kind: 'no_data', secure: false }],
    [
      'no such name',
      { rcode: 3, authentic: true },
      { rcode: 3, authentic: true },
      { kind: 'no_name', secure: true },
    ],
  ] satisfies [string, ToldReply, ToldReply, object][])('%s', async (_what, four, six, expected) => {
    const { resolver } = await rigWith(({ type }) => (type === 'A' ? four : six));
    expect(await resolver.secureAddresses(HOST)).toMatchObject(expected);
  });
});

it('MX records are returned unchanged, and a null MX is an empty name', async () => {
  const mx = (name: string, preference: number, exchange: string): Answer => ({
    name,
    type: 'MX',
    ttl: 300,
    data: { preference, exchange },
  });
  const { resolver } = await rigWith(({ name }) => ({
    answers:
      name === 'example.com'
        ? [mx(name, 20, 'B.Example.com'), mx(name, 10, 'a.example.com')]
        : [mx(name, 0, '.')],
    authentic: true,
  }));
  expect(await resolver.secureMx('example.com')).toMatchObject({
    secure: true,
    records: [
      { preference: 20, exchange: 'b.example.com' },
      { preference: 10, exchange: 'a.example.com' },
    ],
  });
  expect(await resolver.secureMx('null.example')).toMatchObject({
    records: [{ preference: 0, exchange: '' }],
  });
});

describe('the cache', () => {
  it.each([
    ['records for their TTL', { answers: [tlsa(NAME, 20)] }, 20_000],
    ['records for the longest time configured', { answers: [tlsa(NAME, 86_400)] }, 300_000],
    ['nothing for the time of the SOA', { authorities: [soa(900, 30)] }, 30_000],
    ['nothing for the longest time configured', { authorities: [soa(900, 900)] }, 60_000],
    ['nothing without an SOA', { rcode: 3 }, 60_000],
    ['a failure for a short time', { rcode: 2 }, 10_000],
  ] satisfies [string, ToldReply, number][])('stores %s', async (_what, reply, lifeMs) => {
    const { resolver, dns, pass } = await rigWith(always(reply));
    await resolver.tlsa(NAME);
    pass(lifeMs - 1);
    await resolver.tlsa(NAME);
    expect(dns.queries).toHaveLength(1);
    pass(1);
    await resolver.tlsa(NAME);
    expect(dns.queries).toHaveLength(2);
  });

  it('shares one query among simultaneous lookups', async () => {
    const { resolver, dns } = await rigWith(always({ answers: [tlsa()], authentic: true }));
    const answers = await Promise.all(Array.from({ length: 50 }, () => resolver.tlsa(NAME)));
    expect(answers.every((answer) => answer.kind === 'found')).toBe(true);
    expect(dns.queries).toHaveLength(1);
    expect(resolver.stats()).toMatchObject({ asked: 1, joined: 49 });
  });
});

describe('the check of DNSSEC validation', () => {
  const ns: Answer = { name: '.', type: 'NS', ttl: 60, data: 'a.root-servers.net' };
  it('requires an authentic answer for the root', async () => {
    const { resolver, dns } = await rigWith(always({ answers: [ns], authentic: true }));
    expect(await resolver.provesValidation()).toBeNull();
    expect(dns.queries).toMatchObject([{ name: '.', type: 'NS' }]);
  });

  it.each([
    ['an answer without AD', { answers: [ns] }, /does not validate/],
    ['no such records', { authentic: true }, /there are no NS records/],
    ['a failure', { rcode: 2 }, /no answer .* servfail/],
  ] satisfies [string, ToldReply, RegExp][])('fails for %s', async (_what, reply, why) => {
    const { resolver } = await rigWith(always(reply));
    expect(await resolver.provesValidation()).toMatch(why);
  });

  it('queries again each time, with a configurable probe', async () => {
    let authentic = true;
    const { resolver, dns } = await rigWith(({ name }) => ({ answers: [a(name, '192.0.2.1')], authentic }), {
      probe: { name: 'signed.example', type: 'A' },
    });
    expect(await resolver.provesValidation()).toBeNull();
    authentic = false;
    expect(await resolver.provesValidation()).toMatch(/signed\.example/);
    expect(dns.queries.map(({ name }) => name)).toEqual(['signed.example', 'signed.example']);
  });

  it.each(['192.0.2.53', '[2001:db8::53]:53', '10.0.0.53:5353'])(
    'never trusts %s beyond this machine',
    async (server) => {
      const resolver = createValidatingResolver({ server, clock: Date.now });
      expect(await resolver.provesValidation()).toMatch(/is not on this machine/);
    },
  );

  it('with an invalid server address throws immediately', () => {
    expect(() => createValidatingResolver({ server: 'localhost', clock: Date.now })).toThrow('localhost');
  });
});
