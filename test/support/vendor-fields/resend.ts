// The fields of Resend's operations, with two values of each that make a difference.
import type { FieldRow, RouteTable, VendorTable } from './observe.js';
import type { VendorWorld } from './world.js';

const later = (hours: number): string => new Date(Date.now() + hours * 3_600_000).toISOString();
const id = (name: keyof VendorWorld['names']) => (world: VendorWorld) => world.names[name];
const messageId = (answer: unknown): string => {
  const { id: one, data } = answer as { id?: string; data?: { id: string }[] };
  return one ?? data?.[0]?.id ?? '';
};
const lookAtMail = (answer: unknown): string[] => {
  const path = `/v1/messages/${messageId(answer)}`;
  return [path, `${path}/content`, `${path}/raw`, '/v1/messages?q=UNIQUE'];
};

const EMAIL = { from: 'news@shop.example', to: 'ann@example.com', subject: 'UNIQUE', html: '<p>Hello</p>' };
const TEMPLATED = { subject: undefined, html: undefined };
const FILE = { filename: 'a.png', content: 'aGk=' };
const BUFFER = { type: 'Buffer', data: [104] };
const EMAIL_FIELDS: Readonly<Record<string, FieldRow>> = {
  from: ['news@shop.example', 'Shop <news@shop.example>'],
  to: ['ann@example.com', ['ann@example.com', 'bob@example.com']],
  cc: [undefined, 'carl@example.com'],
  bcc: [undefined, 'dora@example.com'],
  reply_to: [undefined, 'help@elsewhere.example'],
  subject: ['UNIQUE', 'UNIQUE again'],
  html: ['<p>Hello</p>', '<p>Bye</p>'],
  text: [undefined, 'Plain'],
  headers: [{ 'X-Order': '1' }, { 'X-Order': '2' }],
  'attachments[].filename': { pair: ['a.png', 'b.png'], over: { attachments: [FILE] } },
  'attachments[].content': { pair: ['aGk=', 'aG8='], over: { attachments: [FILE] } },
  'attachments[].content.type': {
    pair: ['Buffer', 'Blob'],
    over: { attachments: [{ ...FILE, content: BUFFER }] },
  },
  'attachments[].content.data': {
    pair: [[104], [105]],
    over: { attachments: [{ ...FILE, content: BUFFER }] },
  },
  'attachments[].content_type': { pair: ['image/png', 'image/gif'], over: { attachments: [FILE] } },
  'attachments[].content_id': {
    pair: [undefined, 'logo'],
    over: { attachments: [FILE], html: '<img src="cid:logo">' },
  },
  'tags[].name': { pair: ['kind', 'sort'], over: { tags: [{ name: 'kind', value: 'a' }] } },
  'tags[].value': { pair: ['a', 'b'], over: { tags: [{ name: 'kind', value: 'a' }] } },
  scheduled_at: [undefined, later(24)],
  'template.id': {
    pair: ['welcome', 'goodbye'],
    over: { ...TEMPLATED, template: { variables: { name: 'Ann' } } },
  },
  'template.variables': {
    pair: [{ name: 'Ann' }, { name: 'Bob' }],
    over: { ...TEMPLATED, template: { id: 'welcome' } },
  },
  topic_id: [id('LIST_ONE'), 'lst_unknown'],
};
const PAGE = { '?limit': [1, 2] } as const;
/** A list whose pages begin next to the object of this name. */
const pages = (name: keyof VendorWorld['names'], more: Partial<RouteTable> = {}): RouteTable => ({
  ...more,
  fields: { ...PAGE, '?after': [undefined, id(name)], '?before': [undefined, id(name)], ...more.fields },
});

const CONTACT_FIELDS: Readonly<Record<string, FieldRow>> = {
  first_name: ['Ann', 'Bea'],
  last_name: ['Smith', 'Jones'],
  unsubscribed: [false, true],
  properties: [{ city: 'Bremen' }, { city: 'Berlin' }],
};
const lookAtContact = (_answer: unknown, _params: unknown, { names }: VendorWorld): string[] => [
  '/v1/contacts/UNIQUE@example.com',
  `/v1/lists/${names.LIST_ONE}/contacts?q=UNIQUE`,
  `/v1/lists/${names.LIST_TWO}/contacts?q=UNIQUE`,
];
const inList = ({ names }: VendorWorld) => ({ list: names.LIST_ONE });
const creates: RouteTable = {
  body: { email: 'UNIQUE@example.com' },
  params: inList,
  look: lookAtContact,
  fields: {
    ...CONTACT_FIELDS,
    email: ['UNIQUE@example.com', 'UNIQUE@example.org'],
    'segments[].id': [id('LIST_ONE'), id('LIST_TWO')],
  },
};
const updates: RouteTable = {
  body: {},
  params: async ({ names, post }) => {
    await post('/v1/contacts', {
      email: 'eve@contacts.example',
      name: 'Eve',
      metadata: {},
      status: 'active',
    });
    return { list: names.LIST_ONE, id: 'eve@contacts.example' };
  },
  look: () => ['/v1/contacts/eve@contacts.example'],
  fields: CONTACT_FIELDS,
};

const HTML = '<p>Hello {{{name}}}</p>';
const lookAtTemplate = (answer: unknown): string[] => [`/v1/templates/${messageId(answer)}`];
const newTemplate = async (world: VendorWorld) => ({ id: await world.newTemplate(HTML) });
const TEMPLATE_FIELDS: Readonly<Record<string, FieldRow>> = {
  name: ['UNIQUE', 'UNIQUE again'],
  subject: ['Hello', 'Bye'],
  html: [HTML, '<p>Bye {{{name}}}</p>'],
  text: ['Hello', 'Bye'],
  alias: ['a-UNIQUE', 'b-UNIQUE'],
  'variables[].key': { pair: ['name', 'other'], over: { html: HTML, variables: [{ type: 'string' }] } },
  'variables[].type': { pair: ['string', 'number'], over: { html: HTML, variables: [{ key: 'name' }] } },
};
const refused = { 'variables[].fallback_value': { html: HTML, variables: [{ key: 'name' }] } };

const lookAtWebhook = (answer: unknown): string[] => [`/v1/webhook-endpoints/${messageId(answer)}`];
const WEBHOOK = { endpoint: 'https://hooks.example/UNIQUE', events: ['email.sent'] };
const newWebhook = async ({ post }: VendorWorld) => {
  const endpoint = { url: 'https://hooks.example/new', format: 'resend', events: ['message.sent'] };
  return { id: (await post('/v1/webhook-endpoints', endpoint)).id };
};
const withoutWebhook = (answer: unknown, _params: unknown, { ask }: VendorWorld) =>
  ask('DELETE', `/v1/webhook-endpoints/${messageId(answer)}`);
const ENDPOINT = ['https://hooks.example/a', 'https://hooks.example/b'] as const;
const EVENTS = [['email.sent'], ['email.bounced']] as const;

export const RESEND_TABLE: VendorTable = {
  'POST /emails': { body: EMAIL, look: lookAtMail, fields: EMAIL_FIELDS },
  'POST /emails/batch': {
    body: [EMAIL],
    look: lookAtMail,
    fields: Object.fromEntries(Object.entries(EMAIL_FIELDS).map(([path, row]) => [`[].${path}`, row])),
  },
  'GET /emails': pages('SOFT'),
  'GET /emails/receiving': pages('RECEIVED'),
  'POST /api-keys': {
    body: { name: 'UNIQUE' },
    fields: { name: ['UNIQUE', 'UNIQUE again'], permission: ['full_access', 'sending_access'] },
    look: () => ['/v1/api-keys?limit=1'],
  },
  'GET /api-keys': pages('KEY'),
  'PATCH /api-keys/:id': {
    params: ({ names }) => ({ id: names.KEY }),
    look: () => ['/v1/api-keys?limit=100'],
    fields: { name: ['One', 'Another'] },
  },
  'PATCH /emails/:id': {
    body: {},
    params: async ({ send }) => ({ id: (await send({ send_at: later(2) })).id }),
    look: lookAtMail,
    fields: { scheduled_at: [later(24), later(48)] },
  },
  'POST /domains': {
    body: { name: 'UNIQUE.example' },
    look: (answer) => [`/v1/senders/${messageId(answer)}`],
    fields: { name: ['UNIQUE.example', 'UNIQUE.other.example'] },
  },
  'GET /domains': pages('SENDER_ONE'),
  'POST /contacts': creates,
  'GET /contacts': pages('ANN'),
  'PATCH /contacts/:id': updates,
  'GET /segments/:list/contacts': pages('ANN', { params: inList }),
  'POST /segments': { fields: { name: ['A', 'B'] } },
  'GET /segments': pages('LIST_ONE'),
  'POST /audiences': { fields: { name: ['A', 'B'] } },
  'GET /audiences': pages('LIST_ONE'),
  'POST /audiences/:list/contacts': creates,
  'GET /audiences/:list/contacts': pages('ANN', { params: inList }),
  'PATCH /audiences/:list/contacts/:id': updates,
  'POST /templates': {
    body: { name: 'UNIQUE', html: HTML },
    look: lookAtTemplate,
    fields: TEMPLATE_FIELDS,
    refused,
  },
  'GET /templates': pages('TEMPLATE_ONE'),
  'PATCH /templates/:id': { params: newTemplate, look: lookAtTemplate, fields: TEMPLATE_FIELDS, refused },
  'POST /suppressions/batch/add': {
    fields: { emails: [['UNIQUE@example.com'], ['UNIQUE@example.com', 'UNIQUE@example.org']] },
  },
  'POST /suppressions/batch/remove': {
    body: { emails: ['UNIQUE@example.com'] },
    fields: {
      emails: [['UNIQUE@example.com'], ['UNIQUE@example.com', 'UNIQUE@example.org']],
      ids: [undefined, ['sup_01kdyak3se4w5amvgkazjzkvb7']],
    },
  },
  'POST /suppressions': { fields: { email: ['UNIQUE@example.com', 'nonsense'] } },
  'GET /suppressions': pages('SUPPRESSION', { fields: { '?origin': ['bounce', 'complaint'] } }),
  'POST /webhooks': {
    body: WEBHOOK,
    after: withoutWebhook,
    look: lookAtWebhook,
    fields: { endpoint: ENDPOINT, events: EVENTS },
  },
  'GET /webhooks': pages('RESEND_HOOK'),
  'PATCH /webhooks/:id': {
    params: newWebhook,
    after: withoutWebhook,
    look: lookAtWebhook,
    fields: { endpoint: ENDPOINT, events: EVENTS, status: ['enabled', 'disabled'] },
  },
};
