// The sources of outbound mail: addresses and smarthosts, with pools, warm-up and reasons for closed ones.
import { Group, Stack, Text } from '@mantine/core';
import type { Source, SourceWarmUp } from '@mailkeel/sdk';
import { useList } from '../../data/read.js';
import { common } from '../../texts/common.js';
import { queue } from '../../texts/queue.js';
import { useTexts } from '../../texts/texts.js';
import { ForOperator } from '../../ui/for-operator.js';
import { Time, useFormat } from '../../ui/format.js';
import { Meter } from '../../ui/meter.js';
import { Card, Facts } from '../../ui/page.js';
import { Shown } from '../../ui/states.js';
import { Status, useStatusText, type Tone } from '../../ui/status.js';
import { LimitText } from './limits.js';

const TONES: Record<Source['state'], Tone> = {
  open: 'good',
  suspected: 'warn',
  closed: 'bad',
  suspended: 'bad',
};
const LOOK_MS = 10_000;
const MOST = 100;

export function Sources() {
  const t = useTexts(queue);
  return (
    <ForOperator title={t.sourcesForOperator} hint={t.sourcesForOperatorHint}>
      <SourceList />
    </ForOperator>
  );
}

function SourceList() {
  const t = useTexts(queue);
  const list = useList<Source>(
    ['sources'],
    (api, _cursor, signal) => api.sources.list({ limit: MOST }, { signal }),
    { every: LOOK_MS },
  );
  return (
    <Shown of={list} lines={6}>
      {({ rows }) => (
        <Stack>
          <Text c="dimmed">{t.sourcesAbout}</Text>
          {rows.map((source) => (
            <SourceCard key={source.name} source={source} />
          ))}
        </Stack>
      )}
    </Shown>
  );
}

function SourceCard({ source }: { source: Source }) {
  const t = useTexts(queue);
  const { state, closed, warm_up: warmUp } = source;
  return (
    <Card
      title={source.name}
      actions={
        <Group gap="xs">
          <Status of={state} tone={TONES[state]}>
            {t.sourceStates[state]}
          </Status>
          {source.default ? <Status of="default">{t.isDefault}</Status> : null}
        </Group>
      }
    >
      {state === 'open' ? null : (
        <Text mb="sm">
          {t.sourceStateHints[state]}{' '}
          {closed === null ? null : (
            <>
              {closed.reason} <span className="mk-mono">{closed.reply}</span>{' '}
              {closed.until === null ? null : (
                <>
                  {t.until} <Time at={closed.until} isFull />
                </>
              )}
            </>
          )}
        </Text>
      )}
      <div className="mk-grid">
        <SourceFacts source={source} />
        <div>
          <Text fw={600} mb={4}>
            {t.warmUp}
          </Text>
          {warmUp === null ? <Text c="dimmed">{t.warmUpDone}</Text> : <WarmUp of={warmUp} />}
        </div>
      </div>
    </Card>
  );
}

function SourceFacts({ source }: { source: Source }) {
  const t = useTexts(queue);
  const word = useStatusText();
  const frame = useTexts(common);
  const { count } = useFormat();
  const { smarthost, limits, limits_total: total } = source;
  const addresses = [source.ipv4, source.ipv6].filter((address) => address !== null);
  return (
    <Facts
      of={[
        [t.how, source.kind === 'mta' ? t.mta : t.smarthost],
        smarthost === null
          ? [t.address, addresses.length === 0 ? t.systemChooses : addresses.join(', ')]
          : [t.address, `${smarthost.host}:${smarthost.port}`],
        smarthost === null ? null : [t.tls, t.tlsModes[smarthost.tls]],
        source.ehlo_name === null ? null : [t.ehlo, source.ehlo_name],
        [
          t.pools,
          source.pools.map(({ name, weight }) => t.poolWeight(name, count(weight))).join(', ') || frame.none,
        ],
        source.default ? [t.routes, t.isDefaultHint] : null,
        [
          t.limits,
          total === 0 ? (
            frame.none
          ) : (
            <ul key="limits" style={{ margin: 0, paddingLeft: '1rem' }}>
              {limits.slice(0, 5).map((limit) => (
                <li key={limit.id}>
                  {limit.provider === null ? (
                    <span className="mk-mono">{limit.site}</span>
                  ) : (
                    word(limit.provider)
                  )}
                  : <LimitText of={limit} />, {t.until} <Time at={limit.expires_at} />
                </li>
              ))}
              {total > 5 ? <li>{t.moreLimits(count(total))}</li> : null}
            </ul>
          ),
        ],
      ]}
    />
  );
}

function WarmUp({ of: warmUp }: { of: SourceWarmUp }) {
  const t = useTexts(queue);
  const { count, day } = useFormat();
  return (
    <Stack gap="sm">
      <Text size="sm" c="dimmed">
        {t.warmUpSince(day(warmUp.started_on), count(warmUp.plan_days))} ·{' '}
        {t.sentToday(count(warmUp.sent_today))}
      </Text>
      {warmUp.destinations.map((one) => (
        <div key={one.destination}>
          <Group justify="space-between" gap="xs">
            <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
              {one.destination}
            </Text>
            <Text size="sm" c="dimmed">
              {one.limit_today === null
                ? `${t.sentToday(count(one.sent_today))}, ${t.noLimit}`
                : t.ofLimit(count(one.sent_today), count(one.limit_today))}
            </Text>
          </Group>
          {one.limit_today === null ? null : (
            <Meter
              label={`${one.destination}: ${t.ofLimit(count(one.sent_today), count(one.limit_today))}`}
              value={Math.min(one.sent_today, one.limit_today)}
              max={Math.max(one.limit_today, 1)}
              tone={one.held ? 'warn' : 'busy'}
            />
          )}
          {one.held ? (
            <Text size="xs" c="dimmed">
              {t.heldBack}
            </Text>
          ) : null}
        </div>
      ))}
    </Stack>
  );
}
