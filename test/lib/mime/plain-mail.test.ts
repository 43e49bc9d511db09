import { isDeepStrictEqual } from 'node:util';
import { describe, expect, it } from 'vitest';
import { MAIL_LIMITS } from '../../../src/lib/mime/mail-limits.js';
import { contentByPackage } from '../../../src/lib/mail-parser/index.js';
import { isQuick, plainContent } from '../../../src/lib/mime/plain-mail.js';
import { readHeader } from '../../../src/lib/mime/received-header.js';
import { mendLineEnds } from '../../../src/lib/mime/line-ends.js';
import { mutatedMail, sampleMails, seededRandom } from '../../support/mail-mutations.js';
import { sized } from '../../support/run-size.js';

/** One character per octet; lines end with CRLF. */
const octets = (...lines: string[]): Buffer => Buffer.from(lines.join('\r\n'), 'latin1');
const HEADER = ['From: a@example.com', 'Subject: x', 'MIME-Version: 1.0'];
const multipart = (type: string, ...rest: string[]): Buffer =>
  octets(...HEADER, `Content-Type: multipart/${type}; boundary="=_b"`, '', ...rest);

/** Parses with both readers; `plain` is null for mail left to the package. */
async function readBoth(raw: Buffer) {
  const header = readHeader(raw, MAIL_LIMITS);
  const body = raw.subarray(header.bodyStart);
  const problems: string[] = [];
  const content = plainContent(header.fields, body, MAIL_LIMITS, problems);
  const byPackage: string[] = [];
  const expected = await contentByPackage(header, body, MAIL_LIMITS, byPackage);
  return {
    plain: content && { ...content, problems },
    package: { ...expected, problems: byPackage },
  };
}

const PLAIN: Record<string, Buffer> = {
  'text without a type': octets(...HEADER, '', 'Hello', ''),
  'no body': octets(...HEADER, '', ''),
  'a header alone': octets(...HEADER),
  'text and html': multipart(
    'alternative',
    'preamble',
    '--=_b',
    'Content-Type: text/plain; charset=utf-8',
    'Content-Transfer-Encoding: quoted-printable',
    '',
    'Gr=C3=BC=\r\n=C3=9fe',
    'line=20',
    '',
    '--=_b',
    'Content-Type: text/html;',
    '\tcharset="iso-8859-1"',
    '',
    '<p>Gr\xfc\xdfe <img src="cid:pic@x"></p>',
    '--=_b--',
    'epilogue',
  ),
  'a picture in the html, and a named file': multipart(
    'mixed',
    '--=_b',
    'Content-Type: multipart/related; boundary=inner',
    '',
    '--inner',
    'Content-Type: text/html',
    '',
    '<img src="cid:pic@x">',
    '--inner',
    'Content-Type: image/png; name="a b.png"',
    'Content-ID: <pic@x>',
    'Content-Transfer-Encoding: base64',
    'Content-Disposition: inline; filename="c/d.png"',
    '',
    'AAEC',
    'AwQ=',
    '--inner--',
    '--=_b',
    'Content-Type: application/octet-stream; name=plain.pdf',
    'Content-Disposition: attachment',
    '',
    'bytes',
    '',
    '--=_b--',
    '',
  ),
  'a delivery report': multipart(
    'report; report-type=delivery-status',
    '--=_b',
    '',
    'It bounced.',
    '',
    '--=_b',
    'Content-Type: message/delivery-status',
    '',
    'Reporting-MTA: dns; a.example',
    '',
    'Final-Recipient: rfc822; b@example.com',
    '--=_b',
    'Content-Type: message/rfc822',
    '',
    'From: c@example.com',
    'Content-Type: multipart/mixed; boundary=z',
    '',
    '--z',
    '',
    'quoted',
    '--z--',
    '--=_b--',
  ),
  'an empty part': multipart('mixed', '--=_b', '', '', '--=_b--'),
  'flowed text': octets('Content-Type: text/plain; format=flowed; delsp=yes', '', 'one ', 'two', ''),
};

const UNUSUAL: Record<string, Buffer> = {
  'a delimiter in the midst of a line': multipart('mixed', '--=_b', '', 'text --=_b', '--=_b--'),
  'a delimiter with blanks behind it': multipart('mixed', '--=_b ', '', 'text', '--=_b--'),
  'a multipart that is not closed': multipart('mixed', '--=_b', '', 'text'),
  'a boundary that begins another': multipart(
    'mixed',
    '--=_b',
    'Content-Type: multipart/mixed; boundary="=_b2"',
    '',
    '--=_b2',
    '',
    'x',
    '--=_b2--',
    '--=_b--',
  ),
  'a part behind the end': multipart('mixed', '--=_b', '', 'a', '--=_b--', '--=_b', '', 'b', '--=_b--'),
  'a part without an end of its header': multipart('mixed', '--=_b', 'Content-Type: text/plain', '--=_b--'),
  'a bare line feed in the header of a part': multipart('mixed', '--=_b', 'A: b\n\nC: d', '', 'x', '--=_b--'),
  'a type that stands twice': octets('Content-Type: text/plain', 'Content-Type: text/html', '', 'x'),
  'a comment': octets('Content-Type: text/plain (really)', '', 'x'),
  'an unknown encoding': octets('Content-Transfer-Encoding: x-uuencode', '', 'x'),
  'base64 with dirt': octets('Content-Transfer-Encoding: base64', '', 'QUJD!QUJD'),
  'quoted-printable with blanks at line ends': octets(
    'Content-Transfer-Encoding: quoted-printable',
    '',
    'a ',
    'b',
  ),
  'a name in encoded words': octets('Content-Type: image/png; name="=?utf-8?Q?a?="', '', 'x'),
  'a boundary of what is no multipart': octets(
    'Content-Type: text/plain; boundary=b',
    '',
    '--b',
    '',
    'x',
    '--b--',
  ),
  'a digest': multipart('digest', '--=_b', '', 'From: a@example.com', '', 'x', '--=_b--'),
};

describe('mail of simple structure', () => {
  it.each(Object.entries(PLAIN))('is parsed like the package does: %s', async (_, raw) => {
    const read = await readBoth(raw);
    expect(read.plain).toEqual(read.package);
  });

  it('is parsed equally if it is randomly damaged, or left to the package', async () => {
    const samples = [...sampleMails(), ...Object.values(PLAIN), ...Object.values(UNUSUAL)].map((octets) =>
      mendLineEnds(octets, { afterSmtp: true }),
    );
    const random = seededRandom(20_261_123);
    const mails = [
      ...samples,
      ...Array.from({ length: sized({ small: 80, full: 2_000 }) }, () => mutatedMail(samples, random)),
    ];
    let plain = 0;
    for (const raw of mails) {
      const read = await readBoth(raw);
      if (read.plain === null) continue;
      plain += 1;
      if (!isDeepStrictEqual(read.plain, read.package)) {
        expect(read.plain, raw.toString('latin1')).toEqual(read.package);
      }
    }
    expect(plain).toBeGreaterThan(mails.length / 10);
  });

  it.each(Object.entries(UNUSUAL))('excludes %s', async (_, raw) => {
    expect((await readBoth(raw)).plain).toBeNull();
  });

  it('has a separate buffer for every part', async () => {
    const { plain } = await readBoth(PLAIN['a picture in the html, and a named file'] ?? Buffer.alloc(0));
    expect(plain?.parts.map(({ filename, isInline }) => [filename, isInline])).toEqual([
      ['c_d.png', true],
      ['plain.pdf', false],
    ]);
    for (const { content } of plain?.parts ?? []) {
      expect(content.byteLength).toBe(content.buffer.byteLength);
    }
  });
});

describe('mail that is made to be slow', () => {
  it('is parsed in one pass, without a pattern that restarts at each line end', () => {
    const header = [...HEADER, 'Content-Type: text/plain', 'Content-Transfer-Encoding: base64', '', ''];
    const raw = Buffer.concat([octets(...header), Buffer.from('\r\n'.repeat(1_000_000)), Buffer.from('!')]);
    const { fields, bodyStart } = readHeader(raw, MAIL_LIMITS);
    expect(plainContent(fields, raw.subarray(bodyStart), MAIL_LIMITS, [])).toBeNull();
  });

  it.each([
    ['a small one', 'x', '', true],
    ['a large one', 'x'.repeat(32 * 1024), '', false],
    ['one with a large header', 'x', `X-Filler: ${'y '.repeat(4 * 1024)}`, false],
    ['one whose header is a single long line', '', 'z'.repeat(9 * 1024), false],
  ])('%s', (_, body, field, expected) => {
    expect(isQuick(octets(...HEADER, ...(field === '' ? [] : [field]), '', body))).toBe(expected);
  });
});
