// The page of live events.
import { Group, Text } from '@mantine/core';
import type { Event, Query } from '@mailkeel/sdk';
import { useList } from '../../data/read.js';
import { events, type EventsTexts } from '../../texts/events.js';
import { useTexts } from '../../texts/texts.js';
import { CodeBlock, Copyable } from '../../ui/code-block.js';
import { DataTable } from '../../ui/data-table.js';
import { FilterBar, useFilters, type Choice } from '../../ui/filters.js';
import { Time } from '../../ui/format.js';
import { Facts, PageHead } from '../../ui/page.js';
import { RecordLink } from '../../ui/record-link.js';
import { RowDrawer, RowLink } from '../../ui/row-drawer.js';
import { Status, toneOf } from '../../ui/status.js';

type EventName = Event['event'];
type Area = keyof EventsTexts['areas'];

const areaOf = (name: string): string => name.split('.', 1)[0] ?? '';

function namesOf(t: Pick<EventsTexts, 'names'>, area?: string): EventName[] {
  return (Object.keys(t.names) as EventName[]).filter((name) => area === undefined || areaOf(name) === area);
}

/** The query of the list: the chosen events, or all of the chosen area, or the API's default. */
function queryOf(t: Pick<EventsTexts, 'names'>, values: Record<string, string>): Query<'events.list'> {
  const {
    area,
    events: chosen = area === undefined ? undefined : namesOf(t, area).join(','),
    ...rest
  } = values;
  return { ...rest, ...(chosen === undefined ? {} : { events: chosen }) };
}

export function EventsPage() {
  const t = useTexts(events);
  const filters = useFilters(['area', 'events', 'sub_tenant_id', 'since', 'until']);
  const search = queryOf(t, filters.values);
  const list = useList<Event>(
    ['events', 'list', search],
    (api, cursor, signal) =>
      api.events.list({ ...search, limit: 50, ...(cursor ? { cursor } : {}) }, { signal }),
    { cursor: filters.cursor },
  );
  const areas = (Object.keys(t.areas) as Area[]).map((value) => ({ value, label: t.areas[value] }));
  const choiceOf = (name: EventName): Choice => ({ value: name, label: t.names[name] });
  const shownAreas = areas.filter(
    ({ value }) => filters.values['area'] === undefined || value === filters.values['area'],
  );
  return (
    <>
      <PageHead title={t.title} about={t.about} calls={[(api) => api.events.list(search)]} />
      <FilterBar
        of={filters}
        filters={[
          { kind: 'choice', name: 'area', label: t.area, choices: areas },
          {
            kind: 'choices',
            name: 'events',
            label: t.event,
            choices: shownAreas.map(({ value, label }) => ({
              group: label,
              items: namesOf(t, value).map(choiceOf),
            })),
          },
          { kind: 'record', of: 'subTenant', name: 'sub_tenant_id', label: t.subTenant },
          { kind: 'range', name: 'since', until: 'until' },
        ]}
      />
      <EventTable list={list} filters={filters.set} />
      {filters.set.length === 0 ? (
        <Text size="sm" c="dimmed" mt="sm">
          {t.more}
        </Text>
      ) : null}
      <RowDrawer rows={list.data?.rows ?? []} keyOf={({ id }) => id} titleOf={({ event }) => t.names[event]}>
        {(event) => <EventDetail event={event} />}
      </RowDrawer>
    </>
  );
}

function EventTable({
  list,
  filters,
}: {
  list: ReturnType<typeof useList<Event>>;
  filters: readonly string[];
}) {
  const t = useTexts(events);
  return (
    <DataTable
      label={t.title}
      list={list}
      rowKey={({ id }) => id}
      filters={filters}
      empty={{ icon: 'events', title: t.emptyTitle, children: t.empty }}
      columns={[
        {
          key: 'event',
          label: t.event,
          cell: ({ id, event }) => (
            <RowLink path="/events" id={id}>
              {t.names[event]}
            </RowLink>
          ),
        },
        {
          key: 'name',
          label: t.apiName,
          isWide: true,
          cell: ({ event }) => (
            <Status of={event} tone={toneOf(event.split('.')[1] ?? '')}>
              <span className="mk-mono">{event}</span>
            </Status>
          ),
        },
        { key: 'record', label: t.record, cell: ({ data }) => <RecordLink id={data.id} /> },
        { key: 'by', label: t.by, isWide: true, cell: ({ actor }) => t.actors[actor] },
        {
          key: 'at',
          label: t.at,
          align: 'right',
          cell: ({ occurred_at: at }) => <Time at={at} />,
        },
      ]}
    />
  );
}

function EventDetail({ event }: { event: Event }) {
  const t = useTexts(events);
  return (
    <>
      <Group>
        <Status of={event.event} tone={toneOf(event.event.split('.')[1] ?? '')}>
          <span className="mk-mono">{event.event}</span>
        </Status>
      </Group>
      <Facts
        of={[
          [t.record, <RecordLink key="record" id={event.data.id} />],
          [t.at, <Time key="at" at={event.occurred_at} isFull />],
          [t.by, t.actors[event.actor]],
          event.sub_tenant_id === null
            ? null
            : [t.subTenant, <RecordLink key="tenant" id={event.sub_tenant_id} />],
          event.tags.length === 0 ? null : [t.tags, event.tags.map((tag) => `#${tag}`).join(' ')],
          [t.id, <Copyable key="id" value={event.id} label={t.id} />],
        ]}
      />
      <CodeBlock code={JSON.stringify(event, null, 2)} wraps label={t.json} />
    </>
  );
}
