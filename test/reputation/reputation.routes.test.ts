// Tests the reputation of a sub-tenant in the API, and pausing it in one environment.
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Scope } from '../../src/database/scope.js';
import { startTenantRig, type TenantRig } from '../support/tenant-rig.js';
import type { Change } from '../../src/database/change.js';
import { update, insert } from '../../src/database/rows.js';
import { statDays } from '../../src/analytics/analytics.tables.js';
import { subTenants, tenantReputations } from '../../src/tenants/tenants.tables.js';

const DAY = 86_400_000;

let shared: TenantRig;
let rig: TenantRig;
let live: Scope;
let sandbox: Scope;
let testKey: string;
let id: string;

beforeAll(async () => {
  shared = await startTenantRig();
});
afterAll(() => shared.close());

beforeEach(async () => {
  rig = await startTenantRig({ beside: shared });
  live = await rig.scopeOf('live');
  sandbox = await rig.scopeOf('test');
  testKey = await rig.addKey({ mode: 'test' });
  const made = await rig.ask('POST', '/v1/sub-tenants', { body: { name: 'A', sending_domain: 'a.example' } });
  expect(made.status, made.text).toBe(201);
  id = made.json.id as string;
});

afterEach(() => rig.close());

const reputation = (query = '', key?: string) =>
  rig.ask('GET', `/v1/sub-tenants/${id}/reputation${query}`, key === undefined ? {} : { key });
const move = (action: 'pause' | 'resume', key?: string) =>
  rig.ask('POST', `/v1/sub-tenants/${id}/${action}`, key === undefined ? {} : { key });
const statusFor = async (key?: string) =>
  (await rig.ask('GET', `/v1/sub-tenants/${id}`, key === undefined ? {} : { key })).json.status as string;

async function stand({ environmentId }: Scope, set: object): Promise<void> {
  await rig.store.reputations.record(environmentId, [{ subTenantId: id, ...COUNTED }], rig.clock.now());
  const where = { environment_id: environmentId, sub_tenant_id: id };
  await rig.store.commit([update(tenantReputations, { set, where })]);
}
const COUNTED = { sent: 2_500, delivered: 2_000, bounced: 500, complained: 8 };

const dateOf = (ago: number): string => new Date(rig.clock.now() - ago * DAY).toISOString().slice(0, 10);

const day = (
  { environmentId }: Scope,
  measure: 'sent' | 'delivered' | 'complained',
  n: number,
  ago: number,
): Change =>
  insert(statDays, {
    row: {
      environment_id: environmentId,
      sub_tenant_key: id,
      type: 'transactional',
      day: Math.floor(rig.clock.now() / DAY) - ago,
      measure,
      n,
    },
  });

describe('the reputation', () => {
  test('of a sub-tenant without a judgement is ok, with the levels for comparison', async () => {
    const { status, json } = await reputation('?days=2');
    expect(status).toBe(200);
    expect(json).toEqual({
      object: 'sub_tenant_reputation',
      sub_tenant_id: id,
      state: 'ok',
      complaint_rate: null,
      bounce_rate: null,
      sent: 0,
      delivered: 0,
      bounced: 0,
      complained: 0,
      window_days: 7,
      scored_at: null,
      changed_at: null,
      paused: null,
      throttle_per_hour: null,
      levels: {
        min_delivered: 20,
        warn: 0.001,
        throttle: 0.003,
        throttle_per_hour: 60,
        recovery_ratio: 0.8,
        pause_complaint: null,
        pause_bounce: null,
      },
      days: [
        ...[dateOf(1), dateOf(0)].map((date) => ({
          ...{
            date,
            sent: 0,
            delivered: 0,
            bounced: 0,
            complained: 0,
            complaint_rate: null,
            bounce_rate: null,
          },
        })),
      ],
      changes: [],
    });
  });

  test('shows the daily figures of the sweep and the reactions, for its own environment', async () => {
    await stand(live, { state: 'throttled', changed_at: rig.clock.now() });
    await rig.store.commit([
      day(live, 'sent', 40, 1),
      day(live, 'delivered', 30, 1),
      day(live, 'complained', 3, 0),
      day(live, 'sent', 7, 30),
      day(sandbox, 'sent', 5, 0),
    ]);
    const at = new Date(rig.clock.now()).toISOString();
    const { json } = await reputation();
    expect(json).toMatchObject({
      ...{ state: 'throttled', complaint_rate: 0.004, bounce_rate: 0.2, ...COUNTED },
      ...{ scored_at: at, changed_at: at, throttle_per_hour: 60 },
    });
    expect(json.days).toHaveLength(30);
    expect(json.days.slice(-2)).toMatchObject([
      { date: dateOf(1), sent: 40, delivered: 30, complained: 0, complaint_rate: 0 },
      { date: dateOf(0), sent: 0, complained: 3, complaint_rate: null },
    ]);
    expect((await rig.ask('GET', `/v1/sub-tenants/${id}`)).json.reputation).toEqual({
      ...{ state: 'throttled', complaint_rate: 0.004, bounce_rate: 0.2, delivered: 2_000 },
      ...{ window_days: 7, changed_at: at },
    });
    expect((await reputation('', testKey)).json).toMatchObject({
      state: 'ok',
      sent: 0,
      throttle_per_hour: null,
    });
  });

  test.each([
    [5, 'throttled', 5],
    [500, 'throttled', 60],
    [500, 'warned', 500],
  ])('uses the lower limit: %i of the owner, %s', async (owner, state, perHour) => {
    await stand(live, { state });
    await rig.ask('PATCH', `/v1/sub-tenants/${id}`, { body: { throttle_per_hour: owner } });
    expect((await reputation()).json.throttle_per_hour).toBe(perHour);
    // The owner's is of live mail.
    expect((await reputation('', testKey)).json.throttle_per_hour).toBeNull();
  });

  test('is paused because of a rate, but not by a pause on request', async () => {
    await stand(live, { state: 'warned', paused_at: rig.clock.now(), pause_cause: 'bounce_rate' });
    expect((await reputation()).json).toMatchObject({
      state: 'paused',
      paused: { at: new Date(rig.clock.now()).toISOString(), cause: 'bounce_rate' },
    });
    await move('resume');
    await move('pause');
    expect((await reputation()).json).toMatchObject({ state: 'warned', paused: { cause: 'requested' } });
    expect((await reputation()).json.changes).toMatchObject([
      {
        event: 'tenant_recovered',
        actor: 'api',
        metadata: { cause: 'resumed', from: 'paused', to: 'warned' },
      },
      { event: 'tenant_paused', metadata: { cause: 'requested' } },
    ]);
  });

  test.each(['?days=0', '?days=91', '?window_days=7'])('refuses %s', async (query) => {
    expect((await reputation(query)).status).toBe(422);
  });

  test('of an unknown sub-tenant is not found', async () => {
    const answer = await rig.ask('GET', '/v1/sub-tenants/tnt_unknown/reputation');
    expect(answer.status).toBe(404);
  });
});

describe('pausing', () => {
  test('affects only the key’s environment, and delivery is notified', async () => {
    expect((await move('pause', testKey)).json.status).toBe('paused');
    expect([await statusFor(testKey), await statusFor()]).toEqual(['paused', 'pending_verification']);
    expect((await move('pause')).json.status).toBe('paused');
    expect((await move('resume', testKey)).json.status).toBe('pending_verification');
    expect([await statusFor(testKey), await statusFor()]).toEqual(['pending_verification', 'paused']);
    expect(rig.stops).toEqual([
      { environmentId: sandbox.environmentId, tenantId: id, cause: 'paused', isStopped: true },
      { environmentId: live.environmentId, tenantId: id, cause: 'paused', isStopped: true },
      { environmentId: sandbox.environmentId, tenantId: id, cause: 'paused', isStopped: false },
    ]);
    const trailOf = async (key?: string) =>
      (await rig.ask('GET', `/v1/sub-tenants/${id}/audit`, key === undefined ? {} : { key })).json.trail.map(
        ({ event }: { event: string }) => event,
      ) as string[];
    expect(await trailOf()).toEqual(['tenant_paused']);
    expect(await trailOf(testKey)).toEqual(['tenant_paused', 'tenant_recovered']);
  });

  test('is found by the list’s filter in its environment', async () => {
    await move('pause', testKey);
    const listed = async (status: string, key?: string) => {
      const answer = await rig.ask(
        'GET',
        `/v1/sub-tenants?status=${status}`,
        key === undefined ? {} : { key },
      );
      return (answer.json.data as { id: string; status: string }[]).map((row) => row.status);
    };
    expect(await listed('paused', testKey)).toEqual(['paused']);
    expect(await listed('pending_verification', testKey)).toEqual([]);
    expect(await listed('paused')).toEqual([]);
    expect(await listed('pending_verification')).toEqual(['pending_verification']);
  });

  test('adds to a suspension, and a sub-tenant that is only suspended cannot be resumed', async () => {
    await rig.store.commit([update(subTenants, { set: { status: 'suspended' }, where: { id } })]);
    const refused = await move('resume');
    expect([refused.status, refused.json.error.code]).toEqual([409, 'conflict']);
    expect((await move('pause')).json.status).toBe('paused');
    expect((await move('resume')).json.status).toBe('suspended');
    // The sandbox has no domain that could be invalid.
    expect((await move('resume', testKey)).status).toBe(200);
  });
});

describe('a test key', () => {
  test('deletes only sub-tenants that never sent live mail', async () => {
    const verify = (verifiedAt: number | null) =>
      rig.store.commit([update(subTenants, { set: { verified_at: verifiedAt }, where: { id } })]);
    await verify(rig.clock.now());
    const refused = await rig.ask('DELETE', `/v1/sub-tenants/${id}`, { key: testKey });
    expect([refused.status, refused.json.error.code]).toEqual([403, 'forbidden']);
    await verify(null);
    expect((await rig.ask('DELETE', `/v1/sub-tenants/${id}`, { key: testKey })).status).toBe(200);
  });

  test('deletes the reputation as well', async () => {
    await move('pause');
    await rig.ask('DELETE', `/v1/sub-tenants/${id}`);
    expect(await rig.store.reputations.reputation(live.environmentId, id)).toBeNull();
    expect((await move('resume')).status).toBe(404);
  });
});

describe('the list by reputation', () => {
  const COUNTS: Record<string, [sent: number, delivered: number, bounced: number, complained: number]> = {
    b: [1_000, 900, 100, 1],
    c: [1_000, 990, 10, 3],
    d: [0, 0, 0, 0],
    e: [1_000, 500, 500, 0],
    f: [1_000, 990, 10, 3],
  };
  const ids = new Map<string, string>();

  beforeEach(async () => {
    ids.clear();
    ids.set('a', id);
    for (const [name, [sent, delivered, bounced, complained]] of Object.entries(COUNTS)) {
      const body = { name, sending_domain: `${name}.example` };
      const made = (await rig.ask('POST', '/v1/sub-tenants', { body })).json.id as string;
      ids.set(name, made);
      const score = { subTenantId: made, sent, delivered, bounced, complained };
      await rig.store.reputations.record(live.environmentId, [score], rig.clock.now());
    }
  });

  /** The names on a page, and the cursor of the next one. */
  async function names(query: string, key?: string) {
    const as = key === undefined ? {} : { key };
    const { status, json, text } = await rig.ask('GET', `/v1/sub-tenants?${query}`, as);
    expect(status, text).toBe(200);
    const found = (json.data as { name: string }[]).map(({ name }) => name.toLowerCase()).join('');
    return { found, next: json.next_cursor as string | null };
  }
  /** Among equals, the later one comes first. */
  const inOrder = (...groups: string[]) =>
    groups
      .map((group) =>
        group
          .split('')
          .toSorted((x, y) => ((ids.get(x) ?? '') < (ids.get(y) ?? '') ? 1 : -1))
          .join(''),
      )
      .join('');

  test('begins with the worst, and ends with those without counted mail', async () => {
    expect((await names('order=-complaint_rate')).found).toBe(inOrder('cf', 'b', 'e', 'ad'));
    expect((await names('order=-bounce_rate')).found).toBe(inOrder('e', 'b', 'cf', 'ad'));
    // The sandbox has no counts.
    expect((await names('order=-bounce_rate', testKey)).found).toBe(inOrder('abcdef'));
  });

  test('returns each sub-tenant once across pages', async () => {
    for (const limit of [1, 2, 4, 6]) {
      let found = '';
      let cursor = '';
      for (let page = 0; page < 7; page += 1) {
        const { found: more, next } = await names(`order=-complaint_rate&limit=${limit}${cursor}`);
        found += more;
        if (next === null) break;
        cursor = `&cursor=${next}`;
      }
      expect(found).toBe(inOrder('cf', 'b', 'e', 'ad'));
    }
    const { next } = await names('order=-complaint_rate&limit=1');
    const other = await rig.ask('GET', `/v1/sub-tenants?limit=1&cursor=${String(next)}`);
    expect([other.status, other.json.error.code]).toEqual([400, 'invalid_cursor']);
  });

  test('filters by state', async () => {
    await stand(live, { state: 'warned' });
    const where = (name: string) => ({
      environment_id: live.environmentId,
      sub_tenant_id: ids.get(name) ?? '',
    });
    const now = rig.clock.now();
    await rig.store.commit([
      update(tenantReputations, { set: { state: 'throttled' }, where: where('c') }),
      update(tenantReputations, {
        set: { state: 'throttled', paused_at: now, pause_cause: 'complaint_rate' },
        where: where('b'),
      }),
      update(tenantReputations, { set: { paused_at: now, pause_cause: 'requested' }, where: where('e') }),
    ]);
    const sorted = async (query: string) => (await names(query)).found.split('').toSorted().join('');
    expect(await sorted('reputation=warned')).toBe('a');
    expect(await sorted('reputation=throttled')).toBe('c');
    expect(await sorted('reputation=paused')).toBe('b');
    expect(await sorted('reputation=warned,throttled,paused')).toBe('abc');
    expect(await sorted('reputation=ok')).toBe('def');
    expect(await sorted('min_complaint_rate=0.003')).toBe('acf');
    expect(await sorted('min_bounce_rate=0.1&order=-bounce_rate')).toBe('abe');
    expect(await sorted('order=-bounce_rate&q=f.example')).toBe('f');
    expect(await sorted('order=-complaint_rate&created_before=2000-01-01')).toBe('');
    const pinned = await rig.addKey({ subTenantId: ids.get('f') ?? '' });
    expect((await names('order=-complaint_rate', pinned)).found).toBe('f');
    for (const wrong of ['order=complaint_rate', 'reputation=bad', 'min_bounce_rate=2']) {
      expect((await rig.ask('GET', `/v1/sub-tenants?${wrong}`)).status, wrong).toBe(422);
    }
  });
});
