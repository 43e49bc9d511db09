// Tests the SMTP client's TLS (RFC 3207) and AUTH (RFC 4954) against a sink with TLS and peers that break it.

import { X509Certificate } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createSecureContext } from 'node:tls';
import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { connectSmtp, type ConnectOutcome, type SmtpConnectOptions } from '../../../src/lib/smtp/connect.js';
import { startScriptedPeer, type ScriptedPeer } from '../../support/scripted-peer.js';
import { startSmtpSink, type SmtpSink } from '../../support/smtp-sink.js';
import { selfSignedCertificate, type TestCertificate } from '../../support/test-certificate.js';

const HOST = 'mx.example.com';
const OFFER = '> 220 peer\n< EHLO\n> 250-peer\n> 250 STARTTLS\n';
const MESSAGE = {
  mailFrom: 'bounce@from.example',
  rcptTo: 'to@example.com',
  size: 8,
  chunks: [Buffer.from('A: b\r\n\r\n')],
  beforeDot: () => Promise.resolve(true),
};

let certificate: TestCertificate;
beforeAll(() => {
  certificate = selfSignedCertificate(HOST);
});

const open: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of open.splice(0)) await close();
});

async function peerWith(script: string): Promise<ScriptedPeer> {
  const peer = await startScriptedPeer(script, { tls: certificate });
  open.push(peer.close);
  return peer;
}

async function tlsSink(): Promise<SmtpSink> {
  const sink = await startSmtpSink({ keep: true, starttls: certificate });
  open.push(sink.close);
  return sink;
}

type Tls = SmtpConnectOptions['tls'];

async function connect(
  peer: { host: string; port: number },
  tls: Tls,
  more: Partial<SmtpConnectOptions> = {},
): Promise<ConnectOutcome> {
  const to = { host: HOST, address: peer.host, port: peer.port, ehloName: 'out.example' };
  const outcome = await connectSmtp({ ...to, tls, ...more });
  if (outcome.kind === 'ready')
    open.push(() => {
      outcome.session.destroy();
      return Promise.resolve();
    });
  return outcome;
}

const OPPORTUNISTIC: Tls = { mode: 'opportunistic', verify: false };
const REQUIRED: Tls = { mode: 'required', verify: true };

describe('STARTTLS', () => {
  it('is used if offered, and an unverified certificate is recorded, not refused', async () => {
    const sink = await tlsSink();
    const outcome = await connect(sink, OPPORTUNISTIC);
    if (outcome.kind !== 'ready') throw new Error(outcome.error);
    expect(outcome.session.facts.tls).toEqual({
      protocol: 'TLSv1.3',
      cipher: expect.stringMatching(/^TLS_/) as string,
      authorized: false,
      authorizationError: 'DEPTH_ZERO_SELF_SIGNED_CERT',
      problem: 'certificate-not-trusted',
      verifiedBy: null,
      servername: HOST,
      certificate: {
        subject: `CN=${HOST}`,
        issuer: `CN=${HOST}`,
        validTo: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/) as string,
        fingerprint256: new X509Certificate(certificate.cert).fingerprint256
          .replaceAll(':', '')
          .toLowerCase(),
      },
    });
    expect(outcome.session.facts.capabilities.startTls).toBe(false);
    for (let n = 0; n < 20; n += 1) {
      expect(await outcome.session.deliver(MESSAGE)).toMatchObject({ kind: 'accepted' });
    }
    expect(sink.messages.map((message) => message.tls)).toEqual(Array(20).fill('TLSv1.3'));
  });

  it.each([
    ['trust anchors', (): Partial<Tls> => ({ ca: certificate.cert })],
    [
      'a shared context',
      (): Partial<Tls> => ({ secureContext: createSecureContext({ ca: certificate.cert }) }),
    ],
  ])('verifies the certificate for the host with %s', async (_what, trust) => {
    const sink = await tlsSink();
    const outcome = await connect(sink, { ...REQUIRED, ...trust() });
    expect(outcome).toMatchObject({
      kind: 'ready',
      session: { facts: { tls: { authorized: true, authorizationError: null } } },
    });
  });

  it.each([
    ['an unknown issuer', HOST, false, 'DEPTH_ZERO_SELF_SIGNED_CERT'],
    ['another name', 'other.example.com', true, 'ERR_TLS_CERT_ALTNAME_INVALID'],
  ])(
    'fails if verification is required and the certificate is of %s',
    async (_what, host, isTrusted, error) => {
      const sink = await tlsSink();
      const tls: Tls = isTrusted ? { ...REQUIRED, ca: certificate.cert } : REQUIRED;
      expect(await connect(sink, tls, { host })).toMatchObject({
        kind: 'failed',
        phase: 'tls',
        tlsFailed: true,
        retryWithoutTls: false,
        error: `certificate not verified: ${error}`,
      });
    },
  );

  it.each([
    ['not offered', '> 220 peer\n< EHLO\n> 250 peer\n< MAIL'],
    ['refused', `${OFFER}< STARTTLS\n> 454 4.7.0 not now\n< MAIL`],
  ])('is skipped if %s and TLS is opportunistic', async (_what, script) => {
    const peer = await peerWith(`${script}\n> 550 5.7.1 no`);
    const outcome = await connect(peer, OPPORTUNISTIC);
    if (outcome.kind !== 'ready') throw new Error(outcome.error);
    expect(outcome.session.facts.tls).toBeNull();
    expect(await outcome.session.deliver(MESSAGE)).toMatchObject({ kind: 'refused', phase: 'mail' });
  });

  it.each([
    ['not offered', '> 220 peer\n< EHLO\n> 250 peer', null],
    ['refused', `${OFFER}< STARTTLS\n> 454 4.7.0 not now`, 454],
  ])('fails the connection if %s and TLS is required', async (_what, script, code) => {
    const peer = await peerWith(script);
    const outcome = await connect(peer, REQUIRED);
    expect(outcome).toMatchObject({
      kind: 'failed',
      phase: 'starttls',
      tlsFailed: true,
      retryWithoutTls: false,
    });
    expect(outcome.kind === 'failed' && (outcome.reply?.code ?? null)).toBe(code);
    expect(peer.first().received).not.toContain('MAIL');
  });

  it.each([
    ['a peer that speaks no TLS', 'raw this is not TLS at all, sorry', 'tls'],
    ['a peer that closes', 'close', 'tls'],
    ['a peer that resets', 'reset', 'tls'],
    ['a silent peer', 'stall', 'tls'],
  ])('suggests a retry without TLS if the handshake fails with %s', async (_what, ending, phase) => {
    const script = `${OFFER}< STARTTLS\n> 220 go\nwait 5\n${ending}`;
    const timeouts = ending === 'stall' ? { starttlsMs: 300 } : {};
    const peer = await peerWith(script);
    const failed = { kind: 'failed', phase, tlsFailed: true };
    expect(await connect(peer, OPPORTUNISTIC, { timeouts })).toMatchObject({
      ...failed,
      retryWithoutTls: true,
    });
    expect(await connect(peer, REQUIRED, { timeouts })).toMatchObject({ ...failed, retryWithoutTls: false });
    await Promise.all(peer.connections.map((connection) => connection.closed));
  });

  it('ignores replies that were injected before the handshake', async () => {
    const peer = await peerWith(`${OFFER}
      < STARTTLS
      > 220 go
      > 250-injected
      > 250-PIPELINING
      > 250 AUTH PLAIN
      starttls
      < EHLO
      > 250-true
      > 250 SIZE 777`);
    const outcome = await connect(peer, OPPORTUNISTIC);
    if (outcome.kind !== 'ready') throw new Error(outcome.error);
    expect(outcome.session.facts.capabilities).toMatchObject({
      pipelining: false,
      auth: [],
      maxSizeBytes: 777,
    });
    expect(outcome.session.opening.join('\n')).not.toContain('injected');
    expect(peer.first().surprises).toEqual([]);
  });

  it('can precede the greeting', async () => {
    const peer = await peerWith('starttls\n> 220 peer\n< EHLO\n> 250 peer\n< QUIT\n> 221 bye');
    const outcome = await connect(peer, { mode: 'implicit', verify: true, ca: certificate.cert });
    if (outcome.kind !== 'ready') throw new Error(outcome.error);
    expect(outcome.session.facts.tls).toMatchObject({ authorized: true });
    expect(peer.first().servername).toBe(HOST);
    await outcome.session.quit();
    await peer.first().closed;
  });

  it('keeps the final dot certain: a loss after it is ambiguous, before it lost', async () => {
    for (const [ending, expected] of [
      ['body\nreset', { kind: 'ambiguous' }],
      ['reset', { kind: 'lost', beforeDot: true }],
    ] as const) {
      const script = `${OFFER}< STARTTLS\n> 220 go\nstarttls\n< EHLO\n> 250-a\n> 250 PIPELINING
        < MAIL\n< RCPT\n< DATA\n> 250 ok\n> 250 ok\n> 354 go\n${ending}`;
      const peer = await peerWith(script);
      const outcome = await connect(peer, OPPORTUNISTIC);
      if (outcome.kind !== 'ready') throw new Error(outcome.error);
      const beforeDot = async (): Promise<boolean> => {
        if (ending === 'reset') await peer.first().closed;
        return true;
      };
      expect(await outcome.session.deliver({ ...MESSAGE, beforeDot })).toMatchObject(expected);
    }
  });
});

describe('AUTH', () => {
  const auth = { user: 'usér', pass: 'sécret' };
  const none: Tls = { mode: 'none', verify: false };
  const b64 = (text: string): string => Buffer.from(text).toString('base64');
  const ehlo = (mechanisms: string): string => `> 220 peer\n< EHLO\n> 250-peer\n> 250 AUTH ${mechanisms}\n`;

  it('PLAIN sends the credentials without recording them', async () => {
    const peer = await peerWith(
      `${ehlo('LOGIN PLAIN')}< AUTH PLAIN ${b64('\0usér\0sécret')}\n> 235 2.7.0 welcome`,
    );
    const outcome = await connect(peer, none, { auth });
    if (outcome.kind !== 'ready') throw new Error(outcome.error);
    expect(outcome.session.opening.slice(-2)).toEqual(['> AUTH PLAIN ***', '< 235 2.7.0 welcome']);
  });

  it('LOGIN is the fallback, also without recording', async () => {
    const peer = await peerWith(`${ehlo('CRAM-MD5 LOGIN')}
      < AUTH LOGIN
      > 334 VXNlcm5hbWU6
      < ${b64('usér')}
      > 334 UGFzc3dvcmQ6
      < ${b64('sécret')}
      > 235 ok`);
    const outcome = await connect(peer, none, { auth });
    if (outcome.kind !== 'ready') throw new Error(outcome.error);
    expect(outcome.session.opening.filter((line) => line.startsWith('>'))).toEqual([
      '> EHLO out.example',
      '> AUTH LOGIN',
      '> ***',
      '> ***',
    ]);
    expect(peer.first().surprises).toEqual([]);
  });

  it('XOAUTH2 sends the token in the file, without recording it', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'token-'));
    const tokenFile = join(folder, 'token');
    const secretOf = (token: string): string => b64(`user=usér\x01auth=Bearer ${token}\x01\x01`);
    try {
      for (const token of ['ya29.first', 'ya29.second']) {
        writeFileSync(tokenFile, `${token}\n`);
        const peer = await peerWith(
          `${ehlo('PLAIN XOAUTH2')}< AUTH XOAUTH2 ${secretOf(token)}\n> 235 2.7.0 welcome`,
        );
        const outcome = await connect(peer, none, { auth: { user: 'usér', tokenFile } });
        if (outcome.kind !== 'ready') throw new Error(outcome.error);
        expect(outcome.session.opening.slice(-2)).toEqual(['> AUTH XOAUTH2 ***', '< 235 2.7.0 welcome']);
      }
      const refusing = await peerWith(
        `${ehlo('XOAUTH2')}< AUTH\n> 334 eyJzdGF0dXMiOiI0MDEifQ==\n< *\n> 535 5.7.8 expired`,
      );
      const refused = await connect(refusing, none, { auth: { user: 'usér', tokenFile } });
      expect(refused).toMatchObject({ kind: 'failed', phase: 'auth', error: '535 5.7.8 expired' });
      expect(refusing.first().received).toMatch(/\r\n\r\n$/);
      expect(JSON.stringify(refused)).not.toContain(secretOf('ya29.second'));
    } finally {
      rmSync(folder, { recursive: true });
    }
    for (const [mechanisms, error] of [
      ['XOAUTH2', 'the OAuth token file is empty'],
      ['PLAIN', 'the peer does not offer AUTH XOAUTH2'],
    ] as const) {
      const outcome = await connect(await peerWith(ehlo(mechanisms)), none, {
        auth: { user: 'usér', tokenFile },
      });
      expect(outcome).toMatchObject({ kind: 'failed', phase: 'auth', error });
    }
  });

  it.each([
    ['the peer refuses them', `${ehlo('PLAIN')}< AUTH\n> 535 5.7.8 wrong`, '535 5.7.8 wrong'],
    ['no known mechanism is offered', ehlo('XOAUTH2'), 'the peer offers neither AUTH PLAIN nor AUTH LOGIN'],
    ['the peer drops the connection', `${ehlo('PLAIN')}< AUTH\nclose`, 'the peer closed the connection'],
    ['the peer goes silent', `${ehlo('LOGIN')}< AUTH\nstall`, 'no reply within 60 ms'],
  ])('returns an error if %s', async (_what, script, error) => {
    const peer = await peerWith(script);
    const outcome = await connect(peer, none, {
      auth,
      timeouts: error.includes('60 ms') ? { authMs: 60 } : {},
    });
    expect(outcome).toMatchObject({ kind: 'failed', phase: 'auth', error, tlsFailed: false });
    expect(JSON.stringify(outcome)).not.toContain(b64('sécret'));
  });

  it('is not attempted without TLS if TLS was expected', async () => {
    const peer = await peerWith(ehlo('PLAIN'));
    const outcome = await connect(peer, OPPORTUNISTIC, { auth });
    expect(outcome).toMatchObject({
      kind: 'failed',
      phase: 'auth',
      error: 'credentials are not sent without TLS',
    });
    expect(peer.first().received).not.toContain('AUTH');
  });
});
