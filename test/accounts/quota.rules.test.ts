import { describe, expect, it } from 'vitest';
import type { MessageType } from '../../src/contract/names.js';
import {
  compilePlans,
  isUnlimited,
  noSends,
  quotaResult,
  remainingSends,
  usageDays,
  type PlanLimits,
} from '../../src/accounts/quota.rules.js';
import { readShipped } from '../../src/settings/shipped.js';

const now = Date.UTC(2026, 11, 31, 23, 59);
const nextDay = Date.UTC(2027, 0, 1);
const plans = compilePlans(readShipped('plans'));

function planOf(name: string): PlanLimits {
  const plan = plans.get(name);
  if (!plan) throw new Error(`There is no plan ${name}.`);
  return plan;
}

const free = planOf('free');
const sends = (transactional: number, marketing = 0, sales = 0) => ({ transactional, marketing, sales });
const over = (period: 'day' | 'month', limit: number, used: number, type: MessageType | null = null) => ({
  isAllowed: false,
  period,
  type,
  limit,
  used,
  resetsAt: nextDay,
});

describe('quotaResult', () => {
  it.each([
    ['within both limits', 499, 2999, 1, { isAllowed: true }],
    ['the day used up', 500, 600, 1, over('day', 500, 500)],
    ['the month used up', 0, 3000, 1, over('month', 3000, 3000)],
    ['a batch over what is left', 400, 400, 101, over('day', 500, 400)],
    ['a batch that just fits', 400, 400, 100, { isAllowed: true }],
  ])('free plan, %s', (_, day, month, asked, expected) => {
    const used = { day: sends(day), month: sends(month) };
    expect(quotaResult({ plan: free, used, type: 'transactional', asked, now })).toEqual(expected);
  });

  it('never limits the unlimited plan', () => {
    const used = { day: sends(1e9, 1e9), month: sends(1e9, 1e9) };
    const plan = planOf('unlimited');
    expect(isUnlimited(plan)).toBe(true);
    expect(quotaResult({ plan, used, type: 'sales', asked: 1000, now }).isAllowed).toBe(true);
  });

  const marketingPlan = compilePlans({
    p: {
      daily_sends: 100,
      monthly_sends: null,
      types: { marketing: { daily_sends: 10, monthly_sends: 50 } },
    },
  }).get('p');
  it.each([
    ['the type within its own', 'marketing', sends(0, 9), sends(0, 9), 1, { isAllowed: true }],
    ['its day', 'marketing', sends(0, 10), sends(0, 10), 1, over('day', 10, 10, 'marketing')],
    [
      'its month before its day',
      'marketing',
      sends(0, 10),
      sends(0, 50),
      1,
      over('month', 50, 50, 'marketing'),
    ],
    ['others come under the whole only', 'sales', sends(0, 10), sends(0, 50), 90, { isAllowed: true }],
    ['all types share the whole', 'sales', sends(85, 10), sends(85, 10), 6, over('day', 100, 95)],
    ['the whole before the type', 'marketing', sends(90, 10), sends(90, 10), 1, over('day', 100, 100)],
  ] as const)('limits a type: %s', (_, type, day, month, asked, expected) => {
    if (!marketingPlan) throw new Error('no plan');
    expect(quotaResult({ plan: marketingPlan, used: { day, month }, type, asked, now })).toEqual(expected);
  });

  it('reports the tightest limit as the remaining one', () => {
    if (!marketingPlan) throw new Error('no plan');
    const used = { day: sends(0, 4), month: sends(0, 45) };
    expect(remainingSends(marketingPlan, used, 'marketing', now)).toMatchObject({ left: 5, period: 'month' });
    expect(remainingSends(marketingPlan, used, 'sales', now)).toMatchObject({ left: 96, period: 'day' });
    expect(
      remainingSends(planOf('unlimited'), { day: noSends(), month: noSends() }, 'sales', now),
    ).toBeNull();
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
  const limits = { daily_sends: 1, monthly_sends: null };
  it.each([
    [null, 'plans: must be an object'],
    [[], 'plans: must be an object'],
    [{ free: null }, 'plans: free must be an object'],
    [
      { free: { daily_sends: -1, monthly_sends: 1 } },
      'plans: free.daily_sends must be a whole number or null',
    ],
    [{ free: { daily_sends: 1 } }, 'plans: free.monthly_sends must be a whole number or null'],
    [{ free: { ...limits, dayly: 1 } }, 'plans: unknown field free.dayly'],
    [{ free: { ...limits, types: [] } }, 'plans: free.types must be an object'],
    [{ free: { ...limits, types: { news: {} } } }, 'plans: unknown field free.types.news'],
    [{ free: { ...limits, types: { sales: 3 } } }, 'plans: free.types.sales must be an object'],
    [
      { free: { ...limits, types: { sales: { daily_sends: 1.5 } } } },
      'plans: free.types.sales.daily_sends must be a whole number or null',
    ],
    [
      { free: { ...limits, types: { sales: { hourly: 1 } } } },
      'plans: unknown field free.types.sales.hourly',
    ],
  ])('refuses %j', (json, message) => {
    expect(() => compilePlans(json)).toThrow(message);
  });
});
