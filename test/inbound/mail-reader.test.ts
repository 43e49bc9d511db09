import { readFileSync } from 'node:fs';
import { generateKeyPairSync } from 'node:crypto';
import { afterEach, describe, expect, it } from 'vitest';
import { signMessage } from '../../src/lib/dkim/index.js';
import { MailReader, type MailReaderOptions } from '../../src/inbound/classify/mail-reader.js';
import { startDnsServer, type TestDnsServer } from '../support/dns-server.js';

const replyRules: unknown = JSON.parse(
  readFileSync(new URL('../../config/reply-rules.json', import.meta.url), 'utf8'),
);
const open: { close: () => Promise<void> }[] = [];

function reader(options: Partial<MailReaderOptions> = {}): MailReader {
  const made = new MailReader({
    replyRules,
    dns: { servers: ['127.0.0.1:9'], hostName: 'mx.mailkeel.example' },
    onFault: (fault) => {
      throw new Error(fault);
    },
    ...options,
  });
  open.push(made);
  return made;
}

async function dnsServer(): Promise<TestDnsServer> {
  const made = await startDnsServer();
  open.push(made);
  return made;
}

afterEach(async () => {
  await Promise.all(open.splice(0).map((each) => each.close()));
});

const READ = { owner: 'a', splitsReply: false };
const HEADER = ['From: Ann <ann@example.com>', 'Subject: Hello', 'Message-ID: <1@example.com>'];
const ALL_OCTETS = Buffer.from(Array.from({ length: 256 }, (_, i) => i));
const mailWith = (content: Buffer): Buffer =>
  Buffer.from(
    [
      ...HEADER,
      'Content-Type: multipart/mixed; boundary=b',
      '',
      '--b',
      '',
      'text',
      '--b',
      'Content-Type: image/png; name=x.png',
      'Content-Transfer-Encoding: base64',
      '',
      content.toString('base64').replace(/.{76}/g, '$&\r\n'),
      '--b--',
      '',
    ].join('\r\n'),
  );
/** The comment makes the form unusual, so that a thread reads it. */
const UNUSUAL = 'Content-Transfer-Encoding: 7bit (text)';
/** Takes the parser seconds, because it reads a message line by line. */
const slow = (): Buffer =>
  Buffer.concat([
    Buffer.from(`${[...HEADER, UNUSUAL].join('\r\n')}\r\n\r\n`),
    Buffer.alloc(12_000_000, '\n'),
  ]);

describe('reading mail', () => {
  it('returns the mail with its parts as plain octets, and does not change the raw octets', async () => {
    const octets = Buffer.concat(Array<Buffer>(1_000).fill(ALL_OCTETS));
    const raw = mailWith(octets);
    const before = Buffer.from(raw);
    const answer = await reader().read(raw, READ);
    expect(answer).toMatchObject({
      kind: 'read',
      mail: { from: { email: 'ann@example.com', name: 'Ann' }, subject: 'Hello', text: 'text', problems: [] },
      visible: { visibleText: '', quotedText: null },
    });
    const part = answer.kind === 'read' ? answer.mail.parts[0] : undefined;
    expect({ ...part, content: null }).toEqual({
      type: 'image/png',
      filename: 'x.png',
      contentId: null,
      isInline: false,
      content: null,
    });
    // Not with toEqual, which compares each byte as a property.
    expect(octets.equals(part?.content ?? new Uint8Array())).toBe(true);
    expect(part?.content.constructor).toBe(Uint8Array);
    expect(raw.equals(before)).toBe(true);
  });

  it('parses plain mail without a thread, even while all are busy', async () => {
    const made = reader({ threads: 1, wallLimitMs: 150 });
    const waiting = made.read(slow(), READ);
    expect((await made.read(Buffer.from('Subject: x\r\n\r\ny'), READ)).kind).toBe('read');
    expect((await waiting).kind).toBe('unreadable');
  });

  it("extracts the author's text on request", async () => {
    const raw = Buffer.from(
      `${HEADER.join('\r\n')}\r\n\r\nYes.\r\n\r\nOn Fri, 20 Nov 2026 at 10:00, Bob <bob@example.org> wrote:\r\n> Do you?\r\n`,
    );
    expect(await reader().read(raw, { owner: 'a', splitsReply: true })).toMatchObject({
      visible: { visibleText: 'Yes.', quotedText: expect.stringContaining('Do you?') },
    });
  });

  it('returns the right result for each of many mails', async () => {
    const made = reader();
    const answers = await Promise.all(
      Array.from({ length: 60 }, (_, i) =>
        made.read(Buffer.from(`Subject: ${i}\r\n${UNUSUAL}\r\n\r\nbody ${i}`), {
          owner: `o${i % 4}`,
          splitsReply: false,
        }),
      ),
    );
    expect(answers.map((answer) => (answer.kind === 'busy' ? null : answer.mail.text))).toEqual(
      Array.from({ length: 60 }, (_, i) => `body ${i}`),
    );
  });

  it('parses the header of a mail that takes too long, remembers it, and continues', async () => {
    const made = reader({ threads: 1, wallLimitMs: 300 });
    const unreadable = {
      kind: 'unreadable',
      reason: 'timeout',
      mail: {
        subject: 'Hello',
        from: { email: 'ann@example.com' },
        messageId: '1@example.com',
        text: null,
        parts: [],
        problems: [expect.stringContaining('too long')],
      },
    };
    const raw = slow();
    expect(await made.read(raw, READ)).toMatchObject(unreadable);
    expect(await made.read(raw, READ)).toMatchObject(unreadable);
    // The new thread must load its packages within the limit as well, which may fail at first on a busy machine.
    let tries = 0;
    await expect
      .poll(
        async () => (await made.read(Buffer.from(`X: ${(tries += 1)}\r\n${UNUSUAL}\r\n\r\ny`), READ)).kind,
        {
          timeout: 15_000,
        },
      )
      .toBe('read');
  });

  it('is busy if too many mails wait, and when it closes', async () => {
    const made = reader({ threads: 1, maxQueue: 2 });
    const kinds = await Promise.all(
      Array.from({ length: 20 }, (_, i) =>
        made.read(Buffer.from(`X: ${i}\r\n${UNUSUAL}\r\n\r\ny`), READ).then(({ kind }) => kind),
      ),
    );
    expect(new Set(kinds)).toEqual(new Set(['read', 'busy']));
    await made.close();
    expect(await made.read(Buffer.from(`${UNUSUAL}\r\n\r\ny`), READ)).toEqual({ kind: 'busy' });
  });
});

describe('authenticating mail in a thread', () => {
  const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const signed = (): Buffer => {
    const body = Buffer.from('Hello\r\n');
    const signatures = signMessage({
      headerLines: HEADER,
      body,
      signers: [
        { domain: 'example.com', selector: 'r', algorithm: 'rsa-sha256', privateKey: rsa.privateKey },
      ],
      signedAt: 1_763_700_000,
    });
    return Buffer.concat([Buffer.from(`${[...signatures, ...HEADER].join('\r\n')}\r\n\r\n`), body]);
  };
  const ENVELOPE = { clientAddress: '192.0.2.1', helo: 'c.example.com', mailFrom: 'b@example.com' };

  it('queries the given name servers, and caches their answers', async () => {
    const dns = await dnsServer();
    const key = rsa.publicKey.export({ type: 'spki', format: 'der' }).toString('base64');
    dns.set('r._domainkey.example.com', 'TXT', [`v=DKIM1; p=${key}`]);
    dns.set('example.com', 'TXT', ['v=spf1 ip4:192.0.2.1 -all']);
    dns.set('_dmarc.example.com', 'TXT', ['v=DMARC1; p=reject']);
    const made = reader({
      threads: 1,
      dns: { servers: [dns.address], hostName: 'mx.mailkeel.example' },
    });
    const raw = signed();
    const expected = {
      spf: { result: 'pass', domain: 'example.com' },
      dkim: [{ result: 'pass', domain: 'example.com', selector: 'r', aligned: true }],
      dmarc: { result: 'pass', policy: 'reject', domain: 'example.com' },
      arc: { result: 'none' },
      fromDomain: 'example.com',
      authenticatedDomains: ['example.com'],
    };
    expect(await made.authenticate(raw, ENVELOPE)).toEqual(expected);
    const asked = dns.queries.length;
    expect(await made.authenticate(raw, ENVELOPE)).toEqual(expected);
    expect(dns.queries).toHaveLength(asked);
  });

  it('does not delay a mail for the name servers of others', async () => {
    const dns = await dnsServer();
    for (const name of ['slow.example', '_dmarc.slow.example']) dns.fault(name, 'drop');
    dns.set('example.com', 'TXT', ['v=spf1 ip4:192.0.2.1 -all']);
    const made = reader({
      threads: 1,
      dns: { servers: [dns.address], hostName: 'x.example', lookUpTimeoutMs: 1_500, totalTimeoutMs: 4_000 },
    });
    const order: string[] = [];
    const judge = async (domain: string, host: number): Promise<void> => {
      const raw = Buffer.from(`From: a@${domain}\r\nSubject: x\r\n\r\ny\r\n`);
      const envelope = { clientAddress: `192.0.2.${host}`, helo: 'c.example', mailFrom: `a@${domain}` };
      const answer = await made.authenticate(raw, envelope);
      if ('kind' in answer) throw new Error('busy');
      order.push(answer.spf.result);
    };
    const slow = Array.from({ length: 10 }, (_, index) => judge('slow.example', 10 + index));
    await Promise.all([...slow, judge('example.com', 1)]);
    expect(order).toEqual(['pass', ...Array<string>(10).fill('temperror')]);
  });

  it('returns temperror if no name server responds, and handles other mail meanwhile', async () => {
    const dns = await dnsServer();
    for (const name of ['r._domainkey.example.com', 'example.com', '_dmarc.example.com'])
      dns.fault(name, 'drop');
    const made = reader({
      threads: 1,
      dns: { servers: [dns.address], hostName: 'x.example', lookUpTimeoutMs: 600, totalTimeoutMs: 1_500 },
    });
    const waiting = made.authenticate(signed(), ENVELOPE);
    expect((await made.read(mailWith(ALL_OCTETS), READ)).kind).toBe('read');
    expect(await waiting).toMatchObject({
      spf: { result: 'temperror' },
      dkim: [{ result: 'temperror' }],
      dmarc: { result: 'temperror' },
      authenticatedDomains: [],
    });
  });
});
