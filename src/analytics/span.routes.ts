// Checks the query of GET /v1/analytics as a whole, and chooses the counters that answer it.
import type { Static } from 'typebox';
import { type AnalyticsGroup, type analyticsQuery, noSums } from './analytics.schema.js';
import type { MessageType } from '../contract/names.js';
import { invalidFields } from '../contract/refusal.js';
import { endOfUnit, startOfUnit, unitStarts, type TimeUnit } from './time-units.rules.js';
import type { Scope } from '../database/scope.js';
import { ALL_TENANTS, type StatisticsStore } from './statistics.store.js';
import {
  HOURS_KEPT,
  type CountedRow,
  type CountedSpan,
  type GroupStatistics,
} from './statistics-groups.store.js';
import { readInstant } from '../http/body/fields.js';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const DEFAULT_WINDOW_DAYS = 30;
const MOST_DAYS = 1_830;
const MOST_POINTS: Record<TimeUnit, number> = { hour: 7 * 24, day: 366, week: 263, month: 61 };

interface AnalyticsSpan {
  unit: TimeUnit;
  /** Beginnings of the units, oldest first. */
  starts: number[];
  from: number;
  to: number;
  groupBy: AnalyticsGroup | null;
  tag: string | null;
  campaignId: string | null;
  provider: string | null;
}

/** Epoch milliseconds. Refused with `validation_error`, every field named. */
export function readAnalyticsSpan(query: Static<typeof analyticsQuery>, now: number): AnalyticsSpan {
  const { unit = 'day', group_by: groupBy, tag, campaign_id: campaignId, provider } = query;
  const problems: { path: string; message: string }[] = [];
  const given = Object.entries({ group_by: groupBy, tag, campaign_id: campaignId, provider }).filter(
    ([, value]) => value !== undefined,
  );
  for (const [path] of given.slice(1)) {
    problems.push({
      path,
      message: `cannot be combined with ${given[0]?.[0] ?? ''}, which is counted separately`,
    });
  }
  const [first] = given[0] ?? [];
  if (unit === 'hour' && first !== undefined && first !== 'campaign_id') {
    problems.push({
      path: 'unit',
      message: `Hourly statistics are not available by ${first.replace('_id', '')}. Use day`,
    });
  }
  if (query.window_days !== undefined && (query.from ?? query.to) !== undefined) {
    problems.push({ path: 'window_days', message: 'cannot be combined with from and to' });
  }
  if (problems.length > 0) throw invalidFields(problems);
  const to = query.to === undefined ? endOfUnit(now, unit) : readInstant('to', query.to);
  const from =
    query.from === undefined ? defaultFrom(query.window_days, unit, to) : readInstant('from', query.from);
  if (from >= to) throw invalidFields([{ path: 'from', message: 'must be before `to`' }]);
  const starts = to - from > MOST_DAYS * DAY_MS ? null : unitStarts(from, to, unit, MOST_POINTS[unit]);
  const [start] = starts ?? [];
  if (starts === null || start === undefined) {
    const message = `must be at most ${MOST_POINTS[unit]} ${unit}s, and ${MOST_DAYS} days, before \`to\``;
    throw invalidFields([{ path: 'from', message }]);
  }
  if (unit === 'hour' && start < now - HOURS_KEPT * HOUR_MS) {
    throw invalidFields([
      { path: 'from', message: 'hourly statistics are available for the last 32 days only. Use day' },
    ]);
  }
  return {
    unit,
    starts,
    from: start,
    to: endOfUnit(starts.at(-1) ?? start, unit),
    groupBy: groupBy ?? null,
    tag: tag ?? null,
    campaignId: campaignId ?? null,
    provider: provider ?? null,
  };
}

function defaultFrom(windowDays: number | undefined, unit: TimeUnit, to: number): number {
  const days = windowDays ?? (unit === 'hour' ? 1 : DEFAULT_WINDOW_DAYS);
  return windowDays === undefined ? to - days * DAY_MS : endOfUnit(to - 1, 'day') - days * DAY_MS;
}

interface Counted {
  /** By the beginning of the unit. */
  series: ReadonlyMap<number, CountedRow['sums']>;
  groups: (CountedRow & { name: string | null })[] | null;
  hasMoreGroups: boolean;
}

const MOST_GROUPS = 100;

/** Answers for the mail of campaigns. Days and hours of spans are since the epoch. */
export interface CampaignStatistics {
  /** Returns whether the scope has the campaign. */
  has(scope: Scope, id: string): Promise<boolean>;
  /** Returns the mail of a campaign by hour. */
  hours(span: CountedSpan, id: string): Promise<CountedRow[]>;
  /** Returns the sums of a span of days by campaign. */
  groups(span: CountedSpan): Promise<CountedRow[]>;
  names(ids: readonly string[]): Promise<Map<string, string>>;
}

interface Sources {
  statistics: StatisticsStore;
  groupStatistics: GroupStatistics;
  campaigns: CampaignStatistics;
}

export async function readCounts(
  sources: Sources,
  scope: Scope,
  asked: AnalyticsSpan & { type: MessageType | null },
): Promise<Counted> {
  const span = {
    environmentId: scope.environmentId,
    subTenantKey: scope.subTenantId ?? ALL_TENANTS,
    from: asked.from / DAY_MS,
    to: asked.to / DAY_MS - 1,
    type: asked.type,
  };
  const rows = await readPoints(sources, span, asked);
  const series = new Map<number, CountedRow['sums']>();
  for (const { at, sums } of rows) {
    const start = startOfUnit(at, asked.unit);
    const known = series.get(start) ?? noSums();
    for (const measure of Object.keys(known) as (keyof typeof known)[]) known[measure] += sums[measure];
    series.set(start, known);
  }
  return { series, ...(await readGroups(sources, scope, span, asked.groupBy)) };
}

type Point = Pick<CountedRow, 'sums'> & { at: number };

async function readPoints(
  { statistics, groupStatistics, campaigns }: Sources,
  span: CountedSpan,
  { unit, from, to, tag, provider, campaignId }: AnalyticsSpan,
): Promise<Point[]> {
  const timed = (rows: CountedRow[], unitMs: number): Point[] =>
    rows.map(({ unit: number, sums }) => ({ at: number * unitMs, sums }));
  const hours = { ...span, from: from / HOUR_MS, to: to / HOUR_MS - 1 };
  if (campaignId !== null) return timed(await campaigns.hours(hours, campaignId), HOUR_MS);
  if (unit === 'hour') return timed(await groupStatistics.hours(hours), HOUR_MS);
  if (tag !== null) return timed(await groupStatistics.daysOf(span, 'tag', tag), DAY_MS);
  if (provider !== null) return timed(await groupStatistics.daysOf(span, 'provider', provider), DAY_MS);
  return [...(await statistics.days(span))].map(([day, sums]) => ({ at: day * DAY_MS, sums }));
}

async function readGroups(
  { groupStatistics, campaigns }: Sources,
  scope: Scope,
  span: CountedSpan,
  groupBy: AnalyticsGroup | null,
): Promise<Pick<Counted, 'groups' | 'hasMoreGroups'>> {
  if (groupBy === null) return { groups: null, hasMoreGroups: false };
  const all =
    groupBy === 'campaign'
      ? await campaigns.groups(span)
      : await groupStatistics.groups(span, groupBy, scope.workspaceId);
  const shown = all
    .sort(
      (a, b) => b.sums.sent - a.sums.sent || b.sums.queued - a.sums.queued || (a.value < b.value ? -1 : 1),
    )
    .slice(0, MOST_GROUPS);
  const values = shown.map(({ value }) => value);
  let names = new Map<string, string>();
  if (groupBy === 'campaign') names = await campaigns.names(values);
  if (groupBy === 'sub_tenant') names = await groupStatistics.tenantNames(values);
  return {
    groups: shown.map((row) => ({ ...row, name: names.get(row.value) ?? null })),
    hasMoreGroups: all.length > shown.length,
  };
}
