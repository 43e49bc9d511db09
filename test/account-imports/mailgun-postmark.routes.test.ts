// Tests imports of Mailgun and Postmark accounts, from servers that respond as the vendors do.
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { countOf, startAccountImportRig, type AccountImportRig } from '../support/account-import-rig.js';
import { API_KEY, startMailgun, startPostmark, type VendorAccount } from '../support/vendor-accounts.js';

let rig: AccountImportRig;
afterEach(() => rig.close());

async function start(account: VendorAccount): Promise<void> {
  rig = await startAccountImportRig(account);
}

describe('an import from Mailgun', () => {
  const mailgun = { source: 'mailgun', connection: { api_key: API_KEY } };
  const members = (from: number, to: number) =>
    Array.from({ length: to - from }, (_, i) => ({ address: `p${from + i}@x.example` }));
  beforeEach(async () =>
    start(
      await startMailgun({
        domains: [
          {
            name: 'a.example',
            bounces: ['dead@x.example'],
            complaints: ['angry@x.example'],
            unsubscribes: [{ address: 'left@x.example' }, { address: 'some@x.example', tags: ['news'] }],
            templates: [
              {
                ...{ name: 'welcome', subject: 'Hello {{name}}' },
                html: '<p>%recipient_fname% {{#if plan}}{{plan}}{{/if}} <a href="%unsubscribe_url%">x</a></p>',
              },
              { name: 'hard', html: '<p>\n{{#equal plan "pro"}}x{{/equal}}</p>' },
              { name: 'old', engine: 'go', html: '{{.name}}' },
              { name: 'empty', html: null },
            ],
            webhooks: {
              delivered: ['https://hooks.example/m'],
              permanent_fail: ['https://hooks.example/m', 'https://hooks.example/n'],
            },
          },
          {
            name: 'b.example',
            bounces: ['dead@x.example'],
            webhooks: { delivered: ['https://hooks.example/m'] },
          },
          { name: 'sandbox1.mailgun.org', type: 'sandbox' },
        ],
        lists: [
          {
            address: 'news@a.example',
            name: 'News',
            members: [
              { address: 'ann@x.example', name: 'Ann', vars: { city: 'Bremen' } },
              { address: 'bob@x.example', subscribed: false },
              ...members(0, 250),
            ],
          },
          {
            address: 'dev@a.example',
            members: [{ address: 'ann@x.example' }, { address: 'left@x.example' }],
          },
        ],
      }),
    ),
  );

  const whole = [
    countOf('suppressions', 5, { created: 3, unchanged: 1, left_out: 1 }),
    countOf('lists', 2, { created: 2 }),
    countOf('contacts', 254, { created: 253, unchanged: 1 }),
    countOf('templates', 4, { created: 1, left_out: 3 }),
    countOf('domains', 3, { created: 2, left_out: 1 }),
    countOf('webhooks', 3, { created: 2, unchanged: 1 }),
  ];

  it('takes over the account, and changes nothing a second time', async () => {
    const id = await rig.begin(mailgun);
    const job = await rig.ended(id);
    expect(job).toMatchObject({ status: 'completed', error: null });
    expect(job.counts).toEqual(whole);
    const contacts = await rig.all('/v1/contacts?q=ann');
    expect(contacts).toMatchObject([{ name: 'Ann', metadata: { city: 'Bremen' }, status: 'active' }]);
    expect(await rig.all('/v1/contacts?q=left')).toMatchObject([{ status: 'unsubscribed' }]);
    const lists = await rig.all('/v1/lists');
    expect(lists.find(({ name }) => name === 'News')).toMatchObject({ contacts: 251 });
    expect(lists.find(({ name }) => name === 'dev@a.example')).toMatchObject({ contacts: 2 });
    expect((await rig.ask('GET', '/v1/templates/welcome')).json).toMatchObject({
      subject: 'Hello {{name}}',
      html: '<p>{{first_name}} {{#if plan}}{{plan}}{{/if}} <a href="{{unsubscribe_url}}">x</a></p>',
    });
    const hooks = await rig.all('/v1/webhook-endpoints');
    expect(hooks.find(({ url }) => url === 'https://hooks.example/m')).toMatchObject({
      format: 'mailgun',
      events: ['message.delivered', 'message.bounced', 'message.failed', 'message.suppressed'],
    });
    const lines = await rig.report(id);
    expect(lines).toContain(
      'templates,a.example/hard,hard,2,"Mailkeel has no equivalent of {{#equal plan ""pro""}}."',
    );
    expect(lines).toContain('some@x.example,,The recipient unsubscribed from single tags.');
    expect(rig.vendor.receiver.requests.every(({ method }) => method === 'GET')).toBe(true);
    const again = await rig.imported(mailgun);
    expect(again.counts.map(({ created, updated }) => [created, updated])).toEqual(whole.map(() => [0, 0]));
  });

  it('continues after a restart', async () => {
    rig.vendor.disturb('/v3/lists/dev@a.example/members/pages', { status: 503, headers: {}, body: '' });
    rig.vendor.disturb('/v3/lists/dev%40a.example/members/pages', { status: 503, headers: {}, body: '' });
    const id = await rig.begin(mailgun);
    await rig.paused(id, () => true);
    rig.vendor.disturb('/v3/lists/dev@a.example/members/pages', null);
    rig.vendor.disturb('/v3/lists/dev%40a.example/members/pages', null);
    await rig.program.raw('UPDATE account_imports SET resume_at = NULL');
    await rig.program.restart();
    rig.work();
    expect((await rig.ended(id)).counts).toEqual(whole);
  });

  it.each([
    ['/v3/a.example/bounces', { status: 401 }, 'Mailgun rejected the credentials.'],
    [
      '/v4/domains',
      { body: '{"items":[{"domain":"a.example"}]}' },
      'in a format that Mailkeel does not recognize',
    ],
    ['/v3/lists/pages', { body: '{"lists":[]}' }, 'in a format that Mailkeel does not recognize'],
  ])('ends with a sentence when %s answers otherwise', async (path, reply, problem) => {
    rig.vendor.disturb(path, {
      status: 200,
      headers: { 'content-type': 'application/json' },
      body: '',
      ...reply,
    });
    const job = await rig.imported(mailgun);
    expect(job).toMatchObject({ status: 'failed', error: expect.stringContaining(problem) });
  });
});

describe('an import from Postmark', () => {
  const server = { source: 'postmark', connection: { api_key: API_KEY } };
  const postmark = { ...server, connection: { ...server.connection, account_token: API_KEY } };
  beforeEach(async () =>
    start(
      await startPostmark({
        streams: {
          outbound: {
            type: 'Transactional',
            suppressed: [
              { email: 'dead@x.example', reason: 'HardBounce', origin: 'Recipient' },
              { email: 'angry@x.example', reason: 'SpamComplaint', origin: 'Recipient' },
            ],
          },
          inbound: { type: 'Inbound' },
          broadcast: {
            type: 'Broadcasts',
            suppressed: [
              { email: 'dead@x.example', reason: 'HardBounce', origin: 'Recipient' },
              { email: 'left@x.example', reason: 'ManualSuppression', origin: 'Recipient' },
              { email: 'us@x.example', reason: 'ManualSuppression', origin: 'Customer' },
            ],
          },
        },
        templates: [
          {
            ...{ id: 1, name: 'Welcome', alias: 'welcome', subject: 'Hi {{name}}', layout: 'frame' },
            html: '{{#company}}<b>{{name}}</b>{{/company}}{{^company}}-{{/company}}',
            text: 'Hi',
          },
          {
            ...{ id: 2, name: 'Frame', alias: 'frame', type: 'Layout' },
            html: '<html>\n{{{@content}}}\n<a href="{{{ pm:unsubscribe }}}">x</a></html>',
          },
          { id: 3, name: 'Hard', html: '<p>\n{{> header}}</p>' },
          { id: 4, name: 'Old', active: false, html: 'x' },
        ],
        domains: ['customer.example'],
        signatures: [{ email: 'ann@other.example', name: 'Ann' }],
        webhooks: [
          { id: 1, url: 'https://hooks.example/p', triggers: { Bounce: true, Open: false } },
          { id: 2, url: 'https://hooks.example/q', triggers: { Open: false } },
        ],
      }),
    ),
  );

  it('takes over the server and the account, and changes nothing a second time', async () => {
    const id = await rig.begin(postmark);
    const job = await rig.ended(id);
    const whole = [
      countOf('suppressions', 5, { created: 4, unchanged: 1 }),
      countOf('templates', 4, { created: 1, left_out: 3 }),
      countOf('domains', 2, { created: 2 }),
      countOf('webhooks', 2, { created: 1, left_out: 1 }),
    ];
    expect(job).toMatchObject({ status: 'completed', counts: whole });
    const suppressions = await rig.all('/v1/suppressions');
    expect(suppressions.map(({ email, reason }) => `${String(email)} ${String(reason)}`).sort()).toEqual([
      'angry@x.example complaint',
      'dead@x.example bounce',
      'left@x.example unsubscribe',
      'us@x.example manual',
    ]);
    expect((await rig.ask('GET', '/v1/templates/welcome')).json).toMatchObject({
      subject: 'Hi {{name}}',
      text: 'Hi',
      html: '<html>\n{{#with company}}<b>{{name}}</b>{{/with}}{{#unless company}}-{{/unless}}\n<a href="{{unsubscribe_url}}">x</a></html>',
    });
    expect(await rig.report(id)).toContain('templates,3,Hard,2,Mailkeel has no equivalent of {{> header}}.');
    const senders = await rig.all('/v1/senders');
    expect(senders.map(({ domain, email, status }) => [domain, email, status])).toEqual(
      expect.arrayContaining([
        ['customer.example', null, 'pending_verification'],
        ['other.example', 'ann@other.example', 'pending_verification'],
      ]),
    );
    expect(await rig.all('/v1/webhook-endpoints')).toMatchObject([
      { url: 'https://hooks.example/p', format: 'postmark', events: ['message.bounced'] },
    ]);
    expect(rig.vendor.receiver.requests.every(({ method }) => method === 'GET')).toBe(true);
    const again = await rig.imported(postmark);
    expect(again.counts.map(({ created, updated }) => [created, updated])).toEqual(whole.map(() => [0, 0]));
  });

  it('leaves out domains without an account token, and sends no confirmation mail', async () => {
    const id = await rig.begin(server);
    const job = await rig.ended(id);
    expect(job.counts[2]).toEqual(countOf('domains', 1, { left_out: 1 }));
    expect(await rig.report(id)).toContain('Postmark requires an account token to read domains.');
    await rig.imported(postmark);
    expect(await rig.program.raw('SELECT id FROM messages')).toEqual([]);
  });

  it('waits when the rate is limited, and names an answer that it does not know', async () => {
    rig.vendor.disturb('/templates', { status: 429, headers: { 'retry-after': '1' }, body: '' });
    const id = await rig.begin(server);
    await rig.paused(id, (reason) => reason === 'Postmark limits the rate of requests.');
    rig.vendor.disturb('/templates', { status: 200, headers: {}, body: '{"Templates":{}}' });
    expect(await rig.ended(id)).toMatchObject({
      status: 'failed',
      error: 'Postmark answered /templates in a format that Mailkeel does not recognize.',
    });
  });
});
