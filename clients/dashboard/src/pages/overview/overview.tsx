// The overview page: results of a period, problems, and the newest messages.
import { Stack, Text } from '@mantine/core';
import type { Analytics, MessageSummary, Query } from '@mailkeel/sdk';
import { useState } from 'react';
import { useList, useRead, type ListPage } from '../../data/read.js';
import { common } from '../../texts/common.js';
import { overview } from '../../texts/overview.js';
import { useTexts } from '../../texts/texts.js';
import { Chart } from '../../ui/chart.js';
import '../../ui/figures.css';
import { useSearchValue } from '../../ui/filters.js';
import { Time, useFormat } from '../../ui/format.js';
import { PageButton, PageLink } from '../../ui/links.js';
import { Card, PageHead, Stat } from '../../ui/page.js';
import { daysOf, rangeOf, RangeSelect, type Range } from '../../ui/range-select.js';
import { EmptyState, Shown } from '../../ui/states.js';
import { MessageStatus } from '../../ui/message-status.js';
import { Attention } from './attention.js';

const RANGES: readonly Range[] = ['24h', '7d', '30d', '90d'];
const HOUR_MS = 3_600_000;
const NEWEST = 8;

/** The last day is one of hours; the others are of whole days. */
function queryOf(range: Range, now: number): Query<'analytics.get'> {
  if (range === '24h') return { from: new Date(now - 23 * HOUR_MS).toISOString(), unit: 'hour' };
  return { window_days: daysOf(range) };
}

export function OverviewPage() {
  const t = useTexts(overview);
  const [chosen, choose] = useSearchValue('range', '7d');
  const range = rangeOf(RANGES, chosen, '7d');
  const newest = useList<MessageSummary>(['messages', 'newest'], (api, _cursor, signal) =>
    api.messages.list({ view: 'summary', limit: NEWEST }, { signal }),
  );
  const [openedAt] = useState(() => Date.now());
  return (
    <>
      <PageHead
        title={t.title}
        about={t.about}
        calls={[
          (api) => api.analytics.get(queryOf(range, openedAt)),
          (api) => api.messages.list({ view: 'summary', limit: NEWEST }),
          (api) => api.queue.listDestinations(),
        ]}
        actions={<RangeSelect ranges={RANGES} value={range} onChange={choose} />}
      />
      <Stack>
        <Attention />
        <Shown of={newest} lines={8}>
          {(page) => (page.rows.length === 0 ? <Empty /> : <Figures range={range} newest={page} />)}
        </Shown>
      </Stack>
    </>
  );
}

function Empty() {
  const t = useTexts(overview);
  return (
    <EmptyState
      icon="mail"
      title={t.emptyTitle}
      action={<PageButton to="/get-started">{t.start}</PageButton>}
    >
      {t.empty}
    </EmptyState>
  );
}

function Figures({ range, newest }: { range: Range; newest: ListPage<MessageSummary> }) {
  const read = useRead(
    ['analytics', 'overview', range],
    (api, signal) => api.analytics.get(queryOf(range, Date.now()), { signal }),
    { keepsLast: true },
  );
  return (
    <>
      <Shown of={read} lines={6}>
        {(found) => (
          <>
            <Totals of={found} range={range} />
            <Trend of={found} />
          </>
        )}
      </Shown>
      <Newest of={newest} />
    </>
  );
}

/** Each figure links to the events that it counts, except bounces of whole days, which have a page of the same counters. */
function Totals({ of: { totals, rates, series }, range }: { of: Analytics; range: Range }) {
  const t = useTexts(overview);
  const events = (name: string) => ({
    to: '/events',
    search: { events: `message.${name}`, since: series[0]?.at },
  });
  const { count, percent, rate } = useFormat();
  return (
    <div className="mk-figures">
      <Stat
        label={t.sent}
        value={count(totals.sent)}
        hint={t.sentHint(count(totals.queued))}
        to={events('sent')}
      />
      <Stat
        label={t.delivered}
        value={count(totals.delivered)}
        hint={t.ofSent(percent(rates.delivery, 1))}
        to={events('delivered')}
      />
      <Stat
        label={t.opened}
        value={count(totals.opened)}
        hint={t.ofDelivered(percent(rates.open, 1))}
        to={events('opened')}
      />
      <Stat
        label={t.clicked}
        value={count(totals.clicked)}
        hint={t.ofDelivered(percent(rates.click, 1))}
        to={events('clicked')}
      />
      <Stat
        label={t.bounced}
        value={count(totals.bounced)}
        hint={t.ofSent(rate(rates.bounce))}
        to={range === '24h' ? events('bounced') : { to: '/bounces', search: { range } }}
      />
      <Stat
        label={t.complained}
        value={count(totals.complained)}
        hint={t.ofDelivered(rate(rates.complaint))}
        to={events('complained')}
      />
    </div>
  );
}

function Trend({ of: { series, unit, totals, up_to_date: isUpToDate } }: { of: Analytics }) {
  const t = useTexts(overview);
  const format = useFormat();
  const isEmpty = totals.queued + totals.sent + totals.delivered + totals.bounced === 0;
  const label = t.trendLabel[unit === 'hour' ? 'hour' : 'day'];
  const points = series.map((one) => ({
    ...one,
    at: unit === 'hour' ? format.hour(one.at) : format.day(one.date),
  }));
  return (
    <Card title={t.trend}>
      {isEmpty ? (
        <EmptyState icon="overview" title={t.nothing}>
          {t.nothingHint}
        </EmptyState>
      ) : (
        <Stack>
          <Chart
            label={label}
            kind="area"
            endsNow
            rows={points.map(({ at, delivered, opened }) => ({ at, delivered, opened }))}
            series={[
              { name: 'delivered', label: t.delivered, color: 'post.5' },
              { name: 'opened', label: t.opened, color: 'teal.7' },
            ]}
          />
          <Chart
            label={t.ratesLabel}
            kind="line"
            height={140}
            unit="percent"
            endsNow
            rows={points.map(({ at, sent, delivered, bounced, complained }) => ({
              at,
              bounced: percentOf(bounced, sent),
              complained: percentOf(complained, delivered),
            }))}
            series={[
              { name: 'bounced', label: t.bounceRate, color: 'yellow.7' },
              { name: 'complained', label: t.complaintRate, color: 'red.7' },
            ]}
          />
        </Stack>
      )}
      <Text size="xs" c="dimmed" mt="xs">
        {t.countedIn} {isUpToDate ? null : t.behind}
      </Text>
    </Card>
  );
}

/** Returns 0 if the denominator is 0. */
function percentOf(part: number, whole: number): number {
  return whole === 0 ? 0 : (100 * part) / whole;
}

function Newest({ of: { rows } }: { of: ListPage<MessageSummary> }) {
  const t = useTexts(overview);
  const frame = useTexts(common);
  return (
    <Card
      title={t.newest}
      actions={
        <PageLink to="/messages" size="sm">
          {t.all}
        </PageLink>
      }
    >
      <div className="mk-table-frame" role="region" aria-label={t.newest} tabIndex={0}>
        <table className="mk-table">
          <thead>
            <tr>
              <th scope="col">{t.to}</th>
              <th scope="col">{frame.status}</th>
              <th scope="col" className="mk-wide">
                {t.subject}
              </th>
              <th scope="col" data-align="right">
                {t.time}
              </th>
            </tr>
          </thead>
          <tbody>
            {rows.map((row) => (
              <tr key={row.id}>
                <td>
                  <PageLink to={`/messages/${row.id}`} className="mk-clip">
                    {row.to}
                  </PageLink>
                </td>
                <td>
                  <MessageStatus of={row} />
                </td>
                <td className="mk-wide">
                  <span className="mk-clip">
                    <bdi>{row.subject === '' ? t.noSubject : row.subject}</bdi>
                  </span>
                </td>
                <td data-align="right">
                  <Time at={row.scheduled_at ?? row.created_at} />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </Card>
  );
}
