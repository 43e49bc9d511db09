// Shows the results of a campaign: from sent to clicked, by variant, by link, over time.
import { Group, Stack, Text } from '@mantine/core';
import type { Campaign, CampaignAnalytics } from '@mailkeel/sdk';
import { campaignResults } from '../../texts/campaign-results.js';
import { useTexts } from '../../texts/texts.js';
import { Chart } from '../../ui/chart.js';
import { useFormat } from '../../ui/format.js';
import { PageLink } from '../../ui/links.js';
import { Card, Stat } from '../../ui/page.js';
import { EmptyState, Shown } from '../../ui/states.js';
import { Status } from '../../ui/status.js';
import { useCampaignAnalytics } from './progress.js';

export function Results({ campaign }: { campaign: Campaign }) {
  const { progress: t } = useTexts(campaignResults);
  const analytics = useCampaignAnalytics(campaign);
  if (campaign.started_at === null) {
    return (
      <EmptyState icon="campaign" title={t.notSent}>
        {t.notSentHint}
      </EmptyState>
    );
  }
  return (
    <Shown of={analytics} lines={10}>
      {(figures) => (
        <Stack gap="lg">
          <Funnel id={campaign.id} figures={figures} />
          <SeriesCard figures={figures} />
          {figures.variants.length > 1 ? <Variants campaign={campaign} figures={figures} /> : null}
          <Links figures={figures} />
        </Stack>
      )}
    </Shown>
  );
}

function Funnel({ id, figures }: { id: string; figures: CampaignAnalytics }) {
  const recipients = (did: string) => ({ to: `/campaigns/${id}`, search: { tab: 'progress', did } });
  const { results: t } = useTexts(campaignResults);
  const format = useFormat();
  const { funnel, rates, totals, machine } = figures;
  const rows = [
    { name: t.sent, did: null, count: funnel.sent, rate: null, of: '' },
    { name: t.delivered, did: 'delivered', count: funnel.delivered, rate: rates.delivery, of: t.ofSent },
    { name: t.opened, did: 'opened', count: funnel.opened, rate: rates.open, of: t.ofDelivered },
    { name: t.clicked, did: 'clicked', count: funnel.clicked, rate: rates.click, of: t.ofDelivered },
  ];
  const most = Math.max(funnel.sent, 1);
  return (
    <Card title={t.funnel}>
      <Text size="sm" c="dimmed" mb="md">
        {t.funnelHint} {figures.up_to_date ? null : t.counting}
      </Text>
      <ol className="mk-funnel">
        {rows.map(({ name, did, count, rate, of }) => (
          <li key={name}>
            <span>{name}</span>
            <span className="mk-funnel-track">
              <span className="mk-bar" style={{ width: `${(count / most) * 100}%` }} />
            </span>
            <strong>
              {did === null ? (
                format.count(count)
              ) : (
                <PageLink {...recipients(did)} inherit>
                  {format.count(count)}
                </PageLink>
              )}
            </strong>
            <span className="mk-funnel-rate">{rate === null ? '' : `${format.percent(rate, 1)} ${of}`}</span>
          </li>
        ))}
      </ol>
      <Group gap="xl" mt="lg" align="flex-start">
        <Stat
          label={t.bounce}
          value={format.count(totals.bounced)}
          to={recipients('bounced')}
          hint={rates.bounce === null ? '' : format.percent(rates.bounce)}
        />
        <Stat
          label={t.complaint}
          value={format.count(totals.complained)}
          to={recipients('complained')}
          hint={rates.complaint === null ? '' : format.percent(rates.complaint)}
        />
        <Stat
          label={t.unsubscribe}
          value={format.count(totals.unsubscribed)}
          to={recipients('unsubscribed')}
          hint={rates.unsubscribe === null ? '' : format.percent(rates.unsubscribe)}
        />
        <Stat label={t.replied} value={format.count(totals.replied)} to={recipients('replied')} />
      </Group>
      {machine.opened + machine.clicked === 0 ? null : (
        <Text size="sm" c="dimmed" mt="md">
          {t.machine(format.count(machine.opened), format.count(machine.clicked))}
        </Text>
      )}
    </Card>
  );
}

function SeriesCard({ figures }: { figures: CampaignAnalytics }) {
  const { results: t } = useTexts(campaignResults);
  const format = useFormat();
  const { series, series_unit: unit } = figures;
  return (
    <Card title={t.series}>
      {series.length === 0 ? (
        <Text c="dimmed">{t.noSeries}</Text>
      ) : (
        <Chart
          label={t.series}
          kind={series.length === 1 ? 'bar' : 'area'}
          rows={series.map((point) => ({
            at: unit === 'day' ? format.day(point.at) : format.time(point.at),
            delivered: point.delivered,
            opened: point.opened,
            clicked: point.clicked,
          }))}
          series={[
            { name: 'delivered', label: t.delivered, color: 'gray.6' },
            { name: 'opened', label: t.opened, color: 'post.5' },
            { name: 'clicked', label: t.clicked, color: 'yellow.7' },
          ]}
        />
      )}
    </Card>
  );
}

function Variants({ campaign, figures }: { campaign: Campaign; figures: CampaignAnalytics }) {
  const { results: t } = useTexts(campaignResults);
  const format = useFormat();
  return (
    <Card title={t.variants}>
      <div className="mk-table-frame" role="region" aria-label={t.variants} tabIndex={0}>
        <table className="mk-table">
          <thead>
            <tr>
              <th scope="col">{t.variant}</th>
              <th scope="col" data-align="right">
                {t.sent}
              </th>
              <th scope="col" data-align="right">
                {t.delivered}
              </th>
              <th scope="col" data-align="right">
                {t.openRate}
              </th>
              <th scope="col" data-align="right">
                {t.clickRate}
              </th>
            </tr>
          </thead>
          <tbody>
            {figures.variants.map((row) => (
              <tr key={row.tag ?? ''}>
                <td>
                  <Group gap="xs">
                    <span>{row.tag ?? t.base}</span>
                    {row.tag !== null && row.tag === campaign.split?.winner ? (
                      <Status of="ok">{t.winner}</Status>
                    ) : null}
                  </Group>
                </td>
                <td data-align="right">{format.count(row.sent)}</td>
                <td data-align="right">{format.count(row.delivered)}</td>
                <td data-align="right">
                  {format.count(row.opened)} · {format.percent(row.rates.open, 1)}
                </td>
                <td data-align="right">
                  {format.count(row.clicked)} · {format.percent(row.rates.click, 1)}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </Card>
  );
}

function Links({ figures }: { figures: CampaignAnalytics }) {
  const { results: t } = useTexts(campaignResults);
  const format = useFormat();
  return (
    <Card title={t.links}>
      {figures.links.length === 0 ? (
        <Text c="dimmed">
          {t.noLinks} {t.untracked}
        </Text>
      ) : (
        <div className="mk-table-frame" role="region" aria-label={t.links} tabIndex={0}>
          <table className="mk-table">
            <thead>
              <tr>
                <th scope="col">{t.link}</th>
                <th scope="col" data-align="right">
                  {t.people}
                </th>
                <th scope="col" data-align="right">
                  {t.clicks}
                </th>
                <th scope="col" data-align="right" className="mk-wide">
                  {t.machines}
                </th>
              </tr>
            </thead>
            <tbody>
              {figures.links.map((link) => (
                <tr key={link.url}>
                  <td style={{ overflowWrap: 'anywhere', maxWidth: '34rem' }}>{link.url}</td>
                  <td data-align="right">{format.count(link.people)}</td>
                  <td data-align="right">{format.count(link.clicks)}</td>
                  <td data-align="right" className="mk-wide">
                    {format.count(link.machine_clicks)}
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
    </Card>
  );
}
