// Bounces: the messages that bounced, and their counters by category, provider and day.
import { bounce, bouncesQuery, bounceSummary, bounceSummaryQuery, type BounceWire } from './bounce.schema.js';
import { listOf } from '../../contract/lists.js';
import { BOUNCE_CATEGORIES, type BounceCategory, type ErrorDetail } from '../../contract/names.js';
import { bounceCause } from './bounce-cause.rules.js';
import type { Clock } from '../../lib/runtime/clock.js';
import type { Message } from '../../messages/rows.store.js';
import type { Store } from '../../store/store.js';
import { ALL_TENANTS } from '../../analytics/statistics.store.js';
import type { CountedBounces } from '../../analytics/statistics-groups.store.js';
import type { Api } from '../../api/api.js';
import { listAnswer, readPage } from '../../api/pages.js';
import { iso } from '../../contract/time.js';
import { scopeWithField } from '../../tenants/scope.routes.js';

export interface BounceRouteDeps {
  store: Pick<Store, 'messages' | 'tenants' | 'groupStatistics' | 'followers'>;
  clock: Clock;
}

const tags = ['Bounces'];
const DAY_MS = 86_400_000;
const DEFAULT_WINDOW_DAYS = 30;

export function bounceRoutes(app: Api, deps: BounceRouteDeps): void {
  listRoute(app, deps);
  summaryRoute(app, deps);
}

function listRoute(app: Api, { store }: BounceRouteDeps): void {
  app.get(
    '/v1/bounces',
    {
      schema: {
        operationId: 'bounces.list',
        tags,
        summary: 'List the messages that bounced, newest first, with what the server said',
        querystring: bouncesQuery,
        response: { 200: listOf(bounce) },
      },
    },
    async (request) => {
      const { category, cause, campaign_id: campaignId, sub_tenant_id: field } = request.query;
      const scope = await scopeWithField(store.tenants, request.caller.scope, field);
      const wanted = BOUNCE_CATEGORIES.filter(
        (one) => (category ?? one) === one && (cause ?? bounceCause(one)) === bounceCause(one),
      );
      const isNarrow = wanted.length < BOUNCE_CATEGORIES.length;
      const page = readPage(request);
      const filter = {
        status: ['bounced' as const],
        ...(campaignId === undefined ? {} : { campaignId }),
        ...(isNarrow ? { bounceCategories: wanted } : {}),
      };
      const isNothing = wanted.length === 0;
      const found = isNothing ? { rows: [], next: null } : await store.messages.messages(scope, page, filter);
      return listAnswer(request, found, presentBounce);
    },
  );
}

function summaryRoute(app: Api, { store, clock }: BounceRouteDeps): void {
  app.get(
    '/v1/bounces/summary',
    {
      schema: {
        operationId: 'bounces.summarize',
        tags,
        summary: 'Sum bounces by category, provider and day, those that are our own fault apart',
        description:
          'Counted from events as they come in, a second behind and not of the time before this was counted, each on its own day (UTC). Relayed mail is among them.',
        querystring: bounceSummaryQuery,
        response: { 200: bounceSummary },
      },
    },
    async (request) => {
      const { window_days: windowDays = DEFAULT_WINDOW_DAYS, sub_tenant_id: field } = request.query;
      const scope = await scopeWithField(store.tenants, request.caller.scope, field);
      const today = Math.floor(clock() / DAY_MS);
      const isUpToDate = await store.followers.isUpToDate('statistics', scope.workspaceNumber);
      const counted = await store.groupStatistics.bounces({
        environmentId: scope.environmentId,
        subTenantKey: scope.subTenantId ?? ALL_TENANTS,
        from: today - windowDays + 1,
        to: today,
      });
      return {
        object: 'bounce_summary' as const,
        window_days: windowDays,
        up_to_date: isUpToDate,
        ...sumsOf(counted, { today, windowDays }),
      };
    },
  );
}

function sumsOf(
  { byGroup, byDay }: CountedBounces,
  { today, windowDays }: { today: number; windowDays: number },
) {
  const none = () => ({ recipient: 0, sender: 0, delivery: 0 });
  const causes = none();
  const days = new Map<number, ReturnType<typeof none>>();
  for (const { day, category, n } of byDay) {
    const counts = days.get(day) ?? none();
    counts[bounceCause(category)] += n;
    causes[bounceCause(category)] += n;
    days.set(day, counts);
  }
  return {
    total: causes.recipient + causes.sender + causes.delivery,
    causes,
    groups: byGroup.map(({ category, type, provider, n }) => ({
      ...{ category, cause: bounceCause(category), type, provider, bounces: n },
    })),
    series: Array.from({ length: windowDays }, (_, i) => {
      const day = today - windowDays + 1 + i;
      return { date: iso(day * DAY_MS).slice(0, 10), ...(days.get(day) ?? none()) };
    }),
  };
}

function presentBounce(row: Message): BounceWire {
  const error = row.error === null ? null : (JSON.parse(row.error) as ErrorDetail);
  const category: BounceCategory = BOUNCE_CATEGORIES.find((one) => one === error?.category) ?? 'unknown';
  return {
    object: 'bounce',
    message_id: row.public_id,
    to: row.to_email,
    subject: row.subject,
    message_type: row.type,
    type: error?.type === 'hard' ? 'hard' : 'soft',
    category,
    cause: bounceCause(category),
    code: error?.code ?? null,
    enhanced_code: error?.enhanced_code ?? null,
    reply: error?.message ?? '',
    remote_host: error?.remote_host ?? null,
    campaign_id: row.campaign_id,
    sub_tenant_id: row.sub_tenant_id,
    occurred_at: error?.occurred_at ?? iso(row.updated_at),
  };
}
