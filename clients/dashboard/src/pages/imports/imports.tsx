// Imports of contacts, and how far each is.
import { Text } from '@mantine/core';
import type { Import } from '@mailkeel/sdk';
import { useRole } from '../../data/place.js';
import { useList } from '../../data/read.js';
import { transfers } from '../../texts/transfers.js';
import { useTexts } from '../../texts/texts.js';
import { DataTable } from '../../ui/data-table.js';
import { useFilters } from '../../ui/filters.js';
import { Time, useFormat } from '../../ui/format.js';
import { Icon } from '../../ui/icon.js';
import { RecordLink } from '../../ui/record-link.js';
import { PageButton, PageLink } from '../../ui/links.js';
import { PageHead } from '../../ui/page.js';
import { Status } from '../../ui/status.js';
import { ProgressOf, PROGRESS_MS, TransferTabs } from './transfer-parts.js';

export function ImportsPage() {
  const t = useTexts(transfers);
  const format = useFormat();
  const mayAct = useRole('member');
  const { cursor } = useFilters([]);
  const list = useList<Import>(
    ['imports', 'list'],
    (api, from, signal) => api.imports.list({ limit: 50, ...(from ? { cursor: from } : {}) }, { signal }),
    { cursor, every: PROGRESS_MS },
  );
  const add = mayAct ? (
    <PageButton to="/imports/new" leftSection={<Icon name="plus" size={16} />}>
      {t.imports.create}
    </PageButton>
  ) : null;
  return (
    <>
      <PageHead title={t.imports.title} about={t.about} calls={[(api) => api.imports.list()]} actions={add} />
      <TransferTabs current="imports" />
      <DataTable
        label={t.imports.title}
        list={list}
        rowKey={({ id }) => id}
        empty={{ icon: 'import', title: t.imports.emptyTitle, children: t.imports.empty, action: add }}
        columns={[
          {
            key: 'import',
            label: t.imports.import,
            cell: (row) => <PageLink to={`/imports/${row.id}`}>{format.time(row.created_at)}</PageLink>,
          },
          {
            key: 'status',
            label: t.status,
            cell: ({ status, dry_run: isDry }) => (
              <>
                <Status of={status} />
                {isDry ? (
                  <Text size="xs" c="dimmed">
                    {t.imports.dry}
                  </Text>
                ) : null}
              </>
            ),
          },
          {
            key: 'list',
            label: t.imports.list,
            isWide: true,
            cell: ({ list_id: id }) => (id === null ? t.imports.noList : <RecordLink id={id} />),
          },
          { key: 'progress', label: t.progress, align: 'right', cell: (row) => <ImportProgress of={row} /> },
          {
            key: 'failed',
            label: t.imports.counts.failed,
            align: 'right',
            cell: (row) => format.count(row.failed),
          },
          {
            key: 'finished',
            label: t.finished,
            align: 'right',
            isWide: true,
            cell: (row) => (row.finished_at === null ? '–' : <Time at={row.finished_at} />),
          },
        ]}
      />
    </>
  );
}

/** Shows the bytes read, because the rows are not counted yet. */
export function ImportProgress({ of }: { of: Import }) {
  const share = of.size_bytes === 0 ? 0 : of.processed_bytes / of.size_bytes;
  return <ProgressOf status={of.status} processed={of.processed} total={of.total} share={share} />;
}
