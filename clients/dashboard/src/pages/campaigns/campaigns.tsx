// The list of campaigns, by state.
import type { CampaignStatus, CampaignSummary, Query } from '@mailkeel/sdk';
import { useRole } from '../../data/place.js';
import { useList } from '../../data/read.js';
import { campaigns } from '../../texts/campaigns.js';
import { useTexts } from '../../texts/texts.js';
import { DataTable } from '../../ui/data-table.js';
import { FilterBar, useFilters } from '../../ui/filters.js';
import { Time, useFormat } from '../../ui/format.js';
import { Icon } from '../../ui/icon.js';
import { PageButton, PageLink } from '../../ui/links.js';
import { PageHead } from '../../ui/page.js';
import { Status, useStatusText } from '../../ui/status.js';

const STATUSES: readonly CampaignStatus[] = ['draft', 'scheduled', 'sending', 'paused', 'sent', 'canceled'];

/** Statistics of a campaign, each linked to the recipients that it counts. */
const COUNTS = [
  { key: 'recipients', label: 'recipients', did: undefined },
  { key: 'opened', label: 'opened', did: 'opened' },
  { key: 'clicked', label: 'clicked', did: 'clicked' },
  { key: 'bounced', label: 'bounced', did: 'bounced' },
] as const;

export function CampaignsPage() {
  const format = useFormat();
  const t = useTexts(campaigns);
  const word = useStatusText();
  const mayEdit = useRole('member');
  const filters = useFilters(['status', 'q', 'sub_tenant_id']);
  const { status, ...rest } = filters.values;
  const search = {
    ...rest,
    ...(status === undefined ? {} : { status: status.split(',') }),
  } as Omit<Query<'campaigns.list'>, 'cursor' | 'view'>;
  const list = useList<CampaignSummary>(
    ['campaigns', 'list', search],
    (api, cursor, signal) =>
      api.campaigns.list(
        { ...search, view: 'summary', limit: 50, ...(cursor ? { cursor } : {}) },
        { signal },
      ),
    { cursor: filters.cursor },
  );
  const create = mayEdit ? <PageButton to="/campaigns/new">{t.create}</PageButton> : undefined;
  return (
    <>
      <PageHead
        title={t.title}
        about={t.about}
        calls={[(api) => api.campaigns.list({ ...search, view: 'summary' })]}
        actions={
          mayEdit ? (
            <PageButton to="/campaigns/new" leftSection={<Icon name="plus" size={16} />}>
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
            kind: 'choices',
            name: 'status',
            label: word('status'),
            choices: STATUSES.map((value) => ({ value, label: word(value) })),
          },
        ]}
      />
      <DataTable
        label={t.title}
        list={list}
        rowKey={({ id }) => id}
        filters={filters.set}
        empty={{ icon: 'campaign', title: t.emptyTitle, children: t.empty, action: create }}
        columns={[
          {
            key: 'name',
            label: t.name,
            cell: (row) => (
              <PageLink to={`/campaigns/${row.id}`} className="mk-clip">
                {row.name}
              </PageLink>
            ),
          },
          { key: 'status', label: word('status'), cell: (row) => <Status of={row.status} /> },
          { key: 'type', label: t.type, isWide: true, cell: (row) => word(row.type) },
          ...COUNTS.map(({ key, label, did }) => ({
            key,
            label: t.counts[label],
            align: 'right' as const,
            isWide: key !== 'recipients',
            cell: ({ id, started_at: startedAt, stats }: CampaignSummary) =>
              startedAt === null ? (
                '–'
              ) : (
                <PageLink to={`/campaigns/${id}`} search={{ tab: 'progress', did }}>
                  {format.count(stats[key])}
                </PageLink>
              ),
          })),
          {
            key: 'when',
            label: t.when,
            align: 'right',
            cell: (row) => (
              <Time
                at={row.sent_at ?? row.paused_at ?? row.started_at ?? row.scheduled_at ?? row.created_at}
              />
            ),
          },
        ]}
      />
    </>
  );
}
