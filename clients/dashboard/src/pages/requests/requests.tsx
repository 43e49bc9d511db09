// The page of the request log: API requests, their responses and their callers.
import { Group, SegmentedControl, Text } from '@mantine/core';
import type { Query, Request } from '@mailkeel/sdk';
import { useActors, type Actors } from '../../data/people.js';
import { useList } from '../../data/read.js';
import { requests } from '../../texts/requests.js';
import { useTexts } from '../../texts/texts.js';
import { CodeBlock, Copyable } from '../../ui/code-block.js';
import { DataTable } from '../../ui/data-table.js';
import { FilterBar, useFilters, useSearchValue, type Filter } from '../../ui/filters.js';
import { Time, useFormat } from '../../ui/format.js';
import { OnlyFor } from '../../ui/only-for.js';
import { Facts, PageHead } from '../../ui/page.js';
import { RecordLink } from '../../ui/record-link.js';
import { RowDrawer, RowLink } from '../../ui/row-drawer.js';
import { Status, type Tone } from '../../ui/status.js';

const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'];
const CLASSES = ['2xx', '4xx', '5xx'] as const;
const EXACT = ['400', '401', '403', '404', '409', '413', '422', '429', '500', '503'];
const FILTERS = ['status', 'method', 'path', 'code', 'actor_id', 'since', 'until'];

const BY = ['keys', 'people', 'all'] as const;

/** Lists the requests of keys by default. A chosen person or key overrides this. */
function kindOf(by: string, actorId: string | undefined): Pick<Search, 'actor_kind'> {
  if (by === 'all' || actorId !== undefined) return {};
  return { actor_kind: by === 'people' ? 'user' : 'api_key' };
}

type Search = Omit<Query<'requests.list'>, 'cursor'>;

export function RequestsPage() {
  const t = useTexts(requests);
  return (
    <OnlyFor role="member" title={t.title}>
      <RequestLog />
    </OnlyFor>
  );
}

function RequestLog() {
  const t = useTexts(requests);
  const actors = useActors();
  const filters = useFilters(FILTERS);
  const [by, setBy] = useSearchValue('by', 'keys');
  // Wrong values in the address are refused by the API, with a sentence.
  const search = { ...kindOf(by, filters.values['actor_id']), ...filters.values } as Search;
  const list = useList<Request>(
    ['requests', 'list', search],
    (api, cursor, signal) =>
      api.requests.list({ ...search, limit: 50, ...(cursor ? { cursor } : {}) }, { signal }),
    { cursor: filters.cursor },
  );
  return (
    <>
      <PageHead title={t.title} about={t.about} calls={[(api) => api.requests.list(search)]} />
      <SegmentedControl
        mb="md"
        aria-label={t.by}
        value={by}
        onChange={setBy}
        data={BY.map((value) => ({ value, label: t.byOf[value] }))}
      />
      <FilterBar of={filters} filters={useFilterFields(actors, filters.values['status'])} />
      <RequestTable list={list} filters={filters.set} actors={actors} />
      <Text size="sm" c="dimmed" mt="sm" maw={720}>
        {t.sample}
      </Text>
      <RowDrawer
        rows={list.data?.rows ?? []}
        keyOf={({ id }) => id}
        titleOf={({ method, path }) => `${method} ${path}`}
      >
        {(request) => <RequestDetail request={request} actors={actors} />}
      </RowDrawer>
    </>
  );
}

function useFilterFields(actors: Actors, status: string | undefined): Filter[] {
  const t = useTexts(requests);
  const exact = [...EXACT];
  if (status !== undefined && !exact.includes(status) && !/^[245]xx$/.test(status)) exact.push(status);
  return [
    {
      kind: 'choice',
      name: 'status',
      label: t.status,
      choices: [
        ...CLASSES.map((value) => ({ value, label: t.classes[value] })),
        { group: t.exact, items: exact.map((value) => ({ value, label: value })) },
      ],
    },
    {
      kind: 'choice',
      name: 'method',
      label: t.method,
      choices: METHODS.map((value) => ({ value, label: value })),
    },
    { kind: 'text', name: 'path', label: t.path, placeholder: '/v1/messages' },
    { kind: 'text', name: 'code', label: t.code },
    {
      kind: 'choice',
      name: 'actor_id',
      label: t.actor,
      choices: [
        { group: t.people, items: actors.people },
        { group: t.keys, items: actors.keys },
      ],
    },
    { kind: 'range', name: 'since', until: 'until' },
  ];
}

function toneOfStatus(status: number): Tone {
  if (status < 400) return 'good';
  return status < 500 ? 'warn' : 'bad';
}

function RequestTable({
  list,
  filters,
  actors,
}: {
  list: ReturnType<typeof useList<Request>>;
  filters: readonly string[];
  actors: Actors;
}) {
  const t = useTexts(requests);
  const format = useFormat();
  return (
    <DataTable
      label={t.title}
      list={list}
      rowKey={({ id }) => id}
      filters={filters}
      empty={{ icon: 'requests', title: t.emptyTitle, children: t.empty }}
      columns={[
        {
          key: 'request',
          label: t.request,
          cell: ({ id, method, path }) => (
            <RowLink path="/requests" id={id}>
              <span className="mk-mono">
                {method} {path}
              </span>
            </RowLink>
          ),
        },
        {
          key: 'status',
          label: t.status,
          cell: ({ status }) => (
            <Status of={String(status)} tone={toneOfStatus(status)}>
              {status}
            </Status>
          ),
        },
        {
          key: 'code',
          label: t.code,
          isWide: true,
          cell: ({ code, param }) => (
            <span className="mk-mono mk-clip">
              {code}
              {param === null ? '' : ` (${param})`}
            </span>
          ),
        },
        {
          key: 'actor',
          label: t.actor,
          isWide: true,
          cell: ({ actor }) => <span className="mk-clip">{actors.nameOf(actor.id)}</span>,
        },
        {
          key: 'duration',
          label: t.duration,
          align: 'right',
          isWide: true,
          cell: ({ duration_ms: ms }) => format.duration(ms),
        },
        { key: 'at', label: t.at, align: 'right', cell: ({ created_at: at }) => <Time at={at} /> },
      ]}
    />
  );
}

function RequestDetail({ request, actors }: { request: Request; actors: Actors }) {
  const t = useTexts(requests);
  const format = useFormat();
  const parts = [
    [t.query, request.query],
    [t.body, request.body],
  ] as const;
  return (
    <>
      <Group>
        <Status of={String(request.status)} tone={toneOfStatus(request.status)}>
          {request.status}
        </Status>
        {request.code === null ? null : <span className="mk-mono">{request.code}</span>}
      </Group>
      <Facts
        of={[
          [
            t.operation,
            <span key="operation" className="mk-mono">
              {request.operation}
            </span>,
          ],
          request.param === null ? null : [t.param, <code key="param">{request.param}</code>],
          [t.at, <Time key="at" at={request.created_at} isFull />],
          [t.duration, format.duration(request.duration_ms)],
          [t.actor, actors.nameOf(request.actor.id)],
          request.sub_tenant_id === null
            ? null
            : [t.subTenant, <RecordLink key="tenant" id={request.sub_tenant_id} />],
          [t.requestId, <Copyable key="id" value={request.request_id} label={t.requestId} />],
          request.code === null
            ? null
            : [
                t.code,
                <a key="code" href={`/docs/errors#${request.code}`} target="_blank" rel="noreferrer">
                  {t.reference}
                </a>,
              ],
        ]}
      />
      {parts.map(([name, value]) =>
        value === null ? null : (
          <div key={name}>
            <Text size="sm" fw={600} mb={4}>
              {name}
            </Text>
            <CodeBlock code={JSON.stringify(value, null, 2)} wraps label={name} />
          </div>
        ),
      )}
    </>
  );
}
