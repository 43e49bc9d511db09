// The page of bounces: counts by cause, category, provider and day, and the servers' replies.
import { Stack, Text } from '@mantine/core';
import type { Bounce, BounceCategory, BounceGroup, BounceSummary, Query } from '@mailkeel/sdk';
import { useList, useRead } from '../../data/read.js';
import { bounces } from '../../texts/bounces.js';
import { common } from '../../texts/common.js';
import { useTexts } from '../../texts/texts.js';
import { Chart } from '../../ui/chart.js';
import { DataTable } from '../../ui/data-table.js';
import { FilterBar, useFilters, useSearchValue } from '../../ui/filters.js';
import { Time, useFormat } from '../../ui/format.js';
import { PageLink } from '../../ui/links.js';
import { Card, PageHead, Stat } from '../../ui/page.js';
import '../../ui/figures.css';
import { daysOf, rangeOf, RangeSelect, startOfDays, type Range } from '../../ui/range-select.js';
import { EmptyState, Shown } from '../../ui/states.js';
import { Status, useStatusText } from '../../ui/status.js';

const CAUSES = ['recipient', 'sender', 'delivery'] as const;
const CATEGORIES: readonly BounceCategory[] = [
  ...(['invalid_recipient', 'inactive_mailbox', 'bad_domain', 'quota', 'greylist', 'rate_limited'] as const),
  ...(['spam_block', 'spam_content', 'auth_failed', 'policy', 'tls', 'too_large', 'network'] as const),
  ...(['protocol', 'expired', 'ambiguous', 'unknown'] as const),
];
const RANGES: readonly Range[] = ['7d', '30d', '90d'];
const COLORS = { recipient: 'gray.6', sender: 'red.7', delivery: 'yellow.7' } as const;

type Search = Omit<Query<'bounces.list'>, 'cursor'>;

export function BouncesPage() {
  const t = useTexts(bounces);
  const frame = useTexts(common);
  const { count } = useFormat();
  const [chosen, setRange] = useSearchValue('range', '30d');
  const range = rangeOf(RANGES, chosen, '30d');
  const filters = useFilters(['category', 'cause', 'sub_tenant_id']);
  const days = daysOf(range);
  const search: Search = { ...filters.values, created_after: startOfDays(days) };
  const ofTenant = search.sub_tenant_id === undefined ? {} : { sub_tenant_id: search.sub_tenant_id };
  const query = { window_days: days, ...ofTenant };
  const summary = useRead(
    ['analytics', 'bounces', query],
    (api, signal) => api.bounces.summarize(query, { signal }),
    { keepsLast: true },
  );
  return (
    <>
      <PageHead
        title={t.title}
        about={t.about}
        calls={[(api) => api.bounces.summarize(query), (api) => api.bounces.list(search)]}
        actions={<RangeSelect ranges={RANGES} value={range} onChange={setRange} />}
      />
      <Stack>
        <Shown of={summary} lines={8}>
          {(found) => <Summary of={found} range={range} tenant={search.sub_tenant_id} />}
        </Shown>
        <Card title={t.list}>
          <FilterBar
            of={filters}
            filters={[
              {
                kind: 'choice',
                name: 'cause',
                label: t.cause,
                choices: CAUSES.map((value) => ({ value, label: t.causes[value] })),
              },
              {
                kind: 'choice',
                name: 'category',
                label: t.category,
                choices: CATEGORIES.map((value) => ({ value, label: t.categories[value] })),
              },
              { kind: 'record', of: 'subTenant', name: 'sub_tenant_id', label: t.subTenant },
            ]}
          />
          {summary.data === undefined ? null : (
            <Text size="sm" c="dimmed" mb="xs">
              {frame.range.names[range]} · {t.total}: {count(countOf(summary.data, search))}
            </Text>
          )}
          <BounceTable search={search} filters={filters.set} cursor={filters.cursor} />
        </Card>
      </Stack>
    </>
  );
}

/** Counts bounces of a cause and category; all bounces if the list is not filtered. */
function countOf({ groups }: BounceSummary, { cause, category }: Search): number {
  return groups
    .filter(
      (group) => (cause ?? group.cause) === group.cause && (category ?? group.category) === group.category,
    )
    .reduce((sum, group) => sum + group.bounces, 0);
}

function Summary({
  of: summary,
  range,
  tenant,
}: {
  of: BounceSummary;
  range: Range;
  tenant: string | undefined;
}) {
  const t = useTexts(bounces);
  const { count, day } = useFormat();
  if (summary.total === 0) {
    return (
      <Card>
        <EmptyState icon="check" title={t.emptyTitle}>
          {t.empty}
        </EmptyState>
      </Card>
    );
  }
  const own = summary.groups.filter(({ cause }) => cause === 'sender');
  const others = summary.groups.filter(({ cause }) => cause !== 'sender');
  return (
    <>
      <div className="mk-figures">
        <Stat label={t.total} value={count(summary.total)} hint={summary.up_to_date ? undefined : t.behind} />
        {CAUSES.map((cause) => (
          <Stat
            key={cause}
            label={t.causes[cause]}
            value={count(summary.causes[cause])}
            hint={t.causeHints[cause]}
            to={{ to: '/bounces', search: { range, sub_tenant_id: tenant, cause } }}
          />
        ))}
      </div>
      <Card title={t.chart}>
        <Chart
          endsNow
          label={t.chart}
          kind="bar"
          isStacked
          height={190}
          rows={summary.series.map(({ date, ...counts }) => ({ at: day(date), ...counts }))}
          series={CAUSES.map((cause) => ({ name: cause, label: t.causes[cause], color: COLORS[cause] }))}
        />
      </Card>
      <Card title={t.ownTitle}>
        <Text c="dimmed" size="sm" mb="sm">
          {t.ownAbout}
        </Text>
        {own.length === 0 ? (
          <Text>{t.ownNone}</Text>
        ) : (
          <GroupTable groups={own} label={t.ownTitle} of={{ range, sub_tenant_id: tenant }} />
        )}
      </Card>
      {others.length === 0 ? null : (
        <Card title={t.byCategory}>
          <GroupTable groups={others} label={t.byCategory} of={{ range, sub_tenant_id: tenant }} />
        </Card>
      )}
    </>
  );
}

function GroupTable({
  groups,
  label,
  of: search,
}: {
  groups: readonly BounceGroup[];
  label: string;
  /** Filters of the page, which links keep. */
  of: { range: Range; sub_tenant_id: string | undefined };
}) {
  const t = useTexts(bounces);
  const word = useStatusText();
  const { count } = useFormat();
  return (
    <div className="mk-table-frame" role="region" aria-label={label} tabIndex={0}>
      <table className="mk-table">
        <thead>
          <tr>
            <th scope="col">{t.category}</th>
            <th scope="col">{t.provider}</th>
            <th scope="col">{t.kind}</th>
            <th scope="col" data-align="right">
              {t.count}
            </th>
            <th scope="col" className="mk-wide">
              {t.what}
            </th>
          </tr>
        </thead>
        <tbody>
          {groups.map((group) => (
            <tr key={`${group.category} ${group.provider} ${group.type}`}>
              <td>
                <PageLink to="/bounces" search={{ ...search, category: group.category }}>
                  {t.categories[group.category]}
                </PageLink>
              </td>
              <td>{group.provider === 'unknown' ? t.providerUnknown : word(group.provider)}</td>
              <td>
                <Status of={group.type} />
              </td>
              <td data-align="right">{count(group.bounces)}</td>
              <td className="mk-wide" style={{ maxWidth: 'none' }}>
                {t.advice[group.category]}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function BounceTable({
  search,
  filters,
  cursor,
}: {
  search: Search;
  filters: readonly string[];
  cursor: string | undefined;
}) {
  const t = useTexts(bounces);
  const list = useList<Bounce>(
    ['messages', 'bounces', search],
    (api, from, signal) =>
      api.bounces.list({ ...search, limit: 25, ...(from ? { cursor: from } : {}) }, { signal }),
    { cursor },
  );
  return (
    <DataTable
      label={t.list}
      list={list}
      rowKey={(row) => `${row.message_id} ${row.occurred_at}`}
      filters={filters}
      empty={{ icon: 'check', title: t.listEmptyTitle, children: t.empty }}
      columns={[
        {
          key: 'to',
          label: t.recipient,
          cell: (row) => (
            <>
              <PageLink to={`/messages/${row.message_id}`} className="mk-clip">
                {row.to}
              </PageLink>
              <Text size="xs" c="dimmed" className="mk-clip">
                {row.subject}
              </Text>
            </>
          ),
        },
        {
          key: 'category',
          label: t.category,
          cell: (row) => (
            <>
              <Status of={row.type} />
              <Text size="xs" mt={2}>
                {t.categories[row.category]}
              </Text>
            </>
          ),
        },
        {
          key: 'reply',
          label: t.reply,
          cell: ({ code, reply, remote_host: host }) => (
            <div style={{ minWidth: '12rem' }}>
              <span className="mk-mono" style={{ overflowWrap: 'anywhere' }}>
                {code === null ? reply : `${code} ${reply}`}
              </span>
              {host === null ? null : (
                <Text size="xs" c="dimmed" className="mk-clip">
                  {host}
                </Text>
              )}
            </div>
          ),
        },
        {
          key: 'what',
          label: t.what,
          isWide: true,
          cell: ({ category }) => <Text size="sm">{t.advice[category]}</Text>,
        },
        { key: 'when', label: t.when, align: 'right', cell: (row) => <Time at={row.occurred_at} /> },
      ]}
    />
  );
}
