// Tests the SMTP client's connection: addresses of both families, the local end, peers that drip, and the
// times of phases.
import { networkInterfaces } from 'node:os';
import { createServer, type AddressInfo, type Server } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { connectSmtp, type SmtpConnectOptions } from '../../../src/lib/smtp/connect.js';
import { bareAddress } from '../../../src/lib/smtp/open-socket.js';
import { startScriptedPeer, type ScriptedPeer } from '../../support/scripted-peer.js';
import { waitFor } from '../../support/wait.js';

const OPENING = '> 220 peer\n< EHLO\n> 250-peer\n> 250 PIPELINING\n';
const TO_354 = '< MAIL\n< RCPT\n< DATA\n> 250 ok\n> 250 ok\n> 354 go\n';
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

async function peerWith(script: string): Promise<ScriptedPeer> {
  const peer = await startScriptedPeer(script);
  open.push(peer.close);
  return peer;
}

async function connect(
  to: { host: string; port: number },
  more: Partial<SmtpConnectOptions> = {},
): ReturnType<typeof connectSmtp> {
  const outcome = await connectSmtp({
    host: 'mx.example.com',
    address: to.host,
    port: to.port,
    ehloName: 'out.example',
    tls: { mode: 'none', verify: false },
    ...more,
  });
  if (outcome.kind === 'ready')
    open.push(() => {
      outcome.session.destroy();
      return Promise.resolve();
    });
  return outcome;
}

const hasIpv6 = Object.values(networkInterfaces()).some((list) =>
  list?.some(({ address }) => address === '::1'),
);

async function sixPeer(): Promise<number> {
  const server: Server = createServer((socket) => {
    socket.on('error', () => socket.destroy());
    socket.on('data', () => socket.write('250 peer\r\n'));
    socket.write('220 peer\r\n');
  });
  await new Promise<void>((resolve) => server.listen(0, '::1', resolve));
  open.push(() => new Promise((resolve) => server.close(() => resolve())));
  return (server.address() as AddressInfo).port;
}

describe('addresses', () => {
  it.each([
    ['192.0.2.1', '192.0.2.1'],
    ['2001:db8::1', '2001:db8::1'],
    ['[2001:db8::1]', '2001:db8::1'],
    ['[IPv6:2001:db8::1]', '2001:db8::1'],
    ['[192.0.2.1]', '192.0.2.1'],
  ])('%s is %s', (text, bare) => {
    expect(bareAddress(text)).toBe(bare);
  });

  it.skipIf(!hasIpv6).each(['::1', '[::1]', '[IPv6:::1]'])('%s is connected to', async (address) => {
    const port = await sixPeer();
    const outcome = await connect({ host: address, port }, { localAddress: address });
    expect(outcome).toMatchObject({ kind: 'ready', session: { facts: { localAddress: '::1' } } });
    if (outcome.kind === 'ready') outcome.session.destroy();
  });

  it('of Mailkeel are used, and reported with the port', async () => {
    const peer = await peerWith(OPENING);
    const outcome = await connect(peer, { localAddress: '127.0.0.9' });
    if (outcome.kind !== 'ready') throw new Error(outcome.error);
    expect(outcome.session.facts.localAddress).toBe('127.0.0.9');
    expect(outcome.session.facts.localPort).toBeGreaterThan(0);
  });

  it.each([
    ['is not of this machine', '192.0.2.77'],
    ['is of the other family', '::1'],
  ])('of Mailkeel that %s fail without blaming the peer', async (_what, localAddress) => {
    const peer = await peerWith(OPENING);
    const outcome = await connect(peer, { localAddress });
    expect(outcome).toMatchObject({ kind: 'failed', phase: 'connect', sourceFailed: true });
    expect(peer.connections).toHaveLength(0);
  });

  it('without a listener are reported by their code', async () => {
    const peer = await startScriptedPeer('stall');
    await peer.close();
    expect(await connect(peer)).toMatchObject({
      phase: 'connect',
      errorCode: 'ECONNREFUSED',
      sourceFailed: false,
    });
  });
});

describe('a peer that drips octets', () => {
  // Each octet arrives well within the time limit of its phase, but the whole never does.
  const drip = (text: string): string => Array.from({ length: 40 }, () => `raw ${text}\nwait 20\n`).join('');
  const short = { greetingMs: 200, ehloMs: 200, mailMs: 200, dotMs: 200 };

  it.each([
    ['greeting', drip('2')],
    ['greeting', drip('220-x\r\n')],
    ['ehlo', `> 220 peer\n< EHLO\nraw 250-\n${drip('x')}`],
  ])('is given up in phase %s', async (phase, script) => {
    const peer = await peerWith(script);
    const outcome = await connect(peer, { timeouts: short });
    expect(outcome).toMatchObject({ kind: 'failed', phase, error: 'no reply within 200 ms' });
  });

  it('is given up at MAIL, and is ambiguous after the dot', async () => {
    for (const [script, expected] of [
      [`< MAIL\n${drip('2')}`, { kind: 'lost', phase: 'mail', error: 'no reply within 200 ms' }],
      [`${TO_354}body\n${drip('2')}`, { kind: 'ambiguous', error: 'no reply within 200 ms' }],
    ] as const) {
      const peer = await peerWith(`${OPENING}${script}`);
      const outcome = await connect(peer, { timeouts: short });
      if (outcome.kind !== 'ready') throw new Error(outcome.error);
      expect(await outcome.session.deliver(MESSAGE)).toMatchObject(expected);
    }
  });

  it.each([
    ['binary', 'raw \u0001\u0002\u0003\nraw \u0000\r\n> x'],
    ['a line without end', `raw ${'x'.repeat(6_000)}`],
    ['lines without end', Array.from({ length: 200 }, () => '> 220-x').join('\n')],
    ['another protocol', '> SSH-2.0-OpenSSH_9.2'],
  ])('or greets with garbage (%s) is disconnected', async (_what, script) => {
    const peer = await peerWith(script);
    const outcome = await connect(peer);
    expect(outcome).toMatchObject({ kind: 'failed', phase: 'greeting', reply: null, tlsProblem: null });
    if (outcome.kind === 'failed') expect(outcome.error.length).toBeLessThan(200);
  });
});

describe('the durations of a session', () => {
  it('are recorded for the opening and for each transaction', async () => {
    const peer = await peerWith(
      `${OPENING}${TO_354}body\nwait 30\n> 250 ok\n< MAIL\n> 550 no\n> 503 no\n> 503 no`,
    );
    const outcome = await connect(peer);
    if (outcome.kind !== 'ready') throw new Error(outcome.error);
    const { session } = outcome;
    expect(Object.keys(session.facts.times)).toEqual(['connect', 'greeting', 'ehlo']);

    await session.deliver(MESSAGE);
    const first = session.lastTimes();
    expect(Object.keys(first)).toEqual(['mail', 'rcpt', 'data', 'message', 'dot']);
    expect(first['dot']).toBeGreaterThan(20);
    for (const time of Object.values(first)) expect(time).toBe(Math.round(time * 10) / 10);

    await session.deliver(MESSAGE);
    expect(Object.keys(session.lastTimes())).toEqual(['mail', 'rcpt', 'data']);
    expect(Object.keys(first)).toHaveLength(5);
  });

  it('are recorded for a failed opening up to the failure', async () => {
    const peer = await peerWith('> 220 peer\n< EHLO\nclose');
    const outcome = await connect(peer);
    if (outcome.kind !== 'failed') throw new Error('it should have failed');
    expect(Object.keys(outcome.times)).toEqual(['connect', 'greeting', 'ehlo']);
  });
});

function isThere(peer: ScriptedPeer, lines: number): boolean {
  const [connection] = peer.connections;
  return connection !== undefined && (lines < 2 || connection.received.startsWith('EHLO'));
}

describe('a session that is aborted while it is opened', () => {
  it.each([
    ['before the connection is there', 'stall', 0],
    ['while it waits for the greeting', 'stall', 1],
    ['after EHLO', '> 220 peer\n< EHLO\nstall', 2],
  ])('%s, fails immediately and closes its socket', async (_when, script, lines) => {
    const peer = await peerWith(script);
    const giveUp = new AbortController();
    if (lines === 0) giveUp.abort();
    const connecting = connect(peer, { signal: giveUp.signal });
    await waitFor('it is there', () => lines === 0 || isThere(peer, lines));
    giveUp.abort();
    expect(await connecting).toMatchObject({
      kind: 'failed',
      reply: null,
      error: expect.stringContaining('given up'),
    });
  });

  it('is not affected once it is open', async () => {
    const peer = await peerWith(`${OPENING}stall`);
    const giveUp = new AbortController();
    const outcome = await connect(peer, { signal: giveUp.signal });
    giveUp.abort();
    expect(outcome.kind === 'ready' && outcome.session.usable).toBe(true);
  });
});
