// Counted statistics as the objects of the API.
import type { AnalyticsGroup, AnalyticsWire, CampaignAnalyticsWire } from './analytics.schema.js';
import { MEASURES, noSums, type Sums } from './measures.schema.js';
import { MESSAGE_STATUSES, type MessageType } from '../contract/names.js';
import type { TimeUnit } from './time-units.rules.js';
import { ratesOf } from './event-measures.rules.js';
import { type SourceLink, type SourceSeries } from './statistics.store.js';
import type { CampaignCounts } from './campaign-counts.js';
import { iso } from '../contract/time.js';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const MOST_STEPS = 366;

export interface WorkspaceFigures {
  series: ReadonlyMap<number, Sums>;
  /** Epoch milliseconds: the beginnings of the units, the first, and the end of the last. */
  starts: readonly number[];
  from: number;
  to: number;
  unit: TimeUnit;
  groupBy: AnalyticsGroup | null;
  groups: readonly { value: string; name: string | null; sums: Sums }[] | null;
  hasMoreGroups: boolean;
  subTenantId: string | null;
  type: MessageType | null;
  isUpToDate: boolean;
}

export function presentAnalytics(figures: WorkspaceFigures): AnalyticsWire {
  const { series, starts, from, to } = figures;
  return {
    object: 'analytics',
    window_days: Math.ceil((to - from) / DAY_MS),
    from: iso(from),
    to: iso(to),
    unit: figures.unit,
    sub_tenant_id: figures.subTenantId,
    type: figures.type,
    up_to_date: figures.isUpToDate,
    ...presentFigures(sumOf(series.values())),
    series: starts.map((at) => ({
      date: iso(at).slice(0, 10),
      at: iso(at),
      ...(series.get(at) ?? noSums()),
    })),
    group_by: figures.groupBy,
    groups:
      figures.groups?.map(({ value, name, sums }) => ({
        key: value === '' ? null : value,
        name,
        ...sums,
        rates: ratesOf(sums),
      })) ?? null,
    has_more_groups: figures.hasMoreGroups,
  };
}

/** Funnel, rates, machines and totals, as every answer about statistics has them. */
function presentFigures(totals: Sums): Pick<AnalyticsWire, 'funnel' | 'rates' | 'machine' | 'totals'> {
  const { queued, sent, delivered, opened, clicked } = totals;
  return {
    funnel: { queued, sent, delivered, opened, clicked },
    rates: ratesOf(totals),
    machine: {
      opened: totals.machine_opened,
      clicked: totals.machine_clicked,
      opens: totals.machine_opens,
      clicks: totals.machine_clicks,
    },
    totals,
  };
}

export interface CampaignFigures {
  campaign: {
    id: string;
    total: number;
    created: number;
    skipped: number;
    failed: number;
    /** JSON: [{tag}]. */
    variants: string;
    /** JSON: {variants: [{key}]}, or null. */
    split: string | null;
  };
  counts: CampaignCounts;
  /** By variant; '' is the base. */
  copies: ReadonlyMap<string, Sums>;
  links: readonly SourceLink[];
  series: SourceSeries;
  isUpToDate: boolean;
}

export function presentCampaignAnalytics(figures: CampaignFigures): CampaignAnalyticsWire {
  const { campaign, counts, copies } = figures;
  const { id, total, created, skipped, failed } = campaign;
  return {
    object: 'campaign_analytics',
    campaign_id: id,
    total,
    by_status: Object.fromEntries(
      MESSAGE_STATUSES.map((status) => [status, counts.byStatus.get(status) ?? 0]),
    ) as CampaignAnalyticsWire['by_status'],
    recipients: { created, skipped, failed, waiting: Math.max(total - created - skipped - failed, 0) },
    skipped: Object.fromEntries(counts.skipped),
    up_to_date: figures.isUpToDate,
    ...presentFigures(sumOf(copies.values())),
    variants: copyNames(campaign, copies).map((name) => {
      const sums = copies.get(name) ?? noSums();
      return { tag: name === '' ? null : name, ...sums, rates: ratesOf(sums) };
    }),
    links: [...figures.links],
    ...presentSeries(figures.series),
  };
}

/** The base, what the campaign has, and what it had when mail went out. */
function copyNames(campaign: CampaignFigures['campaign'], copies: ReadonlyMap<string, Sums>): string[] {
  const tags = (JSON.parse(campaign.variants) as { tag: string }[]).map(({ tag }) => tag);
  const split =
    campaign.split === null ? null : (JSON.parse(campaign.split) as { variants: { key: string }[] });
  const keys = split?.variants.map(({ key }) => key) ?? [];
  return [...new Set(['', ...tags, ...keys, ...copies.keys()])];
}

function presentSeries({ unit, sums }: SourceSeries): Pick<CampaignAnalyticsWire, 'series' | 'series_unit'> {
  const known = [...sums.keys()];
  if (known.length === 0) return { series_unit: unit, series: [] };
  const first = known.reduce((least, place) => Math.min(least, place));
  const last = known.reduce((most, place) => Math.max(most, place));
  const unitMs = unit === 'hour' ? HOUR_MS : DAY_MS;
  const series = Array.from({ length: Math.min(last - first + 1, MOST_STEPS) }, (_, i) => ({
    at: iso((first + i) * unitMs),
    ...(sums.get(first + i) ?? noSums()),
  }));
  return { series_unit: unit, series };
}

function sumOf(parts: Iterable<Sums>): Sums {
  const total = noSums();
  for (const part of parts) for (const measure of MEASURES) total[measure] += part[measure];
  return total;
}
