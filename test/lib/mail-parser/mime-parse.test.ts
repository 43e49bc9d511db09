import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  decodeCharset,
  findField,
  joinFlowedLines,
  MAIL_LIMITS,
  mailOfHeader,
  type MailPart,
  type ParsedMail,
  readDate,
  readMailboxes,
  readMessageIds,
} from '../../../src/lib/mime/index.js';
import { parseMail } from '../../../src/lib/mail-parser/mime-parse.js';
import { anyText } from '../../support/any-text.js';
import { runs } from '../../support/run-size.js';

/** One character per octet; lines end with CRLF. */
const octets = (...lines: string[]): Buffer => Buffer.from(lines.join('\r\n'), 'latin1');
const parsed = (...lines: string[]): Promise<ParsedMail> => parseMail(octets(...lines));
const contentOf = (part: MailPart | undefined): string => Buffer.from(part?.content ?? []).toString('latin1');
const outline = ({ parts }: ParsedMail): [string, string | null, string][] =>
  parts.map((part) => [part.type, part.filename, contentOf(part)]);
const utf8 = (text: string): string => Buffer.from(text).toString('latin1');

describe('the header', () => {
  it('has its fields in order, mailboxes, subject, ids and date', async () => {
    const mail = await parsed(
      'Received: from a',
      'Received: from b',
      'From: =?utf-8?Q?J=C3=B6rg?= <Joerg@Example.com>',
      'Reply-To: "Desk, Help" <help@example.com>, x@example.com',
      'To: Team: a@example.org, "B" <b@example.org>; , c@example.org',
      'Cc: d@example.org',
      'Subject: =?iso-8859-1?Q?Gr=FC=DFe?=',
      ' =?iso-8859-1?Q?_aus_K=F6ln?= and',
      '\tmore',
      'Message-ID: <one@example.com>',
      'In-Reply-To: <zero@example.com>',
      'References: <first@example.com>',
      ' <zero@example.com>',
      'Date: Fri, 20 Nov 2026 10:00:00 +0100 (CET)',
      '',
      'Hello',
      '',
    );
    expect(mail).toEqual({
      fields: expect.any(Array),
      from: { email: 'Joerg@Example.com', name: 'Jörg' },
      replyTo: [
        { email: 'help@example.com', name: 'Desk, Help' },
        { email: 'x@example.com', name: null },
      ],
      to: [
        { email: 'a@example.org', name: null },
        { email: 'b@example.org', name: 'B' },
        { email: 'c@example.org', name: null },
      ],
      cc: [{ email: 'd@example.org', name: null }],
      subject: 'Grüße aus Köln and more',
      messageId: 'one@example.com',
      inReplyTo: ['zero@example.com'],
      references: ['first@example.com', 'zero@example.com'],
      date: Date.UTC(2026, 10, 20, 9),
      text: 'Hello\n',
      html: null,
      parts: [],
      problems: [],
    });
    expect(mail.fields.map(({ name }) => name).slice(0, 3)).toEqual(['received', 'received', 'from']);
    expect(findField(mail, 'received')).toBe('from a');
  });

  it.each([
    ['UTF-8 octets', utf8('Grüße'), 'Grüße'],
    ['Latin-1 octets', 'Gr\xfc\xdfe', 'Grüße'],
    ['Windows quotes', '\x93a\x94', '“a”'],
    ['controls', 'a\x00b\x07c\x1b', 'abc'],
    ['marks that turn the direction of text', utf8('a\u202egnp.exe'), 'agnp.exe'],
  ])('accepts a subject of %s', async (_, written, read) => {
    expect((await parsed(`Subject: ${written}`, '', '')).subject).toBe(read);
  });

  it('has no sender without a valid From', async () => {
    for (const from of [
      'MAILER-DAEMON',
      'Mail Delivery System',
      '',
      '<>',
      'a@',
      '@b',
      'undisclosed-recipients:;',
    ]) {
      expect((await parsed(`From: ${from}`, 'To: x@y.example', '', '')).from).toBeNull();
    }
    expect((await parsed('To: x@y.example', '', '')).from).toBeNull();
  });

  it('uses the first of several From fields and reports it', async () => {
    const mail = await parsed('From: a@example.com', 'From: b@example.com', '', '');
    expect(mail.from?.email).toBe('a@example.com');
    expect(mail.problems).toEqual([expect.stringContaining('several From')]);
  });

  it('ignores lines that are not fields, and an mbox line', async () => {
    const mail = await parsed(
      'From a@b.example Fri Nov 20',
      'Subject: x',
      'no field',
      'X-Also : y',
      '',
      'text',
    );
    expect(mail.fields).toEqual([
      { name: 'subject', value: 'x' },
      { name: 'x-also', value: 'y' },
    ]);
    expect(mail.problems).toEqual([expect.stringContaining('1 header lines')]);
    expect(mail.text).toBe('text');
  });

  it('is empty for a text without fields', async () => {
    expect(await parsed('just words', 'and more')).toMatchObject({
      text: 'just words\nand more',
      fields: [],
    });
    expect(await parsed('', 'body')).toMatchObject({ text: 'body' });
    expect(await parseMail(new Uint8Array())).toMatchObject({ text: '', parts: [] });
  });

  it('accepts lines that end with LF alone', async () => {
    const mail = await parseMail(Buffer.from('Subject: a\n b\nFrom: x@y.example\n\none\ntwo\n'));
    expect(mail).toMatchObject({ subject: 'a b', from: { email: 'x@y.example' }, text: 'one\ntwo\n' });
  });

  it('stops at its limits and reports it', async () => {
    const long = octets(...Array.from({ length: 30_000 }, (_, i) => `X-${i}: value`), '', 'body');
    const mail = await parseMail(long);
    expect(mail.fields).toHaveLength(MAIL_LIMITS.fields);
    expect(mail.problems).toHaveLength(2);
    expect(mail.text).toBe('body');
  });

  it('is enough for a mail whose body cannot be parsed', () => {
    const mail = mailOfHeader(octets('Subject: x', 'From: a@b.example', '', 'body'), MAIL_LIMITS, 'Why.');
    expect(mail).toMatchObject({
      subject: 'x',
      from: { email: 'a@b.example' },
      text: null,
      problems: ['Why.'],
    });
  });
});

describe('field values', () => {
  it.each<[string, { email: string; name: string | null }[]]>([
    ['a@b.example', [{ email: 'a@b.example', name: null }]],
    ['a@b.example (Ann)', [{ email: 'a@b.example', name: 'Ann' }]],
    ['"a@evil.example" <b@c.example>', [{ email: 'b@c.example', name: 'a@evil.example' }]],
    ['=?utf-8?B?YUBldmlsLmV4YW1wbGU=?= <b@c.example>', [{ email: 'b@c.example', name: 'a@evil.example' }]],
    // An encoded word is not an address (RFC 2047 section 5).
    ['=?utf-8?B?YUBldmlsLmV4YW1wbGU=?=', []],
    ['=?utf-8?Q?Ann_<a@b.example>?=', [{ email: 'a@b.example', name: 'Ann' }]],
    ['<=?utf-8?Q?a@b.example?=>', []],
    ['=?utf-8?Q?a=0D=0ABcc=3A_x?= <b@c.example>', [{ email: 'b@c.example', name: 'a Bcc: x' }]],
    ['nobody, b@c.example', [{ email: 'b@c.example', name: null }]],
  ])('mailboxes: %s', (value, mailboxes) => {
    expect(readMailboxes(value)).toEqual(mailboxes);
  });

  it.each([
    ['<a@b> <c@d>', ['a@b', 'c@d']],
    ['a@b, c@d', ['a@b', 'c@d']],
    ['Your message of today <a@b>', ['a@b']],
    ['Your message of today', []],
    ['<a@b', []],
    ['', []],
  ])('message ids: %s', (value, ids) => {
    expect(readMessageIds(value)).toEqual(ids);
  });

  it.each([
    ['Fri, 20 Nov 2026 10:00:00 +0000', Date.UTC(2026, 10, 20, 10)],
    ['20 Nov 26 10:00 EST', Date.UTC(2026, 10, 20, 15)],
    ['Fri, 20 November 2026 10:00:00 -0530', Date.UTC(2026, 10, 20, 15, 30)],
    ['Thu, 1 Jan 98 00:00:00 GMT', Date.UTC(1998, 0, 1)],
    ['20-Nov-2026 10:00:00', Date.UTC(2026, 10, 20, 10)],
    ['soon', null],
    ['20 Foo 2026 10:00:00 +0000', null],
    ['', null],
  ])('dates: %s', (value, date) => {
    expect(readDate(value)).toBe(date);
  });
});

describe('charsets', () => {
  it.each([
    ['utf-8', utf8('Grüße – 日本'), 'Grüße – 日本'],
    [null, utf8('Grüße'), 'Grüße'],
    [null, 'Gr\xfc\xdfe', 'Grüße'],
    ['us-ascii', '\x93Gr\xfc\xdfe\x94', '“Grüße”'],
    ['iso-8859-1', 'Gr\xfc\xdfe \x80', 'Grüße €'],
    ['"ISO-8859-15"', '\xa4', '€'],
    ['iso-8859-2', '\xb1\xea', 'ąę'],
    ['windows-1251', '\xcf\xf0\xe8', 'При'],
    ['cp1251', '\xcf\xf0\xe8', 'При'],
    ['Win-1250', '\xb9\xea', 'ąę'],
    ['koi8-r', '\xf0\xd2\xc9', 'При'],
    ['gb2312', '\xc4\xe3\xba\xc3', '你好'],
    ['gb18030', '\xc4\xe3\xba\xc3\x81\x30\x81\x31', '你好\u0081'],
    ['big5', '\xa7A\xa6n', '你好'],
    ['shift_jis', '\x82\xb1\x82\xf1', 'こん'],
    ['cp932', '\x82\xb1\x82\xf1', 'こん'],
    ['iso-2022-jp', '\x1b$B$3$s\x1b(B', 'こん'],
    ['euc-jp', '\xa4\xb3\xa4\xf3', 'こん'],
    ['euc-kr', '\xb0\xa1', '가'],
    ['ks_c_5601-1987', '\xb0\xa1', '가'],
    ['windows-1256', '\xe3', 'م'],
    ['utf-7', 'Gr+APwA3w-e +- a + b+2D3eAA.+', 'Grüße + a + b😀.+'],
    ['utf-16le', 'a\0b\0', 'ab'],
    ['x-nonsense', 'caf\xe9', 'café'],
    ['"', 'a', 'a'],
  ])('%s', (charset, written, read) => {
    expect(decodeCharset(Buffer.from(written, 'latin1'), charset)).toBe(read);
  });

  it('never throw for any name and octets', () => {
    fc.assert(
      fc.property(fc.uint8Array(), fc.string(), (content, charset) => {
        expect(typeof decodeCharset(content, charset)).toBe('string');
      }),
    );
  });
});

describe('the body', () => {
  it('is the text and HTML of an alternative, unchanged', async () => {
    const mail = await parsed(
      'Content-Type: multipart/alternative; boundary="b"',
      '',
      'preamble',
      '--b',
      'Content-Type: text/plain; charset=utf-8',
      'Content-Transfer-Encoding: quoted-printable',
      '',
      'Gr=C3=BC=C3=9Fe=',
      ' dir',
      '--b',
      'Content-Type: text/html; charset=iso-8859-1',
      'Content-Transfer-Encoding: base64',
      '',
      Buffer.from('<p>Gr\xfc\xdfe', 'latin1').toString('base64'),
      '--b--',
      'epilogue',
    );
    expect(mail).toMatchObject({ text: 'Grüße dir', html: '<p>Grüße', parts: [], problems: [] });
  });

  it('never derives text from HTML or HTML from text', async () => {
    expect(await parsed('Content-Type: text/html', '', '<p>a')).toMatchObject({ text: null, html: '<p>a' });
    expect(await parsed('Content-Type: text/plain', '', 'a')).toMatchObject({ text: 'a', html: null });
    const mixed = await parsed(
      'Content-Type: multipart/mixed; boundary=b',
      '',
      '--b',
      'Content-Type: text/html',
      '',
      '<p>a</p>',
      '--b',
      '',
      'a footer',
      '--b--',
    );
    expect(mixed).toMatchObject({ text: 'a footer', html: '<p>a</p>', parts: [] });
  });

  it('joins several texts without a name, and uses a charset that only the HTML declares', async () => {
    const mail = await parsed(
      'Content-Type: multipart/mixed; boundary=b',
      '',
      '--b',
      '',
      'one',
      '--b',
      'Content-Type: image/png; name="x.png"',
      'Content-Disposition: inline; filename="x.png"',
      '',
      'PNG',
      '--b',
      'Content-Type: text/plain',
      '',
      'two',
      '--b',
      'Content-Type: text/html',
      '',
      '<head><meta http-equiv="Content-Type" content="text/html; charset=koi8-r"></head>\xf0',
      '--b--',
    );
    expect(mail.text).toBe('one\ntwo');
    expect(mail.html).toContain('П');
    expect(outline(mail)).toEqual([['image/png', 'x.png', 'PNG']]);
  });

  it('is a named text only if there is no other', async () => {
    const named = ['Content-Type: text/plain; name="notes.txt"', 'Content-Disposition: inline', '', 'notes'];
    const alone = await parsed(...named);
    expect(alone).toMatchObject({ text: 'notes', parts: [] });
    const mail = await parsed(
      'Content-Type: multipart/mixed; boundary=b',
      '',
      '--b',
      '',
      'hi',
      '--b',
      ...named,
      '--b--',
    );
    expect(mail.text).toBe('hi');
    expect(outline(mail)).toEqual([['text/plain', 'notes.txt', 'notes']]);
  });

  it('is the text of a multipart whose boundary is missing', async () => {
    for (const type of ['multipart/mixed', 'multipart/mixed; boundary=never']) {
      const mail = await parsed(`Content-Type: ${type}`, '', 'The delivery failed.');
      expect(mail.text).toBe('The delivery failed.');
      expect(mail.problems).toEqual([expect.stringContaining('no parts')]);
    }
  });

  it('is also the text of a nested multipart whose boundary is missing', async () => {
    const mail = await parsed(
      'Content-Type: multipart/mixed; boundary=b',
      '',
      'preamble',
      '--b',
      'Content-Type: multipart/alternative; boundary=never',
      '',
      'The words.',
      '--b',
      'Content-Type: image/png',
      '',
      'PNG',
      '--b--',
      'epilogue',
    );
    expect(mail.text?.trim()).toBe('The words.');
    expect(mail.problems).toEqual([expect.stringContaining('no parts')]);
    expect(outline(mail)).toEqual([['image/png', null, 'PNG']]);
  });

  it('is read to the end of a truncated message', async () => {
    const mail = await parsed(
      'Content-Type: multipart/mixed; boundary=b',
      '',
      '--b',
      '',
      'hello',
      '--b',
      'Content-Type: application/pdf',
      'Content-Transfer-Encoding: base64',
      '',
      'QUJD',
      'RE',
    );
    expect(mail.text).toBe('hello');
    expect(outline(mail)).toEqual([['application/pdf', null, 'ABCD']]);
  });

  it('has soft line breaks removed if it is flowed', async () => {
    const flowed = (delsp: string): Promise<ParsedMail> =>
      parsed(
        `Content-Type: text/plain; format=Flowed${delsp}`,
        '',
        'a long ',
        'line',
        '> q1 ',
        '> q2',
        ' From x',
        '-- ',
        'Ann',
      );
    expect((await flowed('')).text).toBe('a long line\n> q1 q2\nFrom x\n-- \nAnn');
    expect((await flowed('; delsp=yes')).text).toBe('a longline\n> q1q2\nFrom x\n-- \nAnn');
    expect(joinFlowedLines('>> deep \n> less', false)).toBe('>> deep \n> less');
  });

  it('is truncated at the limit, and complete among the parts', async () => {
    const raw = octets('Content-Type: text/html', '', `<p>${'x'.repeat(100)}`);
    const mail = await parseMail(raw, { ...MAIL_LIMITS, bodyLength: 50 });
    expect(mail.html).toHaveLength(50);
    expect(mail.parts.map(({ content }) => content.length)).toEqual([103]);
    expect(mail.problems).toEqual([expect.stringContaining('50 characters')]);
  });

  it('loses only NUL characters', async () => {
    expect((await parsed('', 'a\0b\x1bc\x07')).text).toBe('ab\x1bc\x07');
  });
});

describe('parts', () => {
  it('are the leaves of a report, with their octets', async () => {
    const mail = await parsed(
      'Content-Type: multipart/report; report-type=delivery-status; boundary=b',
      '',
      '--b',
      '',
      'It failed.',
      '--b',
      'Content-Type: message/delivery-status',
      '',
      'Reporting-MTA: dns; a.example',
      '',
      'Action: failed',
      '--b',
      'Content-Type: Text/RFC822-Headers',
      '',
      'Subject: original',
      '--b--',
    );
    expect(mail.text).toBe('It failed.');
    expect(outline(mail)).toEqual([
      ['message/delivery-status', null, 'Reporting-MTA: dns; a.example\r\n\r\nAction: failed'],
      ['text/rfc822-headers', null, 'Subject: original'],
    ]);
  });

  const EMBEDDED = [
    'From: x@y.example',
    'Content-Type: multipart/mixed; boundary=c',
    '',
    '--c',
    '',
    'inner',
    '--c--',
  ];
  it.each([
    ['by itself', []],
    ['inline', ['Content-Disposition: inline']],
    ['as a file', ['Content-Disposition: attachment; filename="old.eml"']],
  ])('are embedded messages %s, complete and not part of the text', async (_, disposition) => {
    const type = 'Content-Type: message/rfc822';
    const mail = await parsed(
      'Content-Type: multipart/mixed; boundary=b',
      '',
      '--b',
      '',
      'outer',
      '--b',
      type,
      ...disposition,
      '',
      ...EMBEDDED,
      '--b--',
    );
    expect(mail.text).toBe('outer');
    expect(outline(mail)).toEqual([
      ['message/rfc822', expect.toBeOneOf([null, 'old.eml']), EMBEDDED.join('\r\n')],
    ]);
    expect(outline(await parsed(type, ...disposition, '', ...EMBEDDED))).toHaveLength(1);
  });

  it('are base64 messages, complaints, calendars, signatures and TNEF with their types', async () => {
    const leaf = (type: string, content: string): string[] => [
      '--b',
      `Content-Type: ${type}`,
      'Content-Transfer-Encoding: base64',
      '',
      Buffer.from(content).toString('base64'),
    ];
    const mail = await parsed(
      'Content-Type: multipart/mixed; boundary=b',
      '',
      ...leaf('message/rfc822', 'Subject: a\r\n\r\nb'),
      ...leaf('message/feedback-report', 'Feedback-Type: abuse'),
      ...leaf('message/global-delivery-status', 'Action: failed'),
      ...leaf('text/calendar; method=REQUEST', 'BEGIN:VCALENDAR'),
      ...leaf('application/pkcs7-signature; name=smime.p7s', 'P7S'),
      ...leaf('application/ms-tnef; name=winmail.dat', 'TNEF'),
      ...leaf('text/enriched', 'rich'),
      '--b--',
    );
    expect(mail.text).toBeNull();
    expect(outline(mail)).toEqual([
      ['message/rfc822', null, 'Subject: a\r\n\r\nb'],
      ['message/feedback-report', null, 'Feedback-Type: abuse'],
      ['message/global-delivery-status', null, 'Action: failed'],
      ['text/calendar', null, 'BEGIN:VCALENDAR'],
      ['application/pkcs7-signature', 'smime.p7s', 'P7S'],
      ['application/ms-tnef', 'winmail.dat', 'TNEF'],
      ['text/enriched', null, 'rich'],
    ]);
  });

  it('keep every octet of binary content, and the declared type', async () => {
    const all = Buffer.from(Array.from({ length: 256 }, (_, i) => i));
    const mail = await parsed(
      'Content-Type: multipart/mixed; boundary=b',
      '',
      '--b',
      'Content-Type: application/octet-stream; name="x.pdf"',
      'Content-Transfer-Encoding: base64',
      'Content-Disposition: attachment',
      '',
      all.toString('base64'),
      '--b--',
    );
    expect(mail.parts).toEqual([
      {
        type: 'application/octet-stream',
        filename: 'x.pdf',
        contentId: null,
        isInline: false,
        content: new Uint8Array(all),
      },
    ]);
  });

  it('are inline if the HTML shows them by their content id', async () => {
    const image = (id: string): string[] => [
      '--b',
      'Content-Type: image/png',
      `Content-ID: <${id}>`,
      '',
      'PNG',
    ];
    const mail = await parsed(
      'Content-Type: multipart/related; boundary=b',
      '',
      '--b',
      'Content-Type: text/html',
      '',
      '<img src="cid:one@x"><img src=cid:two%40x>',
      ...image('one@x'),
      ...image('two@x'),
      ...image('three@x'),
      '--b--',
    );
    expect(mail.parts.map(({ contentId, isInline }) => [contentId, isInline])).toEqual([
      ['one@x', true],
      ['two@x', true],
      ['three@x', false],
    ]);
  });

  it.each([
    ['filename="../../etc/passwd"', '.._.._etc_passwd'],
    ["filename*=utf-8''%E2%82%AC%20rates.pdf", '€ rates.pdf'],
    ['filename="=?utf-8?Q?Gr=C3=BC=C3=9Fe.txt?="', 'Grüße.txt'],
    [`filename*0="a"; filename*1="b.txt"`, 'ab.txt'],
    [`filename="${utf8('invoice\u202efdp.exe')}"`, 'invoicefdp.exe'],
    [`filename="${'x'.repeat(400)}"`, 'x'.repeat(255)],
  ])('have safe file names: %s', async (parameter, name) => {
    const mail = await parsed(
      `Content-Disposition: attachment; ${parameter}`,
      'Content-Type: image/png',
      '',
      'x',
    );
    expect(mail.parts[0]?.filename).toBe(name);
  });

  it('of a signed message are the signed content, including the signature', async () => {
    const mail = await parsed(
      'Content-Type: multipart/signed; protocol="application/pgp-signature"; boundary=s',
      '',
      '--s',
      'Content-Type: multipart/alternative; boundary=a',
      '',
      '--a',
      '',
      'text',
      '--a',
      'Content-Type: text/html',
      '',
      '<p>html',
      '--a--',
      '--s',
      'Content-Type: application/pgp-signature',
      '',
      'SIG',
      '--s--',
    );
    expect(mail).toMatchObject({ text: 'text', html: '<p>html' });
    expect(outline(mail)).toEqual([['application/pgp-signature', null, 'SIG']]);
  });

  it('keep their octets if they look hostile to the parser', async () => {
    const header = 'Content-Type: text/plain; charset="=?x?q?=";\r\n name="=?no?b?//?="; a*=\x00%%';
    await fc.assert(
      fc.asyncProperty(anyText({ maxLength: 60 }), async (junk) => {
        const mail = await parseMail(Buffer.from(`${header}${junk}\r\nSubject: x\r\n\r\nbody`));
        expect(mail.text ?? contentOf(mail.parts[0])).toContain('body');
      }),
      runs(300),
    );
  });
});

describe('malicious mail is parsed', () => {
  const H = 'From: a@b.example\r\nTo: c@d.example\r\nSubject: x\r\n';
  const MULTIPART = `${H}Content-Type: multipart/mixed; boundary=b\r\n\r\n`;
  const nested = (): string => {
    let body = `${H}Content-Type: multipart/mixed; boundary=b0\r\n\r\n`;
    for (let i = 1; i < 5_000; i++) {
      body += `--b${i - 1}\r\nContent-Type: multipart/mixed; boundary=b${i}\r\n\r\n`;
    }
    return body;
  };
  it.each<[string, () => string, Partial<ParsedMail>]>([
    [
      '5 MB of nested elements',
      () => `${H}Content-Type: text/html\r\n\r\n${'<div>'.repeat(1e6)}`,
      { text: null },
    ],
    ['50,000 parts', () => `${MULTIPART}${'--b\r\n\r\nx\r\n'.repeat(50_000)}--b--`, {}],
    ['multiparts 5,000 deep', nested, {}],
    ['200,000 fields', () => `${H}${'X-A: 1\r\n'.repeat(200_000)}\r\nbody`, { text: 'body' }],
    ['500,000 folds', () => `${H}X-A: 1\r\n${' x\r\n'.repeat(500_000)}\r\nbody`, { text: 'body' }],
    [
      '50,000 recipients',
      () => `${H.replace('To: ', `To: ${'a@b.example,\r\n '.repeat(50_000)}`)}\r\nbody`,
      {},
    ],
    ['a From of 250,000 at signs', () => `X: y\r\nFrom: <${'@'.repeat(250_000)}\r\n\r\nbody`, { from: null }],
    [
      'parts with long lists of addresses',
      () => `${MULTIPART}${`--b\r\nTo: ${'a,'.repeat(30_000)}\r\n\r\nx\r\n`.repeat(50)}`,
      {},
    ],
    [
      'encoded words without an end',
      () => `Subject: ${'=?a?b?'.repeat(40_000)}\r\n\r\nbody`,
      { text: 'body' },
    ],
  ])('%s', async (_, make, expected) => {
    const mail = await parseMail(Buffer.from(make(), 'latin1'));
    expect(mail).toMatchObject(expected);
    expect(mail.fields.length).toBeGreaterThan(0);
  });
});
