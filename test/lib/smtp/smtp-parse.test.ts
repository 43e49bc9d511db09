// Tests the pure parts of the SMTP client: replies, capabilities, dot-stuffing, envelope commands.

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseCapabilities } from '../../../src/lib/smtp/capabilities.js';
import { dotStuff } from '../../../src/lib/smtp/client-session.js';
import { envelopeCommands, hasEightBit, missingCapability } from '../../../src/lib/smtp/envelope.js';
import { createReplyReader, type SmtpReply } from '../../../src/lib/smtp/reply-reader.js';

function read(text: string): { replies: SmtpReply[]; fault: string | null } {
  const reader = createReplyReader();
  const fault = reader.feed(Buffer.from(text));
  const replies: SmtpReply[] = [];
  for (let reply = reader.next(); reply !== undefined; reply = reader.next()) replies.push(reply);
  return { replies, fault };
}

describe('the reply reader', () => {
  it('reads code, enhanced code and text', () => {
    expect(read('550 5.1.1 No such user\r\n').replies).toEqual([
      { code: 550, enhanced: '5.1.1', text: '5.1.1 No such user', lines: ['5.1.1 No such user'] },
    ]);
  });

  it('joins the lines of a reply and finds the enhanced code in the first line with one', () => {
    const [reply] = read('450-please wait\r\n450-4.7.1 greylisted\r\n450 4.7.2 later\r\n').replies;
    expect(reply).toEqual({
      code: 450,
      enhanced: '4.7.1',
      text: 'please wait 4.7.1 greylisted 4.7.2 later',
      lines: ['please wait', '4.7.1 greylisted', '4.7.2 later'],
    });
  });

  it('shows an enhanced code once that is in every line', () => {
    const [reply] = read(
      '550-5.1.1 There is no\r\n550-5.1.1\r\n550-5.1.1 such 5.1.1 user\r\n550 5.1.10 here\r\n',
    ).replies;
    expect(reply?.text).toBe('5.1.1 There is no such 5.1.1 user 5.1.10 here');
    expect(reply?.lines[2]).toBe('5.1.1 such 5.1.1 user');
  });

  it.each([
    ['a code alone', '250\r\n', 250, ''],
    ['a bare LF', '250 ok\n', 250, 'ok'],
    ['control characters, dropped', '250 a\x00b\x1b[31mc\u202ed\r\n', 250, 'ab[31mcd'],
    ['UTF-8', '250 grüße\r\n', 250, 'grüße'],
  ])('accepts %s', (_what, bytes, code, text) => {
    expect(read(bytes)).toMatchObject({ replies: [{ code, text }], fault: null });
  });

  it.each([
    ['another protocol', 'HTTP/1.1 400 Bad Request\r\n', /^not an SMTP reply: HTTP/],
    ['an empty line', '\r\n', /not an SMTP reply/],
    ['a code outside 2xx to 5xx', '150 hm\r\n', /not an SMTP reply/],
    ['a missing separator', '2500 hm\r\n', /not an SMTP reply/],
    ['too many lines', '250-a\r\n'.repeat(129), /too many lines/],
    ['a line without end', `250 ${'x'.repeat(5_000)}`, /too long/],
    ['a line that is too long', `250 ${'x'.repeat(5_000)}\r\n`, /too long/],
    ['a flood of replies', '250 a\r\n'.repeat(20), /replies to nothing/],
  ])('reports %s as an error', (_what, bytes, fault) => {
    expect(read(bytes).fault).toMatch(fault);
  });

  it.each([
    ['220-mx ESMTP', '521 5.7.1 blocked using list.example', 521, '5.7.1'],
    ['550-5.1.1 The mailbox you tried to reach', '554 5.1.1 does not exist', 554, '5.1.1'],
    ['451-4.7.1 Try later', '450 4.7.1 greylisted', 450, '4.7.1'],
    ['250-2.0.0 ok', '251 ok', 251, '2.0.0'],
    // The worst class wins, with the enhanced code of that class.
    ['550-5.7.1 no', '250 2.0.0 ok', 550, '5.7.1'],
    ['451-4.3.0 wait', '550 5.1.1 no', 550, '5.1.1'],
  ])('accepts %s, %s as one reply', (first, second, code, enhanced) => {
    const { replies, fault } = read(`${first}\r\n${second}\r\n`);
    expect(fault).toBeNull();
    expect(replies).toMatchObject([{ code, enhanced, lines: [first.slice(4), second.slice(4)] }]);
  });

  it('accepts a line without a code within a reply', () => {
    const { replies, fault } = read('220-mx ESMTP\r\nUnsolicited mail is refused here\r\n220 ready\r\n');
    expect(fault).toBeNull();
    expect(replies).toMatchObject([
      { code: 220, lines: ['mx ESMTP', 'Unsolicited mail is refused here', 'ready'] },
    ]);
    expect(read('250-a\r\n'.concat('b\r\n'.repeat(200))).fault).toMatch(/too many lines/);
  });

  it('keeps at most 1,024 characters of text', () => {
    const lines = `250-${'x'.repeat(900)}\r\n250 ${'y'.repeat(900)}\r\n`;
    expect(read(lines).replies[0]?.text).toHaveLength(1_024);
  });

  it('reads the same replies however the bytes are split', () => {
    const text = '250-first\r\n250 2.0.0 söcond\r\n354 go\r\n550 5.7.1 no\r\n';
    const whole = read(text).replies;
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1 }), (sizes) => {
        const bytes = Buffer.from(text);
        const reader = createReplyReader();
        for (let at = 0, turn = 0; at < bytes.length; turn += 1) {
          const size = sizes[turn % sizes.length] ?? 1;
          expect(reader.feed(bytes.subarray(at, at + size))).toBeNull();
          at += size;
        }
        expect([reader.next(), reader.next(), reader.next(), reader.next()]).toEqual([...whole, undefined]);
      }),
    );
  });

  it('survives any bytes', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 500 }), (bytes) => {
        createReplyReader().feed(Buffer.from(bytes));
      }),
    );
  });
});

describe('capabilities', () => {
  it('are read from the EHLO lines after the first, in any case', () => {
    const lines = [
      'mx.example',
      'pipelining',
      'SIZE 35882577',
      '8BITMIME',
      'AUTH PLAIN login',
      'AUTH=LOGIN',
      'X-NEW a',
    ];
    expect(parseCapabilities(lines)).toEqual({
      pipelining: true,
      eightBitMime: true,
      smtpUtf8: false,
      dsn: false,
      startTls: false,
      requireTls: false,
      maxSizeBytes: 35_882_577,
      auth: ['PLAIN', 'LOGIN'],
    });
  });

  it.each(['SIZE', 'SIZE 0', 'SIZE many'])('treat "%s" as no limit', (line) => {
    expect(parseCapabilities(['mx', line]).maxSizeBytes).toBeNull();
  });

  it('ignore the name of the peer', () => {
    expect(parseCapabilities(['PIPELINING']).pipelining).toBe(false);
  });
});

describe('dot-stuffing', () => {
  it.each([
    ['a\r\n', 'a\r\n'],
    ['.\r\n', '..\r\n'],
    ['.a\r\n..b\r\nc.\r\n.\r\n', '..a\r\n...b\r\nc.\r\n..\r\n'],
  ])('turns %j into %j', (plain, stuffed) => {
    expect(Buffer.concat(dotStuff([Buffer.from(plain)])).toString()).toBe(stuffed);
  });

  it('does not copy a chunk without a line that begins with a dot', () => {
    const chunk = Buffer.from('Subject: a.b\r\n\r\nend.\r\n');
    expect(dotStuff([chunk])[0]).toBe(chunk);
  });

  it('equals the line-by-line rule for every text and every split into chunks', () => {
    const line = fc.stringMatching(/^[.a ]{0,6}$/);
    fc.assert(
      fc.property(fc.array(line, { minLength: 1 }), fc.array(fc.nat(7)), (lines, cuts) => {
        const plain = Buffer.from(lines.map((text) => `${text}\r\n`).join(''));
        const expected = lines.map((text) => `${text.startsWith('.') ? '.' : ''}${text}\r\n`).join('');
        const chunks: Buffer[] = [];
        let at = 0;
        for (const cut of cuts) chunks.push(plain.subarray(at, (at += cut)));
        chunks.push(plain.subarray(at));
        expect(Buffer.concat(dotStuff(chunks)).toString()).toBe(expected);
      }),
    );
  });

  it.each([
    ['a bare LF', ['a\nb\r\n']],
    ['a bare LF at the start', ['\na\r\n']],
    ['a bare CR', ['a\rb\r\n']],
    ['a CR before CRLF', ['a\r\r\n']],
    ['a CR cut off from its LF by something else', ['a\r', 'b\r\n']],
    ['no line end at the end', ['a\r\nb']],
    ['a CR at the end', ['a\r']],
    ['nothing', []],
  ])('refuses %s with an error', (_what, chunks) => {
    expect(() => dotStuff(chunks.map((chunk) => Buffer.from(chunk)))).toThrow(/^message/);
  });

  it('accepts a CRLF that is split between chunks', () => {
    const stuffed = dotStuff([Buffer.from('a\r'), Buffer.from('\n'), Buffer.from('.b\r\n')]);
    expect(Buffer.concat(stuffed).toString()).toBe('a\r\n..b\r\n');
  });
});

describe('envelope commands', () => {
  const envelope = { mailFrom: 'b+1@from.example', rcptTo: 'to@example.com', size: 1_000 };
  const full = parseCapabilities(['mx', 'SIZE 5000', '8BITMIME', 'SMTPUTF8', 'DSN']);
  const bare = parseCapabilities(['mx']);

  it('have parameters only if they are offered', () => {
    const notify = ['FAILURE', 'DELAY'] as const;
    const dsn = { ret: 'HDRS', envid: 'a+3Db', notify, orcpt: 'utf-8;t\\x{F6}@example.com' } as const;
    expect(envelopeCommands({ ...envelope, dsn }, true, full)).toEqual({
      mail: 'MAIL FROM:<b+1@from.example> SIZE=1000 BODY=8BITMIME RET=HDRS ENVID=a+3Db',
      rcpt: 'RCPT TO:<to@example.com> NOTIFY=FAILURE,DELAY ORCPT=utf-8;t\\x{F6}@example.com',
    });
    expect(envelopeCommands({ ...envelope, dsn }, false, bare)).toEqual({
      mail: 'MAIL FROM:<b+1@from.example>',
      rcpt: 'RCPT TO:<to@example.com>',
    });
  });

  it('have SMTPUTF8 for a non-ASCII address, and an empty reverse path', () => {
    const { mail } = envelopeCommands({ mailFrom: '', rcptTo: 'grüße@example.com', size: 1 }, false, full);
    expect(mail).toBe('MAIL FROM:<> SIZE=1 SMTPUTF8');
  });

  it.each(['a@b.example>\r\nDATA', 'a\0@b.example', '<a@b.example'])(
    'refuse the address %j with an error',
    (rcptTo) => {
      expect(() => envelopeCommands({ ...envelope, rcptTo }, false, full)).toThrow(/address/);
    },
  );

  it('have SMTPUTF8 for UTF-8 in the header', () => {
    const mail = { ...envelope, utf8Fields: true };
    expect(envelopeCommands(mail, true, full).mail).toBe(
      'MAIL FROM:<b+1@from.example> SIZE=1000 BODY=8BITMIME SMTPUTF8',
    );
  });

  it.each(['a b', 'a=b', 'a\r\nDATA', ''])('refuse the DSN parameter %j with an error', (envid) => {
    expect(() => envelopeCommands({ ...envelope, dsn: { envid } }, false, full)).toThrow(/DSN/);
  });

  it.each([
    ['UTF-8 in the header', { ...envelope, utf8Fields: true }, true, bare, 550, '5.6.7'],
    ['a message above the limit', { ...envelope, size: 5_001 }, false, full, 552, '5.3.4'],
    ['a non-ASCII address', { ...envelope, rcptTo: 'ü@example.com' }, false, bare, 550, '5.6.7'],
    ['8-bit content', envelope, true, bare, 554, '5.6.3'],
    ['REQUIRETLS', { ...envelope, requireTls: true }, false, full, 550, '5.7.30'],
    ['nothing', envelope, true, full, undefined, undefined],
  ])("report that %s exceeds the peer's capabilities", (_what, mail, isEightBit, offered, code, enhanced) => {
    const reply = missingCapability(mail, isEightBit, offered, true);
    expect([reply?.code, reply?.enhanced]).toEqual([code, enhanced]);
  });

  it('have REQUIRETLS only for a verified peer that offers it', () => {
    const offered = parseCapabilities(['mx', 'REQUIRETLS']);
    const mail = { ...envelope, requireTls: true };
    expect(missingCapability(mail, false, offered, true)).toBeNull();
    expect(missingCapability(mail, false, offered, false)?.enhanced).toBe('5.7.30');
    expect(envelopeCommands(mail, false, offered).mail).toBe('MAIL FROM:<b+1@from.example> REQUIRETLS');
    expect(envelopeCommands(envelope, false, offered).mail).toBe('MAIL FROM:<b+1@from.example>');
  });

  it('recognize 8-bit content', () => {
    expect(hasEightBit([Buffer.from('a'), Buffer.from('b')])).toBe(false);
    expect(hasEightBit([Buffer.from('a'), Buffer.from('ü')])).toBe(true);
  });
});
