import { readdirSync, readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readBounceReport } from '../../../src/lib/dsn/dsn.js';
import { compileDsnRules } from '../../../src/lib/dsn/dsn-formats.js';
import { readDeliveryStatus } from '../../../src/lib/dsn/dsn-part.js';
import { addressesInWords, addressIn, hostIn, replyIn } from '../../../src/lib/dsn/dsn-words.js';
import { parseMail } from '../../../src/lib/mail-parser/index.js';
import type { MailPart, ParsedMail } from '../../../src/lib/mime/index.js';
import { readShipped } from '../../../src/settings/shipped.js';
import { anyText } from '../../support/any-text.js';
import { runs } from '../../support/run-size.js';

const rules = compileDsnRules(readShipped('dsn-rules'));

function mailOf(given: Partial<ParsedMail> & { headers?: Record<string, string> }): ParsedMail {
  const { headers = {}, ...rest } = given;
  return {
    fields: Object.entries(headers).map(([name, value]) => ({ name, value })),
    from: null,
    replyTo: [],
    to: [],
    cc: [],
    subject: headers['subject'] ?? '',
    messageId: null,
    inReplyTo: [],
    references: [],
    date: null,
    text: null,
    html: null,
    parts: [],
    problems: [],
    ...rest,
  };
}

function partOf(type: string, text: string): MailPart {
  return { type, filename: null, contentId: null, isInline: false, content: Buffer.from(text) };
}

describe('readDeliveryStatus', () => {
  it.each([
    ['rfc822; bob@example.com', 'bob@example.com'],
    ["rfc822; o'brien@example.com", "o'brien@example.com"],
    ["rfc822; 'o'brien@example.com'", "o'brien@example.com"],
    ["rfc822; 'bob@example.com' (gone)", 'bob@example.com'],
    ['rfc822; "bob@example.com"', 'bob@example.com'],
    ['rfc822; "john doe"@example.com', '"john doe"@example.com'],
    ['rfc822; <"a..b"@example.com> gone', '"a..b"@example.com'],
    ['rfc822; "a@b \\"c\\""@example.com', '"a@b \\"c\\""@example.com'],
    ['rfc822; <@relay.example:bob@example.com>', 'bob@example.com'],
  ])('reads the recipient in %s', (written, recipient) => {
    const status = readDeliveryStatus(`Final-Recipient: ${written}\r\nAction: failed`);
    expect(status?.recipients[0]?.finalRecipient).toBe(recipient);
  });

  it('reads every field of a group and of the message', () => {
    const status = readDeliveryStatus(
      [
        'Original-Envelope-Id: 4711',
        'Reporting-MTA: dns; MX.example.net (Postfix)',
        '',
        'Original-Recipient: rfc822;bob@example.com',
        'Final-Recipient: RFC822; <robert@example.net>',
        'Action: delayed (soon)',
        'Status: 4.4.1 (no answer)',
        'Remote-MTA: dns; [198.51.100.7]:25',
        'Diagnostic-Code: smtp; 451-4.7.1 Please',
        ' 451 4.7.1 wait',
        'Will-Retry-Until: Wed, 05 Nov 2025 09:00:00 +0000 (UTC)',
      ].join('\r\n'),
    );
    expect(status).toEqual({
      reportingMta: 'mx.example.net',
      originalEnvelopeId: '4711',
      recipients: [
        {
          finalRecipient: 'robert@example.net',
          originalRecipient: 'bob@example.com',
          action: 'delayed',
          status: '4.4.1',
          diagnosticType: 'smtp',
          reply: { code: 451, enhanced: '4.7.1', text: '451-4.7.1 Please\n451 4.7.1 wait' },
          remoteMta: '198.51.100.7',
          willRetryUntil: Date.UTC(2025, 10, 5, 9),
        },
      ],
    });
  });

  it.each([
    ['rfc822; bob@example.com', 'bob@example.com'],
    ['rfc822;<bob@example.com>', 'bob@example.com'],
    ['bob@example.com', 'bob@example.com'],
    ['RFC822; @relay.example.net:bob@example.com', 'bob@example.com'],
    ['rfc822; "bob@example.com" (Bob)', 'bob@example.com'],
    ['unknown; nair_s', 'nair_s'],
    ['utf-8; m\\x{FC}ller@example.com', 'müller@example.com'],
    ['utf-8; \\x{110000}\\x{D800}@example.com', '\\x{110000}\\x{D800}@example.com'],
    ['rfc822;', null],
    ['', null],
  ])('Final-Recipient: %s', (written, expected) => {
    const status = readDeliveryStatus(`Final-Recipient: ${written}\nAction: failed`);
    expect(status?.recipients[0]?.finalRecipient).toBe(expected);
  });

  it.each([
    ['failed', 'failed'],
    ['Failed (5 days)', 'failed'],
    ['failure', 'failed'],
    ['expired', 'failed'],
    ['deferred', 'delayed'],
    ['DELIVERED', 'delivered'],
    ['expanded (to multi-recipient alias)', 'expanded'],
    ['relayed', 'relayed'],
    ['whatever', null],
  ])('Action: %s', (written, expected) => {
    expect(readDeliveryStatus(`Action: ${written}\nStatus: 5.0.0`)?.recipients[0]?.action).toBe(expected);
  });

  it('reads at most 100 recipients', () => {
    const group = 'Final-Recipient: rfc822; a@example.com\nAction: failed\nStatus: 5.1.1\n\n';
    expect(readDeliveryStatus(group.repeat(5000))?.recipients).toHaveLength(100);
  });

  it.each(['', 'Reporting-MTA: dns; mx.example.net', 'Dear sir: or madam', '\n\n\n'])(
    'is null for %j',
    (text) => {
      expect(readDeliveryStatus(text)).toBeNull();
    },
  );
});

describe('the text of a report', () => {
  it.each([
    ['host mx said: 550 5.1.1 unknown', 550, '5.1.1'],
    ['#550 5.1.1 RESOLVER.ADR.RecipNotFound; not found ##', 550, '5.1.1'],
    ['<mail.example.com #5.1.1 smtp;550 5.1.1 gone>', 550, '5.1.1'],
    ['550-5.7.26 Unauthenticated\n550 5.7.26 mail', 550, '5.7.26'],
    ["5.1.0 - Unknown address error 550-'User unknown'", 550, null],
    ['Mon 2025-11-03 09:00:03: <-- 552 full', 552, null],
    ['Sorry, no mailbox here by that name. (#5.1.1)', null, '5.1.1'],
    ['550 Blocked (#5.7.1)', 550, '5.7.1'],
    ['[Status: Error, Address: <a@example.com>, ResponseCode 421, , Host not reachable.]', 421, null],
    ['waited 400 seconds for 198.51.100.7 on port 587', null, null],
    ['The version 5.1.1.2 of the year 2025', null, null],
  ])('%s', (words, code, enhanced) => {
    const reply = replyIn(words);
    expect({ code: reply.code, enhanced: reply.enhanced }).toEqual({ code, enhanced });
  });

  it.each([
    ['<bob@example.com>:', 'bob@example.com'],
    ["'o'brien@example.com' was not found", "o'brien@example.com"],
    ['Recipient: [SMTP:bob@example.com]', 'bob@example.com'],
    ['bob@example.com.', 'bob@example.com'],
    ['地址（bob@example.com）不存在', 'bob@example.com'],
    ['no address @ all', null],
  ])('reveals the address in %s', (words, expected) => {
    expect(addressIn(words)?.address ?? null).toBe(expected);
  });

  it.each([
    ['sent to bob@my_host.example: failed', ['bob@my_host.example']],
    ['an "john doe"@example.com und a..b@example.com', ['"john doe"@example.com', 'a..b@example.com']],
    ['地址bob@example.com不存在', ['bob@example.com']],
  ])('reveals the addresses in %s', (words, expected) => {
    expect(addressesInWords(words)).toEqual(expected);
  });

  it.each([
    ['mx.example.com[198.51.100.7]', 'mx.example.com'],
    ['[198.51.100.7]:25', '198.51.100.7'],
    ['2001:db8::1 refused', '2001:db8::1'],
    ['localhost', null],
  ])('reveals the host in %s', (words, expected) => {
    expect(hostIn(words)).toBe(expected);
  });
});

describe('readBounceReport', () => {
  it('uses the text of a standard report without fields', () => {
    const report = readBounceReport(
      mailOf({
        headers: { from: 'mailer-daemon@example.net', subject: 'Returned mail' },
        text: '  ----- The following addresses had permanent fatal errors -----\n<bob@example.com>\n    (reason: 550 5.2.1 Mailbox closed)\n',
        parts: [partOf('message/delivery-status', 'Final-Recipient: rfc822; bob@example.com\nStatus: 5.0.0')],
      }),
      rules,
    );
    expect(report?.format).toBe('standard');
    expect(report?.recipients[0]).toMatchObject({
      action: 'failed',
      status: '5.0.0',
      reply: { code: 550, enhanced: '5.2.1' },
    });
  });

  it('returns the header of the returned message, from a part or from the text', () => {
    const header =
      'Return-Path: <b-1@bounce.example.org>\r\nSubject: folded\r\n one\r\nX: 1\r\n\r\nNot: a field';
    const intro = 'Hi. This is the qmail-send program at mx.example.net.\n\n<bob@example.com>:\nno\n\n';
    const expected = [
      { name: 'return-path', value: '<b-1@bounce.example.org>' },
      { name: 'subject', value: 'folded one' },
      { name: 'x', value: '1' },
    ];
    const inPart = readBounceReport(
      mailOf({ text: intro, parts: [partOf('message/rfc822', header)] }),
      rules,
    );
    expect(inPart?.original).toEqual(expected);
    const marked = `${intro}--- Below this line is a copy of the message.\n\n${header}`;
    expect(readBounceReport(mailOf({ text: marked }), rules)?.original).toEqual(expected);
    const quoted = `${intro}${header.replaceAll(/^(?=.)/gm, '> ')}`;
    expect(readBounceReport(mailOf({ text: quoted }), rules)?.original.slice(0, 1)).toEqual(
      expected.slice(0, 1),
    );
  });

  it.each(['message/disposition-notification', 'message/feedback-report'])('is null for a %s', (type) => {
    const report = 'Final-Recipient: rfc822; bob@example.com\nAction: failed\nStatus: 5.1.1';
    const mail = mailOf({ text: report, parts: [partOf(type, report)] });
    expect(readBounceReport(mail, rules)).toBeNull();
  });

  it('never fails or exceeds its limits, whatever the text contains', () => {
    const pieces = fc.constantFrom(
      'Hi. This is the qmail-send program at x.\n',
      'Diagnostic information for administrators:\n',
      '<bob@example.com>:\n',
      'Final-Recipient: rfc822; ',
      'Action: failed\n',
      'Status: 5.1.1\n',
      'Remote host said: 550 ',
      '----- Original message -----\n',
      'Received: from x\n by y\n',
      '\n',
      ' ',
      '\0\u202e',
      '@'.repeat(70),
    );
    const text = fc.array(fc.oneof(pieces, anyText()), { maxLength: 60 });
    fc.assert(
      fc.property(text, fc.boolean(), (words, isHtml) => {
        const body = words.join('');
        const report = readBounceReport(
          mailOf(isHtml ? { html: body } : { text: body, parts: [partOf('message/delivery-status', body)] }),
          rules,
        );
        if (!report) return;
        expect(report.recipients.length).toBeGreaterThan(0);
        expect(report.recipients.length).toBeLessThanOrEqual(100);
        for (const { reply } of report.recipients) expect(reply.text.length).toBeLessThanOrEqual(4096);
      }),
      runs(300),
    );
  });

  it('survives corpus mails with removed, doubled or randomized pieces', async () => {
    const folder = new URL('../../corpus/bounces/', import.meta.url);
    const files = readdirSync(folder).filter((file) => file.endsWith('.eml'));
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...files),
        fc.nat(4000),
        fc.nat(400),
        fc.uint8Array({ maxLength: 40 }),
        fc.boolean(),
        async (file, at, length, noise, isDoubled) => {
          const raw = readFileSync(new URL(file, folder));
          const cut = raw.subarray(at, at + length);
          const changed = Buffer.concat([
            raw.subarray(0, at),
            isDoubled ? cut : noise,
            cut,
            raw.subarray(at),
          ]);
          const report = readBounceReport(await parseMail(changed), rules);
          if (report) expect(report.recipients.length).toBeGreaterThan(0);
        },
      ),
      runs(300),
    );
  });
});

describe('compileDsnRules', () => {
  it('reports every error with its path', () => {
    const json = {
      formats: [
        { name: 'a b', when: [], action: 'lost', guess: 'yes', colour: 1 },
        {
          name: 'twice',
          when: [{ text: 'x*' }, { field: 'Subject', pattern: 'y' }, { text: 'a', field: 'b' }],
        },
        {
          name: 'twice',
          when: [{ text: 'x' }],
          recipients: [{ line: 'x', list: 'y' }, { line: 'a{1,5}b{1,5}' }],
        },
      ],
      hosts: ['(?=x)'],
      stops: 'none',
      more: [],
    };
    expect(() => compileDsnRules(json)).toThrow(
      [
        'dsn rules: the file has an unknown field: "more"',
        'dsn rules: formats[0] has an unknown field: "colour"',
        'dsn rules: formats[0].when must have at least one sign',
        'dsn rules: formats[0].guess must be true or false',
        'dsn rules: formats[0].name must be a name with at most 63 letters, digits, ".", "_" or "-"',
        'dsn rules: formats[0].action must be one of failed, delayed, none',
        'dsn rules: formats[1].when[0].text must not repeat without an upper bound',
        'dsn rules: formats[1].when[1].field must be a lowercase header field name',
        'dsn rules: formats[1].when[2] must have either a field or a text, not both',
        'dsn rules: formats[2].recipients[0] must have exactly one of field, line and list',
        'dsn rules: formats[2].recipients[1].line must have at most one repetition in an alternative',
        'dsn rules: formats[2].name is used twice',
        'dsn rules: hosts[0] must only use non-capturing groups (?: )',
        'dsn rules: stops must be a list with at most 40 items',
      ].join('\n'),
    );
  });

  it('accepts a format of the operator', () => {
    const own = compileDsnRules({
      formats: [
        {
          name: 'acme',
          when: [{ field: 'x-mailer', pattern: '^acme gateway' }],
          recipients: [{ line: '^failed for ' }],
          replies: ['^because '],
          hosts: ['^asked '],
        },
      ],
    });
    const text = 'Failed for bob@example.com\nasked mx.example.com\nbecause 550 5.1.1 gone\n';
    const report = readBounceReport(mailOf({ headers: { 'x-mailer': 'ACME Gateway 2' }, text }), own);
    expect(report).toMatchObject({
      format: 'acme',
      recipients: [
        {
          finalRecipient: 'bob@example.com',
          action: 'failed',
          reply: { code: 550, enhanced: '5.1.1' },
          remoteMta: 'mx.example.com',
        },
      ],
    });
  });
});
