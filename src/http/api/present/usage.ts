// What is used of a plan, as /v1 shows it.
import { MESSAGE_TYPES } from '../../../contract/names.js';
import type { UsageWire } from '../../../contract/usage.js';
import {
  resetTime,
  totalOf,
  usageDays,
  type Period,
  type PlanLimits,
  type Used,
} from '../../../rules/quota.js';
import { iso } from './time.js';

const DAY_MS = 86_400_000;

export interface UsageFacts {
  plan: string;
  limits: PlanLimits;
  /** Of the organization, which the limits are for. */
  used: Used;
  /** Of the workspace that asks. */
  ofWorkspace: Used;
  now: number;
}

export function presentUsage(facts: UsageFacts): UsageWire {
  return {
    object: 'usage',
    plan: facts.plan,
    day: periodOf(facts, 'day'),
    month: periodOf(facts, 'month'),
  };
}

function periodOf({ limits, used, ofWorkspace, now }: UsageFacts, period: Period): UsageWire['day'] {
  const field = period === 'day' ? 'dailySends' : 'monthlySends';
  const { today, monthStart } = usageDays(now);
  return {
    starts_at: iso((period === 'day' ? today : monthStart) * DAY_MS),
    resets_at: iso(resetTime(period, now)),
    ...shareOf(totalOf(used[period]), limits[field]),
    workspace_used: totalOf(ofWorkspace[period]),
    types: MESSAGE_TYPES.map((type) => ({
      type,
      ...shareOf(used[period][type], limits.types[type]?.[field] ?? null),
    })),
  };
}

function shareOf(used: number, limit: number | null) {
  return { used, limit, remaining: limit === null ? null : Math.max(0, limit - used) };
}
