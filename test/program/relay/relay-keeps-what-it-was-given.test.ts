// Tests that mail of a legacy program arrives byte for byte: text, HTML, inline images, calendar parts, charsets, files.
import { createHash } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { bodyOf, fieldOf, lines } from '../../support/raw-mail.js';
import { startMailRigWithSink, type SinkRig } from '../../support/mail-rig.js';

let relay: SinkRig;
beforeAll(async () => {
  relay = await startMailRigWithSink({ process: 'shared' });
});
afterAll(() => relay.close());

const sha256 = (octets: Buffer): string => createHash('sha256').update(octets).digest('hex');
const base64 = (octets: Buffer): string => octets.toString('base64').replace(/.{76}/g, '$&\r\n').trimEnd();

const PDF = Buffer.from(Array.from({ length: 30_000 }, (_, i) => (i * 7919) % 256));
const PNG = Buffer.from(Array.from({ length: 500 }, (_, i) => (i * 31) % 256));

function header(to: string, ...more: string[]): string[] {
  return [
    'From: "The Shop" <orders@shop.example>',
    `To: ${to}`,
    'Subject: =?iso-8859-1?q?Bestellung_best=E4tigt?=',
    `Message-ID: <${to}>`,
    'Date: Sat, 21 Nov 2026 09:00:00 +0100',
    'X-Mailer: Legacy 1.0',
    'MIME-Version: 1.0',
    ...more,
  ];
}

/** The octets after a 250, as they arrived. */
async function through(to: string, raw: Buffer | string): Promise<Buffer> {
  const { reply } = await relay.submit({ to, raw });
  expect(reply).toMatch(/^250 2\.0\.0 Queued as msg_/);
  return (await relay.arrived(to)).raw;
}

it('keeps a mail with text, HTML, inline image, meeting and file, and all its fields', async () => {
  const to = 'ann@receiver.example';
  const fields = header(to, 'Content-Type: multipart/mixed; boundary="outer"');
  const parts = [
    'This is a multi-part message in MIME format.',
    '--outer',
    'Content-Type: multipart/alternative; boundary="either"',
    '',
    '--either',
    'Content-Type: text/plain; charset=utf-8',
    'Content-Transfer-Encoding: quoted-printable',
    '',
    'Sch=C3=B6n, Ann.  =20',
    '.',
    '..dots',
    '--either',
    'Content-Type: multipart/related; boundary="pictures"',
    '',
    '--pictures',
    'Content-Type: text/html; charset=utf-8',
    'Content-Transfer-Encoding: 8bit',
    '',
    '<p>Schön, Ann. <img src="cid:logo@shop.example"></p>',
    '--pictures',
    'Content-Type: image/png; name="logo.png"',
    'Content-Transfer-Encoding: base64',
    'Content-ID: <logo@shop.example>',
    'Content-Disposition: inline; filename="logo.png"',
    '',
    base64(PNG),
    '--pictures--',
    '--either',
    'Content-Type: text/calendar; charset=utf-8; method=REQUEST',
    'Content-Transfer-Encoding: 7bit',
    '',
    'BEGIN:VCALENDAR',
    'METHOD:REQUEST',
    'END:VCALENDAR',
    '--either--',
    '--outer',
    "Content-Type: application/pdf; name*=utf-8''Rechnung%20f%C3%BCr%20Ann.pdf",
    'Content-Transfer-Encoding: base64',
    "Content-Disposition: attachment; filename*=utf-8''Rechnung%20f%C3%BCr%20Ann.pdf",
    '',
    base64(PDF),
    '--outer--',
    'an epilogue',
  ];
  const raw = Buffer.from(lines(...fields, '', ...parts));
  const { reply, ids } = await relay.submit({ to, raw });
  expect(reply).toMatch(/^250 /);
  const arrived = (await relay.arrived(to)).raw;
  expect(bodyOf(arrived).equals(bodyOf(raw))).toBe(true);
  for (const field of fields) expect(arrived.toString()).toContain(`${field}\r\n`);
  expect(await relay.validSignatures(arrived)).toContain('shop.example');

  const id = ids[0] ?? '';
  const message = await relay.reached(id, 'delivered');
  expect(message).toMatchObject({
    to,
    from: { email: 'orders@shop.example', name: 'The Shop' },
    subject: 'Bestellung bestätigt',
    type: 'transactional',
    track_opens: false,
    track_clicks: false,
    sandbox: false,
    recipient_role: 'to',
  });
  const files = message['attachments'] as { filename: string; content_type: string; sha256: string }[];
  expect(files.map(({ filename, content_type: type, sha256: hash }) => [filename, type, hash])).toEqual(
    expect.arrayContaining([
      ['logo.png', 'image/png', sha256(PNG)],
      ['Rechnung für Ann.pdf', 'application/pdf', sha256(PDF)],
    ]),
  );
  expect(files.some(({ content_type: type }) => type === 'text/calendar')).toBe(true);
  const { json: content } = await relay.appliance.api('GET', `/v1/messages/${id}/content`);
  expect(content).toMatchObject({
    subject: 'Bestellung bestätigt',
    html: '<p>Schön, Ann. <img src="cid:logo@shop.example"></p>',
  });
  expect(content.text).toContain('Schön, Ann.');
});

it.each([
  ['iso-8859-1', Buffer.from('caf\xe9 \xa9\r\n', 'latin1'), 'café ©'],
  ['koi8-r', Buffer.from('\xf0\xd2\xc9\xd7\xc5\xd4\r\n', 'latin1'), 'Привет'],
  ['gb18030', Buffer.from('\xc4\xe3\xba\xc3\r\n', 'latin1'), '你好'],
  ['iso-2022-jp', Buffer.from('\x1b$B$3$s$K$A$O\x1b(B\r\n', 'latin1'), 'こんにちは'],
  ['utf-8', Buffer.from('Grüße 🎉\r\n'), 'Grüße 🎉'],
])('keeps text in %s, and the API shows it decoded', async (charset, body, text) => {
  const to = `${charset}@receiver.example`;
  const more = [`Content-Type: text/plain; charset=${charset}`, 'Content-Transfer-Encoding: 8bit'];
  const raw = Buffer.concat([Buffer.from(lines(...header(to, ...more), '')), body]);
  const { ids } = await relay.submit({ to, raw, mail: 'BODY=8BITMIME' });
  const arrived = (await relay.arrived(to)).raw;
  expect(bodyOf(arrived).equals(body)).toBe(true);
  expect(fieldOf(arrived, 'Content-Type')).toBe(`text/plain; charset=${charset}`);
  expect(await relay.validSignatures(arrived)).toContain('shop.example');
  const { json } = await relay.appliance.api('GET', `/v1/messages/${ids[0] ?? ''}/content`);
  expect(json.text.trimEnd()).toBe(text);
});

it('adds missing fields and its own, and keeps existing ones', async () => {
  const bare = await through('bare@receiver.example', 'From: orders@shop.example\r\n\r\nHi\r\n');
  expect(fieldOf(bare, 'Message-ID')).toMatch(/^<[^<>@]+@shop\.example>$/);
  expect(fieldOf(bare, 'Date')).toMatch(/ \+0000$/);
  expect(fieldOf(bare, 'MIME-Version')).toBe('1.0');
  expect(fieldOf(bare, 'Feedback-ID')).toContain(relay.tenantId);
  expect(fieldOf(bare, 'X-Service-Ref')).not.toBeNull();
  expect(fieldOf(bare, 'Received')).toMatch(/^by mta\.platform\.example with ESMTPSA id /);
  expect(fieldOf(bare, 'Auto-Submitted')).toBeNull();
  expect(fieldOf(bare, 'Reply-To')).toBeNull();
  expect(fieldOf(bare, 'List-Unsubscribe')).toBeNull();
  expect(bodyOf(bare).toString()).toBe('Hi\r\n');
  const whole = await through('whole@receiver.example', lines(...header('whole@receiver.example'), '', 'Hi'));
  for (const name of ['Message-ID', 'Date', 'MIME-Version', 'From', 'Subject']) {
    expect(whole.toString('latin1').match(new RegExp(`^${name}:`, 'gim')), name).toHaveLength(1);
  }
  expect(fieldOf(whole, 'Date')).toBe('Sat, 21 Nov 2026 09:00:00 +0100');
});
