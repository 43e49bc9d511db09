import { describe, expect, it } from 'vitest';
import { createLog } from '../../src/lib/runtime/log.js';
import type { Restriction } from '../../src/tenants/reputation/reputation.store.js';
import { createStateKeeper } from '../../src/outbound/shape/persisted-counters.js';
import { createThrottles } from '../../src/outbound/shape/throttles.js';

const NOW = Date.UTC(2026, 10, 1, 12);
const MINUTE = 60_000;
const LIVE = { environmentId: 1, subTenantKey: 'tnt_a' };
const TEST = { environmentId: 2, subTenantKey: 'tnt_a' };

const restriction = (of: Partial<Restriction>): Restriction => ({
  environmentId: 1,
  tenantId: 'tnt_a',
  perHour: null,
  isThrottled: false,
  isPaused: false,
  isSuspended: false,
  ...of,
});

function throttlesWith(initial: Restriction[]) {
  const keeper = createStateKeeper({
    initial: new Map(),
    commit: () => Promise.resolve(),
    clock: () => NOW,
    log: createLog('fatal'),
  });
  return createThrottles({ initial, keeper, reputationPerHour: 60 });
}

describe('stopping', () => {
  it('keeps its two causes apart, and each environment for itself', () => {
    const throttles = throttlesWith([]);
    expect(throttles.stopped(LIVE)).toBeNull();
    throttles.stop(1, 'tnt_a', 'suspended', true);
    throttles.stop(1, 'tnt_a', 'paused', true);
    expect([throttles.stopped(LIVE), throttles.stopped(TEST)]).toEqual(['paused', null]);
    throttles.stop(1, 'tnt_a', 'paused', false);
    expect(throttles.stopped(LIVE)).toBe('suspended');
    throttles.stop(1, 'tnt_a', 'suspended', false);
    expect(throttles.stopped(LIVE)).toBeNull();
  });

  it('begins as the rows say', () => {
    const throttles = throttlesWith([
      restriction({ isSuspended: true }),
      restriction({ environmentId: 2, isPaused: true }),
    ]);
    expect([throttles.stopped(LIVE), throttles.stopped(TEST)]).toEqual(['suspended', 'paused']);
  });

  it('ends in both environments when the sub-tenant is gone, with its limits', () => {
    const throttles = throttlesWith([
      restriction({ isSuspended: true, perHour: 5 }),
      restriction({ environmentId: 2, isPaused: true }),
    ]);
    throttles.forget('tnt_a');
    expect([throttles.stopped(LIVE), throttles.stopped(TEST), throttles.room(LIVE, NOW)]).toEqual([
      null,
      null,
      null,
    ]);
  });
});

describe('the lower limit holds', () => {
  it.each([
    [null, null, undefined],
    [100, null, 100],
    [null, 60, 60],
    [100, 60, 60],
    [5, 60, 5],
  ])('of its owner (%s) and for its reputation (%s)', (owner, reputation, perHour) => {
    const throttles = throttlesWith([]);
    throttles.limit(1, 'tnt_a', 'owner', owner);
    throttles.limit(1, 'tnt_a', 'reputation', reputation);
    expect(throttles.room(LIVE, NOW)?.perHour).toBe(perHour);
    expect(throttles.room(TEST, NOW)).toBeNull();
  });

  it('and what was used up under one counts under the other', () => {
    const throttles = throttlesWith([restriction({ perHour: 60 })]);
    throttles.take(LIVE, NOW, 1);
    throttles.limit(1, 'tnt_a', 'owner', null);
    expect(throttles.room(LIVE, NOW)).toBeNull();
    throttles.limit(1, 'tnt_a', 'reputation', 60);
    expect(throttles.room(LIVE, NOW)).toMatchObject({ room: 0, until: NOW + MINUTE });
    expect(throttles.room(LIVE, NOW + MINUTE)).toMatchObject({ room: 1 });
  });
});

describe('aligning with the rows', () => {
  it('puts in force what was missed, and says whether there was something', async () => {
    const throttles = throttlesWith([restriction({ isPaused: true, isThrottled: true })]);
    const rows = [restriction({ environmentId: 2, isThrottled: true })];
    expect(await throttles.align(() => Promise.resolve(rows))).toBe(true);
    expect(throttles.stopped(LIVE)).toBeNull();
    expect(throttles.room(LIVE, NOW)).toBeNull();
    expect(throttles.room(TEST, NOW)?.perHour).toBe(60);
    expect(await throttles.align(() => Promise.resolve(rows))).toBe(false);
  });

  it('leaves what was told while it read', async () => {
    const throttles = throttlesWith([restriction({ isPaused: true })]);
    const others = [restriction({ isPaused: true }), restriction({ tenantId: 'tnt_b', isPaused: true })];
    await throttles.align(() => {
      throttles.stop(1, 'tnt_a', 'paused', false);
      return Promise.resolve(others);
    });
    expect(throttles.stopped(LIVE)).toBeNull();
    expect(throttles.stopped({ environmentId: 1, subTenantKey: 'tnt_b' })).toBe('paused');
  });
});
