// The fields of SendGrid's operations, with two values of each that make a difference.
import type { FieldRow, RouteTable, VendorTable } from './observe.js';
import type { VendorWorld } from './world.js';

type Rows = Readonly<Record<string, FieldRow>>;
const DAY_S = 86_400;
const inSeconds = (seconds: number): number => Math.floor(Date.now() / 1000) + seconds;
const day = (days: number): string => new Date(Date.now() + days * 1000 * DAY_S).toISOString().slice(0, 10);

const LATER = new Date(Date.now() + 3_600_000).toISOString();

const lookAtMail = (answer: unknown): string[] => {
  const { 'x-message-id': id = '' } = answer as Record<string, string>;
  const path = `/v1/messages/${id}`;
  return [path, `${path}/content`, `${path}/raw`, '/v1/messages?q=UNIQUE'];
};
const ANN = { email: 'ann@example.com' };
const FROM = { email: 'news@shop.example' };
const MAIL = {
  personalizations: [{ to: [ANN] }],
  from: FROM,
  subject: 'UNIQUE',
  content: [{ type: 'text/html', value: '<p><a href="https://shop.example/">Hello -name-</a></p>' }],
};
const FILE = { filename: 'a.png', content: 'aGk=' };
const BUFFER = { type: 'Buffer', data: [104] };
const SHOWN = [{ type: 'text/html', value: '<img src="cid:logo">' }];
const personally = (more: object) => ({ personalizations: [{ to: [ANN], ...more }] });
const fileRow = (pair: readonly [unknown, unknown], more: object = {}, mail: object = {}): FieldRow => ({
  pair,
  over: { attachments: [{ ...FILE, ...more }], ...mail },
});
const TEMPLATED = { subject: undefined, content: undefined, template_id: 'welcome' };

const MAIL_FIELDS: Rows = {
  'personalizations[].to[].email': ['ann@example.com', 'bob@example.com'],
  'personalizations[].to[].name': ['Ann', 'Bob'],
  'personalizations[].cc[].email': ['carl@example.com', 'dora@example.com'],
  'personalizations[].cc[].name': {
    pair: ['Carl', 'Dora'],
    over: personally({ cc: [{ email: 'carl@example.com' }] }),
  },
  'personalizations[].bcc[].email': ['carl@example.com', 'dora@example.com'],
  // No copy shows the name of a blind recipient, but it is validated like any name.
  'personalizations[].bcc[].name': {
    pair: ['Carl', 'Carl\n'],
    over: personally({ bcc: [{ email: 'carl@example.com' }] }),
  },
  'personalizations[].from.email': ['news@shop.example', 'other@shop.example'],
  'personalizations[].from.name': { pair: ['News', 'Shop'], over: personally({ from: FROM }) },
  'personalizations[].subject': ['UNIQUE one', 'UNIQUE two'],
  'personalizations[].headers': [{ 'X-Order': '1' }, { 'X-Order': '2' }],
  'personalizations[].substitutions': [{ '-name-': 'Ann' }, { '-name-': 'Bob' }],
  'personalizations[].dynamic_template_data': { pair: [{ name: 'Ann' }, { name: 'Bob' }], over: TEMPLATED },
  'personalizations[].custom_args': [{ order: '1' }, { order: '2' }],
  'personalizations[].send_at': [undefined, inSeconds(DAY_S)],
  'from.email': ['news@shop.example', 'other@shop.example'],
  'from.name': ['News', 'Shop'],
  'reply_to.email': ['help@elsewhere.example', 'more@elsewhere.example'],
  'reply_to.name': { pair: ['Help', 'More'], over: { reply_to: { email: 'help@elsewhere.example' } } },
  'reply_to_list[].email': ['help@elsewhere.example', 'more@elsewhere.example'],
  'reply_to_list[].name': {
    pair: ['Help', 'More'],
    over: { reply_to_list: [{ email: 'help@elsewhere.example' }] },
  },
  subject: ['UNIQUE', 'UNIQUE again'],
  'content[].type': ['text/plain', 'text/html'],
  'content[].value': ['<p>Hello</p>', '<p>Bye</p>'],
  'attachments[].content': fileRow(['aGk=', 'aG8=']),
  'attachments[].content.type': fileRow(['Buffer', 'Blob'], { content: BUFFER }),
  'attachments[].content.data': fileRow([[104], [105]], { content: BUFFER }),
  'attachments[].filename': fileRow(['a.png', 'b.png']),
  'attachments[].type': fileRow(['image/png', 'image/gif']),
  'attachments[].disposition': fileRow(['attachment', 'inline']),
  'attachments[].content_id': fileRow([undefined, 'logo'], {}, { content: SHOWN }),
  template_id: { pair: ['welcome', 'goodbye'], over: TEMPLATED },
  headers: [{ 'X-Order': '1' }, { 'X-Order': '2' }],
  categories: [['a'], ['b']],
  custom_args: [{ order: '1' }, { order: '2' }],
  send_at: [undefined, inSeconds(DAY_S)],
  batch_id: ['one', 'two'],
  // With a test key, all mail is in the sandbox.
  'mail_settings.sandbox_mode.enable': { pair: [false, true], key: 'live' },
  'mail_settings.bypass_list_management.enable': [false, true],
  'mail_settings.bypass_spam_management.enable': [false, true],
  'mail_settings.bypass_bounce_management.enable': [false, true],
  'mail_settings.bypass_unsubscribe_management.enable': [false, true],
  'mail_settings.footer.enable': [false, true],
  'mail_settings.footer.text': { partOf: 'mail_settings.footer' },
  'mail_settings.footer.html': { partOf: 'mail_settings.footer' },
  'tracking_settings.click_tracking.enable': [false, true],
  'tracking_settings.click_tracking.enable_text': [false, true],
  'tracking_settings.open_tracking.enable': [false, true],
  'tracking_settings.subscription_tracking.enable': [false, true],
  'tracking_settings.subscription_tracking.text': { partOf: 'tracking_settings.subscription_tracking' },
  'tracking_settings.subscription_tracking.html': { partOf: 'tracking_settings.subscription_tracking' },
  'tracking_settings.subscription_tracking.substitution_tag': {
    partOf: 'tracking_settings.subscription_tracking',
  },
  'tracking_settings.ganalytics.enable': [false, true],
  'tracking_settings.ganalytics.utm_source': { partOf: 'tracking_settings.ganalytics' },
  'tracking_settings.ganalytics.utm_medium': { partOf: 'tracking_settings.ganalytics' },
  'tracking_settings.ganalytics.utm_term': { partOf: 'tracking_settings.ganalytics' },
  'tracking_settings.ganalytics.utm_content': { partOf: 'tracking_settings.ganalytics' },
  'tracking_settings.ganalytics.utm_campaign': { partOf: 'tracking_settings.ganalytics' },
};

const TIMES: Rows = {
  '?start_time': [undefined, inSeconds(DAY_S)],
  '?end_time': [undefined, inSeconds(-DAY_S)],
};
const PAGE: Rows = { '?limit': [1, 2], '?offset': [0, 1] };
const suppressed = (email: string): RouteTable => ({
  fields: { ...TIMES, ...PAGE, '?email': [undefined, email] },
});
const lifted = (reason: string): RouteTable => ({
  before: ({ ask, post }) =>
    ask('DELETE', '/v1/suppressions/eve@lifted.example').then(() =>
      post('/v1/suppressions', { email: 'eve@lifted.example', reason }),
    ),
  look: () => ['/v1/suppressions?q=lifted.example'],
  fields: { emails: [['eve@lifted.example'], ['nobody@lifted.example']] },
});

const CONTACT = { email: 'UNIQUE@example.com' };
const contactFields = (names: readonly string[]): Rows =>
  Object.fromEntries(names.map((name) => [`contacts[].${name}`, ['A', 'B'] as const]));

const newTemplate = async (world: VendorWorld) => ({ id: await world.newTemplate() });
const lookAtTemplate = (_answer: unknown, { id = '' }: Readonly<Record<string, string>>): string[] => [
  `/v1/templates/${id}`,
];
const CONTENT = { subject: 'Hello', html_content: '<p>Hello</p>' };

export const SENDGRID_TABLE: VendorTable = {
  'POST /v3/mail/send': { body: MAIL, look: lookAtMail, fields: MAIL_FIELDS },
  'POST /v3/user/scheduled_sends': {
    body: { batch_id: 'UNIQUE', status: 'cancel' },
    before: ({ send }) => send({ tags: ['batch_id:canceled'], send_at: LATER }),
    after: async (_answer, _params, { ask, post }) => {
      const { data } = (await ask('GET', '/v1/messages?tag=batch_id:canceled&status=queued')) as unknown as {
        data: { id: string }[];
      };
      for (const { id } of data) await post(`/v1/messages/${id}/cancel`, {});
    },
    look: () => ['/v1/messages?tag=batch_id:canceled&status=queued&limit=1'],
    fields: { batch_id: ['unknown', 'canceled'], status: ['cancel', 'pause'] },
  },
  'GET /v3/suppression/bounces': suppressed('carl@bounce.example'),
  'DELETE /v3/suppression/bounces': lifted('bounce'),
  'GET /v3/suppression/spam_reports': suppressed('carl@complaint.example'),
  'DELETE /v3/suppression/spam_reports': lifted('complaint'),
  'GET /v3/suppression/unsubscribes': suppressed('carl@unsubscribe.example'),
  'DELETE /v3/suppression/unsubscribes': lifted('unsubscribe'),
  'POST /v3/asm/suppressions/global': {
    look: () => ['/v1/suppressions?q=UNIQUE'],
    fields: { recipient_emails: [['UNIQUE@example.com'], ['UNIQUE@example.org']] },
  },
  'GET /v3/suppression/blocks': {
    fields: { ...TIMES, '?limit': [1, 0], '?offset': [0, 1], '?email': [undefined, 'nobody@example.com'] },
  },
  'GET /v3/stats': {
    query: { start_date: day(-40) },
    fields: {
      '?start_date': [day(-40), day(-1)],
      '?end_date': [undefined, day(-20)],
      '?aggregated_by': ['day', 'month'],
    },
  },
  'PUT /v3/marketing/contacts': {
    body: { contacts: [CONTACT] },
    look: (_answer, _params, { names }) => [
      '/v1/contacts/UNIQUE@example.com',
      `/v1/lists/${names.LIST_ONE}/contacts?q=UNIQUE`,
    ],
    fields: {
      list_ids: [undefined, ({ names }: VendorWorld) => [names.LIST_ONE]],
      'contacts[].email': ['UNIQUE@example.com', 'UNIQUE@example.org'],
      ...contactFields(['first_name', 'last_name', 'address_line_1', 'address_line_2', 'city', 'country']),
      ...contactFields(['postal_code', 'state_province_region']),
      'contacts[].phone_number': ['+4942112345', '+4942154321'],
      'contacts[].custom_fields': [{ plan: 'gold' }, { plan: 'silver' }],
    },
  },
  'POST /v3/marketing/contacts/search/emails': {
    fields: { emails: [['ann@contacts.example'], ['bob@contacts.example']] },
  },
  'DELETE /v3/marketing/contacts': {
    before: ({ post }) => post('/v1/contacts', { email: 'eve@deleted.example' }),
    look: () => ['/v1/contacts?q=deleted.example'],
    fields: { '?ids': ['eve@deleted.example', 'nobody@deleted.example'] },
  },
  'GET /v3/marketing/lists': { fields: { '?page_size': [1, 2], '?page_token': [undefined, 'nonsense'] } },
  'GET /v3/api_keys': { fields: { '?limit': [1, 2] } },
  'POST /v3/api_keys': {
    body: { name: 'UNIQUE' },
    fields: { name: ['UNIQUE', 'UNIQUE again'], scopes: [['mail.send'], ['stats.read']] },
  },
  'PATCH /v3/api_keys/:id': {
    params: ({ names }) => ({ id: names.KEY }),
    fields: { name: ['One', 'Another'] },
  },
  'PATCH /v3/marketing/lists/:id': {
    params: ({ names }) => ({ id: names.LIST_TWO }),
    fields: { name: ['Two', 'Second'] },
  },
  'DELETE /v3/marketing/lists/:id/contacts': {
    before: ({ post, names }) => post(`/v1/lists/${names.LIST_TWO}/contacts`, { contact_ids: [names.BOB] }),
    params: ({ names }) => ({ id: names.LIST_TWO }),
    look: (_answer, _params, { names }) => [`/v1/lists/${names.LIST_TWO}/contacts`],
    fields: { '?contact_ids': [({ names }: VendorWorld) => names.BOB, 'cnt_01kdyak3se4w5amvgkazjzkvb7'] },
  },
  'POST /v3/marketing/lists': { fields: { name: ['A', 'B'] } },
  'POST /v3/templates': {
    body: { name: 'UNIQUE' },
    fields: { name: ['A', 'B'], generation: ['dynamic', 'legacy'] },
  },
  'GET /v3/templates': {
    fields: {
      '?generations': ['dynamic', 'legacy'],
      '?page_size': [1, 2],
      '?page_token': [undefined, 'nonsense'],
    },
  },
  'PATCH /v3/templates/:id': { params: newTemplate, look: lookAtTemplate, fields: { name: ['A', 'B'] } },
  'PATCH /v3/templates/:id/versions/:version': {
    params: async (world) => {
      const id = await world.newTemplate();
      return { id, version: `${id}:1` };
    },
    look: lookAtTemplate,
    fields: {
      name: ['A', 'B'],
      subject: ['Hello', 'Bye'],
      html_content: ['<p>Hello</p>', '<p>Bye</p>'],
      plain_content: ['Hello', 'Bye'],
    },
  },
  'POST /v3/templates/:id/versions': {
    body: CONTENT,
    params: newTemplate,
    look: lookAtTemplate,
    fields: {
      // The vendor requires a name. The response repeats it, although Mailkeel's versions have numbers.
      name: ['A', 'B'],
      subject: ['Hello', 'Bye'],
      html_content: ['<p>Hello</p>', '<p>Bye</p>'],
      plain_content: ['Hello', 'Bye'],
      generate_plain_content: { pair: [undefined, true], over: { plain_content: 'Hello' } },
      active: [1, 0],
      template_id: [undefined, 'd-other'],
      editor: ['code', 'design'],
    },
  },
  'POST /v3/whitelabel/domains': {
    body: { domain: 'UNIQUE.example' },
    fields: { domain: ['UNIQUE.example', 'UNIQUE.other.example'] },
  },
  'GET /v3/whitelabel/domains': { fields: PAGE },
};
