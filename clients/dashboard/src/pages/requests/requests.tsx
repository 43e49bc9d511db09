// What programs asked of the API, and how it was answered.
import { Stack, Text } from '@mantine/core';
import type { Query, Request } from '@posthorn/sdk';
import { useActorNames } from '../../data/actors.js';
import { useSearchTexts } from '../../data/address.js';
import { useList } from '../../data/read.js';
import { logs } from '../../texts/logs.js';
import { useTexts } from '../../texts/texts.js';
import { CodeBlock, Copyable } from '../../ui/code-block.js';
import { DataTable } from '../../ui/data-table.js';
import { FilterBar, useFilters } from '../../ui/filters.js';
import { Time, useFormat } from '../../ui/format.js';
import { PageButton, PageLink } from '../../ui/links.js';
import { Facts, PageHead } from '../../ui/page.js';
import { RecordLink } from '../../ui/record-link.js';
import { RowDrawer } from '../../ui/row-drawer.js';
import { Status, type Tone } from '../../ui/status.js';

const FILTERS = ['status', 'method', 'path', 'code', 'actor_id', 'since', 'until'];
const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'];
const CLASSES = ['2xx', '4xx', '5xx'] as const;

type Search = Omit<Query<'requests.list'>, 'cursor'>;

function toneOf(status: number): Tone {
  if (status >= 500) return 'bad';
  return status >= 400 ? 'warn' : 'good';
}

export function RequestsPage() {
  const t = useTexts(logs);
  const filters = useFilters(FILTERS);
  // Wrong values of the address are refused by the server, with a sentence.
  const search = filters.values as Search;
  return (
    <>
      <PageHead
        title={t.requests.title}
        about={t.requests.about}
        calls={[(api) => api.requests.list(search)]}
      />
      <FilterBar
        of={filters}
        filters={[
          {
            kind: 'choice',
            name: 'status',
            label: t.requests.status,
            choices: CLASSES.map((value) => ({ value, label: t.requests.statusAll[value] })),
          },
          {
            kind: 'choice',
            name: 'method',
            label: t.requests.method,
            choices: METHODS.map((value) => ({ value, label: value })),
          },
          { kind: 'text', name: 'path', label: t.requests.path, placeholder: '/v1/messages' },
          { kind: 'text', name: 'code', label: t.requests.code },
          { kind: 'text', name: 'actor_id', label: t.actorId },
          { kind: 'from', name: 'since' },
          { kind: 'to', name: 'until' },
        ]}
      />
      <Rows search={search} />
    </>
  );
}

function Rows({ search }: { search: Search }) {
  const t = useTexts(logs);
  const format = useFormat();
  const filters = useFilters(FILTERS);
  const address = useSearchTexts();
  const nameOf = useActorNames();
  const list = useList<Request>(
    ['requests', 'list', search],
    (api, cursor, signal) =>
      api.requests.list({ ...search, limit: 50, ...(cursor ? { cursor } : {}) }, { signal }),
    { cursor: filters.cursor },
  );
  return (
    <>
      <DataTable
        label={t.requests.title}
        list={list}
        rowKey={({ id }) => id}
        filters={filters.set}
        empty={{
          icon: 'requests',
          title: t.requests.emptyTitle,
          children: t.requests.empty,
          action: <PageButton to="/api-keys">{t.requests.key}</PageButton>,
        }}
        columns={[
          {
            key: 'path',
            label: t.requests.path,
            cell: (row) => (
              <PageLink to="/requests" search={{ ...address, request: row.id }} className="ph-clip">
                {row.method} {row.path}
              </PageLink>
            ),
          },
          {
            key: 'status',
            label: t.requests.status,
            cell: ({ status, code }) => (
              <>
                <Status of={String(status)} tone={toneOf(status)} />
                {code === null ? null : (
                  <Text size="xs" c="dimmed" className="ph-clip">
                    {code}
                  </Text>
                )}
              </>
            ),
          },
          { key: 'who', label: t.who, isWide: true, cell: ({ actor }) => <span className="ph-clip">{nameOf(actor.id)}</span> },
          {
            key: 'duration',
            label: t.requests.duration,
            align: 'right',
            isWide: true,
            cell: (row) => format.duration(row.duration_ms),
          },
          { key: 'when', label: t.when, align: 'right', cell: (row) => <Time at={row.created_at} /> },
        ]}
      />
      <RowDrawer name="request" title={t.requests.one} rows={list.data?.rows ?? []} rowKey={({ id }) => id}>
        {(request) => <OneRequest request={request} />}
      </RowDrawer>
    </>
  );
}

function OneRequest({ request }: { request: Request }) {
  const t = useTexts(logs);
  const format = useFormat();
  const nameOf = useActorNames();
  const { code, param, actor, sub_tenant_id: tenant, query, body } = request;
  const blocks = [
    [t.requests.query, query],
    [t.requests.body, body],
  ] as const;
  return (
    <Stack>
      <Text fw={600} className="ph-break ph-mono">
        {request.method} {request.path}
      </Text>
      <Facts
        of={[
          [t.requests.status, <Status key="status" of={String(request.status)} tone={toneOf(request.status)} />],
          code === null ? null : [t.requests.code, code],
          param === null ? null : [t.requests.param, param],
          [t.requests.operation, request.operation],
          [t.requests.duration, format.duration(request.duration_ms)],
          [t.when, <Time key="when" at={request.created_at} isFull />],
          [actor.kind === 'user' ? t.requests.person : t.requests.key, nameOf(actor.id)],
          [t.actorId, <Copyable key="actor" value={actor.id} />],
          tenant === null ? null : [t.subTenant, <RecordLink key="tenant" id={tenant} />],
          [t.requests.requestId, <Copyable key="id" value={request.request_id} />],
        ]}
      />
      {blocks.map(([title, value]) =>
        value === null || value === undefined ? null : (
          <div key={title}>
            <Text size="sm" c="dimmed" mb={4}>
              {title}. {t.requests.bodyHint}
            </Text>
            <CodeBlock code={JSON.stringify(value, null, 2)} wraps label={title} />
          </div>
        ),
      )}
    </Stack>
  );
}
