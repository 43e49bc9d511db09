// Reads composed reports back with Mailkeel's parser and with Python's; no text of a peer may become a field.
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  composeDsn,
  type DsnInput,
  type DsnMail,
  type DsnRecipient,
} from '../../../src/lib/dsn/dsn-build.js';
import { readDeliveryStatus, type DsnAction } from '../../../src/lib/dsn/dsn-part.js';
import { composeMessage, findField, joinMessage } from '../../../src/lib/mime/index.js';
import { parseMail } from '../../../src/lib/mail-parser/index.js';
import { anyText } from '../../support/any-text.js';
import { runs } from '../../support/run-size.js';

const AT = Date.UTC(2026, 10, 3, 9, 15);
const MESSAGE = Buffer.from(
  [
    'Received: from app.shop.example by mail.mailkeel.example; Tue, 03 Nov 2026 09:15:00 +0000',
    'From: Shop <orders@shop.example>',
    'To: bob@there.example',
    'Subject: Your order',
    'Message-ID: <m3@shop.example>',
    'In-Reply-To: <m2@there.example>',
    'References: <m1@shop.example>',
    ' <m2@there.example>',
    '',
    'Thank you.',
    '',
  ].join('\r\n'),
);

const recipient = (fields: Partial<DsnRecipient> = {}): DsnRecipient => ({
  action: 'failed',
  originalRecipient: null,
  finalRecipient: 'bob@there.example',
  status: '5.1.1',
  remoteMta: 'mx.there.example',
  diagnostic: { type: 'smtp', text: '550 5.1.1 <bob@there.example>: no such user' },
  lastAttemptAt: AT + 1000,
  retryUntil: null,
  ...fields,
});

const inputOf = (fields: Partial<DsnInput> = {}): DsnInput => ({
  reportingMta: 'mail.mailkeel.example',
  from: { email: 'postmaster@mailkeel.example', name: 'Mail Delivery System' },
  to: 'orders@shop.example',
  envelopeId: null,
  arrivedAt: AT,
  recipients: [recipient()],
  original: MESSAGE,
  ret: null,
  ...fields,
});

function wire(mail: DsnMail): Buffer {
  const { headerLines, body } = composeMessage({
    from: mail.from,
    to: [{ email: mail.to, name: null }],
    cc: [],
    replyTo: [],
    subject: mail.subject,
    messageId: 'dsn1@mailkeel.example',
    date: AT,
    html: null,
    text: mail.text,
    attachments: mail.attachments.map((file) => ({ ...file, contentId: null })),
    reportType: 'delivery-status',
    headers: mail.headers,
    boundarySeed: 'dsn1',
  });
  return joinMessage(headerLines, body);
}

const statusOf = (mail: DsnMail): string => mail.attachments[0]?.content.toString() ?? '';
const returnedOf = (mail: DsnMail) => mail.attachments[1];

describe('composeDsn', () => {
  it('writes the fields of RFC 3464 in their groups', () => {
    const mail = composeDsn(
      inputOf({
        envelopeId: 'QQ+2B314159',
        recipients: [recipient({ originalRecipient: 'rfc822;Bob+2Bx@there.example' })],
      }),
    );
    expect(statusOf(mail)).toBe(
      [
        'Original-Envelope-Id: QQ+314159',
        'Reporting-MTA: dns; mail.mailkeel.example',
        'Arrival-Date: Tue, 03 Nov 2026 09:15:00 +0000',
        '',
        'Original-Recipient: rfc822; Bob+x@there.example',
        'Final-Recipient: rfc822; bob@there.example',
        'Action: failed',
        'Status: 5.1.1',
        'Remote-MTA: dns; mx.there.example',
        'Diagnostic-Code: smtp; 550 5.1.1 <bob@there.example>: no such user',
        'Last-Attempt-Date: Tue, 03 Nov 2026 09:15:01 +0000',
        '',
      ].join('\r\n'),
    );
    expect(mail.attachments.map(({ contentType }) => contentType)).toEqual([
      'message/delivery-status',
      'text/rfc822-headers',
    ]);
  });

  it('explains the result to people', () => {
    expect(composeDsn(inputOf()).text).toBe(
      [
        'This is the mail system of mail.mailkeel.example.',
        '',
        'Your message could not be delivered to:',
        '',
        '  <bob@there.example>',
        '    mx.there.example said: 550 5.1.1 <bob@there.example>: no such user',
        '',
        "A machine-readable report and the message's header follow.",
        '',
      ].join('\n'),
    );
  });

  it('belongs to the thread of the message and is marked as automatic', () => {
    expect(composeDsn(inputOf()).headers).toEqual([
      ['Auto-Submitted', 'auto-replied'],
      ['In-Reply-To', '<m3@shop.example>'],
      ['References', '<m1@shop.example> <m2@there.example> <m3@shop.example>'],
    ]);
    const many = Array.from({ length: 60 }, (_, i) => `<r${i}@x.example>`).join('\r\n ');
    const original = Buffer.from(`Message-ID: <m@x.example>\r\nReferences: ${many}\r\n\r\n`);
    const references = composeDsn(inputOf({ original })).headers[2]?.[1].split(' ') ?? [];
    expect(references).toHaveLength(21);
    expect([references[0], references[1], references.at(-1)]).toEqual([
      '<r0@x.example>',
      '<r41@x.example>',
      '<m@x.example>',
    ]);
    expect(composeDsn(inputOf({ original: null })).headers).toHaveLength(1);
    const hostile = Buffer.from('Message-ID: <a b@x>, <ok@x.example\u00e9>\r\n\r\n');
    expect(composeDsn(inputOf({ original: hostile })).headers).toHaveLength(1);
  });

  it.each<[DsnAction, string | null, string, string]>([
    ['failed', '5.7.1', '5.7.1', 'Mail not delivered'],
    ['failed', '4.4.7', '4.4.7', 'Mail not delivered'],
    ['failed', '2.0.0', '5.0.0', 'Mail not delivered'],
    ['failed', null, '5.0.0', 'Mail not delivered'],
    ['failed', '5.1.1 (gone)', '5.0.0', 'Mail not delivered'],
    ['delayed', '4.3.2', '4.3.2', 'Mail delayed (still retrying)'],
    ['delayed', '5.1.1', '4.0.0', 'Mail delayed (still retrying)'],
    ['relayed', '2.6.0', '2.6.0', 'Mail relayed'],
    ['relayed', null, '2.0.0', 'Mail relayed'],
    ['delivered', '2.1.5', '2.1.5', 'Mail delivered'],
    ['expanded', null, '2.0.0', 'Mail delivered to a list'],
  ])('%s with status %s says %s', (action, status, expected, subject) => {
    const mail = composeDsn(inputOf({ recipients: [recipient({ action, status })] }));
    expect(statusOf(mail)).toContain(`\r\nAction: ${action}\r\nStatus: ${expected}\r\n`);
    expect(mail.subject).toBe(subject);
  });

  it('shows until when a delayed message is retried', () => {
    const until = { retryUntil: AT + 3_600_000 };
    const mail = composeDsn(
      inputOf({ recipients: [recipient({ action: 'delayed', status: '4.4.1', ...until })] }),
    );
    expect(statusOf(mail)).toContain('Will-Retry-Until: Tue, 03 Nov 2026 10:15:00 +0000\r\n');
    expect(mail.text).toContain('Delivery will be retried until Tue, 03 Nov 2026 10:15:00 +0000.');
    expect(statusOf(composeDsn(inputOf({ recipients: [recipient(until)] })))).not.toContain('Will-Retry');
  });

  it('omits unknown values', () => {
    const bare = recipient({ remoteMta: null, diagnostic: null, lastAttemptAt: null, status: null });
    expect(statusOf(composeDsn(inputOf({ recipients: [bare] }))).split('\r\n\r\n')[1]).toBe(
      'Final-Recipient: rfc822; bob@there.example\r\nAction: failed\r\nStatus: 5.0.0\r\n',
    );
  });

  it('is an internationalized report if an address requires it', () => {
    const mail = composeDsn(
      inputOf({
        recipients: [
          recipient({
            finalRecipient: '用户@there.example',
            originalRecipient: String.raw`utf-8;\x{7528}\x{6237}@there.example`,
            diagnostic: { type: 'smtp', text: '550 5.1.1 用户 unbekannt: nö' },
          }),
        ],
      }),
    );
    expect(mail.attachments[0]?.contentType).toBe('message/global-delivery-status');
    expect(statusOf(mail)).toContain('Original-Recipient: utf-8; 用户@there.example\r\n');
    expect(statusOf(mail)).toContain('Final-Recipient: utf-8; 用户@there.example\r\n');
    expect(statusOf(mail)).toContain('Diagnostic-Code: smtp; 550 5.1.1 用户 unbekannt: nö\r\n');
  });

  it('is ASCII if only the texts are not', () => {
    const mail = composeDsn(
      inputOf({ recipients: [recipient({ diagnostic: { type: 'smtp', text: '550 nö' } })] }),
    );
    expect(mail.attachments[0]?.contentType).toBe('message/delivery-status');
    expect(statusOf(mail)).toContain('Diagnostic-Code: smtp; 550 n?\r\n');
    expect(mail.text).toContain('550 nö');
  });
});

describe('the returned message', () => {
  const big = Buffer.concat([MESSAGE, Buffer.from('x'.repeat(70).concat('\r\n').repeat(5000))]);
  const eightBit = Buffer.concat([MESSAGE, Buffer.from('naïve\r\n')]);
  it.each<[string, Partial<DsnInput>, string | undefined]>([
    ['the header, without RET', {}, 'text/rfc822-headers'],
    ['the header, with RET=HDRS', { ret: 'HDRS' }, 'text/rfc822-headers'],
    ['all of it, with RET=FULL', { ret: 'FULL' }, 'message/rfc822'],
    ['the header of a large one', { ret: 'FULL', original: big }, 'text/rfc822-headers'],
    [
      'all of a large one, where that is allowed',
      { ret: 'FULL', original: big, fullLimitBytes: 1e6 },
      'message/rfc822',
    ],
    ['the header of an 8-bit one', { ret: 'FULL', original: eightBit }, 'text/rfc822-headers'],
    [
      'the header, when nothing failed',
      { ret: 'FULL', recipients: [recipient({ action: 'relayed' })] },
      'text/rfc822-headers',
    ],
    ['a header in UTF-8', { original: Buffer.from('Subject: grüß\r\n\r\n') }, 'message/global-headers'],
    [
      'a header in octets that are no UTF-8',
      { original: Buffer.from('Subject: gr\xfc\xdf\r\n\r\n', 'latin1') },
      'text/rfc822-headers',
    ],
    ['nothing, when it is gone', { original: null }, undefined],
    ['nothing, when it is empty', { original: Buffer.alloc(0) }, undefined],
  ])('%s', (_, fields, expected) => {
    expect(returnedOf(composeDsn(inputOf(fields)))?.contentType).toBe(expected);
  });

  it('is the header alone, or the exact octets', () => {
    const header = returnedOf(composeDsn(inputOf()))?.content.toString() ?? '';
    expect(header).toBe(`${MESSAGE.toString().split('\r\n\r\n', 1).join('')}\r\n`);
    expect(returnedOf(composeDsn(inputOf({ ret: 'FULL' })))?.content).toEqual(MESSAGE);
    const endless = Buffer.from('X-Y: zzzzzzzzzzzz\r\n'.repeat(100_000));
    const cut = returnedOf(composeDsn(inputOf({ original: endless })))?.content.toString() ?? '';
    expect(cut.length).toBeLessThanOrEqual(64 * 1024 + 2);
    expect(cut.endsWith('X-Y: zzzzzzzzzzzz\r\n')).toBe(true);
  });
});

describe('the report mail', () => {
  it("is a multipart/report of three parts that Mailkeel's parser understands", async () => {
    const octets = wire(composeDsn(inputOf({ ret: 'FULL', envelopeId: 'Q1' })));
    const parsed = await parseMail(octets);
    expect(findField(parsed, 'content-type')).toMatch(/^multipart\/report; report-type="delivery-status"/);
    expect(parsed.problems).toEqual([]);
    expect(parsed.text).toContain('could not be delivered');
    expect(parsed.parts.map(({ type, filename }) => [type, filename])).toEqual([
      ['message/delivery-status', null],
      ['message/rfc822', null],
    ]);
    expect(readDeliveryStatus(Buffer.from(parsed.parts[0]?.content ?? []).toString())).toMatchObject({
      reportingMta: 'mail.mailkeel.example',
      originalEnvelopeId: 'Q1',
      recipients: [
        {
          finalRecipient: 'bob@there.example',
          action: 'failed',
          status: '5.1.1',
          remoteMta: 'mx.there.example',
        },
      ],
    });
    expect(Buffer.from(parsed.parts[1]?.content ?? []).toString()).toBe(MESSAGE.toString());
  });

  it('is 7-bit even if addresses, header and texts are not', async () => {
    const original = Buffer.from('Subject: grüß\r\nMessage-ID: <a@b.example>\r\n\r\n');
    const octets = wire(
      composeDsn(inputOf({ original, recipients: [recipient({ finalRecipient: 'zoë@there.example' })] })),
    );
    expect(octets.toString('latin1')).not.toMatch(/[^\x01-\x7f]|\r(?!\n)|(?<!\r)\n/);
    const parsed = await parseMail(octets);
    expect(parsed.parts.map(({ type }) => type)).toEqual([
      'message/global-delivery-status',
      'message/global-headers',
    ]);
    expect(Buffer.from(parsed.parts[0]?.content ?? []).toString()).toContain('utf-8; zoë@there.example');
    expect(Buffer.from(parsed.parts[1]?.content ?? []).toString()).toContain('Subject: grüß');
  });

  const PYTHON = '/usr/bin/python3';
  it.skipIf(!existsSync(PYTHON))("is read by Python's email package without a defect", () => {
    const program = `
import email, email.policy, json, sys
m = email.message_from_binary_file(sys.stdin.buffer, policy=email.policy.SMTP)
parts = list(m.iter_parts())
print(json.dumps({
  'type': m.get_content_type(), 'report': m.get_param('report-type'),
  'parts': [p.get_content_type() for p in parts],
  'groups': [dict(g.items()) for g in parts[1].get_payload()],
  'inner': parts[2].get_payload()[0]['Subject'],
  'auto': m['Auto-Submitted'], 'defects': [str(d) for p in m.walk() for d in p.defects]}))`;
    const output = execFileSync(PYTHON, ['-c', program], {
      input: wire(composeDsn(inputOf({ ret: 'FULL' }))),
    });
    expect(JSON.parse(output.toString())).toMatchObject({
      type: 'multipart/report',
      report: 'delivery-status',
      parts: ['text/plain', 'message/delivery-status', 'message/rfc822'],
      groups: [
        { 'Reporting-MTA': 'dns; mail.mailkeel.example' },
        { 'Final-Recipient': 'rfc822; bob@there.example', Action: 'failed', Status: '5.1.1' },
      ],
      inner: 'Your order',
      auto: 'auto-replied',
      defects: [],
    });
  });
});

describe("a peer's reply in the report", () => {
  const KNOWN =
    /^(?:Original-Envelope-Id|Reporting-MTA|Arrival-Date|Original-Recipient|Final-Recipient|Action|Status|Remote-MTA|Diagnostic-Code|Last-Attempt-Date): \S/;

  it('cannot create a field, a group or a line', () => {
    const nasty = fc.oneof(
      anyText({ maxLength: 80 }),
      fc.constantFrom(
        '550 no\r\nAction: delivered\r\n\r\nFinal-Recipient: rfc822; ceo@x.example',
        'a\nStatus: 2.0.0',
        'a\rb\u2028Status: 2.0.0\u0085c',
        '\r\n--=_boundary--\r\n',
        'x'.repeat(5000),
        'é'.repeat(5000),
        'a '.repeat(3000),
      ),
    );
    fc.assert(
      fc.property(nasty, nasty, nasty, nasty, (words, host, address, id) => {
        const mail = composeDsn(
          inputOf({
            envelopeId: id,
            recipients: [
              recipient({
                diagnostic: { type: 'smtp', text: words },
                remoteMta: host,
                finalRecipient: address,
                originalRecipient: `rfc822;${id}`,
              }),
            ],
          }),
        );
        const status = statusOf(mail);
        const groups = status.split('\r\n\r\n');
        expect(groups).toHaveLength(2);
        for (const line of status.replace(/\r\n$/, '').split('\r\n')) {
          expect(line === '' || KNOWN.test(line) || /^[ \t]\S/.test(line) || /^[\w-]+:$/.test(line)).toBe(
            true,
          );
        }
        expect(status.match(/^Action:/gm)).toEqual(['Action:']);
        expect(mail.text).not.toMatch(/[^\P{Cc}\n]/u);
        const octets = wire(mail).toString('latin1');
        expect(octets).not.toMatch(/[^\x01-\x7f]|\r(?!\n)|(?<!\r)\n/);
        expect(Math.max(...octets.split('\r\n').map((line) => line.length))).toBeLessThanOrEqual(998);
      }),
      runs(300),
    );
  });

  it('cannot end the part', async () => {
    const first = wire(composeDsn(inputOf({ ret: 'FULL' }))).toString('latin1');
    const boundary = /boundary="([^"]+)"/.exec(first)?.[1] ?? '';
    const original = Buffer.from(`Subject: x\r\n\r\n--${boundary}--\r\nafter\r\n`);
    const parsed = await parseMail(wire(composeDsn(inputOf({ ret: 'FULL', original }))));
    expect(Buffer.from(parsed.parts[1]?.content ?? []).toString()).toContain('after');
  });
});
