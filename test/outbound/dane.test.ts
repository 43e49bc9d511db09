// Tests whether DANE applies to an MX host, depending on the answers of a validating resolver.
import { afterEach, describe, expect, it } from 'vitest';
import type { Answer } from 'dns-packet';
import { createValidatingResolver } from '../../src/lib/dns/index.js';
import { Dane } from '../../src/outbound/route/dane.js';
import { startSignedDns, type SignedDns, type ToldReply } from '../support/signed-dns.js';

const DOMAIN = 'example.com';
const MX = 'mx.example.com';
const TLSA = `_25._tcp.${MX}`;
const BYTES = Buffer.alloc(32, 7);
const RECORD = { usage: 3, selector: 1, matchingType: 1, data: BYTES.toString('hex') };

const rr = {
  mx: (name: string, exchange: string): Answer => ({
    name,
    type: 'MX',
    ttl: 60,
    data: { preference: 10, exchange },
  }),
  a: (name: string): Answer => ({ name, type: 'A', ttl: 60, data: '192.0.2.1' }),
  cname: (name: string, data: string): Answer => ({ name, type: 'CNAME', ttl: 60, data }),
  tlsa: (name: string, usage = 3): Answer => ({
    name,
    type: 'TLSA',
    ttl: 60,
    data: { usage, selector: 1, matchingType: 1, certificate: BYTES },
  }),
};
const signed = (...answers: Answer[]): ToldReply => ({ answers, authentic: true });
const unsigned = (...answers: Answer[]): ToldReply => ({ answers });
const SERVFAIL: ToldReply = { rcode: 2 };
const NO_NAME: ToldReply = { rcode: 3, authentic: true };

/** By `TYPE name`; missing names exist and are empty, signed. */
type Zone = Record<string, ToldReply>;
const GOOD: Zone = {
  [`MX ${DOMAIN}`]: signed(rr.mx(DOMAIN, MX)),
  [`A ${MX}`]: signed(rr.a(MX)),
  [`TLSA ${TLSA}`]: signed(rr.tlsa(TLSA)),
};
const without = (...keys: string[]): Zone =>
  Object.fromEntries(Object.entries(GOOD).filter(([key]) => !keys.includes(key)));

const open: SignedDns[] = [];
afterEach(async () => {
  for (const dns of open.splice(0)) await dns.close();
});

async function look(zone: Zone, host = MX, domain = DOMAIN) {
  const dns = await startSignedDns(({ type, name }) => zone[`${type} ${name}`] ?? { authentic: true });
  open.push(dns);
  const resolver = createValidatingResolver({ server: dns.server, timeoutMs: 500, clock: Date.now });
  const found = await new Dane(resolver).daneFor(domain, host);
  return { found, asked: dns.queries.map(({ type, name }) => `${type} ${name}`) };
}

describe('DANE at an MX host', () => {
  it('is used if MX, address and TLSA records are signed', async () => {
    const { found } = await look(GOOD, 'MX.Example.Com.', 'EXAMPLE.com');
    expect(found).toEqual({
      kind: 'records',
      base: MX,
      names: [MX, DOMAIN],
      records: [RECORD],
      usable: [RECORD],
    });
  });

  it('is used without MX records at the domain itself', async () => {
    const { found } = await look(
      {
        [`A ${DOMAIN}`]: signed(rr.a(DOMAIN)),
        [`TLSA _25._tcp.${DOMAIN}`]: signed(rr.tlsa(`_25._tcp.${DOMAIN}`)),
      },
      DOMAIN,
    );
    expect(found).toMatchObject({ kind: 'records', base: DOMAIN, names: [DOMAIN] });
  });

  it('distinguishes unusable records from none', async () => {
    const { found } = await look({ ...GOOD, [`TLSA ${TLSA}`]: signed(rr.tlsa(TLSA, 1)) });
    expect(found).toMatchObject({ kind: 'records', records: [{ usage: 1 }], usable: [] });
  });

  it.each<[string, Zone]>([
    ['no TLSA records', without(`TLSA ${TLSA}`)],
    ['no such name', { ...GOOD, [`TLSA ${TLSA}`]: NO_NAME }],
    ['unsigned TLSA records', { ...GOOD, [`TLSA ${TLSA}`]: unsigned(rr.tlsa(TLSA)) }],
  ])('is not used with %s', async (_what, zone) => {
    expect((await look(zone)).found).toEqual({ kind: 'none' });
  });

  it.each<[string, Zone, boolean]>([
    ['the MX answer', { ...GOOD, [`MX ${DOMAIN}`]: unsigned(rr.mx(DOMAIN, MX)) }, false],
    ['the address', { ...GOOD, [`A ${MX}`]: unsigned(rr.a(MX)), [`AAAA ${MX}`]: unsigned() }, true],
    ['one family of addresses', { ...GOOD, [`AAAA ${MX}`]: unsigned() }, true],
  ])('is not looked up if %s is unsigned', async (_what, zone, isMxSecure) => {
    const { found, asked } = await look(zone);
    expect(found).toEqual({ kind: 'insecure', isMxSecure });
    expect(asked.filter((question) => question.startsWith('TLSA'))).toEqual([]);
  });

  it.each<[string, Zone, string]>([
    ['TLSA', { ...GOOD, [`TLSA ${TLSA}`]: SERVFAIL }, MX],
    ['address', { ...GOOD, [`A ${MX}`]: SERVFAIL, [`AAAA ${MX}`]: SERVFAIL }, MX],
    ['MX', { ...GOOD, [`MX ${DOMAIN}`]: SERVFAIL }, DOMAIN],
  ])('is unknown if the %s answer fails, as a forged one would', async (_what, zone, name) => {
    const { found } = await look(zone);
    expect(found).toMatchObject({ kind: 'bogus' });
    expect(found.kind === 'bogus' && found.reason).toContain(name);
  });

  it.each<[string, Zone]>([
    ['another host than the signed ones', GOOD],
    ['a host for a domain without MX records', without(`MX ${DOMAIN}`)],
    ['a host for a domain that takes no mail', { ...GOOD, [`MX ${DOMAIN}`]: signed(rr.mx(DOMAIN, '.')) }],
    ['a host for a domain that is not there', { ...GOOD, [`MX ${DOMAIN}`]: NO_NAME }],
  ])('is unknown if the route leads to %s', async (_what, zone) => {
    const { found } = await look(zone, 'mx.attacker.example');
    expect(found).toMatchObject({ kind: 'bogus' });
  });
});

describe('an MX host that is an alias (RFC 7672 section 2.2.2)', () => {
  const END = 'real.example.net';
  const END_TLSA = `_25._tcp.${END}`;
  const alias = (sign: typeof signed): Zone => ({
    [`MX ${DOMAIN}`]: signed(rr.mx(DOMAIN, MX)),
    [`A ${MX}`]: sign(rr.cname(MX, END), rr.a(END)),
    [`AAAA ${MX}`]: sign(rr.cname(MX, END)),
  });

  it('uses the records at the target if the alias is signed', async () => {
    const zone = {
      ...alias(signed),
      [`TLSA ${END_TLSA}`]: signed(rr.tlsa(END_TLSA)),
      [`TLSA ${TLSA}`]: signed(rr.tlsa(TLSA, 2)),
    };
    const { found } = await look(zone);
    expect(found).toMatchObject({ base: END, names: [END, MX, DOMAIN], records: [{ usage: 3 }] });
  });

  it('uses the records at its own name if there are none at the target', async () => {
    const { found, asked } = await look({ ...alias(signed), [`TLSA ${TLSA}`]: signed(rr.tlsa(TLSA)) });
    expect(found).toMatchObject({ base: MX, names: [MX, DOMAIN] });
    expect(asked).toContain(`TLSA ${END_TLSA}`);
  });

  it('uses the records at its own name if the target is outside the signed zone', async () => {
    const zone = {
      ...alias(unsigned),
      [`CNAME ${MX}`]: signed(rr.cname(MX, END)),
      [`TLSA ${TLSA}`]: signed(rr.tlsa(TLSA)),
    };
    const { found, asked } = await look(zone);
    expect(found).toMatchObject({ kind: 'records', base: MX });
    expect(asked).not.toContain(`TLSA ${END_TLSA}`);
  });

  it('has none if the alias itself is unsigned', async () => {
    const zone = {
      ...alias(unsigned),
      [`CNAME ${MX}`]: unsigned(rr.cname(MX, END)),
      [`TLSA ${TLSA}`]: signed(rr.tlsa(TLSA)),
    };
    expect((await look(zone)).found).toEqual({ kind: 'insecure', isMxSecure: true });
  });

  it('is unknown if the records at the target fail, whatever its own name has', async () => {
    const zone = {
      ...alias(signed),
      [`TLSA ${END_TLSA}`]: SERVFAIL,
      [`TLSA ${TLSA}`]: signed(rr.tlsa(TLSA)),
    };
    expect((await look(zone)).found).toMatchObject({ kind: 'bogus' });
  });
});
