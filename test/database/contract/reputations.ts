// Contract of sub-tenant reputations: hourly sums in slices, restrictions, and in which environments a sub-tenant is paused.
import { describe, expect, it } from 'vitest';
import type { Scope } from '../../../src/database/scope.js';
import type { TenantScore } from '../../../src/reputation/reputation.store.js';
import type { Restriction } from '../../../src/tenants/restrictions.store.js';
import type { Store } from '../../../src/app/store.js';
import { newWorld, NOW, tenantPlan, type Bench } from './builders.js';
import type { Change } from '../../../src/database/change.js';
import { insert, update } from '../../../src/database/rows.js';
import { subTenants, tenantReputations } from '../../../src/tenants/tenants.tables.js';
import { tenantHours } from '../../../src/analytics/analytics.tables.js';

const FIRST_HOUR = 490_000;

export function reputationContract(given: () => Bench): void {
  describe('reputations', () => {
    let made = 0;

    async function addTenants(store: Store, scope: Scope, count: number): Promise<string[]> {
      const ids = Array.from({ length: count }, () => `tnt_${String((made += 1)).padStart(26, '0')}`);
      for (const id of ids) await store.commit(tenantPlan(scope, id));
      return ids;
    }

    const hour = (scope: Scope, id: string, at: number, complained = 0): Change =>
      insert(tenantHours, {
        row: {
          environment_id: scope.environmentId,
          sub_tenant_id: id,
          hour: at,
          sent: 10,
          delivered: 9,
          bounced: 1,
          complained,
        },
      });

    const reputation = (scope: Scope, id: string, set: object = {}): Change =>
      insert(tenantReputations, {
        row: {
          environment_id: scope.environmentId,
          sub_tenant_id: id,
          state: 'ok',
          changed_at: null,
          paused_at: null,
          pause_cause: null,
          resumed_hour: null,
          resumed_sums: null,
          sent: 0,
          delivered: 0,
          bounced: 0,
          complained: 0,
          scored_at: null,
          ...set,
        },
      });

    async function allScores(store: Store, environmentId: number, fromHour: number): Promise<TenantScore[]> {
      const scores: TenantScore[] = [];
      for (let after = ''; ;) {
        const page = await store.reputations.scores(environmentId, fromHour, after);
        if (!page) return scores;
        scores.push(...page.scores);
        after = page.last;
      }
    }

    it('sums the hours of the window, for every sub-tenant once, with or without a reputation', async () => {
      const { store } = given();
      const { live, test } = await newWorld(store);
      const ids = await addTenants(store, live, 230);
      const [first = '', second = '', idle = ''] = ids;
      await store.commit(
        ids
          .filter((id) => id !== idle)
          .flatMap((id) => [
            hour(live, id, FIRST_HOUR - 1, 5),
            hour(live, id, FIRST_HOUR),
            hour(live, id, FIRST_HOUR + 7, 1),
          ]),
      );
      await store.commit([
        reputation(live, idle, { state: 'warned' }),
        reputation(live, first, { state: 'throttled' }),
        hour(test, first, FIRST_HOUR),
        update(subTenants, { set: { deleted_at: NOW }, where: { id: second } }),
      ]);
      const scores = await allScores(store, live.environmentId, FIRST_HOUR);
      expect(scores.map(({ subTenantId }) => subTenantId)).toEqual(ids);
      const by = new Map(scores.map((score) => [score.subTenantId, score]));
      const week = { sent: 20, delivered: 18, bounced: 2, complained: 1 };
      expect(by.get(first)).toMatchObject({ ...week, reputation: { state: 'throttled' }, isDeleted: false });
      expect(by.get(second)).toMatchObject({ ...week, reputation: null, isDeleted: true });
      expect(by.get(idle)).toMatchObject({ sent: 0, complained: 0, reputation: { state: 'warned' } });
      expect(by.get(ids.at(-1) ?? '')).toMatchObject(week);
      expect(await allScores(store, test.environmentId, FIRST_HOUR)).toMatchObject([
        { subTenantId: first, sent: 10, reputation: null },
      ]);

      await store.reputations.prune(live.environmentId, FIRST_HOUR);
      const all = await allScores(store, live.environmentId, 0);
      expect(all.map(({ sent }) => sent).filter((sent) => sent !== 20)).toEqual([0]);
    });

    it('starts counting when a pause ended, if that is within the window', async () => {
      const { store } = given();
      const { live } = await newWorld(store);
      const [id = ''] = await addTenants(store, live, 1);
      const before = { sent: 4, delivered: 4, bounced: 0, complained: 3 };
      await store.commit([
        hour(live, id, FIRST_HOUR, 9),
        hour(live, id, FIRST_HOUR + 1, 4),
        hour(live, id, FIRST_HOUR + 2, 1),
        reputation(live, id, { resumed_hour: FIRST_HOUR + 1, resumed_sums: JSON.stringify(before) }),
      ]);
      const since = async (fromHour: number) =>
        (await allScores(store, live.environmentId, fromHour))[0]?.sinceResumed;
      expect(await since(FIRST_HOUR)).toEqual({ sent: 16, delivered: 14, bounced: 2, complained: 2 });
      expect(await since(FIRST_HOUR + 2)).toBeNull();
    });

    it('stores the counts of a sweep with the resulting state', async () => {
      const { store } = given();
      const { live } = await newWorld(store);
      const [id = '', other = ''] = await addTenants(store, live, 2);
      await store.commit([
        reputation(live, id, { state: 'warned', paused_at: NOW, pause_cause: 'requested' }),
      ]);
      const sums = { sent: 5, delivered: 4, bounced: 1, complained: 2 };
      await store.reputations.record(
        live.environmentId,
        [
          { subTenantId: id, ...sums },
          { subTenantId: other, ...sums },
        ],
        NOW + 1,
      );
      expect(await store.reputations.reputation(live.environmentId, id)).toMatchObject({
        ...sums,
        state: 'warned',
        paused_at: NOW,
        scored_at: NOW + 1,
      });
      expect(await store.reputations.reputation(live.environmentId, other)).toMatchObject({
        ...sums,
        state: 'ok',
        paused_at: null,
      });
    });

    it('returns which sub-tenants are on hold and where; restrictions of the domain or the owner apply in live only', async () => {
      const { store } = given();
      const { live, test } = await newWorld(store);
      const [throttled = '', suspended = '', both = '', gone = '', free = ''] = await addTenants(
        store,
        live,
        5,
      );
      const change = (id: string, set: object): Change => update(subTenants, { set, where: { id } });
      await store.commit([
        reputation(live, throttled, { state: 'throttled' }),
        reputation(live, free, { state: 'warned' }),
        reputation(test, both, { paused_at: NOW, pause_cause: 'requested' }),
        reputation(live, gone, { paused_at: NOW, pause_cause: 'requested' }),
        change(suspended, { status: 'suspended' }),
        change(both, { throttle_per_hour: 7, status: 'suspended' }),
        change(gone, { deleted_at: NOW, throttle_per_hour: 9 }),
      ]);
      const ours = [throttled, suspended, both, gone, free];
      const found = (await store.tenants.restrictions()).filter(({ tenantId }) => ours.includes(tenantId));
      const nothing = { perHour: null, isThrottled: false, isPaused: false, isSuspended: false };
      const [liveId, testId] = [live.environmentId, test.environmentId];
      const sorted = (rows: readonly Restriction[]) =>
        rows.toSorted((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1));
      function keyOf({ tenantId, environmentId }: Restriction): string {
        return `${tenantId} ${environmentId}`;
      }
      expect(sorted(found)).toEqual(
        sorted([
          { ...nothing, environmentId: liveId, tenantId: throttled, isThrottled: true },
          { ...nothing, environmentId: liveId, tenantId: suspended, isSuspended: true },
          { ...nothing, environmentId: liveId, tenantId: both, perHour: 7, isSuspended: true },
          { ...nothing, environmentId: testId, tenantId: both, isPaused: true },
        ]),
      );
      const senders = ours.map((subTenantId) => ({ environmentId: testId, subTenantId }));
      expect([
        ...(await store.tenants.pausedAmong([...senders, { environmentId: liveId, subTenantId: null }])),
      ]).toEqual([`${testId} ${both}`]);
    });

    it('shows a sub-tenant as paused in the environment in which it is, also to a list’s filter', async () => {
      const { store } = given();
      const { live, test } = await newWorld(store);
      const [paused = '', other = ''] = await addTenants(store, live, 2);
      await store.commit([reputation(test, paused, { paused_at: NOW, pause_cause: 'complaint_rate' })]);
      expect(await store.tenants.subTenant(live, paused)).toMatchObject({
        status: 'verified',
        reputation: null,
      });
      expect(await store.tenants.subTenant(test, paused)).toMatchObject({
        status: 'paused',
        reputation: { pause_cause: 'complaint_rate' },
      });
      const listed = async (scope: Scope, status: 'paused' | 'verified') => {
        const page = await store.tenants.subTenants(scope, { limit: 10, after: null }, { status: [status] });
        return page.rows.map((row) => [row.id, row.status]);
      };
      expect(await listed(test, 'paused')).toEqual([[paused, 'paused']]);
      expect(await listed(test, 'verified')).toEqual([[other, 'verified']]);
      expect(await listed(live, 'paused')).toEqual([]);
      expect(await listed(live, 'verified')).toEqual([
        [other, 'verified'],
        [paused, 'verified'],
      ]);
    });

    it('lists the worst first by a rate, those without mail last, each once over the pages', async () => {
      const { store } = given();
      const { live, test } = await newWorld(store);
      const [none = '', few = '', many = '', bounces = ''] = await addTenants(store, live, 4);
      const sums = (subTenantId: string, sent: number, bounced: number, complained: number) => ({
        ...{ subTenantId, sent, bounced, complained },
        delivered: sent - bounced,
      });
      await store.reputations.record(
        live.environmentId,
        [sums(few, 1_000, 0, 1), sums(many, 1_000, 0, 3), sums(bounces, 1_000, 400, 0)],
        NOW,
      );
      expect(await store.reputations.reputation(live.environmentId, few)).toMatchObject({
        complaint_ppm: 1_000,
        bounce_ppm: 0,
      });
      await store.commit([reputation(live, none, { state: 'throttled' })]);
      const all = async (
        scope: Scope,
        order: 'complaint_rate' | 'bounce_rate',
        filter: Parameters<Store['tenants']['subTenants']>[2] = {},
      ) => {
        const found: string[] = [];
        for (let after: string | null = null, pages = 0; pages < 9; pages += 1) {
          const page = await store.tenants.subTenants(scope, { limit: 1, after }, filter, order);
          found.push(...page.rows.map(({ id }) => id));
          if (page.next === null) break;
          after = page.next;
        }
        return found;
      };
      expect(await all(live, 'complaint_rate')).toEqual([many, few, bounces, none]);
      expect(await all(live, 'bounce_rate')).toEqual([bounces, many, few, none]);
      expect(await all(test, 'bounce_rate')).toEqual([bounces, many, few, none]);
      expect(await all(live, 'complaint_rate', { minComplaintRate: 0.002 })).toEqual([many]);
      expect(await all(live, 'complaint_rate', { reputation: ['throttled'] })).toEqual([none]);
      expect(await all(live, 'bounce_rate', { reputation: ['ok'], minBounceRate: 0 })).toEqual([
        bounces,
        many,
        few,
      ]);
    });
  });
}
