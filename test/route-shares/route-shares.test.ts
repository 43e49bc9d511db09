// Tests route shares on real rows: their figures, changes by the operator, and the sweep that raises and lowers them.
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { createLog } from '../../src/lib/runtime/index.js';
import { compileEgress } from '../../src/outbound/route/egress-data.rules.js';
import { CurrentShares } from '../../src/outbound/route/current-shares.js';
import { EgressControl } from '../../src/outbound/route/egress-control.js';
import { OperatorEgress } from '../../src/outbound/route/operator-egress.js';
import { firstShare } from '../../src/outbound/route/share.rules.js';
import { routeShares } from '../../src/outbound/outbound.tables.js';
import { WakeUp } from '../../src/outbound/schedule/wake-up.js';
import { statGroups } from '../../src/analytics/analytics.tables.js';
import { insert, remove, upsert } from '../../src/database/rows.js';
import { routeShareRoutes } from '../../src/route-shares/route-shares.routes.js';
import { ShareSweep } from '../../src/route-shares/share-sweep.js';
import { noEngagement } from '../support/no-engagement.js';
import { startApi, type StartedApi } from '../support/start-api.js';

const DAY = 86_400_000;
const NOW = Date.UTC(2026, 2, 10, 12);
const EGRESS = compileEgress(
  {
    smarthosts: [{ name: 'vendor', url: 'smtp://vendor.example' }],
    routes: [
      {
        ...{ name: 'leaving', via: ['pool:default', 'smarthost:vendor'], share: 20 },
        rise: { step: 10, every: '3d', until: 50 },
      },
    ],
  },
  { sourceAddresses: null, smarthost: null, ehloName: 'mta.example' },
);

let now = NOW;
let api: StartedApi;
let control: EgressControl;
let sweep: ShareSweep;
let environmentId: number;

beforeAll(async () => {
  const log = createLog('silent');
  const clock = (): number => now;
  api = await startApi({
    clock,
    routes: (store) => {
      const operator = new OperatorEgress({ egress: EGRESS, providers: { names: new Set() }, log }, [], []);
      control = new EgressControl(
        {
          ...{ egress: EGRESS, operator, shares: new CurrentShares([]), commit: store.commit, clock, log },
          ...{ paths: { recall: () => undefined }, externalIds: new Map(), wakeUp: new WakeUp() },
        },
        () => null,
      );
      const context = { store, control, engagement: noEngagement, clock, log };
      sweep = new ShareSweep(context);
      return [(app) => routeShareRoutes(app, context)];
    },
  });
  ({ environmentId } = await api.scopeOf('live'));
});
afterAll(() => api.close());

beforeEach(async () => {
  now = NOW;
  const row = firstShare('leaving', 20, 0, NOW);
  await api.store.commit([
    remove(routeShares, { where: { route: 'leaving' } }),
    insert(routeShares, { row }),
    remove(statGroups, { where: { dimension: 'route' } }),
  ]);
  control.putShare(row);
});

/** Counts mail of a side today. */
async function count(side: 'direct' | 'smarthost', sums: Record<string, number>): Promise<void> {
  const key = { environment_id: environmentId, sub_tenant_key: '*', dimension: 'route' as const };
  await api.store.commit(
    Object.entries(sums).map(([measure, n]) => {
      const place = {
        ...key,
        day: Math.floor(now / DAY),
        value: `leaving ${side}`,
        type: 'marketing' as const,
      };
      return upsert(statGroups, {
        row: { ...place, measure: measure as 'sent', n },
        key: ['environment_id', 'sub_tenant_key', 'dimension', 'day', 'value', 'type', 'measure'],
        set: { n },
      });
    }),
  );
}

const shown = async () => (await api.ask('GET', '/v1/route-shares/leaving')).json;
const patch = (body: object) => api.ask('PATCH', '/v1/route-shares/leaving', { body });
const audited = async () => {
  const filter = { ofOrganization: true, targetId: 'leaving' };
  const { rows } = await api.store.audit.entries(
    await api.scopeOf('live'),
    { limit: 50, after: null },
    filter,
  );
  return rows.map(({ action, detail }) => [action, JSON.parse(detail) as object]).toReversed();
};

it('shows the rates of both sides next to each other', async () => {
  await count('direct', { sent: 200, delivered: 190, bounced: 10, complained: 1, opened: 60, deferred: 4 });
  await count('smarthost', { sent: 800, bounced: 8, opened: 160 });
  expect(await shown()).toMatchObject({
    ...{ object: 'route_share', route: 'leaving', percent: 20, state: 'active', window_days: 7 },
    rise: { step: 10, every_days: 3, until: 50, next_percent: 30, next_at: '2026-03-13T12:00:00.000Z' },
    direct: {
      via: ['pool:default'],
      sent: 200,
      rates: { delivery: 0.95, deferral: 0.02, bounce: 0.05, complaint: 0.005263, open: 0.3 },
    },
    smarthost: {
      via: ['smarthost:vendor'],
      sent: 800,
      rates: { delivery: null, bounce: 0.01, complaint: 0, open: 0.2 },
    },
  });
  const { json } = await api.ask('GET', '/v1/route-shares');
  expect(json.data).toHaveLength(1);
});

it('rises by its plan until its end, and records each step in the audit log', async () => {
  const percents: number[] = [];
  for (let day = 0; day < 15; day += 1) {
    await count('direct', { sent: 300, bounced: 1 });
    await sweep.run();
    percents.push((await shown()).percent as number);
    now += DAY;
  }
  expect(percents).toEqual([20, 20, 20, 30, 30, 30, 40, 40, 40, 50, 50, 50, 50, 50, 50]);
  expect((await audited()).slice(-3)).toEqual(
    [30, 40, 50].map((to) => ['routeShares.raise', { from: to - 10, to, reason: 'Raised as planned.' }]),
  );
});

it('is halved when its mail bounces, stays so, and rises again when an operator resumes it', async () => {
  await count('direct', { sent: 200, bounced: 12 });
  await sweep.run();
  expect(await shown()).toMatchObject({
    ...{ percent: 10, state: 'lowered' },
    reason: 'The bounce rate of direct mail was 6 %, and the limit is 5 %.',
  });
  expect((await audited()).map(([action]) => action)).toContain('routeShares.lower');
  now += 4 * DAY;
  await count('direct', { sent: 200, bounced: 0 });
  await sweep.run();
  expect((await shown()).percent).toBe(10);

  expect((await patch({ state: 'active', reason: 'list cleaned' })).status).toBe(200);
  await sweep.run();
  expect(await shown()).toMatchObject({ percent: 10, state: 'active', reason: 'list cleaned' });
  now += 3 * DAY;
  await count('direct', { sent: 200, bounced: 0 });
  await sweep.run();
  expect((await shown()).percent).toBe(20);
});

it('does not judge mail from before its last change', async () => {
  await count('direct', { sent: 200, bounced: 100 });
  await patch({ percent: 25 });
  await sweep.run();
  expect((await shown()).percent).toBe(25);
  await count('direct', { sent: 310, bounced: 108 });
  await sweep.run();
  expect((await shown()).percent).toBe(12);
});

it('is changed, paused and finished by the operator', async () => {
  expect((await patch({ state: 'paused' })).json).toMatchObject({ percent: 20, state: 'paused' });
  now += 10 * DAY;
  await count('direct', { sent: 500 });
  await sweep.run();
  expect((await shown()).percent).toBe(20);
  expect((await patch({ percent: 100 })).json).toMatchObject({ percent: 100, rise: { next_percent: null } });
  const { bounds } =
    control.shares().map(({ row }) => ({ bounds: [row.engaged_below, row.others_below] }))[0] ?? {};
  expect(bounds).toEqual([1_000_000, 1_000_000]);
  const rows = await api.store.traffic.routeShares();
  expect(rows.map(({ percent }) => percent)).toEqual([100]);
});

it.each([
  ['nothing to change', {}, 422],
  ['a share above 100', { percent: 101 }, 422],
  ['the state that only Mailkeel sets', { state: 'lowered' }, 422],
])('refuses %s', async (_what, body, status) => {
  expect((await patch(body)).status).toBe(status);
});

it('refuses a change of a share that has changed meanwhile', async () => {
  const [shared] = control.shares();
  await api.store.commit([
    upsert(routeShares, {
      row: { ...firstShare('leaving', 35, 0, NOW + 1) },
      key: ['route'],
      set: { percent: 35 },
    }),
  ]);
  expect(shared?.row.percent).toBe(20);
  expect((await patch({ percent: 40 })).status).toBe(409);
});

it('answers 404 for a route without a share', async () => {
  expect((await api.ask('GET', '/v1/route-shares/other')).status).toBe(404);
});

it('is for operators only', async () => {
  const { status } = await api.ask('PATCH', '/v1/route-shares/leaving', {
    body: { percent: 1 },
    key: api.testKey,
  });
  expect(status).toBe(403);
});

it('rises although counts of its last change are gone, as after a workspace was deleted', async () => {
  await count('direct', { sent: 200, bounced: 20 });
  await patch({ percent: 0, state: 'active' });
  await api.store.commit([remove(statGroups, { where: { dimension: 'route' } })]);
  now += 3 * DAY;
  await sweep.run();
  expect(await shown()).toMatchObject({ percent: 10 });
});
