// Tests submitted mail as it is sent: unchanged parts keep their bytes, removed fields are gone, and signatures cover all of it.
import { generateKeyPairSync } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { signMessage } from '../../src/lib/dkim/index.js';
import { type ComposedMessage, joinMessage } from '../../src/lib/mime/index.js';
import { relayedForm, type RelayFields } from '../../src/messages/relayed/relayed-form.rules.js';
import {
  fieldTexts,
  readSubmitted,
  type SubmittedMail,
} from '../../src/messages/relayed/submitted-mail.rules.js';
import { dotStuff } from '../../src/lib/smtp/index.js';
import { readRelayHeaders } from '../../src/relay/relay-headers.rules.js';
import { verifyDkim } from '../support/dkim-messages.js';

const SERVICE: RelayFields = {
  headers: [['Feedback-ID', 'tnt_1:transactional:service']],
  messageId: 'ours@example.com',
  date: Date.UTC(2026, 10, 20, 10, 0, 0),
  isDateStale: false,
  received: null,
  hostname: 'mx.mailkeel.example',
  replyTo: null,
};
const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 });
const ed25519 = generateKeyPairSync('ed25519');
const KEYS = { r: rsa.publicKey, e: ed25519.publicKey };

function mailOf(raw: Buffer): SubmittedMail {
  const read = readSubmitted(raw);
  if (read.kind === 'refused') throw new Error(read.problem.text);
  return read.mail;
}

const octets = (text: string): Buffer => Buffer.from(text.replace(/\r?\n/g, '\r\n'), 'latin1');
const linesOf = (text: string, more: Partial<RelayFields> = {}): string[] =>
  relayedForm(mailOf(octets(text)), { ...SERVICE, ...more }).headerLines;

function signed({ headerLines, body }: ComposedMessage): Buffer {
  const signers = [
    { domain: 'example.com', selector: 'r', algorithm: 'rsa-sha256', privateKey: rsa.privateKey },
    { domain: 'example.com', selector: 'e', algorithm: 'ed25519-sha256', privateKey: ed25519.privateKey },
  ] as const;
  const signatures = signMessage({ headerLines, body, signers, signedAt: 1_763_700_000 });
  return joinMessage([...signatures, ...headerLines], body);
}

/** As a peer reads it from DATA. */
function unstuffed(chunks: readonly Buffer[]): Buffer {
  return Buffer.from(Buffer.concat(chunks).toString('latin1').replace(/^\.\./gm, '.'), 'latin1');
}

describe('the form of relayed mail', () => {
  it('adds missing fields below those of the submitter', () => {
    expect(linesOf('From: ann@example.com\nTo: bob@example.net\n\nHi\n')).toEqual([
      'From: ann@example.com',
      'To: bob@example.net',
      'Date: Fri, 20 Nov 2026 10:00:00 +0000',
      'Message-ID: <ours@example.com>',
      'MIME-Version: 1.0',
      'Feedback-ID: tnt_1:transactional:service',
    ]);
  });

  it("removes results under Mailkeel's name, which only Mailkeel may add, and keeps others", () => {
    const others = 'Authentication-Results: mx.elsewhere.example; dkim=pass header.d=bank.example';
    const forged = [
      'Authentication-Results: mx.mailkeel.example; dkim=pass header.d=bank.example',
      'AUTHENTICATION-RESULTS: (x) "MX.Mailkeel.example" 1;\n spf=pass',
    ];
    const kept = linesOf(`From: ann@example.com\n${[...forged, others].join('\n')}\n\nHi\n`);
    expect(kept.filter((line) => /^authentication-results/i.test(line))).toEqual([others]);
  });

  it('does not add existing fields', () => {
    const header = [
      'From: ann@example.com',
      'date: whenever',
      'Message-Id: <theirs@example.com>',
      'mime-version: 1.0 (old)',
      'Reply-To: desk@example.com',
    ];
    const replyTo = { email: 'reply+x@in.example.com', name: null };
    expect(linesOf(`${header.join('\n')}\n\n`, { replyTo, headers: [] })).toEqual(header);
  });

  it('replaces the Date of mail that was scheduled', () => {
    const lines = linesOf('Date: Mon, 1 Jan 2024 10:00:00 +0000\nFrom: ann@example.com\n\n', {
      isDateStale: true,
    });
    expect(lines.filter((line) => /^date:/i.test(line))).toEqual(['Date: Fri, 20 Nov 2026 10:00:00 +0000']);
  });

  it('adds a Received field on top, and a reply address if there is none', () => {
    const lines = linesOf('Received: from x\nFrom: ann@example.com\n\n', {
      received: 'from client.example by mx.example with ESMTPSA; Fri, 20 Nov 2026 10:00:00 +0000',
      replyTo: { email: 'reply+x@in.example.com', name: 'Ann' },
    });
    expect(lines[0]).toMatch(/^Received: from client\.example/);
    expect(lines[1]).toBe('Received: from x');
    expect(lines).toContain('Reply-To: Ann <reply+x@in.example.com>');
  });

  it('replaces an invalid Message-ID', () => {
    const lines = linesOf('From: ann@example.com\nMessage-ID: 12345\n\n');
    expect(lines.filter((line) => /^message-id:/i.test(line))).toEqual(['Message-ID: <ours@example.com>']);
  });

  it('removes hidden fields in any letter case', () => {
    const gone = [
      'BCC: eve@example.net,\n\tmore@example.net',
      'Resent-Bcc: eve@example.net',
      'return-path: <x@example.com>',
      'Feedback-ID: theirs',
      'X-Service-Tag: a',
      'x-service-metadata : {}',
      'X-SERVICE-Anything: b',
    ];
    const lines = linesOf(`From: ann@example.com\n${gone.join('\n')}\nX-Kept: 1\n\n`);
    expect(lines.join('\n')).not.toMatch(/eve|more|return-path|theirs|x-service/i);
    expect(lines).toContain('X-Kept: 1');
  });

  it("replaces the sender's unsubscribe fields if Mailkeel adds its own", () => {
    const own =
      'From: ann@example.com\nList-Unsubscribe: <https://old.example/u>\nlist-unsubscribe-post: x\n\n';
    expect(linesOf(own)).toContain('List-Unsubscribe: <https://old.example/u>');
    const lines = linesOf(own, {
      headers: [
        ['List-Unsubscribe', '<https://new.example/u>'],
        ['List-Unsubscribe-Post', 'List-Unsubscribe=One-Click'],
      ],
    });
    expect(lines.filter((line) => /^list-/i.test(line))).toEqual([
      'List-Unsubscribe: <https://new.example/u>',
      'List-Unsubscribe-Post: List-Unsubscribe=One-Click',
    ]);
  });

  it.each([
    ['', ''],
    ['Hi', 'Hi\r\n'],
    ['Hi\n', 'Hi\r\n'],
    ['\n\nHi\n\n\n', '\r\n\r\nHi\r\n\r\n\r\n'],
  ])('keeps the body %j and adds a final line end', (body, sent) => {
    const form = relayedForm(mailOf(octets(`From: ann@example.com\n\n${body}`)), SERVICE);
    expect(form.body.toString()).toBe(sent);
  });

  it('has an ASCII header when it is signed and sent, and an unchanged body', () => {
    const raw = Buffer.concat([
      Buffer.from(
        'From: Jürgen <j@example.com>\r\nSubject: Grüße\r\n 🎉\r\nContent-Type: text/plain; charset=latin1\r\n\r\n',
      ),
      Buffer.from('.caf\xe9  \x80\r\n..\r\n.\r\n\xff\xfe', 'latin1'),
    ]);
    const message = signed(relayedForm(mailOf(raw), SERVICE));
    expect(verifyDkim(message, KEYS)).toEqual([true, true]);
    const onTheWire = dotStuff([message]);
    expect(unstuffed(onTheWire).equals(message)).toBe(true);
    expect(message.includes('\r\nSubject: =?UTF-8?B?R3LDvMOfZSDwn46J?=\r\n')).toBe(true);
    expect(message.includes('\r\nFrom: =?UTF-8?Q?J=C3=BCrgen?= <j@example.com>\r\n')).toBe(true);
    expect(message.subarray(-21).toString('latin1')).toBe('.caf\xe9  \x80\r\n..\r\n.\r\n\xff\xfe\r\n');
  });

  it('encodes long lines before signing', () => {
    const raw = octets(`From: ann@example.com\nContent-Type: text/html\n\n${'<b>x</b>'.repeat(200)}\n`);
    const form = relayedForm(mailOf(raw), SERVICE);
    expect(form.headerLines).toContain('Content-Transfer-Encoding: quoted-printable');
    const message = signed(form);
    expect(verifyDkim(message, KEYS)).toEqual([true, true]);
    expect(
      message
        .toString()
        .split('\r\n')
        .every((line) => line.length <= 998),
    ).toBe(true);
  });

  it('keeps every octet that S/MIME and PGP have signed', () => {
    const part = 'Content-Type: text/plain; charset=latin1\n\n-- trailing \t\nGr\xfc\xdfe=20\n\n';
    const body = `preamble\n--b\n${part}\n--b\nContent-Type: application/pgp-signature\n\nabc\n--b--\nend`;
    const raw = octets(`From: ann@example.com\nContent-Type: multipart/signed; boundary=b\n\n${body}`);
    const { body: sent } = relayedForm(mailOf(raw), SERVICE);
    expect(sent.equals(octets(`${body}\n`))).toBe(true);
  });
});

const octet = fc.oneof(
  fc.integer({ min: 0x21, max: 0x7e }),
  fc.integer({ min: 0x80, max: 0xff }),
  fc.constantFrom(0x20, 0x09),
);
const textOf = (octets: typeof octet) =>
  fc.array(octets, { maxLength: 60 }).map((codes) => String.fromCharCode(...codes));
const text = textOf(octet);
const asciiText = textOf(octet.filter((code) => code < 0x80));
/** Values with folds. A folded line is never blank, which is a separate case. */
const valueOf = (line: typeof text) =>
  fc
    .array(line, { minLength: 1, maxLength: 4 })
    .map((lines) => lines.map((one) => `${one.trimEnd()}x`).join('\r\n '));
const GONE = [
  'Bcc',
  'BCC',
  'Return-Path',
  'Resent-Bcc',
  'Feedback-Id',
  'X-Service-Tag',
  'x-service-metadata-a',
  'X-SERVICE-Q',
];
const KEPT = ['X-A', 'Comments', 'Received', 'X-Service', 'Keywords', 'DKIM-Signature', 'Resent-To'];
const fieldOf = (line: typeof text) =>
  fc
    .tuple(fc.constantFrom(...GONE, ...KEPT), fc.constantFrom(':', ': ', ' :'), valueOf(line))
    .map(([name, colon, content]) => ({ name, line: `${name}${colon}${content}` }));
const bodyText = fc
  .array(fc.oneof(text, fc.constantFrom('.', '..', '', '. ', '--b')), { maxLength: 12 })
  .map((lines) => lines.join('\r\n'));

describe('any submitted mail', () => {
  it('keeps its body and remaining fields octet for octet, and loses the others', () => {
    fc.assert(
      fc.property(fc.array(fieldOf(asciiText), { maxLength: 12 }), bodyText, (fields, body) => {
        const lines = fields.map(({ line }) => line);
        const raw = Buffer.from([...lines, 'From: ann@example.com', '', body].join('\r\n'), 'latin1');
        const form = relayedForm(mailOf(raw), SERVICE);
        const kept = fields.filter(({ name }) => KEPT.includes(name)).map(({ line }) => line);
        expect(form.headerLines).toEqual([
          ...kept,
          'From: ann@example.com',
          'Date: Fri, 20 Nov 2026 10:00:00 +0000',
          'Message-ID: <ours@example.com>',
          'MIME-Version: 1.0',
          'Feedback-ID: tnt_1:transactional:service',
        ]);
        const ended = body === '' || body.endsWith('\r\n') ? body : `${body}\r\n`;
        expect(form.body.toString('latin1')).toBe(ended);
        const message = signed(form);
        expect(unstuffed(dotStuff([message])).equals(message)).toBe(true);
        // The sent mail parses again with the same fields and the same body.
        const again = mailOf(message);
        expect(again.body.equals(form.body)).toBe(true);
        expect(again.fields.slice(2).map(({ line }) => line)).toEqual(form.headerLines);
      }),
      { numRuns: 150 },
    );
  });

  it('has an ASCII header, unless a local part is not ASCII', () => {
    fc.assert(
      fc.property(fc.array(fieldOf(text), { maxLength: 12 }), (fields) => {
        const lines = fields.map(({ line }) => line);
        const raw = Buffer.from([...lines, 'From: ann@example.com', '', ''].join('\r\n'), 'latin1');
        for (const line of relayedForm(mailOf(raw), SERVICE).headerLines) {
          if (!/^resent-to/i.test(line)) expect(line).toMatch(/^[\t\r\n\x20-\x7e]+$/);
        }
      }),
      { numRuns: 150 },
    );
  });

  it('cannot add header fields by an X-Service value', () => {
    const hostile = fc
      .array(
        fc.oneof(
          text,
          fc.constantFrom('=?utf-8?q?=0D=0A', 'Bcc: x@example.net', '?=', '=0D=0A', '\r\n ', '\r\n\t'),
        ),
        {
          maxLength: 6,
        },
      )
      .map((pieces) => `a${pieces.map((piece) => `${piece}b`).join('')}`);
    const name = fc.constantFrom(
      'Tag',
      'Metadata',
      'Metadata-A',
      'Type',
      'Idempotency-Key',
      'Sub-Tenant',
      'Send-At',
      'Other',
    );
    fc.assert(
      fc.property(fc.array(fc.tuple(name, hostile), { maxLength: 5 }), (given) => {
        const header = given.map(([what, content]) => `X-Service-${what}: ${content}\r\n`).join('');
        const mail = mailOf(Buffer.from(`${header}From: ann@example.com\r\n\r\nHi\r\n`, 'latin1'));
        expect(relayedForm(mail, SERVICE).headerLines).toEqual(linesOf('From: ann@example.com\n\nHi\n'));
        const read = readRelayHeaders(fieldTexts(mail.fields));
        // Nor in derived values: no accepted value contains a line end.
        if (read.kind !== 'read') return;
        // A backslash of the value is written as two.
        expect(JSON.stringify(read.values).replaceAll('\\\\', '')).not.toMatch(/\\[rn]/);
      }),
    );
  });
});
