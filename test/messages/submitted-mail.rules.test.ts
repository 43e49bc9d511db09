// Tests what is read from submitted mail, and the refusal of mail that would not arrive as intended.
import { simpleParser } from 'mailparser';
import { describe, expect, it } from 'vitest';
import { decodeWords } from '../../src/lib/mime/index.js';
import {
  asMessage,
  readSubmitted,
  readSubmittedAgain,
  type SubmissionProblem,
  type SubmittedMail,
} from '../../src/messages/relayed/submitted-mail.rules.js';

import { fieldMail } from '../support/field-mail.js';

const FROM = 'From: Ann <ann@example.com>';

function octets(text: string): Buffer {
  return Buffer.from(text.replace(/\r?\n/g, '\r\n'), 'utf8');
}

function mailOf(header: string, body = 'Hi\n'): SubmittedMail {
  const raw = octets(`${header}\n\n${body}`);
  const read = readSubmitted(raw);
  if (read.kind === 'refused') throw new Error(read.problem.text);
  // Delivery reads the same.
  expect(read.mail).toMatchObject(readSubmittedAgain(raw) ?? {});
  return read.mail;
}

function problemOf(raw: Buffer): SubmissionProblem {
  const read = readSubmitted(raw);
  if (read.kind === 'read') throw new Error('it was read');
  return read.problem;
}

describe('a submitted mail', () => {
  it('is not parsed for delivery if it contains bytes that could not be submitted', () => {
    for (const stray of ['\r', '\n', '\0']) {
      expect(readSubmittedAgain(Buffer.from(`${FROM}\r\n\r\na${stray}b\r\n`))).toBeNull();
    }
    expect(readSubmittedAgain(octets(`no field\n\nHi\n`))).toBeNull();
  });

  it('is parsed unchanged', () => {
    const mail = mailOf(
      [
        'Received: from a by b; Fri, 20 Nov 2026 10:00:00 +0000',
        'Received: from c by a; Fri, 20 Nov 2026 09:59:00 +0000',
        'DKIM-Signature: v=1; d=example.com',
        'From: =?utf-8?q?J=C3=BCrgen?= <juergen@example.com>',
        'Sender: robot@example.com',
        'Reply-To: Desk <desk@example.com>, b@example.com',
        'To: "Smith, Bob" <bob@example.net>,\n\tTeam: ann@example.net, eve@example.net;',
        'CC: =?iso-8859-1?q?Caf=E9?= <cafe@example.net>',
        'Subject: =?utf-8?b?R3LDvA==?=\n =?utf-8?b?w59l?= again',
        'Message-ID: <abc.1@example.com>',
        'Date: Fri, 20 Nov 2026 10:00:00 +0000',
        'Auto-Submitted: Auto-Generated; reason=x',
        'List-Unsubscribe: <https://example.com/u>',
        'TLS-Required: No',
        'Content-Type: text/plain; charset=utf-8',
      ].join('\n'),
    );
    expect(mail).toMatchObject({
      from: { email: 'juergen@example.com', name: 'Jürgen' },
      otherOriginators: [{ email: 'robot@example.com', name: null }],
      replyTo: [
        { email: 'desk@example.com', name: 'Desk' },
        { email: 'b@example.com', name: null },
      ],
      to: [
        { email: 'bob@example.net', name: 'Smith, Bob' },
        { email: 'ann@example.net', name: null },
        { email: 'eve@example.net', name: null },
      ],
      cc: [{ email: 'cafe@example.net', name: 'Café' }],
      subject: 'Grüße again',
      messageId: 'abc.1@example.com',
      hasDate: true,
      autoSubmitted: 'auto-generated',
      hasListUnsubscribe: true,
      hasDkimSignature: true,
      receivedCount: 2,
      waivesTls: true,
      protection: null,
    });
    expect(mail.body.toString()).toBe('Hi\r\n');
    expect(mail.fields[6]?.line).toBe(
      'To: "Smith, Bob" <bob@example.net>,\r\n\tTeam: ann@example.net, eve@example.net;',
    );
  });

  it.each([
    ['a bare address', 'ann@example.com', null],
    ['an angle address', '<ann@example.com>', null],
    ['the name as a comment', 'ann@example.com (Ann \\(A\\) Smith)', 'Ann (A) Smith'],
    ['a comment beside a name', 'Ann (at work) <ann@example.com>', 'Ann'],
    [
      'a quoted name with everything in it',
      '"Ann, <bob@x.test> (b)" <ann@example.com>',
      'Ann, <bob@x.test> (b)',
    ],
    ['a folded one', 'Ann\n <ann@example.com>', 'Ann'],
    ['raw UTF-8', 'Änn <ann@example.com>', 'Änn'],
    ['a line end in an encoded word', '=?utf-8?q?Ann=0D=0ABcc:_x?= <ann@example.com>', 'Ann Bcc: x'],
  ])('may have %s in From', (_what, value, name) => {
    expect(mailOf(`From: ${value}`).from).toEqual({ email: 'ann@example.com', name });
  });

  it.each([
    ['<abc@example.com>', 'abc@example.com'],
    ['\n <abc@example.com>', 'abc@example.com'],
    ['<"a.b"@[192.0.2.1]>', '"a.b"@[192.0.2.1]'],
    ['abc@example.com', null],
    ['<abc>', null],
    ['<a b@example.com>', null],
    ['<a@b@c>', null],
    ['<ü@example.com>', null],
    [`<${'a'.repeat(600)}@example.com>`, null],
    ['<a@example.com> <b@example.com>', null],
  ])('with the Message-ID %j keeps %j', (value, kept) => {
    expect(mailOf(`${FROM}\nMessage-ID: ${value}`).messageId).toBe(kept);
  });

  it.each([
    ['multipart/signed; protocol="application/pgp-signature"; boundary=b', 'signed'],
    ['application/pkcs7-mime; smime-type=signed-data; name=smime.p7m', 'signed'],
    ['application/pkcs7-mime; smime-type="enveloped-data"', 'encrypted'],
    ['application/x-pkcs7-mime', 'encrypted'],
    ['(c) Multipart/Encrypted; boundary=b', 'encrypted'],
    ['multipart/mixed; boundary="multipart/signed"', null],
  ])('of type %s is protected: %s', (type, protection) => {
    expect(mailOf(`${FROM}\nContent-Type: ${type}`).protection).toBe(protection);
  });

  it.each([
    ['Subject: Grüße', 'Subject: =?UTF-8?B?R3LDvMOfZQ==?='],
    [
      'To: "Jürgen" <j@bücher.example>, b@x.test',
      'To: =?UTF-8?Q?J=C3=BCrgen?= <j@xn--bcher-kva.example>, b@x.test',
    ],
    [
      'To: Frëunde: Jö <j@x.test>, b@x.test;',
      'To: =?UTF-8?Q?Fr=C3=ABunde?=: =?UTF-8?B?SsO2?= <j@x.test>, b@x.test;',
    ],
    ['To: Alle Empfänger', 'To: =?UTF-8?Q?Alle_Empf=C3=A4nger?=:;'],
    ['Cc: Jö <jürgen@x.test>', 'Cc: =?UTF-8?B?SsO2?= <jürgen@x.test>'],
    ['X-Note: Grüße', 'X-Note: =?UTF-8?B?R3LDvMOfZQ==?='],
    ['Unknown: Grüße', 'Unknown: =?UTF-8?B?R3LDvMOfZQ==?='],
    ['Content-Type: text/plain; name="ü.txt"', "Content-Type: text/plain; name*0*=utf-8''%C3%BC.txt"],
    ['References: <a@x.test> <ü@x.test>', 'References: <a@x.test>'],
    ['References: <ü@x.test>', ''],
    ['List-Id: Grüße <l.x.test>', 'List-Id: =?UTF-8?B?R3LDvMOfZQ==?= <l.x.test>'],
    ['List-Archive: <https://x.test/ü>', 'List-Archive: <https://x.test/%C3%BC>'],
    [
      'List-Unsubscribe: <https://bücher.example/ü>, <mailto:ab@bücher.example>',
      'List-Unsubscribe: <https://xn--bcher-kva.example/%C3%BC>,\r\n <mailto:ab@xn--bcher-kva.example>',
    ],
    ['Received: from ü by b; Fri, 20 Nov 2026 10:00:00 +0000', ''],
    ['X-Service-Tag: Grüße', 'X-Service-Tag: Grüße'],
  ])('with %j is sent as %j', (written, sent) => {
    const { fields } = mailOf(`${FROM}\n${written}`);
    const lines = fields.slice(1).map(({ line }) => Buffer.from(line, 'latin1').toString());
    expect(lines.join('\n')).toBe(sent);
  });

  it('with a subject in another charset is sent in UTF-8', () => {
    const read = readSubmitted(Buffer.from(`${FROM}\r\nSubject: caf\xe9\r\n\r\n`, 'latin1'));
    expect(read).toMatchObject({
      mail: { subject: 'café', fields: [{}, { line: 'Subject: =?UTF-8?Q?caf=C3=A9?=' }] },
    });
  });

  it.each(['long-references.eml', 'long-subject.eml', 'long-to.eml', 'long-unfoldable-x.eml'])(
    'with long lines in %s is folded without changing its meaning',
    async (name) => {
      const raw = fieldMail(name);
      expect(
        raw
          .toString()
          .split('\r\n')
          .some((line) => line.length > 998),
      ).toBe(true);
      const read = readSubmitted(raw);
      if (read.kind === 'refused') throw new Error(read.problem.text);
      const { fields, body } = read.mail;
      const header = fields.map(({ line }) => line).join('\r\n');
      expect(header.split('\r\n').every((line) => line.length <= 998)).toBe(true);
      const [was, is] = await Promise.all([
        simpleParser(raw),
        simpleParser(Buffer.concat([Buffer.from(`${header}\r\n\r\n`), body])),
      ]);
      expect([is.subject, is.to, is.references, is.text]).toEqual([
        was.subject,
        was.to,
        was.references,
        was.text,
      ]);
      const trace = is.headers.get('x-trace');
      expect(typeof trace === 'string' ? decodeWords(trace) : trace).toEqual(was.headers.get('x-trace'));
    },
  );

  it.each([
    ['To', Array.from({ length: 60 }, (_, i) => `someone${i}@receiver.example`).join(','), 60],
    ['References', Array.from({ length: 60 }, (_, i) => `<message${i}@receiver.example>`).join(''), 60],
    ['References', `<${'a'.repeat(1_000)}@x.test> <b@x.test>`, 1],
    ['List-Unsubscribe', `<https://x.test/${'a'.repeat(600)}>,<mailto:${'b'.repeat(600)}@x.test>`, 2],
    ['List-Unsubscribe', `<https://x.test/${'a'.repeat(1_000)}>`, 0],
    ['DKIM-Signature', 'b'.repeat(1_000), 0],
    ['Subject', `a${' '.repeat(1_000)}b`, 0],
    ['Content-Type', `text/plain;${' '.repeat(1_000)}name="<a@x.test>"`, 1],
    ['To', `<${'ü'.repeat(500)}@x.test>`, 0],
  ])('%s: %s keeps what can be folded', (name, value, kept) => {
    const { fields } = mailOf(`${FROM}\n${name}: ${value}`);
    const [line = ''] = fields.slice(1).map((field) => field.line);
    expect(line.split('\r\n').every((one) => one.length <= 998)).toBe(true);
    expect(line.match(/[<@][^<>@]+(?:>|(?=,|$))/g) ?? []).toHaveLength(kept);
  });

  it('is parsed without its mbox line and with a missing blank line', () => {
    const mboxed = asMessage(fieldMail('mbox-line.eml'));
    expect(readSubmitted(mboxed)).toMatchObject({
      kind: 'read',
      mail: { from: { email: 'sender@mail.example.test' }, subject: 's', body: Buffer.from('hi\r\n') },
    });
    const joined = fieldMail('no-blank-line.eml');
    const body = joined.subarray(joined.indexOf('hi there'));
    expect(readSubmitted(asMessage(joined))).toMatchObject({ kind: 'read', mail: { subject: 's', body } });
    for (const whole of [octets(`${FROM}\n a fold\n\nFrom here\n`), octets(`${FROM}\n`), octets(FROM)]) {
      expect(asMessage(whole).equals(whole)).toBe(true);
    }
    expect(asMessage(octets(`>From a\n${FROM}\n\nx\n`)).equals(octets(`${FROM}\n\nx\n`))).toBe(true);
  });

  it('keeps a last letter with an octet that looks like a blank', () => {
    expect(mailOf(`${FROM}\nSubject: voilà\nTo: b@x.test (à)`)).toMatchObject({
      subject: 'voilà',
      to: [{ email: 'b@x.test', name: 'à' }],
    });
  });

  it('may lack body, blank line and line end', () => {
    for (const raw of [`${FROM}\n\n`, `${FROM}\n`, FROM]) {
      expect(readSubmitted(octets(raw)), raw).toMatchObject({ kind: 'read', mail: { subject: '' } });
    }
  });

  it.each([
    ['no From', 'To: a@example.com\n\n', 554, '5.6.0', 'no From field'],
    ['nothing at all', '', 554, '5.6.0', 'no From field'],
    ['From in the body only', `\n${FROM}\n\n`, 554, '5.6.0', 'no From field'],
    ['two From fields', `${FROM}\nfrom : b@example.com\n\n`, 554, '5.6.0', 'more than one From field'],
    ['two mailboxes in From', 'From: a@example.com, b@example.com\n\n', 554, '5.6.0', '2 addresses'],
    ['a group in From', 'From: Us: a@example.com;\n\n', 553, '5.1.7', 'no unambiguous address'],
    [
      'two addresses in one mailbox',
      'From: a@example.com <b@example.com> <c@example.com>\n\n',
      553,
      '5.1.7',
      'no unambiguous address',
    ],
    ['an open comment', 'From: a@example.com (b\n\n', 553, '5.1.7', 'no unambiguous address'],
    ['a From that is no address', 'From: Ann\n\n', 553, '5.1.7', 'has no @'],
    ['an address that cannot be', 'From: ann@localhost\n\n', 553, '5.1.7', 'two labels'],
    ['a non-ascii local part', 'From: jürgen@example.com\n\n', 553, '5.1.7', 'not ASCII'],
    ['an unclear Sender', `${FROM}\nSender: a@example.com, b@example.com\n\n`, 554, '5.6.0', 'Sender'],
    ['two Subjects', `${FROM}\nSubject: a\nsubject: b\n\n`, 554, '5.6.0', 'more than one Subject'],
    ['two To fields', `${FROM}\nTo: a@x.test\nTo: b@x.test\n\n`, 554, '5.6.0', 'more than one To'],
    ['two Message-IDs', `${FROM}\nMessage-Id: <a@x>\nMessage-ID: <b@x>\n\n`, 554, '5.6.0', 'Message-ID'],
    ['two Content-Types', `${FROM}\nContent-Type: a/b\nContent-Type: c/d\n\n`, 554, '5.6.0', 'Content-Type'],
    ['a line that is no field before From', `hello\n${FROM}\n\n`, 554, '5.6.0', 'no From field'],
    ['a fold before the first field', ` a\n${FROM}\n\n`, 554, '5.6.0', 'no From field'],
    ['a name that is not ascii before From', `Über: a\n${FROM}\n\n`, 554, '5.6.0', 'no From field'],
    ['a header that is too large', `${FROM}\n${'X-A: b\n'.repeat(10_000)}\n`, 552, '5.3.4', '80029 bytes'],
    [
      'a header that is too large once it is encoded',
      `${FROM}\n${`X-A: ${'ü'.repeat(300)}\n`.repeat(80)}\n`,
      552,
      '5.3.4',
      '61440',
    ],
    [
      'a type that cannot be folded',
      `${FROM}\nContent-Type: ${'b'.repeat(994)}\n\n`,
      554,
      '5.6.0',
      'neither folded nor encoded',
    ],
    ['an encoding beyond ascii', `${FROM}\nContent-Transfer-Encoding: 8büt\n\n`, 554, '5.6.0', 'neither'],
    [
      'a long line in a signed part',
      `${FROM}\nContent-Type: multipart/signed; boundary=b\n\n--b\n\n${'b'.repeat(999)}\n--b--\n`,
      554,
      '5.6.0',
      '998',
    ],
    ['NUL', `${FROM}\n\na\0b\n`, 550, '5.6.11', 'NUL'],
  ])('with %s is refused', (_what, text, code, enhanced, words) => {
    const problem = problemOf(asMessage(octets(text)));
    expect(problem).toMatchObject({ code, enhanced });
    expect(problem.text).toContain(words);
    expect(problem.text).toMatch(/^[A-Z][^\r\n]*\.$/);
  });

  it.each(['a\nb\r\n', 'a\rb\r\n', '\n', 'a\r', 'a\r\r\n', '\n.\r\n'])(
    'with %j in its body is refused',
    (body) => {
      expect(problemOf(Buffer.from(`${FROM}\r\n\r\n${body}`))).toMatchObject({
        code: 550,
        enhanced: '5.6.11',
      });
    },
  );

  it('may have lines of 998 octets', () => {
    expect(mailOf(`${FROM}\nX-A: ${'b'.repeat(993)}`, 'b'.repeat(998)).body).toHaveLength(998);
  });

  it.each([
    ['b'.repeat(998), false],
    [`${'b'.repeat(999)}\n`, true],
    ['b'.repeat(999), true],
  ])('has long lines in %j: %s', (body, hasLongLines) => {
    expect(mailOf(FROM, body).hasLongLines).toBe(hasLongLines);
  });

  it('is searched for its blank line only up to the header limit', () => {
    const raw = Buffer.from('a: b\r\n'.repeat(3_000_000));
    const before = process.cpuUsage();
    const problem = problemOf(asMessage(raw));
    expect(process.cpuUsage(before).user / 1000).toBeLessThan(500);
    expect(problem.code).toBe(552);
  });

  it('is parsed in linear time', () => {
    const hostile = [
      `${FROM}\nTo: ${'a@x.test,\n '.repeat(5_000)}`,
      `${FROM}\nSubject: ${'=?utf-8?q?=C3?=\n '.repeat(3_000)}`,
      `From: ${'(\n '.repeat(15_000)}`,
      `From: ${'"\\\n '.repeat(12_000)}`,
      `${FROM}\nX-A: ${'=?\n '.repeat(15_000)}`,
    ];
    for (const header of hostile) readSubmitted(octets(`${header}\n\n`));
    readSubmitted(Buffer.concat([octets(`${FROM}\n\n`), Buffer.from('.\r\n'.repeat(1_000_000))]));
  }, 5_000);
});
