// Tests whole MIME messages through Mailgun's API, as the drivers of Symfony and Laravel send them.
import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createAppliance, type Appliance } from '../support/appliance.js';
import { QUICK } from '../support/mail-rig.js';

let appliance: Appliance;
let key: string;

beforeAll(async () => {
  appliance = await createAppliance({ process: 'shared', env: QUICK });
  await appliance.start();
  key = appliance.keys.test_key;
});
afterAll(() => appliance.close());

async function post(body: FormData | Buffer<ArrayBuffer>, headers: Record<string, string> = {}) {
  const answer = await fetch(`${appliance.url}/compat/mailgun/v3/shop.example/messages.mime`, {
    method: 'POST',
    headers: { authorization: `Basic ${Buffer.from(`api:${key}`).toString('base64')}`, ...headers },
    body,
  });
  const json = (await answer.json()) as { id?: string; message: string };
  return { status: answer.status, ...json };
}

const RAW = 'From: News <news@shop.example>\r\nTo: ann@example.com\r\nSubject: Hello\r\n\r\nHi.\r\n';

function form(fields: Record<string, string>, file: string | null = RAW): FormData {
  const made = new FormData();
  for (const [name, value] of Object.entries({ to: 'ann@example.com', ...fields })) made.append(name, value);
  if (file !== null) made.append('message', new Blob([file]), 'message.mime');
  return made;
}

async function found(tag: string): Promise<Record<string, unknown>[]> {
  const { json } = await appliance.api('GET', `/v1/messages?tag=${tag}`, { key });
  return (json as { data: Record<string, unknown>[] }).data;
}

it('the request of Symfony Mailer is sent to its envelope, with tags and metadata', async () => {
  const recorded = await readFile('test/compat/recorded/symfony-mailgun-mime.http', 'latin1');
  const [head = '', body = ''] = recorded.split(/\r?\n\r?\n(.*)/s);
  const type = /^content-type: (.*?)\r?$/im.exec(head)?.[1] ?? '';
  const answer = await post(Buffer.from(body, 'latin1'), { 'content-type': type });
  expect(answer).toEqual({
    status: 200,
    id: '<5dde0f01c3285d0c11e81799ad94ef52@shop.example>',
    message: 'Queued. Thank you.',
  });
  const messages = await found('welcome');
  expect(messages.map(({ to, recipient_role: role }) => `${String(role)} ${String(to)}`).toSorted()).toEqual([
    'bcc bob@example.com',
    'to ann@example.com',
  ]);
  expect(messages[0]).toMatchObject({
    subject: 'Grüße',
    from: { email: 'news@shop.example', name: 'Jörg Müller' },
    tags: ['welcome', 'first'],
    metadata: { order: '4711', name: 'Jörg' },
    attachments: [
      { filename: 'logo.png', content_type: 'image/png' },
      { filename: 'Rechnung März.pdf', content_type: 'application/pdf' },
    ],
  });
  const raw = await appliance.api('GET', `/v1/messages/${String(messages[0]?.['id'])}/raw`, { key });
  expect(raw.text).not.toMatch(/^x-mailgun/im);
  expect(raw.text).toContain('Sch=C3=B6ne Gr=C3=BC=C3=9Fe');
});

describe('the form', () => {
  it('has options, which add to those of the message', async () => {
    const later = new Date(Date.now() + 86_400_000);
    const { status } = await post(
      form(
        {
          ...{ 'o:tag': 'mime-options', 'o:deliverytime': later.toUTCString(), 'o:require-tls': 'yes' },
          ...{ 'v:order': '4711', 'h:X-Order': 'Größe 7', 'h:Reply-To': 'help@elsewhere.example' },
        },
        `X-Mailgun-Tag: own\r\n${RAW}`,
      ),
    );
    expect(status).toBe(200);
    const [message] = await found('own');
    expect(message).toMatchObject({
      tags: ['mime-options', 'own'],
      metadata: { order: '4711' },
      reply_to: { email: 'help@elsewhere.example' },
      scheduled_at: `${later.toISOString().slice(0, 19)}.000Z`,
    });
    const raw = await appliance.api('GET', `/v1/messages/${String(message?.['id'])}/raw`, { key });
    expect(raw.text).toMatch(/^X-Order: =\?utf-8\?/im);
  });

  it('may have the message as a field, and lines that end with LF', async () => {
    const message = RAW.replaceAll('\r\n', '\n').replace('\n\n', '\nX-Mailgun-Tag: as-field\n\n');
    expect(await post(form({ message }, null))).toMatchObject({ status: 200 });
    expect(await found('as-field')).toHaveLength(1);
  });

  it('creates one message for two requests with an Idempotency-Key', async () => {
    const headers = { 'idempotency-key': 'mime-once' };
    const [first, second] = [await post(form({}), headers), await post(form({}), headers)];
    expect([second.status, second.id]).toEqual([200, first.id]);
  });

  it.each<[string, FormData, string]>([
    ['no message', form({}, null), 'message: is required'],
    ['two messages', form({ message: RAW }), 'message: is set more than once'],
    [
      'a message that is not UTF-8 text',
      form({ message: 'From: \ufffd' }, null),
      'message: is not valid UTF-8',
    ],
    ['a message without From', form({}, 'Subject: x\r\n\r\nx'), 'message: The message has no From field.'],
    ['no recipients', form({ to: '' }), 'to: is required'],
    ['an address that cannot be used', form({ to: 'Ann <ann@localhost>' }), 'to.0: '],
    ['html', form({ html: '<p>x</p>' }), 'html: is in the MIME message'],
    ['cc', form({ cc: 'bob@example.com' }), 'cc: is not an envelope field'],
    [
      'recipient variables',
      form({ 'recipient-variables': '{}' }),
      'recipient-variables: the MIME message is',
    ],
    ['a template', form({ template: 'welcome' }), 'template: the MIME message is'],
    ['a sending IP', form({ 'o:sending-ip': '192.0.2.1' }), 'o:sending-ip: '],
    ['an unknown field', form({ 'o:later': 'yes' }), 'o:later: is not a known field'],
    ['a line break in a header', form({ 'h:X-A': 'a\r\nBcc: eve@example.com' }), 'h:X-A: '],
    ['a bad header name', form({ 'h:X A': 'a' }), 'h:X A: is not the name of a header field'],
    ['a second From', form({ 'h:From': 'eve@shop.example' }), 'more than one From field'],
    [
      'tracking that contradicts',
      form({ 'o:tracking': 'yes' }, `X-Mailgun-Track-Opens: no\r\n${RAW}`),
      'X-Mailgun-Track-Opens: contradicts another field',
    ],
  ])('is refused with %s', async (_what, body, sentence) => {
    const { status, message } = await post(body);
    expect([status, message]).toEqual([400, expect.stringContaining(sentence) as string]);
  });
});
