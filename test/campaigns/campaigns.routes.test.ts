// Tests the API of campaigns on a real database file with the real renderer: storing, previewing, editing, checking and test
// sending.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { campaignRoutes } from '../../src/campaigns/campaigns.routes.js';
import type { CampaignStatus, Mode } from '../../src/contract/names.js';
import { addressKey } from '../../src/lib/mime/index.js';
import { SAMPLE_TOKEN, sampleUnsubscribeUrl } from '../../src/contacts/unsubscribe.rules.js';
import type { LinkState } from '../../src/lib/http/index.js';
import { compilePlans } from '../../src/accounts/quota.rules.js';
import { createLog, newId } from '../../src/lib/runtime/index.js';
import type { Store } from '../../src/app/store.js';
import { Campaigns } from '../../src/campaigns/run/campaigns.js';
import { Previews } from '../../src/campaigns/prepare/preview.js';
import { createCampaignPreflight } from '../../src/campaigns/prepare/preflight.js';
import { createTestSend } from '../../src/campaigns/prepare/test-send.js';
import { Submission } from '../../src/messages/accept/accept.js';
import { createResendInDoubt } from '../../src/messages/accept/resend-in-doubt.js';
import { createQuotaCheck } from '../../src/messages/accept/quota-check.js';
import { createRenderer, type Renderer } from '../../src/templates/rendering/renderer.js';
import { testDisk } from '../support/disk.js';
import { fixedClock } from '../support/fixed-clock.js';
import { waitFor } from '../support/wait.js';
import type { ProgramAnswer } from '../support/program.js';
import { startApi, type StartedApi } from '../support/start-api.js';
import { LIST } from '../support/audience-rows.js';
import { CONSENT } from '../support/consent.js';
import { senders } from '../../src/domains/domains.tables.js';
import { organizations } from '../../src/accounts/accounts.tables.js';
import { update, insert } from '../../src/database/rows.js';
import { templates, templateVersions } from '../../src/templates/templates.tables.js';
import { contactLists } from '../../src/contacts/lists/lists.tables.js';
import { putContact, joinList } from '../../src/contacts/contact-changes.store.js';
import { campaigns as campaignsTable } from '../../src/campaigns/campaigns.tables.js';
import { suppress } from '../../src/suppressions/suppression-changes.store.js';
import { sourceStats } from '../../src/analytics/analytics.tables.js';
import { senderRow } from '../support/domain-rows.js';

const PUBLIC_URL = 'https://mail.example.test';
const HOUR_MS = 3_600_000;
const clock = fixedClock();
const plans = compilePlans({
  free: { daily_sends: 5, monthly_sends: 100 },
  unlimited: { daily_sends: null, monthly_sends: null },
});
let api: StartedApi;
let renderer: Renderer;
let asked: string[];
let verdict: LinkState;
let campaigns: Campaigns;

let server: Awaited<ReturnType<typeof startApi>>;
beforeAll(async () => {
  renderer = createRenderer({ threads: 1 });
  server = await startApi({
    clock: clock.now,
    routes: (store) => [(app) => campaignRoutes(app, partsOf(store))],
  });
});

afterAll(async () => {
  await server.close();
  await renderer.close();
});

beforeEach(async () => {
  asked = [];
  verdict = { kind: 'works', status: 200 };
  api = await server.inNewWorkspace();
  await api.store.commit([
    update(organizations, { set: { postal_address: '1 Street\nTown' }, where: { id: api.organizationId } }),
  ]);
});

function partsOf(store: Store) {
  const tokenKey = { id: 1, secret: Buffer.alloc(32, 7) };
  const wakeUps = { queue: () => undefined, events: () => undefined };
  const config = {
    publicUrl: PUBLIC_URL,
    queueLifetimeMs: HOUR_MS,
    marketingQueueLifetimeMs: HOUR_MS,
    approvalTtlMs: 86_400_000,
    messageSizeLimitBytes: 1_000_000,
    attachmentLimit: 5,
    recipientLimit: 5,
    campaignIntervalMs: 1_000,
    campaignBatch: 100,
    linkChecks: 3,
    clipLimitBytes: 2_000,
  };
  const quota = createQuotaCheck(plans);
  const shared = { store, renderer, clock: clock.now, plans, quota, tokenKey, wakeUps, config };
  const submission = new Submission({ ...shared, disk: testDisk() });
  const context = { ...shared, submission, log: createLog('silent') };
  campaigns = new Campaigns(context);
  const previews = new Previews(context);
  const links = {
    check: (url: string) => {
      asked.push(url);
      return Promise.resolve(verdict);
    },
  };
  return {
    ...context,
    previews,
    campaigns,
    preflight: createCampaignPreflight({ ...context, previews, links }),
    sendTest: createTestSend(context, previews),
    resendInDoubt: createResendInDoubt(shared),
  };
}

interface Person {
  name?: string;
  tags?: string[];
  metadata?: Record<string, unknown>;
  status?: 'active' | 'unsubscribed' | 'bounced';
}

async function addTemplate(
  content: {
    subject?: string | null;
    html?: string | null;
    text?: string | null;
    name?: string;
    type?: 'any' | 'transactional';
  },
  tenant: string | null = null,
): Promise<string> {
  const now = clock.now();
  const id = newId('tpl', now);
  const { environmentId } = await api.scopeOf('live');
  const { subject = 'Hello {{first_name}}', html = '<p>Dear {{first_name}}</p>', text = null } = content;
  await api.store.commit([
    insert(templates, {
      row: {
        id,
        environment_id: environmentId,
        sub_tenant_id: tenant,
        slug: id,
        name: content.name ?? 'News',
        type: content.type ?? 'any',
        version: 1,
        created_at: now,
        updated_at: now,
        deleted_at: null,
      },
    }),
    insert(templateVersions, {
      row: { template_id: id, version: 1, subject, html, text, inline_css: 0, created_at: now },
    }),
  ]);
  return id;
}

async function addList(
  people: Record<string, Person>,
  tenant: string | null = null,
  mode: Mode = 'test',
): Promise<string> {
  const now = clock.now();
  const id = newId('lst', now);
  const { environmentId } = await api.scopeOf(mode);
  await api.store.commit([
    insert(contactLists, {
      row: {
        ...LIST,
        id,
        environment_id: environmentId,
        sub_tenant_id: tenant,
        name: 'Readers',
        created_at: now,
        updated_at: now,
      },
    }),
  ]);
  const listNumber = (await api.store.lists.listOf(id))?.number ?? 0;
  for (const [email, person] of Object.entries(people)) {
    const contactId = newId('cnt', now);
    await api.store.commit([
      putContact({
        ifKnown: 'ignore',
        row: {
          id: contactId,
          environment_id: environmentId,
          sub_tenant_id: tenant,
          email,
          email_key: addressKey(email),
          name: person.name ?? null,
          phone: null,
          tags: JSON.stringify(person.tags ?? []),
          metadata: JSON.stringify(person.metadata ?? {}),
          status: person.status ?? 'active',
          created_at: now,
          updated_at: now,
        },
      }),
      joinList({ listNumber, contactId, state: 'subscribed', returned: false, consent: CONSENT, at: now }),
    ]);
  }
  return id;
}

const PEOPLE: Record<string, Person> = {
  'ann@example.com': { name: 'Ann Smith', tags: ['vip'] },
  'bob@example.com': { name: 'Bob <b>' },
  'cid@example.com': { name: 'Cid', status: 'unsubscribed' },
  'dan@example.com': { name: 'Dan', tags: ['trial', 'vip'] },
};

async function create(fields: Record<string, unknown> = {}): Promise<ProgramAnswer> {
  const body = {
    name: 'News',
    list_id: await addList(PEOPLE),
    template_id: await addTemplate({}),
    ...fields,
  };
  return ask('POST', '/v1/campaigns', body);
}

const ask = (method: string, url: string, body?: unknown, key = api.testKey): Promise<ProgramAnswer> =>
  api.ask(method, url, { key, ...(body === undefined ? {} : { body }) });

async function setStatus(id: string, status: CampaignStatus): Promise<void> {
  await api.store.commit([update(campaignsTable, { set: { status }, where: { id } })]);
}

async function addSuppression(email: string): Promise<void> {
  const now = clock.now();
  const { environmentId } = await api.scopeOf('test');
  const row = {
    id: newId('sup', now),
    environment_id: environmentId,
    sub_tenant_key: '',
    email,
    email_key: addressKey(email),
    reason: 'bounce' as const,
    message_public_id: null,
    reply: null,
    created_at: now,
  };
  await api.store.commit([suppress({ row })]);
}

const emailsOf = (answer: ProgramAnswer): string[] =>
  (answer.json.data as { email: string }[]).map(({ email }) => email);

describe('a campaign', () => {
  it('is stored as given, as a draft', async () => {
    const variant = await addTemplate({ name: 'For VIPs' });
    const made = await create({
      subject: 'Words',
      from: 'News <news@example.org>',
      segment_tag: 'vip',
      variants: [{ tag: 'vip', template_id: variant }],
      split: { variants: [{ key: 'a' }, { key: 'b', subject: 'Other' }], test_percent: 20 },
      track_opens: false,
      type: 'sales',
    });
    expect(made.status).toBe(201);
    expect(made.json).toMatchObject({
      object: 'campaign',
      status: 'draft',
      type: 'sales',
      subject: 'Words',
      from: { email: 'news@example.org', name: 'News' },
      reply_to: null,
      variants: [{ tag: 'vip', template_id: variant, subject: null }],
      split: { test_percent: 20, metric: 'clicked', wait_minutes: 240, winner: null },
      track_opens: false,
      track_clicks: null,
      sandbox: true,
      stats: { recipients: 0, sent: 0 },
    });
    expect((await ask('GET', `/v1/campaigns/${made.json.id}`)).json).toEqual(made.json);
    const list = await ask('GET', `/v1/campaigns?list_id=${made.json.list_id}&status=draft`);
    expect(list.json.data).toEqual([made.json]);
    expect((await ask('GET', '/v1/campaigns?status=sent')).json.data).toEqual([]);
  });

  it('has the same counts in lists of summaries', async () => {
    const { json: made } = await create();
    await api.store.commit([
      update(campaignsTable, { set: { started_at: clock.now(), total: 9 }, where: { id: made.id } }),
    ]);
    for (const [variant, measure, n] of [
      ['', 'opened', 2],
      ['a', 'opened', 1],
      ['a', 'bounced', 4],
    ] as const) {
      await api.store.commit([insert(sourceStats, { row: { source_id: made.id, variant, measure, n } })]);
    }
    const { json: list } = await ask('GET', '/v1/campaigns?view=summary');
    const { json: one } = await ask('GET', `/v1/campaigns/${made.id}`);
    expect(list.data[0].stats).toEqual(one.stats);
    expect(one.stats).toMatchObject({ recipients: 9, opened: 3, bounced: 4 });
  });

  it('belongs to one environment and is invisible in the other', async () => {
    const { json } = await create();
    expect((await ask('GET', `/v1/campaigns/${json.id}`, undefined, api.liveKey)).status).toBe(404);
    expect((await ask('GET', '/v1/campaigns', undefined, api.liveKey)).json.data).toEqual([]);
  });

  it.each([
    [
      'variant_limit',
      'variants',
      { variants: Array.from({ length: 5 }, (_, n) => ({ tag: `t${n}`, template_id: 'x' })) },
    ],
    ['list_not_found', 'list_id', { list_id: 'lst_00000000000000000000000000' }],
    ['template_not_found', 'template_id', { template_id: 'tpl_00000000000000000000000000' }],
    ['template_not_found', 'variants.0.template_id', { variants: [{ tag: 'a', template_id: 'tpl_0' }] }],
    ['template_invalid', 'subject', { subject: 'Hello {{#if' }],
    ['validation_error', 'name', { name: 'a\nb' }],
    ['validation_error', 'from', { from: 'nobody' }],
    ['validation_error', 'scheduled_at', { scheduled_at: 'tomorrow' }],
    ['validation_error', 'type', { type: 'transactional' }],
    ['validation_error', 'split.variants', { split: { variants: [{ key: 'a' }] } }],
    ['validation_error', 'split.variants.1.key', { split: { variants: [{ key: 'a' }, { key: 'a' }] } }],
  ])('is refused with %s at %s', async (code, param, fields) => {
    const { status, json } = await create(fields);
    expect([status, json.error.code, json.error.param]).toEqual([422, code, param]);
    expect((await ask('GET', '/v1/campaigns')).json.data).toEqual([]);
  });

  it('is refused if its template is for another message type', async () => {
    const { json } = await create({ template_id: await addTemplate({ type: 'transactional' }) });
    expect([json.error.code, json.error.param]).toEqual(['validation_error', 'template_id']);
  });

  it('of a sub-tenant uses that tenant’s list, and its key sees no other campaign', async () => {
    const tenant = await api.addTenant('acme');
    const list = await addList({ 'eve@example.com': {} }, tenant);
    const refused = await create({ list_id: list });
    expect([refused.json.error.code, refused.json.error.param]).toEqual(['list_not_found', 'list_id']);
    const foreign = await create({ sub_tenant_id: tenant });
    expect(foreign.json.error.code).toBe('list_not_found');
    const own = await create({ list_id: list, sub_tenant_id: tenant });
    const workspaces = await create();
    const key = await api.addKey({ mode: 'test', subTenantId: tenant });
    expect((await ask('GET', '/v1/campaigns', undefined, key)).json.data).toHaveLength(1);
    expect((await ask('GET', `/v1/campaigns/${own.json.id}`, undefined, key)).json.sub_tenant_id).toBe(
      tenant,
    );
    expect((await ask('GET', `/v1/campaigns/${workspaces.json.id}`, undefined, key)).status).toBe(404);
    expect((await ask('POST', `/v1/campaigns/${workspaces.json.id}/send`, {}, key)).status).toBe(404);
  });

  it('with a time is scheduled immediately or not created', async () => {
    const at = new Date(clock.now() + HOUR_MS).toISOString();
    const scheduled = await create({ scheduled_at: at });
    expect([scheduled.status, scheduled.json.status, scheduled.json.scheduled_at]).toEqual([
      201,
      'scheduled',
      at,
    ]);
    await api.store.commit([
      update(organizations, { set: { postal_address: null }, where: { id: api.organizationId } }),
    ]);
    const refused = await create({ scheduled_at: at });
    expect(refused.json.error.code).toBe('postal_address_required');
    expect((await ask('GET', '/v1/campaigns')).json.data).toHaveLength(1);
  });

  it('can be changed as a draft and when scheduled, which pins the versions of its templates', async () => {
    const { json } = await create();
    const url = `/v1/campaigns/${json.id}`;
    const changed = await ask('PATCH', url, { subject: 'New', segment_tag: 'vip', from: 'a@example.org' });
    expect(changed.json).toMatchObject({ subject: 'New', segment_tag: 'vip', name: 'News' });
    const at = new Date(clock.now() + HOUR_MS).toISOString();
    expect((await ask('POST', `${url}/send`, { scheduled_at: at })).json.status).toBe('scheduled');
    clock.advance(1);
    const further = await addTemplate({});
    const patched = await ask('PATCH', url, {
      subject: null,
      variants: [{ tag: 'vip', template_id: further }],
    });
    expect(patched.json).toMatchObject({ status: 'scheduled', subject: null, scheduled_at: at });
    const row = await api.store.campaigns.campaign(await api.scopeOf('test'), json.id as string);
    expect(JSON.parse(row?.versions ?? '')).toEqual({ [json.template_id]: 1, [further]: 1 });
    const later = new Date(clock.now() + 2 * HOUR_MS).toISOString();
    expect((await ask('PATCH', url, { scheduled_at: later })).json.scheduled_at).toBe(later);
    expect((await ask('PATCH', url, { scheduled_at: null })).status).toBe(409);
  });

  it('that is scheduled must keep its last subject', async () => {
    const bare = await addTemplate({ subject: null });
    const { json } = await create({ template_id: bare, subject: 'News' });
    const url = `/v1/campaigns/${json.id}`;
    await ask('POST', `${url}/send`, { scheduled_at: new Date(clock.now() + HOUR_MS).toISOString() });
    const { status, json: refused } = await ask('PATCH', url, { subject: null });
    expect([status, refused.error.code]).toEqual([422, 'subject_required']);
    expect((await ask('GET', url)).json).toMatchObject({ status: 'scheduled', subject: 'News' });
  });

  it('that is scheduled cannot get a sender with which it could not be sent', async () => {
    const live = api.liveKey;
    const now = clock.now();
    const row = senderRow(api.workspaceId, now, { identity: 'news@sender.example' });
    await api.store.commit([insert(senders, { row })]);
    const at = new Date(now + HOUR_MS).toISOString();
    const list_id = await addList(PEOPLE, null, 'live');
    const draft = { name: 'News', list_id, template_id: await addTemplate({}), from: 'news@other.example' };
    const { json: made } = await ask('POST', '/v1/campaigns', draft, live);
    const refusals = [
      await ask('POST', '/v1/campaigns', { ...draft, scheduled_at: at }, live),
      await ask('POST', `/v1/campaigns/${made.id}/send`, {}, live),
      await ask('POST', `/v1/campaigns/${made.id}/send`, { scheduled_at: at }, live),
      await ask('PATCH', `/v1/campaigns/${made.id}`, { scheduled_at: at }, live),
    ];
    const body = { ...draft, from: 'news@sender.example', scheduled_at: at };
    const { json } = await ask('POST', '/v1/campaigns', body, live);
    expect(json.status).toBe('scheduled');
    const url = `/v1/campaigns/${json.id}`;
    refusals.push(await ask('PATCH', url, { from: 'news@other.example' }, live));
    expect(refusals.map((one) => one.json.error?.code)).toEqual(Array(5).fill('sender_not_verified'));
    const renamed = await ask('PATCH', url, { name: 'Renamed' }, live);
    expect(renamed.json).toMatchObject({ status: 'scheduled', from: { email: 'news@sender.example' } });
  });

  it('sent before its scheduled time drops that time', async () => {
    const { json } = await create({ scheduled_at: new Date(clock.now() + HOUR_MS).toISOString() });
    const sent = await ask('POST', `/v1/campaigns/${json.id}/send`);
    expect(sent.json).toMatchObject({ status: 'sending', scheduled_at: null });
  });

  it('is not sent if no one could get a copy, without any subject or after its list was deleted', async () => {
    const { json } = await create({ template_id: await addTemplate({ subject: null }) });
    const url = `/v1/campaigns/${json.id}`;
    const send = async () => {
      const answer = await ask('POST', `${url}/send`);
      return [answer.status, answer.json.error?.code ?? answer.json.status];
    };
    expect(await send()).toEqual([422, 'subject_required']);
    await ask('PATCH', url, { subject: 'Hello' });
    const setDeleted = (deleted_at: number | null) =>
      api.store.commit([
        update(contactLists, { set: { deleted_at }, where: { id: json.list_id as string } }),
      ]);
    await setDeleted(clock.now());
    expect(await send()).toEqual([422, 'list_not_found']);
    await setDeleted(null);
    expect(await send()).toEqual([200, 'sending']);
  });

  it('can be drafted without list and template, which preflight, test and send require', async () => {
    const made = await ask('POST', '/v1/campaigns', { name: 'Later' });
    expect(made).toMatchObject({ status: 201, json: { list_id: null, template_id: null, status: 'draft' } });
    const url = `/v1/campaigns/${made.json.id}`;
    const missing = async (method: string, path: string, body?: unknown) => {
      const { status, json } = await ask(method, path, body);
      const fields = (json.error?.details?.fields ?? []) as { path: string }[];
      return [status, json.error?.code, ...fields.map(({ path: field }) => field)];
    };
    const both = [422, 'campaign_incomplete', 'list_id', 'template_id'];
    expect(await missing('POST', `${url}/send`)).toEqual(both);
    const at = new Date(clock.now() + HOUR_MS).toISOString();
    expect(await missing('POST', '/v1/campaigns', { name: 'At once', scheduled_at: at })).toEqual(both);
    expect((await ask('GET', '/v1/campaigns')).json.data).toHaveLength(1);
    const { checks, ready } = (await ask('GET', `${url}/preflight`)).json;
    expect(ready).toBe(false);
    const failed = (checks as { code: string; status: string }[]).filter(({ status }) => status === 'fail');
    expect(failed.map(({ code }) => code)).toEqual(['list', 'template', 'audience']);
    expect(await missing('POST', `${url}/test`, { to: ['me@example.com'] })).toEqual([
      422,
      'campaign_incomplete',
      'template_id',
    ]);
    await ask('PATCH', url, { template_id: await addTemplate({}) });
    expect(await missing('POST', `${url}/send`)).toEqual([422, 'campaign_incomplete', 'list_id']);
    await ask('PATCH', url, { list_id: await addList(PEOPLE) });
    expect((await ask('POST', `${url}/send`, { scheduled_at: at })).json.status).toBe('scheduled');
    expect(await missing('PATCH', url, { list_id: null, template_id: null })).toEqual(both);
    expect((await ask('GET', url)).json).toMatchObject({
      status: 'scheduled',
      list_id: expect.stringMatching(/^lst_/),
    });
  });

  it('is duplicated as a draft of its content, with edited copies only on request', async () => {
    const vip = await addTemplate({ name: 'For VIPs' });
    const { json } = await create({
      subject: 'Words',
      variants: [{ tag: 'vip', template_id: vip }],
      split: { variants: [{ key: 'a' }, { key: 'b', subject: 'Other' }], test_percent: 20 },
      segment_tag: 'vip',
      scheduled_at: new Date(clock.now() + HOUR_MS).toISOString(),
    });
    const url = `/v1/campaigns/${json.id}`;
    await ask('PUT', `${url}/overrides`, { email: 'ann@example.com', subject: 'For {{name}}' });
    await ask('POST', `${url}/send`);
    const copy = await ask('POST', `${url}/duplicate`);
    expect(copy.status).toBe(201);
    const { list_id, template_id, subject, variants, split, segment_tag } = json;
    expect(copy.json).toMatchObject({ list_id, template_id, subject, variants, split, segment_tag });
    expect(copy.json).toMatchObject({
      name: 'News (copy)',
      status: 'draft',
      scheduled_at: null,
      started_at: null,
      stats: { recipients: 0 },
    });
    expect((await ask('GET', `/v1/campaigns/${copy.json.id}/overrides`)).json.data).toEqual([]);
    const whole = await ask('POST', `${url}/duplicate`, { name: 'Again', include_overrides: true });
    expect(whole).toMatchObject({ status: 201, json: { name: 'Again', status: 'draft' } });
    expect((await ask('GET', `/v1/campaigns/${whole.json.id}/overrides`)).json.data).toMatchObject([
      { email: 'ann@example.com', subject: 'For {{name}}', campaign_id: whole.json.id },
    ]);
    expect((await ask('POST', `${url}/duplicate`, { name: 'a\nb' })).status).toBe(422);
    expect((await ask('POST', `${url}/duplicate`, {}, api.liveKey)).status).toBe(404);
  });

  it('cannot be changed after it was sent, nor can its copies', async () => {
    const { json } = await create();
    const url = `/v1/campaigns/${json.id}`;
    for (const [status, code] of [
      ['sending', 'campaign_already_sent'],
      ['paused', 'campaign_already_sent'],
      ['sent', 'campaign_already_sent'],
      ['canceled', 'campaign_canceled'],
    ] as const) {
      await setStatus(json.id as string, status);
      const tries = [
        await ask('PATCH', url, { name: 'x' }),
        await ask('PUT', `${url}/overrides`, { email: 'ann@example.com', subject: 'x' }),
        await ask('DELETE', `${url}/overrides?email=ann@example.com`),
        await ask('POST', `${url}/send`),
      ];
      expect(tries.map((one) => [one.status, one.json.error.code])).toEqual(tries.map(() => [409, code]));
    }
  });

  it('is sent, paused, resumed, canceled, and then deleted', async () => {
    const { json } = await create();
    const url = `/v1/campaigns/${json.id}`;
    expect((await ask('POST', `${url}/pause`)).json.error.code).toBe('conflict');
    const statuses: unknown[] = [];
    for (const action of ['send', 'pause', 'resume', 'pause', 'cancel']) {
      clock.advance(10);
      statuses.push((await ask('POST', `${url}/${action}`)).json.status);
    }
    expect(statuses).toEqual(['sending', 'paused', 'sending', 'paused', 'canceled']);
    expect((await ask('POST', `${url}/cancel`)).json.error.code).toBe('campaign_canceled');
    expect((await ask('DELETE', url)).json).toEqual({ id: json.id, object: 'campaign', deleted: true });
    expect((await ask('GET', url)).status).toBe(404);
  });
});

describe('the preview', () => {
  it('shows copies by the same rules as sending, without skipped contacts', async () => {
    const vip = await addTemplate({ name: 'For VIPs', subject: 'Own', html: '<p>VIP {{first_name}}</p>' });
    const { json } = await create({
      subject: 'Base',
      variants: [{ tag: 'vip', template_id: vip, subject: 'Dear {{name}}' }],
    });
    const url = `/v1/campaigns/${json.id}`;
    await addSuppression('dan@example.com');
    await ask('PUT', `${url}/overrides`, { email: 'BOB@example.com', html: '<p>Only {{first_name}}</p>' });
    const page = await ask('GET', `${url}/preview`);
    expect(page.status).toBe(200);
    expect(page.json).toMatchObject({ object: 'list', total: 2, has_more: false, next_cursor: null });
    const [bob, ann] = page.json.data;
    expect(bob).toMatchObject({
      object: 'campaign_recipient',
      email: 'bob@example.com',
      name: 'Bob <b>',
      tags: [],
      variant_tag: null,
      template_name: 'News',
      edited: true,
      awaits_winner: false,
      subject: 'Base',
      problem: null,
    });
    expect(bob.html).toContain('<p>Only Bob</p>');
    expect(ann).toMatchObject({
      email: 'ann@example.com',
      variant_tag: 'vip',
      variant: 'vip',
      template_name: 'For VIPs',
      edited: false,
      subject: 'Dear Ann Smith',
    });
    for (const { html, text } of [bob, ann]) {
      expect(html).toContain('1 Street<br>Town');
      expect(html).toContain(sampleUnsubscribeUrl(PUBLIC_URL));
      expect(text).toContain('1 Street\nTown');
    }
    expect((await ask('GET', `${url}/preview?email=ann@example.com`)).json.data).toEqual([ann]);
    expect((await ask('GET', `${url}/preview?email=dan@example.com`)).json).toMatchObject({
      total: 0,
      data: [],
    });
    expect((await ask('GET', `${url}/preview?email=zoe@example.com`)).json.data).toEqual([]);
  });

  it('of a tag counts the contacts with the tag that may receive mail', async () => {
    const { json } = await create({ segment_tag: 'vip' });
    await addSuppression('dan@example.com');
    const page = await ask('GET', `/v1/campaigns/${json.id}/preview`);
    expect([page.json.total, emailsOf(page)]).toEqual([1, ['ann@example.com']]);
  });

  it('comes in pages, newest contact first', async () => {
    const people = Object.fromEntries(Array.from({ length: 7 }, (_, n) => [`p${n}@example.com`, {}]));
    const { json } = await create({ list_id: await addList(people) });
    const seen: string[] = [];
    let cursor = '';
    do {
      const page = await ask('GET', `/v1/campaigns/${json.id}/preview?limit=3${cursor}`);
      expect(page.json.total).toBe(7);
      seen.push(...emailsOf(page));
      cursor = page.json.next_cursor === null ? '' : `&cursor=${page.json.next_cursor}`;
    } while (cursor !== '');
    expect(seen).toEqual(Object.keys(people).reverse());
  });

  it('reports the recipient whose copy cannot be rendered and shows the others', async () => {
    const template = await addTemplate({ subject: '{{#if city}}From {{city}}{{/if}}' });
    const list = await addList({
      'ann@example.com': { metadata: { city: 'Bremen' } },
      'bob@example.com': {},
    });
    const { json } = await create({ list_id: list, template_id: template });
    const { data, total } = (await ask('GET', `/v1/campaigns/${json.id}/preview`)).json;
    expect(total).toBe(2);
    expect(data[0]).toMatchObject({
      email: 'bob@example.com',
      subject: null,
      html: null,
      problem: { code: 'subject_required' },
    });
    expect(data[1]).toMatchObject({ email: 'ann@example.com', subject: 'From Bremen', problem: null });
  });
});

describe('a sent campaign', () => {
  it('shows the copy of each recipient, which equals its preview, and its status', async () => {
    const vip = await addTemplate({ subject: 'Own', html: '<p>VIP {{first_name}}</p>' });
    const { json } = await create({ variants: [{ tag: 'vip', template_id: vip }] });
    const url = `/v1/campaigns/${json.id}`;
    await ask('PUT', `${url}/overrides`, { email: 'bob@example.com', subject: 'For {{name}}' });
    const before = (await ask('GET', `${url}/preview`)).json;
    expect((await ask('GET', `${url}/recipients`)).json.data).toEqual([]);
    await ask('POST', `${url}/send`);
    campaigns.start();
    try {
      await waitFor(
        'the copies are made',
        async () => (await ask('GET', `${url}/recipients?state=created`)).json.data.length === 3,
      );
    } finally {
      await campaigns.stop();
    }
    const after = (await ask('GET', `${url}/preview`)).json;
    const resolved = JSON.stringify(after).replace(/\/u\/[0-9a-z]{53}/g, `/u/${SAMPLE_TOKEN}`);
    expect(JSON.parse(resolved)).toEqual(before);
    const recipients = (await ask('GET', `${url}/recipients`)).json;
    const outcomes = recipients.data.map((one: Record<string, unknown>) => [
      one['email'],
      one['state'],
      one['reason'],
      one['variant'],
    ]);
    expect(outcomes).toEqual([
      ['dan@example.com', 'created', null, 'vip'],
      ['cid@example.com', 'skipped', 'unsubscribed', null],
      ['bob@example.com', 'created', null, null],
      ['ann@example.com', 'created', null, 'vip'],
    ]);
    expect(recipients.data[0].message_id).toMatch(/^msg_/);
    const one = await ask('GET', `${url}/recipients?email=bob@example.com`);
    expect(emailsOf(one)).toEqual(['bob@example.com']);
    expect((await ask('GET', `${url}/preview?email=cid@example.com`)).json.data).toEqual([]);
    expect((await ask('GET', url)).json.stats).toMatchObject({ recipients: 4, skipped: 1, failed: 0 });
  });
});

describe('an edited copy', () => {
  it('requires a recipient in the audience, text, and valid syntax', async () => {
    const { json } = await create({ segment_tag: 'vip' });
    const url = `/v1/campaigns/${json.id}/overrides`;
    const put = async (body: Record<string, unknown>): Promise<unknown[]> => {
      const answer = await ask('PUT', url, body);
      return [answer.status, answer.json.error?.code ?? null];
    };
    expect(await put({ email: 'ann@example.com', subject: 'Hi {{name}}' })).toEqual([200, null]);
    expect(await put({ email: 'bob@example.com', subject: 'Hi' })).toEqual([
      404,
      'recipient_not_in_audience',
    ]);
    expect(await put({ email: 'zoe@example.com', subject: 'Hi' })).toEqual([
      404,
      'recipient_not_in_audience',
    ]);
    expect(await put({ email: 'ann@example.com', subject: ' ' })).toEqual([422, 'validation_error']);
    expect(await put({ email: 'ann@example.com' })).toEqual([422, 'validation_error']);
    expect(await put({ email: 'ann@example.com', html: '{{#each' })).toEqual([422, 'template_invalid']);
    expect(await put({ email: 'nobody', subject: 'Hi' })).toEqual([422, 'validation_error']);
    const { json: list } = await ask('GET', url);
    expect(list.data).toMatchObject([
      { object: 'campaign_override', email: 'ann@example.com', subject: 'Hi {{name}}', html: null },
    ]);
    expect(await put({ email: 'ann@example.com', html: '<p>x</p>' })).toEqual([200, null]);
    expect((await ask('GET', url)).json.data).toMatchObject([{ subject: null, html: '<p>x</p>' }]);
    expect((await ask('DELETE', `${url}?email=ann@example.com`)).json.deleted).toBe(true);
    expect((await ask('DELETE', `${url}?email=ann@example.com`)).status).toBe(404);
  });
});

describe('a test message', () => {
  it("sends a recipient's copy to other addresses", async () => {
    const { json } = await create();
    const url = `/v1/campaigns/${json.id}/test`;
    const sent = await ask('POST', url, {
      to: ['me@example.org', 'ME@example.org', 'you@example.org'],
      email: 'bob@example.com',
    });
    expect(sent.status).toBe(202);
    expect(sent.json).toMatchObject({
      object: 'campaign_test',
      campaign_id: json.id,
      email: 'bob@example.com',
    });
    expect(sent.json.messages).toHaveLength(2);
    const scope = await api.scopeOf('test');
    const message = await api.store.messages.message(scope, sent.json.messages[0].id as string);
    expect(message).toMatchObject({
      to_email: 'me@example.org',
      subject: 'Hello Bob',
      type: 'transactional',
      campaign_id: null,
    });
    const content = message && (await api.store.messages.content(message));
    expect(content?.html).toContain('<p>Dear Bob</p>');
    expect(content?.html).toContain('1 Street<br>Town');
    expect((await ask('POST', url, { to: ['me@example.org'] })).json.email).toBe('dan@example.com');
    expect(
      (await ask('POST', url, { to: ['me@example.org'], email: 'zoe@example.com' })).json.error.code,
    ).toBe('recipient_not_in_audience');
    expect((await ask('POST', url, { to: [] })).status).toBe(422);
    expect(
      (await ask('POST', url, { to: Array.from({ length: 21 }, (_, n) => `p${n}@example.org`) })).status,
    ).toBe(422);
  });

  it('can be sent while the list is empty', async () => {
    const { json } = await create({ list_id: await addList({}) });
    const sent = await ask('POST', `/v1/campaigns/${json.id}/test`, { to: ['me@example.org'] });
    expect([sent.status, sent.json.email]).toEqual([202, 'me@example.org']);
  });
});

describe('the preflight', () => {
  const statusOf = (answer: ProgramAnswer): Record<string, string> =>
    Object.fromEntries(
      (answer.json.checks as { code: string; status: string }[]).map((one) => [one.code, one.status]),
    );

  it('reports missing variables, broken links and excluded contacts', async () => {
    const template = await addTemplate({
      html: '<p>{{city}}</p><a href="https://a.example/1">1</a><a href="https://a.example/2">2</a><a href="{{link}}">3</a><a href="https://mail.example.test/u/x">4</a><img src="https://a.example/i.png">',
    });
    const list = await addList({
      'ann@example.com': { name: 'Ann', metadata: { city: 'Bremen', link: 'https://a.example/3' } },
      'bob@example.com': { name: 'Bob', metadata: { link: '/relative' } },
      'cid@example.com': { status: 'bounced' },
    });
    verdict = { kind: 'dead', reason: 'gone' };
    const { json } = await create({ list_id: list, template_id: template });
    await addSuppression('zoe@example.com');
    const answer = await ask('GET', `/v1/campaigns/${json.id}/preflight`);
    expect(answer.status).toBe(200);
    expect(answer.json).toMatchObject({ object: 'campaign_preflight', campaign_id: json.id, ready: false });
    expect(statusOf(answer)).toMatchObject({
      sender: 'pass',
      postal_address: 'pass',
      audience: 'pass',
      suppression: 'pass',
      variables: 'warn',
      links: 'fail',
      placeholders: 'pass',
      dead_links: 'fail',
      images: 'warn',
      footer: 'pass',
      unsubscribe_link: 'pass',
      html_size: 'pass',
      text_part: 'pass',
    });
    const detailsOf = (code: string) =>
      answer.json.checks.find((one: { code: string }) => one.code === code).details;
    expect(detailsOf('variables')).toEqual({
      missing: [{ name: 'city', recipients: 1, emails: ['bob@example.com'] }],
    });
    expect(detailsOf('suppression')).toEqual({ skipped: 1, by_reason: { bounced: 1 } });
    expect(detailsOf('links')).toEqual({ links: [{ url: '/relative', problem: 'relative' }] });
    expect(asked).toEqual(['https://a.example/1', 'https://a.example/2', 'https://a.example/3']);
  });

  it('is ready without problems, and reports each failed check otherwise', async () => {
    const { json } = await create();
    const url = `/v1/campaigns/${json.id}/preflight`;
    expect((await ask('GET', url)).json.ready).toBe(true);
    await api.store.commit([
      update(organizations, { set: { postal_address: ' ' }, where: { id: api.organizationId } }),
      update(templates, { set: { deleted_at: clock.now() }, where: { id: json.template_id as string } }),
    ]);
    const answer = await ask('GET', url);
    expect(statusOf(answer)).toMatchObject({ postal_address: 'fail', template: 'fail' });
    expect(answer.json.ready).toBe(false);
  });

  it('requires a sender in live mode and considers the quota', async () => {
    const live = api.liveKey;
    await api.store.commit([
      update(organizations, { set: { plan: 'free' }, where: { id: api.organizationId } }),
    ]);
    const people = Object.fromEntries(
      Array.from({ length: 6 }, (_, n) => [`p${n}@example.com`, { name: 'P' }]),
    );
    const body = {
      name: 'News',
      list_id: await addList(people, null, 'live'),
      template_id: await addTemplate({}),
    };
    const { json } = await ask('POST', '/v1/campaigns', body, live);
    const answer = await ask('GET', `/v1/campaigns/${json.id}/preflight`, undefined, live);
    expect(statusOf(answer)).toMatchObject({ sender: 'fail', quota: 'warn' });
  });
});

describe('UTM parameters', () => {
  const copies = async (id: string): Promise<{ html: string; text: string }[]> =>
    (await api.ask('GET', `/v1/campaigns/${id}/preview`, { key: api.testKey })).json.data as never;

  it('are stored and added to every link except the unsubscribe link', async () => {
    const list_id = await addList({ 'ann@example.com': {}, 'vip@example.com': { tags: ['vip'] } });
    const html = '<p><a href="https://shop.example/?id={{email}}">Shop</a></p>';
    const template = await addTemplate({ html });
    const variants = [{ tag: 'vip', template_id: template }];
    const utm = { source: 'news', campaign: '{{campaign_name}}', content: '{{variant}}', medium: '' };
    const body = { name: 'Spring & sun', list_id, template_id: template, variants, utm };
    const made = await api.ask('POST', '/v1/campaigns', { key: api.testKey, body });
    expect(made.json.utm).toEqual({
      ...{ source: 'news', campaign: '{{campaign_name}}', content: '{{variant}}', medium: null, term: null },
    });
    const [one = { html: '', text: '' }, other = { html: '', text: '' }] = await copies(
      made.json.id as string,
    );
    const query = 'utm_source=news&utm_campaign=Spring%20%26%20sun';
    const shown = [one, other]
      .map((copy) => [copy.html.replaceAll('&#38;', '&'), copy.text].join('\n'))
      .join('\n');
    expect(shown.split(`&${query}`)).toHaveLength(5);
    expect(shown.split('&utm_content=vip')).toHaveLength(3);
    expect(shown).toContain(sampleUnsubscribeUrl(PUBLIC_URL));
    expect(shown).not.toContain(`${sampleUnsubscribeUrl(PUBLIC_URL)}?`);

    const copy = await api.ask('POST', `/v1/campaigns/${String(made.json.id)}/duplicate`, {
      key: api.testKey,
    });
    expect(copy.json.utm).toEqual(made.json.utm);
    const ended = await api.ask('PATCH', `/v1/campaigns/${String(made.json.id)}`, {
      ...{ key: api.testKey, body: { utm: null } },
    });
    expect(ended.json.utm).toBeNull();
  });

  it('are refused with an unknown placeholder', async () => {
    const body = { name: 'Spring', utm: { source: '{{first_name}}' } };
    const { status, text } = await api.ask('POST', '/v1/campaigns', { key: api.testKey, body });
    expect([status, text.includes('utm.source')]).toEqual([422, true]);
  });
});
