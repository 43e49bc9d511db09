// Contract of claims from queues with a throttle, which several nodes count in one row, and of stale leases of one owner.
import { describe, expect, it } from 'vitest';
import { newId } from '../../../src/lib/runtime/index.js';
import type { RateLimit } from '../../../src/lib/rate-limits/index.js';
import type { ClaimRequest, ThrottleRow } from '../../../src/outbound/schedule/queue.store.js';
import type { Scope } from '../../../src/database/scope.js';
import { createStore } from '../../../src/app/store.js';
import { type Bench, NOW, newMessage, newWorld, tenantPlan } from './builders.js';
import { acceptMessage } from '../../../src/messages/accept/accept.store.js';

const MINUTE = 60_000;
const LEASE = 60_000;
/** This many per minute, as a burst after a rest. */
const atOnce = (count: number): RateLimit => ({ count, perMs: MINUTE, burst: count });
const ONE_A_MINUTE: RateLimit = { count: 1, perMs: MINUTE, burst: 1 };

export function throttleContract(given: () => Bench): void {
  let throttles = 0;
  const newThrottle = (rate: RateLimit): ThrottleRow => ({ key: `throttle test ${(throttles += 1)}`, rate });

  async function tenant(): Promise<Scope> {
    const { store } = given();
    const { live } = await newWorld(store);
    const id = newId('tnt', NOW);
    await store.commit(tenantPlan(live, id));
    return { ...live, subTenantId: id };
  }

  /** A queue of the sub-tenant to another domain for each number, with so many due messages. */
  async function queuesOf(scope: Scope, depths: readonly number[]): Promise<number[]> {
    const ids: number[] = [];
    for (const [i, depth] of depths.entries()) {
      for (let n = 0; n < depth; n += 1) {
        const message = newMessage(scope, { domain: `place-${i}.example` });
        const { queueIds } = await given().store.commit([acceptMessage({ message })]);
        if (n === 0) ids.push(queueIds[0] ?? 0);
      }
    }
    return ids;
  }

  const claim = (picks: ClaimRequest['picks'], now = NOW, store = given().store) =>
    store.queue.claim({ picks, now, leaseUntil: now + LEASE, owner: 'w1' });
  const stored = async ({ key }: ThrottleRow): Promise<number | null> => {
    const [row] = await given().opened.raw(`SELECT state FROM traffic_state WHERE key = '${key}'`);
    return row === undefined ? null : Number(JSON.parse(String(row['state'])));
  };

  describe('a throttle', () => {
    it('is shared by all queues of a sub-tenant, and returns the remainder', async () => {
      const throttle = newThrottle(atOnce(5));
      const queues = await queuesOf(await tenant(), [3, 4, 2]);
      const picks = queues.map((queueId) => ({ queueId, limit: 100, throttle }));
      const first = await claim(picks);
      expect(first.claims).toHaveLength(5);
      expect(first.tats.get(throttle.key)).toBe(NOW + MINUTE);
      expect(await stored(throttle)).toBe(NOW + MINUTE);
      const again = await claim(picks);
      expect([again.claims, again.tats.get(throttle.key)]).toEqual([[], NOW + MINUTE]);
      // One every twelve seconds.
      expect((await claim(picks, NOW + 24_000)).claims).toHaveLength(2);
      expect((await claim(picks, NOW + MINUTE)).claims).toHaveLength(2);
    });

    it('is not exceeded by the limit of a pick, and leaves queues without one alone', async () => {
      const throttle = newThrottle(atOnce(10));
      const [throttled = 0, free = 0] = await queuesOf(await tenant(), [8, 4]);
      const { claims, queues, tats } = await claim([
        { queueId: throttled, limit: 3, throttle },
        { queueId: free, limit: 100 },
      ]);
      expect(claims.filter(({ queueId }) => queueId === throttled)).toHaveLength(3);
      expect(claims.filter(({ queueId }) => queueId === free)).toHaveLength(4);
      expect(queues).toEqual(
        expect.arrayContaining([
          { queueId: throttled, dueAt: NOW },
          { queueId: free, dueAt: null },
        ]),
      );
      expect([...tats.keys()]).toEqual([throttle.key]);
    });

    it('makes its row where it is missing, and uses nothing up when nothing is due', async () => {
      const throttle = newThrottle(ONE_A_MINUTE);
      const [queueId = 0] = await queuesOf(await tenant(), [1]);
      const picks = [{ queueId, limit: 9, throttle }];
      expect(await stored(throttle)).toBeNull();
      const early = await claim(picks, NOW - 1);
      expect([early.claims, early.tats.get(throttle.key), await stored(throttle)]).toEqual([[], 0, 0]);
      expect((await claim(picks)).claims).toHaveLength(1);
    });

    it('keeps several sub-tenants apart', async () => {
      const throttlesOf = [newThrottle(atOnce(2)), newThrottle(atOnce(3)), newThrottle(ONE_A_MINUTE)];
      const queues: number[] = [];
      for (let i = 0; i < throttlesOf.length; i += 1) queues.push(...(await queuesOf(await tenant(), [4])));
      // In reverse key order.
      const picks = queues
        .map((queueId, i) => ({ queueId, limit: 100, throttle: throttlesOf[i] ?? null }))
        .reverse();
      const { claims, tats } = await claim(picks);
      const counts = queues.map((id) => claims.filter(({ queueId }) => queueId === id).length);
      expect(counts).toEqual([2, 3, 1]);
      expect(tats.size).toBe(3);
    });

    it('is never exceeded by simultaneous claims, of one node or of several', async () => {
      const { opened } = given();
      const throttle = newThrottle(atOnce(7));
      const other = newThrottle(atOnce(4));
      const queues = await queuesOf(await tenant(), [6, 6, 6]);
      const others = await queuesOf(await tenant(), [6, 6]);
      const nodes = [1, 2, 3].map(() => createStore(opened.engine, { maxGroup: 5 }));
      const claims = await Promise.all(
        Array.from({ length: 24 }, (_, i) => {
          const picks = [
            { queueId: queues[i % 3] ?? 0, limit: 2, throttle },
            { queueId: others[i % 2] ?? 0, limit: 2, throttle: other },
          ];
          return claim(i % 2 === 0 ? picks : picks.reverse(), NOW, nodes[i % 3]);
        }),
      );
      const claimed = claims.flatMap((found) => found.claims);
      expect(new Set(claimed.map(({ messageId }) => messageId)).size).toBe(claimed.length);
      expect(claimed.filter(({ queueId }) => queues.includes(queueId))).toHaveLength(7);
      expect(claimed.filter(({ queueId }) => others.includes(queueId))).toHaveLength(4);
    });

    it('gives back the share of unsent messages, even between simultaneous claims', async () => {
      const { store } = given();
      const throttle = newThrottle(atOnce(4));
      const [queueId = 0] = await queuesOf(await tenant(), [12]);
      const picks = [{ queueId, limit: 9, throttle }];
      expect((await claim(picks)).claims).toHaveLength(4);
      const tat = await store.queue.releaseThrottle(throttle, 3);
      expect(tat).toBe(NOW + 15_000);
      expect(await stored(throttle)).toBe(tat);
      const both = await Promise.all([claim(picks), claim(picks)]);
      expect(both.flatMap(({ claims }) => claims)).toHaveLength(3);
      const released = await Promise.all([1, 2].map(() => store.queue.releaseThrottle(throttle, 1)));
      expect(released.sort()).toEqual([NOW + 30_000, NOW + 45_000]);
      expect((await claim(picks)).claims).toHaveLength(2);
    });

    it('whose row was deleted has nothing to release', async () => {
      const throttle = newThrottle(ONE_A_MINUTE);
      expect(await given().store.queue.releaseThrottle(throttle, 1)).toBeNull();
      expect(await stored(throttle)).toBeNull();
    });

    it('is kept as long as it is used', async () => {
      const throttle = newThrottle(ONE_A_MINUTE);
      const [queueId = 0] = await queuesOf(await tenant(), [3]);
      const picks = [{ queueId, limit: 9, throttle }];
      await claim(picks);
      await claim(picks, NOW + MINUTE);
      const [row] = await given().opened.raw(
        `SELECT updated_at FROM traffic_state WHERE key = '${throttle.key}'`,
      );
      expect(Number(row?.['updated_at'])).toBe(NOW + MINUTE);
    });
  });

  describe('stale leases', () => {
    it('are found of all owners, or of those whose names begin so', async () => {
      const { store } = given();
      const owners = ['nod_1/1', 'nod_1/2', 'nod_12/1', 'nod%1/1', 'nod_x/nod_1/', ''];
      const byOwner = new Map<string, number>();
      for (const owner of owners) {
        const [queueId = 0] = await queuesOf(await tenant(), [1]);
        const { claims } = await store.queue.claim({
          picks: [{ queueId, limit: 1 }],
          ...{ now: NOW, leaseUntil: NOW - 999, owner },
        });
        byOwner.set(owner, claims[0]?.messageId ?? 0);
      }
      const found = async (owner: string | null, before = NOW - 998) => {
        const stale = await store.queue.staleLeases({ before, limit: 1_000, owner });
        const ids = new Set(stale.map(({ messageId }) => messageId));
        return owners.filter((one) => ids.has(byOwner.get(one) ?? 0));
      };
      expect(await found(null)).toEqual(owners);
      expect(await found('nod_1/')).toEqual(['nod_1/1', 'nod_1/2']);
      expect(await found('nod_1')).toEqual(['nod_1/1', 'nod_1/2', 'nod_12/1']);
      expect(await found('nod%')).toEqual(['nod%1/1']);
      expect(await found('nod_2/')).toEqual([]);
      expect(await found('nod_1/', NOW - 999)).toEqual([]);
      const limited = await store.queue.staleLeases({ before: NOW, limit: 1, owner: 'nod_1/' });
      expect(limited).toHaveLength(1);
    });
  });
}
