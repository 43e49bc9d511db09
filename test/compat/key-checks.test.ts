// Tests the calls with which tools test a key, and those that manage keys, under the vendors' own names.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createAppliance, type Appliance } from '../support/appliance.js';
import { QUICK } from '../support/mail-rig.js';

let appliance: Appliance;
const keys = { full: '', send: '', read: '' };

beforeAll(async () => {
  appliance = await createAppliance({ process: 'shared', env: QUICK });
  await appliance.start();
  keys.full = appliance.keys.live_key;
  for (const permission of ['send', 'read'] as const) {
    const { json } = await appliance.api('POST', '/v1/api-keys', { body: { name: permission, permission } });
    keys[permission] = (json as { secret: string }).secret;
  }
});
afterAll(() => appliance.close());

async function ask(method: string, path: string, key: string, body?: object) {
  const answer = await fetch(`${appliance.url}/compat/${path}`, {
    method,
    headers: {
      ...{ authorization: `Bearer ${key}`, 'x-postmark-server-token': key },
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await answer.text();
  return { status: answer.status, json: (text === '' ? {} : JSON.parse(text)) as Record<string, unknown> };
}

describe('a key', () => {
  it.each<[path: string, forSending: number, shown: object]>([
    ['postmark/server', 200, { DeliveryType: 'Live', SmtpApiActivated: true }],
    ['postmark/message-streams', 200, { TotalCount: 2 }],
    ['postmark/message-streams/broadcast', 200, { ID: 'broadcast', MessageStreamType: 'Broadcasts' }],
    [
      'sendgrid/v3/scopes',
      200,
      { scopes: expect.arrayContaining(['mail.send', 'templates.read']) as string[] },
    ],
    ['sendgrid/v3/user/username', 200, { username: expect.any(String) as string }],
    ['sendgrid/v3/marketing/contacts', 403, { result: [], contact_count: 0 }],
    ['sendgrid/v3/marketing/contacts/count', 403, { contact_count: 0 }],
    ['mailgun/v3/domains', 403, { items: [] }],
    ['mailgun/v4/domains', 403, { items: [] }],
    ['resend/domains', 403, { data: [] }],
    ['resend/api-keys', 403, { object: 'list' }],
  ])('is tested by GET %s', async (path, forSending, shown) => {
    const full = await ask('GET', path, keys.full);
    expect(full).toMatchObject({ status: 200, json: shown });
    expect((await ask('GET', path, keys.read)).status).toBeLessThan(404);
    expect((await ask('GET', path, keys.send)).status).toBe(forSending);
    expect((await ask('GET', path, 'svc_live_unknown')).status).toBe(401);
  });

  it('for sending has the scope mail.send only', async () => {
    const { json } = await ask('GET', 'sendgrid/v3/scopes', keys.send);
    expect(json['scopes']).toContain('mail.send');
    expect(json['scopes']).not.toContain('templates.read');
  });
});

it('Resend creates, lists, renames and deletes keys', async () => {
  const body = { name: 'Shop', permission: 'sending_access' };
  const made = await ask('POST', 'resend/api-keys', keys.full, body);
  const { id, token } = made.json as { id: string; token: string };
  expect(made).toMatchObject({ status: 201, json: { id: expect.stringMatching(/^key_/) as string } });
  expect((await ask('GET', 'postmark/server', token)).status).toBe(200);
  expect((await ask('GET', 'resend/domains', token)).status).toBe(403);
  await ask('PATCH', `resend/api-keys/${id}`, keys.full, { name: 'Store' });
  const { json } = await ask('GET', 'resend/api-keys?limit=1', keys.full);
  expect(json['data']).toMatchObject([{ id, name: 'Store' }]);
  expect((await ask('DELETE', `resend/api-keys/${id}`, keys.full)).status).toBe(200);
  expect((await ask('GET', 'postmark/server', token)).status).toBe(401);
  expect((await ask('POST', 'resend/api-keys', keys.send, body)).status).toBe(403);
});

it('SendGrid creates keys with the scopes of a permission, and refuses others by name', async () => {
  const made = await ask('POST', 'sendgrid/v3/api_keys', keys.full, { name: 'Shop', scopes: ['mail.send'] });
  expect(made).toMatchObject({
    status: 201,
    json: { name: 'Shop', scopes: ['mail.send', 'mail.batch.create', 'user.scheduled_sends.create'] },
  });
  const { api_key: key, api_key_id: id } = made.json as { api_key: string; api_key_id: string };
  expect((await ask('GET', `sendgrid/v3/api_keys/${id}`, keys.full)).json).toMatchObject({ api_key_id: id });
  expect((await ask('GET', 'sendgrid/v3/templates', key)).status).toBe(403);
  const wrong = await ask('POST', 'sendgrid/v3/api_keys', keys.full, {
    name: 'x',
    scopes: ['mail.send', 'ips.read'],
  });
  expect(wrong).toMatchObject({
    status: 400,
    json: { errors: [{ field: 'scopes', message: expect.stringContaining('ips.read') as string }] },
  });
  expect((await ask('DELETE', `sendgrid/v3/api_keys/${id}`, keys.full)).status).toBe(204);
});

it('suppresses and releases many addresses by Resend', async () => {
  const emails = ['one@batch.example', 'two@batch.example'];
  const added = await ask('POST', 'resend/suppressions/batch/add', keys.full, { emails });
  expect(added).toMatchObject({
    status: 201,
    json: { data: [{ object: 'suppression' }, { object: 'suppression' }] },
  });
  const nothing = await ask('POST', 'resend/suppressions/batch/add', keys.full, {
    emails: ['three@batch.example', 'nonsense'],
  });
  expect(nothing.status).toBe(422);
  const removed = await ask('POST', 'resend/suppressions/batch/remove', keys.full, {
    emails: [...emails, 'three@batch.example'],
  });
  expect((removed.json['data'] as { deleted: boolean }[]).map(({ deleted }) => deleted)).toEqual([
    true,
    true,
    false,
  ]);
});

describe('the version of a template', () => {
  it('is read and changed by Mailgun, and earlier ones are not found', async () => {
    const template = { name: 'greeting', template: '<p>Hello</p>', headers: '{"Subject":"Hello"}' };
    const path = 'mailgun/v3/shop.example/templates';
    await ask('POST', path, keys.full, template);
    const versions = await ask('GET', `${path}/greeting/versions`, keys.read);
    expect(versions.json).toMatchObject({ template: { versions: [{ tag: '1', active: true }] } });
    const changed = await ask('PUT', `${path}/Greeting/versions/1`, keys.full, { template: '<p>Hi</p>' });
    expect(changed).toMatchObject({ status: 200, json: { template: { version: { tag: '2' } } } });
    const current = await ask('GET', `${path}/greeting/versions/2`, keys.read);
    expect(current.json).toMatchObject({ template: { version: { template: '<p>Hi</p>' } } });
    expect((await ask('GET', `${path}/greeting/versions/1`, keys.read)).status).toBe(404);
  });

  it('is read, changed and activated by SendGrid', async () => {
    const { json: made } = await ask('POST', 'sendgrid/v3/templates', keys.full, { name: 'Greeting' });
    const path = `sendgrid/v3/templates/${String(made['id'])}/versions`;
    const content = { name: 'One', subject: 'Hello', html_content: '<p>Hello</p>' };
    const { json: first } = await ask('POST', path, keys.full, content);
    const { json: second } = await ask('PATCH', `${path}/${String(first['id'])}`, keys.full, {
      subject: 'Hi',
    });
    expect(second).toMatchObject({ subject: 'Hi', html_content: '<p>Hello</p>', active: 1 });
    const active = await ask('POST', `${path}/${String(second['id'])}/activate`, keys.full);
    expect(active).toMatchObject({ status: 200, json: { subject: 'Hi' } });
    expect((await ask('GET', `${path}/${String(first['id'])}`, keys.read)).status).toBe(404);
  });
});
