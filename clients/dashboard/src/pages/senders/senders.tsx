// The list of senders: addresses and domains.
import { Group, Text } from '@mantine/core';
import type { Sender } from '@mailkeel/sdk';
import { useList } from '../../data/read.js';
import { common } from '../../texts/common.js';
import { senders } from '../../texts/senders.js';
import { useTexts } from '../../texts/texts.js';
import { DataTable } from '../../ui/data-table.js';
import { FilterBar, useFilters } from '../../ui/filters.js';
import { Time } from '../../ui/format.js';
import { PageLink } from '../../ui/links.js';
import { PageHead } from '../../ui/page.js';
import { Status } from '../../ui/status.js';
import { NewSender } from './new-sender.js';
import { RecordLink } from '../../ui/record-link.js';

export function SendersPage() {
  const t = useTexts(senders);
  const frame = useTexts(common);
  const filters = useFilters(['q']);
  const search = filters.values;
  const list = useList<Sender>(
    ['senders', 'list', search],
    (api, cursor, signal) =>
      api.senders.list({ ...search, limit: 50, ...(cursor ? { cursor } : {}) }, { signal }),
    { cursor: filters.cursor },
  );
  return (
    <>
      <PageHead
        title={t.title}
        about={t.about}
        calls={[(api) => api.senders.list(search)]}
        actions={<NewSender opensFromLink />}
      />
      <FilterBar
        of={filters}
        filters={[{ kind: 'text', name: 'q', label: t.search, placeholder: t.searchHint }]}
      />
      <DataTable
        label={t.title}
        list={list}
        rowKey={({ id }) => id}
        filters={filters.set}
        empty={{ icon: 'domain', title: t.emptyTitle, children: t.empty, action: <NewSender /> }}
        columns={[
          {
            key: 'sender',
            label: t.sender,
            cell: (row) => (
              <>
                <Group gap="xs" wrap="nowrap">
                  <PageLink to={`/senders/${row.id}`} className="mk-clip">
                    {row.email ?? row.domain}
                  </PageLink>
                  {row.is_default ? <Status of="default">{t.isDefault}</Status> : null}
                </Group>
                {row.name === null ? null : (
                  <Text size="xs" c="dimmed" className="mk-clip">
                    <bdi>{row.name}</bdi>
                  </Text>
                )}
              </>
            ),
          },
          { key: 'kind', label: t.kind, isWide: true, cell: ({ kind }) => t.kinds[kind] },
          { key: 'status', label: frame.status, cell: ({ status }) => <Status of={status} /> },
          {
            key: 'tenant',
            label: t.subTenant,
            isWide: true,
            cell: ({ sub_tenant_id: tenant }) => (tenant === null ? frame.none : <RecordLink id={tenant} />),
          },
          {
            key: 'checked',
            label: t.checked,
            align: 'right',
            isWide: true,
            cell: (row) => <Time at={row.last_checked_at ?? row.verified_at} />,
          },
        ]}
      />
    </>
  );
}
