// Tests that empty values of optional fields count as absent in /v1, its batch, and the vendors' interfaces.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createAppliance, type Appliance } from '../support/appliance.js';
import { QUICK } from '../support/mail-rig.js';

let appliance: Appliance;
beforeAll(async () => {
  appliance = await createAppliance({ process: 'shared', env: QUICK });
  await appliance.start();
});
afterAll(() => appliance.close());

const FROM = 'news@shop.example';
const TO = 'ann@example.com';
const EMPTIES = ['', [], null];

/** The request with each of its optional fields set to an empty value of a kind that the field does not refuse by type. */
function variants(sound: Record<string, unknown>, optional: readonly string[]): Record<string, unknown>[] {
  return EMPTIES.map((empty) => ({ ...Object.fromEntries(optional.map((name) => [name, empty])), ...sound }));
}

async function accepted(path: string, body: unknown): Promise<unknown> {
  const { test_key: key } = appliance.keys;
  const { status, text, json } = await appliance.api('POST', path, {
    key,
    headers: { 'X-Postmark-Server-Token': key },
    body,
  });
  expect([status, text], JSON.stringify(body)).toEqual([status < 300 ? status : 'accepted', text]);
  return text === '' ? null : (json as unknown);
}

const CONTENT = { subject: 'Hello', html: '<p>Hello</p>' };
const MESSAGE_FIELDS = [
  ...[
    'cc',
    'bcc',
    'reply_to',
    'text',
    'template',
    'template_id',
    'tags',
    'attachments',
    'headers',
    'metadata',
  ],
  ...['variables', 'type', 'priority', 'send_at', 'expires_at', 'thread_id', 'topic', 'idempotency_key'],
];

it('accepts a message of /v1, alone and in a batch', async () => {
  const sound = { from: FROM, to: TO, ...CONTENT };
  // Records have no fields of their own, and are not empty texts or lists.
  const fields = MESSAGE_FIELDS.filter((name) => !['headers', 'metadata', 'variables'].includes(name));
  for (const body of variants(sound, fields)) {
    expect(await accepted('/v1/messages', body)).toMatchObject({ object: 'message', to: TO });
    const batch = { messages: [body], atomic: false };
    expect(await accepted('/v1/messages/batch', batch)).toMatchObject({
      data: [{ object: 'message', to: TO }],
    });
  }
});

it('derives an empty text part from the HTML', async () => {
  const message = (await accepted('/v1/messages', { from: FROM, to: TO, ...CONTENT, text: '' })) as {
    id: string;
  };
  const { test_key: key } = appliance.keys;
  const { json } = await appliance.api('GET', `/v1/messages/${message.id}/content`, { key });
  expect(json).toMatchObject({ text: 'Hello' });
});

it('accepts an email of Resend', async () => {
  const fields = ['cc', 'bcc', 'reply_to', 'text', 'attachments', 'tags', 'scheduled_at', 'topic_id'];
  for (const body of variants({ from: FROM, to: [TO], ...CONTENT }, fields)) {
    await accepted('/compat/resend/emails', body);
    await accepted('/compat/resend/emails/batch', [body]);
  }
});

it('accepts an email of Postmark', async () => {
  const fields = [
    'Cc',
    'Bcc',
    'ReplyTo',
    'TextBody',
    'Tag',
    'MessageStream',
    'TrackLinks',
    'Headers',
    'Attachments',
  ];
  const sound = { From: FROM, To: TO, Subject: 'Hello', HtmlBody: '<p>Hello</p>' };
  for (const body of variants(sound, fields)) await accepted('/compat/postmark/email', body);
  const file = { Name: 'a.txt', Content: 'aGk=', ContentType: '', ContentID: '' };
  await accepted('/compat/postmark/email/batch', [{ ...sound, Attachments: [file] }]);
});

it('accepts a mail of SendGrid', async () => {
  const sound = {
    personalizations: [{ to: [{ email: TO, name: '' }], cc: [], bcc: [], subject: '' }],
    ...{ from: { email: FROM, name: '' }, subject: 'Hello' },
    content: [
      { type: 'text/plain', value: '' },
      { type: 'text/html', value: '<p>Hello</p>' },
    ],
  };
  const fields = [
    'reply_to',
    'reply_to_list',
    'attachments',
    'template_id',
    'categories',
    'send_at',
    'batch_id',
    'asm',
    'ip_pool_name',
  ];
  for (const body of variants(sound, fields)) await accepted('/compat/sendgrid/v3/mail/send', body);
});

it('accepts a message of Mailgun, as a form and as JSON', async () => {
  const fields = [
    'cc',
    'bcc',
    'text',
    'template',
    't:variables',
    'recipient-variables',
    'o:tag',
    'o:deliverytime',
  ];
  const sound = { from: FROM, to: TO, ...CONTENT };
  const path = '/compat/mailgun/v3/shop.example/messages';
  for (const body of variants(sound, [...fields, 'o:tracking', 'o:testmode'])) await accepted(path, body);
  const form = new FormData();
  for (const [name, value] of Object.entries(sound)) form.append(name, value);
  for (const name of [...fields, 'h:X-Order', 'h:Reply-To']) form.append(name, '');
  form.append('attachment', new Blob([]), '');
  const { test_key: key } = appliance.keys;
  const answer = await fetch(`${appliance.url}${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}` },
    body: form,
  });
  expect([answer.status, await answer.text()]).toEqual([200, expect.any(String) as string]);
});

it('an update keeps empty fields, which clear stored values', async () => {
  const { test_key: key } = appliance.keys;
  const contact = { email: 'tagged@example.com', tags: ['vip'] };
  const { id } = (await accepted('/v1/contacts', contact)) as { id: string };
  const changed = await appliance.api('PATCH', `/v1/contacts/${id}`, { key, body: { tags: [] } });
  expect(changed.json).toMatchObject({ tags: [] });
  await accepted('/v1/contacts', contact);
  expect(await accepted('/v1/contacts', { ...contact, tags: [] })).toMatchObject({ tags: [] });
});

it('an empty condition does not widen an action', async () => {
  const { live_key: key } = appliance.keys;
  const purge = await appliance.api('POST', '/v1/queue/purge', {
    key,
    body: { action: 'cancel', type: [], domain: 'example.com', dry_run: true },
  });
  expect(purge.status).toBe(422);
  const body = { action: 'delete', filter: { q: 'nobody', tag: [] }, dry_run: true };
  expect((await appliance.api('POST', '/v1/bulk-actions/contacts', { key, body })).status).toBe(422);
});
