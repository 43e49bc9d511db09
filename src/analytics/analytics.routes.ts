// Statistics of an environment's mail, read from counters and never from events.
import {
  analytics,
  analyticsQuery,
  type AnalyticsGroup,
  type AnalyticsWire,
  noSums,
  type Sums,
} from './analytics.schema.js';
import { Refusal } from '../contract/refusal.js';
import { presentFigures, addSums } from './analytics.view.js';
import type { AnalyticsContext } from './context.js';
import type { Api } from '../http/api.js';
import { readCounts, readAnalyticsSpan, type CampaignStatistics } from './span.routes.js';
import { scopeWithField } from '../tenants/scope.routes.js';
import type { MessageType } from '../contract/names.js';
import type { TimeUnit } from './time-units.rules.js';
import { computeRates } from './event-measures.rules.js';
import { iso } from '../contract/time.js';

const DAY_MS = 86_400_000;

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
    ...presentFigures(addSums(series.values())),
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
        rates: computeRates(sums),
      })) ?? null,
    has_more_groups: figures.hasMoreGroups,
  };
}

const tags = ['Analytics'];

export function analyticsRoutes(
  app: Api,
  { store, clock }: Pick<AnalyticsContext, 'store' | 'clock'>,
  campaigns: CampaignStatistics,
): void {
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
      if (asked.campaignId !== null && !(await campaigns.has(scope, asked.campaignId))) {
        throw new Refusal('not_found', 'The campaign does not exist.', { param: 'campaign_id' });
      }
      const isUpToDate = await store.consumers.isUpToDate('statistics', scope.workspaceNumber);
      const { statistics, groupStatistics } = store;
      const sources = { statistics, groupStatistics, campaigns };
      const counted = await readCounts(sources, scope, { ...asked, type });
      return presentAnalytics({ ...asked, ...counted, type, subTenantId: scope.subTenantId, isUpToDate });
    },
  );
}
