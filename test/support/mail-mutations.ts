// Breaks mail at random, in the same way for the same seed: flips, cuts, duplicates and moves bytes of the corpus and of mail of
// many shapes, and inserts pieces that matter to a parser.
import { readdirSync, readFileSync } from 'node:fs';

/** Numbers from 0 to below 1 (mulberry32). */
export function seededRandom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** The .eml files of the corpus, and generated mail. */
export function sampleMails(): Buffer[] {
  return [...corpusMails(), ...Object.values(MADE).map((lines) => Buffer.from(lines.join('\r\n'), 'latin1'))];
}

function corpusMails(): Buffer[] {
  const corpus = new URL('../corpus/', import.meta.url);
  return readdirSync(corpus, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.eml'))
    .sort()
    .map((name) => readFileSync(new URL(name, corpus)));
}

const HEADER = [
  'Received: from a.example (a.example [192.0.2.1]) by b.example with ESMTP; Fri, 20 Nov 2026 10:00:00 +0000',
  'DKIM-Signature: v=1; a=rsa-sha256; c=relaxed/relaxed; d=example.com; s=r; h=from:subject; bh=AAAA; b=BBBB',
  'ARC-Seal: i=1; a=rsa-sha256; cv=none; d=example.net; s=r; b=CCCC',
  'From: =?utf-8?Q?J=C3=B6rg_M=C3=BCller?= <joerg@example.com>',
  'To: "Desk, Help" <help@example.org>, Team: a@example.org, b@example.org;',
  'Subject: =?iso-2022-jp?B?GyRCJDMkcxsoQg==?= =?koi8-r?B?8NLJ?=',
  'Message-ID: <1@example.com>',
  'References: <a@example.com> <b@example.com>',
  'Date: Fri, 20 Nov 2026 10:00:00 +0000',
  'MIME-Version: 1.0',
];
const leaf = (type: string, ...body: string[]): string[] => ['--b', `Content-Type: ${type}`, '', ...body];
const MADE: Record<string, string[]> = {
  plain: [
    ...HEADER,
    'Content-Type: text/plain; charset="utf-8"; format=flowed; delsp=yes',
    '',
    'one ',
    'two',
    '> q ',
    '-- ',
    'A',
  ],
  quotedPrintable: [
    ...HEADER,
    'Content-Type: text/html; charset=windows-1252',
    'Content-Transfer-Encoding: quoted-printable',
    '',
    '<p>Gr=FC=DFe=20=',
    '=93quoted=94 <img src=3D"cid:x@y">',
  ],
  mixed: [
    ...HEADER,
    'Content-Type: multipart/mixed; boundary="b"',
    '',
    'preamble',
    ...leaf(
      'multipart/alternative; boundary=c',
      '--c',
      '',
      'text',
      '--c',
      'Content-Type: text/html',
      '',
      '<p>html',
      '--c--',
    ),
    ...leaf(
      'image/png; name="=?utf-8?Q?Bild_=C3=BC.png?="\r\nContent-Transfer-Encoding: base64\r\nContent-ID: <x@y>',
      'iVBORw0KGgo=',
    ),
    ...leaf(
      "application/pdf\r\nContent-Disposition: attachment; filename*0*=utf-8''a%20; filename*1=b.pdf",
      'PDF',
    ),
    ...leaf(
      'message/rfc822',
      'Subject: inner',
      'Content-Type: multipart/mixed; boundary=b',
      '',
      '--b',
      '',
      'deep',
      '--b--',
    ),
    '--b--',
    'epilogue',
  ],
  report: [
    ...HEADER,
    'Content-Type: multipart/report; report-type=delivery-status; boundary=b',
    '',
    ...leaf('text/plain', 'It failed.'),
    ...leaf(
      'message/delivery-status',
      'Reporting-MTA: dns; a',
      '',
      'Final-Recipient: rfc822; a@b',
      'Action: failed',
      'Status: 5.1.1',
    ),
    ...leaf('text/rfc822-headers', 'Subject: x', 'Message-ID: <2@example.com>'),
    '--b--',
  ],
  japanese: [...HEADER, 'Content-Type: text/plain; charset=iso-2022-jp', '', '\x1b$B$3$s\x1b(B'],
  utf7: [...HEADER, 'Content-Type: text/plain; charset=utf-7', '', 'Gr+APwA3w-e'],
  eightBit: ['Subject: Gr\xfc\xdfe', 'From: J\xf6rg <a@b.example>', '', '\x80\x93\xff'],
  bare: ['Subject: x', '', ''],
};

/** Pieces that a parser of mail looks for. */
const PIECES = [
  '\r\n',
  '\r\n\r\n',
  '\n',
  '\r',
  '\0',
  '--b\r\n',
  '--b--\r\n',
  '\r\n--b\r\n\r\n',
  'Content-Type: ',
  'Content-Type: multipart/mixed; boundary=b\r\n',
  'Content-Type: multipart/alternative; boundary=""\r\n\r\n',
  'Content-Type: message/rfc822\r\n\r\n',
  'Content-Transfer-Encoding: base64\r\n',
  'Content-Transfer-Encoding: quoted-printable\r\n',
  'Content-Transfer-Encoding: x-uuencode\r\n',
  'Content-Disposition: inline; filename=""\r\n',
  'charset=utf-16',
  'charset="=?x?q?=',
  'charset=\x00\x01;',
  '; format=flowed; delsp=yes',
  "; name*0*=utf-8'en'%FF%; name*1*=%",
  '; boundary="',
  '=?utf-8?B?',
  '=?utf-8?Q?=FF=?=',
  '?=',
  '=?no-such?q?a?= ',
  '=',
  '=\r\n',
  '=3',
  '<<>>',
  '<@>',
  '(((',
  '"',
  '\\"',
  ',;:',
  'From: a@b, c:d;\r\n',
  'To: ',
  '\t ',
  '\x1b$B',
  '\xff\xfe',
  '+AA-',
  'cid:x@y%',
  '> '.repeat(20),
  'A'.repeat(1_200),
  'DKIM-Signature: ',
  'l=5; ',
  'i=1; ',
  'Date: 99 Foo 99999 99:99\r\n',
];

type Mutate = (raw: Buffer, random: () => number) => Buffer;
const at = (raw: Buffer, random: () => number): number => Math.floor(random() * (raw.length + 1));
const around = (raw: Buffer, start: number, end: number, middle: Buffer): Buffer =>
  Buffer.concat([raw.subarray(0, start), middle, raw.subarray(end)]);
const EMPTY = Buffer.alloc(0);

const MUTATIONS: readonly Mutate[] = [
  (raw, random) => {
    const flipped = Buffer.from(raw);
    for (let i = 0; i < 1 + random() * 8; i++) flipped[at(raw, random)] = Math.floor(random() * 256);
    return flipped;
  },
  (raw, random) => raw.subarray(0, at(raw, random)),
  (raw, random) => {
    const start = at(raw, random);
    return around(raw, start, start + random() * 200, EMPTY);
  },
  (raw, random) => {
    const start = at(raw, random);
    const piece = raw.subarray(start, start + random() * 300);
    return around(raw, start, start, Buffer.concat(Array.from({ length: 1 + random() * 20 }, () => piece)));
  },
  (raw, random) => {
    const start = at(raw, random);
    return around(raw, at(raw, random), raw.length, raw.subarray(start, start + 2_000));
  },
  insertPiece,
  insertPiece,
  insertPiece,
  // Into the header, where a piece has the largest effect.
  (raw, random) => {
    const end = Math.max(raw.indexOf('\r\n\r\n'), 0);
    const place = Math.floor(random() * end);
    return around(raw, place, place, pieceOf(random));
  },
];

function insertPiece(raw: Buffer, random: () => number): Buffer {
  const place = at(raw, random);
  return around(raw, place, place, pieceOf(random));
}

function pieceOf(random: () => number): Buffer {
  return Buffer.from(PIECES[Math.floor(random() * PIECES.length)] ?? '', 'latin1');
}

/** One of the samples with one to ten mutations; 256 KiB at most. */
export function mutatedMail(samples: readonly Buffer[], random: () => number): Buffer {
  let raw = samples[Math.floor(random() * samples.length)] ?? EMPTY;
  for (let i = 0; i < 1 + random() * 9; i++) {
    raw = (MUTATIONS[Math.floor(random() * MUTATIONS.length)] ?? insertPiece)(raw, random);
  }
  return raw.subarray(0, 262_144);
}
