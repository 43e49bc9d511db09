// Messages that wait for approval, and the decisions.
import { SegmentedControl, Text } from '@mantine/core';
import type { Approval, ApprovalStatus } from '@mailkeel/sdk';
import { useList } from '../../data/read.js';
import { approvals } from '../../texts/approvals.js';
import { useTexts } from '../../texts/texts.js';
import { DataTable } from '../../ui/data-table.js';
import { useFilters, useSearchValue } from '../../ui/filters.js';
import { Time } from '../../ui/format.js';
import { PageButton, PageLink } from '../../ui/links.js';
import { PageHead } from '../../ui/page.js';
import { Status } from '../../ui/status.js';

const STATUSES: Record<'pending' | 'decided', ApprovalStatus[]> = {
  pending: ['pending'],
  decided: ['approved', 'rejected', 'expired', 'canceled'],
};

export function ApprovalsPage() {
  const t = useTexts(approvals);
  const { cursor } = useFilters([]);
  const [view, setView] = useSearchValue('view', 'pending');
  const isPending = view !== 'decided';
  const status = STATUSES[isPending ? 'pending' : 'decided'];
  const list = useList<Approval>(
    ['approvals', 'list', status],
    (api, from, signal) =>
      api.approvals.list({ status, limit: 50, ...(from ? { cursor: from } : {}) }, { signal }),
    { cursor },
  );
  return (
    <>
      <PageHead title={t.title} about={t.about} calls={[(api) => api.approvals.list({ status })]} />
      <SegmentedControl
        mb="md"
        size="sm"
        aria-label={t.views}
        value={isPending ? 'pending' : 'decided'}
        onChange={setView}
        data={[
          { value: 'pending', label: t.pending },
          { value: 'decided', label: t.decided },
        ]}
      />
      <DataTable
        label={t.title}
        list={list}
        rowKey={({ id }) => id}
        empty={
          isPending
            ? {
                icon: 'approval',
                title: t.emptyTitle,
                children: t.empty,
                action: <PageButton to="/api-keys">{t.toKeys}</PageButton>,
              }
            : { icon: 'approval', title: t.noneDecidedTitle }
        }
        columns={[
          { key: 'message', label: t.message, cell: (row) => <MessageCell row={row} /> },
          {
            key: 'by',
            label: t.requestedBy,
            isWide: true,
            cell: ({ api_key: { name, id, owner } }) => (
              <>
                <span className="mk-clip">{name ?? id}</span>
                <Text size="xs" c="dimmed" className="mk-clip">
                  {owner?.email}
                </Text>
              </>
            ),
          },
          {
            key: 'differences',
            label: t.differences,
            align: 'right',
            isWide: true,
            cell: ({ differences }) => (differences.length === 0 ? t.within : differences.length),
          },
          ...(isPending
            ? []
            : [{ key: 'status', label: t.status, cell: (row: Approval) => <Status of={row.status} /> }]),
          {
            key: 'at',
            label: isPending ? t.waitingSince : t.decidedAt,
            align: 'right',
            cell: (row) => <Time at={row.decided_at ?? row.created_at} />,
          },
        ]}
      />
    </>
  );
}

function MessageCell({ row: { id, subject, to } }: { row: Approval }) {
  const t = useTexts(approvals);
  return (
    <>
      <PageLink to={`/approvals/${id}`} className="mk-clip">
        {subject === null || subject === '' ? t.noSubject : subject}
      </PageLink>
      <Text size="xs" c="dimmed" className="mk-clip">
        {to}
      </Text>
    </>
  );
}
