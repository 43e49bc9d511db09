// Tests attacks of hostile clients, octet by octet: smuggling, relaying, dripping, guessing, injecting,
// flooding.

import { connect as connectTls } from 'node:tls';
import { Duplex } from 'node:stream';
import { setTimeout as pause } from 'node:timers/promises';
import { afterEach, describe, expect, it } from 'vitest';
import { createSignInGuard } from '../../../src/lib/smtp-server/sign-in-guard.js';
import { fixedClock } from '../../support/fixed-clock.js';
import type { RawClient } from '../../support/raw-client.js';
import { startListener, type TestListener, type TestListenerOptions } from './listener.js';
import { waitFor } from '../../support/wait.js';

const rigs: TestListener[] = [];
async function start(options: TestListenerOptions = {}): Promise<TestListener> {
  const rig = await startListener(options);
  rigs.push(rig);
  return rig;
}
afterEach(async () => {
  for (const rig of rigs.splice(0)) await rig.close();
});

async function greeted(rig: TestListener, from?: string): Promise<RawClient> {
  const client = await rig.client(from === undefined ? {} : { from });
  await client.reply();
  await client.say('EHLO x');
  return client;
}

async function inData(rig: TestListener, mail = 'MAIL FROM:<a@b.example>'): Promise<RawClient> {
  const client = await greeted(rig);
  await client.say(mail, 'RCPT TO:<c@ours.example>', 'DATA');
  return client;
}

const base64 = (text: string): string => Buffer.from(text).toString('base64');
const guarded = (rig: TestListener): void => {
  expect(rig.admission.counts()).toMatchObject({ sessions: 0, heldOctets: 0 });
};

describe('a smuggled message', () => {
  const second = 'MAIL FROM:<evil@b.example>\r\nRCPT TO:<c@ours.example>\r\nDATA\r\nsecond';
  it.each([
    ['LF dot LF', '\n.\n'],
    ['LF dot CRLF', '\n.\r\n'],
    ['CRLF dot LF', '\r\n.\n'],
    ['CR dot CR', '\r.\r'],
    ['CR dot CRLF', '\r.\r\n'],
    ['CRLF dot CR', '\r\n.\r'],
    ['CRLF dot CR CRLF', '\r\n.\r\r\n'],
    ['CRLF NUL dot CRLF', '\r\n\0.\r\n'],
    ['CRLF dot NUL CRLF', '\r\n.\0\r\n'],
    ['a bare LF', 'a\nb'],
    ['a bare CR', 'a\rb'],
  ])('is refused entirely: %s', async (_what, ending) => {
    const rig = await start();
    for (const inPieces of [false, true]) {
      const client = await inData(rig);
      const octets = Buffer.from(`first${ending}${second}\r\n.\r\n`, 'latin1');
      if (inPieces) for (const octet of octets) client.write(Buffer.of(octet));
      else client.write(octets);
      expect(await client.reply()).toMatch(/^550 5\.6\.11 /);
      expect(await client.say('NOOP')).toMatch(/^250 /);
      expect(await client.send('c@ours.example', 'fine\r\n')).toMatch(/^250 /);
      client.hangUp();
    }
    expect(rig.kept.map(({ raw }) => raw.toString())).toEqual(['fine\r\n', 'fine\r\n']);
  });

  it('cannot be hidden by a dot in separate packets', async () => {
    const rig = await start();
    const client = await inData(rig);
    for (const octet of Buffer.from('..\r\n.\r\n')) {
      client.write(Buffer.of(octet));
      await pause(2);
    }
    expect(await client.reply()).toMatch(/^250 /);
    expect(rig.kept[0]?.raw.toString()).toBe('.\r\n');
  });
});

describe('an open relay', () => {
  const probes = [
    'victim@elsewhere.example',
    'victim%elsewhere.example@mx.example.com',
    'victim%elsewhere.example@[127.0.0.1]',
    '@ours.example:victim@elsewhere.example',
    '@ours.example,@mx.example.com:victim@elsewhere.example',
    '"victim@elsewhere.example"@mx.example.com',
    '"victim@elsewhere.example"',
    '"victim%elsewhere.example"@ours.example',
    'elsewhere.example!victim',
    'elsewhere.example!victim@mx.example.com',
    'victim@elsewhere.example@ours.example',
    'victim@[127.0.0.1]',
    'victim@ours.example@elsewhere.example',
    'victim@ours.example.elsewhere.example',
    'victim@ours.example\u0000.elsewhere.example',
    'postmaster',
    'root',
  ];

  it('is not found by known open-relay tests', async () => {
    const rig = await start({
      hooks: {
        rcptTo: (recipient) =>
          recipient === 'c@ours.example'
            ? { target: '' }
            : { refusal: { code: 550, enhanced: '5.1.1', text: 'No' } },
      },
      limits: { wrongRecipients: 100 },
    });
    const client = await greeted(rig);
    for (const address of probes) {
      expect(await client.say('RSET', 'MAIL FROM:<a@b.example>')).toMatch(/^250 /);
      expect(await client.say(`RCPT TO:<${address}>`), address).toMatch(/^5\d\d 5\.1\.[13] /);
      expect(await client.say('DATA'), address).toMatch(/^503 5\.5\.1 /);
    }
  });

  it('is not opened by a source route, a PROXY line, XCLIENT or XFORWARD', async () => {
    const rig = await start();
    const client = await greeted(rig);
    expect(await client.say('PROXY TCP4 192.0.2.1 192.0.2.2 1 25')).toMatch(/^500 5\.5\.2 /);
    expect(await client.say('XCLIENT ADDR=192.0.2.1')).toMatch(/^500 5\.5\.2 /);
    expect(await client.say('XFORWARD ADDR=192.0.2.1')).toMatch(/^500 5\.5\.2 /);
    expect(await client.say('MAIL FROM:<@x.example:a@b.example>')).toMatch(/^250 /);
    await client.say('RSET');
    await client.send('c@ours.example', 'x\r\n');
    expect(rig.kept[0]?.session.client.address).toBe('127.0.0.1');
  });
});

describe('commands', () => {
  const refused: [string, RegExp][] = [
    ['VRFY ann', /^252 2\./],
    ['EXPN list', /^502 5\.5\.1 /],
    ['BDAT 10 LAST', /^502 5\.5\.1 /],
    ['WIZ please', /^500 5\.5\.2 /],
    ['MAIL FROM:<a@b.example> HOLDFOR=60', /^555 5\.5\.4 /],
    ['MAIL FROM:<a@b.example> REQUIRETLS', /^555 5\.5\.4 /],
    ['MAIL FROM:<a@b.example> SIZE=99999999', /^552 5\.3\.4 /],
    ['MAIL FROM:<a@b.example> SIZE=x', /^501 5\.5\.4 /],
    ['MAIL FROM:<a@b.example> ENVID=a+0D+0AX', /^501 5\./],
    ['MAIL FROM:', /^501 5\.1\.7 /],
    ['MAIL FROM:<a@b.example', /^501 5\.1\.7 /],
    ['MAIL FROM:<a"b@b.example>', /^501 5\.1\.7 /],
    ['MAIL FROM:<a\u200b@b.example>', /^501 5\.1\.7 /],
    ['RCPT TO:<c@ours.example>', /^503 5\.5\.1 /],
    ['DATA', /^503 5\.5\.1 /],
    ['AUTH PLAIN AGEAYg==', /^502 5\.5\.1 /],
    ['HELP', /^214 /],
    ['EHLO', /^501 /],
  ];
  const refusedAfterMail: [string, RegExp][] = [
    ['RCPT TO:<bücher@ours.example>', /^553 5\.6\.7 /],
    ['RCPT TO:<c@ours.example> NOTIFY=NEVER,FAILURE', /^501 5\.5\.4 /],
    ['RCPT TO:<c@ours.example> ORCPT=c@ours.example', /^501 5\.5\.4 /],
    ['RCPT TO:<c@ours.example> ORCPT=rfc822;c d=', /^501 5\.5\.4 |^555 /],
    ['RCPT TO:<c@ours.example> FOO', /^555 5\.5\.4 /],
  ];

  it('have the right replies', async () => {
    const rig = await start();
    const client = await greeted(rig);
    for (const [command, expected] of refused) {
      expect(await client.say(command), command).toMatch(expected);
      expect(await client.say('NOOP')).toBe('250 2.0.0 OK');
    }
    await client.say('MAIL FROM:<a@b.example>');
    for (const [command, expected] of refusedAfterMail) {
      expect(await client.say(command), command).toMatch(expected);
    }
  });

  it('in broken UTF-8 are refused even with SMTPUTF8', async () => {
    const rig = await start();
    const client = await greeted(rig);
    client.write(Buffer.from('MAIL FROM:<\xe4@b.example> SMTPUTF8\r\n', 'latin1'));
    expect(await client.reply()).toMatch(/^553 5\.6\.7 /);
  });

  it.each([
    ['before the greeting', 'EHLO x\r\n'],
    ['of a web browser', 'POST / HTTP/1.1\r\nHost: x\r\n\r\n'],
    ['of TLS on a port without it', '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\n'],
  ])('%s end the session', async (_what, text) => {
    const rig = await start();
    const client = await rig.client();
    client.write(text);
    expect((await client.rest())[0]).toMatch(/^421 4\.7\.0 /);
  });

  it('of a web browser after the greeting, too long or too many unknown ones end the session', async () => {
    const rig = await start();
    const [browser, long, many] = [await greeted(rig), await greeted(rig), await greeted(rig)];
    expect(await browser.say('GET /index.html HTTP/1.1')).toMatch(/^421 4\.7\.0 /);
    long.write('x'.repeat(20_000));
    expect(await long.rest()).toEqual([expect.stringMatching(/^421 4\.7\.0 /)]);
    many.write('FOO\r\n'.repeat(50));
    const replies = await many.rest();
    expect(replies).toHaveLength(10);
    expect(replies.at(-1)).toMatch(/^421 4\.7\.0 /);
  });

  it('without a message between them are limited', async () => {
    const rig = await start();
    const client = await greeted(rig);
    client.write('NOOP\r\n'.repeat(5_000));
    const replies = await client.rest();
    expect(replies.length).toBeLessThan(2_100);
    expect(replies.at(-1)).toMatch(/^421 4\.7\.0 /);
  });
});

describe('ten thousand recipients', () => {
  it('that are invalid end the session after ten', async () => {
    let asked = 0;
    const rig = await start({
      hooks: {
        rcptTo() {
          asked += 1;
          return { refusal: { code: 550, enhanced: '5.1.1', text: 'No' } };
        },
      },
    });
    const client = await greeted(rig);
    await client.say('MAIL FROM:<a@b.example>');
    client.write(Array.from({ length: 10_000 }, (_, n) => `RCPT TO:<r${n}@ours.example>\r\n`).join(''));
    const codes = (await client.rest()).map((reply) => reply.slice(0, 9));
    expect(codes).toEqual([...Array<string>(10).fill('550 5.1.1'), '421 4.7.0']);
    expect(asked).toBe(10);
  });

  it('that are valid are accepted up to the limit, for a limited time', async () => {
    let asked = 0;
    const rig = await start({
      hooks: {
        rcptTo() {
          asked += 1;
          return { target: '' };
        },
      },
    });
    const client = await greeted(rig);
    await client.say('MAIL FROM:<a@b.example>');
    client.write(Array.from({ length: 10_000 }, (_, n) => `RCPT TO:<r${n}@ours.example>\r\n`).join(''));
    const codes = (await client.rest()).map((reply) => reply.slice(0, 9));
    expect(codes.filter((code) => code === '250 2.1.5')).toHaveLength(100);
    expect(new Set(codes.slice(100, -1))).toEqual(new Set(['452 4.5.3']));
    expect(codes.at(-1)).toBe('421 4.7.0');
    expect(asked).toBe(100);
  });

  it('count over transactions, but temporarily refused ones do not', async () => {
    const rig = await start({
      limits: { wrongRecipients: 2 },
      hooks: {
        rcptTo: (address) => ({
          refusal: { code: address.startsWith('busy') ? 451 : 550, enhanced: '5.1.1', text: 'No' },
        }),
      },
    });
    const client = await greeted(rig);
    await client.say('MAIL FROM:<a@b.example>', 'RCPT TO:<busy@o.example>', 'RCPT TO:<busy@o.example>');
    expect(
      await client.say('RCPT TO:<x@o.example>', 'RSET', 'MAIL FROM:<a@b.example>', 'RCPT TO:<x@o.example>'),
    ).toMatch(/^550 /);
    expect(await client.say('RCPT TO:<x@o.example>')).toBe('421 4.7.0 Too many invalid recipients');
  });
});

describe('messages', () => {
  it('larger than allowed are refused whatever SIZE declared, and not kept in memory', async () => {
    const rig = await start({ limits: { sizeLimit: 100_000 } });
    for (const mail of ['MAIL FROM:<a@b.example>', 'MAIL FROM:<a@b.example> SIZE=10']) {
      const client = await inData(rig, mail);
      client.write('x'.repeat(70).concat('\r\n').repeat(3_000));
      await waitFor('it is let go', () => rig.admission.counts().heldOctets === 0);
      client.write('.\r\n');
      expect(await client.reply()).toMatch(/^552 5\.3\.4 /);
      expect(await client.send('c@ours.example', 'x\r\n')).toMatch(/^250 /);
    }
    expect(rig.kept).toHaveLength(2);
  });

  it('smaller than their declared SIZE are accepted', async () => {
    const rig = await start();
    const client = await inData(rig, 'MAIL FROM:<a@b.example> SIZE=999999');
    expect(rig.admission.counts().heldOctets).toBe(0);
    client.write('a short line\r\n');
    await waitFor('octets are held', () => rig.admission.counts().heldOctets > 0);
    expect(rig.admission.counts().heldOctets).toBeLessThan(100_000);
    expect(await client.say('.')).toMatch(/^250 /);
    expect(rig.admission.counts().heldOctets).toBe(0);
  });

  it('that passed fifty servers are refused as loops', async () => {
    const rig = await start();
    const client = await greeted(rig);
    const through = (servers: number): string =>
      `${'Received: by x\r\n\tfor y\r\n'.repeat(servers)}\r\nReceived: no\r\n`;
    expect(await client.send('c@ours.example', through(49))).toMatch(/^250 /);
    expect(await client.send('c@ours.example', through(50))).toMatch(/^554 5\.4\.6 /);
  });

  it('that end with the connection leave nothing behind', async () => {
    const rig = await start();
    const client = await inData(rig);
    client.write('half a message\r\n');
    await waitFor('octets are held', () => rig.admission.counts().heldOctets > 0);
    client.hangUp();
    await waitFor('the session is over', () => rig.listener.sessions() === 0);
    expect(rig.kept).toEqual([]);
    guarded(rig);
  });

  it('that are being stored remain counted after their client has left', async () => {
    let release = (): void => undefined;
    const rig = await start({
      hooks: {
        data: () =>
          new Promise((resolve) => {
            release = () => resolve({ code: 250, enhanced: '2.0.0', text: 'Kept' });
          }),
      },
    });
    const client = await inData(rig);
    client.write('x\r\n.\r\n');
    await pause(20);
    client.hangUp();
    await waitFor('the session is over', () => rig.listener.sessions() === 0);
    expect(rig.admission.counts().heldOctets).toBeGreaterThan(0);
    release();
    await waitFor('nothing is held', () => rig.admission.counts().heldOctets === 0);
    guarded(rig);
  });

  it('beyond the memory of a client or of all are deferred', async () => {
    const rig = await start({
      limits: { sizeLimit: 500_000 },
      admissionLimits: { memoryOctets: 3_200_000, largestMessage: 500_000 },
    });
    // A client may hold 1,548,576 octets; these take two blocks each, 81,920 octets.
    const body = 'x'.repeat(70).concat('\r\n').repeat(833);
    const clients = await Promise.all(Array.from({ length: 18 }, () => inData(rig)));
    for (const client of clients) client.write(body);
    await waitFor('all hold theirs', () => rig.admission.counts().heldOctets === 18 * 81_920);
    const late = await inData(rig);
    late.write(`${body}.\r\n`);
    expect(await late.reply()).toMatch(/^452 4\.3\.1 /);
    expect(await late.say('MAIL FROM:<a@b.example> SIZE=500000')).toMatch(/^452 4\.3\.1 /);
    for (const client of clients) expect(await client.say('.')).toMatch(/^250 /);
    expect(await late.send('c@ours.example', body)).toMatch(/^250 /);
    expect(rig.admission.counts().heldOctets).toBe(0);
  });

  it('in packets of one octet need no more memory than a large packet', async () => {
    const rig = await start({ limits: { sizeLimit: 100_000 } });
    const client = await inData(rig);
    const body = Buffer.from('..\r\n'.repeat(5_000));
    for (let at = 0; at < body.length; at += 1) client.write(body.subarray(at, at + 1));
    await waitFor('much is held', () => rig.admission.counts().heldOctets > 14_000);
    expect(rig.admission.counts().heldOctets).toBeLessThan(200_000);
    expect(await client.say('.')).toMatch(/^250 /);
    expect(rig.kept[0]?.raw.toString()).toBe('.\r\n'.repeat(5_000));
  });

  it('are refused on a full disk', async () => {
    let isFull = true;
    const rig = await start({ hooks: { storageIsFull: () => isFull } });
    const client = await greeted(rig);
    expect(await client.say('MAIL FROM:<a@b.example>')).toMatch(/^452 4\.3\.1 /);
    isFull = false;
    expect(await client.say('MAIL FROM:<a@b.example>')).toMatch(/^250 /);
  });
});

describe('slow clients', () => {
  /** Writes forever, faster than any time limit of silence; returns what it received. */
  async function drip(client: RawClient, octet: string): Promise<string[]> {
    let isOver = false;
    const heard = client.rest().finally(() => (isOver = true));
    while (!isOver) {
      client.write(octet);
      await pause(5);
    }
    return heard;
  }

  it('that send nothing get 421', async () => {
    const rig = await start({ limits: { idleMs: 150 } });
    const [client, sending] = [await greeted(rig), await inData(rig)];
    expect(await client.rest()).toEqual([expect.stringMatching(/^421 4\.4\.2 /)]);
    expect(await sending.rest()).toEqual([expect.stringMatching(/^421 4\.4\.2 /)]);
  });

  it('that drip a command get 421', async () => {
    const rig = await start({ limits: { sessionMs: 300 } });
    const client = await greeted(rig);
    expect(await drip(client, 'x')).toEqual(['421 4.4.2 Session time limit exceeded']);
    await waitFor('it is gone', () => rig.admission.counts().sessions === 0);
  });

  it('that drip a message get 421, and nothing of it is stored', async () => {
    const rig = await start({ limits: { dataMs: 200 } });
    const client = await inData(rig);
    expect(await drip(client, 'x')).toEqual(['421 4.4.2 Session time limit exceeded']);
    expect(rig.admission.counts().heldOctets).toBe(0);
    await waitFor('it is gone', () => rig.admission.counts().sessions === 0);
    expect(rig.kept).toEqual([]);
  });

  it('whose message began in time get its reply first', async () => {
    const rig = await start({ limits: { sessionMs: 250 } });
    const client = await inData(rig);
    await pause(300);
    client.write('x\r\n.\r\n');
    expect(await client.rest()).toEqual(['250 2.0.0 Kept as 1', '421 4.4.2 Session time limit exceeded']);
  });

  it.each([
    ['after STARTTLS', false],
    ['from the start', true],
  ])('that drip a TLS handshake %s are disconnected', async (_what, implicitTls) => {
    const rig = await start({ implicitTls, limits: { idleMs: 250 } });
    const client = await rig.client();
    if (!implicitTls) {
      await client.reply();
      await client.say('EHLO x', 'STARTTLS');
    }
    const hello = await clientHello();
    const dripping = { at: 0 };
    const timer = setInterval(() => {
      const { at } = dripping;
      if (at < hello.length - 1) client.write(hello.subarray(at, at + 1));
      dripping.at += 1;
    }, 5);
    expect(await client.rest().finally(() => clearInterval(timer))).toEqual([]);
    await waitFor('it is gone', () => rig.admission.counts().sessions === 0);
    guarded(rig);
  });

  it('that remain after 421 are disconnected', async () => {
    const rig = await start({ limits: { sessionMs: 100 } });
    const client = await rig.client();
    client.socket.allowHalfOpen = true;
    await client.reply();
    const timer = setInterval(() => client.write('x'), 10);
    await waitFor('it is gone', () => rig.admission.counts().sessions === 0);
    clearInterval(timer);
  });
});

/** The first flight of a TLS client. */
async function clientHello(): Promise<Buffer> {
  return new Promise((resolve) => {
    const wire = new Duplex({
      read: () => undefined,
      write: (octets: Buffer, _encoding, done) => {
        resolve(octets);
        done();
      },
    });
    connectTls({ socket: wire }).on('error', () => undefined);
  });
}

describe('STARTTLS', () => {
  it('discards commands that were sent without TLS after it', async () => {
    for (const count of [1, 500]) {
      const rig = await start();
      const client = await greeted(rig);
      const injected = 'EHLO evil\r\nMAIL FROM:<evil@b.example>\r\nRCPT TO:<c@ours.example>\r\n'.repeat(
        count,
      );
      client.write(`STARTTLS\r\n${injected}`);
      expect(await client.reply()).toMatch(/^220 2\.0\.0 /);
      const before = client.transcript;
      await client.secure();
      expect(await client.say('NOOP')).toBe('250 2.0.0 OK');
      expect(await client.say('RCPT TO:<c@ours.example>')).toMatch(/^503 5\.5\.1 /);
      expect(await client.say('EHLO x')).toMatch(/^250-mx/);
      expect(await client.say('DATA')).toMatch(/^503 /);
      expect(client.transcript.slice(before.length).match(/^\d{3} /gm)).toHaveLength(4);
    }
  });

  it('forgets the state before it', async () => {
    const rig = await start();
    const client = await greeted(rig);
    await client.say('MAIL FROM:<a@b.example>', 'RCPT TO:<c@ours.example>', 'STARTTLS');
    await client.secure();
    expect(await client.say('DATA')).toMatch(/^503 /);
    client.hangUp();
    await waitFor('it is gone', () => rig.admission.counts().sessions === 0);
    guarded(rig);
  });
});

describe('guessing credentials', () => {
  const clock = fixedClock();
  function relay(
    failures: number,
  ): Pick<TestListenerOptions, 'signIn' | 'hooks' | 'clock'> & { asked: string[] } {
    const asked: string[] = [];
    return {
      asked,
      clock: clock.now,
      signIn: {
        guard: createSignInGuard({ terms: { failures, lockoutMs: 60_000 }, clock: clock.now }),
        authInClear: true,
      },
      hooks: {
        authenticate({ user, password }) {
          asked.push(user);
          return password === 'key' ? { account: user, owner: user } : null;
        },
      },
    };
  }
  const signIn = (client: RawClient, password: string, user = 'ann'): Promise<string> =>
    client.say(`AUTH PLAIN ${base64(`\0${user}\0${password}`)}`);

  it('ends a session after three failures, locks the address out after its limit, and is forgotten in time', async () => {
    const options = relay(5);
    const rig = await start(options);
    const first = await greeted(rig);
    expect(await signIn(first, '1')).toMatch(/^535 5\.7\.8 /);
    expect(await first.say('AUTH LOGIN', base64('ann'), base64('2'))).toMatch(/^535 5\.7\.8 /);
    expect(await signIn(first, '3')).toBe('421 4.7.0 Too many failed sign-ins');
    const second = await greeted(rig);
    await signIn(second, '4');
    await signIn(second, '5');
    expect(options.asked).toHaveLength(5);
    expect(rig.logged.join()).toMatch(/locked out.*127\.0\.0\.1|127\.0\.0\.1.*locked out/);
    expect(await signIn(second, 'key')).toBe('421 4.7.0 Too many failed sign-ins; try again later');
    expect(options.asked).toHaveLength(5);
    expect(await signIn(await greeted(rig, '127.0.0.2'), 'key')).toMatch(/^235 /);
    clock.advance(60_000);
    expect(await signIn(await greeted(rig), 'key')).toMatch(/^235 /);
  });

  it('from many addresses locks a name out, except where it is known', async () => {
    const options = relay(1);
    const rig = await start(options);
    expect(await signIn(await greeted(rig, '127.0.1.1'), 'key')).toMatch(/^235 /);
    for (let n = 1; n <= 10; n += 1) {
      expect(await signIn(await greeted(rig, `127.0.2.${n}`), 'guess', 'ANN')).toMatch(/^535 /);
    }
    expect(await signIn(await greeted(rig, '127.0.3.1'), 'key')).toMatch(/^421 /);
    expect(await signIn(await greeted(rig, '127.0.3.1'), 'key', 'bob')).toMatch(/^235 /);
    expect(await signIn(await greeted(rig, '127.0.1.1'), 'key')).toMatch(/^235 /);
  });

  it('is limited with commands in between, too', async () => {
    const rig = await start(relay(5));
    const client = await greeted(rig);
    client.write('NOOP\r\n'.repeat(100));
    expect((await client.rest()).at(-1)).toMatch(/^421 4\.7\.0 /);
  });
});

describe('clients beyond their limit', () => {
  const clock = fixedClock();
  const first = async (rig: TestListener, from: string): Promise<string> =>
    (await rig.client({ from })).reply();

  it('are refused by address, by network and in total, until others leave', async () => {
    const sessions = { total: 5, perAddress: 2, perNetwork: 3 };
    const rig = await start({ clock: clock.now, admissionLimits: { sessions } });
    const one = await rig.client({ from: '127.0.1.1' });
    expect(await one.reply()).toMatch(/^220 /);
    expect(await first(rig, '127.0.1.1')).toMatch(/^220 /);
    expect(await first(rig, '127.0.1.1')).toBe(
      '421 4.7.0 mx.example.com Too many sessions from your address; try again later',
    );
    expect(await first(rig, '127.0.1.2')).toMatch(/^220 /);
    expect(await first(rig, '127.0.1.3')).toMatch(/^421 4\.7\.0 .* network/);
    expect(await first(rig, '127.0.2.1')).toMatch(/^220 /);
    expect(await first(rig, '127.0.3.1')).toMatch(/^220 /);
    expect(await first(rig, '127.0.4.1')).toMatch(/^421 4\.3\.2 /);
    one.hangUp();
    await waitFor('a session is over', () => rig.listener.sessions() === 4);
    expect(await first(rig, '127.0.1.1')).toMatch(/^220 /);
    expect(rig.admission.counts().refused).toEqual({ address_taken: 1, network_taken: 1, all_taken: 1 });
  });

  it('are refused before a TLS handshake too', async () => {
    const rig = await start({
      implicitTls: true,
      admissionLimits: { sessions: { total: 5, perAddress: 1, perNetwork: 5 } },
    });
    const silent = await rig.client();
    await expect(rig.client({ tls: true })).rejects.toThrow();
    silent.hangUp();
    await waitFor('a session is over', () => rig.admission.counts().sessions === 0);
    expect(await (await rig.client({ tls: true })).reply()).toMatch(/^220 /);
  });

  it('are refused if they connect too often', async () => {
    const rig = await start({ clock: clock.now, admissionLimits: { sessionsPerMinute: 3 } });
    for (let n = 0; n < 3; n += 1) expect(await first(rig, '127.0.5.1')).toMatch(/^220 /);
    expect(await first(rig, '127.0.5.1')).toMatch(/^421 4\.7\.0 .* new sessions from your address/);
    clock.advance(20_000);
    expect(await first(rig, '127.0.5.1')).toMatch(/^220 /);
  });

  it('are refused if they send too many messages or octets', async () => {
    const rig = await start({
      clock: clock.now,
      admissionLimits: { messagesPerMinute: 2, octetsPerHour: 0 },
    });
    const client = await greeted(rig);
    for (let n = 0; n < 2; n += 1) expect(await client.send('c@ours.example', 'x\r\n')).toMatch(/^250 /);
    expect(await client.say('MAIL FROM:<a@b.example>')).toMatch(/^452 4\.7\.1 /);
    clock.advance(30_000);
    expect(await client.send('c@ours.example', 'x\r\n')).toMatch(/^250 /);

    const heavy = await start({ clock: clock.now, admissionLimits: { octetsPerHour: 10_240 } });
    const second = await greeted(heavy);
    expect(await second.send('c@ours.example', `${'x'.repeat(11_000)}\r\n`)).toMatch(/^250 /);
    expect(await second.say('MAIL FROM:<a@b.example>')).toMatch(/^452 4\.7\.1 /);
    clock.advance(3_600_000);
    expect(await second.say('MAIL FROM:<a@b.example>')).toMatch(/^250 /);
  });

  it('are refused if they send one message to many recipients', async () => {
    const rig = await start({ clock: clock.now, admissionLimits: { octetsPerHour: 10_240 } });
    const client = await greeted(rig);
    for (const command of ['MAIL FROM:<a@b.example>', 'RCPT TO:<c@ours.example>', 'RCPT TO:<d@ours.example>'])
      expect(await client.say(command)).toMatch(/^250 /);
    await client.say('DATA');
    expect(await client.say(`${'x'.repeat(6_000)}\r\n.`)).toMatch(/^250 /);
    expect(await client.say('MAIL FROM:<a@b.example>')).toMatch(/^452 4\.7\.1 /);
  });

  it('are not limited if they are known senders', async () => {
    const rig = await start({
      admissionLimits: {
        sessions: { total: 5, perAddress: 1, perNetwork: 1 },
        sessionsPerMinute: 1,
        messagesPerMinute: 1,
        octetsPerHour: 1_024,
        unlimitedClients: ['127.0.0.0/8'],
      },
    });
    const clients = [await greeted(rig), await greeted(rig), await greeted(rig)];
    for (const client of clients) {
      expect(await client.send('c@ours.example', `${'x'.repeat(2_000)}\r\n`)).toMatch(/^250 /);
      expect(await client.send('c@ours.example', 'x\r\n')).toMatch(/^250 /);
    }
  });

  it('share the limits of an admission across two listeners', async () => {
    const one = await start({ admissionLimits: { sessions: { total: 5, perAddress: 1, perNetwork: 5 } } });
    const two = await start({ admission: one.admission });
    expect(await first(one, '127.0.0.1')).toMatch(/^220 /);
    expect(await first(two, '127.0.0.1')).toMatch(/^421 /);
  });

  it('leave no counts after hundreds of simultaneous connections', async () => {
    const rig = await start();
    const plain = Array.from({ length: 60 }, async (_, n) => {
      const client = await rig.client({ from: `127.0.${n % 7}.1` });
      if (n % 3 > 0) await client.reply();
      if (n % 3 === 1) await client.say('EHLO x', 'STARTTLS');
      client.hangUp();
    });
    await Promise.all(plain);
    await waitFor('all are gone', () => rig.admission.counts().sessions === 0);
    guarded(rig);
    expect(rig.listener.sessions()).toBe(0);
  });
});
