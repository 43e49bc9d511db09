// Lists of contacts, and segments, which find theirs by a filter.
import { Button, Text } from '@mantine/core';
import { useState } from 'react';
import type { MailingList } from '@mailkeel/sdk';
import { useRole } from '../../data/place.js';
import { useList } from '../../data/read.js';
import { common } from '../../texts/common.js';
import { lists } from '../../texts/lists.js';
import { useTexts } from '../../texts/texts.js';
import { DataTable } from '../../ui/data-table.js';
import { FilterBar, useFilters } from '../../ui/filters.js';
import { Time, useFormat } from '../../ui/format.js';
import { Icon } from '../../ui/icon.js';
import { PageLink, useNewFromLink } from '../../ui/links.js';
import { PageHead } from '../../ui/page.js';
import { NewList } from './list-dialogs.js';

export function ListsPage() {
  const t = useTexts(lists);
  const frame = useTexts(common);
  const format = useFormat();
  const mayAct = useRole('member');
  const filters = useFilters(['q']);
  const search = filters.values;
  const [made, setMade] = useState<'list' | 'segment' | null>(null);
  useNewFromLink((kind) => {
    if (mayAct) setMade(kind === 'segment' ? 'segment' : 'list');
  });
  const list = useList<MailingList>(
    ['lists', 'list', search],
    (api, cursor, signal) =>
      api.lists.list({ ...search, limit: 50, ...(cursor ? { cursor } : {}) }, { signal }),
    { cursor: filters.cursor },
  );
  const add = mayAct ? (
    <Button leftSection={<Icon name="plus" size={16} />} onClick={() => setMade('list')}>
      {t.newList}
    </Button>
  ) : null;
  return (
    <>
      <PageHead
        title={t.title}
        about={t.about}
        calls={[(api) => api.lists.list(search)]}
        actions={
          <>
            {mayAct ? (
              <Button
                variant="default"
                leftSection={<Icon name="filter" size={16} />}
                onClick={() => setMade('segment')}
              >
                {t.newSegment}
              </Button>
            ) : null}
            {add}
          </>
        }
      />
      <FilterBar of={filters} filters={[{ kind: 'text', name: 'q', label: t.search }]} />
      <DataTable
        label={t.title}
        list={list}
        rowKey={({ id }) => id}
        filters={filters.set}
        empty={{ icon: 'lists', title: t.emptyTitle, children: t.empty, action: add }}
        columns={[
          {
            key: 'name',
            label: t.name,
            cell: ({ id, name, description }) => (
              <>
                <PageLink to={`/lists/${id}`} className="mk-clip">
                  {name}
                </PageLink>
                {description === null ? null : (
                  <Text size="xs" c="dimmed" className="mk-clip">
                    {description}
                  </Text>
                )}
              </>
            ),
          },
          { key: 'kind', label: t.kind, cell: ({ filter }) => (filter === null ? t.list : t.segment) },
          { key: 'contacts', label: t.contacts, align: 'right', cell: (row) => format.count(row.contacts) },
          {
            key: 'opt',
            label: t.doubleOptIn,
            isWide: true,
            cell: (row) => (row.filter !== null ? '–' : row.double_opt_in ? frame.yes : frame.no),
          },
          {
            key: 'at',
            label: frame.created,
            align: 'right',
            isWide: true,
            cell: (row) => <Time at={row.created_at} />,
          },
        ]}
      />
      {made === null ? null : <NewList isSegment={made === 'segment'} onClose={() => setMade(null)} />}
    </>
  );
}
