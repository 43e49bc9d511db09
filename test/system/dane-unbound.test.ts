// Tests DANE end to end: TLSA records in a zone that ldns signed, resolved by a real validating unbound, and sessions to a server
// with matching and other certificates. OpenSSL's own DANE check is compared.
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { text as readText } from 'node:stream/consumers';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { createValidatingResolver, type ValidatingResolver } from '../../src/lib/dns/index.js';
import { type ConnectOutcome, connectSmtp } from '../../src/lib/smtp/index.js';
import {
  checkTls,
  type DaneLookup,
  decideTls,
  extractPublicKey,
  type TlsaRecord,
  tlsaText,
} from '../../src/lib/tls-policy/index.js';
import { Dane } from '../../src/outbound/route/dane.js';
import { chainOf, issueCertificate } from '../support/certificate-chain.js';
import { sized } from '../support/run-size.js';
import { startSmtpSink, type SmtpSink } from '../support/smtp-sink.js';
import { ensureUnbound, startUnbound, type Unbound } from '../support/unbound.js';

const skipReason = ensureUnbound();
if (skipReason !== null) console.warn(`skipped: DANE with unbound: ${skipReason}`);

const sha = (digest: 'sha256' | 'sha512', bytes: Buffer | null): string =>
  createHash(digest)
    .update(bytes ?? '')
    .digest('hex');

describe.skipIf(skipReason !== null)('DANE with a real validating resolver', () => {
  const root = issueCertificate({ commonName: 'Root', isAuthority: true });
  const middle = issueCertificate({ commonName: 'Middle', isAuthority: true, issuer: root });
  const server = issueCertificate({ names: ['mx.good.mail'], issuer: middle });
  const CHAIN = chainOf(server, middle, root);
  const other = issueCertificate({ names: ['mx.good.mail'] });

  const EE = `3 1 1 ${sha('sha256', extractPublicKey(server.der))}`;
  const TA = `2 0 1 ${sha('sha256', root.der)}`;
  const host = (domain: string, tlsa: readonly string[], mx = `mx.${domain}`): string[] => [
    `${domain}. IN MX 10 ${mx}.`,
    ...(mx === `mx.${domain}` ? [`${mx}. IN A 192.0.2.1`] : []),
    ...tlsa.map((record) => `_25._tcp.mx.${domain}. IN TLSA ${record}`),
  ];
  const FORGED = sha('sha256', Buffer.from('forged'));
  const records = [
    ...host('good.mail', [EE]),
    ...host('anchor.mail', [TA]),
    ...host('wrong.mail', [`3 1 1 ${sha('sha256', extractPublicKey(other.der))}`]),
    ...host('pkix.mail', [`1 1 1 ${sha('sha256', extractPublicKey(server.der))}`]),
    ...host('none.mail', []),
    ...host('tampered.mail', [`3 1 1 ${FORGED}`]),
    ...host(
      'many.mail',
      Array.from({ length: 60 }, (_, n) => `3 0 2 ${sha('sha512', Buffer.from([n]))}`),
    ),
    'implicit.mail. IN A 192.0.2.1',
    `_25._tcp.implicit.mail. IN TLSA ${EE}`,
    'alias.mail. IN MX 10 mx.alias.mail.',
    'mx.alias.mail. IN CNAME mx.good.mail.',
    'out.mail. IN MX 10 mx.out.mail.',
    'mx.out.mail. IN CNAME mx.plain.',
    `_25._tcp.mx.out.mail. IN TLSA ${EE}`,
    'mixed.mail. IN MX 10 mx.plain.',
  ];
  const plain = ['plain. IN MX 10 mx.plain.', 'mx.plain. IN A 192.0.2.1', `_25._tcp.mx.plain. IN TLSA ${EE}`];

  let unbound: Unbound;
  let resolver: ValidatingResolver;
  let dane: Dane;
  beforeAll(async () => {
    unbound = await startUnbound({
      records,
      unsigned: { 'plain.': plain },
      tamper: (zone) => zone.replaceAll(FORGED, sha('sha256', Buffer.from('changed'))),
    });
    resolver = createValidatingResolver({ server: unbound.server, clock: Date.now });
    dane = new Dane(resolver);
  });
  afterAll(() => unbound.close());

  const sinks: SmtpSink[] = [];
  afterEach(async () => {
    for (const sink of sinks.splice(0)) await sink.close();
  });

  it('detects that it validates', async () => {
    expect(await resolver.provesValidation()).toBeNull();
  });

  it.each<[string, string, Partial<Record<string, unknown>>]>([
    ['good.mail', 'mx.good.mail', { kind: 'records', base: 'mx.good.mail', usable: [{ usage: 3 }] }],
    ['anchor.mail', 'mx.anchor.mail', { kind: 'records', usable: [{ usage: 2 }] }],
    ['pkix.mail', 'mx.pkix.mail', { kind: 'records', records: [{ usage: 1 }], usable: [] }],
    ['none.mail', 'mx.none.mail', { kind: 'none' }],
    ['many.mail', 'mx.many.mail', { kind: 'records', usable: { length: 60 } }],
    ['implicit.mail', 'implicit.mail', { kind: 'records', base: 'implicit.mail' }],
    [
      'alias.mail',
      'mx.alias.mail',
      { kind: 'records', base: 'mx.good.mail', names: ['mx.good.mail', 'mx.alias.mail', 'alias.mail'] },
    ],
    ['out.mail', 'mx.out.mail', { kind: 'records', base: 'mx.out.mail' }],
    ['mixed.mail', 'mx.plain', { kind: 'insecure', isMxSecure: true }],
    ['plain', 'mx.plain', { kind: 'insecure', isMxSecure: false }],
    [
      'tampered.mail',
      'mx.tampered.mail',
      { kind: 'bogus', reason: expect.stringContaining('servfail') as string },
    ],
    ['good.mail', 'mx.plain', { kind: 'bogus' }],
    ['nowhere.mail', 'mx.good.mail', { kind: 'bogus' }],
  ])('%s at %s', async (domain, mx, expected) => {
    expect(await dane.daneFor(domain, mx)).toMatchObject(expected);
  });

  async function session(
    domain: string,
    mx: string,
    tls: { key: string; cert: string },
  ): Promise<ConnectOutcome> {
    const decision = decideTls({
      domain,
      host: mx,
      sts: { kind: 'none' },
      dane: await dane.daneFor(domain, mx),
      configured: 'opportunistic',
      requireTls: false,
    });
    if (decision.kind !== 'use') throw new Error(decision.reason);
    const { need } = decision;
    const sink = await startSmtpSink({ keep: true, starttls: tls });
    sinks.push(sink);
    const outcome = await connectSmtp({
      host: mx,
      address: sink.host,
      port: sink.port,
      ehloName: 'out.example',
      tls: {
        mode: need.kind === 'opportunistic' ? 'opportunistic' : 'required',
        verify: false,
        ...(need.kind === 'dane' && need.names[0] !== undefined ? { servername: need.names[0] } : {}),
        check: (seen) => checkTls(need, seen),
      },
    });
    if (outcome.kind === 'ready') await outcome.session.quit();
    return outcome;
  }

  it.each([
    ['good.mail', 'mx.good.mail', CHAIN, 'dane'],
    ['alias.mail', 'mx.alias.mail', CHAIN, 'dane'],
    ['plain', 'mx.plain', CHAIN, null],
    ['pkix.mail', 'mx.pkix.mail', CHAIN, null],
  ])('a session to %s at %s is accepted', async (domain, mx, tls, verifiedBy) => {
    expect(await session(domain, mx, tls)).toMatchObject({
      kind: 'ready',
      session: { facts: { tls: { verifiedBy } } },
    });
  });

  it.each([
    ['good.mail', 'mx.good.mail', chainOf(other), 'validation-failure'],
    ['wrong.mail', 'mx.wrong.mail', CHAIN, 'validation-failure'],
    ['anchor.mail', 'mx.anchor.mail', CHAIN, 'certificate-host-mismatch'],
  ])('a session to %s at %s is ended', async (domain, mx, tls, tlsProblem) => {
    expect(await session(domain, mx, tls)).toMatchObject({
      kind: 'failed',
      phase: 'tls',
      tlsProblem,
      retryWithoutTls: false,
    });
  });

  it('agrees with OpenSSL', async () => {
    const old = issueCertificate({ names: ['mx.good.mail'], issuer: middle, from: -9, to: -8 });
    const chains = { fresh: [server, middle, root], expired: [old, middle, root], short: [server, middle] };
    const parts = { leaf: server, expired: old, middle, root, other };
    const opinions: string[] = [];
    const agreed = { accepted: 0, rejected: 0 };
    let met = 0;
    for (const [chainName, certificates] of Object.entries(chains)) {
      const sink = await startSmtpSink({ keep: false, starttls: chainOf(...certificates) });
      sinks.push(sink);
      for (const [partName, { der }] of Object.entries(parts)) {
        for (const [usage, selector, matchingType] of COMBINATIONS) {
          for (const name of ['mx.good.mail', 'mx.elsewhere.mail']) {
            met += 1;
            if (met % EVERY !== 0) continue;
            const record: TlsaRecord = {
              usage,
              selector,
              matchingType,
              data: dataOf(der, selector, matchingType),
            };
            const ours = checkTls(
              { kind: 'dane', records: [record], names: [name] },
              {
                facts: { protocol: 'TLSv1.3', authorized: false, authorizationError: null, servername: name },
                chain: certificates.map((certificate) => certificate.der),
                at: Date.now(),
              },
            );
            const theirs = await opensslAccepts(sink.port, record, name);
            agreed[theirs ? 'accepted' : 'rejected'] += 1;
            if ((ours.kind === 'accepted') !== theirs) {
              opinions.push(
                `${chainName} ${partName} ${usage}${selector}${matchingType} ${name}: OpenSSL says ${theirs}`,
              );
            }
          }
        }
      }
    }
    expect(opinions).toEqual([]);
    console.info(`OpenSSL accepted ${agreed.accepted} and rejected ${agreed.rejected}, as we did`);
    expect(Math.min(agreed.accepted, agreed.rejected)).toBeGreaterThan(10 / EVERY);
  });

  it('is unknown as soon as the resolver is down, and never silently disabled', async () => {
    const dying = await startUnbound({ records });
    const asked = createValidatingResolver({ server: dying.server, timeoutMs: 500, clock: Date.now });
    await dying.stop();
    const found: DaneLookup = await new Dane(asked).daneFor('good.mail', 'mx.good.mail');
    expect(found).toMatchObject({
      kind: 'bogus',
      reason: expect.stringMatching(/unreachable|timeout/) as string,
    });
    expect(await asked.provesValidation()).toMatch(/no answer/);
    await dying.close();
  });

  it('is not used with a resolver that does not validate', async () => {
    const blind = await startUnbound({ records, validates: false });
    const asked = createValidatingResolver({ server: blind.server, clock: Date.now });
    expect(await asked.provesValidation()).toMatch(/does not validate/);
    expect(await new Dane(asked).daneFor('good.mail', 'mx.good.mail')).toMatchObject({
      kind: 'insecure',
    });
    await blind.close();
  });
});

/** Each check starts an OpenSSL process. Every third one still covers each combination with each name and part a few times. */
const EVERY = sized({ small: 3, full: 1 });
const COMBINATIONS = [
  [3, 1, 1],
  [3, 0, 2],
  [2, 0, 1],
  [2, 1, 2],
] as const;

function dataOf(der: Buffer, selector: number, matchingType: number): string {
  return sha(matchingType === 2 ? 'sha512' : 'sha256', selector === 1 ? extractPublicKey(der) : der);
}

/** Asynchronous, because the server is in this process. */
async function opensslAccepts(port: number, record: TlsaRecord, name: string): Promise<boolean> {
  const client = spawn('openssl', [
    ...['s_client', '-starttls', 'smtp', '-connect', `127.0.0.1:${port}`, '-verify_return_error'],
    ...['-dane_tlsa_domain', name, '-dane_tlsa_rrdata', tlsaText(record), '-dane_ee_no_namechecks'],
  ]);
  client.stdin.on('error', () => undefined);
  client.stdin.end('QUIT\r\n');
  const [output, errors] = await Promise.all([readText(client.stdout), readText(client.stderr)]);
  if (!output.includes('CONNECTED')) throw new Error(`openssl: ${errors}`);
  return output.includes('Verification: OK');
}
