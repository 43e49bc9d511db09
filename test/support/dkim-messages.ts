// Messages of many shapes for DKIM tests, and a verifier that shares no code with the signer.
import { createHash, verify, type KeyObject } from 'node:crypto';

export interface TestMessage {
  name: string;
  headerLines: string[];
  body: Buffer;
}

const BASE_HEADER = [
  'Message-ID: <01hx@mail.example.com>',
  'Date: Fri, 20 Nov 2026 10:00:00 +0000',
  'From: "Example Sender" <news@example.com>',
  'To: Recipient <someone@example.org>',
  'Subject: Weekly summary',
  'MIME-Version: 1.0',
  'Content-Type: text/plain; charset=utf-8',
];
const BASE_BODY = 'Hello,\r\n\r\nhere is  the summary. \r\n';

const octets = (text: string) => Buffer.from(text).toString('latin1');

const BODIES: Record<string, string | Buffer> = {
  'an empty body': '',
  'one blank line': '\r\n',
  'blank lines only': '\r\n\r\n\r\n',
  'a line of spaces': '   \r\n',
  'white space and blank lines': ' \t \r\n\r\n\t\r\n',
  'one plain line': 'hello\r\n',
  'no last line end': 'hello',
  'only a space, no line end': ' ',
  'trailing space without a line end': 'hello ',
  'trailing white space on lines': 'a \t\r\nb  \r\n',
  'runs of white space inside': 'a \t  b\t\tc\r\n',
  'leading white space': '  a\r\n\tb\r\n',
  'blank lines inside': 'a\r\n\r\n\r\nb\r\n',
  'blank lines at the end': 'a\r\n\r\n\r\n',
  'lines of white space at the end': 'a\r\n \r\n\t\r\n',
  'UTF-8 text': 'Grüße – 日本語 – 🙂\r\n',
  'Unicode spaces, which are no white space here': 'a\u00a0 \u2003b\ufeff\u00a0\r\n',
  'Latin-1 octets': Buffer.from('caf\xe9 \xa0\xa0\r\n', 'latin1'),
  'form feed and vertical tab': 'a\f\f b\v \v\r\n',
  'lines of dots': '.\r\n..\r\n. .\r\n',
  'a line that starts with From': 'From here on\r\n>From there\r\n',
  'a long line': `${'x'.repeat(990)}\r\n`,
  'ten KB of base64': `${'QWxhZGRpbjpvcGVuIHNlc2FtZQ'.repeat(3).slice(0, 76)}\r\n`.repeat(130),
  'indented HTML': '<html>\r\n    <p>\r\n\t\tText  here </p>\r\n</html>\r\n'.repeat(60),
};

const HEADERS: Record<string, string[]> = {
  'a folded recipient list': ['Cc: One <one@example.org>,\r\n\tTwo <two@example.org>,\r\n three@example.org'],
  'a fold with several white spaces': ['Reply-To:\r\n  \t reply@example.com'],
  'a fold within a value': ['Sender: "A\r\n  B" <s@example.com>'],
  'trailing white space': ['List-Id: <list.example.com> \t'],
  'no space after the colon': ['List-Unsubscribe-Post:List-Unsubscribe=One-Click'],
  'much space after the colon': ['Feedback-ID:    a:b:c:mailkeel'],
  'an empty value': ['Content-Description:'],
  'a value of one space': ['Content-Description: '],
  'names in odd case': ['LIST-UNSUBSCRIBE: <https://example.com/u/1>', 'cC: x@example.org'],
  'a colon in the value': ['Reply-To: "a: b" <a@example.com>'],
  'tabs in the value': ['Sender: "a\tb\t\tc" <s@example.com>'],
  'raw UTF-8': [`Reply-To: ${octets('Jürgen – 日本')} <j@example.com>`],
  'raw no-break spaces': [`Reply-To: ${octets('a\u00a0 \u00a0b')} <j@example.com>`],
  'an encoded word over two lines': ['Content-Description: =?UTF-8?Q?Gr=C3=BC?=\r\n =?UTF-8?Q?=C3=9Fe?='],
  'long references': [
    `References: ${'<0123456789abcdef@mail.example.com>\r\n '.repeat(25)}<last@example.com>`,
  ],
  'a signed name that occurs twice': ['In-Reply-To: <a@example.com>', 'In-Reply-To: <b@example.com>'],
  'trace fields above': ['Received: from a by b;\r\n Fri, 20 Nov 2026 10:00:00 +0000', 'X-Trace: 1'],
  'one-click unsubscription': [
    'List-Unsubscribe: <https://example.com/u/0123456789abcdefghijklmnopqrstuvwxyz>,\r\n <mailto:u@example.com>',
    'List-Unsubscribe-Post: List-Unsubscribe=One-Click',
    'List-Id: Weekly <weekly.example.com>',
    'Auto-Submitted: auto-generated',
  ],
  'every list field': ['List-Help: <https://a>', 'List-Owner: <https://b>', 'List-Archive: <https://c>'],
  'a transfer encoding': ['Content-Transfer-Encoding: 8bit', 'Content-Language: de, en'],
};

export const MESSAGES: readonly TestMessage[] = [
  ...Object.entries(BODIES).map(([name, body]) => ({
    name,
    headerLines: BASE_HEADER,
    body: Buffer.from(body as string),
  })),
  ...Object.entries(HEADERS).map(([name, added]) => ({
    name,
    headerLines: [...added, ...BASE_HEADER],
    body: Buffer.from(BASE_BODY),
  })),
];

/** The bytes that a peer receives: the transport completes an unfinished last line. */
export function onTheWire(headerLines: readonly string[], body: Buffer): Buffer {
  const unfinished = body.length > 0 && !body.subarray(-2).equals(Buffer.from('\r\n'));
  return Buffer.concat([
    Buffer.from(`${headerLines.join('\r\n')}\r\n\r\n`, 'latin1'),
    body,
    Buffer.from(unfinished ? '\r\n' : ''),
  ]);
}

/** Public keys by selector. */
export type TestKeys = Record<string, KeyObject>;

/** Verifies every DKIM-Signature of the message; one result per signature, from the top. */
export function verifyDkim(message: Buffer, keys: TestKeys): boolean[] {
  const text = message.toString('latin1');
  const headerEnd = text.indexOf('\r\n\r\n');
  const fields = text.slice(0, headerEnd).split(/\r\n(?![ \t])/);
  const body = canonicalBody(text.slice(headerEnd + 4));
  return fields
    .filter((field) => /^dkim-signature:/i.test(field))
    .map((signature) => verifySignature(signature, fields, body, keys));
}

function verifySignature(signature: string, fields: string[], body: string, keys: TestKeys): boolean {
  const tags = new Map(
    signature
      .slice(signature.indexOf(':') + 1)
      .split(';')
      .map((tag) => [
        tag.slice(0, tag.indexOf('=')).trim(),
        tag.slice(tag.indexOf('=') + 1).replace(/\s/g, ''),
      ]),
  );
  const sha256 = (data: string) => createHash('sha256').update(data, 'latin1').digest();
  if (sha256(body).toString('base64') !== tags.get('bh')) return false;
  const left = fields.map((field) => ({
    field,
    name: field.slice(0, field.indexOf(':')).trim().toLowerCase(),
  }));
  let signed = '';
  for (const name of (tags.get('h') ?? '').toLowerCase().split(':')) {
    const at = left.findLastIndex((candidate) => candidate.name === name);
    const [found] = at < 0 ? [] : left.splice(at, 1);
    if (found) signed += `${canonicalField(found.field)}\r\n`;
  }
  signed += canonicalField(signature.replace(/(;\s*b=)[^;]*/, '$1'));
  const key = keys[tags.get('s') ?? ''];
  if (!key) return false;
  const octetsOfSignature = Buffer.from(tags.get('b') ?? '', 'base64');
  return tags.get('a') === 'ed25519-sha256'
    ? verify(null, sha256(signed), key, octetsOfSignature)
    : verify('sha256', Buffer.from(signed, 'latin1'), key, octetsOfSignature);
}

const words = (line: string) => line.split(/[ \t]+/);

function canonicalField(field: string): string {
  const [name = '', ...value] = field.split(':');
  const parts = words(value.join(':').replaceAll('\r\n', '')).filter((word) => word !== '');
  return `${name.trim().toLowerCase()}:${parts.join(' ')}`;
}

function canonicalBody(body: string): string {
  const lines = body.split('\r\n').map((line) => {
    const parts = words(line);
    if (parts.at(-1) === '') parts.pop();
    return parts.join(' ');
  });
  while (lines.at(-1) === '') lines.pop();
  return lines.map((line) => `${line}\r\n`).join('');
}
