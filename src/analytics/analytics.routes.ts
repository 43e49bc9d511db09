// Statistics: of all mail of the environment by day, and of one campaign. Read from counters, never from events.
import { analytics, analyticsQuery, campaignAnalytics } from './analytics.schema.js';
import { Refusal } from '../contract/refusal.js';
import { idParams } from '../contract/schema.js';
import type { Clock } from '../lib/runtime/clock.js';
import type { CampaignStore } from '../campaigns/campaigns.store.js';
import type { FollowerStore } from '../events/consumers.store.js';
import type { StatisticsStore } from './statistics.store.js';
import type { GroupStatistics } from './statistics-groups.store.js';
import type { Scope } from '../store/scope.js';
import type { Store } from '../store/store.js';
import type { CountCampaign } from './campaign-counts.js';
import type { Api } from '../api/api.js';
import { presentAnalytics, presentCampaignAnalytics } from './analytics.view.js';
import { countedOf, readAnalyticsSpan } from './span.routes.js';
import { scopeWithField } from '../tenants/scope.routes.js';

export interface AnalyticsRouteDeps {
  store: Pick<Store, 'tenants'> & {
    campaigns: Pick<CampaignStore, 'campaign'>;
    statistics: StatisticsStore;
    groupStatistics: GroupStatistics;
    followers: Pick<FollowerStore, 'isUpToDate'>;
  };
  countCampaign: CountCampaign;
  clock: Clock;
}

const tags = ['Analytics'];
/** A longer series is told by days. */
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
        summary: 'Read what became of the mail of a time',
        description:
          "The mail of the key's environment. Every event counts on its own day (UTC): a message that was sent on Monday " +
          'and opened on Tuesday is in both. One of `tag`, `campaign_id`, `provider` and `group_by` at a time: they are counted ' +
          'apart. Hours are counted of all mail and of campaigns. Tags, providers and hours have no history from before they were counted.',
        querystring: analyticsQuery,
        response: { 200: analytics },
      },
    },
    async (request) => {
      const { sub_tenant_id: field, type = null } = request.query;
      const asked = readAnalyticsSpan(request.query, clock());
      const scope = await scopeWithField(store.tenants, request.caller.scope, field);
      await refuseForeignCampaign(store, scope, asked.campaignId);
      const isUpToDate = await store.followers.isUpToDate('statistics', scope.workspaceNumber);
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
  throw new Refusal('not_found', 'There is no such campaign.', { param: 'campaign_id' });
}

function campaignRoute(app: Api, { store, countCampaign }: AnalyticsRouteDeps): void {
  app.get(
    '/v1/campaigns/:id/analytics',
    {
      schema: {
        operationId: 'campaigns.getAnalytics',
        tags: ['Campaigns'],
        summary: 'Read what became of a campaign',
        description:
          'Rates, variants, links and series are counted from events, a second behind; `by_status` and `recipients` are ' +
          'read from the messages and the audience themselves.',
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
      const isUpToDate = await store.followers.isUpToDate('statistics', scope.workspaceNumber);
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
