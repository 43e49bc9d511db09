// Parses mail whose bytes contradict its header, or that is wrapped in another format, as real programs write it. Nothing may be
// lost.
import forge from 'node-forge';
import { describe, expect, it } from 'vitest';
import { decodeCharset, readTnefFiles } from '../../../src/lib/mime/index.js';
import { parseMail } from '../../../src/lib/mail-parser/mime-parse.js';

const HEADER = ['From: Ann <ann@d1.test>', 'Subject: Re: hello', 'MIME-Version: 1.0'];
/** One character per octet. */
const octets = (...lines: string[]): Buffer => Buffer.from([...HEADER, ...lines].join('\r\n'), 'latin1');

interface Shown {
  text: string | null;
  files: (string | null)[][];
}

async function shown(...lines: string[]): Promise<Shown> {
  const { text, parts } = await parseMail(octets(...lines));
  const files = parts.map(({ filename, content }) => [filename, Buffer.from(content).toString('latin1')]);
  return { text, files };
}

describe('text that differs from its header', () => {
  it.each<[string, string[], string]>([
    [
      'windows-1252 that claims UTF-8',
      ['Content-Type: text/plain; charset=utf-8', '', 'caf\xe9 sch\xf6n'],
      'café schön',
    ],
    [
      'UTF-8 with one broken octet',
      ['Content-Type: text/plain; charset=utf-8', '', 'caf\xc3\xa9 \xe9'],
      'café \ufffd',
    ],
    [
      'ISO-2022-JP without a charset',
      ['Content-Type: text/plain;', '', '\x1b$B$3$s$K$A$O\x1b(B'],
      'こんにちは',
    ],
    ['code page 850', ['Content-Type: text/plain; charset=cp850', '', 'caf\x82 \xd5'], 'café ı'],
    ['code page 437', ['Content-Type: text/plain; charset=IBM437', '', 'caf\x82 \xe1'], 'café ß'],
    [
      'plain text that claims base64',
      ['Content-Type: text/plain', 'Content-Transfer-Encoding: base64', '', 'Yes, we accept.', 'Best, Ann'],
      'Yes, we accept.\nBest, Ann',
    ],
    [
      'one word that claims base64',
      ['Content-Type: text/plain', 'Content-Transfer-Encoding: base64', '', 'Thanks', '', 'Ann'],
      'Thanks\n\nAnn',
    ],
    [
      'base64 without its padding',
      ['Content-Type: text/plain', 'Content-Transfer-Encoding: base64', '', 'SGVsbG8'],
      'Hello',
    ],
    [
      'a header that no blank line ends',
      ['Content-Type: text/plain', 'Yes, we do.', '', 'Ann'],
      'Yes, we do.\n\nAnn',
    ],
    ['a line that is no field, with fields below', ['Oops', 'Content-Type: text/plain', '', 'Yes'], 'Yes'],
  ])('%s', async (_name, lines, text) => {
    expect(await shown(...lines)).toEqual({ text, files: [] });
  });

  it.each([
    ['without a header', ['No header here', 'nor a blank line'], 'No header here\nnor a blank line'],
    ['with a header that no blank line ends', ['Content-Type: text/plain', 'Yes.'], 'Yes.'],
    [
      'that claims base64',
      ['Content-Type: text/plain', 'Content-Transfer-Encoding: base64', '', 'Yes, all of it.'],
      'Yes, all of it.',
    ],
  ])('a part %s', async (_name, part, text) => {
    const outer = ['Content-Type: multipart/mixed; boundary=o', '', '--o'];
    const inner = ['Content-Type: multipart/alternative;', ' boundary="i"', '', '--i'];
    expect((await shown(...outer, ...part, '--o--')).text?.trimEnd()).toBe(text);
    expect((await shown(...outer, ...inner, ...part, '--i--', '--o--')).text?.trimEnd()).toBe(text);
  });

  it('costs no more than the parsed parts, however many delimiters there are', async () => {
    const delimiters = '--o\r\n'.repeat(2_000_000);
    const raw = octets('Content-Type: multipart/mixed; boundary=o', '', delimiters);
    const before = process.cpuUsage();
    await parseMail(raw);
    expect(process.cpuUsage(before).user / 1000).toBeLessThan(1_000);
  });

  it('keeps lines that look like delimiters of another multipart', async () => {
    const inner = ['Content-Type: text/plain', '', 'One', '--i', 'two', '--o--'];
    const { text } = await shown('Content-Type: multipart/mixed; boundary=o', '', '--o', ...inner);
    expect(text).toBe('One\n--i\ntwo');
  });

  it('decodes all octets of all code pages to different characters', () => {
    const high = Uint8Array.from({ length: 128 }, (_, i) => 128 + i);
    for (const page of ['437', '850', '852', '858']) {
      const text = decodeCharset(high, `cp${page}`);
      expect(new Set(text).size, page).toBe(128);
      expect(text).not.toContain('\ufffd');
    }
  });
});

describe('uuencoded files', () => {
  const part = (...lines: string[]) =>
    shown(
      'Content-Type: multipart/mixed; boundary=b',
      '',
      '--b',
      'Content-Type: application/octet-stream; name="a.txt"',
      'Content-Transfer-Encoding: x-uuencode',
      '',
      ...lines,
      '--b--',
    );

  it('are decoded', async () => {
    const lines = ['begin 644 a.txt', '%:&5L;&\\', '`', 'end'];
    expect((await part(...lines)).files).toEqual([['a.txt', 'hello']]);
  });

  it('remain unchanged without a begin line', async () => {
    expect((await part('%:&5L;&\\')).files).toEqual([['a.txt', '%:&5L;&\\']]);
  });
});

describe('an opaque S/MIME signature', () => {
  const keys = forge.pki.rsa.generateKeyPair({ bits: 1024 });
  const certificate = forge.pki.createCertificate();
  certificate.publicKey = keys.publicKey;
  certificate.sign(keys.privateKey);

  function signed(entity: string): string {
    const message = forge.pkcs7.createSignedData();
    message.content = forge.util.createBuffer(entity);
    message.addCertificate(certificate);
    message.addSigner({ key: keys.privateKey, certificate, digestAlgorithm: forge.pki.oids['sha256'] ?? '' });
    message.sign();
    return forge.asn1.toDer(message.toAsn1()).getBytes();
  }

  const entityOf = (der: string): string[] => [
    'Content-Type: application/pkcs7-mime; smime-type=signed-data; name="smime.p7m"',
    'Content-Transfer-Encoding: base64',
    '',
    ...(Buffer.from(der, 'latin1')
      .toString('base64')
      .match(/.{1,76}/g) ?? []),
    '',
  ];

  it('shows the text and files inside, with the signature as a file', async () => {
    const inner = [
      'Content-Type: multipart/mixed; boundary=q',
      '',
      '--q',
      'Content-Type: text/plain; charset=utf-8',
    ];
    const rest = ['', 'Yes', '--q', 'Content-Type: application/pdf; name=a.pdf', '', 'pdf', '--q--', ''];
    const der = signed([...inner, ...rest].join('\r\n'));
    const mail = await parseMail(octets(...entityOf(der)));
    expect(mail.text).toBe('Yes');
    expect(mail.parts.map(({ filename }) => filename)).toEqual(['a.pdf', 'smime.p7m']);
    expect(mail.problems).toEqual(['The text is in an S/MIME signature, which was not verified.']);
  });

  it('is opened inside another one, up to a limit', async () => {
    let der = signed('Content-Type: text/plain\r\n\r\nYes');
    const depths = [];
    for (let i = 0; i < 5; i++) {
      depths.push((await shown(...entityOf(der))).text);
      der = signed(entityOf(der).join('\r\n'));
    }
    expect(depths).toEqual(['Yes', 'Yes', 'Yes', 'Yes', null]);
  });

  it('does not multiply the limit of parts', async () => {
    const inner = [
      'Content-Type: multipart/mixed; boundary=i',
      '',
      ...Array<string>(300).fill('--i\r\n\r\nx'),
    ];
    const part = ['--o', ...entityOf(signed(inner.join('\r\n')))].join('\r\n');
    const { text } = await shown(
      'Content-Type: multipart/mixed; boundary=o',
      '',
      ...Array<string>(50).fill(part),
    );
    expect(text?.match(/x/g)).toHaveLength(4 * 300);
  });

  it('remains a file if it is broken or encrypted', async () => {
    const der = signed('Content-Type: text/plain\r\n\r\nYes');
    for (const broken of [der.slice(0, 40), 'no ASN.1', '']) {
      const { text, files } = await shown(...entityOf(broken));
      expect(text).toBeNull();
      expect(files).toEqual([['smime.p7m', broken]]);
    }
  });
});

describe('winmail.dat', () => {
  const uint16 = (value: number): Buffer => Buffer.from(Uint16Array.of(value).buffer);
  const uint32 = (value: number): Buffer => Buffer.from(Uint32Array.of(value).buffer);
  const attribute = (level: number, id: number, value: Buffer): Buffer =>
    Buffer.concat([Buffer.from([level]), uint32(id), uint32(value.length), value, uint16(0)]);
  const longName = (name: string): Buffer => {
    const text = Buffer.from(`${name}\0`, 'utf16le');
    const padding = Buffer.alloc((4 - (text.length % 4)) % 4);
    const flag = [uint16(0x0b), uint16(0x3713), uint32(1)];
    return Buffer.concat([
      uint32(2),
      ...flag,
      uint16(0x1f),
      uint16(0x3707),
      uint32(1),
      uint32(text.length),
      text,
      padding,
    ]);
  };
  const file = (title: string, content: string, properties?: Buffer): Buffer[] => [
    attribute(2, 0x00069002, Buffer.alloc(14)),
    attribute(2, 0x00018010, Buffer.from(`${title}\0`, 'latin1')),
    attribute(2, 0x0006800f, Buffer.from(content)),
    ...(properties ? [attribute(2, 0x00069005, properties)] : []),
  ];
  const tnef = Buffer.concat([
    uint32(0x223e9f78),
    uint16(1),
    attribute(1, 0x00069007, Buffer.concat([uint32(1252), uint32(0)])),
    ...file('B\xdcRO~1.TXT', 'hello', longName('Büro April.txt')),
    ...file('caf\xe9.txt', 'world'),
  ]);

  it('returns its files, with their long names, and itself', async () => {
    const base64 = tnef.toString('base64').match(/.{1,76}/g) ?? [];
    const { files } = await shown(
      'Content-Type: application/ms-tnef; name="winmail.dat"',
      'Content-Transfer-Encoding: base64',
      '',
      ...base64,
    );
    expect(files.map(([name, content]) => [name, content?.length])).toEqual([
      ['Büro April.txt', 5],
      ['café.txt', 5],
      ['winmail.dat', tnef.length],
    ]);
  });

  it('returns the files before a truncation', () => {
    const names = new Set<string>();
    for (let size = 0; size <= tnef.length; size++) {
      const files = readTnefFiles(tnef.subarray(0, size));
      names.add(JSON.stringify(files?.map(({ filename }) => filename) ?? null));
    }
    expect([...names]).toEqual([
      'null',
      '[]',
      '["BÜRO~1.TXT"]',
      '["Büro April.txt"]',
      '["Büro April.txt","café.txt"]',
    ]);
  });
});
