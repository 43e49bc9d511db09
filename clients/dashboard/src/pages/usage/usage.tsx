// What was sent of the plan, by day, month and type, and by which key.
import { Group, SegmentedControl, Stack, Text, Title } from '@mantine/core';
import type { ApiKeyUsage, Usage, UsagePeriod } from '@posthorn/sdk';
import { useList, useRead } from '../../data/read.js';
import { organization } from '../../texts/organization.js';
import { useTexts } from '../../texts/texts.js';
import { Chart } from '../../ui/chart.js';
import { DataTable } from '../../ui/data-table.js';
import { useFilters, useSearchValue } from '../../ui/filters.js';
import { Time, useFormat } from '../../ui/format.js';
import { PageLink } from '../../ui/links.js';
import { Meter } from '../../ui/meter.js';
import { Card, PageHead } from '../../ui/page.js';
import { Shown } from '../../ui/states.js';
import { useStatusText, type Tone } from '../../ui/status.js';

const WINDOWS = ['7', '30', '90'];
const NEARLY = 0.8;

export function UsagePage() {
  const t = useTexts(organization).usage;
  const usage = useRead(['usage'], (api, signal) => api.usage.get({ signal }));
  return (
    <>
      <PageHead
        title={t.title}
        about={t.about}
        badge={
          usage.data === undefined ? null : (
            <span className="ph-status">
              {t.plan}: {usage.data.plan}
            </span>
          )
        }
        calls={[(api) => api.usage.get(), (api) => api.usage.listApiKeys()]}
      />
      <Stack gap="lg">
        <Shown of={usage} lines={6}>
          {(all) => <Periods of={all} />}
        </Shown>
        <Keys />
      </Stack>
    </>
  );
}

function Periods({ of }: { of: Usage }) {
  const t = useTexts(organization).usage;
  return (
    <div className="ph-grid">
      <Period title={t.day} period={of.day} />
      <Period title={t.month} period={of.month} />
    </div>
  );
}

function toneOf(used: number, limit: number): Tone {
  if (used >= limit) return 'bad';
  return used >= limit * NEARLY ? 'warn' : 'good';
}

function Period({ title, period }: { title: string; period: UsagePeriod }) {
  const t = useTexts(organization).usage;
  const format = useFormat();
  const word = useStatusText();
  const { used, limit, remaining, workspace_used: here } = period;
  const text = limit === null ? t.used(format.count(used)) : t.of(format.count(used), format.count(limit));
  return (
    <Card title={title}>
      <Stack gap="sm">
        <Group justify="space-between" align="baseline">
          <span className="ph-stat-value">{format.count(used)}</span>
          <Text c="dimmed">
            {limit === null ? t.unlimited : text}
            {remaining === null ? null : ` · ${t.left(format.count(remaining))}`}
          </Text>
        </Group>
        {limit === null ? null : (
          <Meter label={`${title}: ${text}`} value={used} max={limit} tone={toneOf(used, limit)} />
        )}
        <table className="ph-table">
          <thead>
            <tr>
              <th scope="col">{t.type}</th>
              <th scope="col" data-align="right">
                {t.sent}
              </th>
              <th scope="col" data-align="right">
                {t.limit}
              </th>
            </tr>
          </thead>
          <tbody>
            {period.types.map((one) => (
              <tr key={one.type}>
                <td>{word(one.type)}</td>
                <td data-align="right">{format.count(one.used)}</td>
                <td data-align="right">{one.limit === null ? t.unlimited : format.count(one.limit)}</td>
              </tr>
            ))}
          </tbody>
        </table>
        <Text size="sm" c="dimmed">
          {t.here(format.count(here))} · {t.resets} <Time at={period.resets_at} />
        </Text>
      </Stack>
    </Card>
  );
}

function daysOf(keys: readonly ApiKeyUsage[]): { at: string; messages: number }[] {
  const sums = new Map<string, number>();
  for (const { days } of keys) {
    for (const { date, messages } of days) sums.set(date, (sums.get(date) ?? 0) + messages);
  }
  return [...sums].sort(([a], [b]) => (a < b ? -1 : 1)).map(([at, messages]) => ({ at, messages }));
}

function Keys() {
  const t = useTexts(organization).usage;
  const format = useFormat();
  const { cursor } = useFilters([]);
  const [days, setDays] = useSearchValue('days', '30');
  const list = useList<ApiKeyUsage>(
    ['usage', 'keys', days],
    (api, from, signal) => api.usage.listApiKeys({ days: Number(days), ...(from ? { cursor: from } : {}) }, { signal }),
    { cursor },
  );
  const byDay = daysOf(list.data?.rows ?? []);
  return (
    <section>
      <Group justify="space-between" mb="sm">
        <div>
          <Title order={2}>{t.keys}</Title>
          <Text c="dimmed">{t.keysHint}</Text>
        </div>
        <SegmentedControl
          size="xs"
          aria-label={t.window}
          value={days}
          onChange={setDays}
          data={WINDOWS.map((value) => ({ value, label: t.days(value) }))}
        />
      </Group>
      <Stack>
        {byDay.length === 0 ? null : (
          <Card>
            <Chart
              label={t.chart}
              kind="bar"
              height={160}
              rows={byDay.map(({ at, messages }) => ({ at: format.day(at), messages }))}
              series={[{ name: 'messages', label: t.messages, color: 'post.7' }]}
              format={format.count}
            />
          </Card>
        )}
        <DataTable
          label={t.keys}
          list={list}
          rowKey={(row) => row.api_key_id}
          empty={{ icon: 'key', title: t.keysNone, children: t.keysNoneHint }}
          columns={[
            {
              key: 'key',
              label: t.key,
              cell: ({ api_key_id: id, name }) => (
                <PageLink to="/requests" search={{ actor_id: id }} className="ph-clip">
                  {name}
                </PageLink>
              ),
            },
            { key: 'used', label: t.lastUsed, isWide: true, cell: (row) => <Time at={row.last_used_at} /> },
            { key: 'messages', label: t.messages, align: 'right', cell: (row) => format.count(row.messages) },
          ]}
        />
      </Stack>
    </section>
  );
}
