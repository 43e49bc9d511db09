// Tests the TLS that a session to an MX host needs (DANE before MTA-STS before the configuration before the
// peer's offer), and the judgement of the session.
import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { DaneLookup, TlsaRecord } from '../../../src/lib/tls-policy/dane.rules.js';
import {
  decideTls,
  checkTls,
  type SeenTls,
  type StsLookup,
  type TlsNeed,
  type TlsQuestion,
} from '../../../src/lib/tls-policy/tls-policy.rules.js';
import { certificateProblem } from '../../../src/lib/tls-policy/tls-problem.rules.js';
import { issueCertificate } from '../../support/certificate-chain.js';

const HOST = 'mx1.example.com';
const DOMAIN = 'example.com';

const usable: TlsaRecord = { usage: 3, selector: 1, matchingType: 1, data: 'ab'.repeat(32) };
const unusable: TlsaRecord = { ...usable, usage: 1 };
const tlsa = (records: TlsaRecord[], good: TlsaRecord[]): DaneLookup => ({
  kind: 'records',
  base: HOST,
  names: [HOST, DOMAIN],
  records,
  usable: good,
});
const DANE = {
  insecure: { kind: 'insecure', isMxSecure: false },
  'insecure host': { kind: 'insecure', isMxSecure: true },
  none: { kind: 'none' },
  usable: tlsa([usable, unusable], [usable]),
  unusable: tlsa([unusable], []),
  bogus: { kind: 'bogus', reason: 'the TLSA records: servfail' },
} satisfies Record<string, DaneLookup>;

const lines = ['version: STSv1', 'mx: *.example.com'];
const sts = (mode: 'enforce' | 'testing', mx: string): StsLookup => ({
  kind: 'policy',
  policy: { domain: DOMAIN, id: 'p1', mode, mx: [mx], lines },
});
const STS = {
  none: { kind: 'none' },
  'enforce, host': sts('enforce', '*.example.com'),
  'enforce, other': sts('enforce', 'mx.other.example'),
  'testing, host': sts('testing', '*.example.com'),
  'testing, other': sts('testing', 'mx.other.example'),
  failed: { kind: 'failed', resultType: 'sts-webpki-invalid', detail: 'expired' },
} satisfies Record<string, StsLookup>;

const ask = (
  dane: keyof typeof DANE,
  policy: keyof typeof STS,
  more: Partial<TlsQuestion> = {},
): ReturnType<typeof decideTls> =>
  decideTls({
    domain: DOMAIN,
    host: HOST,
    sts: STS[policy],
    dane: DANE[dane],
    configured: 'opportunistic',
    requireTls: false,
    ...more,
  });

/** `need/reason policy-type notice`, or `skip enhanced result-type`. */
function brief(decision: ReturnType<typeof decideTls>): string {
  if (decision.kind === 'skip') return `skip ${decision.enhanced} ${decision.resultType}`;
  const { need, policy, testing } = decision;
  const reason = 'reason' in need ? `/${need.reason}` : '';
  return [`${need.kind}${reason}`, policy.type, testing?.resultType].filter(Boolean).join(' ');
}

type Row = [
  dane: keyof typeof DANE,
  sts: keyof typeof STS,
  plain: string,
  required: string,
  requireTls: string,
];

describe('the TLS requirement of a host', () => {
  const NOBODY = 'skip 5.7.30 validation-failure';
  const MISMATCH = 'skip 4.7.5 validation-failure';
  it.each<Row>([
    // DANE, MTA-STS; then: nothing configured, TLS configured, REQUIRETLS requested
    ['insecure', 'none', 'opportunistic no-policy-found', 'encrypted/configured no-policy-found', NOBODY],
    [
      'insecure host',
      'none',
      'opportunistic no-policy-found',
      'encrypted/configured no-policy-found',
      'verified/require_tls no-policy-found',
    ],
    [
      'none',
      'none',
      'opportunistic no-policy-found',
      'encrypted/configured no-policy-found',
      'verified/require_tls no-policy-found',
    ],
    ['insecure', 'enforce, host', 'verified/sts sts', 'verified/sts sts', 'verified/sts sts'],
    ['none', 'enforce, host', 'verified/sts sts', 'verified/sts sts', 'verified/sts sts'],
    ['insecure', 'enforce, other', MISMATCH, MISMATCH, MISMATCH],
    ['none', 'enforce, other', MISMATCH, MISMATCH, MISMATCH],
    [
      'insecure',
      'testing, host',
      'opportunistic sts',
      'encrypted/configured sts',
      'verified/require_tls sts',
    ],
    [
      'insecure',
      'testing, other',
      'opportunistic sts validation-failure',
      'encrypted/configured sts validation-failure',
      NOBODY,
    ],
    [
      'none',
      'testing, other',
      'opportunistic sts validation-failure',
      'encrypted/configured sts validation-failure',
      'verified/require_tls sts validation-failure',
    ],
    [
      'insecure',
      'failed',
      'opportunistic sts sts-webpki-invalid',
      'encrypted/configured sts sts-webpki-invalid',
      MISMATCH.replace('validation-failure', 'sts-webpki-invalid'),
    ],
    [
      'none',
      'failed',
      'opportunistic sts sts-webpki-invalid',
      'encrypted/configured sts sts-webpki-invalid',
      'verified/require_tls sts sts-webpki-invalid',
    ],
    ['usable', 'none', 'dane tlsa', 'dane tlsa', 'dane tlsa'],
    ['usable', 'enforce, host', 'dane tlsa', 'dane tlsa', 'dane tlsa'],
    ['usable', 'enforce, other', 'dane tlsa', 'dane tlsa', 'dane tlsa'],
    ['usable', 'testing, other', 'dane tlsa', 'dane tlsa', 'dane tlsa'],
    ['usable', 'failed', 'dane tlsa', 'dane tlsa', 'dane tlsa'],
    [
      'unusable',
      'none',
      'encrypted/tlsa_unusable tlsa tlsa-invalid',
      'encrypted/tlsa_unusable tlsa tlsa-invalid',
      'verified/require_tls no-policy-found',
    ],
    [
      'unusable',
      'testing, host',
      'encrypted/tlsa_unusable tlsa tlsa-invalid',
      'encrypted/tlsa_unusable tlsa tlsa-invalid',
      'verified/require_tls sts',
    ],
    ['unusable', 'enforce, host', 'verified/sts sts', 'verified/sts sts', 'verified/sts sts'],
    ['unusable', 'enforce, other', MISMATCH, MISMATCH, MISMATCH],
    ['bogus', 'none', 'skip 4.7.5 dnssec-invalid', 'skip 4.7.5 dnssec-invalid', 'skip 4.7.5 dnssec-invalid'],
    [
      'bogus',
      'enforce, host',
      'skip 4.7.5 dnssec-invalid',
      'skip 4.7.5 dnssec-invalid',
      'skip 4.7.5 dnssec-invalid',
    ],
  ])('DANE %s, MTA-STS %s', (dane, policy, plain, required, requireTls) => {
    expect(brief(ask(dane, policy))).toBe(plain);
    expect(brief(ask(dane, policy, { configured: 'required' }))).toBe(required);
    expect(brief(ask(dane, policy, { requireTls: true }))).toBe(requireTls);
  });

  it('names its policy as in TLS reports', () => {
    expect(ask('usable', 'none')).toEqual({
      kind: 'use',
      need: { kind: 'dane', records: [usable], names: [HOST, DOMAIN] },
      policy: {
        type: 'tlsa',
        domain: HOST,
        strings: [`3 1 1 ${usable.data}`, `1 1 1 ${usable.data}`],
        mx: [],
      },
    });
    expect(ask('insecure', 'enforce, host')).toMatchObject({
      policy: {
        type: 'sts',
        domain: DOMAIN,
        id: 'p1',
        mode: 'enforce',
        strings: lines,
        mx: ['*.example.com'],
      },
    });
    expect(ask('insecure', 'none')).toMatchObject({ policy: { domain: DOMAIN, strings: [], mx: [] } });
  });

  it('allows REQUIRETLS for an unauthenticated MX host only if configured', () => {
    const decision = ask('insecure', 'none', { requireTls: true, trustUnsignedMx: true });
    expect(decision).toMatchObject({ need: { kind: 'verified', reason: 'require_tls' } });
  });

  it('can be posted to another thread', () => {
    for (const dane of Object.keys(DANE) as (keyof typeof DANE)[]) {
      for (const policy of Object.keys(STS) as (keyof typeof STS)[]) {
        const decision = ask(dane, policy);
        expect(structuredClone(decision)).toEqual(decision);
        expect(JSON.parse(JSON.stringify(decision))).toEqual(decision);
      }
    }
  });

  it('never decreases if more is required', () => {
    const strength = (decision: ReturnType<typeof decideTls>): number =>
      decision.kind === 'skip'
        ? 9
        : { opportunistic: 0, encrypted: 1, verified: 2, dane: 2 }[decision.need.kind];
    const keys = <T extends object>(of: T) => fc.constantFrom(...(Object.keys(of) as (keyof T)[]));
    fc.assert(
      fc.property(
        keys(DANE),
        keys(STS),
        fc.constantFrom('opportunistic', 'required'),
        (dane, policy, configured) => {
          const plain = strength(ask(dane, policy));
          expect(strength(ask(dane, policy, { configured }))).toBeGreaterThanOrEqual(plain);
          expect(strength(ask(dane, policy, { configured, requireTls: true }))).toBeGreaterThanOrEqual(2);
        },
      ),
    );
  });
});

describe('the check of a session', () => {
  const named = issueCertificate({ names: [HOST] }).der;
  const commonNameOnly = issueCertificate({ commonName: HOST }).der;
  const digest = createHash('sha256').update(named).digest('hex');
  const match: TlsNeed = {
    kind: 'dane',
    records: [{ usage: 3, selector: 0, matchingType: 1, data: digest }],
    names: [HOST],
  };
  const seen = (facts: Partial<SeenTls['facts']> = {}, leaf = named): SeenTls => ({
    facts: { protocol: 'TLSv1.3', authorized: true, authorizationError: null, servername: HOST, ...facts },
    chain: [leaf],
    at: Date.now(),
  });
  const failed = (authorizationError: string): SeenTls => seen({ authorized: false, authorizationError });
  const verified: TlsNeed = { kind: 'verified', reason: 'sts' };

  it.each<[string, TlsNeed, SeenTls, string | null]>([
    ['opportunistic, verified', { kind: 'opportunistic' }, seen(), 'webpki'],
    ['opportunistic, self-signed', { kind: 'opportunistic' }, failed('DEPTH_ZERO_SELF_SIGNED_CERT'), null],
    ['encrypted, expired', { kind: 'encrypted', reason: 'configured' }, failed('CERT_HAS_EXPIRED'), null],
    ['verified', verified, seen(), 'webpki'],
    ['DANE, self-signed', match, failed('DEPTH_ZERO_SELF_SIGNED_CERT'), 'dane'],
    ['DANE, TLS 1.0', match, seen({ protocol: 'TLSv1' }), 'dane'],
  ])('accepts %s', (_what, need, what, verifiedBy) => {
    expect(checkTls(need, what)).toEqual({ kind: 'accepted', verifiedBy });
  });

  it.each<[string, TlsNeed, SeenTls, string]>([
    ['expired', verified, failed('CERT_HAS_EXPIRED'), 'certificate-expired'],
    ['another name', verified, failed('ERR_TLS_CERT_ALTNAME_INVALID'), 'certificate-host-mismatch'],
    ['self-signed', verified, failed('DEPTH_ZERO_SELF_SIGNED_CERT'), 'certificate-not-trusted'],
    ['an old protocol', verified, seen({ protocol: 'TLSv1.1' }), 'validation-failure'],
    ['the name as common name only', verified, seen({}, commonNameOnly), 'certificate-host-mismatch'],
    ['no TLSA match', match, seen({}, commonNameOnly), 'validation-failure'],
  ])('rejects %s', (_what, need, what, problem) => {
    const verdict = checkTls(need, what);
    expect(verdict).toMatchObject({ kind: 'rejected', problem });
  });

  it.each([
    ['CERT_HAS_EXPIRED', 'certificate-expired'],
    ['ERR_TLS_CERT_ALTNAME_INVALID', 'certificate-host-mismatch'],
    ['HOSTNAME_MISMATCH', 'certificate-host-mismatch'],
    ['CERT_NOT_YET_VALID', 'certificate-not-trusted'],
    ['UNABLE_TO_GET_ISSUER_CERT_LOCALLY', 'certificate-not-trusted'],
    ['', 'certificate-not-trusted'],
  ])('names %s %s', (code, problem) => {
    expect(certificateProblem(code)).toBe(problem);
  });
});
