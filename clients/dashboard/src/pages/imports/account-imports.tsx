// Imports of accounts at other vendors.
import { Text } from '@mantine/core';
import type { AccountImport } from '@mailkeel/sdk';
import { useRole } from '../../data/place.js';
import { useList } from '../../data/read.js';
import { accountImports } from '../../texts/account-imports.js';
import { transfers } from '../../texts/transfers.js';
import { useTexts } from '../../texts/texts.js';
import { DataTable } from '../../ui/data-table.js';
import { useFilters } from '../../ui/filters.js';
import { Time, useFormat } from '../../ui/format.js';
import { Icon } from '../../ui/icon.js';
import { PageButton, PageLink } from '../../ui/links.js';
import { PageHead } from '../../ui/page.js';
import { Status } from '../../ui/status.js';
import { PROGRESS_MS, TransferTabs } from './transfer-parts.js';

type Counted = 'found' | 'created' | 'updated' | 'left_out';

export function AccountImportsPage() {
  const t = useTexts(accountImports);
  const { status, started } = useTexts(transfers);
  const format = useFormat();
  const mayAct = useRole('admin');
  const { cursor } = useFilters([]);
  const list = useList<AccountImport>(
    ['account-imports', 'list'],
    (api, from, signal) =>
      api.accountImports.list({ limit: 50, ...(from ? { cursor: from } : {}) }, { signal }),
    { cursor, every: PROGRESS_MS },
  );
  const add = mayAct ? (
    <PageButton to="/account-imports/new" leftSection={<Icon name="plus" size={16} />}>
      {t.create}
    </PageButton>
  ) : null;
  const counted = (name: Counted) => ({
    key: name,
    label: t[name],
    align: 'right' as const,
    isWide: name === 'updated',
    cell: ({ counts }: AccountImport) => format.count(counts.reduce((sum, one) => sum + one[name], 0)),
  });
  return (
    <>
      <PageHead title={t.title} about={t.about} calls={[(api) => api.accountImports.list()]} actions={add} />
      <TransferTabs current="accounts" />
      <DataTable
        label={t.title}
        list={list}
        rowKey={({ id }) => id}
        empty={{ icon: 'import', title: t.emptyTitle, children: t.empty, action: add }}
        columns={[
          {
            key: 'source',
            label: t.source,
            cell: ({ id, source, dry_run: isDry }) => (
              <>
                <PageLink to={`/account-imports/${id}`}>{t.sources[source]}</PageLink>
                {isDry ? (
                  <Text size="xs" c="dimmed">
                    {t.dry}
                  </Text>
                ) : null}
              </>
            ),
          },
          { key: 'status', label: status, cell: (row) => <Status of={row.status} /> },
          counted('found'),
          counted('created'),
          counted('updated'),
          counted('left_out'),
          {
            key: 'started',
            label: started,
            align: 'right',
            isWide: true,
            cell: ({ created_at: at }) => <Time at={at} />,
          },
        ]}
      />
    </>
  );
}
