// Tests the event feed: all events of an environment, newest first, or oldest first to catch up.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { TrailEvent } from '../../src/contract/names.js';
import { eventRoutes } from '../../src/feed/events.routes.js';
import type { Scope } from '../../src/database/scope.js';
import { newMessage } from '../database/contract/builders.js';
import { startApi, type StartedApi } from '../support/start-api.js';
import { appendEvent } from '../../src/events/append.store.js';
import { acceptMessage } from '../../src/messages/accept/accept.store.js';

const AT = Date.UTC(2026, 0, 2, 3, 4, 5, 678);
let api: StartedApi;

interface Item {
  id: string;
  event: string;
  data: { id: string };
}

beforeAll(async () => {
  api = await startApi({ routes: (store) => [(app) => eventRoutes(app, { store })] });
});

afterAll(() => api.close());

async function feed(query = '', key?: string) {
  return api.ask('GET', `/v1/events${query}`, key === undefined ? {} : { key });
}

async function append(scope: Scope, subjectId: string, events: TrailEvent[], occurredAt = AT): Promise<void> {
  await api.store.commit(
    events.map((event) =>
      appendEvent({
        event: {
          environmentId: scope.environmentId,
          workspaceNumber: scope.workspaceNumber,
          messageId: null,
          subjectId,
          event,
          actor: 'system',
          occurredAt,
        },
      }),
    ),
  );
}

describe('GET /v1/events', () => {
  it("shows an event of a message with the message's labels", async () => {
    const scope = await api.scopeOf('live');
    const message = newMessage(scope, { tags: ['a', 'b'], row: { metadata: '{"order":7}' } });
    const events = message.events.map((event) => ({
      ...event,
      event: 'opened' as const,
      actor: 'recipient' as const,
      occurredAt: AT,
      detail: { metadata: { machine: true }, ip: '192.0.2.1', user_agent: 'Mail' },
    }));
    await api.store.commit([acceptMessage({ message: { ...message, events } })]);
    const { status, json } = await feed('?limit=1');
    expect(status).toBe(200);
    expect(json.data[0]).toEqual({
      id: expect.stringMatching(/^evt_[0-9a-z]{26}$/) as unknown,
      object: 'event',
      event: 'message.opened',
      occurred_at: '2026-01-02T03:04:05.678Z',
      actor: 'recipient',
      data: {
        id: message.row.public_id,
        event: 'message.opened',
        occurred_at: '2026-01-02T03:04:05.678Z',
        metadata: { machine: true },
        ip: '192.0.2.1',
        user_agent: 'Mail',
      },
      tags: ['a', 'b'],
      metadata: { order: 7 },
      sub_tenant_id: null,
      sandbox: false,
    });
  });

  it('pages newest first through one environment only', async () => {
    const live = await api.scopeOf('live');
    const test = await api.scopeOf('test');
    for (let i = 0; i < 5; i++) {
      await append(live, `msg_l${i}`, ['queued']);
      await append(test, `msg_t${i}`, ['canceled']);
    }
    const seen: Item[] = [];
    for (let cursor: string | null = ''; cursor !== null;) {
      const { json } = await feed(`?limit=2${cursor === '' ? '' : `&cursor=${cursor}`}`, api.testKey);
      seen.push(...(json.data as Item[]));
      cursor = json.next_cursor as string | null;
    }
    expect(seen.map((one) => one.data.id)).toEqual(['msg_t4', 'msg_t3', 'msg_t2', 'msg_t1', 'msg_t0']);
    expect(seen[0]).toMatchObject({ event: 'message.canceled', sandbox: true });
    expect((await feed('?limit=5')).json.data.map((one: Item) => one.event)).toEqual(
      Array.from({ length: 5 }, () => 'message.queued'),
    );
  });

  it('continues after the last seen event, oldest first', async () => {
    const scope = await api.scopeOf('test');
    await append(scope, 'msg_before', ['sent']);
    const last = ((await feed('?limit=1', api.testKey)).json.data as Item[])[0]?.id ?? '';
    expect((await feed(`?order=asc&after=${last}`, api.testKey)).json).toMatchObject({
      data: [],
      has_more: false,
    });
    await append(scope, 'msg_x', ['sent', 'delivered', 'opened']);
    const page = (await feed(`?order=asc&after=${last}&limit=2`, api.testKey)).json;
    expect(page.data.map((one: Item) => one.event)).toEqual(['message.sent', 'message.delivered']);
    expect(page.has_more).toBe(true);
    const rest = (await feed(`?order=asc&cursor=${String(page.next_cursor)}`, api.testKey)).json;
    expect(rest.data.map((one: Item) => one.event)).toEqual(['message.opened']);
    expect(rest.has_more).toBe(false);
  });

  it('finds the events of a time range, even if the chain is not sorted by time', async () => {
    const scope = await api.scopeOf('test');
    const DAY = 86_400_000;
    const start = Date.UTC(2030, 0, 1);
    for (let day = 0; day < 5; day++) {
      await append(
        scope,
        `msg_day${day}`,
        Array.from({ length: 60 }, () => 'opened'),
        start + day * DAY,
      );
    }
    // Classified half an hour after it arrived, when the next day had begun.
    await append(scope, 'msg_late', ['delivered'], start + 5 * DAY - 1_000);
    const range = 'since=2030-01-03&until=2030-01-04T00:00:00Z';
    const seen: Item[] = [];
    for (let cursor: string | null = ''; cursor !== null;) {
      const page = await feed(`?limit=25&${range}${cursor === '' ? '' : `&cursor=${cursor}`}`, api.testKey);
      seen.push(...(page.json.data as Item[]));
      cursor = page.json.next_cursor as string | null;
    }
    expect(seen.map((one) => one.data.id)).toEqual(Array.from({ length: 60 }, () => 'msg_day2'));
    const late = await feed('?events=message.delivered&since=2030-01-05&until=2030-01-06', api.testKey);
    expect(late.json.data.map((one: Item) => one.data.id)).toEqual(['msg_late']);
    expect((await feed('?since=2031-01-01', api.testKey)).json).toMatchObject({ data: [], has_more: false });
    expect(await feed('?since=yesterday', api.testKey)).toMatchObject({ status: 422 });
  });

  it("shows a pinned key its sub-tenant's events, including those about the sub-tenant", async () => {
    const tenant = await api.addTenant('acme');
    const key = await api.addKey({ subTenantId: tenant });
    const scope = await api.scopeOf('live', tenant);
    const message = newMessage(scope);
    await api.store.commit([acceptMessage({ message })]);
    await append(scope, tenant, ['tenant_warned']);
    await append(scope, 'tnt_other', ['tenant_warned']);
    const { json } = await feed('', key);
    expect(json.data).toMatchObject([
      { event: 'tenant.warned', data: { id: tenant }, sub_tenant_id: tenant, tags: [], metadata: {} },
      { event: 'message.queued', data: { id: message.row.public_id }, sub_tenant_id: tenant },
    ]);
    const narrowed = await api.ask('GET', '/v1/events', { headers: { 'x-sub-tenant-id': tenant } });
    expect(narrowed.json).toEqual(json);
    expect((await feed(`?sub_tenant_id=${tenant}`)).json).toEqual(json);
    const other = await api.addTenant('other');
    expect((await feed(`?sub_tenant_id=${other}`, key)).json).toMatchObject({ data: [], has_more: false });
  });

  it('finds the few events of a sub-tenant among many others, page by page', async () => {
    const tenant = await api.addTenant('rare');
    const key = await api.addKey({ subTenantId: tenant });
    const scope = await api.scopeOf('live', tenant);
    await append(scope, tenant, ['tenant_warned']);
    for (let i = 0; i < 45; i++) {
      await append(
        scope,
        'msg_many',
        Array.from({ length: 1_000 }, () => 'opened' as const),
      );
    }
    const first = (await feed('', key)).json;
    expect(first).toMatchObject({ data: [], has_more: true });
    const second = (await feed(`?cursor=${String(first.next_cursor)}`, key)).json;
    expect(second.data).toMatchObject([{ event: 'tenant.warned', data: { id: tenant } }]);
    expect(second.has_more).toBe(false);
  });

  it('shows only the selected events', async () => {
    const scope = await api.scopeOf('test');
    await append(scope, 'msg_named', ['queued', 'sent', 'delivered', 'opened']);
    const { json } = await feed('?events=message.queued,message.opened&limit=2', api.testKey);
    expect(json.data.map((one: Item) => one.event)).toEqual(['message.opened', 'message.queued']);
    expect((await feed('?events=message.sent,,', api.testKey)).status).toBe(422);
    expect((await feed('?events=message.read', api.testKey)).json.error.message).toContain('"message.read"');
  });

  it.each([
    ['?after=evt_00000000000000000000000000', 422],
    ['?order=asc&after=evt_1', 400],
    ['?order=asc&after=evt_00000000000000000000000000&cursor=MQ', 400],
    ['?order=up', 422],
    ['?cursor=x', 400],
    ['?colour=red', 422],
  ])('refuses %s', async (query, status) => {
    expect((await feed(query)).status).toBe(status);
  });
});
