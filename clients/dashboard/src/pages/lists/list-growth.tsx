// How a list has grown, day by day.
import { Group, Stack } from '@mantine/core';
import { useRead } from '../../data/read.js';
import { lists } from '../../texts/lists.js';
import { useTexts } from '../../texts/texts.js';
import { Chart } from '../../ui/chart.js';
import { useSearchValue } from '../../ui/filters.js';
import { useFormat } from '../../ui/format.js';
import { Card, Stat } from '../../ui/page.js';
import { daysOf, rangeOf, RangeSelect, type Range } from '../../ui/range-select.js';
import { Shown } from '../../ui/states.js';

const RANGES: readonly Range[] = ['30d', '90d', '365d'];

export function Growth({ id, isSegment }: { id: string; isSegment: boolean }) {
  const t = useTexts(lists);
  const format = useFormat();
  const [chosen, setRange] = useSearchValue('range', '30d');
  const range = rangeOf(RANGES, chosen, '30d');
  const days = daysOf(range);
  const growth = useRead(['lists', id, 'growth', days], (api, signal) =>
    api.lists.getGrowth(id, { window_days: days }, { signal }),
  );
  return (
    <Stack>
      <RangeSelect ranges={RANGES} value={range} onChange={setRange} />
      <Shown of={growth} lines={8}>
        {({ contacts, joined, unsubscribed, series }) => (
          <>
            <Card>
              <Group gap={48}>
                <Stat label={t.growthContacts} value={format.count(contacts)} />
                <Stat label={t.growthJoined} value={`+${format.count(joined)}`} />
                <Stat label={t.growthLeft} value={`−${format.count(unsubscribed)}`} />
              </Group>
            </Card>
            {isSegment ? null : (
              <>
                <Card title={t.growthChart}>
                  <Chart
                    endsNow
                    label={t.growthChart}
                    kind="area"
                    rows={series.map((day) => ({ at: format.day(day.date), contacts: day.contacts ?? 0 }))}
                    series={[{ name: 'contacts', label: t.growthContacts, color: 'post.7' }]}
                  />
                </Card>
                <Card title={t.growthMoves}>
                  <Chart
                    endsNow
                    label={t.growthMoves}
                    kind="bar"
                    rows={series.map((day) => ({
                      at: format.day(day.date),
                      joined: day.joined,
                      left: day.unsubscribed,
                    }))}
                    series={[
                      { name: 'joined', label: t.growthJoined, color: 'post.7' },
                      { name: 'left', label: t.growthLeft, color: 'orange.7' },
                    ]}
                  />
                </Card>
              </>
            )}
          </>
        )}
      </Shown>
    </Stack>
  );
}
