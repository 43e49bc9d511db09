// Tests the Resend client against the running program. Only the base URL and the key differ.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Resend } from 'resend';
import { createAppliance, type Appliance } from '../support/appliance.js';
import { QUICK } from '../support/mail-rig.js';
import { waitFor } from '../support/wait.js';

let appliance: Appliance;
let resend: Resend;

beforeAll(async () => {
  appliance = await createAppliance({ process: 'shared', env: QUICK });
  await appliance.start();
  resend = clientWith(appliance.keys.test_key);
});
afterAll(() => appliance.close());

function clientWith(key: string): Resend {
  return new Resend(key, { baseUrl: `${appliance.url}/compat/resend` });
}

const FROM = 'News <news@shop.example>';
const inHours = (hours: number): string => new Date(Date.now() + hours * 3_600_000).toISOString();
const LATER = inHours(24);
let count = 0;
const mail = (more: object = {}) => ({
  ...{ from: FROM, to: `delivered+${count++}@simulator.example`, subject: 'Hello', html: '<p>Hello</p>' },
  ...more,
});

/** The data of a response, which must not be an error. */
function dataOf<T>({ data, error }: { data: T | null; error: unknown }): T {
  expect(error).toBeNull();
  if (data === null) throw new Error('There is no data.');
  return data;
}

async function messages(): Promise<number> {
  const { json } = await appliance.api('GET', '/v1/messages?limit=100', { key: appliance.keys.test_key });
  return (json as { data: object[] }).data.length;
}

describe('emails', () => {
  it('are sent with every field, and read', async () => {
    const sent = dataOf(
      await resend.emails.send(
        mail({
          to: ['ann@example.com', 'Bob <bob@example.com>'],
          cc: 'carl@example.com',
          bcc: ['dora@example.com'],
          replyTo: ['help@shop.example', 'more@shop.example'],
          text: 'Hello',
          headers: { 'X-Order': '4711' },
          tags: [{ name: 'kind', value: 'welcome' }],
          attachments: [{ filename: 'a.txt', content: Buffer.from('file'), contentType: 'text/plain' }],
        }),
        { idempotencyKey: 'once' },
      ),
    );
    expect(sent.id).toMatch(/^msg_/);
    const read = dataOf(await resend.emails.get(sent.id));
    expect(read).toMatchObject({
      ...{ object: 'email', id: sent.id, from: FROM, subject: 'Hello', html: '<p>Hello</p>', text: 'Hello' },
      ...{ to: ['ann@example.com', 'bob@example.com'], cc: ['carl@example.com'], bcc: [] },
      reply_to: ['help@shop.example', 'more@shop.example'],
      tags: [{ name: 'kind', value: 'welcome' }],
    });
    const { json } = await appliance.api('GET', `/v1/messages/${sent.id}`, { key: appliance.keys.test_key });
    expect(json).toMatchObject({ attachments: [{ filename: 'a.txt', size: 4 }], idempotency_key: 'once' });
  });

  it('are delivered, as their status shows', async () => {
    const { id } = dataOf(await resend.emails.send(mail()));
    const ask = async () => dataOf(await resend.emails.get(id));
    await waitFor('the email to be delivered', ask, ({ last_event: event }) => event === 'delivered');
  });

  it('are created once for each idempotency key', async () => {
    const same = mail();
    const first = dataOf(await resend.emails.send(same, { idempotencyKey: 'twice' }));
    expect(dataOf(await resend.emails.send(same, { idempotencyKey: 'twice' }))).toEqual(first);
    const { error } = await resend.emails.send(mail({ subject: 'Other' }), { idempotencyKey: 'twice' });
    expect(error).toMatchObject({ name: 'invalid_idempotent_request', statusCode: 409 });
  });

  it('are scheduled, rescheduled and canceled', async () => {
    const { id } = dataOf(await resend.emails.send(mail({ scheduledAt: LATER })));
    expect(dataOf(await resend.emails.get(id))).toMatchObject({
      last_event: 'scheduled',
      scheduled_at: LATER,
    });
    const moved = inHours(48);
    expect(dataOf(await resend.emails.update({ id, scheduledAt: moved }))).toEqual({ object: 'email', id });
    expect(dataOf(await resend.emails.get(id)).scheduled_at).toBe(moved);
    expect(dataOf(await resend.emails.cancel(id))).toEqual({ object: 'email', id });
    expect(dataOf(await resend.emails.get(id)).last_event).toBe('canceled');
  });

  it('are listed, in pages by id', async () => {
    for (let i = 0; i < 5; i++) dataOf(await resend.emails.send(mail({ scheduledAt: LATER })));
    const all = dataOf(await resend.emails.list({ limit: 5 }));
    expect(all).toMatchObject({ object: 'list', has_more: true });
    const ids = all.data.map(({ id }) => id);
    const [, second = '', , fourth = ''] = ids;
    const after = dataOf(await resend.emails.list({ limit: 2, after: second }));
    expect(after.data.map(({ id }) => id)).toEqual(ids.slice(2, 4));
    const before = dataOf(await resend.emails.list({ limit: 2, before: fourth }));
    expect(before.data.map(({ id }) => id)).toEqual(ids.slice(1, 3));
    expect((await resend.emails.list({ after: 'msg_00000000000000000000000000' })).error?.name).toBe(
      'not_found',
    );
  });
});

describe('a batch', () => {
  it('is sent as a whole', async () => {
    const { data } = dataOf(await resend.batch.send([mail(), mail()], { idempotencyKey: 'batch' }));
    expect(data.map(({ id }) => id.slice(0, 4))).toEqual(['msg_', 'msg_']);
  });

  it('is refused as a whole in strict mode, and nothing is sent', async () => {
    const before = await messages();
    const { error } = await resend.batch.send([mail(), mail({ to: 'nonsense' })]);
    expect(error).toMatchObject({ statusCode: 422, name: 'validation_error' });
    expect(error?.message).toMatch(/^Nothing was sent\. messages\.1: to: /);
    expect(await messages()).toBe(before);
  });

  it('is sent in part in permissive mode', async () => {
    const answer = await resend.batch.send([mail(), mail({ to: 'nonsense' })], {
      batchValidation: 'permissive',
    });
    const { data, errors } = dataOf(answer);
    expect(data).toHaveLength(1);
    expect(errors).toEqual([{ index: 1, message: expect.stringMatching(/^to: /) as string }]);
  });
});

describe('templates', () => {
  it('are created, published, read, changed, listed, sent and removed', async () => {
    const made = await resend.templates
      .create({
        ...{ name: 'Welcome', alias: 'welcome', subject: 'Hello {{name}}', html: '<p>{{{name}}}</p>' },
        variables: [{ key: 'name', type: 'string' }],
      })
      .publish();
    const { id } = dataOf(made);
    expect(dataOf(await resend.templates.get('welcome'))).toMatchObject({
      id,
      alias: 'welcome',
      status: 'published',
    });
    dataOf(await resend.templates.update(id, { subject: 'Good day {{name}}' }));
    expect(dataOf(await resend.templates.list()).data.map(({ id: one }) => one)).toContain(id);
    const template = { id: 'welcome', variables: { name: 'Ann' } };
    const { from, to } = mail();
    const refused = await resend.emails.send({ from, to, template: { id: 'welcome' } });
    expect(refused.error).toMatchObject({
      name: 'missing_required_field',
      message: 'template.variables.name: is required',
    });
    const { id: sent } = dataOf(await resend.emails.send({ from, to, template }));
    expect(dataOf(await resend.emails.get(sent))).toMatchObject({
      subject: 'Good day Ann',
      html: '<p>Ann</p>',
    });
    expect(dataOf(await resend.templates.remove(id))).toEqual({ object: 'template', id, deleted: true });
    expect((await resend.templates.get(id)).error?.name).toBe('not_found');
  });
});

describe('contacts and segments', () => {
  it('are created, read, changed, listed and removed', async () => {
    const segment = dataOf(await resend.segments.create({ name: 'Customers' }));
    const { id } = dataOf(
      await resend.contacts.create({
        ...{
          email: 'ann@contacts.example',
          firstName: 'Ann',
          lastName: 'Smith',
          properties: { city: 'Bremen' },
        },
        segments: [{ id: segment.id }],
      }),
    );
    dataOf(await resend.contacts.update({ id, lastName: 'Miller', properties: { age: 40 } }));
    expect(dataOf(await resend.contacts.get('ann@contacts.example'))).toMatchObject({
      ...{ object: 'contact', id, first_name: 'Ann', last_name: 'Miller', unsubscribed: false },
      properties: { city: { type: 'string', value: 'Bremen' }, age: { type: 'number', value: 40 } },
    });
    dataOf(await resend.contacts.update({ email: 'ann@contacts.example', unsubscribed: true }));
    const { data } = dataOf(await resend.contacts.list({ segmentId: segment.id }));
    expect(data.map(({ email, unsubscribed }) => [email, unsubscribed])).toEqual([
      ['ann@contacts.example', true],
    ]);
    const isSuppressed = async () =>
      (await resend.suppressions.get('ann@contacts.example')).error?.name !== 'not_found';
    expect(await isSuppressed()).toBe(true);
    dataOf(await resend.contacts.update({ email: 'ann@contacts.example', unsubscribed: false }));
    expect(await isSuppressed()).toBe(false);
    expect(dataOf(await resend.segments.list()).data.map(({ name }) => name)).toContain('Customers');
    dataOf(await resend.contacts.segments.remove({ contactId: id, segmentId: segment.id }));
    expect(dataOf(await resend.contacts.list({ segmentId: segment.id })).data).toEqual([]);
    dataOf(await resend.contacts.segments.add({ email: 'ann@contacts.example', segmentId: segment.id }));
    expect(dataOf(await resend.contacts.remove(id))).toMatchObject({ object: 'contact', deleted: true });
    expect((await resend.contacts.get(id)).error?.name).toBe('not_found');
    dataOf(await resend.segments.remove(segment.id));
  });
});

describe('domains', () => {
  it('are created with their records, read, checked, listed and removed', async () => {
    const key = appliance.keys.live_key;
    const live = clientWith(key);
    const made = dataOf(await live.domains.create({ name: 'another.example' }));
    expect(made).toMatchObject({ name: 'another.example', status: 'pending' });
    expect(made.records.map(({ record }) => record as string)).toContain('DKIM');
    expect(dataOf(await live.domains.verify(made.id))).toEqual({ object: 'domain', id: made.id });
    expect(dataOf(await live.domains.get(made.id)).name).toBe('another.example');
    expect(dataOf(await live.domains.list()).data.map(({ id }) => id)).toEqual([made.id]);
    expect(dataOf(await live.domains.remove(made.id))).toMatchObject({ deleted: true });
  });
});

describe('suppressions', () => {
  it('are added, read, listed and removed', async () => {
    const { id } = dataOf(await resend.suppressions.add({ email: 'gone@example.com' }));
    const read = dataOf(await resend.suppressions.get('gone@example.com'));
    expect(read).toMatchObject({ object: 'suppression', id, origin: 'manual' });
    dataOf(await resend.suppressions.add({ email: 'gone-too@example.com' }));
    const { data } = dataOf(await resend.suppressions.list({ origin: 'manual' }));
    expect(data.slice(0, 2).map(({ email }) => email)).toEqual(['gone-too@example.com', 'gone@example.com']);
    const next = dataOf(await resend.suppressions.list({ after: data[0]?.id ?? '' }));
    expect(next.data[0]?.id).toBe(id);
    expect(dataOf(await resend.suppressions.remove('gone@example.com'))).toMatchObject({ id, deleted: true });
    expect((await resend.suppressions.get('gone@example.com')).error?.name).toBe('not_found');
  });
});

describe('unsupported features', () => {
  const refused: [string, () => Promise<{ error: unknown }>, object, RegExp][] = [
    [
      'a time in words',
      () => resend.emails.send(mail({ scheduledAt: 'in 1 min' })),
      { statusCode: 422, name: 'validation_error' },
      /^scheduled_at: must be a date and time such as/,
    ],
    [
      'a file from elsewhere',
      () => resend.emails.send(mail({ attachments: [{ filename: 'a', path: 'https://x.example/a.pdf' }] })),
      { statusCode: 422 },
      /^attachments\.0\.path: remote files are not supported/,
    ],
    [
      'a field that is not known',
      () => resend.emails.send(mail({ headers: { 'X-A': 7 } })),
      { statusCode: 422 },
      /^headers\.X-A: must be a string/,
    ],
    [
      'a missing field',
      () => resend.emails.send({ from: FROM, subject: 'S', text: 'T' } as never),
      { statusCode: 422, name: 'missing_required_field' },
      /^to: is required/,
    ],
    [
      'a wrong key',
      () => clientWith('svc_test_nonsense').emails.send(mail()),
      { statusCode: 401, name: 'invalid_api_key' },
      /missing, unknown, revoked/,
    ],
    [
      'an operation that is not there',
      () => resend.broadcasts.list(),
      { statusCode: 404, name: 'not_found' },
      /does not support GET \/compat\/resend\/broadcasts/,
    ],
    [
      'a foreign sender',
      () => clientWith(appliance.keys.live_key).emails.send(mail({ from: 'me@elsewhere.example' })),
      { statusCode: 422, name: 'invalid_from_address' },
      /./,
    ],
  ];
  it.each(refused)("%s is refused in the vendor's error format", async (_, ask, expected, sentence) => {
    const { error } = await ask();
    expect(error).toMatchObject(expected);
    expect((error as { message: string }).message).toMatch(sentence);
  });
});
