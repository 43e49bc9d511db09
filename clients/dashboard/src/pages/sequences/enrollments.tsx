// Who is or was in a sequence.
import { Button, Text } from '@mantine/core';
import type { Enrollment } from '@mailkeel/sdk';
import { useRole } from '../../data/place.js';
import { useAction, useList } from '../../data/read.js';
import { common } from '../../texts/common.js';
import { sequences } from '../../texts/sequences.js';
import { useTexts } from '../../texts/texts.js';
import { DataTable } from '../../ui/data-table.js';
import { FilterBar, useFilters } from '../../ui/filters.js';
import { Time } from '../../ui/format.js';
import { PageLink } from '../../ui/links.js';
import { Status, useStatusText } from '../../ui/status.js';

const STATUSES = ['active', 'completed', 'exited', 'canceled', 'failed'] as const;

export function Enrollments({ id }: { id: string }) {
  const t = useTexts(sequences);
  const { created } = useTexts(common);
  const word = useStatusText();
  const mayAct = useRole('member');
  const filters = useFilters(['status']);
  const status = STATUSES.find((one) => one === filters.values['status']);
  const search = status === undefined ? {} : { status: [status] };
  const list = useList<Enrollment>(
    ['sequences', id, 'enrollments', search],
    (api, cursor, signal) =>
      api.sequences.listEnrollments(id, { ...search, limit: 50, ...(cursor ? { cursor } : {}) }, { signal }),
    { cursor: filters.cursor },
  );
  const cancel = useAction((api, enrollment: string) => api.sequences.cancelEnrollment(id, enrollment), {
    done: t.enrollmentCanceled,
    changes: ['sequences'],
  });
  return (
    <>
      <FilterBar
        of={filters}
        filters={[
          {
            kind: 'choice',
            name: 'status',
            label: word('status'),
            choices: STATUSES.map((value) => ({ value, label: word(value) })),
          },
        ]}
      />
      <DataTable
        label={t.tabs.enrollments}
        list={list}
        rowKey={(row) => row.id}
        filters={filters.set}
        empty={{ icon: 'contacts', title: t.noEnrollments, children: t.noEnrollmentsHint }}
        columns={[
          {
            key: 'email',
            label: t.contact,
            cell: ({ contact_id: contact, email }) => (
              <PageLink to={`/contacts/${contact}`} className="mk-clip">
                {email}
              </PageLink>
            ),
          },
          {
            key: 'status',
            label: word('status'),
            cell: (row) => (
              <>
                <Status of={row.status} />
                {row.exit_reason === null ? null : (
                  <Text size="xs" c="dimmed">
                    {row.exit_reason.replaceAll('_', ' ')}
                  </Text>
                )}
              </>
            ),
          },
          {
            key: 'next',
            label: t.next,
            cell: (row) =>
              row.next_at === null && row.waits_for === null ? (
                ''
              ) : (
                <>
                  {row.next_at === null ? null : <Time at={row.next_at} />}
                  {row.waits_for === null ? null : (
                    <Text size="xs" c="dimmed">
                      {t.waitsFor(t.events[row.waits_for])}
                    </Text>
                  )}
                </>
              ),
          },
          {
            key: 'created',
            label: created,
            isWide: true,
            cell: (row) => <Time at={row.created_at} />,
          },
          {
            key: 'cancel',
            label: '',
            align: 'right',
            cell: (row) =>
              mayAct && row.status === 'active' ? (
                <Button variant="default" size="xs" onClick={() => cancel.mutate(row.id)}>
                  {t.cancelEnrollment}
                </Button>
              ) : null,
          },
        ]}
      />
    </>
  );
}
