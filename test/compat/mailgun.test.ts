// Tests the Mailgun client against the running program. Only the URL and the key differ.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import Mailgun from 'mailgun.js';
import { createAppliance, type Appliance } from '../support/appliance.js';
import { QUICK } from '../support/mail-rig.js';
import { waitFor } from '../support/wait.js';

const DOMAIN = 'shop.example';
let appliance: Appliance;
let mailgun: ReturnType<typeof clientWith>;

beforeAll(async () => {
  appliance = await createAppliance({ process: 'shared', env: QUICK });
  await appliance.start();
  mailgun = clientWith(appliance.keys.test_key);
});
afterAll(() => appliance.close());

function clientWith(key: string) {
  const made = new Mailgun(globalThis.FormData);
  return made.client({ username: 'api', key, url: `${appliance.url}/compat/mailgun` });
}

let count = 0;
const mail = (more: object = {}) => ({
  ...{ from: `News <news@${DOMAIN}>`, to: `delivered+${count++}@simulator.example` },
  ...{ subject: 'Hello', text: 'Hello', html: '<p>Hello</p>', ...more },
});

/** The ID of Mailkeel within the vendor's ID. */
async function send(data: object): Promise<string> {
  const { status, id = '', message } = await mailgun.messages.create(DOMAIN, data as never);
  expect([status, message]).toEqual([200, 'Queued. Thank you.']);
  const [, own = ''] = /^<([0-9a-z]{26})@shop\.example>$/.exec(id) ?? [];
  return `msg_${own}`;
}

async function read(id: string, part = ''): Promise<Record<string, unknown>> {
  const { json } = await appliance.api('GET', `/v1/messages/${id}${part}`, { key: appliance.keys.test_key });
  return json as Record<string, unknown>;
}

async function found(tag: string): Promise<Record<string, unknown>[]> {
  const { json } = await appliance.api('GET', `/v1/messages?tag=${tag}`, { key: appliance.keys.test_key });
  return (json as { data: Record<string, unknown>[] }).data;
}

async function refusalOf(asked: Promise<unknown>): Promise<{ status: number; details: string }> {
  const error = await asked.then(
    () => new Error('It was not refused.'),
    (reason: unknown) => reason,
  );
  return error as { status: number; details: string };
}

describe('a message', () => {
  it('is sent with every field and file', async () => {
    const later = new Date(Date.now() + 86_400_000);
    const id = await send(
      mail({
        ...{ to: ['"Smith, Ann" <ann@example.com>', 'bob@example.com'], cc: 'carl@example.com' },
        ...{ 'h:Reply-To': 'help@shop.example', 'h:X-Order': '4711', 'v:order': '4711' },
        ...{ 'o:tag': ['welcome', 'first'], 'o:deliverytime': later.toUTCString() },
        ...{ 'o:tracking-clicks': 'no', 'o:tracking-opens': true, 'o:testmode': true },
        attachment: { filename: 'a.txt', data: 'file' },
        inline: { filename: 'b.png', data: Buffer.from('picture') },
      }),
    );
    expect(await read(id)).toMatchObject({
      ...{ to: 'ann@example.com', tags: ['welcome', 'first'], metadata: { order: '4711' } },
      ...{ track_clicks: false, track_opens: true, reply_to: { email: 'help@shop.example' } },
      scheduled_at: `${later.toISOString().slice(0, 19)}.000Z`,
      attachments: [
        { filename: 'a.txt', size: 4, content_id: null },
        { filename: 'b.png', size: 7, content_id: 'b.png' },
      ],
    });
    expect(await read(id, '/content')).toMatchObject({
      headers: { 'X-Order': '4711' },
      html: '<p>Hello</p>',
    });
  });

  it('is delivered', async () => {
    const id = await send(mail());
    await waitFor(
      'the message to be delivered',
      () => read(id),
      ({ status }) => status === 'delivered',
    );
  });

  it('is one for each recipient with variables, all or none', async () => {
    const variables = {
      'ann@example.com': { name: 'Ann' },
      'bob@example.com': { name: '%recipient.id%', id: 7 },
    };
    const each = {
      ...{
        to: ['ann@example.com', 'Bob <bob@example.com>'],
        subject: 'Hi %recipient.name%',
        'o:tag': 'each',
      },
      'recipient-variables': JSON.stringify(variables),
    };
    await send(mail(each));
    expect((await found('each')).map(({ to, subject }) => [to, subject])).toEqual([
      ['bob@example.com', 'Hi %recipient.id%'],
      ['ann@example.com', 'Hi Ann'],
    ]);
    const none = { ...each, to: ['ann@example.com', 'nonsense'], 'o:tag': 'none' };
    expect((await refusalOf(send(mail(none)))).status).toBe(400);
    expect(await found('none')).toEqual([]);
  });

  it('uses the variables of its recipient in headers, mailboxes and metadata too', async () => {
    const id = await send(
      mail({
        ...{ from: `%recipient.agent% <news@${DOMAIN}>`, to: ['Ann <ann@example.com>'] },
        ...{ 'h:Reply-To': '%recipient.agent%@shop.example', 'h:X-Order': '%recipient.order%' },
        ...{ 'v:order': '%recipient.order%', text: '%recipient_email%, %recipient%' },
        'recipient-variables': JSON.stringify({ 'ann@example.com': { order: '4711', agent: 'carl' } }),
      }),
    );
    expect(await read(id)).toMatchObject({
      ...{ from: { name: 'carl' }, reply_to: { email: 'carl@shop.example' }, metadata: { order: '4711' } },
    });
    expect(await read(id, '/content')).toMatchObject({
      headers: { 'X-Order': '4711' },
      text: 'ann@example.com, Ann <ann@example.com>',
    });
  });

  it('can name its only recipient, and is refused if it would name one of several', async () => {
    const id = await send(mail({ to: 'ann@example.com', text: 'For %recipient_email%' }));
    expect((await read(id, '/content'))['text']).toBe('For ann@example.com');
    const to = ['ann@example.com', 'bob@example.com'];
    const { status, details } = await refusalOf(send(mail({ to, text: 'For %recipient_email%' })));
    expect([status, details]).toEqual([400, expect.stringContaining('Pass recipient-variables') as string]);
  });

  it.each([
    ...['%unsubscribe_url%', '%tag_unsubscribe_url%', '%mailing_list_unsubscribe_url%'],
    ...['%recipient_name%', '%recipient_fname%', '%recipient_lname%'],
  ])('is refused with %s in its content', async (own) => {
    for (const field of ['html', 'h:X-Own']) {
      const { status, details } = await refusalOf(send(mail({ [field]: `See ${own}` })));
      expect([status, details]).toEqual([400, expect.stringContaining(`${own} is not filled in`) as string]);
    }
  });

  it('is refused before substitution if its variables are too large', async () => {
    const to = Array.from({ length: 8 }, (_, at) => `ann${at}@example.com`);
    const variables = Object.fromEntries(to.map((address) => [address, { x: 'x'.repeat(1500) }]));
    const many = mail({
      ...{ to, text: '%recipient.x%'.repeat(10_000) },
      'recipient-variables': JSON.stringify(variables),
    });
    expect((await refusalOf(send(many))).status).toBe(413);
  });

  it('can use a template', async () => {
    const made = await mailgun.domains.domainTemplates.create(DOMAIN, {
      ...{ name: 'welcome', template: '<p>{{name}}</p>', engine: 'handlebars' },
      headers: JSON.stringify({ Subject: 'Hello {{name}}' }),
    } as never);
    expect(made).toMatchObject({ name: 'welcome' });
    const { from, to } = mail();
    const id = await send({ from, to, template: 'welcome', 't:variables': JSON.stringify({ name: 'Ann' }) });
    expect(await read(id, '/content')).toMatchObject({ subject: 'Hello Ann', html: '<p>Ann</p>' });
    const { items } = await mailgun.domains.domainTemplates.list(DOMAIN);
    expect(items.map(({ name }) => name)).toEqual(['welcome']);
    expect(
      await mailgun.domains.domainTemplates.get(DOMAIN, 'welcome', { active: 'yes' } as never),
    ).toMatchObject({
      version: { template: '<p>{{name}}</p>' },
    });
    await mailgun.domains.domainTemplates.destroy(DOMAIN, 'welcome');
  });
});

describe('custom variables', () => {
  const variables = JSON.stringify({ title: 'Hello', items: [{ n: 1 }, { n: 2 }] });

  it.each([
    ['v:', { 'v:title': 'Hello' }, '<p>[Hello]</p>', { title: 'Hello' }],
    [
      'h:X-Mailgun-Variables',
      { 'h:X-Mailgun-Variables': variables, 'v:title': 'no', 'v:order': '7' },
      '<p>[Hello]12</p>',
      { title: 'Hello', order: '7', items: [{ n: 1 }, { n: 2 }] },
    ],
    [
      't:variables',
      { 't:variables': '{"title":"Hi"}', 'h:x-mailgun-variables': variables },
      '<p>[Hi]12</p>',
      JSON.parse(variables) as object,
    ],
  ])('of %s fill the template and become metadata', async (from, fields, html, metadata) => {
    const name = `variables-${from.replaceAll(/[^a-z]/gi, '').toLowerCase()}`;
    await mailgun.domains.domainTemplates.create(DOMAIN, {
      ...{ name, template: '<p>[{{title}}]{{#each items}}{{n}}{{/each}}</p>', engine: 'handlebars' },
      headers: JSON.stringify({ Subject: 'T {{title}}' }),
    } as never);
    const { from: sender, to } = mail();
    const id = await send({ from: sender, to, template: name, ...fields });
    expect(await read(id, '/content')).toMatchObject({ html, headers: {} });
    expect((await read(id))['metadata']).toEqual(metadata);
  });

  it('of h:X-Mailgun-Variables are filled for each recipient and leave no header without a template', async () => {
    const id = await send(
      mail({
        to: ['ann@example.com'],
        'h:X-Mailgun-Variables': '{"order":"%recipient.order%"}',
        'recipient-variables': JSON.stringify({ 'ann@example.com': { order: '4711' } }),
      }),
    );
    expect((await read(id))['metadata']).toEqual({ order: '4711' });
    expect((await read(id, '/content'))['headers']).toEqual({});
  });

  it('are refused if they are not a JSON object', async () => {
    const { status, details } = await refusalOf(send(mail({ 'h:X-Mailgun-Variables': '{"a"' })));
    expect([status, details]).toEqual([
      400,
      expect.stringContaining('h:X-Mailgun-Variables: is not valid JSON') as string,
    ]);
  });
});

describe('suppressions', () => {
  it.each(['bounces', 'complaints', 'unsubscribes'])(
    'of %s are added, listed in pages, read and removed',
    async (type) => {
      const entries = [1, 2, 3].map((at) => ({ address: `${type}${at}@example.com` }));
      await mailgun.suppressions.create(DOMAIN, type, entries);
      const first = await mailgun.suppressions.list(DOMAIN, type, { limit: 2 });
      const { page } = first.pages['next'] as { page: string };
      const second = await mailgun.suppressions.list(DOMAIN, type, { limit: 2, page });
      const addresses = [...first.items, ...second.items].map((one) => (one as { address: string }).address);
      expect(addresses.toSorted()).toEqual(entries.map(({ address }) => address));
      const one = await mailgun.suppressions.get(DOMAIN, type, `${type}1@example.com`);
      expect((one as { address: string }).address).toBe(`${type}1@example.com`);
      await mailgun.suppressions.destroy(DOMAIN, type, `${type}1@example.com`);
      const gone = await refusalOf(mailgun.suppressions.get(DOMAIN, type, `${type}1@example.com`));
      expect(gone.status).toBe(404);
    },
  );
});

describe('several suppressions', () => {
  it('are all stored or none, because every address is checked first', async () => {
    const entries = [{ address: 'fine@example.com' }, { address: 'nonsense' }];
    const refusal = await refusalOf(mailgun.suppressions.create(DOMAIN, 'bounces', entries));
    expect(refusal.status).toBe(400);
    expect(refusal.details).toMatch(/^1\.address: /);
    const kept = await refusalOf(mailgun.suppressions.get(DOMAIN, 'bounces', 'fine@example.com'));
    expect(kept.status).toBe(404);
  });
});

describe('domains', () => {
  it('are created with their records, listed, read, checked and removed', async () => {
    const made = await mailgun.domains.create({ name: 'another.example' });
    expect(made).toMatchObject({ name: 'another.example', state: 'unverified' });
    expect((await mailgun.domains.list()).map(({ name }) => name)).toEqual(['another.example']);
    const { sending_dns_records: records } = await mailgun.domains.get('another.example');
    expect(records?.map(({ record_type: type }) => type)).toContain('TXT');
    expect(await mailgun.domains.verify('another.example')).toMatchObject({ state: 'unverified' });
    expect((await mailgun.domains.destroy('another.example')).message).toBe('Domain has been deleted');
  });
});

describe('unsupported features', () => {
  const refused: [string, () => Promise<unknown>, number, RegExp][] = [
    [
      'a wrong key',
      () => clientWith('svc_test_nonsense').messages.create(DOMAIN, mail()),
      401,
      /missing, unknown/,
    ],
    [
      'a field that is not known',
      () => send(mail({ 'o:nonsense': 'yes' })),
      400,
      /^o:nonsense: is not a known field/,
    ],
    [
      'a time in words',
      () => send(mail({ 'o:deliverytime': 'tomorrow' })),
      400,
      /^o:deliverytime: must be a date/,
    ],
    ['another part', () => send(mail({ 'amp-html': '<html>' })), 400, /^amp-html: AMP is not supported/],
    [
      'rehearsal with a live key',
      () => clientWith(appliance.keys.live_key).messages.create(DOMAIN, mail({ 'o:testmode': 'yes' })),
      400,
      /^o:testmode: is determined by the API key/,
    ],
    [
      'variables that are no object',
      () => send(mail({ 'recipient-variables': '[1]' })),
      400,
      /must be a JSON object/,
    ],
    [
      'an operation that is not there',
      () => mailgun.routes.list(undefined as never),
      404,
      /does not support GET/,
    ],
  ];
  it.each(refused)("%s is refused in the vendor's error format", async (_, ask, status, sentence) => {
    const refusal = await refusalOf(ask());
    expect(refusal.status).toBe(status);
    expect(refusal.details).toMatch(sentence);
  });

  const raw = (body: string, type: string) =>
    fetch(`${appliance.url}/compat/mailgun/v3/${DOMAIN}/messages`, {
      method: 'POST',
      headers: { authorization: `Bearer ${appliance.keys.test_key}`, 'content-type': type },
      body,
    });

  it('an invalid form, or one with too many fields, is refused', async () => {
    const urlencoded = 'application/x-www-form-urlencoded';
    const broken = await raw('nonsense', 'multipart/form-data; boundary=x');
    expect(broken.status).toBe(400);
    expect((await raw('nonsense', 'multipart/form-data')).status).toBe(400);
    const many = await raw(Array.from({ length: 4001 }, (_, at) => `v:a${at}=1`).join('&'), urlencoded);
    expect([many.status, await many.json()]).toEqual([
      400,
      { message: 'The form has more than 4000 fields.' },
    ]);
    const sent = await raw(`from=news@${DOMAIN}&to=ann@example.com&subject=S&text=T`, urlencoded);
    expect(sent.status).toBe(200);
  });
});
