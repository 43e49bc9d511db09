import { describe, expect, it } from 'vitest';
import { compilePlans, quotaVerdict, usageDays } from '../../src/rules/quota.js';
import { readShipped } from '../../src/runtime/config/shipped.js';

const now = Date.UTC(2026, 11, 31, 23, 59);
const nextDay = Date.UTC(2027, 0, 1);
const plans = compilePlans(readShipped('plans'));
const free = plans.get('free') ?? { dailySends: 0, monthlySends: 0 };
const unlimited = plans.get('unlimited') ?? free;

describe('quotaVerdict', () => {
  it.each([
    ['within both limits', 499, 2999, 1, { isAllowed: true }],
    [
      'the day used up',
      500,
      600,
      1,
      { isAllowed: false, period: 'day', limit: 500, used: 500, resetsAt: nextDay },
    ],
    [
      'the month used up',
      0,
      3000,
      1,
      { isAllowed: false, period: 'month', limit: 3000, used: 3000, resetsAt: nextDay },
    ],
    [
      'a batch over what is left',
      400,
      400,
      101,
      { isAllowed: false, period: 'day', limit: 500, used: 400, resetsAt: nextDay },
    ],
    ['a batch that just fits', 400, 400, 100, { isAllowed: true }],
  ])('free plan, %s', (_, day, month, asked, expected) => {
    expect(quotaVerdict({ plan: free, used: { day, month }, asked, now })).toEqual(expected);
  });

  it('never ends with the unlimited plan', () => {
    expect(
      quotaVerdict({ plan: unlimited, used: { day: 1e9, month: 1e9 }, asked: 1000, now }).isAllowed,
    ).toBe(true);
  });
});

describe('usageDays', () => {
  it('counts UTC days from the epoch', () => {
    expect(usageDays(now)).toEqual({
      today: Date.UTC(2026, 11, 31) / 86_400_000,
      monthStart: Date.UTC(2026, 11, 1) / 86_400_000,
    });
    expect(usageDays(0)).toEqual({ today: 0, monthStart: 0 });
  });
});

describe('compilePlans', () => {
  it.each([
    null,
    { free: null },
    { free: { daily_sends: -1, monthly_sends: 1 } },
    { free: { daily_sends: 1 } },
  ])('refuses %j', (json) => {
    expect(() => compilePlans(json)).toThrow(/plans/);
  });
});
