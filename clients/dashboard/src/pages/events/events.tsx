// Everything that happens, live.
import { Stack, Text } from '@mantine/core';
import type { Event } from '@posthorn/sdk';
import { useIsLive } from '../../app/live.js';
import { useSearchTexts } from '../../data/address.js';
import { useList } from '../../data/read.js';
import { EVENT_NAMES, eventNames } from '../../texts/event-names.js';
import { logs } from '../../texts/logs.js';
import { useTexts } from '../../texts/texts.js';
import { CodeBlock } from '../../ui/code-block.js';
import { asText } from '../../ui/custom-fields.js';
import { DataTable } from '../../ui/data-table.js';
import { FilterBar, useFilters } from '../../ui/filters.js';
import { Time } from '../../ui/format.js';
import { PageButton, PageLink } from '../../ui/links.js';
import { Facts, PageHead } from '../../ui/page.js';
import { RecordLink } from '../../ui/record-link.js';
import { RowDrawer } from '../../ui/row-drawer.js';

const FILTERS = ['events'];
/** What of an event's metadata tells people something. */
const TOLD = ['reply', 'reason', 'url', 'error'];

function saidOf({ data }: Event): string {
  return TOLD.flatMap((name) => {
    const value = data.metadata[name];
    return value === undefined || value === null || value === '' ? [] : [asText(value)];
  }).join(' · ');
}

export function EventsPage() {
  const t = useTexts(logs);
  const meaning = useTexts(eventNames);
  const isLive = useIsLive();
  const filters = useFilters(FILTERS);
  const address = useSearchTexts();
  const search = filters.values;
  const list = useList<Event>(
    ['events', 'list', search],
    (api, cursor, signal) => api.events.list({ ...search, limit: 50, ...(cursor ? { cursor } : {}) }, { signal }),
    { cursor: filters.cursor },
  );
  return (
    <>
      <PageHead
        title={t.events.title}
        about={
          <>
            {t.events.about} {isLive ? t.events.live : t.events.notLive}
          </>
        }
        calls={[(api) => api.events.list(search)]}
      />
      <FilterBar
        of={filters}
        filters={[
          {
            kind: 'choices',
            name: 'events',
            label: t.events.event,
            choices: EVENT_NAMES.map((value) => ({ value, label: value })),
          },
        ]}
      />
      <DataTable
        label={t.events.title}
        list={list}
        rowKey={({ id }) => id}
        filters={filters.set}
        empty={{
          icon: 'events',
          title: t.events.emptyTitle,
          children: t.events.empty,
          action: <PageButton to="/messages/new">{t.events.send}</PageButton>,
        }}
        columns={[
          {
            key: 'event',
            label: t.events.event,
            cell: (row) => (
              <>
                <PageLink to="/events" search={{ ...address, event: row.id }} className="ph-clip">
                  {row.event}
                </PageLink>
                <Text size="xs" c="dimmed" className="ph-clip">
                  {meaning[row.event]}
                </Text>
              </>
            ),
          },
          { key: 'record', label: t.events.record, isWide: true, cell: ({ data }) => <RecordLink id={data.id} /> },
          {
            key: 'said',
            label: t.events.said,
            isWide: true,
            cell: (row) => <span className="ph-clip">{saidOf(row) || '–'}</span>,
          },
          { key: 'when', label: t.when, align: 'right', cell: (row) => <Time at={row.occurred_at} /> },
        ]}
      />
      <RowDrawer name="event" title={t.events.one} rows={list.data?.rows ?? []} rowKey={({ id }) => id}>
        {(event) => (
          <Stack>
            <Facts
              of={[
                [t.events.event, <strong key="event">{event.event}</strong>],
                [t.events.record, <RecordLink key="record" id={event.data.id} />],
                [t.when, <Time key="when" at={event.occurred_at} isFull />],
                [t.who, event.actor],
              ]}
            />
            <CodeBlock code={JSON.stringify(event, null, 2)} wraps label={t.events.json} />
          </Stack>
        )}
      </RowDrawer>
    </>
  );
}
