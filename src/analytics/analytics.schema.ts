// Counters of mail on the wire, of an environment by day.
import { Type, type Static } from 'typebox';
import { TIME_UNITS } from './time-units.rules.js';
import { MESSAGE_TYPES } from '../contract/names.js';
import { closed, MAX_TAG, nameEnums, nameSchemas, nullable, oneOf, timestamp } from '../contract/schema.js';

// Measures of mail: the closed set.
export const MEASURES = [
  'queued',
  'sent',
  'delivered',
  'deferred',
  'opened',
  'clicked',
  'opens',
  'clicks',
  'machine_opened',
  'machine_clicked',
  'machine_opens',
  'machine_clicks',
  'bounced',
  'hard_bounced',
  'complained',
  'unsubscribed',
  'replied',
  'failed',
  'suppressed',
  'canceled',
] as const;
export type Measure = (typeof MEASURES)[number];

/** Sums by measure; what never happened is 0. */
export type Sums = Record<Measure, number>;

/** All measures at 0. */
export function noSums(): Sums {
  return Object.fromEntries(MEASURES.map((measure) => [measure, 0])) as Sums;
}

export const count = Type.Integer({ minimum: 0 });

const MEANINGS: Record<Measure, string> = {
  queued: 'Messages accepted, including scheduled and suppressed ones.',
  sent: 'Messages handed to a delivery session.',
  delivered: "Messages accepted by the recipient's mail server.",
  deferred: 'Delivery attempts that will be retried.',
  opened: 'Messages opened or clicked by a person, each counted once.',
  clicked: 'Messages with a link clicked by a person, each counted once.',
  opens: 'All opens by people.',
  clicks: 'All clicks by people.',
  machine_opened: 'Messages opened by a known bot, each counted once.',
  machine_clicked: 'Messages with a link followed by a known bot, each counted once.',
  machine_opens: 'All opens by known bots.',
  machine_clicks: 'All clicks by known bots.',
  bounced: 'Messages that bounced.',
  hard_bounced: 'Messages that bounced because the address does not accept mail.',
  complained: 'Messages reported as spam.',
  unsubscribed: 'Messages through which the recipient unsubscribed from a list or from all email.',
  replied: 'Messages that a person replied to.',
  failed: 'Messages that could not be sent.',
  suppressed: 'Messages not sent because the address is suppressed.',
  canceled: 'Messages that were canceled.',
};
const measures = Object.fromEntries(
  MEASURES.map((measure) => [measure, Type.Integer({ minimum: 0, description: MEANINGS[measure] })]),
) as Record<Measure, Type.TInteger>;
/** The same without descriptions, which `totals` has. */
export const counts = Object.fromEntries(MEASURES.map((measure) => [measure, count])) as Record<
  Measure,
  Type.TInteger
>;

const funnel = Type.Object(
  { queued: count, sent: count, delivered: count, opened: count, clicked: count },
  {
    description: 'Totals by stage. Opens and clicks by people count once per message; bots are excluded.',
  },
);

const rate = (description: string) => nullable(Type.Number({ minimum: 0, description }));
export const rates = Type.Object(
  {
    delivery: rate('delivered / sent'),
    open: rate('opened / delivered'),
    click: rate('clicked / delivered'),
    click_to_open: rate('clicked / opened'),
    bounce: rate('bounced / sent'),
    complaint: rate('complained / delivered'),
    unsubscribe: rate('unsubscribed / delivered'),
  },
  {
    description:
      'Rates as fractions, rounded to six decimal places. `null` if the denominator is 0. Because each event counts on its own day, a rate can exceed 1 in a short period.',
  },
);

const machine = Type.Object(
  { opened: count, clicked: count, opens: count, clicks: count },
  {
    description:
      'Opens and clicks by known bots, such as prefetchers and scanners. Unknown clients count as people.',
  },
);

export const upToDate = Type.Boolean({
  description:
    '`false` while recent events are still being counted. This takes about a second, or longer after an upgrade.',
});

/** Funnel, rates, bots and totals, which every answer about statistics has. */
export const figures = { funnel, rates, machine, totals: Type.Object(measures) };

/** Groups of mail. */
const GROUPS = ['tag', 'campaign', 'sub_tenant', 'provider', 'type'] as const;
export type AnalyticsGroup = (typeof GROUPS)[number];

export const analytics = Type.Object({
  object: Type.Literal('analytics'),
  window_days: Type.Integer({ description: 'Number of days (UTC) covered.' }),
  from: timestamp,
  to: Type.String({
    format: 'date-time',
    description: 'End of the period (exclusive), which is the end of the last unit.',
  }),
  unit: oneOf(TIME_UNITS),
  sub_tenant_id: nullable(Type.String()),
  type: nullable(oneOf(MESSAGE_TYPES)),
  up_to_date: upToDate,
  ...figures,
  series: Type.Array(Type.Object({ date: Type.String({ format: 'date' }), at: timestamp, ...counts }), {
    description: 'Figures per unit (UTC), oldest first. `at` is the start of the unit.',
  }),
  group_by: nullable(oneOf(GROUPS)),
  groups: nullable(
    Type.Array(
      Type.Object({
        key: nullable(
          Type.String({
            description:
              'The tag, ID, provider or type. `null` for messages without a sub-tenant, and for tags beyond the first 1,000 of an environment.',
          }),
        ),
        name: nullable(Type.String({ description: 'The name of the campaign or sub-tenant.' })),
        ...counts,
        rates,
      }),
      {
        description:
          'Groups by number of messages sent, highest first, up to 100. `null` without `group_by`.',
      },
    ),
  ),
  has_more_groups: Type.Boolean(),
});
export type AnalyticsWire = Static<typeof analytics>;

export const analyticsQuery = closed({
  window_days: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: 366,
      description:
        'Number of days (UTC), including today. Defaults to 30. Cannot be combined with `from` and `to`.',
    }),
  ),
  from: Type.Optional(
    Type.String({
      maxLength: 40,
      description:
        'Start of the period, as a date or time. The unit that contains it is included completely.',
    }),
  ),
  to: Type.Optional(
    Type.String({ maxLength: 40, description: 'End of the period (exclusive), by default now.' }),
  ),
  unit: Type.Optional(
    oneOf(TIME_UNITS, {
      description:
        'Unit of the series. Defaults to `day`. Maximum period: 7 days within the last 32 for hours, 366 days for days, and 1,830 days for weeks and months.',
    }),
  ),
  group_by: Type.Optional(
    oneOf(GROUPS, {
      description: "How to group the figures. `provider` is the provider of the recipients' mail servers.",
    }),
  ),
  tag: Type.Optional(Type.String({ minLength: 1, maxLength: MAX_TAG })),
  campaign_id: Type.Optional(Type.String({ maxLength: 64 })),
  provider: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 64,
      description: 'A provider, as returned with `group_by=provider`.',
    }),
  ),
  sub_tenant_id: Type.Optional(
    Type.String({ maxLength: 200, description: 'Return only messages of this sub-tenant.' }),
  ),
  type: Type.Optional(oneOf(MESSAGE_TYPES)),
});

nameSchemas({
  AnalyticsFunnel: funnel,
  AnalyticsRates: rates,
  MachineEvents: machine,
  AnalyticsTotals: figures.totals,
  Analytics: analytics,
  AnalyticsPoint: analytics.properties.series.items,
});

nameEnums({ AnalyticsUnit: TIME_UNITS, AnalyticsGroupBy: GROUPS });
