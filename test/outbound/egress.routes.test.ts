// Tests GET, POST and DELETE /v1/routes: valid routes, their purpose, and permissions.
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { createLog } from '../../src/lib/runtime/index.js';
import { EgressControl } from '../../src/outbound/route/egress-control.js';
import { compileEgress } from '../../src/outbound/route/egress-data.rules.js';
import { egressRoutes } from '../../src/outbound/route/egress.routes.js';
import { CurrentShares } from '../../src/outbound/route/current-shares.js';
import { noEngagement } from '../support/no-engagement.js';
import { OperatorEgress } from '../../src/outbound/route/operator-egress.js';
import { WakeUp } from '../../src/outbound/schedule/wake-up.js';
import { newMessage } from '../database/contract/builders.js';
import { startApi, type StartedApi } from '../support/start-api.js';
import { acceptMessage } from '../../src/messages/accept/accept.store.js';

const NOW = Date.UTC(2026, 2, 10, 12);
const EGRESS = compileEgress(
  { smarthosts: [{ name: 'relay', url: 'smtp://relay.example' }] },
  { sourceAddresses: '192.0.2.1', smarthost: null, ehloName: 'mta.example.test' },
);

let now = NOW;
let api: StartedApi;
let control: EgressControl;
let recalls = 0;

beforeAll(async () => {
  const log = createLog('silent');
  const clock = (): number => now;
  const providers = { names: new Set(['google']) };
  const operator = new OperatorEgress({ egress: EGRESS, providers, log }, [], []);
  api = await startApi({
    clock,
    routes: (store) => {
      control = new EgressControl(
        {
          paths: { recall: () => void (recalls += 1) },
          externalIds: new Map([['tnt_1', 'acme']]),
          wakeUp: new WakeUp(),
          ...{ egress: EGRESS, operator, shares: new CurrentShares([]), commit: store.commit, clock, log },
        },
        (domain) => (domain === 'gmail.com' ? 'google' : null),
      );
      return [(app) => egressRoutes(app, { store, control, engagement: noEngagement, clock })];
    },
  });
});
afterAll(() => api.close());
afterEach(async () => {
  now = NOW;
  for (const { row } of control.routes()) await api.ask('DELETE', `/v1/routes/${row.id}`);
});

const WISH = { via: ['smarthost:relay'], reason: 'a test' };
const post = (body: object, key?: string) =>
  api.ask('POST', '/v1/routes', { body, ...(key === undefined ? {} : { key }) });
const stored = () => api.store.traffic.operatorRoutes();

it.each([
  ['no criterion', {}, 'all'],
  ['all beside a criterion', { all: true, domains: ['a.example'] }, 'all'],
  ['an unknown way', { all: true, via: ['pool:default', 'pool:nowhere'] }, 'via[1]'],
  ['a way that is a bare name', { all: true, via: ['relay'] }, 'via[0]'],
  ['an unknown provider', { providers: ['goggle'] }, 'providers'],
  ['a domain that is none', { domains: ['*.*'] }, 'domains'],
  ['an end that is past', { all: true, expires_at: '2026-03-10T11:59:59Z' }, 'expires_at'],
])('refuses %s, and stores nothing', async (_, wish, param) => {
  const { status, json } = await post({ ...WISH, ...wish });
  expect([status, json.error.param]).toEqual([422, param]);
  expect(await stored()).toEqual([]);
});

it('counts the matching waiting mail of all workspaces and tenants in live', async () => {
  const live = await api.scopeOf('live');
  const test = await api.scopeOf('test');
  const enqueue = (
    domain: string,
    { scope = live, tags = [] as string[], rank = 1, type = 'transactional' } = {},
  ) => {
    const message = {
      ...newMessage(scope, { domain, to: `ann@${domain}`, row: { type: type as 'marketing' } }),
      tags,
    };
    const queue = message.queue && { ...message.queue, rank };
    return api.store.commit([acceptMessage({ message: { ...message, queue } })]);
  };
  await enqueue('gmail.com');
  await enqueue('gmail.com', { tags: ['spring', 'sale'] });
  await enqueue('gmail.com', { rank: 4, type: 'marketing' });
  await enqueue('sub.example.com');
  await enqueue('gmail.com', { scope: test });

  const matched = async (wish: object) => {
    const { status, json, text } = await post({ ...WISH, ...wish, dry_run: true });
    expect(status, text).toBe(200);
    return [json.matched, (json.destinations as { domain: string }[]).map(({ domain }) => domain)];
  };
  expect(await matched({ all: true })).toEqual([4, ['gmail.com', 'sub.example.com']]);
  expect(await matched({ providers: ['google'] })).toEqual([3, ['gmail.com']]);
  expect(await matched({ domains: ['*.Example.com'] })).toEqual([1, ['sub.example.com']]);
  expect(await matched({ tags: ['spring', 'sale', 'other'] })).toEqual([1, ['gmail.com']]);
  expect(await matched({ types: ['marketing'] })).toEqual([1, ['gmail.com']]);
  expect(await matched({ sub_tenants: ['acme'] })).toEqual([0, []]);
  expect(await stored()).toEqual([]);
});

it('creates a route with a share, whose current value is stored and deleted with it', async () => {
  const wish = { via: ['pool:default', 'smarthost:relay'], all: true, reason: 'leaving' };
  const rise = { step: 5, every_days: 2, until: 80 };
  const { json } = await post({ ...wish, share: 10, rise });
  expect(json.route).toMatchObject({ share: 10, rise });
  const id = json.route.id as string;
  expect(control.shares().map(({ name, row }) => [name, row.percent])).toEqual([[id, 10]]);
  expect((await api.store.traffic.routeShares()).map(({ route }) => route)).toEqual([id]);
  expect((await api.ask('GET', '/v1/routes')).json.data[0]).toMatchObject({ share: 10, rise });
  await api.ask('DELETE', `/v1/routes/${id}`);
  expect(await api.store.traffic.routeShares()).toEqual([]);
  expect(control.shares()).toEqual([]);
});

it.each([
  ['a share without a smarthost', { via: ['pool:default'], share: 10 }, 'via'],
  ['a share above 100', { via: ['pool:default', 'smarthost:relay'], share: 101 }, 'share'],
  ['a rise without a share', { rise: { step: 5, every_days: 2 } }, 'rise'],
])('refuses %s', async (_, wish, param) => {
  const { status, json } = await post({ ...WISH, all: true, ...wish });
  expect([status, json.error.param]).toEqual([422, param]);
});

it('lists suspensions newest first in pages, ends them automatically, and deletes their rows', async () => {
  const ids: string[] = [];
  for (const reason of ['first', 'second', 'third']) {
    now += 1;
    const { json } = await post({
      ...WISH,
      domains: ['a.example'],
      reason,
      expires_at: '2026-03-10T13:00:00Z',
    });
    ids.unshift(json.route.id as string);
  }
  const first = (await api.ask('GET', '/v1/routes?limit=2')).json;
  const second = (await api.ask('GET', `/v1/routes?limit=2&cursor=${first.next_cursor as string}`)).json;
  expect([...first.data, ...second.data].map(({ id }: { id: string }) => id)).toEqual(ids);
  expect(first.data[0]).toMatchObject({
    domains: ['a.example'],
    types: null,
    state: 'active',
    problem: null,
  });

  // The last route of the first page was deleted, and the next page continues after it.
  await api.ask('DELETE', `/v1/routes/${ids[1]}`);
  const after = (await api.ask('GET', `/v1/routes?limit=2&cursor=${first.next_cursor as string}`)).json;
  expect(after.data.map(({ id }: { id: string }) => id)).toEqual([ids[2]]);

  now = NOW + 3_600_000;
  expect((await api.ask('GET', '/v1/routes')).json.data).toEqual([]);
  const before = recalls;
  control.tick();
  expect(recalls).toBe(before + 1);
  await expect.poll(stored).toEqual([]);
  expect((await api.ask('DELETE', `/v1/routes/${ids[0]}`)).status).toBe(404);
});

it('is for the operator in live mode only', async () => {
  const tenant = await api.addTenant('beta');
  for (const [key, reads] of [
    [await api.addKey({ permission: 'full' }), 403],
    [await api.addKey({ permission: 'admin', subTenantId: tenant }), 403],
    [await api.addKey({ permission: 'admin', mode: 'test' }), 200],
  ] as const) {
    expect((await api.ask('GET', '/v1/routes', { key })).status).toBe(reads);
    expect((await post({ ...WISH, all: true }, key)).status).toBe(403);
    expect((await api.ask('DELETE', '/v1/routes/rte_01kdyak3se4w5amvgkazjzkvb7', { key })).status).toBe(403);
  }
  expect(await stored()).toEqual([]);
});
