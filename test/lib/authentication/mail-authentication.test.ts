import { createHash, generateKeyPairSync, sign, type KeyObject } from 'node:crypto';
import { sealMessage } from 'mailauth';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { type DkimSigner, relaxedField, signMessage } from '../../../src/lib/dkim/index.js';
import type { DnsAnswer, MxRecord } from '../../../src/lib/dns-answers/index.js';
import { createResolver } from '../../../src/lib/dns/index.js';
import { lookUpWith, type LookUp } from '../../../src/lib/authentication/look-ups.js';
import {
  createMailAuthentication,
  type AuthenticationOptions,
  type MailAuthentication,
  type MailEnvelope,
} from '../../../src/lib/authentication/mail-authentication.js';
import { startDnsServer } from '../../support/dns-server.js';

const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 });
const weak = generateKeyPairSync('rsa', { modulusLength: 1024 });
const ed25519 = generateKeyPairSync('ed25519');
const keyRecord = (key: KeyObject): string =>
  key.asymmetricKeyType === 'ed25519'
    ? `v=DKIM1; k=ed25519; p=${key.export({ type: 'spki', format: 'der' }).subarray(-32).toString('base64')}`
    : `v=DKIM1; p=${key.export({ type: 'spki', format: 'der' }).toString('base64')}`;

type Zone = Record<string, DnsAnswer<string | MxRecord>>;
const found = (...records: (string | MxRecord)[]): DnsAnswer<string | MxRecord> => ({
  kind: 'found',
  records,
});
const ZONE: Zone = {
  'TXT r._domainkey.example.com': found(keyRecord(rsa.publicKey)),
  'TXT e._domainkey.example.com': found(keyRecord(ed25519.publicKey)),
  'TXT r._domainkey.mail.example.com': found(keyRecord(rsa.publicKey)),
  'TXT r._domainkey.esp.example.net': found(keyRecord(rsa.publicKey)),
  'TXT w._domainkey.example.com': found(keyRecord(weak.publicKey)),
  'TXT _dmarc.example.com': found('v=DMARC1; p=Reject; sp=quarantine'),
  'TXT _dmarc.strict.example.org': found('v=DMARC1; p=reject; adkim=s; aspf=s'),
  'TXT r._domainkey.example.org': found(keyRecord(rsa.publicKey)),
  'TXT example.com': found('v=spf1 ip4:192.0.2.1 include:_spf.example.net -all', 'other=text'),
  'TXT _spf.example.net': found('v=spf1 mx a:hosts.example.net ~all'),
  'MX _spf.example.net': found({ exchange: 'mx.example.net', preference: 10 }),
  'A mx.example.net': found('192.0.2.25'),
  'A hosts.example.net': found('192.0.2.30', '192.0.2.31'),
  'TXT esp.example.net': found('v=spf1 ip4:192.0.2.1 -all'),
  'TXT mail.example.com': found('v=spf1 ip4:192.0.2.1 -all'),
  'TXT client.example.com': found('v=spf1 ip6:2001:db8::/32 -all'),
  'TXT slow.example.com': { kind: 'failed', reason: 'timeout' },
  'TXT half.example.com': found('v=spf1 include:slow.example.com -all'),
};
const lookUpIn =
  (zone: Zone): LookUp =>
  (name, type) =>
    Promise.resolve(zone[`${type} ${name.toLowerCase()}`] ?? { kind: 'no_name' });

const ENVELOPE: MailEnvelope = {
  clientAddress: '192.0.2.1',
  helo: 'client.example.com',
  mailFrom: 'bounce@example.com',
};
const judge = (
  raw: Buffer,
  envelope: Partial<MailEnvelope> = {},
  options: Partial<AuthenticationOptions> = {},
): Promise<MailAuthentication> =>
  createMailAuthentication({ resolve: lookUpIn(ZONE), hostName: 'mx.mailkeel.example', ...options })(raw, {
    ...ENVELOPE,
    ...envelope,
  });

const RSA: DkimSigner = {
  domain: 'example.com',
  selector: 'r',
  algorithm: 'rsa-sha256',
  privateKey: rsa.privateKey,
};
const ED: DkimSigner = {
  domain: 'example.com',
  selector: 'e',
  algorithm: 'ed25519-sha256',
  privateKey: ed25519.privateKey,
};
const HEADER = [
  'From: Ann <ann@example.com>',
  'To: bob@example.org',
  'Subject: Hello  there',
  'Date: Fri, 20 Nov 2026 10:00:00 +0000',
  'Message-ID: <1@example.com>',
];
const BODY = 'Hello,\r\n\r\na body.  \r\n\r\n';
const message = (headerLines: readonly string[], body = BODY): Buffer =>
  Buffer.from(`${headerLines.join('\r\n')}\r\n\r\n${body}`, 'latin1');

function signed(signers: DkimSigner[], headerLines = HEADER, body = BODY): Buffer {
  const signatures = signMessage({
    headerLines,
    body: Buffer.from(body, 'latin1'),
    signers,
    signedAt: 1_763_700_000,
  });
  return message([...signatures, ...headerLines], body);
}

/** Builds a signature with any tags over From, Subject and the body; `bh` and `b` are computed to match. */
function handmade(tags: Record<string, string>, body = BODY): Buffer {
  const hashed =
    tags.l === undefined ? body.trimEnd().replace(/ +\r\n/g, '\r\n') : body.slice(0, Number(tags.l));
  const end = tags.l === undefined ? '\r\n' : '';
  const all: Record<string, string> = {
    v: '1',
    a: 'rsa-sha256',
    c: 'relaxed/relaxed',
    d: 'example.com',
    s: 'r',
    h: 'From:Subject',
    bh: createHash('sha256')
      .update(hashed + end)
      .digest('base64'),
    ...tags,
  };
  const unsigned = `DKIM-Signature: ${Object.entries(all)
    .map(([tag, value]) => `${tag}=${value}`)
    .join('; ')}; b=`;
  const fields = (all.h ?? '').split(':').flatMap((name) => {
    const line = HEADER.find((each) => each.toLowerCase().startsWith(`${name.toLowerCase()}:`));
    return line === undefined ? [] : [`${relaxedField(line).text}\r\n`];
  });
  const b = sign('sha256', Buffer.from(fields.join('') + relaxedField(unsigned).text), rsa.privateKey);
  return message([unsigned + b.toString('base64'), ...HEADER], body);
}

afterEach(() => vi.restoreAllMocks());

describe('DKIM', () => {
  it("passes with signatures of Mailkeel's signer, RSA and Ed25519", async () => {
    expect(await judge(signed([RSA, ED]))).toEqual({
      spf: { result: 'pass', domain: 'example.com' },
      dkim: [
        { result: 'pass', domain: 'example.com', selector: 'r', aligned: true },
        { result: 'pass', domain: 'example.com', selector: 'e', aligned: true },
      ],
      dmarc: { result: 'pass', policy: 'reject', domain: 'example.com' },
      arc: { result: 'none' },
      fromDomain: 'example.com',
      authenticatedDomains: ['example.com'],
    });
  });

  it.each<[string, (raw: string) => string, string]>([
    ['a changed body', (raw) => raw.replace('a body', 'another'), 'neutral'],
    ['a changed subject', (raw) => raw.replace('Hello  there', 'Hello you'), 'fail'],
    ['a second From', (raw) => `From: Eve <eve@example.net>\r\n${raw}`, 'fail'],
    ['an unknown key', (raw) => raw.replace('s=r;', 's=gone;'), 'neutral'],
  ])('does not pass with %s', async (_, change, result) => {
    const raw = signed([RSA]).toString('latin1');
    const verdict = await judge(Buffer.from(change(raw), 'latin1'), { mailFrom: 'x@none.example' });
    expect(verdict.dkim).toMatchObject([{ result }]);
    expect(verdict.authenticatedDomains).toEqual([]);
    expect(verdict.dmarc.result).not.toBe('pass');
  });

  it('distinguishes signatures of the author’s organization from others', async () => {
    const verdict = await judge(
      signed([
        { ...RSA, domain: 'esp.example.net' },
        { ...RSA, domain: 'mail.example.com' },
      ]),
      { mailFrom: '' },
    );
    expect(verdict.dkim.map(({ domain, aligned }) => [domain, aligned])).toEqual([
      ['esp.example.net', false],
      ['mail.example.com', true],
    ]);
    expect(verdict.authenticatedDomains).toEqual(['esp.example.net', 'mail.example.com']);
    expect(verdict.dmarc).toEqual({ result: 'pass', policy: 'reject', domain: 'example.com' });
  });

  it.each<[string, Record<string, string>, string]>([
    ['as any other', {}, 'pass'],
    ['that does not cover From', { h: 'Subject' }, 'permerror'],
    ['over the beginning of the body only', { l: '5' }, 'policy'],
    ['with SHA-1', { a: 'rsa-sha1' }, 'permerror'],
    ['of an algorithm that nobody knows', { a: 'rsa-sha999' }, 'neutral'],
    ['for an identity outside of its domain', { i: 'a@example.net' }, 'permerror'],
    ['for an identity below its domain', { i: 'a@news.example.com' }, 'pass'],
    ['of another version', { v: '2' }, 'permerror'],
    ['that has expired', { t: '1600000000', x: '1600000001' }, 'neutral'],
  ])('accepts a signature %s', async (_, tags, result) => {
    const log = vi.spyOn(console, 'log');
    const verdict = await judge(handmade(tags), { mailFrom: 'x@none.example' });
    expect(verdict.dkim).toMatchObject([{ result, domain: 'example.com', selector: 'r' }]);
    expect(verdict.dmarc.result).toBe(result === 'pass' ? 'pass' : 'fail');
    expect(verdict.authenticatedDomains).toEqual(result === 'pass' ? ['example.com'] : []);
    // Standard output is the log, where no foreign text belongs.
    expect(log).not.toHaveBeenCalled();
  });

  it('verifies at most five signatures, those of the author first', async () => {
    const outsiders = Array.from({ length: 30 }, () => ({ ...RSA, domain: 'esp.example.net' }));
    const asked: string[] = [];
    const resolve: LookUp = (name, type) => {
      asked.push(`${type} ${name}`);
      return lookUpIn(ZONE)(name, type);
    };
    const verdict = await judge(signed([...outsiders, RSA]), { mailFrom: '' }, { resolve });
    expect(verdict.dkim.filter(({ result }) => result === 'pass')).toHaveLength(5);
    expect(verdict.dkim.filter(({ result }) => result === 'policy')).toHaveLength(10);
    expect(verdict.authenticatedDomains).toContain('example.com');
    expect(verdict.dmarc.result).toBe('pass');
    // Asks each question once.
    expect(new Set(asked).size).toBe(asked.length);
  });

  it('accepts keys of 1,024 bits and refuses shorter ones', async () => {
    const raw = signed([{ ...RSA, selector: 'w', privateKey: weak.privateKey }]);
    expect((await judge(raw)).dkim).toMatchObject([{ result: 'pass' }]);
    const short = generateKeyPairSync('rsa', { modulusLength: 768 });
    const zone = { ...ZONE, 'TXT w._domainkey.example.com': found(keyRecord(short.publicKey)) };
    expect((await judge(raw, {}, { resolve: lookUpIn(zone) })).dkim).toMatchObject([{ result: 'policy' }]);
  });
});

describe('SPF', () => {
  it.each<[string, Partial<MailEnvelope>, string, string | null]>([
    ['an address of the record', {}, 'pass', 'example.com'],
    ['the MX host of an included record', { clientAddress: '192.0.2.25' }, 'pass', 'example.com'],
    ['a host of an included record', { clientAddress: '::ffff:192.0.2.31' }, 'pass', 'example.com'],
    ['an address that is not there', { clientAddress: '198.51.100.1' }, 'fail', 'example.com'],
    [
      'the null sender, by the name of the client',
      { mailFrom: '', clientAddress: '2001:db8::1' },
      'pass',
      'client.example.com',
    ],
    ['a domain without a record', { mailFrom: 'a@none.example' }, 'none', 'none.example'],
    ['a record that cannot be had', { mailFrom: 'a@slow.example.com' }, 'temperror', 'slow.example.com'],
    [
      'an included record that cannot be had',
      { mailFrom: 'a@half.example.com' },
      'temperror',
      'half.example.com',
    ],
    ['an odd sender', { mailFrom: '@@"<>\r\n' }, 'none', expect.anything()],
    ['no client address', { clientAddress: null }, 'none', null],
  ])('judges %s', async (_, envelope, result, domain) => {
    expect((await judge(message(HEADER), envelope)).spf).toEqual({ result, domain });
  });

  it('vouches for its domain only if From belongs to the same organization', async () => {
    expect((await judge(message(HEADER), { mailFrom: 'b@mail.example.com' })).authenticatedDomains).toEqual([
      'mail.example.com',
    ]);
    const other = await judge(message(HEADER), { mailFrom: 'b@esp.example.net' });
    expect(other.spf.result).toBe('pass');
    expect(other.authenticatedDomains).toEqual([]);
    expect(other.dmarc).toMatchObject({ result: 'fail', policy: 'reject' });
  });
});

describe('DMARC', () => {
  it('uses the policy of the organization for a subdomain', async () => {
    const lines = ['From: a@news.example.com', ...HEADER.slice(1)];
    expect((await judge(message(lines), { mailFrom: '' })).dmarc).toEqual({
      result: 'fail',
      policy: 'quarantine',
      domain: 'news.example.com',
    });
  });

  it('requires the exact domain with strict alignment', async () => {
    const lines = ['From: a@strict.example.org', ...HEADER.slice(1)];
    const raw = signed([{ ...RSA, domain: 'example.org' }], lines);
    const verdict = await judge(raw);
    expect(verdict.dkim).toMatchObject([{ result: 'pass', aligned: true }]);
    expect(verdict.dmarc).toMatchObject({ result: 'fail', policy: 'reject' });
    const relaxed = {
      ...ZONE,
      'TXT _dmarc.example.org': found('v=DMARC1; p=none'),
      'TXT _dmarc.strict.example.org': found('v=DMARC1; p=reject'),
    };
    expect((await judge(raw, {}, { resolve: lookUpIn(relaxed) })).dmarc.result).toBe('pass');
  });

  // RFC 9989 sections 4.7 and 4.10.
  it.each<[string, string, Zone, MailAuthentication['dmarc']]>([
    [
      'takes a domain whose parent has no record for an organization of its own',
      'shop.example.org',
      { 'TXT _dmarc.shop.example.org': found('v=DMARC1; p=reject') },
      { result: 'fail', policy: 'reject', domain: 'shop.example.org' },
    ],
    [
      'applies np to a subdomain that does not exist',
      'gone.example.org',
      { 'TXT _dmarc.example.org': found('v=DMARC1; p=none; sp=quarantine; np=reject') },
      { result: 'pass', policy: 'reject', domain: 'gone.example.org' },
    ],
    [
      'weakens the policy of a domain that tests it',
      'example.org',
      { 'TXT _dmarc.example.org': found('v=DMARC1; p=reject; t=y') },
      { result: 'pass', policy: 'quarantine', domain: 'example.org' },
    ],
  ])('%s', async (_, from, records, dmarc) => {
    const raw = signed([{ ...RSA, domain: 'example.org' }], [`From: a@${from}`, ...HEADER.slice(1)]);
    const zone = { ...ZONE, ...records };
    expect((await judge(raw, { mailFrom: '' }, { resolve: lookUpIn(zone) })).dmarc).toEqual(dmarc);
  });

  it.each<[string, string[]]>([
    ['two From fields', ['From: a@example.com', 'From: b@example.com']],
    ['two mailboxes', ['From: a@example.com, b@example.org']],
    ['no From', []],
    ['a From without an address', ['From: Mailer']],
  ])('fails with %s', async (_, from) => {
    const verdict = await judge(from.length === 0 ? message(['X: y']) : signed([RSA], ['X: y', ...from]));
    expect(verdict.fromDomain).toBeNull();
    expect(verdict.dmarc.result).toBe('permerror');
    expect(verdict.dkim.every(({ aligned }) => !aligned)).toBe(true);
  });

  it('treats neighbors below a public suffix as unrelated', async () => {
    const zone = { ...ZONE, 'TXT r._domainkey.evil.co.uk': found(keyRecord(rsa.publicKey)) };
    const raw = signed([{ ...RSA, domain: 'evil.co.uk' }], ['From: a@good.co.uk', ...HEADER.slice(1)]);
    expect((await judge(raw, {}, { resolve: lookUpIn(zone) })).dkim).toMatchObject([
      { result: 'pass', aligned: false },
    ]);
  });
});

describe('ARC', () => {
  const seal = async (raw: Buffer): Promise<Buffer> => {
    const headers = await sealMessage(raw, {
      signingDomain: 'esp.example.net',
      selector: 'r',
      privateKey: rsa.privateKey.export({ type: 'pkcs8', format: 'pem' }),
      signTime: new Date(1_763_700_000_000),
      authResults: 'esp.example.net; dkim=pass',
      cv: 'none',
    });
    return Buffer.concat([Buffer.from(headers), raw]);
  };

  it('passes with a valid chain, and fails with an invalid one', async () => {
    const sealed = await seal(signed([RSA]));
    expect((await judge(sealed)).arc).toEqual({ result: 'pass' });
    const changed = Buffer.from(sealed.toString('latin1').replace('a body', 'another'), 'latin1');
    expect((await judge(changed)).arc).toEqual({ result: 'fail' });
  });

  it('is a temporary error if its key cannot be fetched', async () => {
    const zone: Zone = {
      ...ZONE,
      'TXT r._domainkey.esp.example.net': { kind: 'failed', reason: 'servfail' },
    };
    expect((await judge(await seal(signed([RSA])), {}, { resolve: lookUpIn(zone) })).arc).toEqual({
      result: 'temperror',
    });
  });

  it('is not evaluated if a signature that it may cover was skipped', async () => {
    const sealed = await seal(signed(Array.from({ length: 7 }, () => RSA)));
    expect((await judge(sealed)).arc.result).toMatch(/policy|pass/);
  });
});

describe('limits', () => {
  it('return temperror for all methods when DNS is unavailable', async () => {
    const verdict = await judge(
      signed([RSA]),
      {},
      { resolve: () => Promise.resolve({ kind: 'failed', reason: 'servfail' }) },
    );
    expect(verdict).toMatchObject({
      spf: { result: 'temperror' },
      dkim: [{ result: 'temperror' }],
      dmarc: { result: 'temperror', policy: null },
      authenticatedDomains: [],
    });
  });

  it('stop a message whose lookups never end', async () => {
    const verdict = await judge(
      signed([RSA, ED]),
      {},
      {
        resolve: () => new Promise(() => undefined),
        lookUpTimeoutMs: 5_000,
        totalTimeoutMs: 60,
      },
    );
    expect(verdict.dkim.map(({ result }) => result)).toEqual(['temperror', 'temperror']);
    expect(verdict.spf.result).toBe('temperror');
  });

  it('allow at most a hundred DNS queries', async () => {
    let asked = 0;
    const resolve: LookUp = (name, type) => {
      asked += 1;
      if (type === 'MX') {
        const records = Array.from({ length: 100 }, (_, i) => ({ exchange: `${i}.${name}`, preference: i }));
        return Promise.resolve({ kind: 'found', records });
      }
      if (type === 'TXT')
        return Promise.resolve(
          found(`v=spf1 ${[1, 2, 3, 4, 5, 6, 7, 8].map((i) => `mx:${i}.example.net`).join(' ')} -all`),
        );
      return Promise.resolve(found('203.0.113.1'));
    };
    const verdict = await judge(message(HEADER), {}, { resolve });
    expect(asked).toBeLessThanOrEqual(100);
    expect(verdict.spf.result).toMatch(/error/);
  });

  it.each<[string, () => string]>([
    ['a header of a megabyte', () => `From: a@example.com\r\n${'X: y\r\n'.repeat(170_000)}\r\nx`],
    ['100,000 folds', () => `From: a@example.com\r\nX: y\r\n${' \r\n'.repeat(30_000)}\r\nx`],
    ['5,000 fields', () => `From: a@example.com\r\n${'X: y\r\n'.repeat(5_000)}\r\nx`],
  ])('skip %s', async (_, make) => {
    expect(await judge(Buffer.from(make()))).toMatchObject({
      spf: { result: 'permerror' },
      dmarc: { result: 'permerror' },
      arc: { result: 'policy' },
      authenticatedDomains: [],
    });
  });

  it.each([
    ['nothing at all', ''],
    ['only a body', '\r\nbody'],
    ['an empty signature', 'DKIM-Signature:\r\nFrom: a@example.com\r\n\r\nx'],
    [
      'signatures of nothing',
      `From: a@example.com\r\n${'DKIM-Signature: v=1; a=rsa-sha256; d=; s=; h=from; bh=x; b=y\r\n'.repeat(50)}\r\nx`,
    ],
    [
      'a signature for names that are none',
      'From: a@example.com\r\nDKIM-Signature: v=1; a=rsa-sha256; d=..; s=\u00e9 %; h=from; bh=x; b=y\r\n\r\nx',
    ],
    [
      'a broken chain',
      'From: a@example.com\r\nARC-Seal: i=1; a=rsa-sha256; cv=none\r\nARC-Seal: i=2\r\n\r\nx',
    ],
    ['binary', String.fromCharCode(...Array.from({ length: 256 }, (_, i) => i))],
  ])('return a result for %s', async (_, raw) => {
    expect((await judge(Buffer.from(raw, 'latin1'))).authenticatedDomains.length).toBeLessThan(2);
  });
});

describe("with the server's resolver", () => {
  it('queries real name servers', async () => {
    const dns = await startDnsServer();
    dns.set('r._domainkey.example.com', 'TXT', [keyRecord(rsa.publicKey)]);
    dns.set('example.com', 'TXT', ['v=spf1 mx -all']);
    dns.set('example.com', 'MX', [{ preference: 5, exchange: 'mx.example.com' }]);
    dns.set('mx.example.com', 'A', ['192.0.2.1']);
    dns.set('_dmarc.example.com', 'TXT', ['v=DMARC1; p=none']);
    const resolver = createResolver({ servers: [dns.address], clock: () => 0 });
    try {
      const verdict = await judge(signed([RSA]), {}, { resolve: lookUpWith(resolver) });
      expect(verdict).toMatchObject({
        spf: { result: 'pass' },
        dkim: [{ result: 'pass' }],
        dmarc: { result: 'pass', policy: 'none' },
      });
    } finally {
      resolver.close();
      await dns.close();
    }
  });
});
