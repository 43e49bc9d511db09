// The page of bulk actions with their progress, and reasons for refused items.
import { Text } from '@mantine/core';
import type { BulkAction } from '@mailkeel/sdk';
import { useRole } from '../../data/place.js';
import { useAction, useList } from '../../data/read.js';
import { bulk } from '../../texts/bulk.js';
import { transfers } from '../../texts/transfers.js';
import { useTexts } from '../../texts/texts.js';
import { DataTable } from '../../ui/data-table.js';
import { useFilters } from '../../ui/filters.js';
import { Time, useFormat } from '../../ui/format.js';
import { PageButton, PageLink } from '../../ui/links.js';
import { PageHead } from '../../ui/page.js';
import { Status } from '../../ui/status.js';
import { Tags } from '../../ui/tags.js';
import { FilterFacts } from './filter-facts.js';
import { CancelButton, isUnderWay, ProgressOf, PROGRESS_MS, TransferTabs } from './transfer-parts.js';

/** Links to the page with the filter's current matches. */
function searchOf(filter: Readonly<Record<string, unknown>>): Record<string, string> {
  const texts = Object.entries(filter).flatMap(([name, value]) => {
    if (typeof value === 'string') return [[name, value] as const];
    return Array.isArray(value) ? [[name, value.map(String).join(',')] as const] : [];
  });
  return Object.fromEntries(texts);
}

export function BulkActionsPage() {
  const t = useTexts(transfers);
  const names = useTexts(bulk).actions;
  const format = useFormat();
  const mayAct = useRole('member');
  const { cursor } = useFilters([]);
  const list = useList<BulkAction>(
    ['bulk-actions', 'list'],
    (api, from, signal) => api.bulkActions.list({ limit: 50, ...(from ? { cursor: from } : {}) }, { signal }),
    { cursor, every: PROGRESS_MS },
  );
  return (
    <>
      <PageHead title={t.bulk.title} about={t.about} calls={[(api) => api.bulkActions.list()]} />
      <TransferTabs current="bulk" />
      <DataTable
        label={t.bulk.title}
        list={list}
        rowKey={({ id }) => id}
        empty={{
          icon: 'lists',
          title: t.bulk.emptyTitle,
          children: t.bulk.empty,
          action: (
            <PageButton to="/contacts" variant="default">
              {t.bulk.toContacts}
            </PageButton>
          ),
        }}
        columns={[
          {
            key: 'action',
            label: t.bulk.action,
            cell: (row) => (
              <>
                <PageLink to={`/${row.target}`} search={searchOf(row.filter)}>
                  {names[row.action]}
                </PageLink>
                <Tags of={row.tags} />
                <Failures of={row} />
              </>
            ),
          },
          { key: 'status', label: t.status, cell: ({ status }) => <Status of={status} /> },
          { key: 'target', label: t.bulk.target, isWide: true, cell: (row) => t.bulk.targets[row.target] },
          {
            key: 'filter',
            label: t.bulk.filter,
            isWide: true,
            cell: (row) => <FilterFacts of={row.filter} />,
          },
          {
            key: 'progress',
            label: t.progress,
            align: 'right',
            cell: (row) => <ProgressOf status={row.status} processed={row.processed} total={row.total} />,
          },
          {
            key: 'skipped',
            label: t.bulk.skipped,
            align: 'right',
            isWide: true,
            cell: (row) => format.count(row.skipped),
          },
          { key: 'failed', label: t.bulk.failed, align: 'right', cell: (row) => format.count(row.failed) },
          {
            key: 'at',
            label: t.started,
            align: 'right',
            cell: (row) =>
              mayAct && isUnderWay(row.status) ? <CancelBulk of={row} /> : <Time at={row.created_at} />,
          },
        ]}
      />
    </>
  );
}

function CancelBulk({ of }: { of: BulkAction }) {
  const t = useTexts(transfers);
  const names = useTexts(bulk).actions;
  const cancel = useAction((api) => api.bulkActions.cancel(of.id), {
    done: t.canceled,
    changes: ['bulk-actions'],
    isQuiet: true,
  });
  return (
    <CancelButton
      name={names[of.action]}
      onConfirm={() => cancel.mutateAsync()}
      call={(api) => api.bulkActions.cancel(of.id)}
    />
  );
}

function Failures({ of }: { of: BulkAction }) {
  const format = useFormat();
  const lines = of.failures.map(({ code, message, count }) => ({
    code,
    text: `${format.count(count)} × ${message}`,
  }));
  if (of.error !== null) lines.unshift({ code: 'error', text: of.error });
  return lines.map(({ code, text }) => (
    <Text key={code} size="xs" className="mk-break" c="var(--mk-bad)">
      {text}
    </Text>
  ));
}
