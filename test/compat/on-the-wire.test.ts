// Tests requests of the vendors' clients with a live key, and the mail that a server receives for each.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { parseMail } from '../../src/lib/mail-parser/index.js';
import { startMailRig, type MailRig } from '../support/mail-rig.js';
import { startSmtpSink, type SmtpSink } from '../support/smtp-sink.js';
import { waitFor } from '../support/wait.js';

const FROM = 'news@shop.example';
let sink: SmtpSink;
let rig: MailRig;

beforeAll(async () => {
  sink = await startSmtpSink({
    keep: true,
    onRcpt: (address) => (address.startsWith('gone') ? '550 5.1.1 No such user here' : null),
  });
  rig = await startMailRig({ process: 'shared', mxPort: sink.port });
});
afterAll(async () => {
  await rig.close();
  await sink.close();
});

async function post(path: string, body: object, headers: Record<string, string> = {}): Promise<Response> {
  const isForm = body instanceof FormData;
  const { live_key: key } = rig.appliance.keys;
  const answer = await fetch(`${rig.appliance.url}/compat/${path}`, {
    method: 'POST',
    headers: {
      ...{ authorization: `Bearer ${key}`, 'x-postmark-server-token': key },
      ...(isForm ? {} : { 'content-type': 'application/json' }),
      ...headers,
    },
    body: isForm ? body : JSON.stringify(body),
  });
  const text = await answer.clone().text();
  expect([answer.ok, text]).toEqual([true, text]);
  return answer;
}

/** Sends the request and returns the one mail to this mailbox. */
async function received(
  mailbox: string,
  path: string,
  body: (to: string) => object,
  headers: Record<string, string> = {},
) {
  const to = `${mailbox}@receiver.example`;
  await post(path, body(to), headers);
  const found = () => sink.messages.filter(({ rcptTo }) => rcptTo.includes(to));
  const [message] = await waitFor(`the mail to ${to}`, found, (mails) => mails.length > 0);
  const raw = message?.raw ?? Buffer.alloc(0);
  return { raw: raw.toString(), mail: await parseMail(raw) };
}

function form(fields: Record<string, string>): FormData {
  const made = new FormData();
  for (const [name, value] of Object.entries(fields)) made.append(name, value);
  return made;
}

it.each([
  ['v', { 'v:title': 'Hello' }],
  ['h', { 'h:X-Mailgun-Variables': '{"title":"Hello"}' }],
])('a Mailgun template is filled by %s: fields, which no header contains', async (kind, fields) => {
  const template = `Title-${kind}`;
  const headers = JSON.stringify({ Subject: 'T {{title}}' });
  await post('mailgun/v3/shop.example/templates', {
    name: template,
    template: '<p>[{{title}}]</p>',
    headers,
  });
  const { raw, mail } = await received(`mailgun-${kind}`, 'mailgun/v3/shop.example/messages', (to) =>
    form({ from: FROM, to, template, ...fields }),
  );
  expect(mail).toMatchObject({ subject: 'T Hello', html: expect.stringContaining('[Hello]') as string });
  expect(raw).not.toMatch(/^X-Mailgun-/im);
});

it('a Resend email ignores empty fields, and accepts a Buffer as a file', async () => {
  const { mail } = await received('resend', 'resend/emails', (to) => ({
    ...{ from: FROM, to: [to], cc: [], bcc: [], reply_to: [], subject: 's', html: '<p>x</p>', text: '' },
    attachments: [{ filename: 'a.txt', content: { type: 'Buffer', data: [104, 105] } }],
  }));
  expect(mail).toMatchObject({ subject: 's', html: expect.stringContaining('<p>x</p>') as string });
  expect(mail.text).toMatch(/^x\s*$/);
  expect(mail.fields.filter(({ name }) => /^(?:cc|bcc)$/i.test(name))).toEqual([]);
});

it('Postmark decodes a name in encoded words', async () => {
  const { raw, mail } = await received(
    'postmark',
    'postmark/email/',
    (To) => ({
      ...{ From: `=?utf-8?b?SsO2cmcgTcO8bGxlcg==?= <${FROM}>`, To, Subject: 's', TextBody: 'x' },
      Attachments: [{ Name: 'a.txt', Content: 'aGk', ContentType: '', ContentID: '' }],
    }),
    { 'idempotency-key': 'wire' },
  );
  expect(mail.from).toMatchObject({ name: 'Jörg Müller', email: FROM });
  expect(raw).toMatch(/^From: =\?UTF-8\?/m);
});

it('a Mailgun inline file with blanks in its name is shown in the HTML', async () => {
  const { raw } = await received('inline', 'mailgun/v3/shop.example/messages', (to) => {
    const made = form({
      from: FROM,
      to,
      subject: 's',
      html: '<img src="cid:my logo.png">',
      'attachment[0]': '',
    });
    made.append('inline[0]', new Blob(['picture']), 'my logo.png');
    return made;
  });
  const id = /^Content-ID: <([^>]+)>/im.exec(raw)?.[1] ?? '';
  expect(id).not.toBe('');
  expect(raw.replaceAll('=\r\n', '').replaceAll('=3D', '=')).toContain(`src="cid:${id}"`);
});

it('a bounce shows the reply in the suppressions of SendGrid and Mailgun, and blocks mail of Postmark', async () => {
  const to = 'gone@receiver.example';
  await post('sendgrid/v3/mail/send', {
    ...{ personalizations: [{ to: [{ email: to }] }], from: { email: FROM }, subject: 's' },
    content: [{ type: 'text/plain', value: 'x' }],
  });
  const { live_key: key } = rig.appliance.keys;
  const ask = async (path: string): Promise<unknown> =>
    (await rig.appliance.api('GET', `/compat/${path}`, { key })).json;
  const [bounce] = await waitFor(
    'the bounce',
    () => ask(`sendgrid/v3/suppression/bounces/${to}`) as Promise<object[]>,
    (found) => found.length > 0,
  );
  expect(bounce).toMatchObject({ email: to, reason: '550 5.1.1 No such user here', status: '5.1.1' });
  expect(await ask(`mailgun/v3/shop.example/bounces/${to}`)).toMatchObject({
    code: '550',
    error: expect.stringContaining('No such user here') as string,
  });
  const response = await fetch(`${rig.appliance.url}/compat/postmark/email`, {
    method: 'POST',
    headers: { 'x-postmark-server-token': key, 'content-type': 'application/json' },
    body: JSON.stringify({ From: FROM, To: to, Subject: 's', TextBody: 'x' }),
  });
  expect([response.status, await response.json()]).toMatchObject([422, { ErrorCode: 406 }]);
});
