// API schemas of a campaign's results.
import { Type, type Static } from 'typebox';
import { count, counts, figures, rates, upToDate } from '../analytics/analytics.schema.js';
import { MESSAGE_STATUSES, type MessageStatus } from '../contract/names.js';
import { nameEnums, nameSchemas, nullable, oneOf, timestamp, uriText } from '../contract/schema.js';

const byStatus = Type.Object(
  Object.fromEntries(MESSAGE_STATUSES.map((status) => [status, count])) as Record<
    MessageStatus,
    typeof count
  >,
  { description: 'Messages by their current status.' },
);

export const campaignAnalytics = Type.Object({
  object: Type.Literal('campaign_analytics'),
  campaign_id: Type.String(),
  total: Type.Integer({
    description: 'Number of recipients in the audience when sending began. 0 before that.',
  }),
  by_status: byStatus,
  recipients: Type.Object(
    { created: count, skipped: count, failed: count, waiting: count },
    {
      description: 'Recipients by state: copy created, skipped, copy failed, or waiting.',
    },
  ),
  skipped: Type.Record(Type.String(), count, { description: 'Skipped recipients by reason.' }),
  up_to_date: upToDate,
  ...figures,
  variants: Type.Array(Type.Object({ tag: nullable(Type.String()), ...counts, rates }), {
    description:
      'Results of the main content (`tag` is `null`), of each variant by tag, and of each random variant by key.',
  }),
  links: Type.Array(
    Type.Object({
      url: uriText,
      clicks: Type.Integer({ description: 'All clicks by people.' }),
      people: Type.Integer({ description: 'Messages in which a person clicked the link.' }),
      machine_clicks: count,
    }),
    {
      description:
        'Links by number of clicks, highest first. If there are more than 1,000 links, only the 1,000 that were clicked first are listed; `other` has the total of the remaining links.',
    },
  ),
  series_unit: oneOf(['hour', 'day'], {
    description: 'The unit of the series: hours for up to a week of events, otherwise days (UTC).',
  }),
  series: Type.Array(Type.Object({ at: timestamp, ...counts }), {
    description: 'Figures from the first to the last event, oldest first, for up to 366 days.',
  }),
});
export type CampaignAnalyticsWire = Static<typeof campaignAnalytics>;

nameSchemas({
  CampaignMessagesByStatus: byStatus,
  CampaignRecipientCounts: campaignAnalytics.properties.recipients,
  CampaignVariantAnalytics: campaignAnalytics.properties.variants.items,
  CampaignLink: campaignAnalytics.properties.links.items,
  CampaignAnalyticsPoint: campaignAnalytics.properties.series.items,
  CampaignAnalytics: campaignAnalytics,
});

nameEnums({ SeriesUnit: ['hour', 'day'] });
