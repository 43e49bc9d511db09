// Tests cases without a mail in the corpus (complaint-corpus.test.ts): limits, hostile input, single fields.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readFeedbackReport } from '../../../src/lib/dsn/feedback-report.js';
import type { HeaderField, MailPart, ParsedMail } from '../../../src/lib/mime/index.js';
import { tokensIn } from '../../../src/inbound/classify/token-traces.rules.js';
import { sized } from '../../support/run-size.js';

const part = (type: string, content: string | Uint8Array, filename: string | null = null): MailPart => ({
  type,
  filename,
  contentId: null,
  isInline: false,
  content: typeof content === 'string' ? Buffer.from(content) : content,
});

const mailWith = (fields: Partial<ParsedMail>): ParsedMail => ({
  fields: [],
  from: { email: 'fbl@isp.example', name: null },
  replyTo: [],
  to: [],
  cc: [],
  subject: '',
  messageId: null,
  inReplyTo: [],
  references: [],
  date: null,
  text: null,
  html: null,
  parts: [],
  problems: [],
  ...fields,
});

const reportOf = (fields: string) =>
  readFeedbackReport(mailWith({ parts: [part('message/feedback-report', fields)] }));

describe('readFeedbackReport', () => {
  it.each([
    ['abuse', 'abuse'],
    ['Abuse (spam button)', 'abuse'],
    ['spam', 'abuse'],
    ['not spam', 'not-spam'],
    ['not_spam', 'not-spam'],
    ['opt-out-list', 'opt-out'],
    ['AUTH-FAILURE', 'auth-failure'],
    ['miscategorized', 'other'],
    ['constructor', 'other'],
    ['__proto__', 'other'],
    ['', 'other'],
  ])('type %j is %s', (stated, type) => {
    expect(reportOf(`Feedback-Type: ${stated}\r\nVersion: 1\r\n`)?.type).toBe(type);
  });

  it('uses the other fields, or the subject, if the type is missing', () => {
    expect(reportOf('Auth-Failure: dmarc\r\n')?.type).toBe('auth-failure');
    expect(reportOf('User-Agent: X/1\r\n')?.type).toBe('abuse');
    const parts = [part('message/rfc822', 'Subject: x\r\n\r\n')];
    expect(readFeedbackReport(mailWith({ subject: 'Not spam: x', parts }))?.type).toBe('not-spam');
  });

  it('reads the fields of the standard, folded and with mixed line ends', () => {
    const report = reportOf(
      'feedback-type: abuse\nUSER-AGENT: A\n B/1\r\nIncidents: 12\r\nArrival-Date: Thu, 8 Mar 2005 14:00:00 EDT\r\n' +
        'Original-Rcpt-To: <a@x.example>\r\nOriginal-Rcpt-To: b@x.example\r\nOriginal-Rcpt-To: <a@x.example>\r\n',
    );
    expect(report).toMatchObject({
      userAgent: 'A B/1',
      incidents: 12,
      arrivalDate: Date.UTC(2005, 2, 8, 18),
      originalRecipients: ['a@x.example', 'b@x.example'],
      original: [],
    });
  });

  it.each(['0', '-3', '1e9', '99999999999', 'many'])('ignores an incident count of %s', (count) => {
    expect(reportOf(`Feedback-Type: abuse\r\nIncidents: ${count}\r\n`)?.incidents).toBe(1);
  });

  it('removes control characters from values', () => {
    const report = reportOf('Feedback-Type: abuse\r\nUser-Agent: a\x00b\x1b[31mc\u202ed\r\n');
    expect(report?.userAgent).toBe('ab[31mcd');
  });

  it.each<[string, Partial<ParsedMail>]>([
    ['an ordinary reply', { text: 'Thank you!\n> From: Shop\n> Subject: Offers\n> To: me\n> Date: today\n' }],
    ['nothing at all', {}],
    ['a message part that is no message', { parts: [part('message/rfc822', 'no header here')] }],
    [
      'a mailer daemon',
      {
        from: { email: 'MAILER-DAEMON@isp.example', name: null },
        parts: [part('message/rfc822', 'Subject: x\n\n')],
      },
    ],
    [
      'a bounce with a field of its own',
      {
        fields: [{ name: 'x-failed-recipients', value: 'a@x.example' }],
        parts: [part('message/rfc822', 'Subject: x\n\n')],
      },
    ],
    [
      'a read receipt',
      {
        parts: [
          part('message/disposition-notification', 'Disposition: x'),
          part('message/rfc822', 'Subject: x\n\n'),
        ],
      },
    ],
  ])('is null for %s', (_, fields) => {
    expect(readFeedbackReport(mailWith(fields))).toBeNull();
  });

  it('limits the size of values', () => {
    const many = Array.from({ length: 5000 }, (_, i) => `Original-Rcpt-To: <r${i}@x.example>`).join('\r\n');
    expect(reportOf(`Feedback-Type: abuse\r\n${many}`)?.originalRecipients).toHaveLength(20);
    const header = Array.from({ length: 5000 }, (_, i) => `X-${i}: ${'v'.repeat(50)}`).join('\r\n');
    const original =
      readFeedbackReport(mailWith({ parts: [part('message/rfc822', header)] }))?.original ?? [];
    expect(original).toHaveLength(500);
    const long = readFeedbackReport(
      mailWith({ parts: [part('message/rfc822', `X: ${'v\r\n '.repeat(90_000)}`)] }),
    );
    expect(long?.original[0]?.value.length).toBeLessThan(9000);
  });

  const megabyte = sized({ small: 250_000, full: 1_000_000 });
  it.each<[string, string]>([
    ['one long line', 'a'.repeat(2 * megabyte)],
    ['only colons', ':'.repeat(2 * megabyte)],
    ['only quotes', '> '.repeat(megabyte)],
    ['only blank lines', '\n'.repeat(2 * megabyte)],
    ['only continuation', 'Feedback-Type: abuse\n' + ' a\n'.repeat(megabyte / 2)],
    ['fields without end', 'Received: x\n'.repeat(megabyte / 5)],
    ['nearly tokens', `Return-Path: ${'b-0123456789abcdefghjkmnpqrstvwxyz0123456789'.repeat(2000)}`],
    ['nearly wrapped tokens', `Return-Path: ${'=a.b'.repeat(20_000)}`],
  ])('is not slowed by %s', (_, text) => {
    const mail = mailWith({
      text,
      parts: [part('message/feedback-report', text), part('message/rfc822', text), part('text/plain', text)],
    });
    // Quadratic work on this would outlast the test.
    const report = readFeedbackReport(mail);
    if (report) expect(tokensIn(report).length).toBeLessThanOrEqual(20);
  });

  it('never throws for any octets', () => {
    const octets = fc.uint8Array({ maxLength: 400 });
    const type = fc.constantFrom(
      'message/feedback-report',
      'message/rfc822',
      'text/rfc822-headers',
      'text/plain',
    );
    fc.assert(
      fc.property(fc.array(fc.tuple(type, octets), { maxLength: 4 }), fc.string(), (parts, text) => {
        const mail = mailWith({ text, parts: parts.map(([kind, content]) => part(kind, content)) });
        const report = readFeedbackReport(mail);
        if (report) tokensIn(report);
      }),
    );
  });
});

describe('tokensIn', () => {
  const token = '0123456789abcdefghjkmnpqrs3abcdefghjkmnpqrs';
  const fieldsOf = (...fields: [string, string][]): HeaderField[] =>
    fields.map(([name, value]) => ({ name, value }));
  const found = (...fields: [string, string][]) =>
    tokensIn({ original: fieldsOf(...fields) }).map((trace) => ({ ...trace, field: undefined }));

  it.each<[string, [string, string], object[]]>([
    [
      'an envelope sender',
      ['return-path', `<b-${token}@bounce.shop.example>`],
      [{ kind: 'return_path', local: `b-${token}`, domain: 'bounce.shop.example' }],
    ],
    [
      'at the end of a sentence',
      ['x-note', `sent by b-${token}@bounce.shop.example.`],
      [{ kind: 'return_path', local: `b-${token}`, domain: 'bounce.shop.example' }],
    ],
    [
      'a tagged one',
      ['return-path', `<prvs=0123abcdef=b-${token}@bounce.shop.example>`],
      [{ kind: 'return_path', local: `b-${token}`, domain: 'bounce.shop.example' }],
    ],
    [
      'a forwarded one',
      ['return-path', `<SRS0=abcd=K7=bounce.shop.example=b-${token}@fwd.example>`],
      [
        { kind: 'return_path', local: `b-${token}`, domain: 'bounce.shop.example' },
        { kind: 'return_path', local: `b-${token}`, domain: 'fwd.example' },
      ],
    ],
    ['a reference', ['x-service-ref', ` ${token} `], [{ kind: 'reference', token }]],
    ['no reference', ['x-service-ref', `${token} and more`], []],
    [
      'an unsubscribe link and address',
      [
        'list-unsubscribe',
        `<https://x.example/base/u/${token}>, <mailto:unsubscribe%2B${token}%40in.example?subject=unsubscribe>`,
      ],
      [
        { kind: 'unsubscribe_link', token },
        { kind: 'unsubscribe_address', local: `unsubscribe+${token}`, domain: 'in.example' },
      ],
    ],
    ['a link of others', ['list-unsubscribe', '<https://x.example/u/short>'], []],
    [
      'a reply address',
      ['reply-to', `"Shop" <reply+${token}@in.example>`],
      [{ kind: 'reply_address', local: `reply+${token}`, domain: 'in.example' }],
    ],
    [
      'a Message-ID',
      ['message-id', ' <0123@shop.example> '],
      [{ kind: 'message_id', messageId: '0123@shop.example' }],
    ],
    ['not what the thread names', ['references', `<b-${token}@bounce.shop.example>`], []],
    ['nor what the subject says', ['subject', `b-${token}@bounce.shop.example`], []],
  ])('%s', (_, field, expected) => {
    expect(found(field)).toEqual(expected);
  });

  it('uses the reported envelope sender after that of the message', () => {
    const traces = tokensIn({
      originalMailFrom: `b-${token}@stated.example`,
      original: fieldsOf(['message-id', '<x@y.example>'], ['return-path', `<b-${token}@own.example>`]),
    });
    expect(traces.map(({ field }) => field)).toEqual(['return-path', 'original-mail-from', 'message-id']);
  });

  it('returns no duplicates, and at most 20', () => {
    const path = `<b-${token}@bounce.shop.example>`;
    expect(found(['return-path', path], ['x-envelope-from', path.toUpperCase()])).toHaveLength(1);
    const many = Array.from({ length: 50 }, (_, i): [string, string] => [
      'return-path',
      `<b-${token}@d${i}.example>`,
    ]);
    expect(found(...many)).toHaveLength(20);
  });
});
