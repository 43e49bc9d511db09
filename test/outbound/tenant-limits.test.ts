import { describe, expect, it } from 'vitest';
import { createLog } from '../../src/lib/runtime/index.js';
import { UNLIMITED } from '../../src/outbound/shape/limit.js';
import type { Restriction } from '../../src/tenants/restrictions.store.js';
import { PersistedCounters } from '../../src/outbound/shape/persisted-counters.js';
import { TenantLimits } from '../../src/outbound/shape/tenant-limits.js';
import { WakeUp } from '../../src/outbound/schedule/wake-up.js';
import type { QueueKey } from '../../src/outbound/schedule/queue.store.js';

const NOW = Date.UTC(2026, 10, 1, 12);
const MINUTE = 60_000;
const queueOf = (environmentId: number, subTenantKey: string): QueueKey => ({
  ...{ queueId: 1, environmentId, subTenantKey },
  ...{ mode: 'live', side: null, domain: 'there.test', rank: 1 },
});
const LIVE = queueOf(1, 'tnt_a');
const TEST = queueOf(2, 'tnt_a');

const restriction = (of: Partial<Restriction>): Restriction => ({
  environmentId: 1,
  tenantId: 'tnt_a',
  perHour: null,
  isThrottled: false,
  isPaused: false,
  isSuspended: false,
  ...of,
});

function limitsWith(
  initial: Restriction[],
  restrictions: () => Restriction[] = () => initial,
  isShared = false,
) {
  const counters = new PersistedCounters(new Map(), {
    commit: () => Promise.resolve(),
    clock: () => NOW,
    log: createLog('fatal'),
  });
  const wakeUp = new WakeUp();
  const woken = { times: 0 };
  wakeUp.notify = () => void (woken.times += 1);
  const limits = new TenantLimits(
    { counters, wakeUp },
    { initial, restrictions: () => Promise.resolve(restrictions()), reputationPerHour: 60, isShared },
  );
  return {
    limits,
    counters,
    woken,
    /** The code of the limit that stops the queue. */
    stopped: (queue: QueueKey) => {
      const found = limits.stops.check(queue, NOW);
      return found.kind === 'closed' ? found.reason.code : null;
    },
    throttled: (queue: QueueKey, now = NOW) => limits.throttles.check(queue, now),
    /** Messages per hour, from the reason once one was sent; undefined without a limit. */
    perHour: (queue: QueueKey) => {
      limits.throttles.reserve(queue, 1, NOW);
      const found = limits.throttles.check(queue, NOW);
      return found.kind === 'closed' ? Number(/\d+/.exec(found.reason.detail)?.[0]) : undefined;
    },
  };
}

describe('stopping', () => {
  it('distinguishes its two causes, and the environments', () => {
    const { limits, stopped } = limitsWith([]);
    expect(stopped(LIVE)).toBeNull();
    limits.stop(1, 'tnt_a', 'suspended', true);
    limits.stop(1, 'tnt_a', 'paused', true);
    expect([stopped(LIVE), stopped(TEST)]).toEqual(['tenant_paused', null]);
    limits.stop(1, 'tnt_a', 'paused', false);
    expect(stopped(LIVE)).toBe('tenant_dns_suspended');
    limits.stop(1, 'tnt_a', 'suspended', false);
    expect(stopped(LIVE)).toBeNull();
  });

  it('starts with the state of the rows', () => {
    const { stopped } = limitsWith([
      restriction({ isSuspended: true }),
      restriction({ environmentId: 2, isPaused: true }),
    ]);
    expect([stopped(LIVE), stopped(TEST)]).toEqual(['tenant_dns_suspended', 'tenant_paused']);
  });

  it('ends in both environments when the sub-tenant is deleted, together with its limits', () => {
    const { limits, stopped, perHour } = limitsWith([
      restriction({ isSuspended: true, perHour: 5 }),
      restriction({ environmentId: 2, isPaused: true }),
    ]);
    limits.forget('tnt_a');
    expect([stopped(LIVE), stopped(TEST), perHour(LIVE)]).toEqual([null, null, undefined]);
  });
});

describe('the lower limit applies', () => {
  it.each([
    [null, null, undefined],
    [100, null, 100],
    [null, 60, 60],
    [100, 60, 60],
    [5, 60, 5],
  ])('of its owner (%s) and for its reputation (%s)', (owner, reputation, expected) => {
    const { limits, perHour } = limitsWith([]);
    limits.limit(1, 'tnt_a', 'owner', owner);
    limits.limit(1, 'tnt_a', 'reputation', reputation);
    expect(perHour(LIVE)).toBe(expected);
    expect(perHour(TEST)).toBeUndefined();
  });

  it('and counts mail that was sent under the other one', () => {
    const { limits, throttled } = limitsWith([restriction({ perHour: 60 })]);
    limits.throttles.reserve(LIVE, 1, NOW);
    limits.limit(1, 'tnt_a', 'owner', null);
    expect(throttled(LIVE)).toEqual(UNLIMITED);
    limits.limit(1, 'tnt_a', 'reputation', 60);
    expect(throttled(LIVE)).toMatchObject({ kind: 'closed', reason: { until: NOW + MINUTE } });
    expect(throttled(LIVE, NOW + MINUTE)).toMatchObject({ kind: 'open', capacity: 1 });
  });
});

describe('hourly reservations', () => {
  it('are returned for unsent messages, and used by sent ones', () => {
    const { limits, throttled } = limitsWith([restriction({ perHour: 60 })]);
    const hold = limits.throttles.reserve(LIVE, 1, NOW);
    expect(throttled(LIVE)).toMatchObject({ kind: 'closed' });
    expect(hold?.(1, true)).toBe(false);
    expect(throttled(LIVE)).toMatchObject({ kind: 'closed' });
    expect(hold?.(1, false)).toBe(true);
    expect(throttled(LIVE)).toMatchObject({ kind: 'open', capacity: 1 });
  });
});

describe('synchronization with the rows', () => {
  it('applies missed changes, and wakes the scheduler if there were any', async () => {
    const rows = [restriction({ environmentId: 2, isThrottled: true })];
    const initial = [restriction({ isPaused: true, isThrottled: true })];
    const { limits, woken, stopped, throttled, perHour } = limitsWith(initial, () => rows);
    await limits.align();
    expect(woken.times).toBe(1);
    expect(stopped(LIVE)).toBeNull();
    expect(throttled(LIVE)).toEqual(UNLIMITED);
    expect(perHour(TEST)).toBe(60);
    await limits.align();
    expect(woken.times).toBe(1);
  });

  it('keeps changes that were made while it read', async () => {
    const rows = [restriction({ isPaused: true }), restriction({ tenantId: 'tnt_b', isPaused: true })];
    const { limits, stopped } = limitsWith([restriction({ isPaused: true })], () => {
      limits.stop(1, 'tnt_a', 'paused', false);
      return rows;
    });
    await limits.align();
    expect(stopped(LIVE)).toBeNull();
    expect(stopped(queueOf(1, 'tnt_b'))).toBe('tenant_paused');
  });
});

describe('a limit that several nodes share', () => {
  const KEY = 'throttle 1 tnt_a';
  const shared = (initial: Restriction[]) => limitsWith(initial, () => initial, true);

  it('is counted with the claim, which has the row and the active rate', () => {
    const { limits } = shared([restriction({ perHour: 100, isThrottled: true })]);
    const rate = { count: 60, perMs: 60 * MINUTE, burst: 1 };
    expect(limits.throttleOf(LIVE)).toEqual({ key: KEY, rate });
    expect(limits.throttleOf(TEST)).toBeNull();
    expect(limits.throttleOf(queueOf(1, ''))).toBeNull();
    limits.limit(1, 'tnt_a', 'reputation', null);
    expect(limits.throttleOf(LIVE)?.rate.count).toBe(100);
    limits.limit(1, 'tnt_a', 'owner', null);
    expect(limits.throttleOf(LIVE)).toBeNull();
  });

  it('is not counted locally as well, and applies as the store has counted', () => {
    const { limits, throttled, counters } = shared([restriction({ perHour: 60 })]);
    expect(limits.throttles.reserve(LIVE, 1, NOW)).toBeNull();
    expect(throttled(LIVE)).toMatchObject({ kind: 'open', capacity: 1 });
    limits.learn(KEY, NOW + MINUTE);
    expect(throttled(LIVE)).toMatchObject({ kind: 'closed', reason: { until: NOW + MINUTE } });
    expect(throttled(LIVE, NOW + MINUTE)).toMatchObject({ kind: 'open', capacity: 1 });
    expect(counters.get(KEY)).toBe(NOW + MINUTE);
    // Others have released capacity.
    limits.learn(KEY, NOW);
    expect(throttled(LIVE)).toMatchObject({ kind: 'open', capacity: 1 });
  });

  it('is counted locally on a single node', () => {
    const { limits } = limitsWith([restriction({ perHour: 60 })]);
    expect(limits.throttleOf(LIVE)).toBeNull();
    expect(limits.throttles.reserve(LIVE, 1, NOW)).not.toBeNull();
  });
});
