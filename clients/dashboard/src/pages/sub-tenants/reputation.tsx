// Shows the rates of a sub-tenant with the thresholds, their effects, and past state changes.
import { Stack, Text } from '@mantine/core';
import type { SubTenantReputation } from '@mailkeel/sdk';
import { useRead } from '../../data/read.js';
import { subTenants } from '../../texts/sub-tenants.js';
import { useTexts } from '../../texts/texts.js';
import { Chart } from '../../ui/chart.js';
import { useSearchValue } from '../../ui/filters.js';
import { useFormat } from '../../ui/format.js';
import { Card, Stat } from '../../ui/page.js';
import { RateMeter } from '../../ui/rate-meter.js';
import { daysOf, rangeOf, RangeSelect, type Range } from '../../ui/range-select.js';
import { Shown } from '../../ui/states.js';
import { Status, type Tone } from '../../ui/status.js';

const TONES: Record<SubTenantReputation['state'], Tone> = {
  ok: 'good',
  warned: 'warn',
  throttled: 'bad',
  paused: 'bad',
};
/** The throttling threshold, at which the bar ends. */
const SCALE = 5 / 3;

export function Rates({ of }: { of: SubTenantReputation }) {
  const t = useTexts(subTenants);
  const { rate: percent, count } = useFormat();
  const { levels, complaint_rate: complaints, bounce_rate: bounces } = of;
  const isSmall = of.delivered < levels.min_delivered;
  const tenant = { sub_tenant_id: of.sub_tenant_id };
  const range = `${of.window_days}d`;
  return (
    <Card title={t.ratesOf(count(of.window_days))}>
      <Text c="dimmed" size="sm" mb="md">
        {t.ratesAbout}
      </Text>
      <div className="mk-grid">
        <Stack gap="xs">
          <Stat
            label={t.complaintRate}
            value={percent(complaints)}
            hint={t.ofDelivered(count(of.complained), count(of.delivered))}
            to={{ to: '/events', search: { ...tenant, events: 'message.complained', since: `-${range}` } }}
          />
          <RateMeter
            label={t.meter(percent(complaints), percent(levels.warn), percent(levels.throttle))}
            value={complaints ?? 0}
            scale={levels.throttle * SCALE}
            tone={TONES[of.state]}
            marks={[
              { at: levels.warn, label: t.warnAt(percent(levels.warn)) },
              { at: levels.throttle, label: t.throttleAt(percent(levels.throttle)) },
            ]}
          />
        </Stack>
        <Stack gap="xs">
          <Stat
            label={t.bounceRate}
            value={percent(bounces)}
            hint={t.ofSent(count(of.bounced), count(of.sent))}
            to={{ to: '/bounces', search: { ...tenant, range } }}
          />
          {levels.pause_bounce === null ? null : (
            <RateMeter
              label={t.bounceMeter(percent(bounces))}
              value={bounces ?? 0}
              scale={levels.pause_bounce * SCALE}
              tone={bounces !== null && bounces >= levels.pause_bounce ? 'bad' : 'good'}
              marks={[{ at: levels.pause_bounce, label: t.pauseAt(percent(levels.pause_bounce)) }]}
            />
          )}
        </Stack>
      </div>
      <Text size="sm" mt="sm">
        {isSmall
          ? t.sampleSmall(count(levels.min_delivered), count(of.delivered))
          : t.sample(count(levels.min_delivered), count(of.delivered))}{' '}
        <Text span c="dimmed" size="sm">
          {t.hidden}
        </Text>
      </Text>
    </Card>
  );
}

export function Levels({ of }: { of: SubTenantReputation }) {
  const t = useTexts(subTenants);
  const { rate: percent, count } = useFormat();
  const { levels, state } = of;
  const rows = [
    {
      name: 'warned',
      from: percent(levels.warn),
      follows: t.warnFollows,
      ends: t.endsBelow(percent(levels.warn * levels.recovery_ratio)),
    },
    {
      name: 'throttled',
      from: percent(levels.throttle),
      follows: t.throttleFollows(count(levels.throttle_per_hour)),
      ends: t.endsBelow(percent(levels.throttle * levels.recovery_ratio)),
    },
    ...[levels.pause_complaint, levels.pause_bounce].flatMap((level, at) =>
      level === null
        ? []
        : [
            {
              name: 'paused',
              from: `${percent(level)} (${at === 0 ? t.complaints : t.bounces})`,
              follows: t.pauseFollows,
              ends: t.endsByHand,
            },
          ],
    ),
  ];
  return (
    <Card title={t.levels}>
      <div className="mk-table-frame" role="region" aria-label={t.levels} tabIndex={0}>
        <table className="mk-table">
          <thead>
            <tr>
              <th scope="col">{t.level}</th>
              <th scope="col">{t.follows}</th>
              <th scope="col">{t.ends}</th>
            </tr>
          </thead>
          <tbody>
            {rows.map((row) => (
              <tr key={`${row.name} ${row.from}`} className="mk-level-row" data-here={row.name === state}>
                <th scope="row">{row.from}</th>
                <td style={{ maxWidth: 'none' }}>
                  {row.follows}{' '}
                  {row.name === state ? (
                    <Status of={row.name} tone={TONES[state]}>
                      {t.here}
                    </Status>
                  ) : null}
                </td>
                <td>{row.ends}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {levels.pause_complaint === null && levels.pause_bounce === null ? (
        <Text size="sm" c="dimmed" mt="xs">
          {t.pauseOff}
        </Text>
      ) : null}
    </Card>
  );
}

const RANGES: readonly Range[] = ['7d', '30d', '90d'];

export function History({ id }: { id: string }) {
  const t = useTexts(subTenants);
  const [chosen, setRange] = useSearchValue('range', '30d');
  const range = rangeOf(RANGES, chosen, '30d');
  const read = useRead(
    ['sub-tenants', id, 'history', range],
    (api, signal) => api.subTenants.getReputation(id, { days: daysOf(range) }, { signal }),
    { keepsLast: true },
  );
  return (
    <Card title={t.history} actions={<RangeSelect ranges={RANGES} value={range} onChange={setRange} />}>
      <Shown of={read} lines={6}>
        {(reputation) => <HistoryCharts of={reputation} />}
      </Shown>
    </Card>
  );
}

function HistoryCharts({ of: { days, levels } }: { of: SubTenantReputation }) {
  const t = useTexts(subTenants);
  const format = useFormat();
  // A day without delivered mail has no rate.
  const rates = days.map(({ date, complaint_rate: rate }) => ({
    at: format.day(date),
    ...(rate === null ? {} : { rate: Number((rate * 100).toFixed(3)) }),
  }));
  const volume = days.map(({ date, delivered, bounced, complained }) => ({
    at: format.day(date),
    delivered,
    bounced,
    complained,
  }));
  return (
    <Stack>
      <Chart
        endsNow
        label={t.rateChart}
        kind="line"
        height={200}
        rows={rates}
        unit="percent"
        series={[{ name: 'rate', label: t.complaintRate, color: 'post.5' }]}
        levels={[
          { at: levels.warn * 100, label: t.warnAt(format.rate(levels.warn)), color: 'var(--mk-warn)' },
          {
            at: levels.throttle * 100,
            label: t.throttleAt(format.rate(levels.throttle)),
            color: 'var(--mk-bad)',
          },
        ]}
      />
      <Chart
        endsNow
        label={t.volumeChart}
        kind="bar"
        height={150}
        isStacked
        rows={volume}
        series={[
          { name: 'delivered', label: t.sentSeries, color: 'post.5' },
          { name: 'bounced', label: t.bouncedSeries, color: 'yellow.7' },
          { name: 'complained', label: t.complainedSeries, color: 'red.7' },
        ]}
      />
    </Stack>
  );
}
