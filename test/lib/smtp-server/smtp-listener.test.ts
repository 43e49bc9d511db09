// Tests the listener with well-behaved clients: extensions, envelopes, octets, TLS, sign-in, certificates,
// ports, stopping.

import { createServer, type AddressInfo } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { afterEach, describe, expect, it } from 'vitest';
import { createSignInGuard } from '../../../src/lib/smtp-server/sign-in-guard.js';
import { connectSmtp } from '../../../src/lib/smtp/index.js';
import { systemClock } from '../../../src/lib/runtime/index.js';
import { FIELD_ADDRESSES } from '../../support/field-mail.js';
import { startListener, type TestListener, type TestListenerOptions } from './listener.js';
import { selfSignedCertificate } from '../../support/test-certificate.js';
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

const base64 = (text: string): string => Buffer.from(text).toString('base64');
const relay = (): Pick<TestListenerOptions, 'signIn' | 'hooks'> => ({
  signIn: {
    guard: createSignInGuard({ terms: { failures: 10, lockoutMs: 60_000 }, clock: systemClock }),
    authInClear: false,
  },
  hooks: {
    authenticate: ({ user, password }) =>
      password === 'key' ? { account: `account of ${user}`, owner: user } : null,
  },
});

const FAR = { code: 535, enhanced: '5.7.1', text: 'Not from there' };

/** Returns this many octets of lines, most of which begin with a dot. */
function textOf(size: number): string {
  const lines = '.23456789\r\n'.repeat(Math.ceil(size / 11)).slice(0, size - 2);
  return `${lines.replace(/\r$/, 'x')}\r\n`;
}

describe('the listener', () => {
  it('greets without a version and offers its extensions', async () => {
    const rig = await start();
    const client = await rig.client();
    expect(await client.reply()).toBe('220 mx.example.com ESMTP');
    expect((await client.say('EHLO out.example')).split('\n')).toEqual([
      '250-mx.example.com',
      '250-PIPELINING',
      '250-8BITMIME',
      '250-SMTPUTF8',
      '250-ENHANCEDSTATUSCODES',
      '250-DSN',
      '250-STARTTLS',
      '250 SIZE 1000000',
    ]);
  });

  it('passes envelope, parameters and octets on unchanged', async () => {
    const rig = await start();
    const client = await rig.client();
    await client.reply();
    await client.say('EHLO Out.Example');
    expect(
      await client.say('MAIL FROM:<Ann@xn--bcher-kva.example> SIZE=60 BODY=8BITMIME RET=hdrs ENVID=a+2Bb'),
    ).toMatch(/^250 2\.1\.0 /);
    expect(
      await client.say('RCPT TO:<Bob@ours.example> NOTIFY=success,DELAY ORCPT=rfc822;b+2B41@o.example'),
    ).toMatch(/^250 2\.1\.5 /);
    expect(await client.say('RCPT TO:<carl@ours.example>')).toMatch(/^250 2\.1\.5 /);
    expect(await client.say('RCPT TO:<no@where.example>')).toBe('550 5.1.1 No such address here');
    expect(await client.say('DATA')).toMatch(/^354 /);
    client.write(Buffer.from('Subject: \xe4\r\n\r\n..\r\n...x\r\n\xff\r\n.\r\n', 'latin1'));
    expect(await client.reply()).toBe('250 2.0.0 Kept as 1');
    expect(await client.say('QUIT')).toMatch(/^221 2\.0\.0 /);

    const [mail] = rig.kept;
    expect(mail?.raw.toString('latin1')).toBe('Subject: \xe4\r\n\r\n.\r\n..x\r\n\xff\r\n');
    expect(mail?.envelope).toEqual({
      mailFrom: 'Ann@xn--bcher-kva.example',
      sizeOctets: 60,
      body: '8bitmime',
      smtpUtf8: false,
      requireTls: false,
      ret: 'HDRS',
      envid: 'a+2Bb',
      recipients: [
        {
          address: 'Bob@ours.example',
          notify: ['SUCCESS', 'DELAY'],
          orcpt: 'rfc822;b+2B41@o.example',
          target: 'BOB@OURS.EXAMPLE',
        },
        { address: 'carl@ours.example', notify: null, orcpt: null, target: 'CARL@OURS.EXAMPLE' },
      ],
    });
    expect(mail?.session).toMatchObject({
      client: { address: '127.0.0.1' },
      helo: 'out.example',
      tls: null,
      protocol: 'ESMTP',
      account: null,
    });
  });

  it('accepts the null sender, an empty message and a non-ASCII address', async () => {
    const rig = await start();
    const client = await rig.client();
    await client.reply();
    await client.say('EHLO out.example', 'MAIL FROM:<> SMTPUTF8', 'RCPT TO:<jürgen@ours.example>', 'DATA');
    expect(await client.say('.')).toBe('250 2.0.0 Kept as 1');
    expect(rig.kept[0]?.raw).toHaveLength(0);
    expect(rig.kept[0]?.envelope).toMatchObject({ mailFrom: '', smtpUtf8: true });
    expect(rig.kept[0]?.envelope.recipients[0]?.address).toBe('jürgen@ours.example');
  });

  it.each<[path: string, sender: string | null]>([
    ...FIELD_ADDRESSES.inbound_mail_from.map((path): [string, null] => [path, null]),
    ['<a..b@docomo.example>', '"a..b"@docomo.example'],
    ['<"a b>"@b.example> SIZE=3 BODY=8BITMIME', '"a b>"@b.example'],
    ['<a b@b.example>', '"a b"@b.example'],
    ['<user@[192.0.2.1]>', 'user@[192.0.2.1]'],
    ['<user@localhost>', 'user@localhost'],
    ['<-@-.example.>', '-@-.example.'],
    ['<"abc"@Bücher.example>', 'abc@xn--bcher-kva.example'],
    ['<bücher@b.example>', 'bücher@b.example'],
    ['user@b.example', 'user@b.example'],
    [' user@b.example SIZE=3', 'user@b.example'],
    ['<@relay.example,@b.example:user@c.example>', 'user@c.example'],
    ['<>', ''],
  ])('accepts MAIL FROM:%s', async (path, sender) => {
    const rig = await start();
    const client = await rig.client();
    await client.reply();
    await client.say('EHLO out.example');
    expect(await client.say(`MAIL FROM:${path}`)).toMatch(/^250 /);
    expect(await client.say('RCPT TO:"carl"@ours.example NOTIFY=NEVER', 'DATA')).toMatch(/^354 /);
    expect(await client.say('.')).toMatch(/^250 /);
    const [mail] = rig.kept;
    if (sender !== null) expect(mail?.envelope.mailFrom).toBe(sender);
    expect(mail?.envelope.recipients).toMatchObject([{ address: 'carl@ours.example', notify: ['NEVER'] }]);
  });

  it.each(['TLSv1', 'TLSv1.1'] as const)(
    'supports %s by STARTTLS only if old versions are allowed',
    async (version) => {
      const old = { minVersion: version, maxVersion: version, ciphers: 'DEFAULT@SECLEVEL=0' } as const;
      for (const oldTls of [false, true]) {
        const rig = await start({ oldTls });
        const client = await rig.client();
        await client.reply();
        await client.say('EHLO out.example', 'STARTTLS');
        const secured = client.secure(old).then((socket) => socket.getProtocol());
        if (!oldTls) {
          await expect(secured).rejects.toThrow(/alert|protocol|version/i);
          continue;
        }
        expect(await secured).toBe(version);
        rig.changeCertificate(selfSignedCertificate('mx.example.com'));
        const next = await rig.client();
        await next.reply();
        await next.say('EHLO out.example', 'STARTTLS');
        expect((await next.secure(old)).getProtocol()).toBe(version);
        await next.say('EHLO out.example');
        expect(await next.send('c@ours.example', 'x\r\n')).toMatch(/^250 /);
        expect(rig.kept[0]?.session.tls?.protocol).toBe(version);
      }
    },
  );

  it('replies to a pipelined session in order, with messages of many sizes', async () => {
    const rig = await start({
      limits: { sizeLimit: 3_000_000 },
      admissionLimits: { largestMessage: 3_000_000 },
    });
    const client = await rig.client();
    await client.reply();
    await client.say('EHLO out.example');
    const sizes = [2, 3, 100, 16_383, 16_384, 16_385, 70_000, 2_500_000];
    const texts = sizes.map(textOf);
    expect(texts.map((text) => text.length)).toEqual(sizes);
    const job = 'MAIL FROM:<a@b.example>\r\nRCPT TO:<c@ours.example>\r\nDATA\r\n';
    client.write(`${texts.map((text) => `${job}${text.replace(/^\./gm, '..')}.\r\n`).join('')}QUIT\r\n`);
    const codes = (await client.rest()).map((reply) => reply.slice(0, 3));
    expect(codes).toEqual([...texts.flatMap(() => ['250', '250', '354', '250']), '221']);
    expect(rig.kept.map(({ raw }) => raw.toString())).toEqual(texts);
    await waitFor('nothing is held', () => rig.admission.counts().heldOctets === 0);
  });

  it("supports STARTTLS and implicit TLS with Mailkeel's client", async () => {
    const signedIn = relay();
    const [clear, implicit] = [await start(signedIn), await start({ ...signedIn, implicitTls: true })];
    for (const [rig, mode] of [
      [clear, 'required'],
      [implicit, 'implicit'],
    ] as const) {
      const opened = await connectSmtp({
        host: 'mx.example.com',
        address: '127.0.0.1',
        port: rig.port,
        ehloName: 'out.example',
        tls: { mode, verify: false },
        auth: { user: 'ann', pass: 'key' },
      });
      if (opened.kind === 'failed') throw new Error(opened.error);
      const outcome = await opened.session.deliver({
        mailFrom: 'a@b.example',
        rcptTo: 'c@ours.example',
        size: 9,
        chunks: [Buffer.from('Hi: x\r\n\r\n')],
        beforeDot: () => Promise.resolve(true),
      });
      expect(outcome).toMatchObject({ kind: 'accepted' });
      expect(rig.kept[0]?.session).toMatchObject({
        account: 'account of ann',
        protocol: 'ESMTPSA',
        tls: { protocol: 'TLSv1.3' },
      });
      await opened.session.quit();
    }
  });

  it('offers AUTH only under TLS, and requires it before MAIL', async () => {
    const rig = await start({ ...relay(), requireTls: true });
    const client = await rig.client();
    await client.reply();
    expect(await client.say('EHLO x')).not.toMatch(/AUTH|REQUIRETLS/);
    expect(await client.say(`AUTH PLAIN ${base64('\0ann\0key')}`)).toMatch(/^538 5\.7\./);
    expect(await client.say('MAIL FROM:<a@b.example>')).toBe('530 5.7.0 Authentication required');
    await client.say('STARTTLS');
    await client.secure();
    const offers = await client.say('EHLO x');
    expect(offers).toMatch(/AUTH PLAIN LOGIN/);
    expect(offers).toMatch(/REQUIRETLS/);
    expect(offers).not.toMatch(/STARTTLS/);
    expect(await client.say(`AUTH PLAIN ${base64('\0ann\0wrong')}`)).toBe(
      '535 5.7.8 Authentication credentials invalid',
    );
    expect(await client.say('AUTH LOGIN')).toMatch(/^334 /);
    expect(await client.say(base64('bob'), base64('key'))).toMatch(/^235 2\.7\.0 /);
    expect(await client.say('MAIL FROM:<a@b.example> REQUIRETLS')).toMatch(/^250 /);
    await client.say('RSET');
    expect(await client.send('c@ours.example', 'x\r\n')).toMatch(/^250 /);
    expect(rig.kept[0]?.session.account).toBe('account of bob');
  });

  it('signs in without TLS if that is allowed', async () => {
    const { signIn = null, hooks = {} } = relay();
    const rig = await start({ hooks, signIn: signIn && { ...signIn, authInClear: true } });
    const client = await rig.client();
    await client.reply();
    expect(await client.say('EHLO x')).toMatch(/AUTH PLAIN LOGIN/);
    expect(await client.say(`AUTH PLAIN ${base64('\0ann\0key')}`)).toMatch(/^235 /);
  });

  it('uses a changed certificate for new sessions only, and never an invalid one', async () => {
    for (const implicitTls of [false, true]) {
      const rig = await start({ implicitTls });
      const secured = async (): Promise<{
        client: Awaited<ReturnType<typeof rig.client>>;
        print: string;
      }> => {
        const client = await rig.client({ tls: implicitTls });
        await client.reply();
        const socket = implicitTls ? client.socket : null;
        if (socket === null) await client.say('EHLO x', 'STARTTLS');
        const tls = socket ?? (await client.secure());
        if (!('getPeerCertificate' in tls)) throw new Error('no TLS');
        const print = tls.getPeerCertificate().fingerprint256;
        await client.say('EHLO x');
        return { client, print };
      };
      const first = await secured();
      rig.changeCertificate(selfSignedCertificate('mx.example.com'));
      const second = await secured();
      rig.changeCertificate({ key: 'broken', cert: 'broken' });
      const third = await secured();
      expect(second.print).not.toBe(first.print);
      expect(third.print).toBe(second.print);
      expect(rig.logged.join()).toMatch(/previous certificate remains in use/);
      for (const { client } of [first, second, third]) {
        expect(await client.send('c@ours.example', 'x\r\n')).toMatch(/^250 /);
      }
    }
  });

  it('uses the alternative port if a well-known one is unavailable, and explains why', async () => {
    const taken = createServer().listen(0, '127.0.0.1');
    await new Promise((resolve) => taken.once('listening', resolve));
    const { port } = taken.address() as AddressInfo;
    await expect(start({ port, fallbackPort: 0 })).rejects.toThrow(/EADDRINUSE/);
    taken.close();
    const first = await start({ port: 465, fallbackPort: 0 });
    if (first.port !== 465) return;
    const second = await start({ port: 465, fallbackPort: 0 });
    expect(second.port).not.toBe(465);
  });

  it('turns errors of hooks into temporary refusals', async () => {
    const broken = (): never => {
      throw new Error('no store');
    };
    const rig = await start({
      hooks: { data: () => Promise.reject(new Error('no disk')), mailFrom: () => null },
    });
    const client = await rig.client();
    await client.reply();
    await client.say('EHLO x');
    expect(await client.send('c@ours.example', 'x\r\n')).toBe('451 4.3.0 Local error; try again later');
    expect(rig.logged.join()).toMatch(/no disk/);
    const { signIn = null } = relay();
    const closed = await start({
      signIn: signIn && { ...signIn, authInClear: true },
      hooks: { authenticate: ({ user }) => (user === 'far' ? { refusal: FAR } : broken()) },
    });
    const third = await closed.client();
    await third.reply();
    await third.say('EHLO x');
    for (let n = 0; n < 4; n += 1) {
      expect(await third.say(`AUTH PLAIN ${base64('\0ann\0key')}`)).toMatch(/^454 4\.7\.0 /);
    }
    expect(await third.say(`AUTH PLAIN ${base64('\0far\0key')}`)).toBe('535 5.7.1 Not from there');
    const other = await start({ hooks: { mailFrom: broken } });
    const second = await other.client();
    await second.reply();
    expect(await second.say('EHLO x', 'MAIL FROM:<a@b.example>')).toBe(
      '451 4.3.0 Local error; try again later',
    );
  });

  it('lets hooks refuse a client, a sender and a message with their own text', async () => {
    const no = { code: 550, enhanced: '5.7.1', text: 'Not you' };
    const rig = await start({ hooks: { connect: () => ({ ...no, code: 554 }) } });
    const client = await rig.client();
    expect(await client.rest()).toEqual(['554 5.7.1 Not you']);
    const other = await start({
      hooks: { mailFrom: (address) => (address === 'a@b.example' ? no : null), data: () => no },
    });
    const second = await other.client();
    await second.reply();
    expect(await second.say('EHLO x', 'MAIL FROM:<a@b.example>')).toBe('550 5.7.1 Not you');
    expect(await second.send('c@ours.example', 'x\r\n')).toBe('550 5.7.1 Not you');
  });
});

describe('the end of a listener', () => {
  it('sends idle sessions 421 immediately, and lets a message in transfer end with its reply', async () => {
    const waiters: (() => void)[] = [];
    const rig = await start({
      hooks: {
        data: () =>
          new Promise((resolve) => {
            waiters.push(() => resolve({ code: 250, enhanced: '2.0.0', text: 'Kept' }));
          }),
      },
    });
    const [idle, sending, waiting] = [await rig.client(), await rig.client(), await rig.client()];
    for (const client of [idle, sending, waiting]) {
      await client.reply();
      await client.say('EHLO x');
    }
    for (const client of [sending, waiting]) {
      await client.say('MAIL FROM:<a@b.example>', 'RCPT TO:<c@ours.example>', 'DATA');
    }
    waiting.write('x\r\n.\r\n');
    await waitFor('the hook is asked', () => waiters.length === 1);
    const stopped = rig.listener.stop(10_000);
    expect(await idle.rest()).toEqual(['421 4.3.2 Service shutting down']);
    waiters[0]?.();
    expect(await waiting.rest()).toEqual(['250 2.0.0 Kept', '421 4.3.2 Service shutting down']);
    sending.write('y\r\n.\r\n');
    await waitFor('the hook is asked again', () => waiters.length === 2);
    waiters[1]?.();
    expect(await sending.rest()).toEqual(['250 2.0.0 Kept', '421 4.3.2 Service shutting down']);
    await stopped;
    await expect(rig.client()).rejects.toThrow(/ECONNREFUSED/);
    expect(rig.admission.counts()).toMatchObject({ sessions: 0, heldOctets: 0 });
  });

  it('waits no longer than allowed', async () => {
    const rig = await start({ hooks: { data: () => new Promise(() => undefined) } });
    const implicit = await start({ implicitTls: true });
    const [client, deaf] = [await rig.client(), await implicit.client().catch(() => null)];
    await client.reply();
    await client.say('EHLO x', 'MAIL FROM:<a@b.example>', 'RCPT TO:<c@ours.example>', 'DATA');
    client.write('x\r\n.\r\n');
    await pause(20);
    await Promise.all([rig.listener.stop(50), implicit.listener.stop(50)]);
    expect(await client.reply()).toBe('closed');
    deaf?.hangUp();
    await waitFor('all are gone', () => rig.listener.sessions() + implicit.listener.sessions() === 0);
  });
});
