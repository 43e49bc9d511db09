// A plan's limits on live sends per UTC day and month, for all messages and by type.
import { MESSAGE_TYPES, type MessageType } from '../contract/names.js';

const DAY_MS = 86_400_000;

/** Null for no limit. */
interface SendLimits {
  dailySends: number | null;
  monthlySends: number | null;
}

export interface PlanLimits extends SendLimits {
  /** Limits by type, in addition to the limits on all messages. */
  types: Partial<Record<MessageType, SendLimits>>;
}

/** Sends by type. */
type SendCounts = Record<MessageType, number>;

/** Messages sent on a day, and in its month so far. */
export interface PlanUsage {
  day: SendCounts;
  month: SendCounts;
}

export type Period = 'day' | 'month';

/** A limit and its usage. */
export interface PlanLimitState {
  period: Period;
  /** Null for all types together. */
  type: MessageType | null;
  limit: number;
  used: number;
  /** Epoch ms of the start of the next day or month. */
  resetsAt: number;
}

type QuotaResult = { isAllowed: true } | ({ isAllowed: false } & PlanLimitState);

/** Returns the days since the epoch (UTC) of `now` and of the first of its month. */
export function usageDays(now: number): { today: number; monthStart: number } {
  const date = new Date(now);
  const monthStart = Date.UTC(date.getUTCFullYear(), date.getUTCMonth(), 1);
  return { today: Math.floor(now / DAY_MS), monthStart: monthStart / DAY_MS };
}

/** Returns the time (epoch ms) at which the counter of `now` is reset. */
export function resetTime(period: Period, now: number): number {
  const date = new Date(now);
  return period === 'day'
    ? (usageDays(now).today + 1) * DAY_MS
    : Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 1);
}

export function noSends(): SendCounts {
  return { transactional: 0, marketing: 0, sales: 0 };
}

export function sumSends(counts: SendCounts): number {
  return MESSAGE_TYPES.reduce((sum, type) => sum + counts[type], 0);
}

export function isUnlimited(plan: PlanLimits): boolean {
  const limits = [plan, ...Object.values(plan.types)];
  return limits.every(({ dailySends, monthlySends }) => dailySends === null && monthlySends === null);
}

/**
 * Returns the limits for messages of a type. Monthly limits come first, because a used-up month makes a reset tomorrow
 * irrelevant. Within a period, the limit on all messages precedes the type's.
 */
function limitStatesOf(plan: PlanLimits, used: PlanUsage, type: MessageType, now: number): PlanLimitState[] {
  const own = plan.types[type];
  const all = (period: Period, limit: number | null) => ({
    limit,
    period,
    type: null,
    used: sumSends(used[period]),
  });
  const ofType = (period: Period, limit: number | null) => ({
    limit,
    period,
    type,
    used: used[period][type],
  });
  return [
    all('month', plan.monthlySends),
    ofType('month', own?.monthlySends ?? null),
    all('day', plan.dailySends),
    ofType('day', own?.dailySends ?? null),
  ].flatMap(({ limit, ...rest }) =>
    limit === null ? [] : [{ ...rest, limit, resetsAt: resetTime(rest.period, now) }],
  );
}

/** Returns whether `asked` more messages of the type are within the limits, and otherwise the limit that they exceed. */
export function quotaResult(input: {
  plan: PlanLimits;
  used: PlanUsage;
  type: MessageType;
  asked: number;
  now: number;
}): QuotaResult {
  const { plan, used, type, asked, now } = input;
  const over = limitStatesOf(plan, used, type, now).find((one) => one.used + asked > one.limit);
  return over ? { isAllowed: false, ...over } : { isAllowed: true };
}

/** Returns the tightest limit for messages of the type, or null. */
export function remainingSends(
  plan: PlanLimits,
  used: PlanUsage,
  type: MessageType,
  now: number,
): (PlanLimitState & { left: number }) | null {
  const open = limitStatesOf(plan, used, type, now)
    .map((one) => ({ ...one, left: Math.max(0, one.limit - one.used) }))
    .sort((a, b) => a.left - b.left);
  return open[0] ?? null;
}

/** Describes a limit and its usage in a sentence. */
export function describeLimit({
  period,
  type,
  limit,
  used,
}: Pick<PlanLimitState, 'period' | 'type' | 'limit' | 'used'>): string {
  const what = type === null ? 'sends' : `${type} sends`;
  return `The plan allows ${limit} ${what} per ${period}, and ${used} have been used.`;
}

const PLAN_FIELDS = ['daily_sends', 'monthly_sends', 'types'];
const TYPE_FIELDS = ['daily_sends', 'monthly_sends'];

function objectAt(value: unknown, place: string): Record<string, unknown> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new Error(`plans: ${place === '' ? '' : `${place} `}must be an object`);
  }
  return value as Record<string, unknown>;
}

function refuseUnknown(value: object, place: string, known: readonly string[]): void {
  const unknown = Object.keys(value).find((name) => !known.includes(name));
  if (unknown === undefined) return;
  throw new Error(`plans: unknown field ${place}.${unknown}. Known fields: ${known.join(', ')}.`);
}

function limitOf(value: unknown, place: string): number | null {
  if (value === null) return null;
  if (typeof value === 'number' && Number.isSafeInteger(value) && value >= 0) return value;
  throw new Error(`plans: ${place} must be a whole number or null`);
}

/** A type that the plan does not mention has only the limits on all messages. */
function typesOf(value: unknown, place: string): PlanLimits['types'] {
  if (value === undefined) return {};
  const types = objectAt(value, place);
  refuseUnknown(types, place, MESSAGE_TYPES);
  return Object.fromEntries(
    Object.entries(types).map(([type, given]) => {
      const limits = objectAt(given, `${place}.${type}`);
      refuseUnknown(limits, `${place}.${type}`, TYPE_FIELDS);
      const { daily_sends: daily = null, monthly_sends: monthly = null } = limits;
      return [
        type,
        {
          dailySends: limitOf(daily, `${place}.${type}.daily_sends`),
          monthlySends: limitOf(monthly, `${place}.${type}.monthly_sends`),
        },
      ];
    }),
  );
}

/** Parses config/plans.json by plan name. Throws an Error that names the first mistake. */
export function compilePlans(json: unknown): ReadonlyMap<string, PlanLimits> {
  const plans = new Map<string, PlanLimits>();
  for (const [name, value] of Object.entries(objectAt(json, ''))) {
    const plan = objectAt(value, name);
    refuseUnknown(plan, name, PLAN_FIELDS);
    plans.set(name, {
      dailySends: limitOf(plan['daily_sends'], `${name}.daily_sends`),
      monthlySends: limitOf(plan['monthly_sends'], `${name}.monthly_sends`),
      types: typesOf(plan['types'], `${name}.types`),
    });
  }
  return plans;
}
