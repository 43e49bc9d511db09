// Counters of mail on the wire: of an environment by day, and of one campaign.
import { Type, type Static } from 'typebox';
import { TIME_UNITS } from './time-units.rules.js';
import { MESSAGE_STATUSES, MESSAGE_TYPES, type MessageStatus } from '../contract/names.js';
import {
  closed,
  MAX_TAG,
  nameEnums,
  nameSchemas,
  nullable,
  oneOf,
  timestamp,
  uriText,
} from '../contract/schema.js';

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

const count = Type.Integer({ minimum: 0 });

const MEANINGS: Record<Measure, string> = {
  queued: 'Messages that were accepted, scheduled and suppressed ones too.',
  sent: 'Messages that were passed to a delivery session.',
  delivered: "Messages that the recipient's server accepted.",
  deferred: 'Attempts that will be repeated.',
  opened: 'Messages that a person opened, or clicked in, each once.',
  clicked: 'Messages in which a person clicked a link, each once.',
  opens: 'All opens by people.',
  clicks: 'All clicks by people.',
  machine_opened: 'Messages that a known machine opened, each once.',
  machine_clicked: 'Messages in which a known machine followed a link, each once.',
  machine_opens: 'All opens by known machines.',
  machine_clicks: 'All clicks by known machines.',
  bounced: 'Messages that bounced.',
  hard_bounced: 'Bounces because the address takes no mail.',
  complained: 'Messages that were reported as spam.',
  unsubscribed: 'Messages through which a recipient unsubscribed, from a list or from all mail.',
  replied: 'Messages that a person answered.',
  failed: 'Messages that could not be sent.',
  suppressed: 'Messages that were not sent to a suppressed address.',
  canceled: 'Messages that were canceled.',
};
const measures = Object.fromEntries(
  MEASURES.map((measure) => [measure, Type.Integer({ minimum: 0, description: MEANINGS[measure] })]),
) as Record<Measure, Type.TInteger>;
/** The same without words: `totals` has them. */
const counts = Object.fromEntries(MEASURES.map((measure) => [measure, count])) as Record<
  Measure,
  Type.TInteger
>;

const funnel = Type.Object(
  { queued: count, sent: count, delivered: count, opened: count, clicked: count },
  { description: 'Opened and clicked are people, each message once; machines are not among them.' },
);

const rate = (description: string) => nullable(Type.Number({ minimum: 0, description }));
const rates = Type.Object(
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
      'Shares of 1, rounded to six places; null when the denominator is 0. Every event counts on its own day, so in a ' +
      'short window a share may be above 1.',
  },
);

const machine = Type.Object(
  { opened: count, clicked: count, opens: count, clicks: count },
  {
    description:
      'Opens and clicks by known machines: prefetchers, scanners. Unknown clients count as people.',
  },
);

const upToDate = Type.Boolean({
  description:
    'False while events wait to be counted: for a second after they happen, longer after an upgrade.',
});

const figures = { funnel, rates, machine, totals: Type.Object(measures) };

/** Groups of mail. */
const GROUPS = ['tag', 'campaign', 'sub_tenant', 'provider', 'type'] as const;
export type AnalyticsGroup = (typeof GROUPS)[number];

export const analytics = Type.Object({
  object: Type.Literal('analytics'),
  window_days: Type.Integer({ description: 'Days (UTC) of the time that the answer covers.' }),
  from: timestamp,
  to: Type.String({ format: 'date-time', description: 'Exclusive: the end of the last unit.' }),
  unit: oneOf(TIME_UNITS),
  sub_tenant_id: nullable(Type.String()),
  type: nullable(oneOf(MESSAGE_TYPES)),
  up_to_date: upToDate,
  ...figures,
  series: Type.Array(Type.Object({ date: Type.String({ format: 'date' }), at: timestamp, ...counts }), {
    description: 'One row for each unit (UTC), oldest first; `at` is its beginning.',
  }),
  group_by: nullable(oneOf(GROUPS)),
  groups: nullable(
    Type.Array(
      Type.Object({
        key: nullable(
          Type.String({
            description:
              'The tag, the id, the provider or the type. Null: mail without a sub-tenant; tags after the first 1,000 ' +
              'different ones of an environment.',
          }),
        ),
        name: nullable(Type.String({ description: 'Of a campaign or a sub-tenant.' })),
        ...counts,
        rates,
      }),
      { description: 'Most sent first, at most 100. Null without `group_by`.' },
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
      description: 'Days (UTC), today included; 30 when missing. Instead of `from` and `to`.',
    }),
  ),
  from: Type.Optional(
    Type.String({ maxLength: 40, description: 'A date or a time; the unit that it is in counts whole.' }),
  ),
  to: Type.Optional(Type.String({ maxLength: 40, description: 'Exclusive; now when missing.' })),
  unit: Type.Optional(
    oneOf(TIME_UNITS, {
      description:
        'Of the series; `day` when missing. Hours of at most 7 days of the last 32, days of 366, weeks and months of 1,830.',
    }),
  ),
  group_by: Type.Optional(
    oneOf(GROUPS, { description: "`provider` is the provider of the recipients' mail servers." }),
  ),
  tag: Type.Optional(Type.String({ minLength: 1, maxLength: MAX_TAG })),
  campaign_id: Type.Optional(Type.String({ maxLength: 64 })),
  provider: Type.Optional(
    Type.String({ minLength: 1, maxLength: 64, description: 'As `group_by=provider` names it.' }),
  ),
  sub_tenant_id: Type.Optional(Type.String({ maxLength: 200, description: "Only this sub-tenant's mail." })),
  type: Type.Optional(oneOf(MESSAGE_TYPES)),
});

const byStatus = Type.Object(
  Object.fromEntries(MESSAGE_STATUSES.map((status) => [status, count])) as Record<
    MessageStatus,
    typeof count
  >,
  { description: 'Its messages by the status that they have now.' },
);

export const campaignAnalytics = Type.Object({
  object: Type.Literal('campaign_analytics'),
  campaign_id: Type.String(),
  total: Type.Integer({ description: 'Recipients of the frozen audience; 0 before it is being sent.' }),
  by_status: byStatus,
  recipients: Type.Object(
    { created: count, skipped: count, failed: count, waiting: count },
    {
      description: 'The audience by state: copy made, left out, copy failed, waiting.',
    },
  ),
  skipped: Type.Record(Type.String(), count, { description: 'Recipients who were left out, by reason.' }),
  up_to_date: upToDate,
  ...figures,
  variants: Type.Array(Type.Object({ tag: nullable(Type.String()), ...counts, rates }), {
    description: 'The base (tag null), each variant by its tag, and each part of a split by its key.',
  }),
  links: Type.Array(
    Type.Object({
      url: uriText,
      clicks: Type.Integer({ description: 'By people, every one.' }),
      people: Type.Integer({ description: 'Messages in which a person clicked it.' }),
      machine_clicks: count,
    }),
    {
      description:
        'Most clicks first. Of more than 1,000 different ones, those that were clicked first; `other` is the rest.',
    },
  ),
  series_unit: oneOf(['hour', 'day'], {
    description: 'Hours up to a week of events, beyond that days (UTC).',
  }),
  series: Type.Array(Type.Object({ at: timestamp, ...counts }), {
    description: 'From the first event to the last, oldest first; at most 366 days.',
  }),
});
export type CampaignAnalyticsWire = Static<typeof campaignAnalytics>;

nameSchemas({
  AnalyticsFunnel: funnel,
  AnalyticsRates: rates,
  MachineEvents: machine,
  AnalyticsTotals: figures.totals,
  Analytics: analytics,
  AnalyticsPoint: analytics.properties.series.items,
  CampaignMessagesByStatus: byStatus,
  CampaignRecipientCounts: campaignAnalytics.properties.recipients,
  CampaignVariantAnalytics: campaignAnalytics.properties.variants.items,
  CampaignLink: campaignAnalytics.properties.links.items,
  CampaignAnalyticsPoint: campaignAnalytics.properties.series.items,
  CampaignAnalytics: campaignAnalytics,
});

nameEnums({ SeriesUnit: ['hour', 'day'], AnalyticsUnit: TIME_UNITS, AnalyticsGroupBy: GROUPS });
