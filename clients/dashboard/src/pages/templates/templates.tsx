// The list of templates.
import type { TemplateSummary } from '@mailkeel/sdk';
import { usePlace, useRole } from '../../data/place.js';
import { useList } from '../../data/read.js';
import { common } from '../../texts/common.js';
import { templates } from '../../texts/templates.js';
import { useTexts } from '../../texts/texts.js';
import { DataTable } from '../../ui/data-table.js';
import { FilterBar, useFilters } from '../../ui/filters.js';
import { Time } from '../../ui/format.js';
import { Icon } from '../../ui/icon.js';
import { PageButton, PageLink } from '../../ui/links.js';
import { PageHead } from '../../ui/page.js';
import { useStatusText } from '../../ui/status.js';

export function TemplatesPage() {
  const t = useTexts(templates);
  const frame = useTexts(common);
  const word = useStatusText();
  const mayEdit = useRole('member');
  const { isSandbox } = usePlace();
  const filters = useFilters(['q']);
  const { q } = filters.values;
  const search = q === undefined ? {} : { q };
  const list = useList<TemplateSummary>(
    ['templates', 'list', search],
    (api, cursor, signal) =>
      api.templates.list(
        { ...search, view: 'summary', limit: 50, ...(cursor ? { cursor } : {}) },
        { signal },
      ),
    { cursor: filters.cursor },
  );
  return (
    <>
      <PageHead
        title={t.title}
        about={t.about}
        calls={[(api) => api.templates.list({ ...search, view: 'summary' })]}
        actions={
          mayEdit ? (
            <PageButton to="/templates/new" leftSection={<Icon name="plus" size={16} />}>
              {t.create}
            </PageButton>
          ) : null
        }
      />
      <FilterBar of={filters} filters={[{ kind: 'text', name: 'q', label: t.search }]} />
      <DataTable
        label={t.title}
        list={list}
        rowKey={({ id }) => id}
        filters={filters.set}
        empty={{
          icon: 'template',
          title: t.emptyTitle,
          children: t.empty,
          action: mayEdit ? <PageButton to="/templates/new">{t.create}</PageButton> : undefined,
        }}
        columns={[
          {
            key: 'name',
            label: t.name,
            cell: (row) => (
              <PageLink to={`/templates/${row.id}`} className="mk-clip">
                {row.name}
              </PageLink>
            ),
          },
          {
            key: 'slug',
            label: t.slug,
            isWide: true,
            cell: (row) => <span className="mk-mono mk-clip">{row.slug}</span>,
          },
          { key: 'type', label: t.type, cell: (row) => word(row.type) },
          {
            key: 'subject',
            label: t.subject,
            isWide: true,
            cell: (row) => <span className="mk-clip">{row.subject ?? '–'}</span>,
          },
          ...(isSandbox
            ? [
                {
                  key: 'environment',
                  label: t.environment,
                  isWide: true,
                  cell: (row: TemplateSummary) => (row.environment === 'test' ? frame.sandbox : frame.live),
                },
              ]
            : []),
          { key: 'version', label: t.version, align: 'right', isWide: true, cell: (row) => row.version },
          { key: 'updated', label: t.updated, align: 'right', cell: (row) => <Time at={row.updated_at} /> },
        ]}
      />
    </>
  );
}
