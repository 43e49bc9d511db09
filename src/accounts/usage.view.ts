// What is used of a plan, as /v1 shows it.
import { MESSAGE_TYPES, type Mode } from '../contract/names.js';
import type { KeyUsageWire, UsageWire } from './usage.schema.js';
import { resetTime, totalOf, usageDays, type Period, type PlanLimits, type Used } from './quota.rules.js';
import type { ApiKey } from './accounts.store.js';
import type { KeyDay } from './api-keys/key-usage.store.js';
import { iso, isoOrNull } from '../contract/time.js';

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

/** `days` are those of this key, the oldest first. */
export function presentKeyUsage(row: ApiKey & { mode: Mode }, days: readonly KeyDay[]): KeyUsageWire {
  return {
    object: 'api_key_usage',
    api_key_id: row.id,
    name: row.name,
    permission: row.permission,
    mode: row.mode,
    sub_tenant_id: row.sub_tenant_id,
    last_used_at: isoOrNull(row.last_used_at),
    messages: days.reduce((sum, { messages }) => sum + messages, 0),
    days: days.map(({ day, messages }) => ({ date: iso(day * DAY_MS).slice(0, 10), messages })),
  };
}
