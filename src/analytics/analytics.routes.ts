// Statistics: of all mail of the environment by day, and of one campaign. Read from counters, never from events.
import {
  analytics,
  analyticsQuery,
  campaignAnalytics,
  type AnalyticsGroup,
  type AnalyticsWire,
  type CampaignAnalyticsWire,
  MEASURES,
  noSums,
  type Sums,
} from './analytics.schema.js';
import { Refusal } from '../contract/refusal.js';
import { idParams } from '../contract/schema.js';
import type { Clock } from '../lib/runtime/clock.js';
import type { CampaignStore } from '../campaigns/campaigns.store.js';
import type { ConsumerStore } from '../events/consumers.store.js';
import type { StatisticsStore, SourceLink, SourceSeries } from './statistics.store.js';
import type { GroupStatistics } from './statistics-groups.store.js';
import type { Scope } from '../store/scope.js';
import type { Store } from '../store/store.js';
import type { CountCampaign, CampaignCounts } from './campaign-counts.js';
import type { Api } from '../api/api.js';
import { countedOf, readAnalyticsSpan } from './span.routes.js';
import { scopeWithField } from '../tenants/scope.routes.js';
import { MESSAGE_STATUSES, type MessageType } from '../contract/names.js';
import type { TimeUnit } from './time-units.rules.js';
import { ratesOf } from './event-measures.rules.js';
import { iso } from '../contract/time.js';

// Counted statistics as the objects of the API.
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const MOST_STEPS = 366;

interface WorkspaceFigures {
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

function presentAnalytics(figures: WorkspaceFigures): AnalyticsWire {
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

interface CampaignFigures {
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

function presentCampaignAnalytics(figures: CampaignFigures): CampaignAnalyticsWire {
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

export interface AnalyticsRouteDeps {
  store: Pick<Store, 'tenants'> & {
    campaigns: Pick<CampaignStore, 'campaign'>;
    statistics: StatisticsStore;
    groupStatistics: GroupStatistics;
    consumers: Pick<ConsumerStore, 'isUpToDate'>;
  };
  countCampaign: CountCampaign;
  clock: Clock;
}

const tags = ['Analytics'];
/** A longer series is shown by days. */
const MOST_HOURS = 7 * 24;
const CAMPAIGN_ID = /^cmp_[0-9a-z]{26}$/;

export function analyticsRoutes(app: Api, deps: AnalyticsRouteDeps): void {
  workspaceRoute(app, deps);
  campaignRoute(app, deps);
}

function workspaceRoute(app: Api, { store, clock }: AnalyticsRouteDeps): void {
  app.get(
    '/v1/analytics',
    {
      schema: {
        operationId: 'analytics.get',
        tags,
        summary: 'Retrieve statistics',
        description:
          "Returns delivery and engagement statistics for the key's environment. Each event counts on its own day (UTC), so a message that is sent on Monday and opened on Tuesday appears on both days. You can use only one of `tag`, `campaign_id`, `provider` and `group_by` per request. Hourly figures are available for all messages and for campaigns. Tags, providers and hours have no data from before the server began counting them.",
        querystring: analyticsQuery,
        response: { 200: analytics },
      },
    },
    async (request) => {
      const { sub_tenant_id: field, type = null } = request.query;
      const asked = readAnalyticsSpan(request.query, clock());
      const scope = await scopeWithField(store.tenants, request.caller.scope, field);
      await refuseForeignCampaign(store, scope, asked.campaignId);
      const isUpToDate = await store.consumers.isUpToDate('statistics', scope.workspaceNumber);
      const counted = await countedOf(store, scope, { ...asked, type });
      return presentAnalytics({ ...asked, ...counted, type, subTenantId: scope.subTenantId, isUpToDate });
    },
  );
}

async function refuseForeignCampaign(
  store: AnalyticsRouteDeps['store'],
  scope: Scope,
  id: string | null,
): Promise<void> {
  if (id === null || (CAMPAIGN_ID.test(id) && (await store.campaigns.campaign(scope, id)))) return;
  throw new Refusal('not_found', 'The campaign does not exist.', { param: 'campaign_id' });
}

function campaignRoute(app: Api, { store, countCampaign }: AnalyticsRouteDeps): void {
  app.get(
    '/v1/campaigns/:id/analytics',
    {
      schema: {
        operationId: 'campaigns.getAnalytics',
        tags: ['Campaigns'],
        summary: "Retrieve a campaign's statistics",
        description:
          'Returns the results of a campaign. Rates, variants, links and series are based on events and about a second behind; `by_status` and `recipients` are current.',
        params: idParams,
        response: { 200: campaignAnalytics },
      },
    },
    async (request) => {
      const { scope } = request.caller;
      const { id } = request.params;
      const campaign = CAMPAIGN_ID.test(id) ? await store.campaigns.campaign(scope, id) : null;
      if (!campaign) throw new Refusal('not_found');
      const { statistics } = store;
      const isUpToDate = await store.consumers.isUpToDate('statistics', scope.workspaceNumber);
      const copies = await statistics.sourceStats(id);
      // Nothing happens to its messages that is not counted, and nothing to its audience without its counters.
      const events = [...copies.values()].flatMap((sums) => Object.values(sums)).reduce((a, b) => a + b, 0);
      const version = [events, campaign.created, campaign.skipped, campaign.failed, campaign.total].join(' ');
      return presentCampaignAnalytics({
        campaign,
        counts: await countCampaign({ id, version: isUpToDate ? version : `${version} …` }),
        copies,
        links: await statistics.sourceLinks(id),
        series: await statistics.sourceSeries(id, MOST_HOURS),
        isUpToDate,
      });
    },
  );
}
