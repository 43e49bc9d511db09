// Tests account imports through the API, from servers that respond as other vendors do.
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { countOf, startAccountImportRig, type AccountImportRig } from '../support/account-import-rig.js';
import type { ProgramRequest } from '../support/program.js';
import {
  API_KEY,
  API_USER,
  startListmonk,
  startResend,
  startSendgrid,
  type ListmonkData,
  type VendorAccount,
} from '../support/vendor-accounts.js';
import { waitFor } from '../support/wait.js';

let rig: AccountImportRig;
let program: AccountImportRig['program'];
let vendor: VendorAccount;
afterEach(() => rig.close());

async function start(account: VendorAccount): Promise<void> {
  rig = await startAccountImportRig(account);
  ({ program, vendor } = rig);
}

const work = (): void => rig.work();
const ask = (method: string, path: string, request?: ProgramRequest) => rig.ask(method, path, request);
const begin = (body: object) => rig.begin(body);
const ended = (id: string) => rig.ended(id);
const imported = (body: object) => rig.imported(body);
const report = (id: string) => rig.report(id);
const all = (path: string) => rig.all(path);
const count = countOf;
const listmonk = () => ({ source: 'listmonk', connection: { url: vendor.url, ...API_USER } });
const resend = { source: 'resend', connection: { api_key: API_KEY } };
const sendgrid = { source: 'sendgrid', connection: { api_key: API_KEY } };

const PEOPLE: ListmonkData = {
  subscribers: [
    {
      email: 'ann@x.example',
      name: 'Ann Smith',
      attribs: { city: 'Bremen', stack: { languages: ['go'] } },
      lists: [
        { uuid: 'l-1', subscription_status: 'confirmed', optin: 'double' },
        { uuid: 'l-2', subscription_status: 'unsubscribed', optin: 'single' },
      ],
    },
    {
      email: 'bob@x.example',
      name: 'bob',
      lists: [
        { uuid: 'l-1', subscription_status: 'unconfirmed', optin: 'double' },
        { uuid: 'l-2', subscription_status: 'unconfirmed', optin: 'single' },
      ],
    },
    { email: 'gone@x.example', name: 'Gone', status: 'blocklisted' },
    { email: 'not an address', name: 'Broken' },
  ],
  bounces: [
    { email: 'dead@x.example', type: 'hard' },
    { email: 'dead@x.example', type: 'hard' },
    { email: 'full@x.example', type: 'soft' },
    { email: 'angry@x.example', type: 'complaint' },
  ],
  lists: [
    { uuid: 'l-1', name: 'News', optin: 'double', description: 'Monthly' },
    { uuid: 'l-2', name: 'Offers', optin: 'single' },
  ],
  templates: [
    {
      name: 'Order',
      type: 'tx',
      subject: 'Order {{ .Tx.Data.order_id }}',
      body: '<p>Hello {{ .Subscriber.FirstName | default "friend" }}</p>\n{{ if .Tx.Data.note }}{{ .Tx.Data.note }}{{ end }}',
    },
    { name: 'Layout', type: 'campaign', body: '<html>\n{{ template "content" . }}\n{{ TrackView }}</html>' },
  ],
};

describe('an import from listmonk', () => {
  beforeEach(async () => start(await startListmonk(PEOPLE)));

  it('takes over suppressions, lists, contacts with their memberships, and templates', async () => {
    const id = await begin(listmonk());
    const job = await ended(id);
    expect(job).toMatchObject({
      object: 'account_import',
      source: 'listmonk',
      status: 'completed',
      error: null,
    });
    expect(job.counts).toEqual([
      count('suppressions', 3, { created: 2, unchanged: 1 }),
      count('lists', 2, { created: 2 }),
      count('contacts', 4, { created: 3, left_out: 1 }),
      count('templates', 2, { created: 1, left_out: 1 }),
    ]);
    const suppressions = await all('/v1/suppressions');
    expect(suppressions.map(({ email, reason }) => [email, reason].join(' ')).sort()).toEqual([
      'angry@x.example complaint',
      'dead@x.example bounce',
      'gone@x.example unsubscribe',
    ]);
    const contacts = await all('/v1/contacts');
    expect(contacts.find(({ email }) => email === 'ann@x.example')).toMatchObject({
      name: 'Ann Smith',
      metadata: { city: 'Bremen', stack: { languages: ['go'] } },
      status: 'active',
    });
    expect(contacts.find(({ email }) => email === 'bob@x.example')).toMatchObject({ name: null });
    expect(contacts.find(({ email }) => email === 'gone@x.example')).toMatchObject({
      status: 'unsubscribed',
    });
    const lists = await all('/v1/lists');
    const news = lists.find(({ name }) => name === 'News');
    const offers = lists.find(({ name }) => name === 'Offers');
    expect(news).toMatchObject({ double_opt_in: true, description: 'Monthly', contacts: 1 });
    expect(offers).toMatchObject({ double_opt_in: false, contacts: 1 });
    expect((await all('/v1/templates')).map(({ name, subject }) => [name, subject])).toEqual([
      ['Order', 'Order {{order_id}}'],
    ]);
    expect(await report(id)).toBe(
      [
        'kind,external_id,name,line,problem',
        'contacts,sub-4,not an address,,The address has no @.',
        'templates,2,Layout,2,The template is a layout for the content of campaigns. Copy its header and footer into the templates that need them.',
        '',
      ].join('\r\n'),
    );
  });

  it('changes nothing when it is repeated', async () => {
    await imported(listmonk());
    const before = await program.raw('SELECT id, updated_at FROM contacts ORDER BY id');
    const again = await imported(listmonk());
    expect(again.counts).toEqual([
      count('suppressions', 3, { unchanged: 3 }),
      count('lists', 2, { unchanged: 2 }),
      count('contacts', 4, { unchanged: 3, left_out: 1 }),
      count('templates', 2, { unchanged: 1, left_out: 1 }),
    ]);
    expect(await program.raw('SELECT id, updated_at FROM contacts ORDER BY id')).toEqual(before);
    expect(await program.raw('SELECT COUNT(*) AS n FROM consents')).toEqual([{ n: 3 }]);
  });

  it('only reads and counts in a dry run', async () => {
    const job = await imported({ ...listmonk(), dry_run: true });
    expect(job.counts.map(({ created, left_out: left }) => [created, left])).toEqual([
      [2, 0],
      [2, 0],
      [3, 1],
      [1, 1],
    ]);
    for (const path of ['suppressions', 'lists', 'contacts', 'templates']) {
      expect(await all(`/v1/${path}`)).toEqual([]);
    }
  });

  it('imports the chosen kinds only', async () => {
    const job = await imported({ ...listmonk(), kinds: ['suppressions'] });
    expect(job.counts).toEqual([count('suppressions', 3, { created: 2, unchanged: 1 })]);
    expect(vendor.asked().every((path) => path.startsWith('/api/bounces'))).toBe(true);
  });

  it('leaves people who left a list where they are', async () => {
    await imported(listmonk());
    const [news] = (await all('/v1/lists')).filter(({ name }) => name === 'News');
    const contacts = await all('/v1/contacts');
    const ann = contacts.find(({ email }) => email === 'ann@x.example');
    await ask('DELETE', `/v1/lists/${String(news?.['id'])}/contacts/${String(ann?.['id'])}`);
    await program.raw(
      `INSERT INTO list_unsubscribes (list_number, email_key, unsubscribed_at)
        SELECT number, 'ann@x.example', 1 FROM contact_lists WHERE name = 'News'`,
    );
    await imported(listmonk());
    const [after] = (await all('/v1/lists')).filter(({ name }) => name === 'News');
    expect(after).toMatchObject({ contacts: 0 });
  });

  it('ends with a sentence when the credentials are wrong, and forgets them', async () => {
    const body = { ...listmonk(), connection: { url: vendor.url, user: 'mailkeel', token: 'wrong-token' } };
    const job = await imported(body);
    expect(job).toMatchObject({ status: 'failed', error: 'listmonk rejected the credentials.' });
    expect(await program.raw('SELECT connection_sealed FROM account_imports')).toEqual([
      { connection_sealed: null },
    ]);
  });

  it('never shows the credentials', async () => {
    vendor.disturb('/api/bounces', { fault: 'silence' });
    const answer = await ask('POST', '/v1/account-imports', { body: listmonk() });
    const id = answer.json.id as string;
    const shown = await Promise.all([
      ask('GET', `/v1/account-imports/${id}`),
      ask('GET', '/v1/account-imports'),
      ask('GET', '/v1/audit-log'),
      ask('GET', '/v1/requests'),
    ]);
    for (const { text } of [answer, ...shown]) expect(text).not.toContain(API_USER.token);
    const rows = await program.raw('SELECT * FROM account_imports');
    expect(JSON.stringify(rows)).not.toContain(API_USER.token);
    expect((await ask('POST', `/v1/account-imports/${id}/cancel`)).json).toMatchObject({
      status: 'canceled',
    });
    expect(await program.raw('SELECT connection_sealed FROM account_imports')).toEqual([
      { connection_sealed: null },
    ]);
    expect((await ask('POST', `/v1/account-imports/${id}/cancel`)).status).toBe(409);
  });

  it('ends with a sentence if the API has changed, and keeps imported objects', async () => {
    vendor.disturb('/api/subscribers', {
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ data: { rows: [] } }),
    });
    const job = await imported(listmonk());
    expect(job).toMatchObject({
      status: 'failed',
      error: 'listmonk answered /api/subscribers in a format that Mailkeel does not recognize.',
    });
    expect(await all('/v1/lists')).toHaveLength(2);
  });

  it('leaves out kinds that the credentials may not read', async () => {
    vendor.disturb('/api/bounces', { status: 403, body: '{}' });
    const id = await begin(listmonk());
    expect((await ended(id)).counts[0]).toEqual(count('suppressions', 1, { left_out: 1 }));
    expect(await report(id)).toContain('The credentials do not permit reading these objects');
  });

  it('waits as long as the vendor requests, then continues', async () => {
    vendor.disturb('/api/lists', { status: 429, headers: { 'retry-after': '1' }, body: '{}' });
    const id = await begin(listmonk());
    await waitFor(
      'the pause',
      async () => (await ask('GET', `/v1/account-imports/${id}`)).json.paused_reason as unknown,
      (reason) => reason === 'listmonk limits the rate of requests.',
    );
    vendor.disturb('/api/lists', null);
    expect(await ended(id)).toMatchObject({ status: 'completed', paused_reason: null });
  });

  it('refuses connections that the source cannot use', async () => {
    const answer = await ask('POST', '/v1/account-imports', {
      body: { source: 'listmonk', connection: { url: 'ftp://x.example', api_key: 'k' }, kinds: ['webhooks'] },
    });
    expect(answer.status).toBe(422);
    const fields = answer.json.error.details.fields as { path: string }[];
    expect(fields.map(({ path }) => path).sort()).toEqual([
      ...['connection.api_key', 'connection.token', 'connection.url', 'connection.user'],
      'kinds.0',
    ]);
  });
});

it('an import continues after a restart at the page where it was', async () => {
  const subscribers = Array.from({ length: 1_100 }, (_, i) => ({
    email: `p${String(i).padStart(4, '0')}@x.example`,
    name: `Person ${i}`,
  }));
  await start(await startListmonk({ subscribers }));
  const second = '/api/subscribers?page=2&per_page=500&order_by=email&order=asc';
  vendor.disturb(second, { status: 503, body: '' });
  const id = await begin({ ...listmonk(), kinds: ['contacts'] });
  await waitFor(
    'the first page',
    async () => (await ask('GET', `/v1/account-imports/${id}`)).json.counts[0].created as number,
    (created) => created === 500,
  );
  await program.restart();
  vendor.disturb(second, null);
  await program.raw('UPDATE account_imports SET resume_at = NULL');
  work();
  const job = await ended(id);
  expect(job.counts).toEqual([count('contacts', 1_100, { created: 1_100 })]);
  const first = vendor.asked().filter((path) => path.includes('page=1&'));
  expect(first).toHaveLength(1);
});

/** Unsent broadcasts become drafts with their own templates. */
async function expectBroadcasts(job: string): Promise<void> {
  const campaigns = await all('/v1/campaigns');
  const byName = (name: string) => campaigns.find((one) => one['name'] === name);
  const lists = await all('/v1/lists');
  expect(byName('Spring')).toMatchObject({
    ...{ status: 'draft', list_id: lists.find(({ name }) => name === 'Customers')?.['id'] },
    ...{ from: { email: 'hi@news.customer.example', name: 'News' }, reply_to: { email: 'a@x.example' } },
  });
  expect((await ask('GET', `/v1/templates/${String(byName('Spring')?.['template_id'])}`)).json).toMatchObject(
    {
      ...{ name: 'Spring', type: 'marketing', subject: 'Spring, {{{first_name}}}' },
      html: '<p>Hi {{{default first_name "there"}}}</p>',
    },
  );
  expect(byName('Idea')).toMatchObject({ subject: 'Idea', template_id: null, list_id: null });
  expect(byName('Later')).toMatchObject({ status: 'draft', scheduled_at: null });
  const lines = await report(job);
  for (const problem of [
    'The broadcast was sent.',
    'The list s-9 was not imported.',
    'The campaign was scheduled and was imported as a draft.',
    'Only the first Reply-To address of the broadcast was imported.',
    'The preview text of the broadcast was not imported.',
  ]) {
    expect(lines).toContain(problem);
  }
}

it('an import from Resend takes over the whole account', async () => {
  await start(
    await startResend({
      contacts: [
        { id: 'c-1', email: 'ann@x.example', first_name: 'Ann', properties: { plan: 'pro' } },
        { id: 'c-2', email: 'bob@x.example', unsubscribed: true },
        ...Array.from({ length: 5 }, (_, i) => ({ id: `c-${i + 3}`, email: `m${i}@x.example` })),
      ],
      hasProperties: true,
      segments: {
        's-1': { name: 'Customers', members: ['c-1', 'c-4'] },
        's-2': { name: 'None', members: [] },
      },
      suppressions: [
        { id: 'u-1', email: 'dead@x.example', origin: 'bounce' },
        { id: 'u-2', email: 'no@x.example', origin: 'manual' },
      ],
      templates: [
        {
          ...{ id: 't-1', name: 'Welcome', alias: 'welcome', subject: 'Hello {{{FIRST_NAME|you}}}' },
          ...{ html: '<p>{{{PRODUCT}}} {{{PRICE}}}</p>', text: null },
          variables: [{ key: 'PRICE', type: 'number', fallback_value: 20 }],
        },
      ],
      domains: [{ id: 'd-1', name: 'news.customer.example' }],
      webhooks: [
        { id: 'w-1', endpoint: 'https://hooks.example/a', events: ['email.bounced'], status: 'enabled' },
        { id: 'w-2', endpoint: 'https://hooks.example/b', events: ['email.sent'], status: 'disabled' },
      ],
      broadcasts: [
        {
          ...{
            id: 'b-1',
            name: 'Spring',
            status: 'draft',
            segment_id: 's-1',
            subject: 'Spring, {{{FIRST_NAME}}}',
          },
          ...{ from: 'News <hi@news.customer.example>', reply_to: ['a@x.example', 'b@x.example'] },
          ...{ html: '<p>Hi {{{contact.first_name|there}}}</p>', text: null, preview_text: 'Look' },
        },
        { id: 'b-2', name: 'Idea', status: 'draft', subject: 'Idea', segment_id: null, html: null },
        { id: 'b-3', name: 'Old', status: 'sent', segment_id: 's-1', html: '<p>Old</p>' },
        {
          ...{ id: 'b-4', name: 'Later', status: 'queued', scheduled_at: '2027-01-01T00:00:00Z' },
          ...{ audience_id: 's-2', subject: 'Later', text: 'Later' },
        },
        { id: 'b-5', name: 'Lost', status: 'draft', segment_id: 's-9', text: 'Lost' },
      ],
    }),
  );
  const job = await imported(resend);
  expect(job).toMatchObject({ status: 'completed' });
  const whole = [
    count('suppressions', 2, { created: 2 }),
    count('lists', 2, { created: 2 }),
    count('contacts', 7, { created: 7 }),
    count('templates', 1, { created: 1 }),
    count('domains', 1, { created: 1 }),
    count('webhooks', 2, { created: 1, left_out: 1 }),
    count('campaigns', 5, { created: 3, left_out: 2 }),
  ];
  expect(job.counts).toEqual(whole);
  await expectBroadcasts(job.id);
  const contacts = await all('/v1/contacts');
  expect(contacts.find(({ email }) => email === 'ann@x.example')).toMatchObject({
    metadata: { plan: 'pro' },
  });
  expect(contacts.find(({ email }) => email === 'bob@x.example')).toMatchObject({ status: 'unsubscribed' });
  expect((await all('/v1/lists')).find(({ name }) => name === 'Customers')).toMatchObject({ contacts: 2 });
  expect((await ask('GET', '/v1/templates/welcome')).json).toMatchObject({
    subject: 'Hello {{{default first_name "you"}}}',
    html: '<p>{{{PRODUCT}}} {{{default PRICE "20"}}}</p>',
  });
  const [sender] = await all('/v1/senders');
  expect(sender).toMatchObject({ domain: 'news.customer.example', status: 'pending_verification' });
  expect(await all('/v1/webhook-endpoints')).toMatchObject([
    { url: 'https://hooks.example/a', format: 'resend', events: ['message.bounced'] },
  ]);
  const again = await imported(resend);
  expect(again.counts).toEqual(
    whole.map((one) => ({
      ...one,
      created: 0,
      unchanged: one.found - Number('left_out' in one && one.left_out),
    })),
  );
});

it('an import from SendGrid takes over the whole account', async () => {
  await start(
    await startSendgrid({
      contacts: [
        { email: 'ann@x.example', first: 'Ann', city: 'Bremen', lists: ['l-1'] },
        { email: 'bob@x.example' },
      ],
      lists: { 'l-1': 'Newsletter' },
      suppressed: {
        bounces: ['dead@x.example'],
        invalid_emails: ['odd@x.example'],
        spam_reports: ['angry@x.example'],
        unsubscribes: ['bob@x.example'],
      },
      groups: [{ id: 7, name: 'Digest', left: ['ann@x.example', 'stranger@x.example'] }],
      templates: [
        {
          ...{ id: 'd-1', name: 'Receipt', generation: 'dynamic', subject: 'Receipt {{number}}' },
          html: '<p>{{insert name "default=Customer"}} <a href="{{{unsubscribe}}}">x</a></p>',
        },
        { id: 'd-2', name: 'Hard', generation: 'dynamic', html: '<p>\n{{#equals a b}}x{{/equals}}</p>' },
        { id: 'old', name: 'Old', generation: 'legacy' },
      ],
      domains: ['customer.example'],
      webhooks: [
        {
          id: 'w-1',
          enabled: true,
          url: 'https://hooks.example/s',
          bounce: true,
          delivered: true,
          dropped: false,
        },
      ],
    }),
  );
  const id = await begin(sendgrid);
  // SendGrid prepares each file for a while.
  const hasten = setInterval(() => void program.raw('UPDATE account_imports SET resume_at = NULL'), 200);
  const job = await ended(id);
  clearInterval(hasten);
  expect(job).toMatchObject({ status: 'completed' });
  expect(job.counts).toEqual([
    count('suppressions', 4, { created: 4 }),
    count('lists', 3, { created: 2, left_out: 1 }),
    count('contacts', 2, { created: 2 }),
    count('templates', 3, { created: 1, left_out: 2 }),
    count('domains', 1, { created: 1 }),
    count('webhooks', 1, { created: 1 }),
  ]);
  const contacts = await all('/v1/contacts');
  expect(contacts.find(({ email }) => email === 'ann@x.example')).toMatchObject({
    name: 'Ann',
    metadata: { city: 'Bremen' },
  });
  const lists = await all('/v1/lists');
  expect(lists.find(({ name }) => name === 'Newsletter')).toMatchObject({ contacts: 1 });
  expect(await program.raw('SELECT email_key FROM list_unsubscribes ORDER BY email_key')).toEqual([
    { email_key: 'ann@x.example' },
    { email_key: 'stranger@x.example' },
  ]);
  const [template] = await all('/v1/templates');
  expect((await ask('GET', `/v1/templates/${String(template?.['id'])}`)).json).toMatchObject({
    html: '<p>{{default name "Customer"}} <a href="{{unsubscribe_url}}">x</a></p>',
  });
  expect(await report(id)).toContain('templates,d-2,Hard,2,Mailkeel has no equivalent of {{#equals a b}}.');
  expect(await all('/v1/webhook-endpoints')).toMatchObject([
    { format: 'sendgrid', events: ['message.delivered', 'message.bounced'] },
  ]);
});
