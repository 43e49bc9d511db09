import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  exceededLevel,
  pauseFor,
  reputationState,
  type ReputationLevels,
  type ReputationState,
} from '../../src/reputation/reputation.rules.js';
import { reputationRates } from '../../src/tenants/reputation-rates.rules.js';

const LEVELS: ReputationLevels = {
  minDelivered: 20,
  warn: 0.001,
  throttle: 0.003,
  recoveryRatio: 0.8,
  pauseComplaint: null,
  pauseBounce: null,
};
const sums = (complained: number, delivered: number, bounced = 0, sent = delivered + bounced) => ({
  sent,
  delivered,
  bounced,
  complained,
});

describe('the next state', () => {
  it.each<[string, ReputationState, number, number, ReputationState]>([
    ['nothing at all', 'ok', 0, 0, 'ok'],
    ['no complaint', 'ok', 0, 100_000, 'ok'],
    ['just below 0.10 %', 'ok', 99, 100_000, 'ok'],
    ['0.10 % to the letter', 'ok', 100, 100_000, 'warned'],
    ['0.10 % of a thousand', 'ok', 1, 1_000, 'warned'],
    ['one of 1,001', 'ok', 1, 1_001, 'ok'],
    ['just below 0.30 %', 'ok', 299, 100_000, 'warned'],
    ['0.30 % to the letter', 'ok', 300, 100_000, 'throttled'],
    ['0.30 % of a thousand', 'warned', 3, 1_000, 'throttled'],
    ['however high', 'ok', 20, 20, 'throttled'],
    ['more complaints than deliveries in the window', 'ok', 30, 20, 'throttled'],

    ['19 delivered say nothing', 'ok', 19, 19, 'ok'],
    ['20 delivered do', 'ok', 1, 20, 'throttled'],
    ['complaints and nothing delivered', 'ok', 5, 0, 'ok'],
    ['a warning, with few left in the window', 'warned', 1, 19, 'warned'],
    ['a warning, with few and no complaint left', 'warned', 0, 19, 'ok'],
    ['a throttle, with few left in the window', 'throttled', 1, 3, 'throttled'],
    ['a throttle, with nothing left', 'throttled', 0, 0, 'ok'],

    ['a warning at 80 % of its level', 'warned', 80, 100_000, 'warned'],
    ['a warning just below that', 'warned', 79, 100_000, 'ok'],
    ['a warning at its level', 'warned', 100, 100_000, 'warned'],
    ['a throttle at 80 % of its level', 'throttled', 240, 100_000, 'throttled'],
    ['a throttle just below that', 'throttled', 239, 100_000, 'warned'],
    ['a throttle at 0.20 %', 'throttled', 200, 100_000, 'warned'],
    ['a throttle at 0.09 %: its warning is not over', 'throttled', 90, 100_000, 'warned'],
    ['a throttle just below 0.08 %', 'throttled', 79, 100_000, 'ok'],
    ['a warning at 0.24 % is no throttle', 'warned', 240, 100_000, 'warned'],
  ])('%s', (_what, before, complained, delivered, after) => {
    expect(reputationState(before, sums(complained, delivered), LEVELS)).toBe(after);
  });

  const anyLevels = fc
    .tuple(
      fc.integer({ min: 1, max: 500 }),
      fc.integer({ min: 1, max: 500 }),
      fc.integer({ min: 1, max: 100 }),
    )
    .map(([warn, more, clear]) => ({
      ...LEVELS,
      warn: warn / 10_000,
      throttle: (warn + more) / 10_000,
      recoveryRatio: clear / 100,
    }));
  const anyState = fc.constantFrom<ReputationState>('ok', 'warned', 'throttled');
  const anyCounts = fc.tuple(fc.nat(5_000), fc.nat(1_000_000));

  it('is throttled at or above the level in any state, and is never lowered automatically', () => {
    fc.assert(
      fc.property(anyLevels, anyState, anyCounts, (levels, before, [complained, delivered]) => {
        const after = reputationState(before, sums(complained, delivered), levels);
        // In integers, as the levels are defined.
        const reaches = (level: number): boolean =>
          complained > 0 && complained * 10_000 >= Math.round(level * 10_000) * delivered;
        if (delivered < levels.minDelivered) {
          expect([before, 'ok']).toContain(after);
          return;
        }
        if (reaches(levels.throttle)) expect(after).toBe('throttled');
        else {
          if (before !== 'throttled') expect(after).not.toBe('throttled');
          if (reaches(levels.warn)) expect(after).not.toBe('ok');
          else if (before === 'ok') expect(after).toBe('ok');
        }
        if (complained === 0) expect(after).toBe('ok');
      }),
    );
  });

  it('is stable when it is judged again by the same figures', () => {
    fc.assert(
      fc.property(anyLevels, anyState, anyCounts, (levels, before, [complained, delivered]) => {
        const first = reputationState(before, sums(complained, delivered), levels);
        expect(reputationState(first, sums(complained, delivered), levels)).toBe(first);
      }),
    );
  });
});

describe('a pause', () => {
  const on = { ...LEVELS, pauseComplaint: 0.01, pauseBounce: 0.1 };
  it.each([
    ['is off by default', LEVELS, sums(1_000, 1_000, 1_000), null],
    ['by complaints, at the level', on, sums(10, 1_000), 'complaint_rate'],
    ['not just below it', on, sums(9, 1_000), null],
    ['not with too few delivered', on, sums(19, 19), null],
    ['by bounces, at the level', on, sums(0, 900, 100), 'bounce_rate'],
    ['not just below it', on, sums(0, 901, 99), null],
    ['where everything bounces', on, sums(0, 0, 20), 'bounce_rate'],
    ['not for 19 that bounced', on, sums(0, 0, 19), null],
    ['by complaints first', on, sums(100, 1_000, 1_000), 'complaint_rate'],
    [
      'not for nothing, even at a level of 0',
      { ...on, pauseComplaint: 0, pauseBounce: 0 },
      sums(0, 100),
      null,
    ],
  ])('%s', (_what, levels, counted, cause) => {
    expect(pauseFor(counted, levels)).toBe(cause);
  });
});

it('rates are shares of delivered and sent mail, and `null` without any', () => {
  expect(reputationRates(sums(1, 3, 1, 4))).toEqual({ complaint: 0.333333, bounce: 0.25 });
  expect(reputationRates(sums(0, 0))).toEqual({ complaint: null, bounce: null });
});

it('each state has its level', () => {
  expect((['ok', 'warned', 'throttled'] as const).map((state) => exceededLevel(state, LEVELS))).toEqual([
    null,
    0.001,
    0.003,
  ]);
});
