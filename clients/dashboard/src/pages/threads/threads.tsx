// The list of threads.
import { Group, VisuallyHidden } from '@mantine/core';
import type { ThreadSummary } from '@mailkeel/sdk';
import { useList, useRead } from '../../data/read.js';
import { threads } from '../../texts/threads.js';
import { useTexts } from '../../texts/texts.js';
import { usePlace } from '../../data/place.js';
import { DataTable } from '../../ui/data-table.js';
import { FilterBar, useFilters } from '../../ui/filters.js';
import { Time } from '../../ui/format.js';
import { PageButton, PageLink } from '../../ui/links.js';
import { PageHead } from '../../ui/page.js';
import { InboxesButton } from './inboxes.js';
import { Status, useStatusText } from '../../ui/status.js';
import { Tags } from '../../ui/tags.js';

export function ThreadsPage() {
  const t = useTexts(threads);
  const word = useStatusText();
  const { isSandbox } = usePlace();
  const filters = useFilters(['q', 'status', 'unread', 'label', 'inbox_id']);
  const { q, status, unread, label, inbox_id } = filters.values;
  const search: {
    q?: string;
    status?: ('open' | 'closed')[];
    unread?: boolean;
    label?: string;
    inbox_id?: string;
  } = {
    ...(q === undefined ? {} : { q }),
    ...(unread === undefined ? {} : { unread: unread === 'true' }),
    ...(inbox_id === undefined ? {} : { inbox_id }),
    ...(label === undefined ? {} : { label: label.toLowerCase() }),
    ...(status === 'open' || status === 'closed' ? { status: [status] } : {}),
  };
  const inboxes = useRead(
    ['inboxes', 'choices'],
    async (api, signal) => (await api.inboxes.list({ limit: 100 }, { signal })).data,
  );
  const list = useList<ThreadSummary>(
    ['threads', 'list', search],
    (api, cursor, signal) =>
      api.threads.list({ ...search, view: 'summary', limit: 50, ...(cursor ? { cursor } : {}) }, { signal }),
    { cursor: filters.cursor },
  );
  return (
    <>
      <PageHead
        title={t.title}
        about={t.about}
        calls={[(api) => api.threads.list({ ...search, view: 'summary' })]}
        actions={isSandbox ? null : <InboxesButton />}
      />
      <FilterBar
        of={filters}
        filters={[
          { kind: 'text', name: 'q', label: t.search },
          {
            kind: 'choice',
            name: 'status',
            label: word('status'),
            choices: ['open', 'closed'].map((value) => ({ value, label: word(value) })),
          },
          {
            kind: 'choice',
            name: 'unread',
            label: t.state,
            choices: [
              { value: 'true', label: t.unread },
              { value: 'false', label: t.read },
            ],
          },
          { kind: 'text', name: 'label', label: t.label },
          ...(inboxes.data === undefined || inboxes.data.length === 0
            ? []
            : [
                {
                  kind: 'choice' as const,
                  name: 'inbox_id',
                  label: t.inbox,
                  choices: inboxes.data.map(({ id, name, address }) => ({
                    value: id,
                    label: name ?? address,
                  })),
                },
              ]),
        ]}
      />
      <DataTable
        label={t.title}
        list={list}
        rowKey={({ id }) => id}
        filters={filters.set}
        empty={{
          icon: 'threads',
          title: t.emptyTitle,
          children: t.empty,
          ...(isSandbox ? { action: <PageButton to="/sandbox">{t.toSandbox}</PageButton> } : {}),
        }}
        columns={[
          {
            key: 'subject',
            label: t.subject,
            cell: ({ id, subject, unread: isUnread, labels }) => (
              <Group gap="xs">
                <PageLink to={`/threads/${id}`} className="mk-clip" fw={isUnread ? 700 : 400}>
                  {subject === '' ? t.noSubject : subject}
                </PageLink>
                {isUnread ? <VisuallyHidden>{t.unread}</VisuallyHidden> : null}
                <Tags of={labels} most={3} />
              </Group>
            ),
          },
          {
            key: 'with',
            label: t.with,
            cell: ({ correspondent }) => (
              <span className="mk-clip">{correspondent.name ?? correspondent.email}</span>
            ),
          },
          {
            key: 'status',
            label: word('status'),
            isWide: true,
            cell: ({ status: state }) => <Status of={state} tone="quiet" />,
          },
          { key: 'last', label: t.last, align: 'right', cell: (row) => <Time at={row.last_message_at} /> },
        ]}
      />
    </>
  );
}
