// Tests the values of placeholders (interface.md, "Personalization rules") in a single message, a campaign's copy and a
// sequence's mail: explicit variables, then the contact's fields, then derived values. The unsubscribe link is always Mailkeel's.
import { simpleParser } from 'mailparser';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startMailRig, type MailRig } from '../../support/mail-rig.js';
import { startSmtpSink, type SinkMessage, type SmtpSink } from '../../support/smtp-sink.js';
import { waitFor } from '../../support/wait.js';
import { tuned } from '../../support/tuning.js';

const PUBLIC_URL = 'http://mail.platform.example';
const EVIL = 'https://evil.example/u';
const FIELDS = ['first_name', 'last_name', 'name', 'phone', 'city', 'order.total'] as const;
const LINES = [
  ...FIELDS.map((field) => `${field}=[{{${field}}}]`),
  'email=[{{email}}]',
  'within=[{{#with order}}{{unsubscribe_url}}{{/with}}]',
  'url=[{{unsubscribe_url}}]',
];
const SOURCES = {
  subject: 'To {{first_name}}, {{city}}',
  html: `<p>${LINES.join('<br>\n')}</p>`,
  text: LINES.join('\n'),
};

interface Row {
  what: string;
  contact: { name?: string | null; phone?: string | null; metadata?: Record<string, unknown> };
  variables?: Record<string, unknown>;
  /** Fields that are not listed are empty. */
  filled: Partial<Record<(typeof FIELDS)[number] | 'email', string>>;
}

const ANN = { name: 'Ann Smith', phone: '+49 421 1', metadata: { city: 'Bremen', order: { total: 9.5 } } };
const FROM_ANN = {
  first_name: 'Ann',
  last_name: 'Smith',
  name: 'Ann Smith',
  phone: '+49 421 1',
  city: 'Bremen',
  'order.total': '9.5',
};

const BY_CONTACT: Row[] = [
  { what: 'fields of the contact', contact: ANN, filled: FROM_ANN },
  { what: 'a contact that is but an address', contact: {}, filled: {} },
  {
    what: 'a name of one word',
    contact: { name: 'Cher' },
    filled: { name: 'Cher', first_name: 'Cher' },
  },
  {
    what: 'a name of many words',
    contact: { name: 'Ann Maria van Dyk' },
    filled: { name: 'Ann Maria van Dyk', first_name: 'Ann', last_name: 'Maria van Dyk' },
  },
  {
    what: 'a custom field over what is derived',
    contact: { ...ANN, metadata: { first_name: 'Annie' } },
    filled: { ...FROM_ANN, first_name: 'Annie', city: '', 'order.total': '' },
  },
  {
    what: 'the record over custom fields of its names',
    contact: { ...ANN, metadata: { name: 'no', phone: 'no', email: 'no' } },
    filled: { ...FROM_ANN, city: '', 'order.total': '' },
  },
  {
    what: 'custom fields where the record is empty',
    contact: { name: null, phone: null, metadata: { name: 'Meta Name', phone: '9' } },
    filled: { name: 'Meta Name', phone: '9' },
  },
  {
    what: 'no custom field for the unsubscribe link',
    contact: {
      ...ANN,
      metadata: { ...ANN.metadata, unsubscribe_url: EVIL, order: { total: 1, unsubscribe_url: EVIL } },
    },
    filled: { ...FROM_ANN, 'order.total': '1' },
  },
  {
    what: 'values as they are: no markup, no placeholders',
    contact: { ...ANN, metadata: { city: '<b>{{email}}</b> & "x"' } },
    filled: { ...FROM_ANN, city: '<b>{{email}}</b> & "x"', 'order.total': '' },
  },
];
const BY_VARIABLES: Row[] = [
  {
    what: 'explicit variables over fields of the contact',
    contact: ANN,
    variables: { name: 'Boss', phone: '1', city: 'Rome', order: { total: 0 }, email: 'other@x.example' },
    filled: {
      ...FROM_ANN,
      name: 'Boss',
      phone: '1',
      city: 'Rome',
      'order.total': '0',
      email: 'other@x.example',
    },
  },
  {
    what: 'explicit variables over what is derived',
    contact: ANN,
    variables: { first_name: 'Dr. Smith', last_name: '' },
    filled: { ...FROM_ANN, first_name: 'Dr. Smith', last_name: '' },
  },
  {
    what: 'explicit variables over custom fields over what is derived',
    contact: { ...ANN, metadata: { first_name: 'Annie', city: 'Bremen' } },
    variables: { first_name: 'Miss Ann' },
    filled: { ...FROM_ANN, first_name: 'Miss Ann', 'order.total': '' },
  },
  {
    what: 'explicit variables that are empty',
    contact: ANN,
    variables: { city: '', phone: null, order: null },
    filled: { ...FROM_ANN, city: '', phone: '', 'order.total': '' },
  },
  {
    what: 'no variable for the unsubscribe link',
    contact: ANN,
    variables: { unsubscribe_url: EVIL, order: { total: 1, unsubscribe_url: EVIL } },
    filled: { ...FROM_ANN, 'order.total': '1' },
  },
];

let sink: SmtpSink;
let rig: MailRig;
const mails = new Map<string, SinkMessage>();

/** Returns the body of the response; throws on a refusal. */
async function ask(method: string, path: string, body?: unknown) {
  const { status, json, text } = await rig.appliance.api(method, path, {
    ...(body === undefined ? {} : { body }),
    headers: { 'x-sub-tenant-id': rig.tenantId },
  });
  if (status >= 300) throw new Error(`${method} ${path}: ${status} ${text}`);
  return json as Record<string, unknown> & { id: string };
}

beforeAll(async () => {
  sink = await startSmtpSink({ keep: false, onMessage: (mail) => mails.set(mail.rcptTo[0] ?? '', mail) });
  rig = await startMailRig({
    process: 'shared',
    mxPort: sink.port,
    env: {
      MAILKEEL_PUBLIC_URL: PUBLIC_URL,
      ...tuned({ campaignIntervalMs: 200, sequenceIntervalMs: 200 }),
    },
  });
  await rig.appliance.api('PATCH', '/v1/organization', {
    body: { postal_address: 'Shop Ltd, 1 High Street', track_opens: false, track_clicks: false },
  });
  await ask('POST', '/v1/templates', { name: 'All', slug: 'all', ...SOURCES });
});
afterAll(async () => {
  await rig.close();
  await sink.close();
});

const from = { email: 'news@shop.example', name: 'Shop' };

async function received(email: string) {
  const mail = await waitFor(
    `the mail for ${email}`,
    () => mails.get(email) ?? null,
    (found) => found !== null,
  );
  const raw = mail?.raw ?? Buffer.alloc(0);
  const header = /^List-Unsubscribe:\s+<([^>]+)>/im.exec(raw.toString('latin1'))?.[1] ?? null;
  const { subject = '', html, text = '' } = await simpleParser(raw, { skipHtmlToText: true });
  return { subject, html: String(html), text, header };
}

/** Expects the mail for this address to be filled as the row says, in all three parts. */
async function expectFilled(email: string, { filled }: Row): Promise<void> {
  const { subject, html, text, header } = await received(email);
  const url = /^url=\[([^\]]*)\]/m.exec(text)?.[1] ?? '';
  expect(url).toMatch(/^http:\/\/mail\.platform\.example\/u\/[0-9a-z]{53}$/);
  if (header !== null) expect(url).toBe(header);
  const hasOrder = (filled['order.total'] ?? '') !== '';
  const lines = [
    ...FIELDS.map((field) => `${field}=[${filled[field] ?? ''}]`),
    `email=[${filled.email ?? email}]`,
    `within=[${hasOrder ? url : ''}]`,
    `url=[${url}]`,
  ];
  expect(text).toContain(lines.join('\n'));
  const escaped = lines.map((line) =>
    line
      .replaceAll('&', '&amp;')
      .replaceAll('<', '&lt;')
      .replaceAll('>', '&gt;')
      .replaceAll('"', '&quot;')
      .replaceAll(/=(?!\[)/g, '&#x3D;'),
  );
  expect(html).toContain(`<p>${escaped.join('<br>\n')}</p>`);
  expect(subject).toBe(`To ${filled.first_name ?? ''}, ${filled.city ?? ''}`);
  expect(html).not.toContain(EVIL);
}

const rows = [...BY_CONTACT, ...BY_VARIABLES];
const addressOf = (way: string, row: Row): string => `${way}${rows.indexOf(row)}@receiver.example`;
const save = (email: string, { contact }: Row) => ask('POST', '/v1/contacts', { email, ...contact });

describe('a single message is filled with', () => {
  describe.each<[string, object]>([
    ['transactional', { template: 'all' }],
    ['marketing', { template: 'all' }],
    ['sales', SOURCES],
  ])('%s', (type, content) => {
    it.each(rows)('$what', async (row) => {
      const email = addressOf(type, row);
      await save(email, row);
      const variables = row.variables === undefined ? {} : { variables: row.variables };
      await rig.send(email, { type, subject: undefined, text: undefined, ...content, ...variables });
      await expectFilled(email, row);
    });
  });

  it('variables alone if the recipient is not a contact', async () => {
    const row = { what: '', contact: {}, filled: { first_name: 'Bo', city: 'Rome' } };
    const variables = { first_name: 'Bo', city: 'Rome', unsubscribe_url: EVIL };
    await rig.send('stranger', { subject: undefined, text: undefined, template: 'all', variables });
    const { text } = await received('stranger@receiver.example');
    for (const [name, value] of Object.entries(row.filled)) expect(text).toContain(`${name}=[${value}]`);
    expect(text).toContain('email=[]');
    expect(text).not.toContain(EVIL);
  });

  it('the template of its own sub-tenant if the workspace has one with the same slug', async () => {
    const ours = { name: 'Twice', slug: 'twice', subject: 'the workspace’s', text: '{{city}}' };
    const made = await rig.appliance.api('POST', '/v1/templates', { body: ours });
    expect(made.status).toBe(201);
    await ask('POST', '/v1/templates', { ...ours, subject: 'the tenant’s' });
    await rig.send('twice', {
      subject: undefined,
      text: undefined,
      template: 'twice',
      variables: { city: 'x' },
    });
    expect((await received('twice@receiver.example')).subject).toBe('the tenant’s');
  });
});

describe('a copy of a campaign is filled with', () => {
  beforeAll(async () => {
    const list = await ask('POST', '/v1/lists', { name: 'Readers' });
    for (const way of ['campaign', 'edited']) {
      for (const row of BY_CONTACT) {
        const { id } = await save(addressOf(way, row), row);
        await ask('POST', `/v1/lists/${list.id}/contacts`, { contact_ids: [id] });
      }
    }
    const { id: template } = await ask('GET', '/v1/templates/all');
    const campaign = await ask('POST', '/v1/campaigns', {
      name: 'All',
      list_id: list.id,
      template_id: template,
      from,
    });
    for (const row of BY_CONTACT) {
      const email = addressOf('edited', row);
      const { subject, html } = SOURCES;
      await ask('PUT', `/v1/campaigns/${campaign.id}/overrides`, { email, subject, html });
    }
    await ask('POST', `/v1/campaigns/${campaign.id}/send`, {});
  });

  it.each(BY_CONTACT)('$what', async (row) => {
    await expectFilled(addressOf('campaign', row), row);
  });

  it.each(BY_CONTACT)('$what, after it was edited', async (row) => {
    await expectFilled(addressOf('edited', row), row);
  });
});

describe('a mail of a sequence is filled with', () => {
  beforeAll(async () => {
    const { id } = await ask('POST', '/v1/sequences', {
      name: 'All',
      trigger: { type: 'manual' },
      steps: [{ type: 'send', template: 'all' }, { type: 'exit' }],
      from,
    });
    for (const row of rows) {
      const email = addressOf('sequence', row);
      await save(email, row);
      await ask('POST', `/v1/sequences/${id}/enroll`, { email, variables: row.variables ?? {} });
    }
  });

  it.each(rows)('$what', async (row) => {
    await expectFilled(addressOf('sequence', row), row);
  });

  it('variables of the enrollment, then of the step, then the contact', async () => {
    const email = 'steps@receiver.example';
    await ask('POST', '/v1/contacts', { email, ...ANN });
    const variables = { city: 'of the step', first_name: 'of the step', unsubscribe_url: EVIL };
    const { id } = await ask('POST', '/v1/sequences', {
      name: 'Steps',
      trigger: { type: 'manual' },
      steps: [{ type: 'send', template: 'all', variables }],
      from,
    });
    await ask('POST', `/v1/sequences/${id}/enroll`, { email, variables: { first_name: 'enrolled' } });
    const filled = { ...FROM_ANN, city: 'of the step', first_name: 'enrolled' };
    await expectFilled(email, { what: '', contact: ANN, filled });
  });
});
