// Tests the sweep on real rows: who is warned, throttled, paused and released, in which environment, and which events are sent.
import { join } from 'node:path';
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createLog } from '../../src/lib/runtime/index.js';
import { readDetail } from '../../src/events/events.store.js';
import type { Scope } from '../../src/database/scope.js';
import { createStore, type Store } from '../../src/app/store.js';
import type { ReputationConfig } from '../../src/reputation/judge.js';
import { ReputationSweep } from '../../src/reputation/sweep.js';
import { Pausing } from '../../src/reputation/pausing.js';
import { newWorld, tenantPlan } from '../database/contract/builders.js';
import { fixedClock } from '../support/fixed-clock.js';
import { openMigratedFile, temporaryFolder, type OpenEngine } from '../support/open-engines.js';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const SETTINGS: ReputationConfig = {
  reputationWindowMs: 7 * DAY,
  reputationMinDelivered: 20,
  reputationWarnComplaint: 0.001,
  reputationThrottleComplaint: 0.003,
  reputationThrottlePerHour: 60,
  reputationClear: 0.8,
  reputationPauseComplaint: null,
  reputationPauseBounce: null,
};

interface Counted {
  sent?: number;
  delivered?: number;
  bounced?: number;
  complained?: number;
  /** Hours before now. */
  ago?: number;
}

const folder = temporaryFolder();
let files = 0;
let opened: OpenEngine;
let store: Store;
let live: Scope;
let test: Scope;
let told: unknown[][];
let rung = 0;
const clock = fixedClock();

beforeEach(async () => {
  opened = await openMigratedFile(join(folder.path, `${(files += 1)}.db`));
  store = createStore(opened.engine, { maxGroup: 50 });
  ({ live, test } = await newWorld(store));
  for (const id of ['tnt_a', 'tnt_b']) await store.commit(tenantPlan(live, id));
  told = [];
  rung = 0;
});

afterEach(async () => {
  await store.drain();
  await opened.close();
});

afterAll(() => folder.remove());

const wakeUps = { events: () => void (rung += 1) };

function sweepWith(config: Partial<ReputationConfig> = {}, of: Partial<Store> = {}) {
  return new ReputationSweep({
    store: { ...store, ...of },
    config: { ...SETTINGS, ...config },
    tenants: {
      limit: (...change) => void told.push(['limit', ...change]),
      stop: (...change) => void told.push(['stop', ...change]),
      align: () => Promise.resolve(void told.push(['align'])),
    },
    clock: clock.now,
    log: createLog('fatal'),
    wakeUps,
  });
}

/** Adds to the hours of a sub-tenant, as the statistics do. */
async function count(scope: Scope, id: string, { ago = 0, ...sums }: Counted): Promise<void> {
  const hour = Math.floor(clock.now() / HOUR) - ago;
  const { sent = 0, delivered = 0, bounced = 0, complained = 0 } = sums;
  await opened.raw(
    `INSERT INTO tenant_hours VALUES (?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO UPDATE SET sent = sent + excluded.sent,
      delivered = delivered + excluded.delivered, bounced = bounced + excluded.bounced,
      complained = complained + excluded.complained`,
    [scope.environmentId, id, hour, sent, delivered, bounced, complained],
  );
}

const reputation = (scope: Scope, id = 'tnt_a') => store.reputations.reputation(scope.environmentId, id);
async function trail(scope: Scope, id = 'tnt_a') {
  const rows = await store.events.auditTrailOfSubject(scope, id, 100);
  return rows.toReversed().map((row) => ({
    event: row.event,
    actor: row.actor,
    metadata: readDetail(row).metadata,
  }));
}
const events = async (scope: Scope, id = 'tnt_a') => (await trail(scope, id)).map(({ event }) => event);

describe('a sweep', () => {
  it('warns, throttles and frees by the rate of seven days, once each, without affecting others', async () => {
    const sweep = sweepWith();
    await count(live, 'tnt_b', { sent: 5_000, delivered: 4_000, bounced: 1_000, complained: 3, ago: 30 });
    await count(live, 'tnt_a', { sent: 2_100, delivered: 2_000, complained: 2, ago: 100 });
    await sweep.run();
    await sweep.run();
    expect(await reputation(live)).toMatchObject({
      state: 'warned',
      delivered: 2_000,
      changed_at: clock.now(),
    });
    expect(told).toEqual([['limit', live.environmentId, 'tnt_a', 'reputation', null], ['align'], ['align']]);

    clock.advance(15 * MINUTE);
    await count(live, 'tnt_a', { complained: 4 });
    told = [];
    await sweep.run();
    expect(await reputation(live)).toMatchObject({ state: 'throttled', complained: 6 });
    expect(told).toEqual([['limit', live.environmentId, 'tnt_a', 'reputation', 60], ['align']]);

    clock.advance(15 * MINUTE);
    await count(live, 'tnt_a', { delivered: 500 });
    await sweep.run();
    expect(await reputation(live)).toMatchObject({ state: 'throttled', delivered: 2_500 });
    await count(live, 'tnt_a', { delivered: 1 });
    await sweep.run();
    expect(await reputation(live)).toMatchObject({ state: 'warned' });
    await count(live, 'tnt_a', { delivered: 5_000 });
    await sweep.run();
    expect(await reputation(live)).toMatchObject({ state: 'ok' });

    const figures = { bounce_rate: 0, bounces: 0, sent: 2_100, window_days: 7 };
    expect(await trail(live)).toEqual([
      {
        event: 'tenant_warned',
        actor: 'worker',
        metadata: { ...figures, complaint_rate: 0.001, complaints: 2, delivered: 2_000, threshold: 0.001 },
      },
      {
        event: 'tenant_throttled',
        actor: 'worker',
        metadata: {
          ...figures,
          ...{ complaint_rate: 0.003, complaints: 6, delivered: 2_000, threshold: 0.003, per_hour: 60 },
        },
      },
      {
        event: 'tenant_recovered',
        actor: 'worker',
        metadata: {
          ...figures,
          ...{ complaint_rate: 0.002399, complaints: 6, delivered: 2_501 },
          ...{ threshold: 0.0024, from: 'throttled', to: 'warned' },
        },
      },
      {
        event: 'tenant_recovered',
        actor: 'worker',
        metadata: {
          ...figures,
          ...{ complaint_rate: 0.0008, complaints: 6, delivered: 7_501 },
          ...{ threshold: 0.0008, from: 'warned', to: 'ok' },
        },
      },
    ]);
    expect(rung).toBe(4);
    expect(await events(live, 'tnt_b')).toEqual([]);
    expect(await reputation(live, 'tnt_b')).toMatchObject({
      state: 'ok',
      delivered: 4_000,
      changed_at: null,
    });
  });

  it('frees a sub-tenant when its complaints are older than the window, even without new mail', async () => {
    const sweep = sweepWith();
    await count(live, 'tnt_a', { delivered: 100, complained: 5 });
    await sweep.run();
    clock.advance(7 * DAY - HOUR);
    await sweep.run();
    expect(await reputation(live)).toMatchObject({ state: 'throttled' });
    clock.advance(2 * HOUR);
    await sweep.run();
    expect(await reputation(live)).toMatchObject({ state: 'ok', delivered: 0, complained: 0 });
    expect(await events(live)).toEqual(['tenant_throttled', 'tenant_recovered']);
    clock.advance(DAY);
    await sweep.run();
    expect(await opened.raw('SELECT * FROM tenant_hours')).toEqual([]);
  });

  it('judges each environment separately', async () => {
    await count(test, 'tnt_a', { delivered: 30, complained: 1 });
    await sweepWith().run();
    expect(await reputation(live)).toBeNull();
    expect(await reputation(test)).toMatchObject({ state: 'throttled' });
    expect([await events(live), await events(test)]).toEqual([[], ['tenant_throttled']]);
  });

  it('reports nothing about deleted sub-tenants', async () => {
    await count(live, 'tnt_a', { delivered: 30, complained: 9 });
    await opened.raw(`UPDATE sub_tenants SET deleted_at = 1 WHERE id = 'tnt_a'`);
    await sweepWith().run();
    expect(await reputation(live)).toBeNull();
    expect(await events(live)).toEqual([]);
  });

  it('leaves sub-tenants that another sweep has changed to the next run', async () => {
    await count(live, 'tnt_a', { delivered: 1_000, complained: 1 });
    const sweep = sweepWith(
      {},
      {
        async commit(plan) {
          await opened.raw(`UPDATE tenant_reputations SET state = 'throttled'`);
          return store.commit(plan);
        },
      },
    );
    await sweep.run();
    expect(await events(live)).toEqual([]);
    await sweepWith().run();
    expect(await events(live)).toEqual(['tenant_recovered']);
  });

  it('scores the other environments if one fails, and reports the error', async () => {
    await count(test, 'tnt_a', { delivered: 30, complained: 1 });
    const reputations: Store['reputations'] = {
      ...store.reputations,
      scores: (environmentId, ...rest) =>
        environmentId === live.environmentId
          ? Promise.reject(new Error('disk'))
          : store.reputations.scores(environmentId, ...rest),
    };
    await expect(sweepWith({}, { reputations }).run()).rejects.toThrow('could not be scored');
    expect(await events(test)).toEqual(['tenant_throttled']);
  });

  it('reads page by page', async () => {
    const ids = Array.from({ length: 250 }, (_, i) => `tnt_many${String(i).padStart(4, '0')}`);
    for (const id of ids) {
      await store.commit(tenantPlan(live, id));
      await count(live, id, { delivered: 100, complained: 1 });
    }
    await sweepWith().run();
    expect(told.filter(([what]) => what === 'limit')).toHaveLength(250);
    const rows = await opened.raw(`SELECT COUNT(*) AS n FROM events WHERE event = 'tenant_throttled'`);
    expect(rows).toEqual([{ n: 250 }]);
  });
});

describe('an automatic pause', () => {
  const pausing = () =>
    new Pausing({
      store,
      clock: clock.now,
      wakeUps,
      tenants: { stop: (...change) => void told.push(['stop', ...change]) },
    });

  it('requires a configured rate, adds to the throttle, and lasts until a person resumes', async () => {
    const sweep = sweepWith({ reputationPauseComplaint: 0.01 });
    await count(live, 'tnt_a', { sent: 1_000, delivered: 1_000, complained: 10 });
    await sweep.run();
    expect(await reputation(live)).toMatchObject({
      ...{ state: 'throttled', paused_at: clock.now(), pause_cause: 'complaint_rate' },
    });
    expect(told).toContainEqual(['stop', live.environmentId, 'tnt_a', 'paused', true]);
    expect((await trail(live)).map(({ event, metadata }) => [event, metadata?.['threshold']])).toEqual([
      ['tenant_throttled', 0.003],
      ['tenant_paused', 0.01],
    ]);
    clock.advance(8 * DAY);
    await sweep.run();
    expect(await reputation(live)).toMatchObject({ state: 'ok', pause_cause: 'complaint_rate' });

    await pausing().resume(live, 'tnt_a', 'api');
    expect(await reputation(live)).toMatchObject({ state: 'ok', paused_at: null, pause_cause: null });
    expect((await trail(live)).at(-1)).toMatchObject({
      event: 'tenant_recovered',
      actor: 'api',
      metadata: { cause: 'resumed', from: 'paused', to: 'ok' },
    });
  });

  it('is not repeated for mail counted before it ended, but for later mail', async () => {
    const sweep = sweepWith({ reputationPauseComplaint: 0.01 });
    await count(live, 'tnt_a', { sent: 1_000, delivered: 1_000, complained: 50 });
    await sweep.run();
    clock.advance(10 * MINUTE);
    await pausing().resume(live, 'tnt_a', 'user');
    await sweep.run();
    await count(live, 'tnt_a', { sent: 1_000, delivered: 1_000, complained: 9 });
    clock.advance(50 * MINUTE);
    await sweep.run();
    // The rate of the whole week holds the throttle.
    expect(await reputation(live)).toMatchObject({ state: 'throttled', paused_at: null, complained: 59 });
    await count(live, 'tnt_a', { complained: 1 });
    await sweep.run();
    expect(await reputation(live)).toMatchObject({ pause_cause: 'complaint_rate' });
    expect((await trail(live)).at(-1)?.metadata).toMatchObject({
      cause: 'complaint_rate',
      complaints: 60,
      since_resumed: { complaints: 10, delivered: 1_000, complaint_rate: 0.01 },
    });
  });

  it('also applies to bounces, even if nothing is delivered', async () => {
    await count(live, 'tnt_a', { sent: 20, bounced: 20 });
    await sweepWith().run();
    expect(await reputation(live)).toMatchObject({ paused_at: null });
    await sweepWith({ reputationPauseBounce: 0.1 }).run();
    expect(await reputation(live)).toMatchObject({ state: 'ok', pause_cause: 'bounce_rate' });
  });

  it('does not change a pause by request', async () => {
    await pausing().pause(live, 'tnt_a', 'api');
    await count(live, 'tnt_a', { delivered: 1_000, complained: 50 });
    await sweepWith({ reputationPauseComplaint: 0.01 }).run();
    expect(await reputation(live)).toMatchObject({ state: 'throttled', pause_cause: 'requested' });
    expect(await events(live)).toEqual(['tenant_paused', 'tenant_throttled']);
  });

  it('happens once if two sweeps run at the same time', async () => {
    const both = pausing();
    await Promise.all([both.pause(live, 'tnt_a', 'api'), both.pause(live, 'tnt_a', 'user')]);
    expect(await events(live)).toEqual(['tenant_paused']);
    await Promise.all([both.resume(live, 'tnt_a', 'api'), both.resume(live, 'tnt_a', 'user')]);
    expect(await events(live)).toEqual(['tenant_paused', 'tenant_recovered']);
  });
});
