// Who changed what.
import { Stack, Text } from '@mantine/core';
import type { AuditEntry, Query } from '@posthorn/sdk';
import { useActorNames } from '../../data/actors.js';
import { useSearchTexts } from '../../data/address.js';
import { useRole } from '../../data/place.js';
import { useList } from '../../data/read.js';
import { common } from '../../texts/common.js';
import { logs } from '../../texts/logs.js';
import { useTexts } from '../../texts/texts.js';
import { CodeBlock, Copyable } from '../../ui/code-block.js';
import { DataTable } from '../../ui/data-table.js';
import { FilterBar, useFilters } from '../../ui/filters.js';
import { Time } from '../../ui/format.js';
import { PageLink } from '../../ui/links.js';
import { Facts, PageHead } from '../../ui/page.js';
import { RecordLink } from '../../ui/record-link.js';
import { RowDrawer } from '../../ui/row-drawer.js';
import { EmptyState } from '../../ui/states.js';

const FILTERS = ['actor_id', 'action', 'target_id', 'since', 'until'];

type Search = Omit<Query<'auditLog.list'>, 'cursor'>;

export function AuditLogPage() {
  const t = useTexts(logs);
  const mayRead = useRole('admin');
  const filters = useFilters(FILTERS);
  const search: Search = filters.values;
  return (
    <>
      <PageHead title={t.audit.title} about={t.audit.about} calls={[(api) => api.auditLog.list(search)]} />
      {mayRead ? (
        <Entries search={search} />
      ) : (
        <EmptyState icon="lock" title={t.audit.title}>
          {t.audit.onlyAdmins}
        </EmptyState>
      )}
    </>
  );
}

function Entries({ search }: { search: Search }) {
  const t = useTexts(logs);
  const filters = useFilters(FILTERS);
  const address = useSearchTexts();
  const who = useWho();
  const list = useList<AuditEntry>(
    ['audit-log', 'list', search],
    (api, cursor, signal) =>
      api.auditLog.list({ ...search, limit: 50, ...(cursor ? { cursor } : {}) }, { signal }),
    { cursor: filters.cursor },
  );
  return (
    <>
      <FilterBar
        of={filters}
        filters={[
          { kind: 'text', name: 'action', label: t.audit.action, placeholder: t.audit.actionHint },
          { kind: 'text', name: 'actor_id', label: t.actorId },
          { kind: 'text', name: 'target_id', label: t.audit.targetId },
          { kind: 'from', name: 'since' },
          { kind: 'to', name: 'until' },
        ]}
      />
      <DataTable
        label={t.audit.title}
        list={list}
        rowKey={({ id }) => id}
        filters={filters.set}
        empty={{ icon: 'audit', title: t.audit.emptyTitle, children: t.audit.empty }}
        columns={[
          {
            key: 'action',
            label: t.audit.action,
            cell: (row) => (
              <>
                <PageLink to="/audit-log" search={{ ...address, entry: row.id }} className="ph-clip">
                  {row.action}
                </PageLink>
                <Text size="xs" c="dimmed" className="ph-clip">
                  {fieldsOf(row).join(', ')}
                </Text>
              </>
            ),
          },
          { key: 'who', label: t.who, cell: (row) => <span className="ph-clip">{who(row)}</span> },
          {
            key: 'target',
            label: t.audit.target,
            isWide: true,
            cell: ({ target_id: id }) => (id === null ? '–' : <RecordLink id={id} />),
          },
          { key: 'ip', label: t.address, isWide: true, cell: ({ ip }) => ip ?? '–' },
          { key: 'when', label: t.when, align: 'right', cell: (row) => <Time at={row.occurred_at} /> },
        ]}
      />
      <RowDrawer name="entry" title={t.audit.entry} rows={list.data?.rows ?? []} rowKey={({ id }) => id}>
        {(entry) => <OneEntry entry={entry} />}
      </RowDrawer>
    </>
  );
}

function useWho(): (entry: AuditEntry) => string {
  const t = useTexts(logs);
  const nameOf = useActorNames();
  return ({ actor }) => (actor.id === null ? (actor.kind === 'operator' ? t.operator : t.nobody) : nameOf(actor.id));
}

function fieldsOf({ detail }: AuditEntry): string[] {
  const { fields } = detail;
  return Array.isArray(fields) ? fields.map(String) : [];
}

function OneEntry({ entry }: { entry: AuditEntry }) {
  const t = useTexts(logs);
  const frame = useTexts(common);
  const who = useWho();
  const { target_id: target, mode, ip, request_id: request, sub_tenant_id: tenant } = entry;
  return (
    <Stack>
      <Facts
        of={[
          [t.audit.action, <strong key="action">{entry.action}</strong>],
          [t.when, <Time key="when" at={entry.occurred_at} isFull />],
          [t.who, who(entry)],
          entry.actor.id === null ? null : [t.actorId, <Copyable key="actor" value={entry.actor.id} />],
          target === null ? null : [t.audit.target, <RecordLink key="target" id={target} />],
          mode === null ? null : [t.audit.environment, mode === 'live' ? frame.live : frame.sandbox],
          tenant === null ? null : [t.subTenant, <RecordLink key="tenant" id={tenant} />],
          ip === null ? null : [t.address, ip],
          request === null ? null : [t.request, <Copyable key="request" value={request} />],
          [t.id, <Copyable key="id" value={entry.id} />],
        ]}
      />
      {Object.keys(entry.detail).length === 0 ? null : (
        <CodeBlock code={JSON.stringify(entry.detail, null, 2)} wraps label={t.audit.values} />
      )}
    </Stack>
  );
}
