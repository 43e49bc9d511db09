// Tests GET /v1/sources: the sources of mail, their warm-up, why they are closed, and permissions.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { sourceRoutes } from '../../src/outbound/route/sources.routes.js';
import { OperatorEgress } from '../../src/outbound/route/operator-egress.js';
import type { Egress } from '../../src/outbound/route/egress.rules.js';
import { createLog } from '../../src/lib/runtime/index.js';
import { viewSources } from '../../src/outbound/route/source-view.js';
import { PersistedCounters } from '../../src/outbound/shape/persisted-counters.js';
import { startApi, type StartedApi } from '../support/start-api.js';
import type { LimitOverride, SuspendedSource } from '../../src/outbound/outbound.tables.js';

const NOW = Date.UTC(2026, 2, 10, 12);
const DAY = Math.floor(NOW / 86_400_000);
const EGRESS: Egress = {
  sources: new Map([
    [
      'new',
      {
        name: 'new',
        address4: '192.0.2.2',
        address6: null,
        ehloName: 'new.example.test',
        families: [4],
        warmUp: { startedOn: '2026-03-01', dailyCaps: [50, 100, 200] },
      },
    ],
    [
      'default',
      {
        name: 'default',
        address4: null,
        address6: '2001:db8::1',
        ehloName: 'mail.example.test',
        families: [4, 6],
        warmUp: null,
      },
    ],
  ]),
  pools: new Map([
    [
      'main',
      [
        { source: 'default', weight: 3 },
        { source: 'new', weight: 1 },
      ],
    ],
    ['bulk', [{ source: 'new', weight: 1 }]],
  ]),
  smarthosts: new Map([
    [
      'partner',
      {
        host: 'smtp.partner.example',
        port: 587,
        tlsMode: 'required',
        verifyTls: true,
        auth: { user: 'us', pass: 'very-secret' },
        headers: [],
        mailFrom: null,
      },
    ],
    [
      'default',
      {
        host: 'relay.example',
        port: 25,
        tlsMode: 'opportunistic',
        verifyTls: false,
        auth: null,
        headers: [],
        mailFrom: null,
      },
    ],
  ]),
  routes: [],
  default: [{ kind: 'pool', pool: 'main' }],
  overflow: null,
  notes: [],
};

let api: StartedApi;
let rows: LimitOverride[] = [];
let stored: () => Promise<SuspendedSource[]>;

beforeAll(async () => {
  const clock = (): number => NOW;
  const log = createLog('silent');
  const counters = new PersistedCounters(
    new Map(
      Object.entries({
        'warm-up new > google': {
          stage: 1,
          day: DAY,
          sends: 40,
          deferred: 3,
          complained: 1,
          hour: 0,
          hourSends: 0,
        },
        // Yesterday's; today is the next day of the plan.
        'warm-up new > mx.site.example': {
          ...{ stage: 0, day: DAY - 1, sends: 10, deferred: 0, complained: 0, hour: 0, hourSends: 0 },
        },
        'rate new > google': { at: 1 },
      }).map(([key, state]) => [key, JSON.stringify(state)]),
    ),
    { commit: () => Promise.resolve(), clock, log },
  );
  const providers = { names: new Set<string>() };
  const operator = new OperatorEgress({ egress: EGRESS, providers, log }, [], []);
  const sources = () => viewSources({ egress: EGRESS, operator, counters, clock }, rows);
  api = await startApi({
    clock: () => NOW,
    routes: (store) => [
      (app) => sourceRoutes(app, { store, traffic: { sources }, control: operator, clock }),
    ],
  });
  stored = () => api.store.traffic.suspendedSources();
});
afterAll(() => api.close());
beforeEach(() => {
  rows = [];
});

const row = (fields: Partial<LimitOverride>): LimitOverride => ({
  id: 'ovr_1',
  path: 'new > google',
  provider: 'google',
  site: 'google',
  source: 'new',
  kind: 'connections',
  value: '{"limit":2}',
  sub_tenant_key: '',
  rule: 'adaptive',
  reason: 'too many connections',
  reply: '421 too many',
  created_at: NOW - 1_000,
  expires_at: NOW + 60_000,
  ...fields,
});

async function sources() {
  const { status, json, text } = await api.ask('GET', '/v1/sources');
  expect(status, text).toBe(200);
  const data = json.data as { name: string }[];
  return {
    text,
    names: data.map(({ name }) => name),
    of: (name: string) => data.find((one) => one.name === name),
  };
}

it('shows sources and smarthosts with pools and warm-up, without passwords', async () => {
  const { text, names, of } = await sources();
  expect(names).toEqual(['default', 'default', 'new', 'partner']);
  expect(of('default')).toMatchObject({
    kind: 'mta',
    ipv4: null,
    ipv6: '2001:db8::1',
    ehlo_name: 'mail.example.test',
    pools: [{ name: 'main', weight: 3 }],
    default: true,
    state: 'open',
    warm_up: null,
    limits: [],
  });
  expect(of('new')).toMatchObject({
    pools: [
      { name: 'main', weight: 1 },
      { name: 'bulk', weight: 1 },
    ],
    warm_up: {
      started_on: '2026-03-01',
      plan_days: 3,
      sent_today: 40,
      destinations_total: 2,
      destinations: [
        {
          destination: 'google',
          stage: 1,
          limit_today: 100,
          sent_today: 40,
          deferred_today: 3,
          complained_today: 1,
          held: true,
        },
        { destination: 'mx.site.example', stage: 1, limit_today: 100, sent_today: 0, held: false },
      ],
    },
  });
  expect(of('partner')).toMatchObject({
    kind: 'smarthost',
    smarthost: { host: 'smtp.partner.example', port: 587, tls: 'required' },
    default: false,
    pools: [],
  });
  expect(text).not.toContain('secret');
});

it('shows closed sources with reason and end, and active limits', async () => {
  rows = [
    row({}),
    row({ id: 'ovr_4', path: 'default > smarthost default', source: 'default', site: 'smarthost default' }),
    row({
      id: 'ovr_2',
      path: 'new > *',
      site: '*',
      provider: null,
      kind: 'suspend',
      value: JSON.stringify({ certainty: 'suspected', until: NOW + 300_000, times: 1 }),
      rule: 'port 25 blocked',
      reason: 'no server has answered',
      reply: 'timeout',
    }),
    row({
      id: 'ovr_3',
      path: 'partner > smarthost partner',
      source: 'partner',
      site: 'smarthost partner',
      kind: 'suspend',
      value: JSON.stringify({ failures: 3, openUntil: NOW + 60_000, probing: false }),
      rule: 'circuit breaker',
      reason: 'cannot be reached',
      reply: 'ECONNREFUSED',
    }),
  ];
  const { of } = await sources();
  expect(of('new')).toMatchObject({
    state: 'suspected',
    closed: { reason: 'no server has answered', reply: 'timeout', until: '2026-03-10T12:05:00.000Z' },
    limits_total: 2,
  });
  expect(of('partner')).toMatchObject({
    state: 'closed',
    closed: { reason: 'cannot be reached', until: '2026-03-10T12:01:00.000Z' },
    limits: [{ object: 'queue_override', id: 'ovr_3' }],
  });
  expect(of('default')).toMatchObject({ state: 'open', closed: null, limits_total: 0 });
});

it('returns pages to the operator only', async () => {
  const first = (await api.ask('GET', '/v1/sources?limit=3')).json;
  const second = (await api.ask('GET', `/v1/sources?limit=3&cursor=${first.next_cursor as string}`)).json;
  expect([first.data.length, second.data[0].name, second.has_more]).toEqual([3, 'partner', false]);
  const tenant = await api.addTenant('acme');
  for (const key of [
    await api.addKey({ permission: 'full' }),
    await api.addKey({ permission: 'admin', subTenantId: tenant }),
  ]) {
    const { status, json } = await api.ask('GET', '/v1/sources', { key });
    expect([status, json.error.code]).toEqual([403, 'forbidden']);
  }
});

describe('suspending a source', () => {
  const post = (path: string, body: object = {}, key?: string) =>
    api.ask('POST', `/v1/sources/${path}`, { body, ...(key === undefined ? {} : { key }) });

  it('stores and shows reason and end, until it is resumed', async () => {
    const wish = { reason: 'on a block list', expires_at: '2026-03-11T00:00:00Z' };
    const { status, json } = await post('new/suspend', wish);
    const suspended = {
      reason: wish.reason,
      since: '2026-03-10T12:00:00.000Z',
      until: '2026-03-11T00:00:00.000Z',
    };
    expect([status, json]).toEqual([
      200,
      expect.objectContaining({ name: 'new', state: 'suspended', suspended }),
    ]);
    expect(await stored()).toEqual([
      { kind: 'mta', name: 'new', reason: wish.reason, created_at: NOW, expires_at: NOW + 43_200_000 },
    ]);
    expect((await sources()).of('new')).toMatchObject({ state: 'suspended', suspended });

    expect((await post('new/suspend', { reason: 'for good' })).json.suspended).toMatchObject({ until: null });
    expect((await post('new/resume')).json).toMatchObject({ state: 'open', suspended: null });
    expect(await stored()).toEqual([]);
    expect((await post('new/resume')).status).toBe(200);
  });

  it('requires the kind if a source and a smarthost have the same name', async () => {
    const { status, json } = await post('default/suspend', { reason: 'x' });
    expect([status, json.error.param]).toEqual([422, 'kind']);
    expect((await post('default/suspend', { reason: 'x', kind: 'smarthost' })).json.kind).toBe('smarthost');
    const states = (await api.ask('GET', '/v1/sources')).json.data as { kind: string; state: string }[];
    expect(states.filter(({ state }) => state === 'suspended').map(({ kind }) => kind)).toEqual([
      'smarthost',
    ]);
    await post('default/resume', { kind: 'smarthost' });
  });

  it('refuses an unknown name, a past end, and everyone but the operator in live', async () => {
    expect((await post('nowhere/suspend', { reason: 'x' })).status).toBe(404);
    expect((await post('new/suspend', { reason: 'x', expires_at: '2026-03-10T11:00:00Z' })).status).toBe(422);
    expect((await post('new/suspend', {})).status).toBe(422);
    const tenant = await api.addTenant('beta');
    for (const key of [
      await api.addKey({ permission: 'full' }),
      await api.addKey({ permission: 'admin', subTenantId: tenant }),
      await api.addKey({ permission: 'admin', mode: 'test' }),
    ]) {
      expect((await post('new/suspend', { reason: 'x' }, key)).status).toBe(403);
      expect((await post('new/resume', {}, key)).status).toBe(403);
    }
    expect(await stored()).toEqual([]);
  });
});
