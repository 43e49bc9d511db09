// Who is or was in a sequence.
import type { Enrollment, Query, Sequence } from '@posthorn/sdk';
import { useRole } from '../../data/place.js';
import { useAction, useList } from '../../data/read.js';
import { sequences } from '../../texts/sequences.js';
import { useTexts } from '../../texts/texts.js';
import { ConfirmButton } from '../../ui/confirm.js';
import { DataTable } from '../../ui/data-table.js';
import { FilterBar, useFilters } from '../../ui/filters.js';
import { Time } from '../../ui/format.js';
import { PageLink } from '../../ui/links.js';
import { Status, useStatusText } from '../../ui/status.js';

const STATUSES = ['active', 'completed', 'exited', 'canceled', 'failed'];

export function SequencePeople({ sequence }: { sequence: Sequence }) {
  const texts = useTexts(sequences);
  const t = texts.people;
  const word = useStatusText();
  const mayAct = useRole('member');
  const filters = useFilters(['status']);
  const { status } = filters.values;
  const search = (status === undefined ? {} : { status: status.split(',') }) as Omit<
    Query<'sequences.listEnrollments'>,
    'cursor'
  >;
  const list = useList<Enrollment>(
    ['sequences', sequence.id, 'enrollments', search],
    (api, cursor, signal) =>
      api.sequences.listEnrollments(
        sequence.id,
        { ...search, limit: 25, ...(cursor ? { cursor } : {}) },
        { signal },
      ),
    { cursor: filters.cursor },
  );
  return (
    <>
      <FilterBar
        of={filters}
        filters={[
          {
            kind: 'choices',
            name: 'status',
            label: word('status'),
            choices: STATUSES.map((value) => ({ value, label: word(value) })),
          },
        ]}
      />
      <DataTable
        label={texts.tabs.people}
        list={list}
        rowKey={({ id }) => id}
        filters={filters.set}
        empty={{ icon: 'contacts', title: t.none, children: t.noneHint }}
        columns={[
          {
            key: 'contact',
            label: t.contact,
            cell: (row) => (
              <PageLink to={`/contacts/${row.contact_id}`} className="ph-clip">
                {row.email}
              </PageLink>
            ),
          },
          { key: 'status', label: word('status'), cell: (row) => <Status of={row.status} /> },
          {
            key: 'step',
            label: t.step,
            isWide: true,
            cell: (row) =>
              row.step === null ? (
                row.exit_reason === null ? (
                  '–'
                ) : (
                  (texts.reasons[row.exit_reason] ?? row.exit_reason)
                )
              ) : (
                <span className="ph-mono">{row.step}</span>
              ),
          },
          {
            key: 'next',
            label: t.next,
            isWide: true,
            cell: (row) => (row.next_at === null ? '–' : <Time at={row.next_at} />),
          },
          { key: 'since', label: t.since, align: 'right', cell: (row) => <Time at={row.created_at} /> },
          ...(mayAct
            ? [
                {
                  key: 'deed',
                  label: t.deed,
                  align: 'right' as const,
                  cell: (row: Enrollment) =>
                    row.status === 'active' ? <TakeOut sequenceId={sequence.id} enrollment={row} /> : '–',
                },
              ]
            : []),
        ]}
      />
    </>
  );
}

function TakeOut({ sequenceId, enrollment }: { sequenceId: string; enrollment: Enrollment }) {
  const t = useTexts(sequences).people;
  const cancel = useAction((api) => api.sequences.cancelEnrollment(sequenceId, enrollment.id), {
    done: t.canceled,
    changes: ['sequences', 'analytics'],
    isQuiet: true,
  });
  return (
    <ConfirmButton
      label={t.cancel}
      size="xs"
      title={`${t.cancel}: ${enrollment.email}`}
      action={t.cancel}
      call={(api) => api.sequences.cancelEnrollment(sequenceId, enrollment.id)}
      onConfirm={() => cancel.mutateAsync()}
    >
      {t.cancelAsk}
    </ConfirmButton>
  );
}
