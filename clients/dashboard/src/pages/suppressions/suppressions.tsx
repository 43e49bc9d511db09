// The page of suppressed addresses and their reasons.
import { Button, Text } from '@mantine/core';
import { useState } from 'react';
import type { Query, Suppression, SuppressionReason } from '@mailkeel/sdk';
import { fileHref } from '../../data/files.js';
import { usePlace, useRole } from '../../data/place.js';
import { useAction, useList } from '../../data/read.js';
import { suppressions } from '../../texts/suppressions.js';
import { useTexts } from '../../texts/texts.js';
import { Confirm } from '../../ui/confirm.js';
import { DataTable } from '../../ui/data-table.js';
import { FilterBar, useFilters } from '../../ui/filters.js';
import { Time } from '../../ui/format.js';
import { Icon } from '../../ui/icon.js';
import { PageLink } from '../../ui/links.js';
import { PageHead } from '../../ui/page.js';
import { Status, useStatusText } from '../../ui/status.js';
import {
  AddSuppression,
  CheckAddress,
  ImportSuppressions,
  SUPPRESSION_REASONS,
} from './suppression-dialogs.js';
import { RecordLink } from '../../ui/record-link.js';

const FILTERS = ['q', 'reason', 'sub_tenant_id', 'created_after', 'created_before'];

type Search = Omit<Query<'suppressions.list'>, 'cursor'>;
type Dialog = 'add' | 'check' | 'import' | null;

/** Wrong values of the address are refused by the server, with a sentence. */
function searchOf({ reason, ...rest }: Record<string, string>): Search {
  return { ...rest, ...(reason === undefined ? {} : { reason: reason.split(',') as SuppressionReason[] }) };
}

export function SuppressionsPage() {
  const t = useTexts(suppressions);
  const word = useStatusText();
  const filters = useFilters(FILTERS);
  const search = searchOf(filters.values);
  const [dialog, setDialog] = useState<Dialog>(null);
  const close = () => setDialog(null);
  return (
    <>
      <PageHead
        title={t.title}
        about={t.about}
        calls={[(api) => api.suppressions.list(search)]}
        actions={<Actions open={setDialog} query={filters.values} />}
      />
      <FilterBar
        of={filters}
        filters={[
          { kind: 'text', name: 'q', label: t.search },
          {
            kind: 'choices',
            name: 'reason',
            label: t.reason,
            choices: SUPPRESSION_REASONS.map((value) => ({ value, label: word(value) })),
          },
          { kind: 'record', of: 'subTenant', name: 'sub_tenant_id', label: t.subTenant },
          { kind: 'range', name: 'created_after', until: 'created_before' },
        ]}
      />
      <Rows search={search} />
      {dialog === 'add' ? <AddSuppression onClose={close} /> : null}
      {dialog === 'check' ? <CheckAddress onClose={close} /> : null}
      {dialog === 'import' ? <ImportSuppressions onClose={close} /> : null}
    </>
  );
}

function Actions({ open, query }: { open: (dialog: Dialog) => void; query: Record<string, string> }) {
  const t = useTexts(suppressions);
  const mayAct = useRole('member');
  const place = usePlace();
  return (
    <>
      <Button variant="default" leftSection={<Icon name="search" size={16} />} onClick={() => open('check')}>
        {t.check}
      </Button>
      <Button
        component="a"
        variant="default"
        href={fileHref(place, '/v1/suppressions/export', { ...query, format: 'csv' })}
        download
      >
        {t.export}
      </Button>
      {mayAct ? (
        <>
          <Button variant="default" onClick={() => open('import')}>
            {t.import}
          </Button>
          <Button leftSection={<Icon name="plus" size={16} />} onClick={() => open('add')}>
            {t.add}
          </Button>
        </>
      ) : null}
    </>
  );
}

function Rows({ search }: { search: Search }) {
  const t = useTexts(suppressions);
  const mayAct = useRole('member');
  const filters = useFilters(FILTERS);
  const [removed, setRemoved] = useState<Suppression | null>(null);
  const list = useList<Suppression>(
    ['suppressions', 'list', search],
    (api, cursor, signal) =>
      api.suppressions.list({ ...search, limit: 50, ...(cursor ? { cursor } : {}) }, { signal }),
    { cursor: filters.cursor },
  );
  return (
    <>
      <DataTable
        label={t.title}
        list={list}
        rowKey={({ id }) => id}
        filters={filters.set}
        empty={{ icon: 'suppressed', title: t.emptyTitle, children: t.empty }}
        columns={[
          {
            key: 'address',
            label: t.address,
            cell: ({ email }) => (
              <PageLink to="/messages" search={{ q: email }} className="mk-clip">
                {email}
              </PageLink>
            ),
          },
          {
            key: 'reason',
            label: t.reason,
            cell: ({ reason }) => (
              <>
                <Status of={reason} />
                <Text size="xs" c="dimmed" mt={2}>
                  {t.sentences[reason]}
                </Text>
              </>
            ),
          },
          {
            key: 'scope',
            label: t.scope,
            isWide: true,
            cell: ({ sub_tenant_id: tenant }) => (tenant === null ? t.everyone : <RecordLink id={tenant} />),
          },
          {
            key: 'cause',
            label: t.cause,
            isWide: true,
            cell: ({ message_id: id }) =>
              id === null ? '–' : <PageLink to={`/messages/${id}`}>{t.causeLink}</PageLink>,
          },
          {
            key: 'since',
            label: t.since,
            align: 'right',
            isWide: true,
            cell: (row) => <Time at={row.created_at} />,
          },
          ...(mayAct
            ? [
                {
                  key: 'remove',
                  align: 'right' as const,
                  label: t.remove,
                  cell: (row: Suppression) => (
                    <Button
                      size="compact-xs"
                      variant="default"
                      aria-label={`${t.remove}: ${row.email}`}
                      onClick={() => setRemoved(row)}
                    >
                      {t.remove}
                    </Button>
                  ),
                },
              ]
            : []),
        ]}
      />
      {removed === null ? null : <RemoveSuppression suppression={removed} onClose={() => setRemoved(null)} />}
    </>
  );
}

function RemoveSuppression({ suppression, onClose }: { suppression: Suppression; onClose: () => void }) {
  const t = useTexts(suppressions);
  const { id, email, reason } = suppression;
  const remove = useAction((api) => api.suppressions.delete(id), {
    done: t.removed,
    changes: ['suppressions'],
    isQuiet: true,
  });
  return (
    <Confirm
      isOpen
      onClose={onClose}
      title={t.removeTitle}
      action={t.remove}
      onConfirm={() => remove.mutateAsync()}
      call={(api) => api.suppressions.delete(id)}
    >
      <Text mb="xs">{t.removeWarnings[reason]}</Text>
      <Text>{t.removeHint(email)}</Text>
    </Confirm>
  );
}
