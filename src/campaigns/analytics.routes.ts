// Routes of a campaign's results: events from counters, and messages and recipients from their rows.
import { createCampaignCounts } from './campaign-counts.js';
import type { CampaignContext } from './context.js';
import { noSums, type Sums } from '../analytics/analytics.schema.js';
import { presentFigures, addSums } from '../analytics/analytics.view.js';
import { computeRates } from '../analytics/event-measures.rules.js';
import type { CampaignStatistics } from '../analytics/span.routes.js';
import type { SourceLink, SourceSeries } from '../analytics/statistics.store.js';
import type { Api } from '../http/api.js';
import { MESSAGE_STATUSES } from '../contract/names.js';
import { Refusal } from '../contract/refusal.js';
import { idParams } from '../contract/schema.js';
import { iso } from '../contract/time.js';
import type { CampaignStores } from './stores.js';
import { campaignAnalytics, type CampaignAnalyticsWire } from './campaign-analytics.schema.js';
import type { CampaignCounts } from './campaign-counts.js';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const MOST_STEPS = 366;
/** Longer series are shown by day. */
const MOST_HOURS = 7 * 24;
const CAMPAIGN_ID = /^cmp_[0-9a-z]{26}$/;

/** Provides the campaign part of /v1/analytics. */
export function campaignStatistics({ campaigns }: Pick<CampaignStores, 'campaigns'>): CampaignStatistics {
  return {
    ...campaigns.statistics,
    has: async (scope, id) => CAMPAIGN_ID.test(id) && (await campaigns.campaign(scope, id)) !== null,
  };
}

export function campaignAnalyticsRoute(
  app: Api,
  { store, clock }: Pick<CampaignContext, 'store' | 'clock'>,
): void {
  const countCampaign = createCampaignCounts(store.campaigns, clock);
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
      // Every event of its messages is counted, and its audience changes only together with its counters.
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
  /** Sums by variant. '' is the base. */
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
    ...presentFigures(addSums(copies.values())),
    variants: copyNames(campaign, copies).map((name) => {
      const sums = copies.get(name) ?? noSums();
      return { tag: name === '' ? null : name, ...sums, rates: computeRates(sums) };
    }),
    links: [...figures.links],
    ...presentSeries(figures.series),
  };
}

/** Returns the base, the current variants, and removed variants that were sent. */
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
