// Tests mail for ASCII-only peers: an independent parser finds the same text, files and names in the
// re-encoded mail.
import fc from 'fast-check';
import { simpleParser, type ParsedMail } from 'mailparser';
import { describe, expect, it } from 'vitest';
import { decodeWords } from '../../../src/lib/mime/encoded-words.js';
import { splitHeaderBlock } from '../../../src/lib/mime/header-block.js';
import { joinMessage, type ComposedMessage } from '../../../src/lib/mime/mime-build.js';
import { toSevenBit } from '../../../src/lib/mime/re-encode.js';
import { runs, sized } from '../../support/run-size.js';

const FROM = 'From: ann@example.com\nMIME-Version: 1.0\n';

/** UTF-8 unless the text is given as octets. */
function formOf(message: string | Buffer): ComposedMessage {
  const octets = Buffer.isBuffer(message) ? message : Buffer.from(message.replace(/\r?\n/g, '\r\n'));
  const block = splitHeaderBlock(octets);
  if (block === null) throw new Error('no header');
  return { headerLines: block.fields.map(({ line }) => line), body: block.body };
}

function inAscii(message: string | Buffer): Buffer {
  const form = toSevenBit(formOf(message));
  if (form === null) throw new Error('it has no form in ASCII');
  const octets = joinMessage(form.headerLines, form.body);
  const text = octets.toString('latin1');
  expect(text).not.toMatch(/[^\x01-\x7f]/);
  expect(text).not.toMatch(/\r(?!\n)|(?<!\r)\n/);
  expect(Math.max(...text.split('\r\n').map((line) => line.length))).toBeLessThanOrEqual(998);
  return octets;
}

const parse = (octets: Buffer): Promise<ParsedMail> =>
  simpleParser(octets, {
    skipTextToHtml: true,
    skipImageLinks: true,
    skipTextLinks: true,
    skipHtmlToText: true,
  });

describe('mail in ASCII', () => {
  it('is unchanged if it is ASCII, including an 8bit label', () => {
    const text = `${FROM}Content-Transfer-Encoding: 8bit\n\nplain = text \n`;
    expect(inAscii(text).toString()).toBe(text.replace(/\n/g, '\r\n'));
  });

  it.each([
    ['utf-8', Buffer.from('Grüße = 🎉 \r\n.\r\nFrom here\r\n')],
    ['iso-8859-1', Buffer.from('caf\xe9 \xa0\r\n', 'latin1')],
    ['iso-8859-1', Buffer.from('mostly ascii, caf\xe9'.repeat(30), 'latin1')],
    ['koi8-r', Buffer.from('\xf0\xd2\xc9\xd7\xc5\xd4\r\n', 'latin1')],
  ])('has text in %s that decodes to the same octets', async (charset, body) => {
    const header = `${FROM}Content-Type: text/plain; charset=${charset}\nContent-Transfer-Encoding: 8bit\n\n`;
    const before = Buffer.concat([Buffer.from(header.replace(/\n/g, '\r\n')), body]);
    const after = inAscii(before);
    expect((await parse(after)).text).toBe((await parse(before)).text);
    expect(after.toString()).toMatch(/^Content-Transfer-Encoding: (?:quoted-printable|base64)$/im);
    expect(after.toString()).not.toContain('8bit');
  });

  it('declares the charset of text without one', async () => {
    const after = inAscii(`From: ann@example.com\n\nGrüße\n`);
    expect(after.toString()).toContain('Content-Type: text/plain; charset=utf-8');
    expect((await parse(after)).text).toBe('Grüße\n');
  });

  it('has the same texts, files and names', async () => {
    const message = [
      `${FROM}Subject: Grüße`,
      'To: Jürgen <j@example.com>, "Ä, B" <b@bücher.example>, c@example.com',
      'X-Note: =?utf-8?q?=C3=A4?= ö',
      'Content-Type: multipart/mixed; boundary="out er"',
      'Content-Transfer-Encoding: 8bit',
      '',
      'Vorwort für niemanden',
      '--out er',
      'Content-Type: multipart/alternative; boundary=inner',
      '',
      '--inner',
      'Content-Type: text/plain; charset=utf-8',
      '',
      'Grüße, im Text --inner und --out er',
      '--inner',
      'Content-Type: text/html; charset=utf-8',
      'Content-Transfer-Encoding: binary',
      '',
      '<p>Grüße</p>',
      '',
      '--inner--',
      '--out er',
      'Content-Type: application/octet-stream; name="übersicht.bin"',
      'Content-Disposition: attachment; filename="übersicht.bin"',
      '',
      'é è',
      '--out er',
      'Content-Type: text/plain; name=plain.txt',
      'Content-Disposition: attachment',
      '',
      'only ascii = here ',
      '--out er--',
      'Nachwort',
      'ü',
    ].join('\n');
    const after = inAscii(message);
    const [was, is] = [await parse(formed(message)), await parse(after)];
    for (const key of ['subject', 'text', 'html', 'to'] as const) expect(is[key], key).toEqual(was[key]);
    expect(decodeWords(is.headers.get('x-note') as string)).toBe('ä ö');
    const files = ({ attachments }: ParsedMail): unknown[] =>
      attachments.map(({ filename, contentType, checksum, size }) => ({
        filename,
        contentType,
        checksum,
        size,
      }));
    expect(files(is)).toEqual(files(was));
    expect(files(is)).toMatchObject([{ filename: 'übersicht.bin', size: 5 }, { filename: 'plain.txt' }]);
    expect(after.toString()).toContain('\r\n\r\nonly ascii = here \r\n--out er--');
    expect(after.toString()).toContain('b@xn--bcher-kva.example');
  });

  it('is encoded inside an embedded message', async () => {
    const message = `${FROM}Content-Type: message/rfc822\n\nFrom: bob@example.net\nSubject: Grüße\nContent-Type: text/plain; charset=utf-8\n\nü\n`;
    const after = inAscii(message);
    const inner = await parse(after.subarray(after.indexOf('\r\n\r\n') + 4));
    expect([inner.subject, inner.text]).toEqual(['Grüße', 'ü\n']);
  });

  it('prevents an encoded line from ending its part', async () => {
    // Quoted-printable must break these lines, and none of them may become a delimiter.
    for (let pad = 0; pad < 90; pad++) {
      const text = `${'x'.repeat(pad)} ü${'y'.repeat(70)}--b${' '.repeat(3)}`;
      const message = `${FROM}Content-Type: multipart/mixed; boundary=b\n\n--b\nContent-Type: text/plain; charset=utf-8\n\n${text}\n--b--\n`;
      expect((await parse(inAscii(message))).text?.trimEnd()).toBe(text.trimEnd());
    }
  });

  it('repairs quoted-printable with raw octets', async () => {
    const message = `${FROM}Content-Type: text/plain; charset=utf-8\nContent-Transfer-Encoding: quoted-printable\n\n=C3=BC ü=\n!\n`;
    expect((await parse(inAscii(message))).text).toBe('ü ü!\n');
  });

  it.each([
    ['signed parts', 'Content-Type: multipart/signed; boundary=b\n\n--b\n\nü\n--b--\n'],
    ['encrypted parts', 'Content-Type: multipart/encrypted; boundary=b\n\n--b\n\nü\n--b--\n'],
    [
      'signed parts within',
      'Content-Type: multipart/mixed; boundary=a\n\n--a\nContent-Type: multipart/signed; boundary=b\n\n--b\n\nü\n--b--\n--a--\n',
    ],
    ['a local part that is not ASCII', 'To: jürgen@example.com\n\nHi\n'],
    ['UTF-8 where it has no other form', 'References: <ü@example.com>\n\nHi\n'],
    ['a multipart without its boundary', 'Content-Type: multipart/mixed\n\n--b\n\nü\n--b--\n'],
    ['a multipart without parts', 'Content-Type: multipart/mixed; boundary=b\n\nü\n'],
    ['a report in pieces', 'Content-Type: message/delivery-status\n\nFinal-Recipient: ü\n'],
    ['an encoding of its own', 'Content-Transfer-Encoding: x-uuencode\n\nü\n'],
    ['base64 that is none', 'Content-Transfer-Encoding: base64\n\nü\n'],
    [
      'parts in parts without end',
      Array.from(
        { length: 40 },
        (_, i) => `Content-Type: multipart/mixed; boundary=b${i}x\n\n--b${i}x\n`,
      ).join('') + '\nü\n',
    ],
  ])('cannot be produced for %s', (_what, message) => {
    expect(toSevenBit(formOf(FROM + message))).toBeNull();
  });

  it('keeps ASCII signed parts unchanged', () => {
    const part =
      '--b\nContent-Type: text/plain\n\nsigned  \n--b\nContent-Type: application/pgp-signature\n\nabc\n--b--\n';
    const message = `${FROM}Subject: Grüße\nContent-Type: multipart/signed; boundary=b\n\n${part}`;
    expect(inAscii(message).toString()).toContain(part.replace(/\n/g, '\r\n'));
  });

  it('may contain a signed message in one file', async () => {
    const octets = Buffer.concat([
      Buffer.from(`${FROM}Content-Type: application/pkcs7-mime; name=smime.p7m\n\n`.replace(/\n/g, '\r\n')),
      Buffer.from('0\x80\x06\xff\r\n', 'latin1'),
    ]);
    const [file] = (await parse(inAscii(octets))).attachments;
    expect(file?.content.toString('latin1')).toBe('0\x80\x06\xff\r\n');
  });

  it('has the same content for any text', async () => {
    const words = fc.constantFrom(
      'ü',
      '--b',
      ' ',
      '\r\n',
      'a'.repeat(40),
      '.',
      'From ',
      '=',
      '日本',
      '\t',
      'x',
    );
    await fc.assert(
      fc.asyncProperty(fc.array(words, { maxLength: 30 }), async (pieces) => {
        const text = `${pieces.join('')}ü`;
        fc.pre(!/^--b[ \t]*$/m.test(text));
        const message = `${FROM}Content-Type: multipart/mixed; boundary=b\n\n--b\nContent-Type: application/x-a\n\n${text}\n--b--\n`;
        const [file] = (await parse(inAscii(message))).attachments;
        expect(file?.content.toString()).toBe(text);
        const plain = message.replace(
          'application/x-a',
          'text/plain; charset=utf-8\nContent-Disposition: attachment',
        );
        const [textFile] = (await parse(inAscii(plain))).attachments;
        expect(textFile?.content.toString()).toBe(text);
      }),
      runs(100),
    );
  });

  it('takes linear time', () => {
    const parts = sized({ small: 12_500, full: 50_000 });
    const deep = Array.from(
      { length: 25 },
      (_, i) => `Content-Type: multipart/mixed; boundary=b${i}x\n\n--b${i}x\n`,
    ).join('');
    toSevenBit(formOf(`${FROM}${deep}\n${'ü\n'.repeat(4 * parts)}`));
    toSevenBit(formOf(`${FROM}Content-Type: multipart/mixed; boundary=b\n\n${'--b\n\nü\n'.repeat(parts)}`));
    toSevenBit(
      formOf(`${FROM}Content-Type: multipart/mixed; boundary=b\n\n--b\n\n${'--bb\nü--b'.repeat(2 * parts)}`),
    );
  }, 5_000);
});

function formed(message: string): Buffer {
  return Buffer.from(message.replace(/\n/g, '\r\n'));
}
