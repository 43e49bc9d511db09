// Postmark's statistics, from the analytics of the workspace.
import { Type, type Static } from 'typebox';
import type { AnalyticsWire } from '../../analytics/analytics.schema.js';
import { closed } from '../../contract/schema.js';
import { LINE } from '../bounds.js';
import { readEnd, given } from '../fields.js';
import { compatRoute, type CompatCall, type CompatRoute } from '../route.js';

const text = Type.Optional(LINE);
const query = closed({
  tag: text,
  fromdate: text,
  todate: text,
  messagestream: Type.Optional(Type.Literal('outbound')),
});

function analyticsOf({
  query: wanted,
  v1,
}: CompatCall<unknown, Static<typeof query>>): Promise<AnalyticsWire> {
  return v1.analytics({
    ...given('tag', wanted.tag),
    ...given('from', wanted.fromdate),
    ...given('to', wanted.todate === undefined ? undefined : readEnd(wanted.todate)),
  });
}

const statsRoute = (path: string, present: (found: AnalyticsWire) => object): CompatRoute =>
  compatRoute({
    method: 'GET',
    path,
    permission: 'read',
    query,
    handle: async (call) => ({ body: present(await analyticsOf(call)) }),
  });

const deliveryStats = (path: string): CompatRoute =>
  compatRoute({
    method: 'GET',
    path,
    permission: 'read',
    async handle({ v1 }) {
      const { totals } = await v1.analytics({});
      const soft = totals.bounced - totals.hard_bounced;
      return {
        body: {
          InactiveMails: totals.hard_bounced + totals.complained,
          Bounces: [
            { Name: 'All', Count: totals.bounced + totals.complained },
            { Type: 'HardBounce', Name: 'Hard bounce', Count: totals.hard_bounced },
            { Type: 'SoftBounce', Name: 'Soft bounce', Count: soft },
            { Type: 'SpamComplaint', Name: 'Spam complaint', Count: totals.complained },
          ],
        },
      };
    },
  });

export const STATS_ROUTES: readonly CompatRoute[] = [
  deliveryStats('/deliveryStats'),
  deliveryStats('/deliverystats'),
  statsRoute('/stats/outbound', ({ totals }) => ({
    Sent: totals.sent,
    Bounced: totals.bounced,
    SMTPApiErrors: 0,
    BounceRate: percent(totals.bounced, totals.sent),
    SpamComplaints: totals.complained,
    SpamComplaintsRate: percent(totals.complained, totals.sent),
    Opens: totals.opens,
    UniqueOpens: totals.opened,
    TotalClicks: totals.clicks,
    UniqueLinksClicked: totals.clicked,
  })),
  statsRoute('/stats/outbound/sends', ({ totals, series }) => ({
    Days: series.map(({ date, sent }) => ({ Date: date, Sent: sent })),
    Sent: totals.sent,
  })),
  statsRoute('/stats/outbound/bounces', ({ totals, series }) => ({
    Days: series.map((day) => ({
      Date: day.date,
      HardBounce: day.hard_bounced,
      SoftBounce: day.bounced - day.hard_bounced,
    })),
    HardBounce: totals.hard_bounced,
    SoftBounce: totals.bounced - totals.hard_bounced,
  })),
  statsRoute('/stats/outbound/spam', ({ totals, series }) => ({
    Days: series.map(({ date, complained }) => ({ Date: date, SpamComplaint: complained })),
    SpamComplaint: totals.complained,
  })),
  statsRoute('/stats/outbound/opens', ({ totals, series }) => ({
    Days: series.map(({ date, opens, opened }) => ({ Date: date, Opens: opens, Unique: opened })),
    Opens: totals.opens,
    Unique: totals.opened,
  })),
  statsRoute('/stats/outbound/clicks', ({ totals, series }) => ({
    Days: series.map(({ date, clicks, clicked }) => ({ Date: date, Clicks: clicks, Unique: clicked })),
    Clicks: totals.clicks,
    Unique: totals.clicked,
  })),
];

function percent(part: number, whole: number): number {
  return whole === 0 ? 0 : Math.round((part / whole) * 10_000) / 100;
}
