// How many messages each API key of the workspace brought, day by day.
import { Group, Text } from '@mantine/core';
import type { ApiKeyUsage } from '@mailkeel/sdk';
import { useList } from '../../data/read.js';
import { common } from '../../texts/common.js';
import { useTexts } from '../../texts/texts.js';
import { usage } from '../../texts/usage.js';
import { Chart, type Series } from '../../ui/chart.js';
import { useSearchValue } from '../../ui/filters.js';
import { Time, useFormat } from '../../ui/format.js';
import { PageLink } from '../../ui/links.js';
import { Card } from '../../ui/page.js';
import { daysOf, rangeOf, RangeSelect, type Range } from '../../ui/range-select.js';
import { Shown } from '../../ui/states.js';

const RANGES: readonly Range[] = ['7d', '30d', '90d'];
const MOST_KEYS = 100;
/** Number of keys with their own color. The others are added up. */
const COLORS = ['post.7', 'teal.7', 'orange.7', 'grape.7'];
const REST_COLOR = 'gray.5';
const DAY_MS = 86_400_000;

export function KeyUsage() {
  const t = useTexts(usage);
  const [chosen, setRange] = useSearchValue('range', '30d');
  const range = rangeOf(RANGES, chosen, '30d');
  const days = daysOf(range);
  const list = useList<ApiKeyUsage>(['usage', 'keys', days], (api, _cursor, signal) =>
    api.usage.listApiKeys({ days, limit: MOST_KEYS }, { signal }),
  );
  return (
    <Card title={t.keys} actions={<RangeSelect ranges={RANGES} value={range} onChange={setRange} />}>
      <Text size="sm" c="dimmed" mb="md">
        {t.keysAbout}
      </Text>
      <Shown of={list} lines={6}>
        {({ rows }) => <KeyFigures rows={rows} days={days} />}
      </Shown>
    </Card>
  );
}

function KeyFigures({ rows, days }: { rows: readonly ApiKeyUsage[]; days: number }) {
  const t = useTexts(usage);
  const format = useFormat();
  const used = rows.filter(({ messages }) => messages > 0).toSorted((a, b) => b.messages - a.messages);
  if (used.length === 0) {
    return (
      <Group gap="xs">
        <Text fw={550}>{t.none}.</Text>
        <Text c="dimmed">{t.noneHint}</Text>
      </Group>
    );
  }
  const shown = used.slice(0, COLORS.length);
  const rest = used.slice(COLORS.length);
  const series: Series[] = shown.map(({ api_key_id: id, name }, place) => ({
    name: id,
    label: name,
    color: COLORS[place] ?? REST_COLOR,
  }));
  if (rest.length > 0) series.push({ name: 'rest', label: t.others, color: REST_COLOR });
  const chart = daysBack(days).map((day) => ({
    at: format.day(day),
    ...Object.fromEntries(shown.map((row) => [row.api_key_id, countOf(row, day)])),
    ...(rest.length > 0 ? { rest: rest.reduce((sum, row) => sum + countOf(row, day), 0) } : {}),
  }));
  return (
    <>
      <Chart endsNow label={t.chart} kind="bar" isStacked rows={chart} series={series} height={200} />
      <KeyTable rows={used} />
    </>
  );
}

/** The days in UTC, the oldest first. */
function daysBack(count: number): string[] {
  const today = Date.now();
  return Array.from({ length: count }, (_, place) =>
    new Date(today - (count - 1 - place) * DAY_MS).toISOString().slice(0, 10),
  );
}

function countOf({ days }: ApiKeyUsage, day: string): number {
  return days.find(({ date }) => date === day)?.messages ?? 0;
}

function KeyTable({ rows }: { rows: readonly ApiKeyUsage[] }) {
  const t = useTexts(usage);
  const frame = useTexts(common);
  const format = useFormat();
  return (
    <div
      className="mk-table-frame"
      role="region"
      aria-label={t.keys}
      tabIndex={0}
      style={{ marginTop: '1rem' }}
    >
      <table className="mk-table">
        <thead>
          <tr>
            <th scope="col">{t.key}</th>
            <th scope="col">{t.environment}</th>
            <th scope="col" className="mk-wide">
              {t.lastUsed}
            </th>
            <th scope="col" data-align="right">
              {t.messages}
            </th>
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={row.api_key_id}>
              <td>
                <PageLink to="/api-keys" className="mk-clip">
                  {row.name}
                </PageLink>
              </td>
              <td>{row.mode === 'live' ? frame.live : frame.sandbox}</td>
              <td className="mk-wide">
                <Time at={row.last_used_at} />
              </td>
              <td data-align="right">{format.count(row.messages)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
