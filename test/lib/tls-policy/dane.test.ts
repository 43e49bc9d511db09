// Matches TLSA records with certificate chains (RFC 6698, RFC 7671, RFC 7672), and reads the parts of
// certificates that they digest.
import { createHash, createPublicKey, X509Certificate } from 'node:crypto';
import { rootCertificates } from 'node:tls';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  readPathLength,
  extractPublicKey,
  daneFailure,
  tlsaText,
  usableTlsa,
  type TlsaRecord,
} from '../../../src/lib/tls-policy/dane.rules.js';
import { issueCertificate, type CertificateWish } from '../../support/certificate-chain.js';
import { runs } from '../../support/run-size.js';

const HOST = 'mx.example.com';
const now = Date.now();
const DAY_MS = 86_400_000;

const root = issueCertificate({ commonName: 'Root', isAuthority: true });
const middle = issueCertificate({ commonName: 'Middle', isAuthority: true, issuer: root });
const leaf = issueCertificate({ names: [HOST], issuer: middle });
const below = (wish: CertificateWish): Buffer =>
  issueCertificate({ names: [HOST], issuer: middle, ...wish }).der;
const CHAIN = [leaf.der, middle.der, root.der];

function record(usage: number, selector: number, matchingType: number, of: Buffer): TlsaRecord {
  const part = selector === 1 ? (extractPublicKey(of) ?? Buffer.alloc(0)) : of;
  const digest = ['', 'sha256', 'sha512'][matchingType];
  const data = digest ? createHash(digest).update(part).digest('hex') : part.toString('hex');
  return { usage, selector, matchingType, data };
}

const judge = (
  records: TlsaRecord[],
  chain: readonly Buffer[] = CHAIN,
  names: readonly string[] = [HOST],
  at = now,
) => daneFailure({ chain, records, names, now: at })?.problem ?? null;

describe('usable TLSA records', () => {
  it.each([
    ['3 1 1', record(3, 1, 1, leaf.der), true],
    ['3 0 2', record(3, 0, 2, leaf.der), true],
    ['3 0 0', record(3, 0, 0, leaf.der), true],
    ['3 1 0', record(3, 1, 0, leaf.der), true],
    ['2 0 1', record(2, 0, 1, root.der), true],
    ['PKIX-TA(0)', record(0, 0, 1, root.der), false],
    ['PKIX-EE(1)', record(1, 1, 1, leaf.der), false],
    ['an unknown usage', record(4, 1, 1, leaf.der), false],
    ['an unknown selector', record(3, 2, 1, leaf.der), false],
    ['an unknown matching type', { ...record(3, 1, 1, leaf.der), matchingType: 3 }, false],
    ['a digest cut off', { ...record(3, 1, 1, leaf.der), data: 'abcd' }, false],
    ['SHA-512 labelled as SHA-256', { ...record(3, 1, 2, leaf.der), matchingType: 1 }, false],
    [
      'a full certificate that is none',
      { usage: 3, selector: 0, matchingType: 0, data: '3003020100' },
      false,
    ],
    ['a full key that is none', { usage: 3, selector: 1, matchingType: 0, data: '3003020100' }, false],
    ['no data', { usage: 3, selector: 0, matchingType: 0, data: '' }, false],
  ])('%s', (_what, tlsa, isUsable) => {
    expect(usableTlsa([tlsa])).toEqual(isUsable ? [tlsa] : []);
  });

  it('are those of the strongest digest of a usage and selector (RFC 7671 section 9)', () => {
    const strong = record(3, 1, 2, leaf.der);
    const weak = record(3, 1, 1, root.der);
    const other = record(2, 1, 1, root.der);
    const full = record(3, 1, 0, leaf.der);
    expect(usableTlsa([weak, strong, other, full])).toEqual([strong, other, full]);
    expect(usableTlsa([weak, { ...strong, data: 'ab' }])).toEqual([weak]);
  });

  it('are written as in a zone file', () => {
    expect(tlsaText({ usage: 3, selector: 1, matchingType: 1, data: 'ab12' })).toBe('3 1 1 ab12');
  });
});

describe('DANE-EE(3)', () => {
  it.each([0, 1].flatMap((selector) => [0, 1, 2].map((matching) => [selector, matching] as const)))(
    'matches only the server by selector %i and matching type %i',
    (selector, matching) => {
      const tlsa = record(3, selector, matching, leaf.der);
      expect(judge([tlsa])).toBeNull();
      expect(judge([tlsa], [middle.der, root.der])).toBe('validation-failure');
    },
  );

  it.each([
    ['another name', below({ names: ['other.example'] })],
    ['no name', issueCertificate({ commonName: 'x' }).der],
    ['a date that has passed', below({ from: -9, to: -8 })],
    ['a date to come', below({ from: 8, to: 9 })],
    ['no issuer', issueCertificate({ names: [HOST] }).der],
  ])('ignores %s', (_what, certificate) => {
    expect(judge([record(3, 1, 1, certificate)], [certificate])).toBeNull();
  });

  it('requires one of several records, and not that of an issuer', () => {
    expect(judge([record(3, 1, 1, root.der), record(3, 1, 1, leaf.der)])).toBeNull();
    expect(judge([record(3, 1, 1, root.der)])).toBe('validation-failure');
    expect(judge([record(3, 1, 1, leaf.der)], [])).toBe('validation-failure');
    expect(judge([])).toBe('validation-failure');
  });

  it('depends on the key and not on the certificate with selector 1', () => {
    const renewed = issueCertificate({ names: [HOST], keyOf: leaf }).der;
    expect(judge([record(3, 1, 1, leaf.der)], [renewed])).toBeNull();
    expect(judge([record(3, 0, 1, leaf.der)], [renewed])).toBe('validation-failure');
  });
});

describe('DANE-TA(2)', () => {
  const anchor = record(2, 0, 1, root.der);

  it.each([
    ['the root', anchor],
    ['an authority in the middle', record(2, 1, 1, middle.der)],
    ['the whole of an authority', record(2, 0, 0, middle.der)],
  ])('matches below %s', (_what, tlsa) => {
    expect(judge([tlsa])).toBeNull();
  });

  it.each([
    ['the MX host', [HOST], null],
    ['a name by wildcard', ['a.wild.example'], null],
    ['one of several', ['nobody.example', HOST], null],
    ['none', ['nobody.example'], 'certificate-host-mismatch'],
    ['a name two labels below the wildcard', ['a.b.wild.example'], 'certificate-host-mismatch'],
  ])('reports %s', (_what, names, problem) => {
    const chain = [below({ names: [HOST, '*.wild.example'] }), middle.der, root.der];
    expect(judge([anchor], chain, names)).toBe(problem);
  });

  const limited = issueCertificate({ isAuthority: true, issuer: root, pathLength: 0 });
  const belowLimited = issueCertificate({ isAuthority: true, issuer: limited });
  const impostor = issueCertificate({ commonName: 'Middle', isAuthority: true });
  const notAuthority = issueCertificate({ names: ['no.authority.example'], issuer: root });
  const late = issueCertificate({ commonName: 'Late', isAuthority: true, issuer: root, from: -9, to: -8 });

  it.each([
    ['the anchor is not in the chain', [leaf.der, middle.der], 'validation-failure'],
    ['the server itself is meant', [root.der], 'validation-failure'],
    ['the server has expired', [below({ from: -9, to: -8 }), middle.der, root.der], 'certificate-expired'],
    [
      'the server is not valid yet',
      [below({ from: 8, to: 9 }), middle.der, root.der],
      'certificate-not-trusted',
    ],
    [
      'an authority has expired',
      [issueCertificate({ names: [HOST], issuer: late }).der, late.der, root.der],
      'certificate-expired',
    ],
    [
      'an authority of the same name signed it',
      [issueCertificate({ names: [HOST], issuer: impostor }).der, middle.der, root.der],
      'certificate-not-trusted',
    ],
    [
      'a server signed it',
      [issueCertificate({ names: [HOST], issuer: notAuthority }).der, notAuthority.der, root.der],
      'certificate-not-trusted',
    ],
    ['the middle is missing', [leaf.der, root.der], 'certificate-not-trusted'],
    ['it is for clients', [below({ forClients: true }), middle.der, root.der], 'certificate-not-trusted'],
    [
      'an authority allows no other below it',
      [
        issueCertificate({ names: [HOST], issuer: belowLimited }).der,
        belowLimited.der,
        limited.der,
        root.der,
      ],
      'certificate-not-trusted',
    ],
    [
      'a certificate is broken',
      [leaf.der, Buffer.from('3003020100', 'hex'), root.der],
      'certificate-not-trusted',
    ],
  ])('does not match if %s', (_what, chain, problem) => {
    expect(judge([anchor], chain)).toBe(problem);
  });

  it('accepts a server directly below an authority that allows no other', () => {
    const server = issueCertificate({ names: [HOST], issuer: limited }).der;
    expect(judge([anchor], [server, limited.der, root.der])).toBeNull();
  });

  it('requires currently valid dates', () => {
    expect(judge([anchor], CHAIN, [HOST], now + 3 * DAY_MS)).toBe('certificate-expired');
    expect(judge([anchor], CHAIN, [HOST], now - 3 * DAY_MS)).toBe('certificate-not-trusted');
  });

  it('is unnecessary if an end entity matches', () => {
    const old = below({ from: -9, to: -8 });
    expect(judge([anchor, record(3, 1, 1, old)], [old, middle.der, root.der])).toBeNull();
  });
});

describe('the parts of a certificate', () => {
  it('include the key as OpenSSL writes it, for every certificate that Node trusts', () => {
    expect(rootCertificates.length).toBeGreaterThan(100);
    for (const pem of rootCertificates) {
      const certificate = new X509Certificate(pem);
      const key = extractPublicKey(certificate.raw);
      expect(key?.equals(certificate.publicKey.export({ type: 'spki', format: 'der' }))).toBe(true);
    }
  });

  it.each([
    [0, 0],
    [3, 3],
    [200, 200],
  ])('include a path length of %i', (pathLength, expected) => {
    expect(readPathLength(issueCertificate({ isAuthority: true, pathLength }).der)).toBe(expected);
  });

  it('include no limit if none is set', () => {
    expect(readPathLength(root.der)).toBe(Infinity);
    expect(readPathLength(leaf.der)).toBe(Infinity);
  });

  it('are searched in any octets without an error', () => {
    const broken = fc
      .tuple(fc.nat(leaf.der.length - 1), fc.integer({ min: 0, max: 255 }), fc.nat(leaf.der.length))
      .map(([at, octet, length]) => {
        const bytes = Buffer.from(leaf.der);
        bytes[at] = octet;
        return bytes.subarray(0, length);
      });
    const any = fc.uint8Array({ maxLength: 300 }).map((bytes) => Buffer.from(bytes));
    const anchors = [record(2, 1, 1, root.der), record(3, 1, 1, leaf.der)];
    fc.assert(
      fc.property(fc.oneof(broken, any), (bytes) => {
        const key = extractPublicKey(bytes);
        expect(key === null || key.length <= bytes.length).toBe(true);
        expect(readPathLength(bytes)).toBeGreaterThanOrEqual(0);
        judge(anchors, [bytes, bytes, root.der]);
      }),
      runs(500),
    );
  });

  it('form a key that node:crypto can read', () => {
    const key = extractPublicKey(leaf.der) ?? Buffer.alloc(0);
    expect(createPublicKey({ key, format: 'der', type: 'spki' }).asymmetricKeyType).toBe('rsa');
  });
});
