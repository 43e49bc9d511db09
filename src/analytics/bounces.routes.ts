// Bounces: the messages that bounced, and their counters by category, provider and day.
import { createdQueryWith, listOf } from '../contract/lists.js';
import {
  BOUNCE_CATEGORIES,
  type BounceCategory,
  type ErrorDetail,
  MESSAGE_TYPES,
} from '../contract/names.js';
import { bounceCause, BOUNCE_CAUSES } from '../outbound/outcome/bounce-class.rules.js';
import { ALL_TENANTS } from './statistics.store.js';
import type { CountedBounces } from './statistics-groups.store.js';
import type { Api } from '../http/api.js';
import { listAnswer, readPage } from '../http/lists/pages.js';
import { iso } from '../contract/time.js';
import { scopeWithField } from '../tenants/scope.routes.js';
import { Type, type Static } from 'typebox';
import { closed, emailText, nameEnums, nameSchemas, nullable, oneOf, timestamp } from '../contract/schema.js';
import type { Message } from '../messages/messages.tables.js';
import type { AnalyticsContext } from './context.js';

// Bounces: one by one, and summed by category, provider and day.
const BOUNCE_TYPES = ['hard', 'soft'] as const;
const causeSchema = oneOf(BOUNCE_CAUSES, {
  description:
    'The cause. `recipient`: the address does not accept mail. `sender`: the sender was rejected because of reputation, authentication, content or rate. `delivery`: the route failed.',
});
const categorySchema = oneOf(BOUNCE_CATEGORIES);
const subTenant = Type.Optional(
  Type.String({ maxLength: 200, description: 'Return only messages of this sub-tenant.' }),
);

const bouncesQuery = createdQueryWith({
  category: Type.Optional(oneOf(BOUNCE_CATEGORIES)),
  cause: Type.Optional(oneOf(BOUNCE_CAUSES)),
  campaign_id: Type.Optional(Type.String({ maxLength: 64 })),
  sub_tenant_id: subTenant,
});

const bounce = Type.Object({
  object: Type.Literal('bounce'),
  message_id: Type.String(),
  to: emailText,
  subject: Type.String(),
  message_type: oneOf(MESSAGE_TYPES),
  type: oneOf(BOUNCE_TYPES),
  category: categorySchema,
  cause: causeSchema,
  code: nullable(Type.Integer()),
  enhanced_code: nullable(Type.String()),
  reply: Type.String({ description: "The text of the server's reply." }),
  remote_host: nullable(Type.String()),
  campaign_id: nullable(Type.String()),
  sub_tenant_id: nullable(Type.String()),
  occurred_at: timestamp,
});
export type BounceWire = Static<typeof bounce>;

const bounceSummaryQuery = closed({
  window_days: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: 366,
      default: 30,
      description: 'Number of days (UTC), including today.',
    }),
  ),
  sub_tenant_id: subTenant,
});

const count = Type.Integer({ minimum: 0 });
const causesSchema = Type.Object({ recipient: count, sender: count, delivery: count });
const group = Type.Object({
  category: categorySchema,
  cause: causeSchema,
  type: oneOf(BOUNCE_TYPES),
  provider: Type.String({
    description: "The provider of the recipients' mail servers. `unknown` if it is not a known provider.",
  }),
  bounces: count,
});

const bounceSummary = Type.Object({
  object: Type.Literal('bounce_summary'),
  window_days: Type.Integer(),
  up_to_date: Type.Boolean({ description: '`false` while recent events are still being counted.' }),
  total: count,
  causes: causesSchema,
  groups: Type.Array(group, { description: 'Bounces by category and provider, most frequent first.' }),
  series: Type.Array(Type.Object({ date: Type.String({ format: 'date' }), ...causesSchema.properties }), {
    description: 'Figures per day (UTC), oldest first.',
  }),
});

nameSchemas({
  Bounce: bounce,
  BounceSummary: bounceSummary,
  BounceCauseCounts: causesSchema,
  BounceGroup: group,
  BounceDay: bounceSummary.properties.series.items,
});
nameEnums({ BounceCause: BOUNCE_CAUSES, BounceType: BOUNCE_TYPES });

const tags = ['Bounces'];
const DAY_MS = 86_400_000;
const DEFAULT_WINDOW_DAYS = 30;

type BounceContext = Pick<AnalyticsContext, 'store' | 'clock'>;

export function bounceRoutes(app: Api, context: BounceContext): void {
  listRoute(app, context);
  summaryRoute(app, context);
}

function listRoute(app: Api, { store }: BounceContext): void {
  app.get(
    '/v1/bounces',
    {
      schema: {
        operationId: 'bounces.list',
        tags,
        summary: 'List bounces',
        description: "Returns bounced messages, newest first, with the reply of the recipient's mail server.",
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

function summaryRoute(app: Api, { store, clock }: BounceContext): void {
  app.get(
    '/v1/bounces/summary',
    {
      schema: {
        operationId: 'bounces.summarize',
        tags,
        summary: 'Summarize bounces',
        description:
          'Returns the number of bounces by category, provider and day, and separates bounces caused by the sender from the others. Each event counts on its own day (UTC), about a second after it occurs. Relayed mail is included. There are no figures from before the server began counting.',
        querystring: bounceSummaryQuery,
        response: { 200: bounceSummary },
      },
    },
    async (request) => {
      const { window_days: windowDays = DEFAULT_WINDOW_DAYS, sub_tenant_id: field } = request.query;
      const scope = await scopeWithField(store.tenants, request.caller.scope, field);
      const today = Math.floor(clock() / DAY_MS);
      const isUpToDate = await store.consumers.isUpToDate('statistics', scope.workspaceNumber);
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
      category,
      cause: bounceCause(category),
      type,
      provider,
      bounces: n,
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
