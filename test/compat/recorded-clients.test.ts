// Tests recorded requests and mail of real clients, each with the mail that a server receives for it. The first line of a
// recorded request names its source. The mail of Supabase Auth is written from internal/mailer/mailmeclient/mailmeclient.go and
// gomail.
import { readFile, readdir } from 'node:fs/promises';
import { createTransport } from 'nodemailer';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { parseMail } from '../../src/lib/mail-parser/index.js';
import { startMailRigWithSink, type SinkRig } from '../support/mail-rig.js';

const FOLDER = 'test/compat/recorded';
let rig: SinkRig;
beforeAll(async () => {
  rig = await startMailRigWithSink({ process: 'shared' });
  const body = { track_opens: false, track_clicks: false };
  await rig.appliance.api('PATCH', '/v1/organization', { body });
});
afterAll(() => rig.close());

interface Expected {
  from?: string;
  /** Name of the recipient. */
  to?: string | null;
  subject?: string;
  text?: string | RegExp;
  html?: string | RegExp | null;
  replyTo?: string[];
  /** Header fields with their values. */
  fields?: Record<string, string>;
  /** Names and contents of attachments. */
  files?: Record<string, string>;
  tags?: string[];
  metadata?: Record<string, unknown>;
}

const GREETING = {
  ...{ from: 'Jörg Müller <news@shop.example>', to: 'Ann Smith', subject: 'Grüße' },
  ...{ text: 'Grüße', html: '<p>Grüße</p>' },
} satisfies Expected;
const SIGN_IN = {
  ...{ from: 'Shop <news@shop.example>', subject: 'Sign in to shop.example' },
  text: /^Sign in to shop\.example\s+https:\/\/shop\.example\/api\/auth\/callback\?token=abc&email=ann\s*$/,
  html: /href="https:\/\/shop\.example\/api\/auth\/callback\?token=abc&email=ann"/,
} satisfies Expected;
const WORDPRESS = {
  ...{ from: 'WordPress <news@shop.example>', subject: '[Shop] Grüße', text: 'Grüße' },
  replyTo: ['Help <help@shop.example>'],
} satisfies Expected;
const FILE = { 'a.txt': 'Größe 7\n' };
const HELP = ['help@shop.example'];

const CLIENTS: Readonly<Record<string, Expected>> = {
  'anymail-resend': {
    ...{ ...GREETING, to: 'Smith, Ann', replyTo: HELP, files: FILE },
    fields: { 'x-order': '4711', 'x-metadata': '{"order": "4711"}', 'x-tag': 'welcome, first' },
  },
  'authjs-mailgun': SIGN_IN,
  'authjs-postmark': SIGN_IN,
  'authjs-resend': SIGN_IN,
  'authjs-sendgrid': { ...SIGN_IN, from: 'news@shop.example' },
  'laravel-resend': GREETING,
  'laravel-resend-file': {
    ...{ from: 'news@shop.example', subject: 'Invoice', text: 'Invoice', html: null },
    ...{ replyTo: ['Help <help@shop.example>'], files: { 'Größe.txt': 'Größe 7\n' } },
  },
  'payload-resend': {
    ...{ ...GREETING, to: null, fields: { 'x-order': '4711' }, files: { 'Größe.txt': 'Größe 7\n' } },
  },
  'rails-mailgun': {
    ...{ ...GREETING, replyTo: HELP, fields: { 'x-order': '4711' } },
    ...{ tags: ['welcome'], metadata: { order: '4711' } },
  },
  'rails-mailgun-file': {
    ...{ ...GREETING, from: 'news@shop.example', to: null },
    ...{ html: '<p>Grüße <img src="cid:logo.png"></p>', files: { 'logo.png': 'PNG', ...FILE } },
  },
  'rails-postmark': {
    ...{ ...GREETING, replyTo: HELP, files: FILE, tags: ['welcome'], metadata: { order: '4711' } },
    fields: { 'x-order': '4711', 'message-id': '<6476f5b4a3f1e_52d2dc9f4@shop.example>' },
  },
  'rails-sendgrid': {
    ...{ ...GREETING, replyTo: HELP, files: FILE, tags: ['welcome'], metadata: { order: '4711' } },
  },
  'wordpress-mailgun': { ...WORDPRESS, fields: { 'x-mailer': 'WPMailSMTP/Mailer/mailgun 4.6.0' } },
  'wordpress-mailgun-file': { ...WORDPRESS, replyTo: [], html: '<p>Grüße</p>', files: FILE },
  'wordpress-postmark': {
    ...{ ...WORDPRESS, html: '<p>Grüße</p>', files: FILE },
    fields: {
      'message-id': '<8LqJAqVxGv3T1cVZyhqY4U2@shop.example>',
      'x-mailer': 'WPMailSMTP/Mailer/postmark 4.6.0',
    },
  },
  'wordpress-resend': {
    ...{ ...WORDPRESS, html: '<p>Grüße <img src="cid:logo"></p>', fields: { 'x-order': '4711' } },
    files: { 'logo.png': Buffer.from('iVBORw==', 'base64').toString() },
  },
  'wordpress-sendgrid': { ...WORDPRESS, fields: { 'x-order': '4711' }, files: FILE },
};

/** Repeats a recorded request. Forms have CRLF at the end of each line. */
async function play(name: string): Promise<void> {
  const recorded = await readFile(`${FOLDER}/${name}.http`, 'utf8');
  const [head = '', body = ''] = recorded.split(/\n\n(.*)\n$/s);
  const [, path = ''] = /^POST (.*)$/m.exec(head) ?? [];
  const [, type = ''] = /^Content-Type: (.*)$/m.exec(head) ?? [];
  const { live_key: key } = rig.appliance.keys;
  const basic = `Basic ${Buffer.from(`api:${key}`).toString('base64')}`;
  const answer = await fetch(`${rig.appliance.url}${path}`, {
    method: 'POST',
    headers: {
      ...{ 'content-type': type, 'x-postmark-server-token': key },
      authorization: path.includes('mailgun') ? basic : `Bearer ${key}`,
    },
    body: type.startsWith('multipart') ? body.replaceAll('\n', '\r\n') : body,
  });
  const text = await answer.text();
  expect([answer.ok, text]).toEqual([true, text]);
}

const mailboxText = ({ email, name }: { email: string; name: string | null }) =>
  name === null ? email : `${name} <${email}>`;

it('has an expectation for each recorded request', async () => {
  const files = (await readdir(FOLDER)).map((file) => file.replace(/\.\w+$/, ''));
  const elsewhere = ['symfony-mailgun-mime', 'supabase-auth'];
  expect([...Object.keys(CLIENTS), ...elsewhere].toSorted()).toEqual(files.toSorted());
});

async function expectArrived(address: string, wanted: Expected): Promise<void> {
  const mail = await parseMail((await rig.arrived(address)).raw);
  expect(mail.from && mailboxText(mail.from)).toBe(wanted.from);
  expect(mail.to).toEqual([{ email: address, name: wanted.to ?? null }]);
  expect(mail.cc).toEqual([]);
  expect(mail.replyTo.map(mailboxText)).toEqual(wanted.replyTo ?? []);
  expect(mail.subject).toBe(wanted.subject);
  for (const part of ['text', 'html'] as const) {
    const content = wanted[part];
    const found = mail[part]?.replaceAll('\r\n', '\n').trimEnd() ?? null;
    if (content instanceof RegExp) expect(found, part).toMatch(content);
    else if (content !== undefined) expect(found, part).toBe(content);
  }
  const fields = Object.fromEntries(mail.fields.map((field) => [field.name, field.value]));
  expect(fields).toMatchObject(wanted.fields ?? {});
  // Forms have CRLF at the end of each line, also within files.
  const files = mail.parts.map(({ filename, content }) => [
    filename ?? '',
    Buffer.from(content).toString().replaceAll('\r\n', '\n'),
  ]);
  expect(Object.fromEntries(files)).toEqual(wanted.files ?? {});
  const { json } = await rig.appliance.api('GET', `/v1/messages?to=${encodeURIComponent(address)}`);
  expect((json as { data: unknown[] }).data).toMatchObject([
    { tags: wanted.tags ?? [], metadata: wanted.metadata ?? {} },
  ]);
}

it.each(Object.entries(CLIENTS))('the request of %s arrives as the client means it', async (name, wanted) => {
  await play(name);
  await expectArrived(`${name}@receiver.example`, wanted);
});

it('the mail of Supabase Auth arrives through the relay', async () => {
  const to = 'supabase-auth@receiver.example';
  const raw = (await readFile(`${FOLDER}/supabase-auth.eml`, 'utf8')).replaceAll('\n', '\r\n');
  expect((await rig.submit({ raw, to, from: 'news@shop.example' })).reply).toMatch(/^250 /);
  await expectArrived(to, {
    ...{ from: 'Shop <news@shop.example>', subject: 'Bestätigen Sie Ihre Adresse' },
    html: /href="https:\/\/shop\.example\/auth\/v1\/verify\?token=abc&type=signup"/,
    fields: { 'x-order': '4711' },
  });
});

it('the mail of nodemailer arrives through the relay', async () => {
  const to = 'nodemailer@receiver.example';
  const transport = createTransport({
    ...{ host: '127.0.0.1', port: rig.appliance.mailPort('Relay'), requireTLS: true },
    ...{ tls: { rejectUnauthorized: false }, auth: { user: 'key', pass: rig.key } },
  });
  await transport.sendMail({
    from: { name: 'Jörg Müller', address: 'news@shop.example' },
    to: { name: 'Smith, Ann', address: to },
    ...{ replyTo: 'Help <help@shop.example>', subject: 'Grüße', text: 'Grüße' },
    html: '<p>Grüße <img src="cid:logo@shop.example"></p>',
    headers: { 'X-Order': '4711' },
    attachments: [
      { filename: 'logo.png', content: Buffer.from('PNG'), cid: 'logo@shop.example' },
      { filename: 'Größe.txt', content: 'Größe 7\n' },
    ],
  });
  transport.close();
  await expectArrived(to, {
    ...{ ...GREETING, to: 'Smith, Ann', replyTo: ['Help <help@shop.example>'] },
    html: '<p>Grüße <img src="cid:logo@shop.example"></p>',
    ...{ fields: { 'x-order': '4711' }, files: { 'logo.png': 'PNG', 'Größe.txt': 'Größe 7\n' } },
  });
});

it('sends to the Bcc of Laravel without naming it', async () => {
  const { raw } = await rig.arrived('bcc-laravel-resend-file@receiver.example');
  expect(raw.toString()).not.toMatch(/^to: .*bcc-/im);
});
