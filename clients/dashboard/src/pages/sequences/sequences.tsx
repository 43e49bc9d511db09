// The list of sequences.
import type { Sequence, SequenceTrigger } from '@mailkeel/sdk';
import { useRole } from '../../data/place.js';
import { useList } from '../../data/read.js';
import { common } from '../../texts/common.js';
import { sequences } from '../../texts/sequences.js';
import { useTexts } from '../../texts/texts.js';
import { DataTable } from '../../ui/data-table.js';
import { FilterBar, useFilters } from '../../ui/filters.js';
import { Time } from '../../ui/format.js';
import { Icon } from '../../ui/icon.js';
import { PageButton, PageLink } from '../../ui/links.js';
import { PageHead } from '../../ui/page.js';
import { Status, useStatusText } from '../../ui/status.js';

/** Describes the trigger of a sequence in a few words. */
export function useTriggerText(): (trigger: SequenceTrigger) => string {
  const t = useTexts(sequences).triggerShort;
  return (trigger) => (trigger.type === 'contact_tagged' ? t.contact_tagged(trigger.tag) : t[trigger.type]);
}

export function SequencesPage() {
  const t = useTexts(sequences);
  const { created } = useTexts(common);
  const word = useStatusText();
  const triggerText = useTriggerText();
  const mayAct = useRole('member');
  const filters = useFilters(['q', 'status']);
  const { q, status } = filters.values;
  const search: { q?: string; status?: ('active' | 'paused')[] } = {
    ...(q === undefined ? {} : { q }),
    ...(status === 'active' || status === 'paused' ? { status: [status] } : {}),
  };
  const list = useList<Sequence>(
    ['sequences', 'list', search],
    (api, cursor, signal) =>
      api.sequences.list({ ...search, limit: 50, ...(cursor ? { cursor } : {}) }, { signal }),
    { cursor: filters.cursor },
  );
  const create = <PageButton to="/sequences/new">{t.create}</PageButton>;
  return (
    <>
      <PageHead
        title={t.title}
        about={t.about}
        calls={[(api) => api.sequences.list(search)]}
        actions={
          mayAct ? (
            <PageButton to="/sequences/new" leftSection={<Icon name="plus" size={16} />}>
              {t.create}
            </PageButton>
          ) : null
        }
      />
      <FilterBar
        of={filters}
        filters={[
          { kind: 'text', name: 'q', label: t.search },
          {
            kind: 'choice',
            name: 'status',
            label: word('status'),
            choices: ['active', 'paused'].map((value) => ({ value, label: word(value) })),
          },
        ]}
      />
      <DataTable
        label={t.title}
        list={list}
        rowKey={({ id }) => id}
        filters={filters.set}
        empty={{
          icon: 'sequence',
          title: t.emptyTitle,
          children: t.empty,
          ...(mayAct ? { action: create } : {}),
        }}
        columns={[
          {
            key: 'name',
            label: t.name,
            cell: ({ id, name }) => (
              <PageLink to={`/sequences/${id}`} className="mk-clip">
                {name}
              </PageLink>
            ),
          },
          {
            key: 'status',
            label: word('status'),
            cell: ({ status: state, problem }) => (
              <Status of={state} {...(problem === null ? {} : { tone: 'warn' })} />
            ),
          },
          {
            key: 'trigger',
            label: t.trigger,
            cell: ({ trigger }) => <span className="mk-clip">{triggerText(trigger)}</span>,
          },
          { key: 'steps', label: t.steps, align: 'right', isWide: true, cell: ({ steps }) => steps.length },
          { key: 'type', label: t.type, isWide: true, cell: ({ type }) => word(type) },
          {
            key: 'created',
            label: created,
            align: 'right',
            isWide: true,
            cell: (row) => <Time at={row.created_at} />,
          },
        ]}
      />
    </>
  );
}
