// Tests the SMTP client against peers that misbehave at each phase, and against a sink that does not.

import { afterEach, describe, expect, it } from 'vitest';
import type { MailJob, SmtpSession } from '../../../src/lib/smtp/client-session.js';
import { connectSmtp, type SmtpConnectOptions } from '../../../src/lib/smtp/connect.js';
import { startScriptedPeer, type ScriptedPeer } from '../../support/scripted-peer.js';
import { startSmtpSink, type SmtpSink, type SmtpSinkOptions } from '../../support/smtp-sink.js';

const SHORT_MS = 60;
const OPENING = `
  > 220 peer
  < EHLO out.example
  > 250-peer
  > 250-8BITMIME
  > 250 PIPELINING`;
const STEPWISE = OPENING.replace('> 250-8BITMIME', '').replace('PIPELINING', '8BITMIME');
const ENVELOPE = `
  < MAIL FROM:<bounce@from.example>
  < RCPT TO:<to@example.com>
  < DATA`;
const TO_354 = `${ENVELOPE}
  > 250 ok
  > 250 ok
  > 354 go`;

const open: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of open.splice(0)) await close();
});

async function peerWith(script: string | string[]): Promise<ScriptedPeer> {
  const peer = await startScriptedPeer(script);
  open.push(peer.close);
  return peer;
}

async function sinkWith(options: Partial<SmtpSinkOptions> = {}): Promise<SmtpSink> {
  const sink = await startSmtpSink({ keep: true, ...options });
  open.push(sink.close);
  return sink;
}

function optionsFor(
  peer: { host: string; port: number },
  more: Partial<SmtpConnectOptions> = {},
): SmtpConnectOptions {
  return {
    host: 'mx.example.com',
    address: peer.host,
    port: peer.port,
    ehloName: 'out.example',
    tls: { mode: 'none', verify: false },
    ...more,
  };
}

async function sessionWith(
  peer: { host: string; port: number },
  more: Partial<SmtpConnectOptions> = {},
): Promise<SmtpSession> {
  const outcome = await connectSmtp(optionsFor(peer, more));
  if (outcome.kind === 'failed') throw new Error(`${outcome.phase}: ${outcome.error}`);
  open.push(() => {
    outcome.session.destroy();
    return Promise.resolve();
  });
  return outcome.session;
}

function mail(more: Partial<MailJob> & { text?: string } = {}): MailJob {
  const { text = 'Subject: hello\r\n\r\nhello\r\n', ...rest } = more;
  const chunks = [Buffer.from(text)];
  return {
    mailFrom: 'bounce@from.example',
    rcptTo: 'to@example.com',
    size: text.length,
    chunks,
    beforeDot: () => Promise.resolve(true),
    ...rest,
  };
}

const sawDot = (peer: ScriptedPeer): boolean => peer.first().received.includes('\r\n.\r\n');

describe('opening a session', () => {
  it.each([
    ['a refusing greeting', '> 554 5.7.1 go away', 'greeting', 554, '554 5.7.1 go away'],
    ['a busy greeting', '> 421 4.3.2 busy', 'greeting', 421, '421 4.3.2 busy'],
    ['another protocol', '> HTTP/1.1 400 Bad Request', 'greeting', null, 'not an SMTP reply: HTTP/1.1 400'],
    ['a connection that is closed at once', 'close', 'greeting', null, 'the peer closed the connection'],
    ['a connection that is reset', 'wait 20\nreset', 'greeting', null, 'ECONNRESET'],
    ['a silent peer', 'stall', 'greeting', null, 'no reply within 60 ms'],
    ['a greeting that never ends', '> 220-a\n> 220-b\nstall', 'greeting', null, 'no reply within 60 ms'],
    ['4xx to EHLO', '> 220 peer\n< EHLO\n> 450 later', 'ehlo', 450, '450 later'],
    [
      '5xx to EHLO and HELO',
      '> 220 a\n< EHLO\n> 502 no\n< HELO\n> 550 5.7.1 no',
      'ehlo',
      550,
      '550 5.7.1 no',
    ],
    [
      '5xx to EHLO, then gone',
      '> 220 a\n< EHLO\n> 550 5.7.1 you\n< HELO\nclose',
      'ehlo',
      550,
      '550 5.7.1 you',
    ],
    ['a drop at EHLO', '> 220 peer\n< EHLO\nclose', 'ehlo', null, 'the peer closed the connection'],
    ['a stall at EHLO', '> 220 peer\n< EHLO\nstall', 'ehlo', null, 'no reply within 60 ms'],
  ])('returns an error on %s', async (_what, script, phase, code, error) => {
    const peer = await peerWith(script);
    const timeouts = error.startsWith('no reply') ? { greetingMs: SHORT_MS, ehloMs: SHORT_MS } : {};
    const outcome = await connectSmtp(optionsFor(peer, { timeouts }));
    expect(outcome).toMatchObject({ kind: 'failed', phase, tlsFailed: false, retryWithoutTls: false });
    if (outcome.kind !== 'failed') return;
    expect(outcome.reply?.code ?? null).toBe(code);
    expect(outcome.error).toContain(error);
    await peer.first().closed;
    expect(peer.first().surprises).toEqual([]);
  });

  it('returns an error if no server listens', async () => {
    const peer = await startScriptedPeer('stall');
    await peer.close();
    const outcome = await connectSmtp(optionsFor(peer));
    expect(outcome).toMatchObject({ kind: 'failed', phase: 'connect', reply: null });
  });

  it('falls back to HELO, and then assumes no extension', async () => {
    const peer = await peerWith('> 220 peer\n< EHLO\n> 502 5.5.1 what\n< HELO out.example\n> 250 peer');
    const session = await sessionWith(peer);
    expect(session.facts.capabilities).toMatchObject({ pipelining: false, eightBitMime: false, auth: [] });
    expect(session.opening).toEqual([
      '< 220 peer',
      '> EHLO out.example',
      '< 502 5.5.1 what',
      '> HELO out.example',
      '< 250 peer',
    ]);
  });

  it('reads replies that arrive octet by octet', async () => {
    const peer = await peerWith(`bytes${OPENING}`);
    expect((await sessionWith(peer)).facts.capabilities.pipelining).toBe(true);
  });
});

describe.each([
  ['pipelined', OPENING, true],
  ['step by step', STEPWISE, false],
])('a refusal, %s', (_what, opening, isPipelined) => {
  const answer = ([mailReply, rcptReply, dataReply]: readonly [string, string, string]): string =>
    isPipelined
      ? `${opening}${ENVELOPE}\n> ${mailReply}\n> ${rcptReply}\n> ${dataReply}`
      : `${opening}
         < MAIL
         > ${mailReply}
         ${mailReply.startsWith('2') ? `< RCPT\n> ${rcptReply}` : ''}
         ${mailReply.startsWith('2') && rcptReply.startsWith('2') ? `< DATA\n> ${dataReply}` : ''}`;

  it.each([
    ['mail', ['451 4.3.0 not now', '503 no', '503 no'], 451, '4.3.0'],
    ['mail', ['550 5.7.1 not you', '503 no', '503 no'], 550, '5.7.1'],
    ['rcpt', ['250 ok', '450 4.2.1 later', '554 no'], 450, '4.2.1'],
    ['rcpt', ['250 ok', '550 5.1.1 nobody', '503 no'], 550, '5.1.1'],
    ['data', ['250 ok', '250 ok', '451 4.3.0 not now'], 451, '4.3.0'],
    ['data', ['250 ok', '250 ok', '554 5.7.1 policy'], 554, '5.7.1'],
  ] as const)(
    'at %s (%j) is reported with its phase, and RSET opens the next transaction',
    async (phase, replies, code, enhanced) => {
      const next = isPipelined
        ? `< RSET${ENVELOPE}\n> 250 reset\n> 250 ok\n> 250 ok\n> 354 go`
        : '< RSET\n> 250 reset\n< MAIL\n> 250 ok\n< RCPT\n> 250 ok\n< DATA\n> 354 go';
      const peer = await peerWith(`${answer(replies)}\n${next}\nbody\n> 250 2.0.0 taken`);
      const session = await sessionWith(peer);
      const outcome = await session.deliver(mail());
      expect(outcome).toMatchObject({ kind: 'refused', phase, local: false, reply: { code, enhanced } });
      expect(session.usable).toBe(true);

      expect(await session.deliver(mail())).toMatchObject({
        kind: 'accepted',
        reply: { text: '2.0.0 taken' },
      });
      expect(peer.first().surprises).toEqual([]);
      expect(session.conversation()).toContain('> RSET');
    },
  );

  it.each([
    ['mail', ['421 4.3.2 bye', '', '']],
    ['rcpt', ['250 ok', '421 4.3.2 bye', '']],
    ['data', ['250 ok', '250 ok', '421 4.3.2 bye']],
  ] as const)('with 421 at %s ends the session', async (phase, replies) => {
    const script = answer(replies).replace(/^\s*>\s*$/gm, '');
    const peer = await peerWith(`${script}\nclose`);
    const session = await sessionWith(peer);
    expect(await session.deliver(mail())).toMatchObject({ kind: 'refused', phase, reply: { code: 421 } });
    expect(session.usable).toBe(false);
  });
});

describe('a connection that is lost before the final dot', () => {
  it.each([
    ['MAIL', `${STEPWISE}\n< MAIL`, 'mail'],
    ['RCPT', `${STEPWISE}\n< MAIL\n> 250 ok\n< RCPT`, 'rcpt'],
    ['DATA', `${STEPWISE}\n< MAIL\n> 250 ok\n< RCPT\n> 250 ok\n< DATA`, 'data'],
    ['the pipelined MAIL', `${OPENING}${ENVELOPE}`, 'mail'],
    ['the pipelined RCPT', `${OPENING}${ENVELOPE}\n> 250 ok`, 'rcpt'],
    ['the pipelined DATA', `${OPENING}${ENVELOPE}\n> 250 ok\n> 250 ok`, 'data'],
  ])('at %s is lost by close, reset, stall or garbage', async (_what, script, phase) => {
    const short = { mailMs: SHORT_MS, rcptMs: SHORT_MS, dataMs: SHORT_MS };
    const endings = ['close', 'reset', 'stall', '> what', '> 350 what'];
    const peer = await peerWith(endings.map((ending) => `${script}\n${ending}`));
    for (const ending of endings) {
      const session = await sessionWith(peer, { timeouts: ending === 'stall' ? short : {} });
      const outcome = await session.deliver(mail());
      expect(outcome, ending).toMatchObject({ kind: 'lost', phase, beforeDot: true });
      expect(session.usable).toBe(false);
    }
  });

  it('during the message is lost in phase data', async () => {
    const peer = await peerWith(`${OPENING}${TO_354}\nreset`);
    const session = await sessionWith(peer);
    const beforeDot = async (): Promise<boolean> => {
      await peer.first().closed;
      return true;
    };
    expect(await session.deliver(mail({ beforeDot }))).toMatchObject({
      kind: 'lost',
      phase: 'data',
      beforeDot: true,
    });
    expect(sawDot(peer)).toBe(false);
  });

  it('because the peer stops reading is lost after the block timer, without a dot', async () => {
    const peer = await peerWith(`${OPENING}${TO_354}\ndeaf`);
    const session = await sessionWith(peer, { timeouts: { blockMs: SHORT_MS } });
    const text = `${'x'.repeat(998)}\r\n`.repeat(30_000);
    const outcome = await session.deliver(mail({ text }));
    expect(outcome).toMatchObject({ kind: 'lost', phase: 'data', error: 'peer took no data for 60 ms' });
    expect(sawDot(peer)).toBe(false);
  });

  it('keeps the reply of a peer that refuses during the message', async () => {
    const peer = await peerWith(`${OPENING}${TO_354}\n> 552 5.3.4 enough\nclose`);
    const session = await sessionWith(peer);
    const beforeDot = async (): Promise<boolean> => {
      await peer.first().closed;
      return true;
    };
    const outcome = await session.deliver(mail({ beforeDot }));
    expect(outcome).toMatchObject({
      kind: 'refused',
      phase: 'data',
      reply: { code: 552, enhanced: '5.3.4' },
    });
    expect(sawDot(peer)).toBe(false);
    expect(session.usable).toBe(false);
  });
});

describe('the final dot', () => {
  it.each([
    [
      'accepted',
      '> 250 2.0.0 queued as 7',
      { kind: 'accepted', phase: 'dot', reply: { code: 250, enhanced: '2.0.0' } },
    ],
    ['refused for now', '> 451 4.7.1 later', { kind: 'refused', phase: 'dot', reply: { code: 451 } }],
    ['refused for good', '> 554 5.7.1 spam', { kind: 'refused', phase: 'dot', reply: { code: 554 } }],
    ['refused with a farewell', '> 421 4.3.0 bye', { kind: 'refused', phase: 'dot', reply: { code: 421 } }],
    [
      'ambiguous when the peer closes',
      'close',
      { kind: 'ambiguous', error: 'the peer closed the connection' },
    ],
    ['ambiguous when the peer resets', 'reset', { kind: 'ambiguous', error: 'read ECONNRESET' }],
    ['ambiguous when the peer stalls', 'stall', { kind: 'ambiguous', error: 'no reply within 60 ms' }],
    ['ambiguous when the reply is cut', 'raw 250 2.0\nclose', { kind: 'ambiguous' }],
    ['ambiguous when the reply is garbage', '> thanks', { kind: 'ambiguous' }],
    [
      'ambiguous when the reply is 354',
      '> 354 more',
      { kind: 'ambiguous', error: 'unexpected 354 to the final dot' },
    ],
    ['accepted although the peer then closes', '> 250 ok\nclose', { kind: 'accepted' }],
  ])('leaves the message %s', async (_what, ending, expected) => {
    const peer = await peerWith(`${OPENING}${TO_354}\nbody\n${ending}`);
    const session = await sessionWith(peer, { timeouts: ending === 'stall' ? { dotMs: SHORT_MS } : {} });
    expect(await session.deliver(mail())).toMatchObject(expected);
    expect(peer.first().surprises).toEqual([]);
  });

  it('is not sent if beforeDot returns false, and the connection is dropped', async () => {
    const sink = await sinkWith();
    const peer = await peerWith(`${OPENING}${TO_354}\nbody`);
    for (const to of [sink, peer]) {
      const session = await sessionWith(to);
      const outcome = await session.deliver(mail({ beforeDot: () => Promise.resolve(false) }));
      expect(outcome).toMatchObject({
        kind: 'lost',
        phase: 'dot',
        beforeDot: true,
        error: 'the final dot was withheld',
      });
      expect(session.usable).toBe(false);
    }
    await peer.first().closed;
    expect(sawDot(peer)).toBe(false);
    expect(sink.count()).toBe(0);
  });

  it('is not sent if beforeDot throws, and the error is passed on', async () => {
    const peer = await peerWith(`${OPENING}${TO_354}\nbody`);
    const session = await sessionWith(peer);
    const beforeDot = (): Promise<boolean> => Promise.reject(new Error('disk full'));
    await expect(session.deliver(mail({ beforeDot }))).rejects.toThrow('disk full');
    await peer.first().closed;
    expect(sawDot(peer)).toBe(false);
    expect(session.usable).toBe(false);
  });

  it.each([
    ['a small message', 'hello\r\n', false],
    ['a message that takes more than one write', 'hello\r\n'.repeat(3_000), true],
  ])('of %s waits for beforeDot, which is called only after the 354', async (_what, body, isMeanwhile) => {
    const peer = await peerWith(
      `${OPENING}${ENVELOPE}\nwait 40\n> 250 ok\n> 250 ok\n> 354 go\nbody\n> 250 ok`,
    );
    const session = await sessionWith(peer);
    const text = `Subject: hello\r\n\r\n${body}`;
    let conversation: string[] = [];
    let dotSeenMeanwhile = true;
    const beforeDot = async (): Promise<boolean> => {
      conversation = [...session.conversation()];
      await expect.poll(() => peer.first().received.endsWith(isMeanwhile ? text : 'DATA\r\n')).toBe(true);
      dotSeenMeanwhile = sawDot(peer);
      return true;
    };
    expect(await session.deliver(mail({ text, beforeDot }))).toMatchObject({ kind: 'accepted' });
    expect(conversation).toContain('< 354 go');
    expect(dotSeenMeanwhile).toBe(false);
    expect(peer.first().received.endsWith(`${text}.\r\n`)).toBe(true);
    expect(session.conversation().slice(-3)).toEqual([`> <${text.length} octets>`, '> .', '< 250 ok']);
  });
});

describe('a peer that replies 354 after a refusal', () => {
  it('gets an empty message, and the refusal counts', async () => {
    const script = `${OPENING}${ENVELOPE}
      > 250 ok
      > 550 5.1.1 nobody
      > 354 go
      body
      > 554 5.5.1 no recipients
      < RSET${ENVELOPE}
      > 250 ok
      > 250 ok
      > 250 ok
      > 354 go
      body
      > 250 ok`;
    const peer = await peerWith(script);
    const session = await sessionWith(peer);
    const asked: string[] = [];
    const beforeDot = (): Promise<boolean> => Promise.resolve(asked.push('beforeDot') > 0);
    const outcome = await session.deliver(mail({ beforeDot }));
    expect(outcome).toMatchObject({ kind: 'refused', phase: 'rcpt', reply: { code: 550 } });
    expect(asked).toEqual([]);
    expect(peer.first().received.endsWith('DATA\r\n.\r\n')).toBe(true);
    expect(await session.deliver(mail())).toMatchObject({ kind: 'accepted' });
  });

  it('is disconnected if it accepts the empty message', async () => {
    const peer = await peerWith(`${OPENING}${ENVELOPE}\n> 250 ok\n> 550 no\n> 354 go\nbody\n> 250 taken`);
    const session = await sessionWith(peer);
    expect(await session.deliver(mail())).toMatchObject({ kind: 'refused', phase: 'rcpt' });
    expect(session.usable).toBe(false);
  });
});

describe('a session between messages', () => {
  it.each([
    ['closes', 'close', 'the peer closed the connection'],
    ['says 421', '> 421 4.4.2 idle too long', 'peer said 421 while idle: 4.4.2 idle too long'],
    ['says 421 and closes', '> 421 4.4.2 idle\nclose', 'peer said 421 while idle: 4.4.2 idle'],
  ])('is unusable after the peer %s', async (_what, ending, error) => {
    const peer = await peerWith(`${OPENING}${TO_354}\nbody\n> 250 ok\nwait 20\n${ending}`);
    const session = await sessionWith(peer);
    expect(await session.deliver(mail())).toMatchObject({ kind: 'accepted' });
    await expect.poll(() => session.usable).toBe(false);
    const received = peer.first().received;
    expect(await session.deliver(mail())).toEqual({ kind: 'lost', phase: 'mail', beforeDot: true, error });
    expect(peer.first().received).toBe(received);
  });

  it('carries many messages, in order and octet for octet', async () => {
    for (const pipelining of [true, false]) {
      const sink = await sinkWith({ pipelining });
      const session = await sessionWith(sink);
      const texts = Array.from(
        { length: 100 },
        (_, n) => `Subject: ${n}\r\n\r\n.${'x'.repeat(n)}\r\n.\r\n..\r\n`,
      );
      for (const text of texts)
        expect(await session.deliver(mail({ text }))).toMatchObject({ kind: 'accepted' });
      expect(sink.messages.map((message) => message.raw.toString())).toEqual(texts);
      expect(sink.connections()).toBe(1);
      expect(session.accepted).toBe(100);
    }
  });

  it('carries a message of several blocks', async () => {
    const sink = await sinkWith();
    const session = await sessionWith(sink);
    const text = `.${'x'.repeat(996)}\r\n`.repeat(3_000);
    expect(await session.deliver(mail({ text }))).toMatchObject({ kind: 'accepted' });
    expect(sink.messages[0]?.raw.equals(Buffer.from(text))).toBe(true);
  });

  it('refuses simultaneous transactions and invalid messages with errors, and remains usable', async () => {
    const sink = await sinkWith();
    const session = await sessionWith(sink);
    const first = session.deliver(mail());
    await expect(session.deliver(mail())).rejects.toThrow('in a transaction');
    await expect(session.quit()).rejects.toThrow('in a transaction');
    await first;
    await expect(session.deliver(mail({ text: 'a\nb\r\n' }))).rejects.toThrow('bare LF');
    await expect(session.deliver(mail({ rcptTo: 'a\r\nDATA' }))).rejects.toThrow('address');
    expect(await session.deliver(mail())).toMatchObject({ kind: 'accepted' });
  });

  it("refuses messages locally that exceed the peer's limit", async () => {
    const sink = await sinkWith({ size: 100 });
    const session = await sessionWith(sink);
    const outcome = await session.deliver(mail({ size: 101 }));
    expect(outcome).toMatchObject({
      kind: 'refused',
      phase: 'mail',
      local: true,
      reply: { code: 552, enhanced: '5.3.4' },
    });
    expect(session.conversation()).toEqual([]);
    expect(session.usable).toBe(true);
  });

  it('records each transaction, with the size of the message', async () => {
    const sink = await sinkWith();
    const session = await sessionWith(sink);
    await session.deliver(mail());
    await session.deliver(mail());
    expect(session.conversation()).toEqual([
      '> MAIL FROM:<bounce@from.example> SIZE=25',
      '> RCPT TO:<to@example.com>',
      '> DATA',
      '< 250 2.1.0 sender ok',
      '< 250 2.1.5 recipient ok',
      '< 354 go ahead',
      '> <25 octets>',
      '> .',
      '< 250 2.0.0 queued as 2',
    ]);
  });

  it('ends with QUIT, in bounded time', async () => {
    const peer = await peerWith([`${OPENING}\n< QUIT\n> 221 bye\nclose`, `${OPENING}\n< QUIT\nstall`]);
    for (const nth of [0, 1]) {
      const session = await sessionWith(peer, { timeouts: { quitMs: SHORT_MS } });
      await session.quit();
      await peer.connections[nth]?.closed;
      expect(peer.connections[nth]?.received).toContain('QUIT\r\n');
      expect(session.usable).toBe(false);
    }
  });

  it('reports a transaction as lost or ambiguous when it is destroyed', async () => {
    const peer = await peerWith([`${OPENING}${ENVELOPE}`, `${OPENING}${TO_354}\nbody`]);
    const before = await sessionWith(peer);
    const lost = before.deliver(mail());
    before.destroy();
    expect(await lost).toMatchObject({ kind: 'lost', phase: 'mail' });
    const after = await sessionWith(peer);
    const ambiguous = after.deliver(mail());
    await expect.poll(() => peer.connections[1]?.received.endsWith('\r\n.\r\n')).toBe(true);
    after.destroy();
    expect(await ambiguous).toEqual({ kind: 'ambiguous', error: 'the session was dropped' });
  });
});
