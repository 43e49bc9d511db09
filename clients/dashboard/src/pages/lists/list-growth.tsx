// How a list has grown, day by day.
import { Group, SegmentedControl, Stack } from '@mantine/core';
import { useRead } from '../../data/read.js';
import { lists } from '../../texts/lists.js';
import { useTexts } from '../../texts/texts.js';
import { Chart } from '../../ui/chart.js';
import { useSearchValue } from '../../ui/filters.js';
import { useFormat } from '../../ui/format.js';
import { Card, Stat } from '../../ui/page.js';
import { Shown } from '../../ui/states.js';

const WINDOWS = ['30', '90', '365'];

export function Growth({ id, isSegment }: { id: string; isSegment: boolean }) {
  const t = useTexts(lists);
  const format = useFormat();
  const [days, setDays] = useSearchValue('days', '30');
  const growth = useRead(['lists', id, 'growth', days], (api, signal) =>
    api.lists.getGrowth(id, { window_days: Number(days) }, { signal }),
  );
  return (
    <Stack>
      <SegmentedControl
        size="xs"
        aria-label={t.growthWindow}
        value={days}
        onChange={setDays}
        data={WINDOWS.map((value) => ({ value, label: t.growthDays(value) }))}
        style={{ alignSelf: 'flex-start' }}
      />
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
                    label={t.growthChart}
                    kind="area"
                    rows={series.map((day) => ({ at: format.day(day.date), contacts: day.contacts ?? 0 }))}
                    series={[{ name: 'contacts', label: t.growthContacts, color: 'post.7' }]}
                    format={format.count}
                  />
                </Card>
                <Card title={t.growthMoves}>
                  <Chart
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
                    format={format.count}
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
