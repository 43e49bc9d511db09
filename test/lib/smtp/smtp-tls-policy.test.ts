// Tests the SMTP client's TLS under a policy: the judgement of a session, the result types of failures, and
// REQUIRETLS (RFC 8689).
import { createHash } from 'node:crypto';
import { createSecureContext } from 'node:tls';
import { afterEach, describe, expect, it } from 'vitest';
import { connectSmtp, type ConnectOutcome, type SmtpConnectOptions } from '../../../src/lib/smtp/connect.js';
import type { TlsSeen } from '../../../src/lib/smtp/tls-facts.js';
import { checkTls, extractPublicKey, type TlsNeed } from '../../../src/lib/tls-policy/index.js';
import { chainOf, issueCertificate } from '../../support/certificate-chain.js';
import { startScriptedPeer, type ScriptedPeer } from '../../support/scripted-peer.js';

const HOST = 'mx.example.com';
const root = issueCertificate({ commonName: 'Root', isAuthority: true });
const middle = issueCertificate({ commonName: 'Middle', isAuthority: true, issuer: root });
const server = issueCertificate({ names: [HOST], issuer: middle });
const CHAIN = chainOf(server, middle, root);

const TO_TLS = '> 220 peer\n< EHLO\n> 250-peer\n> 250 STARTTLS\n< STARTTLS\n> 220 go\nstarttls\n';
const AFTER = '< EHLO\n> 250-peer\n> 250-REQUIRETLS\n> 250 PIPELINING\n';
const ACCEPT = '< MAIL\n< RCPT\n< DATA\n> 250 ok\n> 250 ok\n> 354 go\nbody\n> 250 2.0.0 taken\n';
const MESSAGE = {
  mailFrom: 'bounce@from.example',
  rcptTo: 'to@example.com',
  size: 8,
  chunks: [Buffer.from('A: b\r\n\r\n')],
  beforeDot: () => Promise.resolve(true),
};

const open: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of open.splice(0)) await close();
});

async function peerWith(script: string, tls: { key: string; cert: string } = CHAIN): Promise<ScriptedPeer> {
  const peer = await startScriptedPeer(script, { tls });
  open.push(peer.close);
  return peer;
}

async function connect(
  peer: ScriptedPeer,
  tls: Partial<SmtpConnectOptions['tls']>,
  more: Partial<SmtpConnectOptions> = {},
): Promise<ConnectOutcome> {
  const outcome = await connectSmtp({
    host: HOST,
    address: peer.host,
    port: peer.port,
    ehloName: 'out.example',
    tls: { mode: 'required', verify: false, ...tls },
    ...more,
  });
  if (outcome.kind === 'ready')
    open.push(() => {
      outcome.session.destroy();
      return Promise.resolve();
    });
  return outcome;
}

const sha256 = (bytes: Buffer | null): string =>
  createHash('sha256')
    .update(bytes ?? '')
    .digest('hex');
const dane = (usage: number, selector: number, data: string, names = [HOST]): TlsNeed => ({
  kind: 'dane',
  records: [{ usage, selector, matchingType: 1, data }],
  names,
});

describe('the check of a session', () => {
  it('sees the whole chain and the facts before anything is sent over TLS', async () => {
    const peer = await peerWith(`${TO_TLS}${AFTER}`);
    const seen: { what: TlsSeen; said: string }[] = [];
    const judge = (what: TlsSeen) => {
      seen.push({ what, said: peer.first().received });
      return { kind: 'accepted', verifiedBy: null } as const;
    };
    expect(await connect(peer, { check: judge })).toMatchObject({ kind: 'ready' });
    expect(seen).toHaveLength(1);
    expect(seen[0]?.what.chain.map(sha256)).toEqual([server, middle, root].map(({ der }) => sha256(der)));
    expect(seen[0]?.what.facts).toMatchObject({
      problem: 'certificate-not-trusted',
      certificate: { subject: `CN=${HOST}`, issuer: 'CN=Middle', fingerprint256: sha256(server.der) },
    });
    expect(Math.abs((seen[0]?.what.at ?? 0) - Date.now())).toBeLessThan(60_000);
    expect(seen[0]?.said.endsWith('STARTTLS\r\n')).toBe(true);
  });

  it('can end the session, and then nothing more is sent', async () => {
    const peer = await peerWith(`${TO_TLS}${AFTER}`);
    const judge = () => ({ kind: 'rejected', problem: 'validation-failure', error: 'not the one' }) as const;
    expect(await connect(peer, { check: judge })).toMatchObject({
      kind: 'failed',
      phase: 'tls',
      error: 'not the one',
      tlsFailed: true,
      retryWithoutTls: false,
      tlsProblem: 'validation-failure',
    });
    await peer.first().closed;
    expect(peer.first().received.endsWith('STARTTLS\r\n')).toBe(true);
  });

  it.each<[string, TlsNeed, string | null]>([
    ['3 1 1 of the server', dane(3, 1, sha256(extractPublicKey(server.der))), null],
    ['3 0 1 of the server', dane(3, 0, sha256(server.der)), null],
    ['2 0 1 of the root', dane(2, 0, sha256(root.der)), null],
    ['2 1 1 of an authority in the middle', dane(2, 1, sha256(extractPublicKey(middle.der))), null],
    ['3 1 1 of somebody else', dane(3, 1, sha256(extractPublicKey(root.der))), 'validation-failure'],
    ['2 0 1, for another name', dane(2, 0, sha256(root.der), ['x.example']), 'certificate-host-mismatch'],
  ])('with TLSA records: %s', async (_what, need, problem) => {
    const peer = await peerWith(`${TO_TLS}${AFTER}`);
    const outcome = await connect(peer, { check: (seen) => checkTls(need, seen) });
    if (outcome.kind === 'failed') {
      expect(outcome).toMatchObject({ phase: 'tls', tlsProblem: problem });
      return;
    }
    expect(problem).toBeNull();
    expect(outcome.session.facts.tls).toMatchObject({ authorized: false, verifiedBy: 'dane' });
    expect(outcome.session.opening).toContainEqual(expect.stringMatching(/verified by TLSA$/));
  });

  it('also applies to opportunistic TLS, and after a rejection the caller may retry without TLS', async () => {
    const peer = await peerWith(`${TO_TLS}${AFTER}`);
    const judge = () => ({ kind: 'rejected', problem: 'certificate-expired', error: 'no' }) as const;
    expect(await connect(peer, { mode: 'opportunistic', check: judge })).toMatchObject({
      tlsProblem: 'certificate-expired',
      retryWithoutTls: true,
    });
  });
});

describe('the TLS server name', () => {
  it('is the TLSA base name if that differs from the host', async () => {
    const peer = await peerWith(`${TO_TLS}${AFTER}`);
    const outcome = await connect(
      peer,
      { servername: HOST, verify: true, ca: root.cert },
      { host: 'alias.example' },
    );
    expect(outcome).toMatchObject({
      kind: 'ready',
      session: { facts: { host: 'alias.example', tls: { servername: HOST, verifiedBy: 'webpki' } } },
    });
    expect(peer.first().servername).toBe(HOST);
  });
});

describe('TLS failures in reports', () => {
  const certificates = {
    expired: issueCertificate({ names: [HOST], issuer: root, from: -9, to: -8 }),
    early: issueCertificate({ names: [HOST], issuer: root, from: 8, to: 9 }),
    other: issueCertificate({ names: ['other.example'], issuer: root }),
    outsider: issueCertificate({ names: [HOST] }),
  };
  it.each([
    ['expired', 'certificate-expired', 'CERT_HAS_EXPIRED'],
    ['early', 'certificate-not-trusted', 'CERT_NOT_YET_VALID'],
    ['other', 'certificate-host-mismatch', 'ERR_TLS_CERT_ALTNAME_INVALID'],
    ['outsider', 'certificate-not-trusted', 'DEPTH_ZERO_SELF_SIGNED_CERT'],
  ] as const)('a certificate of kind "%s" is %s', async (kind, tlsProblem, error) => {
    const peer = await peerWith(`${TO_TLS}${AFTER}`, chainOf(certificates[kind]));
    const tls = { verify: true, ca: root.cert };
    expect(await connect(peer, tls)).toMatchObject({
      kind: 'failed',
      phase: 'tls',
      tlsProblem,
      error: `certificate not verified: ${error}`,
    });
    const opportunistic = await connect(peer, { mode: 'opportunistic', ca: root.cert });
    expect(opportunistic).toMatchObject({
      session: { facts: { tls: { problem: tlsProblem, verifiedBy: null } } },
    });
  });

  const OFFER = '> 220 peer\n< EHLO\n> 250-peer\n> 250 STARTTLS\n< STARTTLS\n';
  it.each([
    ['not offered', '> 220 peer\n< EHLO\n> 250 peer', 'starttls', 'starttls-not-supported'],
    ['refused with 454', `${OFFER}> 454 4.7.0 not now`, 'starttls', 'starttls-not-supported'],
    ['refused with 502', `${OFFER}> 502 5.5.1 what`, 'starttls', 'starttls-not-supported'],
    ['refused with a farewell', `${OFFER}> 421 4.3.2 busy`, 'starttls', null],
    ['not answered', `${OFFER}close`, 'starttls', 'validation-failure'],
    ['answered with garbage', `${OFFER}> what`, 'starttls', 'validation-failure'],
    ['no TLS at all', `${OFFER}> 220 go\nraw hello`, 'tls', 'validation-failure'],
    ['a handshake that stalls', `${OFFER}> 220 go\nstall`, 'tls', 'validation-failure'],
    ['gone in the handshake', `${OFFER}> 220 go\nreset`, 'tls', 'validation-failure'],
    ['a refusing greeting', '> 554 5.7.1 no', 'greeting', null],
    ['gone after the handshake', `${TO_TLS}< EHLO\nclose`, 'ehlo', null],
  ])('%s', async (_what, script, phase, tlsProblem) => {
    const peer = await peerWith(script);
    const outcome = await connect(peer, {}, { timeouts: { starttlsMs: 300 } });
    expect(outcome).toMatchObject({ kind: 'failed', phase, tlsProblem });
  });

  it('an old protocol ends the connection if 1.2 is required, whatever the context allows', async () => {
    const old = { minVersion: 'TLSv1.1', maxVersion: 'TLSv1.1', ciphers: 'DEFAULT@SECLEVEL=0' } as const;
    const peer = await peerWith(`${TO_TLS}${AFTER}`, { ...CHAIN, ...old });
    const secureContext = createSecureContext(old);
    const without = await connect(peer, { secureContext });
    expect(without).toMatchObject({ session: { facts: { tls: { protocol: 'TLSv1.1' } } } });
    expect(await connect(peer, { secureContext, minVersion: 'TLSv1.2' })).toMatchObject({
      kind: 'failed',
      phase: 'tls',
      error: 'TLSv1.1 is too old',
      tlsProblem: 'validation-failure',
    });
  });
});

describe('REQUIRETLS', () => {
  const need = dane(3, 0, sha256(server.der));
  const mail = { ...MESSAGE, requireTls: true };

  it('is sent to a peer that is verified by its TLSA records', async () => {
    const peer = await peerWith(`${TO_TLS}${AFTER}${ACCEPT}`);
    const outcome = await connect(peer, { check: (seen) => checkTls(need, seen) });
    if (outcome.kind !== 'ready') throw new Error(outcome.error);
    expect(await outcome.session.deliver(mail)).toMatchObject({ kind: 'accepted' });
    expect(peer.first().received).toContain('MAIL FROM:<bounce@from.example> REQUIRETLS\r\n');
  });

  it('is sent to a peer verified by public authorities', async () => {
    const peer = await peerWith(`${TO_TLS}${AFTER}${ACCEPT}`);
    const outcome = await connect(peer, { verify: true, ca: root.cert });
    if (outcome.kind !== 'ready') throw new Error(outcome.error);
    expect(await outcome.session.deliver(mail)).toMatchObject({ kind: 'accepted' });
  });

  const IN_CLEAR = '> 220 peer\n< EHLO\n> 250-peer\n> 250 REQUIRETLS\n';
  it.each([
    ['is not verified', `${TO_TLS}< EHLO\n> 250-peer\n> 250 REQUIRETLS\n`, {}],
    ['does not offer it', `${TO_TLS}< EHLO\n> 250 peer\n`, { verify: true, ca: root.cert }],
    ['offers it in clear', IN_CLEAR, { mode: 'opportunistic' }],
    [
      'offered it before TLS only',
      TO_TLS.replace('250-peer', '250-REQUIRETLS') + '< EHLO\n> 250 peer\n',
      { ca: root.cert },
    ],
  ] as const)(
    'refuses the message locally if the peer %s, and other messages are sent',
    async (_what, script, tls) => {
      const peer = await peerWith(`${script}< MAIL\n> 550 5.7.1 no`);
      const outcome = await connect(peer, tls);
      if (outcome.kind !== 'ready') throw new Error(outcome.error);
      expect(await outcome.session.deliver(mail)).toMatchObject({
        kind: 'refused',
        phase: 'mail',
        local: true,
        reply: { code: 550, enhanced: '5.7.30' },
      });
      expect(outcome.session.usable).toBe(true);
      expect(peer.first().received).not.toContain('MAIL');
      expect(await outcome.session.deliver(MESSAGE)).toMatchObject({ kind: 'refused', local: false });
    },
  );
});
