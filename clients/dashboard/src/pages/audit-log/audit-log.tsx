// The page of the audit log.
import { Group, Text } from '@mantine/core';
import { OPERATIONS } from '@mailkeel/cli/operations';
import type { AuditEntry, Query } from '@mailkeel/sdk';
import { useActors, type Actors } from '../../data/people.js';
import { usePlace } from '../../data/place.js';
import { useList } from '../../data/read.js';
import { auditLog } from '../../texts/audit-log.js';
import { common } from '../../texts/common.js';
import { useTexts } from '../../texts/texts.js';
import { CodeBlock, Copyable } from '../../ui/code-block.js';
import { DataTable } from '../../ui/data-table.js';
import { FilterBar, useFilters, type ChoiceGroup, type Filter } from '../../ui/filters.js';
import { Time } from '../../ui/format.js';
import { Person } from '../../ui/initials.js';
import { OnlyFor } from '../../ui/only-for.js';
import { Facts, PageHead } from '../../ui/page.js';
import { RecordLink } from '../../ui/record-link.js';
import { RowDrawer, RowLink } from '../../ui/row-drawer.js';

const FILTERS = ['actor_id', 'action', 'target_id', 'since', 'until'];
/** Written beside the operations of the API. */
const OTHER_ACTIONS = ['auth.signInFailed', 'auth.resetPassword', 'auth.setPassword', 'bootstrap', 'setPlan'];

type Search = Omit<Query<'auditLog.list'>, 'cursor'>;

/** Returns `campaigns.pause` as "Campaign paused"; an operation without a text unchanged. */
function useActionText(): (action: string) => string {
  const t = useTexts(auditLog);
  const whole: Record<string, string> = t.whole;
  const nouns: Record<string, string> = t.nouns;
  const verbs: Record<string, string> = t.verbs;
  return (action) => {
    const [noun = '', verb = ''] = action.split('.');
    const composed = nouns[noun] !== undefined && verbs[verb] !== undefined;
    return whole[action] ?? (composed ? `${nouns[noun]} ${verbs[verb]}` : action);
  };
}

function useActorText(actors: Actors): (actor: AuditEntry['actor']) => string {
  const t = useTexts(auditLog);
  return ({ kind, id }) => {
    if (kind === 'operator') return t.operator;
    return id === null ? t.nobody : actors.nameOf(id);
  };
}

export function AuditLogPage() {
  const t = useTexts(auditLog);
  return (
    <OnlyFor role="admin" title={t.title}>
      <AuditLog />
    </OnlyFor>
  );
}

function AuditLog() {
  const t = useTexts(auditLog);
  const actors = useActors();
  const actionText = useActionText();
  const filters = useFilters(FILTERS);
  // Wrong values in the address are refused by the API, with a sentence.
  const search = filters.values as Search;
  const list = useList<AuditEntry>(
    ['audit-log', 'list', search],
    (api, cursor, signal) =>
      api.auditLog.list({ ...search, limit: 50, ...(cursor ? { cursor } : {}) }, { signal }),
    { cursor: filters.cursor },
  );
  return (
    <>
      <PageHead title={t.title} about={t.about} calls={[(api) => api.auditLog.list(search)]} />
      <FilterBar of={filters} filters={useFilterFields(actors, actionText)} />
      <AuditTable list={list} filters={filters.set} actors={actors} />
      <RowDrawer
        rows={list.data?.rows ?? []}
        keyOf={({ id }) => id}
        titleOf={({ action }) => actionText(action)}
      >
        {(entry) => <EntryDetail entry={entry} actors={actors} />}
      </RowDrawer>
    </>
  );
}

function useFilterFields(actors: Actors, actionText: (action: string) => string): Filter[] {
  const t = useTexts(auditLog);
  const nouns: Record<string, string> = t.nouns;
  const names = [
    ...OPERATIONS.filter(({ method }) => method !== 'GET').map(({ id }) => id),
    ...OTHER_ACTIONS,
  ];
  const groups: Record<string, ChoiceGroup> = {};
  for (const name of names) {
    const noun = nouns[name.includes('.') ? (name.split('.', 1)[0] ?? '') : 'system'];
    if (noun === undefined) continue;
    const group = (groups[noun] ??= { group: noun, items: [] });
    group.items.push({ value: name, label: actionText(name) });
  }
  return [
    {
      kind: 'choice',
      name: 'actor_id',
      label: t.who,
      choices: [
        { group: t.people, items: actors.people },
        { group: t.keys, items: actors.keys },
      ],
    },
    { kind: 'choice', name: 'action', label: t.what, choices: Object.values(groups) },
    { kind: 'text', name: 'target_id', label: t.target },
    { kind: 'range', name: 'since', until: 'until' },
  ];
}

function AuditTable({
  list,
  filters,
  actors,
}: {
  list: ReturnType<typeof useList<AuditEntry>>;
  filters: readonly string[];
  actors: Actors;
}) {
  const t = useTexts(auditLog);
  const actionText = useActionText();
  const actorText = useActorText(actors);
  return (
    <DataTable
      label={t.title}
      list={list}
      rowKey={({ id }) => id}
      filters={filters}
      empty={{ icon: 'audit', title: t.emptyTitle, children: t.empty }}
      columns={[
        {
          key: 'what',
          label: t.what,
          cell: ({ id, action }) => (
            <RowLink path="/audit-log" id={id}>
              {actionText(action)}
            </RowLink>
          ),
        },
        {
          key: 'who',
          label: t.who,
          cell: ({ actor }) => <Actor of={actor} name={actorText(actor)} />,
        },
        {
          key: 'on',
          label: t.on,
          isWide: true,
          cell: ({ target_id: id }) => (id === null ? null : <Target id={id} actors={actors} />),
        },
        { key: 'where', label: t.where, isWide: true, cell: (entry) => <Where entry={entry} /> },
        { key: 'at', label: t.at, align: 'right', cell: ({ occurred_at: at }) => <Time at={at} /> },
      ]}
    />
  );
}

/** Shows a person with a picture, and marks a key as such. */
function Actor({ of: { kind }, name }: { of: AuditEntry['actor']; name: string }) {
  const t = useTexts(auditLog);
  const text = <span className="mk-clip">{name}</span>;
  if (kind === 'user') return <Person name={name}>{text}</Person>;
  return (
    <Group gap="xs" wrap="nowrap">
      {text}
      {kind === 'api_key' ? (
        <Text span size="xs" c="dimmed" style={{ whiteSpace: 'nowrap' }}>
          {t.key}
        </Text>
      ) : null}
    </Group>
  );
}

/** Returns a person or key by name, and any other actor by id. */
function Target({ id, actors }: { id: string; actors: Actors }) {
  const name = actors.nameOf(id);
  return name === id ? <RecordLink id={id} /> : <span className="mk-clip">{name}</span>;
}

function Where({ entry }: { entry: AuditEntry }) {
  const t = useTexts(auditLog);
  const frame = useTexts(common);
  const { session } = usePlace();
  const { workspace_id: id, mode } = entry;
  if (id === null) return <Text c="dimmed">{t.wholeOrganization}</Text>;
  const name = session.workspaces.find((one) => one.id === id)?.name ?? id;
  const where = mode === null ? name : `${name} · ${mode === 'live' ? frame.live : frame.sandbox}`;
  return <span className="mk-clip">{where}</span>;
}

function EntryDetail({ entry, actors }: { entry: AuditEntry; actors: Actors }) {
  const t = useTexts(auditLog);
  const actorText = useActorText(actors);
  const { fields, values } = entry.detail as { fields?: string[]; values?: Record<string, unknown> };
  const hasValues = values !== undefined && Object.keys(values).length > 0;
  return (
    <>
      <Facts
        of={[
          [
            t.operation,
            <span key="operation" className="mk-mono">
              {entry.action}
            </span>,
          ],
          [t.who, actorText(entry.actor)],
          entry.target_id === null ? null : [t.on, <RecordLink key="target" id={entry.target_id} />],
          [t.where, <Where key="where" entry={entry} />],
          entry.sub_tenant_id === null
            ? null
            : [t.subTenant, <RecordLink key="tenant" id={entry.sub_tenant_id} />],
          [t.at, <Time key="at" at={entry.occurred_at} isFull />],
          entry.ip === null ? null : [t.from, <Copyable key="ip" value={entry.ip} label={t.from} />],
          entry.request_id === null
            ? null
            : [t.requestId, <Copyable key="id" value={entry.request_id} label={t.requestId} />],
          fields === undefined || fields.length === 0
            ? null
            : [
                t.fields,
                <span key="fields" className="mk-mono">
                  {fields.join(', ')}
                </span>,
              ],
        ]}
      />
      {hasValues ? (
        <div>
          <Text size="sm" fw={600} mb={4}>
            {t.values}
          </Text>
          <CodeBlock code={JSON.stringify(values, null, 2)} wraps label={t.values} />
        </div>
      ) : null}
    </>
  );
}
