// Tests requests as clients in other languages write them: Django (anymail), PHP (Symfony) and older versions of the vendors' own
// clients.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createAppliance, type Appliance } from '../support/appliance.js';
import { QUICK } from '../support/mail-rig.js';

const FROM = 'news@shop.example';
const TO = 'ann@example.com';
let appliance: Appliance;
let key: string;

beforeAll(async () => {
  appliance = await createAppliance({ process: 'shared', env: QUICK });
  await appliance.start();
  key = appliance.keys.test_key;
});
afterAll(() => appliance.close());

type Fields = Record<string, unknown>;
interface Asked {
  headers?: Record<string, string>;
  /** Octets in place of a JSON body. */
  raw?: Buffer;
}

async function ask(path: string, body: unknown, { headers = {}, raw }: Asked = {}) {
  const isForm = body instanceof FormData;
  const answer = await fetch(`${appliance.url}${path}`, {
    method: 'POST',
    headers: {
      ...{ authorization: `Bearer ${key}`, 'x-postmark-server-token': key },
      ...(isForm ? {} : { 'content-type': 'application/json' }),
      ...headers,
    },
    body: isForm ? body : (raw ?? JSON.stringify(body)),
  });
  const text = await answer.text();
  const json = (text === '' ? {} : JSON.parse(text)) as Fields;
  const id = answer.headers.get('x-message-id') ?? text;
  return {
    ...{ status: answer.status, text, json, headers: answer.headers },
    // Mailgun answers with the Message-ID, whose local part is the id without its prefix.
    id: `msg_${/(?:msg_|<)([0-9a-z]{26})/.exec(id)?.[1] ?? ''}`,
  };
}

async function read(id: string, part = ''): Promise<Fields> {
  const { json } = await appliance.api('GET', `/v1/messages/${id}${part}`, { key });
  return json as Fields;
}

async function sent(path: string, body: unknown, asked: Asked = {}): Promise<Fields> {
  const { status, text, id } = await ask(path, body, asked);
  expect([status < 300, text]).toEqual([true, text]);
  return read(id);
}

/** A message with these mailboxes and this file in the form of each vendor, as path and body. */
interface Wish {
  from?: string;
  to?: string;
  name?: string;
  content?: unknown;
}
const content = { subject: 'Hello', text: 'Hello' };
const VENDORS: [name: string, request: (wish: Wish) => [path: string, body: unknown]][] = [
  [
    'resend',
    ({ from = FROM, to = TO, content: file }) => [
      '/compat/resend/emails',
      {
        ...{ from, to, ...content },
        ...(file === undefined ? {} : { attachments: [{ filename: 'a.txt', content: file }] }),
      },
    ],
  ],
  [
    'postmark',
    ({ from = FROM, to = TO, content: file }) => [
      '/compat/postmark/email',
      {
        ...{ From: from, To: to, Subject: 'Hello', TextBody: 'Hello' },
        ...(file === undefined
          ? {}
          : { Attachments: [{ Name: 'a.txt', Content: file, ContentType: 'text/plain' }] }),
      },
    ],
  ],
  [
    'sendgrid',
    ({ name, content: file }) => [
      '/compat/sendgrid/v3/mail/send',
      {
        personalizations: [{ to: [{ email: TO }] }],
        from: { email: FROM, ...(name === undefined ? {} : { name }) },
        subject: 'Hello',
        content: [{ type: 'text/plain', value: 'Hello' }],
        ...(file === undefined ? {} : { attachments: [{ filename: 'a.txt', content: file }] }),
      },
    ],
  ],
  [
    'mailgun',
    ({ from = FROM, to = TO }) => ['/compat/mailgun/v3/shop.example/messages', { from, to, ...content }],
  ],
];

describe.each(VENDORS)('names of mailboxes for %s', (_vendor, request) => {
  it.each([
    ['an encoded word', '=?utf-8?b?SsO2cmcgTcO8bGxlcg==?=', 'Jörg Müller'],
    ['a quoted encoded word', '"=?utf-8?q?J=C3=B6rg_M=C3=BCller=2C_GmbH?="', 'Jörg Müller, GmbH'],
    ['two encoded words on two lines', '=?utf-8?q?J=C3=B6rg?=\n =?utf-8?q?_M=C3=BCller?=', 'Jörg Müller'],
    ['a quoted name', String.raw`"Müller, \"Jörg\""`, 'Müller, "Jörg"'],
    ['a plain name', "Ann O'Neill", "Ann O'Neill"],
  ])('%s', async (_kind, name, shown) => {
    const mailbox = `${name} <${FROM}>`;
    expect(await sent(...request({ from: mailbox, name }))).toMatchObject({
      from: { email: FROM, name: shown },
    });
  });
});

describe('fields that clients add', () => {
  it.each([
    [
      'a MIME version that no message has',
      '/compat/postmark/email',
      { From: FROM, To: TO, Subject: 'x', TextBody: 'x', Headers: [{ Name: 'MIME-Version', Value: '2.0' }] },
      'Headers.MIME-Version',
    ],
    [
      'a return path of another address',
      '/compat/mailgun/v3/shop.example/messages',
      formOf({ from: FROM, to: TO, subject: 'x', text: 'x', sender: 'other@shop.example' }),
      'sender: must be the From address',
    ],
    [
      'a header with a list of numbers',
      '/compat/resend/emails',
      { from: FROM, to: TO, subject: 'x', text: 'x', headers: { 'X-Tag': [1] } },
      'headers.X-Tag',
    ],
  ])('refuse %s', async (_kind, path, body, problem) => {
    const { status, text } = await ask(path, body);
    expect([status >= 400, text]).toEqual([true, expect.stringContaining(problem)]);
  });
});

function formOf(fields: Record<string, string>): FormData {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.append(name, value);
  return form;
}

describe('names of mailboxes', () => {
  it('are decoded on the wire and for recipients', async () => {
    const To = '=?utf-8?b?SsO2cmcgTcO8bGxlcg==?= <ann@example.com>, "Smith, Bob" <bob@example.com>';
    const { id } = await sent('/compat/postmark/email', {
      From: FROM,
      To,
      ReplyTo: To,
      Subject: 'x',
      TextBody: 'x',
    });
    expect(await read(String(id), '/content')).toMatchObject({
      to: [
        { email: 'ann@example.com', name: 'Jörg Müller' },
        { email: 'bob@example.com', name: 'Smith, Bob' },
      ],
    });
    const raw = await appliance.api('GET', `/v1/messages/${String(id)}/raw`, { key });
    expect(raw.text).toContain('=?UTF-8?');
    expect(raw.text).not.toContain('=3D=3Futf-8');
  });

  it('are decoded in content that refers to the recipient', async () => {
    const form = new FormData();
    form.append('from', FROM);
    form.append('to', '=?utf-8?b?SsO2cmcgTcO8bGxlcg==?= <ann@example.com>');
    form.append('subject', 'x');
    form.append('text', 'For %recipient%');
    const { id } = await sent('/compat/mailgun/v3/shop.example/messages', form);
    expect(await read(String(id), '/content')).toMatchObject({ text: 'For Jörg Müller <ann@example.com>' });
  });

  it('are not decoded in /v1', async () => {
    const to = { email: TO, name: '=?utf-8?b?SsO2cmc=?=' };
    const { id } = await sent('/v1/messages', { from: FROM, to, ...content });
    expect(await read(String(id), '/content')).toMatchObject({ to: [to] });
  });
});

describe('slashes', () => {
  const email = { From: FROM, To: TO, Subject: 'x', TextBody: 'x' };

  it.each([
    '/compat/postmark/email/',
    '/compat/postmark//email',
    '//compat//postmark/email//',
    '/compat/postmark/email/?dry=/',
  ])('%s equals the path without them', async (path) => {
    // Postmark's operation has no parameters, so the last one is refused for its query rather than its path.
    expect((await ask(path, email)).status).toBe(path.includes('?') ? 422 : 200);
  });

  it('matter in a path of /v1', async () => {
    expect((await ask('/v1/messages/', { from: FROM, to: TO, ...content })).status).toBe(404);
  });
});

it('a Postmark template is sent with empty bodies and numbers in its metadata', async () => {
  const made = await ask('/v1/templates', { name: 'Hi', slug: 'hi', subject: 'Hi', html: '<p>{{name}}</p>' });
  expect(made.status).toBe(201);
  const body = {
    ...{ From: FROM, To: TO, TemplateAlias: 'hi', TemplateModel: { name: 'Ann' } },
    ...{ TextBody: '', HtmlBody: '', Metadata: { order: 4711, isNew: true, rest: null, name: 'Ann' } },
  };
  expect(await sent('/compat/postmark/email/withTemplate/', body)).toMatchObject({
    ...{ subject: 'Hi', metadata: { order: 4711, isNew: true, rest: null, name: 'Ann' } },
  });
});

describe('form fields that PHP numbers', () => {
  it('are a list', async () => {
    const form = new FormData();
    for (const [name, value] of Object.entries({
      ...{ from: FROM, 'to[0]': TO, 'to[1]': 'bob@example.com', ...content, html: '<img src="cid:b.png">' },
      ...{ 'o:tag[0]': 'a', 'o:tag[]': 'b', 'v:list[0]': 'x' },
    })) {
      form.append(name, value);
    }
    form.append('attachment[0]', new Blob(['one']), 'a.txt');
    form.append('attachment[1]', new Blob(['two']), 'c.txt');
    form.append('inline[0]', new Blob(['three']), 'b.png');
    const message = await sent('/compat/mailgun/v3/shop.example/messages', form);
    expect(message).toMatchObject({
      ...{ tags: ['a', 'b'], metadata: { 'list[0]': 'x' } },
      attachments: [
        { filename: 'a.txt', size: 3 },
        { filename: 'c.txt', size: 3 },
        { filename: 'b.png', content_id: 'b.png' },
      ],
    });
  });

  it('are refused by name if their key is a word, and a part without a name refuses the form', async () => {
    const form = new FormData();
    form.append('from', FROM);
    form.append('to', TO);
    form.append('attachment[invoice]', new Blob(['x']), 'a.txt');
    const { status, text } = await ask('/compat/mailgun/v3/shop.example/messages', form);
    expect([status, text]).toEqual([400, expect.stringContaining('attachment[invoice]') as string]);
  });
});

describe.each(VENDORS.filter(([vendor]) => vendor !== 'mailgun'))('a file for %s', (_vendor, request) => {
  const octets = Buffer.from([0xfb, 0xff, 0xfe, ...Buffer.from('file? >>>~'), 0xff]);
  const base64 = octets.toString('base64');

  it.each<[string, unknown]>([
    ['base64', base64],
    ['base64 with line breaks', `${base64.slice(0, 8)}\r\n${base64.slice(8)}\n`],
    ['base64 without padding', base64.replaceAll('=', '')],
    ['url-safe base64', octets.toString('base64url')],
    ['a Buffer of Node', octets.toJSON()],
  ])('may be given as %s', async (_form, file) => {
    const message = await sent(...request({ content: file }));
    expect(message).toMatchObject({ attachments: [{ filename: 'a.txt', size: octets.length }] });
    const raw = await appliance.api('GET', `/v1/messages/${String(message['id'])}/raw`, { key });
    expect(raw.text).toContain(base64);
  });

  it('may be empty', async () => {
    expect(await sent(...request({ content: '' }))).toMatchObject({ attachments: [{ size: 0 }] });
  });

  it.each<[string, unknown]>([
    ['other text', 'not base64!'],
    ['a cut quantum', 'aGk=a'],
    ['padding alone', '===='],
    ['octets out of range', { type: 'Buffer', data: [256] }],
    ['another object', { type: 'Blob', data: [] }],
    ['a number', 7],
  ])('is refused by name as %s', async (_form, file) => {
    const { status, text } = await ask(...request({ content: file }));
    expect([status, text]).toEqual([status, expect.stringMatching(/attachments.*content/i) as string]);
    expect(status).toBeGreaterThanOrEqual(400);
  });
});

describe.each(VENDORS)('an Idempotency-Key for %s', (vendor, request) => {
  const asked = { headers: { 'idempotency-key': `once-${vendor}` } };

  it('creates one message for two equal requests, and refuses a different one', async () => {
    const first = await ask(...request({ name: 'Ann' }), asked);
    const second = await ask(...request({ name: 'Ann' }), asked);
    expect(first.id).not.toBe('');
    expect([second.status, second.id]).toEqual([first.status, first.id]);
    expect([first, second].map(({ headers }) => headers.get('idempotent-replayed'))).toEqual([null, 'true']);
    const other = await ask(...request({ from: `Bob <${FROM}>`, name: 'Bob' }), asked);
    expect(other.status).toBeGreaterThanOrEqual(400);
  });
});

it('an Idempotency-Key of a request for many messages creates them once', async () => {
  const many = {
    personalizations: [TO, 'bob@example.com'].map((email) => ({ to: [{ email }] })),
    ...{
      from: { email: FROM },
      subject: 'x',
      content: [{ type: 'text/plain', value: 'x' }],
      categories: ['many'],
    },
  };
  const asked = { headers: { 'idempotency-key': 'many' } };
  const [first, second] = [
    await ask('/compat/sendgrid/v3/mail/send', many, asked),
    await ask('/compat/sendgrid/v3/mail/send', many, asked),
  ];
  expect([second.status, second.id]).toEqual([202, first.id]);
  const batch = [{ From: FROM, To: TO, Subject: 'x', TextBody: 'x', Tag: 'many' }];
  for (let round = 0; round < 2; round++)
    await ask('/compat/postmark/email/batch', batch, { headers: { 'idempotency-key': 'batch' } });
  const { json } = await appliance.api('GET', '/v1/messages?tag=many', { key });
  expect((json as { data: unknown[] }).data).toHaveLength(3);
});

it('a recipient as text and in a list of one are the same request', async () => {
  const asked = { headers: { 'idempotency-key': 'list-of-one' } };
  const message = { from: FROM, subject: 'x', text: 'x' };
  const first = await ask('/v1/messages', { ...message, to: TO, reply_to: FROM }, asked);
  const second = await ask('/v1/messages', { ...message, to: [TO], reply_to: [FROM] }, asked);
  expect([second.status, second.id]).toEqual([202, first.id]);
  const other = await ask('/v1/messages', { ...message, to: [TO, 'bob@example.com'], reply_to: FROM }, asked);
  expect(other.status).toBe(409);
});

describe('JSON', () => {
  const body = { From: FROM, To: TO, Subject: 'Grüße', TextBody: 'x' };

  it.each(['/compat/postmark/email', '/v1/messages'])(
    'may begin with a byte order mark: %s',
    async (path) => {
      const own = path.startsWith('/v1') ? { from: FROM, to: TO, subject: 'Grüße', text: 'x' } : body;
      const raw = Buffer.from(`\uFEFF${JSON.stringify(own)}`);
      expect(await sent(path, null, { raw })).toMatchObject({ subject: 'Grüße' });
    },
  );

  it('has at most one byte order mark', async () => {
    const raw = Buffer.from(`\uFEFF\uFEFF${JSON.stringify(body)}`);
    expect((await ask('/compat/postmark/email', null, { raw })).status).toBe(422);
  });
});

describe('Mailgun', () => {
  const path = '/compat/mailgun/v3/shop.example/messages';

  it('finds templates by name in any case', async () => {
    const made = await ask('/compat/mailgun/v3/shop.example/templates', {
      ...{ name: 'Welcome_Mail', template: '<p>x</p>', engine: 'handlebars' },
    });
    expect(made.json).toMatchObject({ template: { name: 'welcome_mail' } });
    for (const template of ['Welcome_Mail', 'welcome_mail', 'WELCOME_MAIL']) {
      await sent(path, { from: FROM, to: TO, subject: 's', template });
    }
    const version = '/compat/mailgun/v3/shop.example/templates/Welcome_MAIL/versions';
    expect((await ask(version, { template: '<p>y</p>', active: 'yes' })).status).toBe(200);
    // The vendor stores such a version separately; a Mailkeel template has one version.
    expect((await ask(version, { template: '<p>z</p>' })).status).toBe(400);
    const headers = { authorization: `Bearer ${key}` };
    const one = `${appliance.url}/compat/mailgun/v3/shop.example/templates/Welcome_Mail`;
    expect((await fetch(one, { headers })).status).toBe(200);
    expect((await fetch(one, { headers, method: 'DELETE' })).status).toBe(200);
  });

  it('reads o:deliverytime as Unix time', async () => {
    const at = Math.floor(Date.now() / 1000) + 86_400;
    const message = { from: FROM, to: TO, subject: 's', text: 'x' };
    expect(await sent(path, { ...message, 'o:deliverytime': String(at) })).toMatchObject({
      scheduled_at: new Date(at * 1000).toISOString(),
    });
    expect((await ask(path, { ...message, 'o:deliverytime': '99999999999' })).status).toBe(400);
  });

  it.each([
    ['my logo.png', 'cid:my logo.png'],
    ['my logo.png', 'cid:my%20logo.png'],
    ['Größe (1).png', 'cid:Größe (1).png'],
    ['Größe.png', 'cid:Gr%C3%B6%C3%9Fe.png'],
    ['Größe.png'.normalize('NFD'), 'cid:Größe.png'],
    ['logo.png', 'cid:logo.png'],
  ])('shows the inline file %j by %s', async (filename, source) => {
    const form = new FormData();
    // A name with parentheses needs quotes in CSS.
    const html =
      `<img src="${source}"><b style='background:url("${source}")'>cid:other</b>` +
      `<i style="background:url(&quot;${source}&quot;)">${source.includes('(') ? '' : `url(${source})`}</i>`;
    for (const [name, value] of Object.entries({ from: FROM, to: TO, subject: 's', html }))
      form.append(name, value);
    form.append('inline', new Blob(['picture']), filename);
    const message = await sent(path, form);
    const [file] = message['attachments'] as { filename: string; content_id: string }[];
    expect(file?.filename).toBe(filename);
    const { html: mailed } = await read(String(message['id']), '/content');
    expect(mailed).toBe(html.replaceAll(source, `cid:${file?.content_id}`));
  });
});
