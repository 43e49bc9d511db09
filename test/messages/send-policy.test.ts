// Tests send policies of API keys with the running program: 12 kinds of forbidden mail through every way to send, and the limits.
import { randomUUID } from 'node:crypto';
import { createTransport } from 'nodemailer';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { SendPolicyInput } from '../../src/contract/send-policy.js';
import { createAppliance, type Appliance } from '../support/appliance.js';
import { QUICK } from '../support/mail-rig.js';
import { signSes, type SesCredentials } from '../support/ses-client.js';

let appliance: Appliance;
beforeAll(async () => {
  appliance = await createAppliance({ process: 'shared', env: QUICK });
  await appliance.start();
});
afterAll(() => appliance.close());

interface Key {
  id: string;
  secret: string;
}

interface Mail {
  from: string;
  to: string[];
  cc: string[];
  bcc: string[];
  replyTo: string | null;
  text: string;
  html: string | null;
  file: string | null;
}

const MAIL: Mail = {
  from: 'robot@shop.example',
  to: ['ann@example.com'],
  cc: [],
  bcc: [],
  replyTo: null,
  text: 'Hello',
  html: null,
  file: null,
};

async function makeKey(policy: SendPolicyInput): Promise<Key> {
  const body = { name: 'Agent', permission: 'send', policy };
  const { status, json, text } = await appliance.api('POST', '/v1/api-keys', {
    key: appliance.keys.test_key,
    body,
  });
  if (status !== 201) throw new Error(text);
  return json as Key;
}

interface Result {
  isRefused: boolean;
  text: string;
}

async function post(key: Key, path: string, body: unknown, headers: Record<string, string> = {}) {
  const answer = await fetch(`${appliance.url}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${key.secret}`, ...headers },
    body: JSON.stringify(body),
  });
  return { status: answer.status, text: await answer.text() };
}

/** Vendors have their own statuses for a refusal. */
const refusedIf = ({ status, text }: { status: number; text: string }): Result => ({
  isRefused: status >= 400 && status < 500,
  text,
});

const message = (mail: Mail) => ({
  ...{ from: mail.from, to: mail.to, subject: 'Hello', text: mail.text },
  ...(mail.cc.length > 0 ? { cc: mail.cc } : {}),
  ...(mail.bcc.length > 0 ? { bcc: mail.bcc } : {}),
  ...(mail.replyTo === null ? {} : { reply_to: mail.replyTo }),
  ...(mail.html === null ? {} : { html: mail.html }),
  ...(mail.file === null
    ? {}
    : { attachments: [{ filename: 'a.txt', content: Buffer.from(mail.file).toString('base64') }] }),
});

const nodemailerMail = (mail: Mail) => ({
  ...{ from: mail.from, to: mail.to, cc: mail.cc, bcc: mail.bcc, subject: 'Hello', text: mail.text },
  ...(mail.replyTo === null ? {} : { replyTo: mail.replyTo }),
  ...(mail.html === null ? {} : { html: mail.html }),
  ...(mail.file === null ? {} : { attachments: [{ filename: 'a.txt', content: mail.file }] }),
});

async function mimeOf(mail: Mail): Promise<Buffer> {
  const { message: octets } = await createTransport({ streamTransport: true, buffer: true }).sendMail(
    nodemailerMail(mail),
  );
  return octets as Buffer;
}

async function relay(key: Key, mail: Mail): Promise<Result> {
  const transport = createTransport({
    ...{ host: '127.0.0.1', port: appliance.mailPort('Relay'), requireTLS: true },
    tls: { rejectUnauthorized: false },
    auth: { user: 'agent', pass: key.secret },
  });
  try {
    await transport.sendMail(nodemailerMail(mail));
    return { isRefused: false, text: '' };
  } catch (error) {
    const text = error instanceof Error ? error.message : '';
    return { isRefused: text.includes('550 5.7.1'), text };
  } finally {
    transport.close();
  }
}

async function makeThread(): Promise<string> {
  const { json } = await appliance.api('POST', '/v1/messages', {
    key: appliance.keys.test_key,
    body: { from: MAIL.from, to: MAIL.to, subject: 'Hello', text: 'x', tags: ['source'] },
  });
  const id = `thr_${(json as { id: string }).id.slice(4)}`;
  const values = `'${id}', e.id, NULL, 'Hello', 'hello', 'ann@example.com', NULL, 'ann@example.com', 'open', 1, 1, 1`;
  await appliance.query(
    `INSERT INTO threads (id, environment_id, sub_tenant_id, subject, subject_key, correspondent_email,
      correspondent_name, correspondent_key, status, last_message_at, created_at, updated_at)
      SELECT ${values} FROM environments e WHERE e.mode = 'test'`,
  );
  return id;
}

async function ses(key: Key, mail: Mail): Promise<Result> {
  const made = await appliance.api('POST', `/v1/api-keys/${key.id}/ses-credentials`, {
    key: appliance.keys.test_key,
  });
  const url = `${appliance.url}/compat/ses/v2/email/outbound-emails`;
  const raw = await mimeOf(mail);
  const body = JSON.stringify({
    FromEmailAddress: mail.from,
    Destination: { ToAddresses: mail.to, CcAddresses: mail.cc, BccAddresses: mail.bcc },
    Content: { Raw: { Data: raw.toString('base64') } },
  });
  const asked = { method: 'POST', url, headers: { 'content-type': 'application/json' }, body };
  const headers = await signSes(made.json as SesCredentials, asked);
  const answer = await fetch(url, { method: 'POST', headers, body });
  return refusedIf({ status: answer.status, text: await answer.text() });
}

async function mailgun(key: Key, mail: Mail): Promise<Result> {
  const form = new FormData();
  form.set('from', mail.from);
  for (const field of ['to', 'cc', 'bcc'] as const) for (const one of mail[field]) form.append(field, one);
  form.set('subject', 'Hello');
  form.set('text', mail.text);
  if (mail.html !== null) form.set('html', mail.html);
  if (mail.replyTo !== null) form.set('h:Reply-To', mail.replyTo);
  if (mail.file !== null) form.set('attachment', new Blob([mail.file]), 'a.txt');
  const answer = await fetch(`${appliance.url}/compat/mailgun/v3/shop.example/messages`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key.secret}` },
    body: form,
  });
  return refusedIf({ status: answer.status, text: await answer.text() });
}

/** Calls a tool of the MCP server. */
async function tool(key: Key, name: string, mail: Mail, more: object): Promise<Result> {
  const params = { name, arguments: { ...message(mail), ...more, idempotency_key: randomUUID() } };
  const body = { jsonrpc: '2.0', id: 1, method: 'tools/call', params };
  const { text } = await post(key, '/mcp', body, { accept: 'application/json, text/event-stream' });
  return { isRefused: text.includes('\\"policy_violation\\"'), text };
}

const base64 = (text: string) => Buffer.from(text).toString('base64');
const boxes = (emails: readonly string[]) => emails.map((email) => ({ email }));

const WAYS: Record<string, (key: Key, mail: Mail) => Promise<Result>> = {
  API: async (key, mail) => {
    const answer = await post(key, '/v1/messages', message(mail));
    return {
      isRefused: answer.status === 403 && answer.text.includes('"policy_violation"'),
      text: answer.text,
    };
  },
  batch: async (key, mail) => {
    const { text } = await post(key, '/v1/messages/batch', { messages: [message(mail)] });
    return { isRefused: text.includes('"policy_violation"'), text };
  },
  'atomic batch': async (key, mail) =>
    refusedIf(await post(key, '/v1/messages/batch', { messages: [message(mail)], atomic: true })),
  'raw MIME': async (key, mail) =>
    refusedIf(
      await post(key, '/v1/messages/raw', {
        raw: (await mimeOf(mail)).toString('base64'),
        to: [...mail.to, ...mail.cc, ...mail.bcc],
      }),
    ),
  relay,
  'thread reply': async (key, mail) => {
    const { subject, ...rest } = message(mail);
    return refusedIf(await post(key, `/v1/threads/${await makeThread()}/reply`, { subject, ...rest }));
  },
  Resend: async (key, mail) => refusedIf(await post(key, '/compat/resend/emails', message(mail))),
  Postmark: async (key, mail) =>
    refusedIf(
      await post(
        key,
        '/compat/postmark/email',
        {
          ...{ From: mail.from, To: mail.to.join(','), Subject: 'Hello', TextBody: mail.text },
          ...(mail.cc.length > 0 ? { Cc: mail.cc.join(',') } : {}),
          ...(mail.bcc.length > 0 ? { Bcc: mail.bcc.join(',') } : {}),
          ...(mail.replyTo === null ? {} : { ReplyTo: mail.replyTo }),
          ...(mail.html === null ? {} : { HtmlBody: mail.html }),
          ...(mail.file === null
            ? {}
            : { Attachments: [{ Name: 'a.txt', Content: base64(mail.file), ContentType: 'text/plain' }] }),
        },
        { 'x-postmark-server-token': key.secret },
      ),
    ),
  SendGrid: async (key, mail) =>
    refusedIf(
      await post(key, '/compat/sendgrid/v3/mail/send', {
        ...{ from: { email: mail.from }, subject: 'Hello' },
        personalizations: [
          {
            to: boxes(mail.to),
            ...(mail.cc.length > 0 ? { cc: boxes(mail.cc) } : {}),
            ...(mail.bcc.length > 0 ? { bcc: boxes(mail.bcc) } : {}),
          },
        ],
        ...(mail.replyTo === null ? {} : { reply_to: { email: mail.replyTo } }),
        content: [
          { type: 'text/plain', value: mail.text },
          ...(mail.html === null ? [] : [{ type: 'text/html', value: mail.html }]),
        ],
        ...(mail.file === null ? {} : { attachments: [{ filename: 'a.txt', content: base64(mail.file) }] }),
      }),
    ),
  Mailgun: mailgun,
  SES: ses,
  'MCP send_message': (key, mail) => tool(key, 'send_message', mail, {}),
  'MCP reply_to_thread': async (key, mail) =>
    tool(key, 'reply_to_thread', mail, { thread_id: await makeThread() }),
};

/** Ways that can send such a mail; tools cannot send files. */
const waysFor = (mail: Partial<Mail>) =>
  Object.entries(WAYS).filter(([way]) => mail.file === undefined || !way.startsWith('MCP'));

const FORBIDDEN: [name: string, policy: SendPolicyInput, mail: Partial<Mail>, field: RegExp][] = [
  ['sender', { allowed_senders: ['help@shop.example'] }, {}, /allow the sender/],
  [
    'Reply-To',
    { allowed_senders: ['shop.example'] },
    { replyTo: 'eve@evil.example' },
    /allow the sender eve/,
  ],
  ['recipient', { allowed_recipients: ['bob@example.com'] }, {}, /allow the recipient ann@/],
  ['copy', { allowed_recipients: ['example.com'] }, { cc: ['eve@evil.example'] }, /allow the recipient eve/],
  ['stranger', { allowed_recipients: ['contacts'] }, {}, /allow the recipient ann@/],
  ['blind copy', { allow_bcc: false }, { bcc: ['bob@example.com'] }, /blind copies/],
  ['number of recipients', { max_recipients: 1 }, { cc: ['bob@example.com'] }, /allows 1 recipients/],
  ['content without a template', { content: { templates_only: true } }, {}, /only messages with a template/],
  ['file', { content: { no_attachments: true } }, { file: 'secret' }, /allow attachments/],
  [
    'link in HTML',
    { content: { allowed_link_domains: ['shop.example'] } },
    { html: '<p><a href="https://evil.example/">x</a></p>' },
    /links to evil\.example/,
  ],
  [
    'link in text',
    { content: { allowed_link_domains: ['shop.example'] } },
    { text: 'See https://evil.example/?q=1' },
    /links to evil\.example/,
  ],
  ['message above the hour', { max_per_hour: 1 }, {}, /1 messages per hour/],
  ['message above the day', { max_per_day: 1 }, {}, /1 messages per day/],
];

const countMessages = async (): Promise<number> => {
  const [row] = await appliance.query(`SELECT COUNT(*) AS n FROM messages WHERE tags NOT LIKE '%source%'`);
  return Number(row?.['n']);
};

describe.each(FORBIDDEN)('a forbidden %s', (_name, policy, fields, sentence) => {
  let key: Key;
  beforeAll(async () => {
    key = await makeKey(policy);
    // Uses up the limits of one message.
    if (policy.max_per_hour !== undefined || policy.max_per_day !== undefined) {
      expect((await post(key, '/v1/messages', message(MAIL))).status).toBe(202);
    }
  });

  it.each(waysFor(fields))('is refused by %s', async (_way, send) => {
    const before = await countMessages();
    const result = await send(key, { ...MAIL, ...fields });
    expect(result).toMatchObject({ isRefused: true, text: expect.stringMatching(sentence) as string });
    expect(await countMessages()).toBe(before);
  });
});

describe('allowed mail', () => {
  it.each(Object.entries(WAYS))('passes by %s', async (_way, send) => {
    const key = await makeKey({
      allowed_senders: ['shop.example'],
      allowed_recipients: ['ann@example.com'],
      max_per_hour: 5,
      max_per_day: 5,
      max_recipients: 1,
      allow_bcc: false,
      content: { no_attachments: true, allowed_link_domains: ['shop.example'] },
    });
    const result = await send(key, { ...MAIL, html: '<a href="https://shop.example/x">x</a>' });
    expect(result.isRefused, result.text).toBe(false);
  });

  it('reaches the members of a list and the participants of a thread', async () => {
    const admin = { key: appliance.keys.test_key };
    const list = await appliance.api('POST', '/v1/lists', { ...admin, body: { name: 'Crew' } });
    const listId = (list.json as { id: string }).id;
    const contact = await appliance.api('POST', '/v1/contacts', {
      ...admin,
      body: { email: 'crew@example.com' },
    });
    await appliance.api('POST', '/v1/contacts', { ...admin, body: { email: 'other@example.com' } });
    await appliance.api('POST', `/v1/lists/${listId}/contacts`, {
      ...admin,
      body: { contact_ids: [(contact.json as { id: string }).id] },
    });
    const key = await makeKey({ allowed_recipients: [`list:${listId}`, 'thread_participants'] });
    const send = async (fields: object) =>
      (await post(key, '/v1/messages', { ...message(MAIL), ...fields })).status;
    expect(await send({ to: 'crew@example.com' })).toBe(202);
    expect(await send({ to: 'other@example.com' })).toBe(403);
    const thread = await makeThread();
    await appliance.query(
      `UPDATE messages SET thread_id = '${thread}' WHERE public_id = 'msg_${thread.slice(4)}'`,
    );
    expect(await send({ thread_id: thread })).toBe(202);
    expect(await send({})).toBe(403);
    expect(await send({ thread_id: thread, cc: 'eve@evil.example' })).toBe(403);
  });
});

describe('mail outside of a list that needs approval', () => {
  it.each(Object.entries(WAYS))('is held by %s', async (way, send) => {
    const key = await makeKey({ approval: 'outside_allowlist', allowed_recipients: ['example.com'] });
    const to = `eve.${way.toLowerCase().replace(/\W/g, '')}@evil.example`;
    const result = await send(key, { ...MAIL, to: [to] });
    expect(result.isRefused, result.text).toBe(false);
    const rows = await appliance.query(
      `SELECT m.status, a.status AS approval, a.differences, q.message_id AS queued FROM messages m
        JOIN approvals a ON a.content_id = m.content_id LEFT JOIN queue q ON q.message_id = m.id WHERE m.to_email = ?`,
      to,
    );
    expect(rows).toEqual([
      {
        ...{ status: 'queued', approval: 'pending', queued: null },
        differences: JSON.stringify([{ field: 'allowed_recipients', value: to }]),
      },
    ]);
  });
});

describe('a header field or file of mail whose links are restricted', () => {
  it.each([
    ['List-Unsubscribe: <https://evil.example/u>', ''],
    ['X-Link: https://evil.example/', ''],
    ['X-Other: 1', '<a href="https://evil.example/">x</a>'],
  ])('is read: %s', async (line, file) => {
    const key = await makeKey({ content: { allowed_link_domains: ['shop.example'] } });
    const [name = '', value = ''] = line.split(/: (.*)/);
    const attachments = [
      { filename: 'page.HTML', content_type: 'application/octet-stream', content: base64(file) },
    ];
    const body = { ...message(MAIL), headers: { [name]: value }, ...(file === '' ? {} : { attachments }) };
    const api = await post(key, '/v1/messages', body);
    expect([api.status, api.text]).toEqual([403, expect.stringContaining('links to evil.example')]);
    const part =
      'Content-Type: application/octet-stream\r\nContent-Disposition: attachment; filename=page.HTML\r\n';
    const mime = [`From: ${MAIL.from}`, `To: ${MAIL.to[0]}`, 'Subject: Hello', line, file === '' ? '' : part];
    const raw = `${mime.join('\r\n').trimEnd()}\r\n\r\n${file}\r\n`;
    const submitted = await post(key, '/v1/messages/raw', { raw: base64(raw), to: MAIL.to });
    expect([submitted.status, submitted.text]).toEqual([
      403,
      expect.stringContaining('links to evil.example'),
    ]);
  });
});

it('counts addresses for answers and receipts among the senders', async () => {
  const key = await makeKey({ allowed_senders: ['shop.example'] });
  for (const name of ['Disposition-Notification-To', 'Return-Receipt-To', 'Errors-To']) {
    const raw = `From: ${MAIL.from}\r\nTo: ${MAIL.to[0]}\r\n${name}: eve@evil.example\r\nSubject: Hello\r\n\r\nHi\r\n`;
    const { status, text } = await post(key, '/v1/messages/raw', { raw: base64(raw), to: MAIL.to });
    expect([name, status, text]).toEqual([name, 403, expect.stringContaining('allow the sender eve')]);
  }
  const headers = { 'Mail-Reply-To': 'Eve <eve@evil.example>' };
  const { status, text } = await post(key, '/v1/messages', { ...message(MAIL), headers });
  expect([status, text]).toEqual([403, expect.stringContaining('allow the sender eve')]);
});

describe('a message that was not sent', () => {
  const policy: SendPolicyInput = {
    approval: 'outside_allowlist',
    allowed_recipients: ['thread_participants'],
  };
  const reply = async (key: Key, thread: string, fields: object) =>
    JSON.parse((await post(key, `/v1/threads/${thread}/reply`, { text: 'Hi', ...fields })).text) as {
      id: string;
    };
  const waits = async ({ id }: { id: string }) =>
    (
      await appliance.query(
        `SELECT 1 AS one FROM approvals a JOIN messages m ON m.content_id = a.content_id
          WHERE m.public_id = ? AND a.status = 'pending'`,
        id,
      )
    ).length === 1;

  it('makes its recipient no participant while it waits for approval, or after it was canceled', async () => {
    const key = await makeKey(policy);
    const thread = await makeThread();
    const to = 'eve.waits@evil.example';
    const first = await reply(key, thread, { to });
    expect(await waits(await reply(key, thread, { to }))).toBe(true);
    await post(key, `/v1/messages/${first.id}/cancel`, undefined);
    expect(await waits(await reply(key, thread, { to }))).toBe(true);
  });

  it('makes its recipient no participant if the address is suppressed', async () => {
    const key = await makeKey(policy);
    const thread = await makeThread();
    const to = 'eve.suppressed@evil.example';
    const admin = { key: appliance.keys.test_key };
    const { json } = await appliance.api('POST', '/v1/suppressions', { ...admin, body: { email: to } });
    await reply(key, thread, { to });
    await appliance.api('DELETE', `/v1/suppressions/${(json as { id: string }).id}`, admin);
    expect(await waits(await reply(key, thread, { to }))).toBe(true);
  });
});

describe('the limits', () => {
  it('hold for simultaneous requests, and after a restart', async () => {
    const key = await makeKey({ max_per_hour: 7, max_per_day: 10 });
    const sends = Array.from({ length: 20 }, () => post(key, '/v1/messages', message(MAIL)));
    const statuses = (await Promise.all(sends)).map(({ status }) => status);
    expect(statuses.filter((status) => status === 202)).toHaveLength(7);
    expect(statuses.filter((status) => status === 403)).toHaveLength(13);
    await appliance.end();
    await appliance.start();
    const refused = await post(key, '/v1/messages', message(MAIL));
    expect(refused.status).toBe(403);
    expect(JSON.parse(refused.text)).toMatchObject({
      error: { code: 'policy_violation', details: { policy_field: 'max_per_hour', limit: 7, used: 7 } },
    });
    // The next hour.
    await appliance.query(`UPDATE api_keys SET counted_hour = counted_hour - 1 WHERE id = '${key.id}'`);
    const more = Array.from({ length: 5 }, () => post(key, '/v1/messages', message(MAIL)));
    expect((await Promise.all(more)).filter(({ status }) => status === 202)).toHaveLength(3);
  });

  it('count an atomic batch as a whole', async () => {
    const key = await makeKey({ max_per_hour: 3 });
    const batch = (n: number) =>
      post(key, '/v1/messages/batch', {
        messages: Array.from({ length: n }, () => message(MAIL)),
        atomic: true,
      });
    expect((await batch(4)).status).toBe(403);
    expect((await batch(3)).status).toBe(202);
    expect((await batch(1)).status).toBe(403);
  });
});

describe('a key with a policy', () => {
  it('cannot add contacts to lists, change its policy, or make keys', async () => {
    const key = await makeKey({ allowed_recipients: ['contacts'] });
    const ask = async (method: string, path: string, body: object) =>
      (await appliance.api(method, path, { key: key.secret, body })).status;
    expect(await ask('POST', '/v1/subscribe', { list_id: 'lst_x', email: 'eve@evil.example' })).toBe(403);
    expect(await ask('POST', '/v1/contacts', { email: 'eve@evil.example' })).toBe(403);
    expect(await ask('PATCH', `/v1/api-keys/${key.id}`, { policy: null })).toBe(403);
    expect(await ask('POST', `/v1/api-keys/${key.id}/rotate`, {})).toBe(403);
    expect(await ask('POST', '/v1/api-keys', { name: 'x', permission: 'send' })).toBe(403);
  });

  it('sees it, and an empty list of link domains allows none', async () => {
    const key = await makeKey({ content: { allowed_link_domains: [] } });
    const me = await appliance.api('GET', '/v1/me', { key: key.secret });
    expect(me.json).toMatchObject({ api_key: { policy: { content: { allowed_link_domains: [] } } } });
    const { status } = await post(key, '/v1/messages', { ...message(MAIL), text: 'https://shop.example' });
    expect(status).toBe(403);
  });

  it('has its refused messages in the audit log', async () => {
    const key = await makeKey({ allowed_recipients: ['example.org'] });
    const { status } = await post(key, '/v1/messages', message(MAIL));
    expect(status).toBe(403);
    const { json } = await appliance.api('GET', `/v1/audit-log?actor_id=${key.id}`, {
      key: appliance.keys.test_key,
    });
    expect((json as { data: unknown[] }).data).toEqual([
      expect.objectContaining({ action: 'messages.refuse', target_id: key.id }),
    ]);
  });

  it('cannot resend forbidden mail', async () => {
    const sent = await appliance.api('POST', '/v1/messages', {
      key: appliance.keys.test_key,
      body: message(MAIL),
    });
    const { id } = sent.json as { id: string };
    const refused = await makeKey({ content: { templates_only: true } });
    expect((await post(refused, `/v1/messages/${id}/resend`, {})).status).toBe(403);
    const allowed = await makeKey({ allowed_recipients: ['ann@example.com'] });
    expect((await post(allowed, `/v1/messages/${id}/resend`, {})).status).toBe(202);
  });
});
