// The limits that mail hosts have set by their replies.
import { Text } from '@mantine/core';
import type { QueueOverride } from '@mailkeel/sdk';
import { usePlace, useRole } from '../../data/place.js';
import { useAction, useList } from '../../data/read.js';
import { queue } from '../../texts/queue.js';
import { useTexts } from '../../texts/texts.js';
import { ConfirmButton } from '../../ui/confirm.js';
import { DataTable, type Column } from '../../ui/data-table.js';
import { useFilters } from '../../ui/filters.js';
import { Time } from '../../ui/format.js';
import { RecordLink } from '../../ui/record-link.js';

const LOOK_MS = 10_000;

export function Limits() {
  const t = useTexts(queue);
  const filters = useFilters([]);
  const columns = useLimitColumns();
  const list = useList<QueueOverride>(
    ['queue', 'overrides'],
    (api, cursor, signal) =>
      api.queue.listOverrides({ limit: 50, ...(cursor ? { cursor } : {}) }, { signal }),
    { cursor: filters.cursor, every: LOOK_MS },
  );
  return (
    <>
      <Text c="dimmed" mb="md">
        {t.limitsAbout}
      </Text>
      <DataTable
        label={t.tabs.limits}
        list={list}
        rowKey={({ id }) => id}
        empty={{ icon: 'check', title: t.limitsEmptyTitle, children: t.limitsEmpty }}
        columns={columns}
      />
    </>
  );
}

export function useLimitColumns(): Column<QueueOverride>[] {
  const t = useTexts(queue);
  const { isSandbox } = usePlace();
  // For the operator in the live environment. Others see when a limit ends automatically.
  const mayLift = useRole('admin') && !isSandbox;
  const liftColumn: Column<QueueOverride> = {
    key: 'lift',
    label: t.lift,
    align: 'right',
    cell: (row) => <LiftButton of={row} />,
  };
  return [
    {
      key: 'path',
      label: t.path,
      cell: (row) => (
        <>
          <span className="mk-mono" style={{ overflowWrap: 'anywhere' }}>
            {row.path}
          </span>
          {row.sub_tenant_id === null ? null : (
            <Text size="xs">
              {t.forTenant} <RecordLink id={row.sub_tenant_id} />
            </Text>
          )}
        </>
      ),
    },
    { key: 'limit', label: t.limit, cell: (row) => <LimitText of={row} /> },
    {
      key: 'why',
      label: t.why,
      cell: ({ rule, reason, reply }) => (
        <>
          <span className="mk-mono">{rule}</span>
          <Text size="xs" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
            {reply ?? reason}
          </Text>
        </>
      ),
    },
    { key: 'ends', label: t.ends, cell: ({ expires_at: at }) => <Time at={at} /> },
    ...(mayLift ? [liftColumn] : []),
  ];
}

export function LimitText({ of: { kind, value } }: { of: QueueOverride }) {
  const t = useTexts(queue);
  const shown = typeof value === 'string' ? value : JSON.stringify(value);
  return <>{t.kinds[kind](shown)}</>;
}

function LiftButton({ of: { id } }: { of: QueueOverride }) {
  const t = useTexts(queue);
  const lift = useAction((api) => api.queue.deleteOverride(id), {
    done: t.lifted,
    changes: ['queue'],
    isQuiet: true,
  });
  return (
    <ConfirmButton
      label={t.lift}
      title={t.liftTitle}
      action={t.lift}
      onConfirm={() => lift.mutateAsync()}
      call={(api) => api.queue.deleteOverride(id)}
    >
      {t.liftAbout}
    </ConfirmButton>
  );
}
