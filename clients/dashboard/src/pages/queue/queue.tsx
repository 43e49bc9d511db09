// The page of the queue: totals, destinations, limits and sources.
import { Tabs } from '@mantine/core';
import type { Queue, QueueDestination } from '@mailkeel/sdk';
import { useRole } from '../../data/place.js';
import { useList, useRead } from '../../data/read.js';
import { queue } from '../../texts/queue.js';
import { useTexts } from '../../texts/texts.js';
import { DataTable } from '../../ui/data-table.js';
import { FilterBar, useFilters, useSearchValue } from '../../ui/filters.js';
import { Time, useFormat } from '../../ui/format.js';
import { PageLink } from '../../ui/links.js';
import { PageHead, Stat } from '../../ui/page.js';
import { Shown } from '../../ui/states.js';
import { Limits } from './limits.js';
import { PurgeButton } from './purge.js';
import '../../ui/figures.css';
import { RouteShares } from './route-shares.js';
import { Sources } from './sources.js';
import { DestinationState, Reply } from './state.js';

/** The queue changes without events, because of attempts and due times. */
const LOOK_MS = 5_000;

export function QueuePage() {
  const t = useTexts(queue);
  const mayChange = useRole('member');
  const [tab, setTab] = useSearchValue('tab', 'destinations');
  const read = useRead(['queue', 'sum'], (api, signal) => api.queue.get({ signal }), { every: LOOK_MS });
  return (
    <>
      <PageHead
        title={t.title}
        about={t.about}
        calls={[
          (api) => api.queue.get(),
          (api) => api.queue.listDestinations(),
          (api) => api.queue.listOverrides(),
          (api) => api.sources.list(),
          (api) => api.routeShares.list(),
        ]}
        actions={mayChange ? <PurgeButton /> : null}
      />
      <Shown of={read}>{(sum) => <Sum of={sum} />}</Shown>
      <Tabs value={tab} onChange={(next) => setTab(next ?? 'destinations')} keepMounted={false} mt="lg">
        <Tabs.List mb="md" aria-label={t.tabs.label}>
          <Tabs.Tab value="destinations">{t.tabs.destinations}</Tabs.Tab>
          <Tabs.Tab value="limits">{t.tabs.limits}</Tabs.Tab>
          <Tabs.Tab value="sources">{t.tabs.sources}</Tabs.Tab>
          <Tabs.Tab value="shares">{t.tabs.shares}</Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value="destinations">
          <Destinations />
        </Tabs.Panel>
        <Tabs.Panel value="limits">
          <Limits />
        </Tabs.Panel>
        <Tabs.Panel value="sources">
          <Sources />
        </Tabs.Panel>
        <Tabs.Panel value="shares">
          <RouteShares />
        </Tabs.Panel>
      </Tabs>
    </>
  );
}

function Sum({ of: sum }: { of: Queue }) {
  const t = useTexts(queue);
  const { count } = useFormat();
  return (
    <div className="mk-figures">
      <Stat label={t.depth} value={count(sum.depth)} hint={t.depthHint(count(sum.destinations))} />
      <Stat label={t.due} value={count(sum.due)} hint={t.dueHint} />
      <Stat label={t.scheduled} value={count(sum.scheduled)} hint={t.scheduledHint} />
      <Stat label={t.leased} value={count(sum.leased)} hint={t.leasedHint} />
      <Stat label={t.held} value={count(sum.held)} hint={t.heldHint} />
      <Stat label={t.byPriority} value={count(sum.transactional)} hint={t.bulkHint(count(sum.bulk))} />
      <Stat
        label={t.oldest}
        value={sum.oldest_at === null ? '–' : <Time at={sum.oldest_at} />}
        hint={
          sum.next_attempt_at === null ? undefined : (
            <>
              {t.next} <Time at={sum.next_attempt_at} />
            </>
          )
        }
      />
    </div>
  );
}

function Destinations() {
  const t = useTexts(queue);
  const { count } = useFormat();
  const filters = useFilters(['domain']);
  const list = useList<QueueDestination>(
    ['queue', 'destinations', filters.values],
    (api, cursor, signal) =>
      api.queue.listDestinations({ ...filters.values, limit: 50, ...(cursor ? { cursor } : {}) }, { signal }),
    { cursor: filters.cursor, every: LOOK_MS },
  );
  return (
    <>
      <FilterBar
        of={filters}
        filters={[{ kind: 'text', name: 'domain', label: t.domain, placeholder: t.domainHint }]}
      />
      <DataTable
        label={t.tabs.destinations}
        list={list}
        rowKey={({ domain }) => domain}
        filters={filters.set}
        empty={{ icon: 'queue', title: t.emptyTitle, children: t.empty }}
        columns={[
          {
            key: 'domain',
            label: t.domain,
            cell: (row) => (
              <PageLink to={`/queue/${encodeURIComponent(row.domain)}`} className="mk-clip">
                {row.domain}
              </PageLink>
            ),
          },
          { key: 'depth', label: t.depth, align: 'right', cell: ({ depth }) => count(depth) },
          { key: 'due', label: t.due, align: 'right', isWide: true, cell: ({ due }) => count(due) },
          { key: 'held', label: t.held, align: 'right', isWide: true, cell: ({ held }) => count(held) },
          { key: 'state', label: t.state, cell: (row) => <DestinationState of={row} /> },
          {
            key: 'reply',
            label: t.lastReply,
            isWide: true,
            cell: ({ last_reply: reply }) => (reply === null ? '–' : <Reply of={reply} isShort />),
          },
          {
            key: 'oldest',
            label: t.oldest,
            align: 'right',
            isWide: true,
            cell: ({ oldest_at: at }) => (at === null ? '–' : <Time at={at} />),
          },
          {
            key: 'next',
            label: t.next,
            align: 'right',
            isWide: true,
            cell: ({ next_attempt_at: at }) => (at === null ? '–' : <Time at={at} />),
          },
        ]}
      />
    </>
  );
}
