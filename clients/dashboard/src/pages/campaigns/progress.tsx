// Shows the progress of a campaign during and after sending: copies by state, skipped recipients, and deliveries.
import { Group, Stack, Text } from '@mantine/core';
import type { Campaign, CampaignAnalytics, CampaignDelivery, Query } from '@mailkeel/sdk';
import { useList, useRead } from '../../data/read.js';
import { campaignResults } from '../../texts/campaign-results.js';
import { useTexts } from '../../texts/texts.js';
import { DataTable } from '../../ui/data-table.js';
import { FilterBar, useFilters } from '../../ui/filters.js';
import { Time, useFormat } from '../../ui/format.js';
import { PageLink, type PageAddress } from '../../ui/links.js';
import { Meter } from '../../ui/meter.js';
import { Card, Facts, Stat } from '../../ui/page.js';
import { EmptyState, Shown } from '../../ui/states.js';
import { MessageStatus } from '../../ui/message-status.js';
import { Status, useStatusText } from '../../ui/status.js';

/** Milliseconds between readings while copies leave. */
const WATCHED_MS = 2_000;

/** Invalidated by message events, which change these counts. */
export function useCampaignAnalytics({ id, status }: Campaign) {
  return useRead(['analytics', 'campaign', id], (api, signal) => api.campaigns.getAnalytics(id, { signal }), {
    every: status === 'sending' ? WATCHED_MS : false,
    keepsLast: true,
  });
}

export function Progress({ campaign }: { campaign: Campaign }) {
  const t = useTexts(campaignResults).progress;
  const analytics = useCampaignAnalytics(campaign);
  if (campaign.started_at === null) {
    return (
      <EmptyState icon="campaign" title={t.notSent}>
        {t.notSentHint}
      </EmptyState>
    );
  }
  return (
    <Stack gap="lg">
      <Shown of={analytics} lines={6}>
        {(figures) => <Counts campaign={campaign} figures={figures} />}
      </Shown>
      <Recipients campaign={campaign} />
    </Stack>
  );
}

function Counts({ campaign, figures }: { campaign: Campaign; figures: CampaignAnalytics }) {
  const { progress: t, reasons } = useTexts(campaignResults);
  const format = useFormat();
  const word = useStatusText();
  const { recipients, total, by_status: byStatus } = figures;
  const decided = recipients.created + recipients.skipped + recipients.failed;
  const { split } = campaign;
  const door = (search: Record<string, string | undefined>) => ({
    to: `/campaigns/${campaign.id}`,
    search: { tab: 'progress', ...search },
  });
  const held = split !== null && split.winner === null && recipients.waiting > 0 ? split : null;
  const states = Object.entries(byStatus).filter(([, count]) => count > 0);
  const skipped = Object.entries(figures.skipped).filter(
    (entry): entry is [string, number] => entry[1] !== 0,
  );
  return (
    <>
      <Card title={t.title}>
        <Stack>
          <Text role="status">{t.made(format.count(decided), format.count(total))}</Text>
          <Meter
            label={t.made(format.count(decided), format.count(total))}
            value={decided}
            max={Math.max(total, 1)}
            tone={decided === total ? 'good' : 'busy'}
          />
          <Group gap="xl">
            <Stat label={t.recipients} value={format.count(total)} to={door({ state: undefined })} />
            <Stat
              label={t.waiting}
              value={format.count(recipients.waiting)}
              to={door({ state: 'waiting,held' })}
            />
            <Stat
              label={t.created}
              value={format.count(recipients.created)}
              to={door({ state: 'created' })}
            />
            <Stat
              label={t.skipped}
              value={format.count(recipients.skipped)}
              to={door({ state: 'skipped' })}
            />
            <Stat label={t.failed} value={format.count(recipients.failed)} to={door({ state: 'failed' })} />
            <Stat
              label={t.inDoubt}
              value={format.count(campaign.stats.in_doubt)}
              to={{ to: '/messages', search: { campaign_id: campaign.id, in_doubt: 'true' } }}
            />
          </Group>
          {held === null ? null : (
            <Text size="sm" maw={680}>
              {t.awaitsWinner(format.count(recipients.waiting), word(held.metric), held.wait_minutes)}
            </Text>
          )}
          <Facts
            of={[
              [t.began, <Time key="began" at={campaign.started_at} isFull />],
              campaign.sent_at === null ? null : [t.ended, <Time key="ended" at={campaign.sent_at} isFull />],
            ]}
          />
        </Stack>
      </Card>
      <div className="mk-grid">
        {states.length === 0 ? null : (
          <Card title={t.states}>
            <Bars
              rows={states.map(([state, count]) => ({
                key: state,
                name: word(state),
                count,
                to: { to: '/messages', search: { campaign_id: campaign.id, status: state } },
              }))}
              of={recipients.created}
            />
          </Card>
        )}
        {skipped.length === 0 ? null : (
          <Card title={t.left}>
            <Bars
              rows={skipped.map(([reason, count]) => ({
                key: reason,
                name: reasons[reason] ?? reason,
                count,
              }))}
              of={recipients.skipped}
            />
          </Card>
        )}
      </div>
    </>
  );
}

interface Bar {
  key: string;
  name: string;
  count: number;
  /** The list that it counts. */
  to?: PageAddress;
}

function Bars({ rows, of }: { rows: readonly Bar[]; of: number }) {
  const format = useFormat();
  return (
    <dl className="mk-bars">
      {rows.map(({ key, name, count, to }) => (
        <div key={key}>
          <dt>{name}</dt>
          <dd>
            <span className="mk-bar" style={{ width: `${of === 0 ? 0 : (count / of) * 100}%` }} />
            {to === undefined ? (
              <span>{format.count(count)}</span>
            ) : (
              <PageLink {...to}>{format.count(count)}</PageLink>
            )}
          </dd>
        </div>
      ))}
    </dl>
  );
}

const STATES = ['waiting', 'held', 'created', 'skipped', 'failed'];
const OUTCOMES = [
  'delivered',
  'opened',
  'clicked',
  'bounced',
  'complained',
  'replied',
  'unsubscribed',
  'skipped',
] as const;

export function Recipients({ campaign, onlyInDoubt = false }: { campaign: Campaign; onlyInDoubt?: boolean }) {
  const { progress: t, outcomes, reasons } = useTexts(campaignResults);
  const word = useStatusText();
  const filters = useFilters(['state', 'did', 'did_not', 'email']);
  const { state, did, did_not: didNot, email } = filters.values;
  const several = (name: string, value: string | undefined) =>
    value === undefined ? {} : { [name]: value.split(',') };
  const search = {
    ...several('state', state),
    ...several('did', did),
    ...several('did_not', didNot),
    ...(email === undefined ? {} : { email }),
    ...(onlyInDoubt ? { in_doubt: true } : {}),
  } as Omit<Query<'campaigns.listRecipients'>, 'cursor'>;
  const list = useList<CampaignDelivery>(
    ['analytics', 'campaign', campaign.id, 'recipients', search],
    (api, cursor, signal) =>
      api.campaigns.listRecipients(
        campaign.id,
        { ...search, limit: 25, ...(cursor ? { cursor } : {}) },
        { signal },
      ),
    { cursor: filters.cursor, every: campaign.status === 'sending' ? WATCHED_MS : false },
  );
  const choices = OUTCOMES.map((value) => ({ value, label: outcomes[value] }));
  return (
    <Card title={t.who}>
      {onlyInDoubt ? null : (
        <FilterBar
          of={filters}
          filters={[
            {
              kind: 'choices',
              name: 'state',
              label: t.state,
              choices: STATES.map((value) => ({ value, label: word(value) })),
            },
            { kind: 'choices', name: 'did', label: t.did, choices },
            { kind: 'choices', name: 'did_not', label: t.didNot, choices },
            { kind: 'text', name: 'email', label: t.address },
          ]}
        />
      )}
      <DataTable
        label={t.who}
        list={list}
        rowKey={(row) => row.email}
        filters={filters.set}
        empty={{ icon: 'contacts', title: t.none, children: t.noneHint }}
        columns={[
          {
            key: 'email',
            label: t.email,
            cell: (row) =>
              row.message_id === null ? (
                <span className="mk-clip">{row.email}</span>
              ) : (
                <PageLink to={`/messages/${row.message_id}`} className="mk-clip">
                  {row.email}
                </PageLink>
              ),
          },
          {
            key: 'state',
            label: t.state,
            cell: (row) =>
              row.state === 'held' ? (
                <Status of="held" tone="busy">
                  {t.held}
                </Status>
              ) : (
                <Status of={row.state} />
              ),
          },
          {
            key: 'message',
            label: t.message,
            cell: (row) =>
              row.message_status === null ? (
                <span>{row.reason === null ? '–' : (reasons[row.reason] ?? row.reason)}</span>
              ) : (
                <MessageStatus of={{ status: row.message_status, last_attempt: row.last_attempt }} />
              ),
          },
          { key: 'variant', label: t.variant, isWide: true, cell: (row) => row.variant ?? '–' },
        ]}
      />
    </Card>
  );
}
