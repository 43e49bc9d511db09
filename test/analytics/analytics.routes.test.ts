// Tests GET /v1/analytics, GET /v1/campaigns/:id/analytics, and the messages of a campaign.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { TrailEvent } from '../../src/contract/names.js';
import { analyticsRoutes } from '../../src/analytics/analytics.routes.js';
import { messageRoutes } from '../../src/messages/messages.routes.js';
import { newId } from '../../src/lib/runtime/index.js';
import { createConsumer } from '../../src/events/consumers.store.js';
import type { Scope } from '../../src/database/scope.js';
import { campaignAnalyticsRoute, campaignStatistics } from '../../src/campaigns/analytics.routes.js';
import { createCountEvents } from '../../src/analytics/count-events.js';
import { newMessage, onlyId } from '../database/contract/builders.js';
import { fixedClock } from '../support/fixed-clock.js';
import { startApi, type StartedApi } from '../support/start-api.js';
import { type EventDetail, appendEvent } from '../../src/events/append.store.js';
import { type NewMessage, acceptMessage } from '../../src/messages/accept/accept.store.js';
import { campaignRecipients, campaigns } from '../../src/campaigns/campaigns.tables.js';
import { insert } from '../../src/database/rows.js';

const clock = fixedClock();
const NOW = clock.now();
const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const CAMPAIGN = newId('cmp', NOW);
const SEQUENCE = newId('seq', NOW);
let api: StartedApi;
let live: Scope;
let tenant: string;
let other: string;

type Said = TrailEvent | [TrailEvent, EventDetail['metadata']];

async function mail(
  scope: Scope,
  row: Partial<NewMessage['row']>,
  events: readonly Said[],
  at = NOW,
): Promise<string> {
  const message = newMessage(scope, { row });
  const accepted = message.events.map((event) => ({ ...event, occurredAt: at }));
  const messageId = onlyId(
    await api.store.commit([acceptMessage({ message: { ...message, events: accepted } })]),
  );
  await api.store.commit(
    events.map((said) => {
      const [event, metadata] = typeof said === 'string' ? [said, undefined] : said;
      return appendEvent({
        event: {
          environmentId: scope.environmentId,
          workspaceNumber: scope.workspaceNumber,
          messageId,
          subjectId: message.row.public_id,
          event,
          actor: 'system',
          occurredAt: at,
          ...(metadata ? { detail: { metadata } } : {}),
        },
      });
    }),
  );
  return message.row.public_id;
}

async function countAll(): Promise<void> {
  const { consumers, statistics } = api.store;
  const take = createCountEvents(statistics, (domain) => (domain === 'gmail.example' ? 'google' : null));
  const run = createConsumer({ name: 'statistics', consumers, batch: 100, take });
  while (await run());
}

async function campaign(
  id: string,
  scope: Scope,
  counters: { total: number; created: number; skipped: number },
) {
  await api.store.commit([
    insert(campaigns, {
      row: {
        id,
        environment_id: scope.environmentId,
        sub_tenant_id: scope.subTenantId,
        name: 'Spring',
        type: 'marketing',
        list_number: 1,
        template_id: 'tpl_1',
        variants: JSON.stringify([{ tag: 'vip', template_id: 'tpl_2', subject: null }]),
        status: 'sent',
        frozen_up_to: 0,
        suppressed: 0,
        failed: 0,
        created_at: NOW,
        updated_at: NOW,
        ...counters,
      },
    }),
    ...[1, 2].map((number) =>
      insert(campaignRecipients, {
        row: {
          campaign_id: id,
          contact_number: number,
          email: `skipped${number}@example.com`,
          email_key: `skipped${number}@example.com`,
          state: 'skipped',
          reason: 'suppressed',
        },
      }),
    ),
  ]);
}

beforeAll(async () => {
  api = await startApi({
    clock: clock.now,
    routes: (store) => [
      (app) => analyticsRoutes(app, { store, clock: clock.now }, campaignStatistics(store)),
      (app) =>
        campaignAnalyticsRoute(app, {
          store,
          clock: clock.now,
        }),
      (app) => messageRoutes(app, { store, config: {} } as unknown as Parameters<typeof messageRoutes>[1]), // lists only
    ],
  });
  live = await api.scopeOf('live');
  tenant = await api.addTenant('one');
  other = await api.addTenant('two');
  await campaign(CAMPAIGN, live, { total: 5, created: 3, skipped: 2 });
  const copy = { type: 'marketing', campaign_id: CAMPAIGN } as const;
  const shop = 'https://shop.example/';
  await mail(live, { ...copy, status: 'clicked' }, [
    'sent',
    'delivered',
    ['opened', { machine: true }],
    'opened',
    ['clicked', { url: shop }],
    ['clicked', { url: shop }],
    ['clicked', { url: shop, machine: true }],
  ]);
  await mail(
    live,
    { ...copy, variant: 'vip', status: 'opened' },
    ['sent', 'delivered', 'opened'],
    NOW - 2 * HOUR,
  );
  await mail(live, { ...copy, status: 'bounced', tags: '["vip"]', to_key: 'a@gmail.example' }, [
    'sent',
    ['bounced', { type: 'hard' }],
  ]);
  await mail(
    live,
    { type: 'sales', sequence_id: SEQUENCE, variant: 'stp_1', tags: '["vip","new"]' },
    ['sent'],
    NOW - 3 * DAY,
  );
  await mail({ ...live, subTenantId: tenant }, {}, ['sent', 'delivered', 'complained'], NOW - DAY);
  await mail({ ...live, subTenantId: other }, {}, ['sent'], NOW - 29 * DAY);
  await mail(live, {}, ['sent'], NOW - 30 * DAY);
  await mail(await api.scopeOf('test'), {}, ['sent', 'delivered', 'opened']);
  await countAll();
});

afterAll(() => api.close());

async function ask(path: string, key?: string) {
  return api.ask('GET', path, key === undefined ? {} : { key });
}

describe('GET /v1/analytics', () => {
  it('returns totals and days of the last thirty days', async () => {
    const { status, json } = await ask('/v1/analytics');
    expect(status).toBe(200);
    expect(json).toMatchObject({
      object: 'analytics',
      window_days: 30,
      sub_tenant_id: null,
      type: null,
      up_to_date: true,
      funnel: { queued: 6, sent: 6, delivered: 3, opened: 2, clicked: 1 },
      rates: {
        delivery: 0.5,
        open: 0.666667,
        click: 0.333333,
        click_to_open: 0.5,
        bounce: 0.166667,
        complaint: 0.333333,
        unsubscribe: 0,
      },
      machine: { opened: 1, clicked: 1, opens: 1, clicks: 1 },
      totals: { opens: 2, clicks: 2, hard_bounced: 1, complained: 1, failed: 0 },
    });
    expect(json.series).toHaveLength(30);
    expect(json.series[0]).toMatchObject({ date: '2025-12-04', sent: 1, delivered: 0 });
    expect(json.series[1]).toMatchObject({ date: '2025-12-05', sent: 0 });
    expect(json.series[28]).toMatchObject({ date: '2026-01-01', complained: 1 });
    expect(json.series[29]).toMatchObject({ date: '2026-01-02', sent: 3, opened: 2 });
  });

  it.each([
    ['?window_days=1', { sent: 3, delivered: 2, opened: 2, clicked: 1 }],
    ['?window_days=366', { sent: 7, delivered: 3 }],
    ['?type=marketing', { sent: 3, delivered: 2 }],
    ['?type=sales', { queued: 1, sent: 1, delivered: 0 }],
    ['?type=transactional', { sent: 2, delivered: 1 }],
  ])('filters by %s', async (query, funnel) => {
    const { json } = await ask(`/v1/analytics${query}`);
    expect(json.funnel).toMatchObject(funnel);
    const sent = json.series.reduce((sum: number, row: { sent: number }) => sum + row.sent, 0);
    expect(sent).toBe(json.funnel.sent);
  });

  it('has no rates without sent mail', async () => {
    const { json } = await ask('/v1/analytics?window_days=1&type=sales');
    expect(Object.values(json.rates).every((rate) => rate === null)).toBe(true);
  });

  it('separates sub-tenants and environments', async () => {
    const own = await ask(`/v1/analytics?sub_tenant_id=${tenant}`);
    expect(own.json).toMatchObject({ sub_tenant_id: tenant, funnel: { sent: 1, delivered: 1 } });
    const pinned = await api.addKey({ subTenantId: other });
    expect((await ask('/v1/analytics', pinned)).json).toMatchObject({
      sub_tenant_id: other,
      funnel: { sent: 1, delivered: 0 },
    });
    expect((await ask(`/v1/analytics?sub_tenant_id=${tenant}`, pinned)).status).toBeGreaterThanOrEqual(400);
    expect((await ask('/v1/analytics?sub_tenant_id=tnt_none')).status).toBeGreaterThanOrEqual(400);
    expect((await ask('/v1/analytics', api.testKey)).json.funnel).toMatchObject({ sent: 1, opened: 1 });
  });

  it.each(['?window_days=0', '?window_days=367', '?window_days=x', '?type=any', '?windowdays=3'])(
    'refuses %s',
    async (query) => {
      expect(await ask(`/v1/analytics${query}`)).toMatchObject({
        status: 422,
        json: { error: { type: 'validation_error' } },
      });
    },
  );

  it('can be read with a read-only key', async () => {
    expect((await ask('/v1/analytics', await api.addKey({ permission: 'read' }))).status).toBe(200);
  });
});

describe('GET /v1/analytics for a time range', () => {
  const sent = (rows: { sent: number }[]) => rows.map((row) => row.sent);

  it('returns hours, weeks and months', async () => {
    const hours = await ask('/v1/analytics?unit=hour&from=2026-01-02T00:00:00Z');
    expect(hours.json).toMatchObject({
      unit: 'hour',
      window_days: 1,
      from: '2026-01-02T00:00:00.000Z',
      to: '2026-01-02T04:00:00.000Z',
    });
    expect(sent(hours.json.series)).toEqual([0, 1, 0, 2]);
    const weeks = await ask('/v1/analytics?unit=week&from=2025-12-24&to=2026-01-03');
    expect(weeks.json.series).toMatchObject([
      { date: '2025-12-22', sent: 0 },
      { date: '2025-12-29', sent: 5 },
    ]);
    const months = await ask('/v1/analytics?unit=month&from=2025-11-30&to=2026-01-03');
    expect(months.json.series).toMatchObject([
      { date: '2025-11-01', sent: 0 },
      { at: '2025-12-01T00:00:00.000Z', sent: 3 },
      { date: '2026-01-01', sent: 4 },
    ]);
    expect(months.json.to).toBe('2026-02-01T00:00:00.000Z');
  });

  it.each([
    ['tag', [['vip', null, 2], ['new', null, 1]]],
    ['provider', [['unknown', null, 5], ['google', null, 1]]],
    ['campaign', [[CAMPAIGN, 'Spring', 3]]],
    ['type', [['marketing', null, 3], ['transactional', null, 2], ['sales', null, 1]]],
  ])('groups by %s', async (by, expected) => {
    const { json } = await ask(`/v1/analytics?group_by=${by}`);
    const groups = json.groups as { key: string; name: string | null; sent: number }[];
    expect(groups.map(({ key, name, sent: n }) => [key, name, n])).toEqual(expected);
    expect(json).toMatchObject({ group_by: by, has_more_groups: false, funnel: { sent: 6 } });
  }); // prettier-ignore

  it('groups by sub-tenant, and a pinned one sees itself', async () => {
    const { json } = await ask('/v1/analytics?group_by=sub_tenant');
    expect(json.groups).toMatchObject([
      { key: null, name: null, sent: 4 },
      ...[tenant, other].sort().map((key) => ({ key, sent: 1 })),
    ]);
    const pinned = await api.addKey({ subTenantId: tenant });
    const own = await ask('/v1/analytics?group_by=sub_tenant', pinned);
    expect(own.json.groups).toMatchObject([{ key: tenant, sent: 1, rates: { complaint: 1 } }]);
    expect((await ask('/v1/analytics?group_by=tag', pinned)).json.groups).toEqual([]);
    expect((await ask('/v1/analytics?group_by=tag', api.testKey)).json.groups).toEqual([]);
  });

  it.each([
    ['tag=vip', 2],
    ['tag=none', 0],
    ['provider=google', 1],
    ['provider=google&type=sales', 0],
    [`campaign_id=${CAMPAIGN}`, 3],
    [`campaign_id=${CAMPAIGN}&unit=hour&from=2026-01-02`, 3],
  ])('filters by %s', async (query, n) => {
    const { status, json } = await ask(`/v1/analytics?${query}`);
    expect(status).toBe(200);
    expect(json.funnel.sent).toBe(n);
  });

  it.each([
    ['from=2026-02-01', 'from'],
    ['from=yesterday', 'from'],
    ['from=2020-01-01', 'from'],
    ['unit=month&from=0001-01-01', 'from'],
    ['unit=hour&from=2025-12-20', 'from'],
    ['unit=hour&from=2025-11-01&to=2025-11-02', 'from'],
    ['unit=minute', 'unit'],
    ['unit=hour&tag=vip', 'unit'],
    ['group_by=tag&provider=google', 'provider'],
    ['window_days=3&from=2026-01-01', 'window_days'],
    ['group_by=status', 'group_by'],
  ])('refuses %s', async (query, field) => {
    const { status, json } = await ask(`/v1/analytics?${query}`);
    expect(status).toBe(422);
    expect(JSON.stringify(json.error)).toContain(field);
  });

  it("reveals nothing about another's campaign", async () => {
    const pinned = await api.addKey({ subTenantId: tenant });
    const path = `/v1/analytics?campaign_id=${CAMPAIGN}`;
    for (const key of [api.testKey, pinned]) expect((await ask(path, key)).status).toBe(404);
    expect((await ask('/v1/analytics?campaign_id=x')).status).toBe(404);
  });
});

describe('GET /v1/campaigns/:id/analytics', () => {
  it('shows the results by copy, link and hour', async () => {
    const { status, json } = await ask(`/v1/campaigns/${CAMPAIGN}/analytics`);
    expect(status).toBe(200);
    expect(json).toMatchObject({
      object: 'campaign_analytics',
      campaign_id: CAMPAIGN,
      total: 5,
      by_status: { clicked: 1, opened: 1, bounced: 1, delivered: 0, queued: 0 },
      recipients: { created: 3, skipped: 2, failed: 0, waiting: 0 },
      skipped: { suppressed: 2 },
      up_to_date: true,
      funnel: { queued: 3, sent: 3, delivered: 2, opened: 2, clicked: 1 },
      rates: { delivery: 0.666667, open: 1, click: 0.5, bounce: 0.333333, complaint: 0 },
      machine: { opened: 1, clicked: 1, opens: 1, clicks: 1 },
      variants: [
        { tag: null, sent: 2, delivered: 1, opened: 1, clicked: 1, rates: { open: 1 } },
        { tag: 'vip', sent: 1, delivered: 1, opened: 1, clicked: 0, rates: { open: 1, click: 0 } },
      ],
      links: [{ url: 'https://shop.example/', clicks: 2, people: 1, machine_clicks: 1 }],
      series_unit: 'hour',
    });
    expect(json.series).toMatchObject([
      { at: '2026-01-02T01:00:00.000Z', sent: 1 },
      { at: '2026-01-02T02:00:00.000Z', sent: 0 },
      { at: '2026-01-02T03:00:00.000Z', sent: 2, clicked: 1 },
    ]);
  });

  it('is updated by events, and shows a long time by days', async () => {
    const id = newId('cmp', NOW);
    await campaign(id, live, { total: 1, created: 1, skipped: 0 });
    const copy = { type: 'marketing', campaign_id: id } as const;
    expect((await ask(`/v1/campaigns/${id}/analytics`)).json).toMatchObject({
      by_status: { delivered: 0 },
      series: [],
      rates: { delivery: null },
    });
    await mail(live, { ...copy, status: 'delivered' }, ['sent', 'delivered'], NOW - 10 * DAY);
    await mail(live, { ...copy, status: 'sent' }, ['sent']);
    clock.advance(1);
    expect((await ask(`/v1/campaigns/${id}/analytics`)).json.up_to_date).toBe(false);
    await countAll();
    const { json } = await ask(`/v1/campaigns/${id}/analytics`);
    expect(json).toMatchObject({
      up_to_date: true,
      by_status: { delivered: 1, sent: 1 },
      series_unit: 'day',
    });
    expect(json.series).toHaveLength(11);
    expect(json.series[0]).toMatchObject({ at: '2025-12-23T00:00:00.000Z', delivered: 1 });
  });

  it('is not found in another environment or sub-tenant, or without a campaign', async () => {
    const path = `/v1/campaigns/${CAMPAIGN}/analytics`;
    const pinned = await api.addKey({ subTenantId: tenant });
    expect((await ask(path, api.testKey)).status).toBe(404);
    expect((await ask(path, pinned)).status).toBe(404);
    expect((await ask(`/v1/campaigns/${newId('cmp', NOW)}/analytics`)).status).toBe(404);
    expect((await ask('/v1/campaigns/x/analytics')).status).toBe(404);
  });
});

describe('GET /v1/messages', () => {
  it('finds the messages of a campaign or a sequence, with their source', async () => {
    const ofCampaign = await ask(`/v1/messages?campaign_id=${CAMPAIGN}`);
    expect(ofCampaign.json.data).toHaveLength(3);
    expect(ofCampaign.json.data[1]).toMatchObject({
      campaign_id: CAMPAIGN,
      sequence_id: null,
      variant: 'vip',
    });
    const bounced = await ask(
      `/v1/messages?campaign_id=${CAMPAIGN}&status=bounced&sandbox=false&type=marketing`,
    );
    expect(bounced.json.data).toHaveLength(1);
    expect((await ask(`/v1/messages?campaign_id=${CAMPAIGN}&sandbox=true`)).json.data).toEqual([]);
    expect((await ask(`/v1/messages?campaign_id=${CAMPAIGN}&sub_tenant_id=${tenant}`)).json.data).toEqual([]);
    expect((await ask(`/v1/messages?campaign_id=${CAMPAIGN}`, api.testKey)).json.data).toEqual([]);
    const ofSequence = await ask(`/v1/messages?sequence_id=${SEQUENCE}`);
    expect(ofSequence.json.data).toMatchObject([
      { sequence_id: SEQUENCE, campaign_id: null, variant: 'stp_1' },
    ]);
  });
});
