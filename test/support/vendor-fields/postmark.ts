// The fields of Postmark's operations, with two values of each that make a difference.
import type { FieldRow, RouteTable, VendorTable } from './observe.js';
import type { VendorWorld } from './world.js';

type Rows = Readonly<Record<string, FieldRow>>;
const under = (place: string, rows: Rows): Rows =>
  Object.fromEntries(Object.entries(rows).map(([path, row]) => [`${place}.${path}`, row]));

const messageId = (answer: unknown): string => {
  const [one] = [answer].flat() as { MessageID?: string }[];
  return one?.MessageID ?? '';
};
const lookAtMail = (answer: unknown): string[] => {
  const path = `/v1/messages/${messageId(answer)}`;
  return [path, `${path}/content`, `${path}/raw`, '/v1/messages?q=UNIQUE'];
};

const ADDRESSES = { From: 'news@shop.example', To: 'ann@example.com' };
const EMAIL = {
  ...ADDRESSES,
  Subject: 'UNIQUE',
  HtmlBody: '<p><a href="https://shop.example/">Hello</a></p>',
};
const TEMPLATED = { ...ADDRESSES, TemplateAlias: 'welcome', TemplateModel: { name: 'UNIQUE' } };
const FILE = { Name: 'a.png', Content: 'aGk=' };
const BUFFER = { type: 'Buffer', data: [104] };
const HEADER = { Name: 'X-Order', Value: '1' };
const shared = (body: Record<string, unknown>): Rows => ({
  From: ['news@shop.example', 'Shop <news@shop.example>'],
  To: ['ann@example.com', 'ann@example.com, bob@example.com'],
  Cc: [undefined, 'carl@example.com'],
  Bcc: [undefined, 'dora@example.com'],
  ReplyTo: [undefined, 'help@elsewhere.example'],
  Subject: ['UNIQUE', 'UNIQUE again'],
  HtmlBody: [body['HtmlBody'], '<p>Bye</p>'],
  TextBody: [undefined, 'Plain'],
  Tag: [undefined, 'welcome'],
  MessageStream: ['outbound', 'mine'],
  TrackOpens: [false, true],
  TrackLinks: ['None', 'HtmlAndText'],
  'Headers[].Name': { pair: ['X-Order', 'X-Number'], over: { Headers: [HEADER] } },
  'Headers[].Value': { pair: ['1', '2'], over: { Headers: [HEADER] } },
  'Attachments[].Name': { pair: ['a.png', 'b.png'], over: { Attachments: [FILE] } },
  'Attachments[].Content': { pair: ['aGk=', 'aG8='], over: { Attachments: [FILE] } },
  'Attachments[].Content.type': {
    pair: ['Buffer', 'Blob'],
    over: { Attachments: [{ ...FILE, Content: BUFFER }] },
  },
  'Attachments[].Content.data': {
    pair: [[104], [105]],
    over: { Attachments: [{ ...FILE, Content: BUFFER }] },
  },
  'Attachments[].ContentType': { pair: ['image/png', 'image/gif'], over: { Attachments: [FILE] } },
  'Attachments[].ContentID': {
    pair: [undefined, 'cid:logo'],
    over: { Attachments: [FILE], ...('HtmlBody' in body ? { HtmlBody: '<img src="cid:logo">' } : {}) },
  },
  'Attachments[].ContentLength': { pair: [2, 3], over: { Attachments: [FILE] } },
  Metadata: [{ order: '1' }, { order: '2' }],
});
const PLAIN_FIELDS = shared(EMAIL);
const TEMPLATE_FIELDS: Rows = {
  ...shared(TEMPLATED),
  TemplateAlias: ['welcome', 'goodbye'],
  TemplateModel: [{ name: 'UNIQUE' }, { name: 'UNIQUE again' }],
};

const PAGE: Rows = { '?count': [1, 2], '?offset': [0, 1] };
const TIMES: Rows = {
  '?fromdate': [undefined, '2035-01-01'],
  '?todate': [undefined, '2020-01-01'],
};
const STREAM: Rows = { '?messagestream': ['outbound', 'mine'] };
const stats: RouteTable = {
  query: { fromdate: new Date(Date.now() - 86_400_000).toISOString().slice(0, 10) },
  fields: {
    ...STREAM,
    '?tag': [undefined, 'unknown'],
    '?fromdate': [new Date(Date.now() - 86_400_000).toISOString().slice(0, 10), '2020-01-01'],
    '?todate': [undefined, new Date(Date.now() - 86_400_000).toISOString().slice(0, 10)],
  },
};

const idOf = (answer: unknown): string => {
  const { TemplateId, ID } = (answer ?? {}) as { TemplateId?: string; ID?: string };
  return TemplateId ?? ID ?? '';
};
const lookAtTemplate = (answer: unknown): string[] => [`/v1/templates/${idOf(answer)}`];
const TEMPLATE_CONTENT: Rows = {
  Name: ['UNIQUE', 'UNIQUE again'],
  Alias: ['a-UNIQUE', 'b-UNIQUE'],
  Subject: ['Hello', 'Bye'],
  HtmlBody: ['<p>Hello</p>', '<p>Bye</p>'],
  TextBody: ['Hello', 'Bye'],
  TemplateType: ['Standard', 'Layout'],
};
const newTemplate = async (world: VendorWorld) => ({ id: await world.newTemplate() });

const lookAtWebhook = (answer: unknown): string[] => [`/v1/webhook-endpoints/${idOf(answer)}`];
const withoutWebhook = (answer: unknown, params: Readonly<Record<string, string>>, { ask }: VendorWorld) =>
  ask('DELETE', `/v1/webhook-endpoints/${params['id'] ?? idOf(answer)}`);
const isOn = (wanted: string) => ({
  Triggers: { Delivery: { Enabled: true }, [wanted]: { Enabled: false } },
});
const enabled = (name: string): FieldRow => ({ pair: [false, true], over: isOn(name) });
const off = (name: string): FieldRow => ({ pair: [false, true], over: isOn(name) });
const WEBHOOK_FIELDS: Rows = {
  Url: ['https://hooks.example/a', 'https://hooks.example/b'],
  // Both are masked in all responses; test/compat/postmark.test.ts has requests with them.
  'HttpAuth.Username': { pair: ['ann', undefined], over: { HttpAuth: { Password: 'x' } } },
  'HttpAuth.Password': { pair: ['secret', undefined], over: { HttpAuth: { Username: 'x' } } },
  'Triggers.Open.Enabled': enabled('Open'),
  'Triggers.Open.PostFirstOpenOnly': off('Open'),
  'Triggers.Click.Enabled': enabled('Click'),
  'Triggers.Delivery.Enabled': { pair: [false, true], over: { Triggers: { Click: { Enabled: true } } } },
  'Triggers.Bounce.Enabled': enabled('Bounce'),
  'Triggers.Bounce.IncludeContent': off('Bounce'),
  'Triggers.SpamComplaint.Enabled': enabled('SpamComplaint'),
  'Triggers.SpamComplaint.IncludeContent': off('SpamComplaint'),
  'Triggers.SubscriptionChange.Enabled': enabled('SubscriptionChange'),
};
const newWebhook = async ({ post }: VendorWorld) => {
  const endpoint = { url: 'https://hooks.example/new', format: 'postmark', events: ['message.delivered'] };
  return { id: (await post('/v1/webhook-endpoints', endpoint)).id };
};

export const POSTMARK_TABLE: VendorTable = {
  'POST /email': { body: EMAIL, look: lookAtMail, fields: PLAIN_FIELDS },
  'POST /email/withTemplate': { body: TEMPLATED, look: lookAtMail, fields: TEMPLATE_FIELDS },
  'POST /email/batch': { body: [EMAIL], look: lookAtMail, fields: under('[]', PLAIN_FIELDS) },
  'POST /email/batchWithTemplates': {
    body: { Messages: [TEMPLATED] },
    look: lookAtMail,
    fields: Object.fromEntries(
      Object.entries(TEMPLATE_FIELDS).map(([path, row]) => [
        `Messages[].${path}`,
        'pair' in row ? { pair: row.pair, over: { Messages: [{ ...TEMPLATED, ...row.over }] } } : row,
      ]),
    ),
  },
  'GET /message-streams': {
    fields: {
      '?messagestreamtype': ['Transactional', 'Broadcasts'],
      '?includearchivedstreams': [false, true],
    },
  },
  'GET /messages/inbound': {
    fields: {
      ...PAGE,
      ...TIMES,
      '?recipient': [undefined, 'nobody@example.com'],
      '?fromemail': [undefined, 'replied+one@simulator.example'],
      '?subject': [undefined, 'Fifth'],
    },
  },
  'GET /messages/outbound': {
    fields: {
      ...PAGE,
      ...TIMES,
      ...STREAM,
      '?recipient': [undefined, 'ann@example.com'],
      '?fromemail': [undefined, 'other@shop.example'],
      '?tag': [undefined, 'third'],
      '?status': ['queued', 'sent'],
      '?subject': [undefined, 'Third'],
    },
  },
  'GET /messages/outbound/opens/:id': { params: ({ names }) => ({ id: names.CLICKED }), fields: PAGE },
  'GET /messages/outbound/clicks/:id': { params: ({ names }) => ({ id: names.CLICKED }), fields: PAGE },
  'GET /bounces': {
    fields: {
      ...PAGE,
      ...TIMES,
      ...STREAM,
      '?type': ['HardBounce', 'SoftBounce'],
      '?emailfilter': [undefined, 'bounced@simulator.example'],
      '?tag': [undefined, 'third'],
      '?messageid': [undefined, ({ names }: VendorWorld) => names.HARD],
    },
  },
  'GET /message-streams/:stream/suppressions/dump': {
    params: () => ({ stream: 'outbound' }),
    fields: {
      ...TIMES,
      '?suppressionreason': ['HardBounce', 'SpamComplaint'],
      '?origin': ['Recipient', 'Customer'],
      '?emailaddress': [undefined, 'carl@bounce.example'],
    },
  },
  'POST /message-streams/:stream/suppressions': {
    params: () => ({ stream: 'outbound' }),
    fields: { 'Suppressions[].EmailAddress': ['UNIQUE@a.example', 'nonsense'] },
  },
  'POST /message-streams/:stream/suppressions/delete': {
    params: () => ({ stream: 'outbound' }),
    fields: { 'Suppressions[].EmailAddress': ['UNIQUE@a.example', 'nonsense'] },
  },
  'GET /templates': { fields: { ...PAGE, '?templatetype': ['Standard', 'Layout'] } },
  'POST /templates': {
    body: { Name: 'UNIQUE', HtmlBody: '<p>Hello</p>' },
    look: lookAtTemplate,
    fields: TEMPLATE_CONTENT,
  },
  'POST /templates/': {
    body: { Name: 'UNIQUE', HtmlBody: '<p>Hello</p>' },
    look: lookAtTemplate,
    fields: TEMPLATE_CONTENT,
  },
  'POST /templates/validate': {
    body: { Subject: 'Hello {{name}}' },
    fields: {
      Subject: ['Hello', 'Bye'],
      HtmlBody: ['<p>Hello</p>', '<p>Bye</p>'],
      TextBody: ['Hello', 'Bye'],
      TestRenderModel: [{ name: 'Ann' }, { name: 'Bob' }],
      InlineCssForHtmlTestRender: {
        pair: [false, true],
        over: { HtmlBody: '<style>p{color:red}</style><p>x</p>' },
      },
      TemplateType: ['Standard', 'Layout'],
    },
  },
  'PUT /templates/:id': { params: newTemplate, look: lookAtTemplate, fields: TEMPLATE_CONTENT },
  'GET /stats/outbound': stats,
  'GET /stats/outbound/sends': stats,
  'GET /stats/outbound/bounces': stats,
  'GET /stats/outbound/spam': stats,
  'GET /stats/outbound/opens': stats,
  'GET /stats/outbound/clicks': stats,
  'GET /webhooks': { fields: STREAM },
  'POST /webhooks': {
    body: { Url: 'https://hooks.example/UNIQUE', ...isOn('Click') },
    after: withoutWebhook,
    look: lookAtWebhook,
    fields: { ...WEBHOOK_FIELDS, MessageStream: ['outbound', 'mine'] },
  },
  'PUT /webhooks/:id': {
    params: newWebhook,
    after: withoutWebhook,
    look: lookAtWebhook,
    fields: WEBHOOK_FIELDS,
  },
};
