// The list of sequences.
import type { Query, Sequence } from '@posthorn/sdk';
import { useRole } from '../../data/place.js';
import { useList } from '../../data/read.js';
import { sequences } from '../../texts/sequences.js';
import { useTexts } from '../../texts/texts.js';
import { DataTable } from '../../ui/data-table.js';
import { FilterBar, useFilters } from '../../ui/filters.js';
import { Time } from '../../ui/format.js';
import { Icon } from '../../ui/icon.js';
import { PageButton, PageLink } from '../../ui/links.js';
import { PageHead } from '../../ui/page.js';
import { Status, useStatusText } from '../../ui/status.js';

export function SequencesPage() {
  const t = useTexts(sequences);
  const word = useStatusText();
  const mayEdit = useRole('member');
  const filters = useFilters(['q', 'status']);
  const { status, ...rest } = filters.values;
  const search = { ...rest, ...(status === undefined ? {} : { status: status.split(',') }) } as Omit<
    Query<'sequences.list'>,
    'cursor'
  >;
  const list = useList<Sequence>(
    ['sequences', 'list', search],
    (api, cursor, signal) =>
      api.sequences.list({ ...search, limit: 50, ...(cursor ? { cursor } : {}) }, { signal }),
    { cursor: filters.cursor },
  );
  return (
    <>
      <PageHead
        title={t.title}
        about={t.about}
        calls={[(api) => api.sequences.list(search)]}
        actions={
          mayEdit ? (
            <PageButton to="/sequences/new" leftSection={<Icon name="plus" size={16} />}>
              {t.create}
            </PageButton>
          ) : null
        }
      />
      <FilterBar
        of={filters}
        filters={[
          { kind: 'text', name: 'q', label: t.search },
          {
            kind: 'choices',
            name: 'status',
            label: word('status'),
            choices: ['active', 'paused'].map((value) => ({ value, label: word(value) })),
          },
        ]}
      />
      <DataTable
        label={t.title}
        list={list}
        rowKey={({ id }) => id}
        filters={filters.set}
        empty={{
          icon: 'sequence',
          title: t.emptyTitle,
          children: t.empty,
          action: mayEdit ? <PageButton to="/sequences/new">{t.create}</PageButton> : undefined,
        }}
        columns={[
          {
            key: 'name',
            label: t.name,
            cell: (row) => (
              <PageLink to={`/sequences/${row.id}`} className="ph-clip">
                {row.name}
              </PageLink>
            ),
          },
          {
            key: 'status',
            label: word('status'),
            cell: (row) => <Status of={row.status} {...(row.problem === null ? {} : { tone: 'bad' })} />,
          },
          {
            key: 'trigger',
            label: t.trigger,
            isWide: true,
            cell: (row) => <span className="ph-clip">{t.triggers[row.trigger.type]}</span>,
          },
          { key: 'steps', label: t.steps, align: 'right', isWide: true, cell: (row) => row.steps.length },
          { key: 'updated', label: t.updated, align: 'right', cell: (row) => <Time at={row.updated_at} /> },
        ]}
      />
    </>
  );
}
