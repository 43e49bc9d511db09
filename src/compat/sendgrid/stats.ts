// SendGrid's statistics, from the analytics of the workspace.
import { Type } from 'typebox';
import { closed, oneOf } from '../../contract/schema.js';
import { readEnd, given } from '../fields.js';
import { compatRoute, notHere, type CompatRoute } from '../route.js';

const date = Type.String({ pattern: '^\\d{4}-\\d\\d-\\d\\d$' });
const PAGES = notHere(Type.Optional(Type.Unknown()), 'all days are returned in a single response. Omit it');

export const STATS_ROUTES: readonly CompatRoute[] = [
  compatRoute({
    method: 'GET',
    path: '/v3/stats',
    permission: 'read',
    query: closed({
      start_date: date,
      end_date: Type.Optional(date),
      aggregated_by: Type.Optional(oneOf(['day', 'week', 'month'])),
      limit: PAGES,
      offset: PAGES,
    }),
    async handle({ query: { start_date, end_date, aggregated_by }, v1 }) {
      const { series } = await v1.analytics({
        from: start_date,
        ...given('to', end_date === undefined ? undefined : readEnd(end_date)),
        ...given('unit', aggregated_by),
      });
      const stats = series.map((day) => ({
        date: day.date,
        stats: [
          {
            metrics: {
              requests: day.queued,
              processed: day.sent,
              delivered: day.delivered,
              deferred: day.deferred,
              opens: day.opens,
              unique_opens: day.opened,
              clicks: day.clicks,
              unique_clicks: day.clicked,
              bounces: day.hard_bounced,
              blocks: day.bounced - day.hard_bounced,
              bounce_drops: day.suppressed,
              invalid_emails: 0,
              spam_reports: day.complained,
              spam_report_drops: 0,
              unsubscribes: day.unsubscribed,
              unsubscribe_drops: 0,
            },
          },
        ],
      }));
      return { body: stats };
    },
  }),
];
