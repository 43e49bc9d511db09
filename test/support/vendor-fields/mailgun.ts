// The fields of Mailgun's operations, with two values of each that make a difference.
import type { FieldRow, RouteTable, VendorTable } from './observe.js';
import type { VendorWorld } from './world.js';

type Rows = Readonly<Record<string, FieldRow>>;
const domain = () => ({ domain: 'shop.example' });
const file = (name: string): File => new File(['hi'], name, { type: 'image/png' });

const MESSAGE = {
  from: 'news@shop.example',
  to: 'ann@example.com',
  subject: 'UNIQUE',
  html: '<p><a href="https://shop.example/">Hello</a></p>',
};
const mime = (html: string): string =>
  `From: news@shop.example\r\nTo: ann@example.com\r\nSubject: UNIQUE\r\nContent-Type: text/html\r\n\r\n${html}\r\n`;
const TEMPLATED = { html: undefined, template: 'welcome' };
/** The response has the Message-ID, which begins with the id of the message. */
const lookAtMail = (answer: unknown): string[] => {
  const { id: messageId = '' } = answer as { id?: string };
  const id = `msg_${/^<?([0-9a-z]+)@/.exec(messageId)?.[1] ?? ''}`;
  const path = `/v1/messages/${id}`;
  return [path, `${path}/content`, `${path}/raw`, `row ${id}`, '/v1/messages?q=UNIQUE'];
};
const OPTIONS: Rows = {
  'o:tag': ['a', 'b'],
  'o:deliverytime': [undefined, new Date(Date.now() + 86_400_000).toUTCString()],
  // With a test key, all mail is in the sandbox.
  'o:testmode': { pair: ['no', 'yes'], key: 'live' },
  'o:tracking': ['yes', 'no'],
  'o:tracking-clicks': ['yes', 'no'],
  'o:tracking-opens': ['yes', 'no'],
  'o:require-tls': ['no', 'yes'],
  'o:skip-verification': ['no', 'yes'],
  'o:dkim': ['yes', 'no'],
  'h:*': ['1', '2'],
  'v:*': ['1', '2'],
};
const MESSAGE_FIELDS: Rows = {
  from: ['news@shop.example', 'Shop <news@shop.example>'],
  to: ['ann@example.com', 'ann@example.com, bob@example.com'],
  cc: [undefined, 'carl@example.com'],
  bcc: [undefined, 'dora@example.com'],
  sender: [undefined, 'other@shop.example'],
  subject: ['UNIQUE', 'UNIQUE again'],
  text: [undefined, 'Plain'],
  html: ['<p>Hello</p>', '<p>Bye</p>'],
  attachment: [file('a.png'), file('b.png')],
  inline: {
    pair: [file('a.png'), file('b.png')],
    over: { html: '<img src="cid:a.png"><img src="cid:b.png">' },
  },
  template: { pair: ['welcome', 'goodbye'], over: { html: undefined } },
  't:variables': { pair: ['{"name":"Ann"}', '{"name":"Bob"}'], over: TEMPLATED },
  't:text': { pair: ['no', 'yes'], over: TEMPLATED },
  'recipient-variables': { pair: [undefined, '{}'], over: { to: 'ann@example.com, bob@example.com' } },
  ...OPTIONS,
};

const added = (more: Rows = {}): RouteTable => ({
  body: { address: 'UNIQUE@example.com' },
  params: domain,
  look: () => ['/v1/suppressions?q=UNIQUE'],
  fields: { address: ['UNIQUE@example.com', 'UNIQUE@example.org'], ...more },
});
const listed: RouteTable = {
  params: domain,
  fields: { '?limit': [1, 2], '?page': ['next', 'previous'], '?address': [undefined, 'nonsense'] },
};
const lookAtTemplate = (): string[] => ['/v1/templates/UNIQUE'];
const CONTENT_FIELDS: Rows = {
  template: ['<p>Hello</p>', '<p>Bye</p>'],
  engine: ['handlebars', 'go'],
  headers: ['{"Subject":"Hello"}', '{"Subject":"Bye"}'],
};
const ENDPOINTS = '/v1/webhook-endpoints?limit=100';
/** Deletes the webhooks that earlier requests created. */
const withoutHooks = async ({ ask }: VendorWorld): Promise<void> => {
  const { data } = (await ask('GET', ENDPOINTS)) as unknown as { data: { id: string; url: string }[] };
  for (const { id, url } of data)
    if (url.endsWith('/own')) await ask('DELETE', `/v1/webhook-endpoints/${id}`);
};

export const MAILGUN_TABLE: VendorTable = {
  'POST /v3/:domain/messages': {
    body: MESSAGE,
    params: domain,
    look: lookAtMail,
    fields: MESSAGE_FIELDS,
  },
  'POST /v3/:domain/messages.mime': {
    body: { to: 'ann@example.com', message: mime('Hello') },
    params: domain,
    look: lookAtMail,
    fields: {
      to: ['ann@example.com', 'ann@example.com, Bob <bob@example.com>'],
      message: [mime('Hello'), mime('Bye')],
      ...OPTIONS,
    },
  },
  'GET /v3/:domain/bounces': listed,
  'POST /v3/:domain/bounces': added({ code: ['550', '551'], error: ['No such user', 'Gone'] }),
  'GET /v3/:domain/complaints': listed,
  'POST /v3/:domain/complaints': added(),
  'GET /v3/:domain/unsubscribes': listed,
  'POST /v3/:domain/unsubscribes': added({ tag: ['*', 'news'], tags: ['*', 'news'] }),
  'GET /v3/domains': { fields: { '?limit': [1, 2], '?skip': [0, 1] } },
  'POST /v3/domains': { fields: { name: ['UNIQUE.example', 'UNIQUE.other.example'] } },
  'GET /v3/domains/:domain': {
    params: () => ({ domain: 'one.example' }),
    fields: { '?h:extended': [false, true], '?h:with_dns': [true, false] },
  },
  'GET /v4/domains': { fields: { '?limit': [1, 2], '?skip': [0, 1] } },
  'POST /v4/domains': { fields: { name: ['UNIQUE.example', 'UNIQUE.other.example'] } },
  'GET /v4/domains/:domain': {
    params: () => ({ domain: 'one.example' }),
    fields: { '?h:extended': [false, true], '?h:with_dns': [true, false] },
  },
  'POST /v3/:domain/templates': {
    body: { name: 'UNIQUE', template: '<p>Hello</p>' },
    params: domain,
    look: lookAtTemplate,
    fields: { ...CONTENT_FIELDS, name: ['UNIQUE', 'UNIQUE-again'] },
  },
  'GET /v3/:domain/templates': {
    params: domain,
    fields: { '?limit': [1, 2], '?page': ['first', 'last'], '?p': [undefined, 'nonsense'] },
  },
  'GET /v3/:domain/templates/:name': {
    params: () => ({ domain: 'shop.example', name: 'welcome' }),
    fields: { '?active': [undefined, 'yes'] },
  },
  'PUT /v3/:domain/templates/:name/versions/:version': {
    body: { template: '<p>Hello</p>' },
    params: async ({ newTemplate, ask }) => {
      const { slug } = await ask('GET', `/v1/templates/${await newTemplate()}`);
      return { domain: 'shop.example', name: String(slug), version: '1' };
    },
    look: (_answer, { name }) => [`/v1/templates/${name}`],
    fields: { ...CONTENT_FIELDS, active: ['yes', 'no'] },
  },
  'POST /v3/:domain/templates/:name/versions': {
    body: { template: '<p>Hello</p>', active: 'yes' },
    params: async ({ newTemplate }) => ({ ...domain(), name: await newTemplate() }),
    look: (_answer, { name = '' }) => [`/v1/templates/${name}`],
    fields: { ...CONTENT_FIELDS, active: ['yes', 'no'] },
  },
  'GET /v3/domains/:domain/webhooks': { params: domain, fields: { '?limit': [1, 2], '?skip': [0, 1] } },
  'POST /v3/domains/:domain/webhooks': {
    body: { id: 'complained', url: 'https://hooks.example/a/own' },
    before: withoutHooks,
    params: domain,
    look: () => [ENDPOINTS],
    fields: {
      id: ['complained', 'unsubscribed'],
      url: ['https://hooks.example/a/own', 'https://hooks.example/b/own'],
    },
  },
  'PUT /v3/domains/:domain/webhooks/:id': {
    before: async (world) => {
      await withoutHooks(world);
      const endpoint = { format: 'mailgun', events: ['message.complained'] };
      await world.post('/v1/webhook-endpoints', { ...endpoint, url: 'https://hooks.example/c/own' });
    },
    params: () => ({ domain: 'shop.example', id: 'complained' }),
    look: () => [ENDPOINTS],
    fields: { url: ['https://hooks.example/a/own', 'https://hooks.example/b/own'] },
  },
};
