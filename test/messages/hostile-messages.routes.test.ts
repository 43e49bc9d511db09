import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { simpleParser } from 'mailparser';
import { MINIMAL, startMessageRig, type Answer, type MessageRig } from '../support/message-rig.js';

let rig: MessageRig;
beforeAll(async () => {
  rig = await startMessageRig();
});
afterAll(() => rig.close());

const HALF = '\ud83d';
const MEGABYTE = 'x'.repeat(1024 * 1024);
const nested = (levels: number): unknown => JSON.parse(`${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}`);
const file = (fields: object) => ({ attachments: [{ filename: 'a.txt', content: 'aGk=', ...fields }] });
const many = (count: number) => Array.from({ length: count }, (_, index) => `r${index}@example.com`);

/** Fields over a valid request, and the paths that the refusal must name. */
const INVALID: [name: string, fields: Record<string, unknown>, path: string][] = [
  ['to: missing', { to: undefined }, 'to'],
  ['to: null', { to: null }, 'to'],
  ['to: number', { to: 7 }, 'to'],
  ['to: lists in a list', { to: [['a@example.com']] }, 'to.0'],
  ['to: empty', { to: '' }, 'to'],
  ['to: no domain', { to: 'ann' }, 'to'],
  ['to: two addresses', { to: 'a@example.com, b@example.com' }, 'to'],
  ['to: line break', { to: 'a@example.com\r\nBcc: b@example.com' }, 'to'],
  ['to: name with line break', { to: 'Ann\r\nX: y <a@example.com>' }, 'to'],
  ['to: open quote', { to: '"a b@example.com' }, 'to'],
  ['to: address literal', { to: 'a@[127.0.0.1]' }, 'to'],
  ['to: one label', { to: 'a@localhost' }, 'to'],
  ['from: SMTPUTF8', { from: 'ä@acme.test' }, 'from'],
  ['to: NUL', { to: 'a\0@example.com' }, 'to'],
  ['to: half a surrogate pair', { to: { email: 'a@example.com', name: HALF } }, 'to.name'],
  ['to: a megabyte', { to: `${MEGABYTE}@example.com` }, 'to'],
  ['to: object without email', { to: { name: 'x' } }, 'to.email'],
  ['to: object with more', { to: { email: 'a@example.com', extra: 1 } }, 'to.extra'],
  ['to: blank in the object', { to: { email: ' a@example.com' } }, 'to.email'],
  ['to: CRLF in the name', { to: { email: 'a@example.com', name: 'A\r\nBcc: x@example.com' } }, 'to.name'],
  ['to: long name', { to: { email: 'a@example.com', name: 'n'.repeat(256) } }, 'to.name'],
  ['cc: number', { cc: 7 }, 'cc'],
  ['cc: bad entry', { cc: ['a@example.com', 'nope'] }, 'cc.1'],
  ['cc: too many', { cc: many(50) }, 'cc'],
  ['bcc: huge', { bcc: many(10_000) }, 'bcc'],
  ['bcc: nested list', { bcc: [[]] }, 'bcc.0'],
  ['from: bad', { from: 'x' }, 'from'],
  ['from: CRLF', { from: { email: 'a@sender.example\r\nX: y' } }, 'from.email'],
  ['reply_to: bad', { reply_to: { email: 'x' } }, 'reply_to.email'],
  ['subject: number', { subject: 1 }, 'subject'],
  ['subject: CRLF', { subject: 'a\r\nBcc: x@example.com' }, 'subject'],
  ['subject: LF', { subject: 'a\nb' }, 'subject'],
  ['subject: control character', { subject: 'a\x07' }, 'subject'],
  ['subject: line separator', { subject: 'a\u2028b' }, 'subject'],
  ['subject: half a surrogate pair', { subject: HALF }, 'subject'],
  ['subject: too long', { subject: 's'.repeat(999) }, 'subject'],
  ['subject: a megabyte', { subject: MEGABYTE }, 'subject'],
  ['subject: empty', { subject: '' }, 'subject'],
  ['html: number', { html: 1 }, 'html'],
  ['to: null', { to: null }, 'to'],
  ['html: NUL', { html: 'a\0b' }, 'html'],
  ['html: half a surrogate pair', { html: `a${HALF}b` }, 'html'],
  ['text: half a surrogate pair', { text: HALF }, 'text'],
  ['text: object', { text: {} }, 'text'],
  ['no content', { html: undefined, text: undefined }, 'html'],
  ['template: number', { template: 1 }, 'template'],
  ['template: NUL', { html: undefined, text: undefined, template: 'a\0' }, 'template'],
  ['template_id: CRLF', { html: undefined, text: undefined, template_id: 'a\r\n' }, 'template_id'],
  ['variables: list', { variables: [1] }, 'variables'],
  ['variables: nested too deep', { variables: nested(40) }, 'variables'],
  ['variables: too large', { variables: { a: `${MEGABYTE}x` } }, 'variables'],
  ['variables: half a surrogate pair', { variables: { a: [HALF] } }, 'variables'],
  ['type: unknown', { type: 'spam' }, 'type'],
  ['priority: number', { priority: 1 }, 'priority'],
  ['send_at: number', { send_at: 1 }, 'send_at'],
  ['send_at: words', { send_at: 'tomorrow' }, 'send_at'],
  ['send_at: no offset', { send_at: '2026-03-01T00:00:00' }, 'send_at'],
  ['send_at: past', { send_at: '2020-03-01T00:00:00Z' }, 'send_at'],
  ['send_at: no such day', { send_at: '2026-02-30T00:00:00Z' }, 'send_at'],
  ['idempotency_key: long', { idempotency_key: 'k'.repeat(256) }, 'idempotency_key'],
  ['idempotency_key: number', { idempotency_key: 1 }, 'idempotency_key'],
  ['idempotency_key: NUL', { idempotency_key: 'a\0' }, 'idempotency_key'],
  ['tags: string', { tags: 'a' }, 'tags'],
  ['tags: number inside', { tags: ['a', 1] }, 'tags.1'],
  ['tags: empty tag', { tags: [''] }, 'tags.0'],
  ['tags: long tag', { tags: ['t'.repeat(129)] }, 'tags.0'],
  ['tags: too many', { tags: many(51) }, 'tags'],
  ['tags: forty thousand', { tags: Array.from({ length: 40_000 }, () => 'a') }, 'tags'],
  ['tags: line break', { tags: ['a\nb'] }, 'tags.0'],
  ['metadata: string', { metadata: 'a' }, 'metadata'],
  ['metadata: list', { metadata: [1] }, 'metadata'],
  ['metadata: too large', { metadata: { a: 'm'.repeat(16_400) } }, 'metadata'],
  ['metadata: nested too deep', { metadata: nested(33) }, 'metadata'],
  ['metadata: half a surrogate pair in a key', { metadata: { [HALF]: 1 } }, 'metadata'],
  ['attachments: object', { attachments: {} }, 'attachments'],
  [
    'attachments: too many',
    { attachments: many(51).map((f) => ({ filename: f, content: '' })) },
    'attachments',
  ],
  ['attachments: no content', { attachments: [{ filename: 'a' }] }, 'attachments.0.content'],
  ['attachments: unknown field', file({ url: 'http://example.com' }), 'attachments.0.url'],
  ['attachments: bad base64', file({ content: '***' }), 'attachments.0.content'],
  ['attachments: unpadded', file({ content: 'aGk' }), 'attachments.0.content'],
  ['attachments: url-safe base64', file({ content: '_-8=' }), 'attachments.0.content'],
  ['attachments: wrapped base64', file({ content: 'aGk=\r\naGk=' }), 'attachments.0.content'],
  ['attachments: trailing bits', file({ content: 'aGl=' }), 'attachments.0.content'],
  ['attachments: filename with CRLF', file({ filename: 'a\r\nX: y' }), 'attachments.0.filename'],
  ['attachments: empty filename', file({ filename: '' }), 'attachments.0.filename'],
  ['attachments: long filename', file({ filename: 'f'.repeat(256) }), 'attachments.0.filename'],
  ['attachments: half a surrogate pair', file({ filename: HALF }), 'attachments.0.filename'],
  ['attachments: content_type', file({ content_type: 'text' }), 'attachments.0.content_type'],
  ['attachments: CRLF in type', file({ content_type: 'text/plain\r\nX: y' }), 'attachments.0.content_type'],
  ['attachments: multipart', file({ content_type: 'multipart/mixed' }), 'attachments.0.content_type'],
  ['attachments: content_id', file({ content_id: '<a>' }), 'attachments.0.content_id'],
  ['attachments: content_id with CRLF', file({ content_id: 'a\r\nb' }), 'attachments.0.content_id'],
  ['headers: list', { headers: [1] }, 'headers'],
  ['headers: number', { headers: { 'X-A': 1 } }, 'headers.X-A'],
  ['headers: CRLF in value', { headers: { 'X-A': 'a\r\nBcc: x@example.com' } }, 'headers.X-A'],
  ['headers: CRLF in name', { headers: { 'X-A\r\nBcc': 'x' } }, 'headers.X-A\r\nBcc'],
  ['headers: owned', { headers: { 'DKIM-Signature': 'v=1' } }, 'headers.DKIM-Signature'],
  ['headers: owned, other case', { headers: { bcc: 'x@example.com' } }, 'headers.bcc'],
  ['headers: half a surrogate pair', { headers: { 'X-A': HALF } }, 'headers.X-A'],
  ['headers: too large', { headers: { 'X-A': 'h '.repeat(5000) } }, 'headers.X-A'],
  ['sub_tenant_id: number', { sub_tenant_id: 1 }, 'sub_tenant_id'],
  ['sub_tenant_id: NUL', { sub_tenant_id: '\0' }, 'sub_tenant_id'],
  ['sub_tenant_id: unknown', { sub_tenant_id: 'tnt_x' }, 'sub_tenant_id'],
  ['track_opens: string', { track_opens: 'true' }, 'track_opens'],
  ['track_clicks: number', { track_clicks: 1 }, 'track_clicks'],
  ['unknown field', { sendat: 'x' }, 'sendat'],
  ['constructor', { constructor: 1 }, 'constructor'],
];

const VALID: [name: string, fields: Record<string, unknown>][] = [
  ['a bare address', { to: 'ann@example.com' }],
  ['a quoted name with a comma', { to: '"Smith, Ann" <ann@example.com>' }],
  ['an international domain', { to: 'ann@bücher.example' }],
  ['a plus address', { to: "o'ann+tag@example.com" }],
  ['a name of 255 characters', { to: { email: 'a@example.com', name: '名'.repeat(255) } }],
  ['fifty recipients', { cc: many(49) }],
  ['a subject of 998 characters', { subject: 's'.repeat(998) }],
  ['an emoji subject', { subject: '🎉 ümläut' }],
  ['a megabyte of text', { text: 'wörd '.repeat(200_000) }],
  ['a line of a megabyte', { text: MEGABYTE }],
  ['control characters in text', { text: 'a\x01\x08\x1b[31m\x7f' }],
  ['only text', { html: undefined }],
  ['placeholders without variables', { html: '{{#broken' }],
  ['fifty tags of 128 characters', { tags: many(50).map((tag) => tag.padEnd(128, 'x')) }],
  ['the same tag twice', { tags: ['a', 'a'] }],
  ['nested metadata', { metadata: nested(30) }],
  ['16 KiB of metadata', { metadata: { a: 'm'.repeat(16_000) } }],
  ['an empty attachment', file({ content: '' })],
  ['a file name with a path and quotes', file({ filename: '../"a";b\\c.txt' })],
  ['a content type with parameters', file({ content_type: 'text/plain; charset="utf-8"; format=flowed' })],
  ['a header with umlauts', { headers: { 'X-A': 'ümläut 🎉' } }],
  ['a key with odd characters', { idempotency_key: '../ %"\'\\ ключ' }],
  ['deep variables', { variables: nested(30) }],
  ['a __proto__ variable', { variables: JSON.parse('{"__proto__":{"a":1}}') as object, html: '{{a}}x' }],
];

function assertRefused(answer: Answer, path: string): void {
  expect(answer.status).toBeGreaterThanOrEqual(400);
  expect(answer.status).toBeLessThan(500);
  const { error } = answer.json;
  expect(error.request_id).toBeTruthy();
  expect(error.message).toBeTruthy();
  expect([
    error.param,
    ...((error.details?.['fields'] ?? []) as { path: string }[]).map((field) => field.path),
  ]).toContain(path);
}

describe('a hostile request', () => {
  it.each(INVALID)('is refused by name and leaves nothing: %s', async (_name, fields, path) => {
    const before = await rig.counts();
    assertRefused(await rig.send(fields), path);
    expect(await rig.counts()).toEqual(before);
  });

  it.each<[string, string | Buffer]>([
    ['broken JSON', '{"to":'],
    ['nothing', ''],
    ['a list', '[]'],
    ['a number', '7'],
    ['null', 'null'],
    ['invalid UTF-8', Buffer.from([0x7b, 0x22, 0xff, 0xfe, 0x22, 0x3a, 0x31, 0x7d])],
    ['a hundred thousand brackets', `{"metadata":${'['.repeat(100_000)}${']'.repeat(100_000)}}`],
    ['a __proto__ field', JSON.stringify(MINIMAL).replace('{', '{"__proto__":{"to":"x"},')],
    ['a number that is infinite', JSON.stringify(MINIMAL).replace('{', '{"metadata":{"a":1e999},')],
    [
      'a number that loses digits',
      JSON.stringify(MINIMAL).replace('{', '{"metadata":{"a":12345678901234567890},'),
    ],
  ])('with %s returns 4xx and leaves nothing', async (_name, raw) => {
    const before = await rig.counts();
    const answer = await rig.ask('POST', '/v1/messages', { raw });
    expect([400, 422]).toContain(answer.status);
    expect(answer.json.error.type).toMatch(/^(bad_request|validation_error)$/);
    expect(await rig.counts()).toEqual(before);
  });

  it.each(VALID)('that is unusual but valid is accepted: %s', async (_name, fields) => {
    const answer = await rig.send(fields);
    expect(answer.text.slice(0, 500)).toContain('"status":"queued"');
    expect(answer.status).toBe(202);
  });

  it('above the limit is too large', async () => {
    const answer = await rig.send({ text: 'x'.repeat(31 * 1024 * 1024) });
    expect([answer.status, answer.json.error.code]).toEqual([413, 'payload_too_large']);
  });

  it.each(['', ' '.repeat(3), 'k'.repeat(256), 'a\u00e9'])(
    'with the header key %j is refused or plain',
    async (key) => {
      const answer = await rig.send({}, { 'idempotency-key': key });
      expect(answer.status).toBeLessThan(500);
      if (answer.status !== 202) assertRefused(answer, 'Idempotency-Key');
    },
  );
});

describe('an accepted request', () => {
  it('keeps a __proto__ key of the metadata as plain data', async () => {
    const raw = JSON.stringify(MINIMAL).replace(
      '{',
      '{"metadata":{"__proto__":{"admin":true},"constructor":1},',
    );
    const answer = await rig.ask('POST', '/v1/messages', { raw });
    expect(answer.status).toBe(202);
    expect(answer.text).toContain('"metadata":{"__proto__":{"admin":true},"constructor":1}');
    const read = await rig.ask('GET', `/v1/messages/${answer.json.id}`);
    expect(read.text).toContain('"metadata":{"__proto__":{"admin":true},"constructor":1}');
    expect(({} as { admin?: boolean }).admin).toBeUndefined();
  });

  it('arrives unchanged, as read by another parser', async () => {
    const sent = {
      to: { email: 'ann@example.com', name: 'Ann "A" Ümläut, Dr. 🎉' },
      subject: '=?utf-8?q?fake?= 🎉 ümläut',
      html: '<p>ümläut 🎉 .\n.\n</p>',
      text: `From here\n.\n${'long '.repeat(400)}\nдата\u0001\n`,
      headers: { 'X-Note': 'ümläut' },
      track_opens: false,
      track_clicks: false,
      attachments: [
        { filename: 'datei "ä" ; x.bin', content: 'AAECAwQF/w==', content_type: 'application/x-y' },
      ],
    };
    const { json } = await rig.send(sent);
    const raw = await rig.ask('GET', `/v1/messages/${json.id}/raw`);
    const mail = await simpleParser(raw.text);
    expect(mail.subject).toBe(sent.subject);
    expect(mail.html).toBe(sent.html);
    expect(mail.text).toBe(sent.text);
    expect(raw.text).toContain('X-Note: =?UTF-8?B?w7xtbMOkdXQ=?=\r\n');
    expect(mail.to).toMatchObject({ value: [{ address: 'ann@example.com', name: sent.to.name }] });
    expect(mail.attachments[0]?.filename).toBe('datei "ä" ; x.bin');
    expect(mail.attachments[0]?.content.toString('base64')).toBe('AAECAwQF/w==');
  });
});
