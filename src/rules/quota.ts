// A plan's limits on live sends per UTC day and month.

const DAY_MS = 86_400_000;

export interface PlanLimits {
  /** Null: no limit. */
  dailySends: number | null;
  monthlySends: number | null;
}

export type QuotaVerdict =
  | { isAllowed: true }
  | { isAllowed: false; period: 'day' | 'month'; limit: number; used: number; resetsAt: number };

/** The days, counted from 1970-01-01 UTC, of `now` and of the first of its month. */
export function usageDays(now: number): { today: number; monthStart: number } {
  const date = new Date(now);
  const monthStart = Date.UTC(date.getUTCFullYear(), date.getUTCMonth(), 1);
  return { today: Math.floor(now / DAY_MS), monthStart: monthStart / DAY_MS };
}

/** Whether `asked` more sends fit. On a no, `resetsAt` (epoch ms) is the start of the next day or month. */
export function quotaVerdict(input: {
  plan: PlanLimits;
  used: { day: number; month: number };
  asked: number;
  now: number;
}): QuotaVerdict {
  const { plan, used, asked, now } = input;
  const date = new Date(now);
  const nextMonth = Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 1);
  const nextDay = (usageDays(now).today + 1) * DAY_MS;
  // The month first: while it is used up, telling of tomorrow would be wrong.
  if (plan.monthlySends !== null && used.month + asked > plan.monthlySends) {
    return {
      isAllowed: false,
      period: 'month',
      limit: plan.monthlySends,
      used: used.month,
      resetsAt: nextMonth,
    };
  }
  if (plan.dailySends !== null && used.day + asked > plan.dailySends) {
    return { isAllowed: false, period: 'day', limit: plan.dailySends, used: used.day, resetsAt: nextDay };
  }
  return { isAllowed: true };
}

function limitOf(plan: object, field: string, name: string): number | null {
  const value = (plan as Record<string, unknown>)[field];
  if (value === null) return null;
  if (typeof value === 'number' && Number.isSafeInteger(value) && value >= 0) return value;
  throw new Error(`plans: ${name}.${field} must be a whole number or null`);
}

/** The content of config/plans.json by plan name. Throws an Error that names the first mistake. */
export function compilePlans(json: unknown): ReadonlyMap<string, PlanLimits> {
  if (typeof json !== 'object' || json === null) throw new Error('plans: must be an object');
  const plans = new Map<string, PlanLimits>();
  for (const [name, plan] of Object.entries(json) as [string, unknown][]) {
    if (typeof plan !== 'object' || plan === null) throw new Error(`plans: ${name} must be an object`);
    plans.set(name, {
      dailySends: limitOf(plan, 'daily_sends', name),
      monthlySends: limitOf(plan, 'monthly_sends', name),
    });
  }
  return plans;
}
