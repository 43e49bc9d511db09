// Tests composing: structure, exact bytes read back by an independent parser, and limits of lines and
// headers.
import fc from 'fast-check';
import { simpleParser, type AddressObject } from 'mailparser';
import { describe, expect, it } from 'vitest';
import { composeMessage, joinMessage, type ComposeInput } from '../../../src/lib/mime/mime-build.js';
import { anyText } from '../../support/any-text.js';
import { runs, sized } from '../../support/run-size.js';

const base: ComposeInput = {
  from: { email: 'ann@example.com', name: 'Ann' },
  to: [{ email: 'bob@example.net', name: null }],
  cc: [],
  replyTo: [],
  subject: 'Hello',
  messageId: 'token@example.com',
  date: Date.UTC(2026, 1, 3, 4, 5, 6),
  html: null,
  text: 'Hi\n',
  attachments: [],
  headers: [],
  boundarySeed: 'msg_1',
};

function wire(input: Partial<ComposeInput>): Buffer {
  const { headerLines, body } = composeMessage({ ...base, ...input });
  return joinMessage(headerLines, body);
}

function expectWellFormed(message: Buffer): void {
  const text = message.toString('latin1');
  expect(text).not.toMatch(/[^\x01-\x7f]/);
  expect(text).not.toMatch(/\r(?!\n)|(?<!\r)\n/);
  expect(text.endsWith('\r\n')).toBe(true);
  expect(Math.max(...text.split('\r\n').map((line) => line.length))).toBeLessThanOrEqual(998);
}

/** Decodes a transfer encoding strictly by RFC 2045, so that nothing is normalized on the way. */
function decoded(body: string, encoding: string): string {
  if (encoding === 'base64') return Buffer.from(body, 'base64').toString('utf8');
  if (encoding === '7bit') return body;
  const bytes = body
    .replace(/=\r\n/g, '')
    .replace(/=([0-9A-F]{2})/g, (_all, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
  return Buffer.from(bytes, 'latin1').toString('utf8');
}

function singleText(text: string): { encoding: string; body: string; text: string } {
  const { headerLines, body } = composeMessage({ ...base, text });
  const field = headerLines.find((line) => line.startsWith('Content-Transfer-Encoding: ')) ?? '';
  const encoding = field.slice('Content-Transfer-Encoding: '.length);
  const raw = body.toString('latin1');
  return { encoding, body: raw, text: decoded(raw, encoding) };
}

const hostileText = fc.array(
  fc.oneof(
    fc.constantFrom('\n', '\r\n', '\r', ' ', '\t', '=', '.', 'From ', '\0', '\f', 'ü', '😀', '--'),
    anyText({ maxLength: 120 }),
    fc.string({ maxLength: 1200 }),
  ),
  { maxLength: 30 },
);

const crlf = (text: string): string => text.replace(/\r?\n/g, '\r\n');
const lf = (text: string): string => text.replace(/\r?\n/g, '\n');

describe('structure', () => {
  const file = {
    filename: 'a.pdf',
    contentType: 'application/pdf',
    contentId: null,
    content: Buffer.from('%PDF'),
  };
  const image = {
    filename: 'l.png',
    contentType: 'image/png',
    contentId: 'logo',
    content: Buffer.from('png'),
  };
  const cases: [string, Partial<ComposeInput>, string[]][] = [
    ['text alone', {}, ['text/plain']],
    ['html alone', { text: null, html: '<p>x</p>\n' }, ['text/html']],
    ['nothing at all', { text: null }, ['text/plain']],
    ['both', { html: '<p>x' }, ['multipart/alternative', 'text/plain', 'text/html']],
    ['text and file', { attachments: [file] }, ['multipart/mixed', 'text/plain', 'application/pdf']],
    ['a file alone', { text: null, attachments: [file] }, ['multipart/mixed', 'application/pdf']],
    [
      'inline image',
      { html: '<img src="cid:logo">', attachments: [image] },
      ['multipart/alternative', 'text/plain', 'multipart/related', 'text/html', 'image/png'],
    ],
    [
      'image that the html does not show',
      { html: '<img src="cid:logo2">', attachments: [image] },
      ['multipart/mixed', 'multipart/alternative', 'text/plain', 'text/html', 'image/png'],
    ],
    ['image without html', { attachments: [image] }, ['multipart/mixed', 'text/plain', 'image/png']],
    [
      'all of it',
      { html: '<img src="cid:logo">', attachments: [file, image] },
      [
        'multipart/mixed',
        'multipart/alternative',
        'text/plain',
        'multipart/related',
        'text/html',
        'image/png',
        'application/pdf',
      ],
    ],
  ];
  it.each(cases)('%s', (_name, input, types) => {
    const message = wire(input);
    expectWellFormed(message);
    const found = [...message.toString('latin1').matchAll(/^Content-Type: ([^;\r]+)/gm)].map(
      (match) => match[1],
    );
    expect(found).toEqual(types);
  });

  it.each([
    ['<img src=cid:a.1@x>', 'a.1@x'],
    ["<img src='CID:A.1@X'>", 'a.1@x'],
    ['<td style="background:url(cid:a.1@x)">', 'a.1@x'],
    ['<td style="background:url(&quot;cid:a.1@x&quot;)">', 'a.1@x'],
    ['<img src="cid:a%2E1%40x">', 'a.1@x'],
    ['<img src="cid:a&amp;b">', 'a&b'],
    ['<img src="cid:50%">', '50%'],
    ['<img srcset="cid:a.1@x, cid:b 2x">', 'a.1@x'],
    ['<img src=cid:logo/>', 'logo'],
    ['<img src="cid:it\'s">', "it's"],
  ])('shows the file that %s refers to inline, as %s', (html, contentId) => {
    const message = wire({ html, attachments: [{ ...image, contentId }] }).toString('latin1');
    expect(message).toMatch(/Content-Disposition: inline/);
  });

  it.each([
    ['<img src="cid:logo.png">', 'logo'],
    ['<p>Logo</p>', 'logo'],
    ['<img src="https://shop.example/logo">', 'logo'],
  ])('attaches a file that %s does not refer to, with its Content-ID', (html, contentId) => {
    const message = wire({ html, attachments: [{ ...image, contentId }] }).toString('latin1');
    expect(message).toMatch(/Content-Disposition: attachment/);
    expect(message).toContain(`Content-ID: <${contentId}>`);
  });

  it('produces the same bytes for the same input', () => {
    const input = { html: '<p>ü</p>', attachments: [file, image] };
    expect(wire(input).equals(wire(input))).toBe(true);
  });

  it('chooses another boundary if the text contains the first one', () => {
    const boundaryOf = (message: Buffer): string =>
      /boundary="([^"]+)"/.exec(message.toString('latin1'))?.[1] ?? '';
    const first = boundaryOf(wire({ html: '<p>x' }));
    const second = boundaryOf(wire({ html: '<p>x', text: `--${first}--\n` }));
    expect(second).not.toBe('');
    expect(second).not.toBe(first);
  });

  it('writes the header fields in order, the date in UTC', () => {
    const { headerLines } = composeMessage({ ...base, headers: [['X-Tag', 'a']] });
    expect(headerLines).toEqual([
      'Date: Tue, 03 Feb 2026 04:05:06 +0000',
      'From: Ann <ann@example.com>',
      'To: bob@example.net',
      'Message-ID: <token@example.com>',
      'Subject: Hello',
      'X-Tag: a',
      'MIME-Version: 1.0',
      'Content-Type: text/plain; charset=utf-8',
      'Content-Transfer-Encoding: 7bit',
    ]);
  });
});

describe('transfer encodings', () => {
  const cases: [string, string, string][] = [
    ['plain ascii', 'a\nb\n', '7bit'],
    ['trailing blanks and tabs', 'a  \n\tb\t\n \n', '7bit'],
    ['a form feed', 'a\fb\n', '7bit'],
    ['lines with dots', '.\n..\n.a\n', '7bit'],
    ['a line of 998', `${'x'.repeat(998)}\n`, '7bit'],
    ['a line of 999', `${'x'.repeat(999)}\n`, 'quoted-printable'],
    ['no final line end', 'a', 'quoted-printable'],
    ['no text', '', 'quoted-printable'],
    ['a blank at the very end', 'a ', 'quoted-printable'],
    ['NUL', 'a\0b\n', 'quoted-printable'],
    ['a lone CR', 'a\rb\r\r\n\r', 'quoted-printable'],
    ['From at the start', 'From here\n', 'quoted-printable'],
    ['From on a later line', 'a\nFrom here\n', 'quoted-printable'],
    ['some umlauts', 'Grüße aus Köln, hier ist alles in Ordnung\n', 'quoted-printable'],
    ['mostly Japanese', 'こんにちは世界\nさようなら', 'base64'],
    ['emoji', '👩‍👩‍👧 🎉 😀', 'base64'],
  ];
  it.each(cases)('%s', (_name, text, encoding) => {
    const result = singleText(text);
    expect(result.encoding).toBe(encoding);
    expect(result.text).toBe(crlf(text));
  });

  it('puts no "From " or dot at the start of a quoted-printable line, and no blank at its end', () => {
    const { body } = singleText(`ü\nFrom a\n.\n${'From . '.repeat(40)} \n`);
    expect(body).not.toMatch(/^(?:From |\.)/m);
    expect(body).not.toMatch(/[ \t]\r\n/);
    expect(Math.max(...body.split('\r\n').map((line) => line.length))).toBeLessThanOrEqual(76);
  });

  it('preserves any text exactly, apart from line ends', () => {
    fc.assert(
      fc.property(hostileText, (units) => {
        const text = units.join('').replace(/\p{Surrogate}/gu, '?');
        const result = singleText(text);
        expect(result.text).toBe(crlf(text));
        expectWellFormed(wire({ text }));
      }),
      runs(300),
    );
  });

  it('is linear for malicious text', () => {
    const length = sized({ small: 250_000, full: 1_000_000 });
    for (const unit of ['\r', '\n', ' ', '=', 'ü', '\nFrom ', '.\n', '=?']) {
      const started = performance.now();
      wire({ text: unit.repeat(length / unit.length), html: '<p>x' });
      expect(performance.now() - started).toBeLessThan(3000);
    }
  });
});

describe('headers', () => {
  it('throws if a value would start another field', () => {
    const attachment = { filename: 'a', contentType: 'a/b', contentId: null, content: Buffer.alloc(0) };
    for (const evil of ['a\r\nBcc: x@y.z', 'a\nb', 'a\rb', 'a\0b']) {
      const inputs: Partial<ComposeInput>[] = [
        { subject: evil },
        { from: { email: 'a@b.c', name: evil } },
        { to: [{ email: evil, name: null }] },
        { cc: [{ email: 'a@b.c', name: evil }] },
        { replyTo: [{ email: evil, name: null }] },
        { messageId: evil },
        { headers: [['X-A', evil]] },
        { headers: [[evil, 'a']] },
        { attachments: [{ ...attachment, filename: evil }] },
        { attachments: [{ ...attachment, contentType: evil }] },
        { attachments: [{ ...attachment, contentId: evil }] },
      ];
      for (const input of inputs) expect(() => wire(input)).toThrow(Error);
    }
  });

  it('keeps encoded words within 75 and lines within 78 characters, for a subject of 998', async () => {
    for (const subject of [
      '😀'.repeat(499),
      'ä b '.repeat(249),
      'x'.repeat(998),
      'word '.repeat(199) + 'end',
    ]) {
      const { headerLines } = composeMessage({ ...base, subject });
      const field = headerLines.find((line) => line.startsWith('Subject:')) ?? '';
      for (const line of field.split('\r\n')) expect(line.length).toBeLessThanOrEqual(78);
      for (const word of field.matchAll(/=\?[^ \r]+\?=/g)) expect(word[0].length).toBeLessThanOrEqual(75);
      expect((await simpleParser(wire({ subject }))).subject).toBe(subject);
    }
  });

  const foldedAtBlanks = `${'x'.repeat(60)}   ${'y'.repeat(20)}`;
  const plain = ['two  blanks', foldedAtBlanks, ' lead', 'a\tb', '', 'x"y\\z', '='];
  it.each(['=?utf-8?Q?x?=', 'see =?utf-8?Q?a b?= here', ...plain])(
    'preserves the subject %j',
    async (subject) => {
      expect((await simpleParser(wire({ subject }))).subject ?? '').toBe(subject);
    },
  );

  it('folds many recipients', async () => {
    const to = Array.from({ length: 50 }, (_, i) => ({ email: `user${i}@example.com`, name: `Näme, ${i}` }));
    const message = wire({ to });
    expectWellFormed(message);
    const parsed = await simpleParser(message);
    expect(mailboxes(parsed.to)).toEqual(to);
  });

  it('encodes file names by RFC 2231, and in encoded words for older receivers', () => {
    const attachment = {
      filename: 'Bericht für Köln.pdf',
      contentType: 'application/pdf',
      contentId: null,
      content: Buffer.from('x'),
    };
    const text = wire({ attachments: [attachment] }).toString('latin1');
    expect(text).toContain('\r\n name="=?UTF-8?Q?Bericht_f=C3=BCr_K=C3=B6ln=2Epdf?="\r\n');
    expect(text).toContain("filename*0*=utf-8''Bericht%20f%C3%BCr%20K%C3%B6ln.pdf");
  });
});

describe('attached messages', () => {
  const attached = (content: string): string =>
    wire({
      attachments: [
        { filename: 'm.eml', contentType: 'message/rfc822', contentId: null, content: Buffer.from(content) },
      ],
    }).toString('latin1');

  it('are unchanged if they are 7-bit with CRLF line ends', () => {
    expect(attached('Subject: x\r\n\r\nhi\r\n')).toContain(
      'Content-Transfer-Encoding: 7bit\r\nContent-Disposition: attachment; filename=m.eml\r\n\r\nSubject: x\r\n\r\nhi\r\n',
    );
  });

  it('otherwise keep their bytes and lose their type', () => {
    expect(attached('Subject: ü\r\n\r\nhi\r\n')).toContain('application/octet-stream');
    expect(attached('Subject: x\n\nhi\n')).toContain('application/octet-stream');
  });
});

function mailboxes(
  field: AddressObject | AddressObject[] | undefined,
): { email: string; name: string | null }[] {
  const list = field === undefined ? [] : Array.isArray(field) ? field : [field];
  return list
    .flatMap((one) => one.value)
    .map((one) => ({ email: one.address ?? '', name: one.name === '' ? null : one.name }));
}

describe('parsed by mailparser', () => {
  const line = fc.string({ unit: 'grapheme', maxLength: 60 }).map((text) => text.replace(/[\r\n\0]/g, ' '));
  const name = fc.oneof(
    fc.constant(null),
    fc.constantFrom(
      'Ann',
      'Smith, Ann',
      'Ann "A" O\'Neil',
      'Jürgen Groß',
      '山田 太郎',
      '😀 Shop',
      'a@b.c',
      'x (y)',
    ),
    fc.string({ unit: 'grapheme-composite', minLength: 1, maxLength: 40 }).map((text) => `n${text}n`),
  );
  const mailbox = fc.record({
    email: fc.stringMatching(/^[a-z0-9+_-]{1,20}@[a-z0-9]{1,20}\.(?:com|example)$/),
    name,
  });
  const body = fc.array(fc.oneof(fc.string({ unit: 'grapheme', maxLength: 200 }), fc.constant('From x')), {
    minLength: 1,
    maxLength: 12,
  });
  const attachment = fc.record({
    filename: fc.oneof(
      fc.constantFrom(
        'a.pdf',
        'a b.pdf',
        'Übersicht 2026.pdf',
        '写真.png',
        `${'long '.repeat(30)}.txt`,
        "it's.txt",
      ),
      fc
        .string({ unit: 'grapheme', minLength: 1, maxLength: 40 })
        .map((text) => `f${text.replace(/[\r\n\0]/g, '')}.x`),
    ),
    contentType: fc.constantFrom('application/pdf', 'application/octet-stream', 'text/csv; charset=utf-8'),
    contentId: fc.oneof(fc.constant(null), fc.stringMatching(/^[a-z0-9]{1,20}$/)),
    content: fc.uint8Array({ maxLength: 300 }).map((bytes) => Buffer.from(bytes)),
  });

  it('has the same subject, addresses, text, HTML and files', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.record({
          from: mailbox,
          to: fc.array(mailbox, { minLength: 1, maxLength: 4 }),
          cc: fc.array(mailbox, { maxLength: 2 }),
          replyTo: fc.array(mailbox, { maxLength: 3 }),
          subject: line.map((text) => `s${text}s`),
          text: body.map((lines) => lines.join('\n')),
          html: fc.option(body.map((lines) => `<p>${lines.join('\n')}</p>`)),
          attachments: fc.array(attachment, { maxLength: 3 }),
        }),
        async (input) => {
          const message = wire(input);
          expectWellFormed(message);
          const parsed = await simpleParser(message, { skipImageLinks: true });
          expect(parsed.subject).toBe(input.subject);
          expect(parsed.messageId).toBe('<token@example.com>');
          expect(parsed.date?.getTime()).toBe(base.date);
          expect(mailboxes(parsed.from)).toEqual([input.from]);
          expect(mailboxes(parsed.to)).toEqual(input.to);
          expect(mailboxes(parsed.cc)).toEqual(input.cc);
          expect(mailboxes(parsed.replyTo)).toEqual(input.replyTo);
          expect(lf(parsed.text ?? '')).toBe(lf(input.text));
          expect(lf(parsed.html || '')).toBe(lf(input.html ?? ''));
          const sent = input.attachments.map((file) => ({
            name: file.filename,
            content: file.content.toString('hex'),
          }));
          const got = parsed.attachments.map((file) => ({
            name: file.filename,
            content: file.content.toString('hex'),
          }));
          const byName = (a: { name: string | undefined; content: string }, b: typeof a): number =>
            `${a.name}${a.content}` < `${b.name}${b.content}` ? -1 : 1;
          expect(got.sort(byName)).toEqual(sent.sort(byName));
        },
      ),
      runs(300),
    );
  });
});
