// Tests mail with lines that SMTP cannot carry: an independent parser finds the same text and files in the
// re-encoded mail.
import { createHash } from 'node:crypto';
import { isUtf8 } from 'node:buffer';
import { simpleParser, type ParsedMail } from 'mailparser';
import { describe, expect, it } from 'vitest';
import { splitHeaderBlock } from '../../../src/lib/mime/header-block.js';
import { hasLongLine, withinLineLength } from '../../../src/lib/mime/re-encode.js';
import { joinMessage, type ComposedMessage } from '../../../src/lib/mime/mime-build.js';
import { sized } from '../../support/run-size.js';

const FROM = 'From: ann@example.com\nMIME-Version: 1.0\n';
const LONG = `<p>${'word '.repeat(400)}</p>`;

const octetsOf = (text: string, encoding: 'utf8' | 'latin1' = 'utf8'): Buffer =>
  Buffer.from(text.replace(/\r?\n/g, '\r\n'), encoding);

function formOf(octets: Buffer): ComposedMessage {
  const block = splitHeaderBlock(octets);
  if (block === null) throw new Error('no header');
  return { headerLines: block.fields.map(({ line }) => line), body: block.body };
}

function fitted(octets: Buffer): Buffer {
  const form = withinLineLength(formOf(octets));
  if (form === null) throw new Error('it has no form that fits');
  const message = joinMessage(form.headerLines, form.body);
  expect(hasLongLine(message)).toBe(false);
  return message;
}

const parse = (octets: Buffer): Promise<ParsedMail> =>
  simpleParser(octets, {
    skipTextToHtml: true,
    skipImageLinks: true,
    skipTextLinks: true,
    skipHtmlToText: true,
  });

async function expectSame(octets: Buffer): Promise<Buffer> {
  const after = fitted(octets);
  const [a, b] = [await parse(octets), await parse(after)];
  expect([b.subject, b.text, b.html]).toEqual([a.subject, a.text, a.html]);
  const files = (mail: ParsedMail) =>
    mail.attachments.map(({ filename, contentType, content }) => [
      filename,
      contentType,
      createHash('sha256').update(content).digest('hex'),
    ]);
  expect(files(b)).toEqual(files(a));
  return after;
}

describe('lines above 998 octets', () => {
  it.each([
    ['html on one line', octetsOf(`${FROM}Content-Type: text/html; charset=utf-8\n\n${LONG}\n`)],
    ['UTF-8', octetsOf(`${FROM}Content-Type: text/plain; charset=utf-8\n\n${'Grüße '.repeat(300)}\n`)],
    [
      'Latin-1',
      octetsOf(
        `${FROM}Content-Type: text/plain; charset=iso-8859-1\n\n${'caf\xe9 '.repeat(300)}\n`,
        'latin1',
      ),
    ],
    [
      'ISO-2022-JP',
      octetsOf(`${FROM}Content-Type: text/plain; charset=iso-2022-jp\n\n${'\x1b$B$3$s\x1b(B'.repeat(300)}\n`),
    ],
    ['nothing said about it', octetsOf(`From: ann@example.com\n\n${'x'.repeat(1_200)}\n`)],
    ['8bit', octetsOf(`${FROM}Content-Type: text/html\nContent-Transfer-Encoding: 8bit\n\n${LONG}é\n`)],
    ['binary', octetsOf(`${FROM}Content-Type: text/html\nContent-Transfer-Encoding: binary\n\n${LONG}\n`)],
    [
      'a whole mail of several kinds',
      octetsOf(
        `${FROM}Content-Type: multipart/mixed; boundary=a\n\npre\n--a\nContent-Type: multipart/alternative; boundary=b\n\n--b\nContent-Type: text/plain\n\nshort\n--b\nContent-Type: text/html\n\n${LONG}\n--b--\n--a\nContent-Type: application/pdf; name=x.pdf\nContent-Transfer-Encoding: base64\n\n${Buffer.from('octets'.repeat(900)).toString('base64')}\n--a--\n`,
      ),
    ],
    [
      'quoted-printable without soft breaks',
      octetsOf(
        `${FROM}Content-Type: text/plain; charset=utf-8\nContent-Transfer-Encoding: quoted-printable\n\n${'Gr=C3=BC=C3=9Fe '.repeat(200)}=20\nshort=\n!\n`,
      ),
    ],
    [
      'words around the text',
      octetsOf(
        `${FROM}Content-Type: multipart/mixed; boundary=a\n\n${'pre '.repeat(400)}\n--a\n\nhi\n--a--\n${'-'.repeat(1_500)}--a\n`,
      ),
    ],
  ])('in %s fit afterwards, with the same content', async (_what, octets) => {
    await expectSame(octets);
  });

  it('are encoded in an embedded message, which remains readable', async () => {
    const inner = `Subject: in\nContent-Type: text/html\n\n${LONG}\n`;
    const after = fitted(octetsOf(`${FROM}Content-Type: message/rfc822\n\n${inner}`));
    const { subject, html } = await parse(after.subarray(after.indexOf('Subject: in')));
    expect([subject, html]).toEqual(['in', `${LONG}\n`]);
  });

  it('leave parts that fit unchanged: 8-bit text, attachments, their headers', () => {
    const part = octetsOf(
      '--a\nContent-Type: text/plain; charset=iso-8859-1;\n\tformat=flowed\nContent-Transfer-Encoding: 8bit\n\ncaf\xe9 \n.\n',
      'latin1',
    );
    const octets = Buffer.concat([
      octetsOf(`${FROM}Content-Type: multipart/mixed; boundary=a\nContent-Transfer-Encoding: 8bit\n\n`),
      part,
      octetsOf(`--a\nContent-Type: text/html\n\n${LONG}\n--a--\n`),
    ]);
    const after = fitted(octets);
    expect(after.includes(part)).toBe(true);
    expect(isUtf8(after)).toBe(false);
    // It still contains the 8-bit part.
    expect(after.toString('latin1')).toContain('boundary=a\r\nContent-Transfer-Encoding: 8bit\r\n');
  });

  it('keep text that looks like a delimiter from becoming one', async () => {
    for (let pad = 0; pad < 80; pad++) {
      const text = `${'x'.repeat(pad)} ${'y'.repeat(999)}--b`;
      await expectSame(
        octetsOf(`${FROM}Content-Type: multipart/mixed; boundary=b\n\n--b\n\n${text}\n--b--\n`),
      );
    }
  });

  it.each([
    ['signed parts', `Content-Type: multipart/signed; boundary=b\n\n--b\n\n${LONG}\n--b--\n`],
    ['encrypted parts', `Content-Type: multipart/encrypted; boundary=b\n\n--b\n\n${LONG}\n--b--\n`],
    [
      'signed parts within',
      `Content-Type: multipart/mixed; boundary=a\n\n--a\nContent-Type: multipart/signed; boundary=b\n\n--b\n\n${LONG}\n--b--\n--a--\n`,
    ],
    ['a header field', `X-A: ${'x'.repeat(1_000)}\n\n${LONG}\n`],
    [
      'a field of a part',
      `Content-Type: multipart/mixed; boundary=a\n\n--a\nX-A: ${'x'.repeat(1_000)}\n\nhi\n--a--\n`,
    ],
    ['an encoding of its own', `Content-Transfer-Encoding: x-uuencode\n\n${LONG}\n`],
    ['a report in pieces', `Content-Type: message/delivery-status\n\nX: ${LONG}\n`],
    [
      'quoted-printable that is none',
      `Content-Transfer-Encoding: quoted-printable\n\n${'='.repeat(1_200)}\n`,
    ],
  ])('cannot be encoded in %s', (_what, text) => {
    expect(withinLineLength(formOf(octetsOf(FROM + text)))).toBeNull();
  });

  it('take linear time', () => {
    const length = sized({ small: 125_000, full: 500_000 });
    for (const body of ['='.repeat(length), 'x='.repeat(length / 2), 'é'.repeat(length / 2)]) {
      withinLineLength(formOf(octetsOf(`${FROM}Content-Transfer-Encoding: quoted-printable\n\n${body}\n`)));
      withinLineLength(formOf(octetsOf(`${FROM}Content-Type: text/html\n\n${body}\n`)));
    }
  }, 10_000);
});
