// Shares of routes: direct delivery and the smarthost side by side, with the plan and its actions.
import { Button, Group, NumberInput, Stack, Text, TextInput } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import type { RouteShare, RouteShareSide } from '@mailkeel/sdk';
import { useState } from 'react';
import { useRole } from '../../data/place.js';
import { useAction, useList } from '../../data/read.js';
import { routeShares } from '../../texts/route-shares.js';
import { useTexts } from '../../texts/texts.js';
import { CallsButton } from '../../ui/calls.js';
import { ConfirmButton } from '../../ui/confirm.js';
import { ForOperator } from '../../ui/for-operator.js';
import { FormDialog, useFormState } from '../../ui/form.js';
import { Time, useFormat } from '../../ui/format.js';
import { Meter } from '../../ui/meter.js';
import { Card, Facts } from '../../ui/page.js';
import '../../ui/rate-meter.css';
import { EmptyState, Shown } from '../../ui/states.js';
import { Status, type Tone } from '../../ui/status.js';

const LOOK_MS = 30_000;
const MOST = 100;
const CHANGES = ['route-shares'];

type ShownState = RouteShare['state'] | 'finished';

const TONES: Record<ShownState, Tone> = { active: 'busy', paused: 'quiet', lowered: 'bad', finished: 'good' };

export function RouteShares() {
  const t = useTexts(routeShares);
  return (
    <ForOperator title={t.forOperator} hint={t.forOperatorHint}>
      <ShareList />
    </ForOperator>
  );
}

function ShareList() {
  const t = useTexts(routeShares);
  const list = useList<RouteShare>(
    ['route-shares'],
    (api, _cursor, signal) => api.routeShares.list({ limit: MOST }, { signal }),
    { every: LOOK_MS },
  );
  return (
    <Shown of={list} lines={6}>
      {({ rows }) =>
        rows.length === 0 ? (
          <EmptyState icon="queue" title={t.emptyTitle}>
            {t.empty}
          </EmptyState>
        ) : (
          <Stack>
            <Text c="dimmed">{t.about}</Text>
            {rows.map((share) => (
              <ShareCard key={share.route} of={share} />
            ))}
          </Stack>
        )
      }
    </Shown>
  );
}

function stateOf({ percent, state }: RouteShare): ShownState {
  return percent === 100 ? 'finished' : state;
}

/** Percent of a whole as the API has it. */
function usePercent(): (value: number) => string {
  const { percent } = useFormat();
  return (value) => percent(value / 100, 0);
}

function ShareCard({ of: share }: { of: RouteShare }) {
  const t = useTexts(routeShares);
  const percent = usePercent();
  const mayChange = useRole('admin');
  const state = stateOf(share);
  const split = t.split(percent(share.percent), percent(100 - share.percent));
  return (
    <Card
      title={share.route}
      actions={
        <Status of={state} tone={TONES[state]}>
          {t.states[state]}
        </Status>
      }
    >
      <Stack gap="md">
        <div>
          <Text mb={6}>{split}</Text>
          <Meter label={split} value={share.percent} max={100} tone={TONES[state]} />
        </div>
        <Facts of={[[t.plan, <Plan key="plan" of={share} />], lastChange(share, t.changed)]} />
        <Sides of={share} />
        {mayChange ? <Actions of={share} /> : null}
      </Stack>
    </Card>
  );
}

function lastChange(
  { changed_at: at, reason }: RouteShare,
  name: string,
): readonly [string, React.ReactNode] {
  return [
    name,
    <>
      <Time at={at} isFull /> {reason}
    </>,
  ];
}

function Plan({ of: share }: { of: RouteShare }) {
  const t = useTexts(routeShares);
  const { count } = useFormat();
  const percent = usePercent();
  const { rise } = share;
  const state = stateOf(share);
  if (state === 'finished') return t.finished;
  if (state === 'lowered') return t.lowered;
  if (state === 'paused') return t.paused;
  if (rise === null) return t.noPlan;
  const { next_percent: next, next_at: at, waits_for: waits } = rise;
  return (
    <>
      {t.rises(count(rise.step), count(rise.every_days), percent(rise.until))}{' '}
      {next === null || at === null ? null : (
        <>
          {t.next(percent(next))} <Time at={at} isFull />.{' '}
        </>
      )}
      {waits === null || waits === 'time' ? null : t.waits[waits]}
    </>
  );
}

/** On a telephone, the names of ways are wider than their column. */
const NARROW = { overflowWrap: 'anywhere', whiteSpace: 'normal' } as const;

const ROWS = [
  ['delivered', 'delivery'],
  ['deferred', 'deferral'],
  ['bounced', 'bounce'],
  ['complained', 'complaint'],
  ['opened', 'open'],
] as const satisfies readonly (readonly [keyof RouteShareSide, keyof RouteShareSide['rates']])[];

function Sides({ of: { direct, smarthost, window_days: days } }: { of: RouteShare }) {
  const t = useTexts(routeShares);
  const { count, rate } = useFormat();
  const caption = t.figures(count(days));
  return (
    <div>
      <Text fw={600} mb={4}>
        {caption}
      </Text>
      <div className="mk-table-frame" role="region" aria-label={caption} tabIndex={0}>
        <table className="mk-table" style={{ tableLayout: 'fixed' }}>
          <thead>
            <tr>
              <td />
              {[direct, smarthost].map(({ via }, index) => (
                <th key={via.join()} scope="col" style={{ textAlign: 'right' }}>
                  {index === 0 ? t.direct : t.smarthost}
                  <Text size="xs" c="dimmed" className="mk-mono" style={NARROW}>
                    {via.join(', ')}
                  </Text>
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            <tr>
              <th scope="row">{t.sent}</th>
              <td style={{ textAlign: 'right' }}>{count(direct.sent)}</td>
              <td style={{ textAlign: 'right' }}>{count(smarthost.sent)}</td>
            </tr>
            {ROWS.map(([name, of]) => (
              <tr key={name}>
                <th scope="row">{t[name]}</th>
                {[direct, smarthost].map((side, index) => (
                  <td key={index === 0 ? 'direct' : 'smarthost'} style={{ textAlign: 'right' }}>
                    {rate(side.rates[of])}
                    <Text size="xs" c="dimmed">
                      {count(side[name])}
                    </Text>
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <Text size="xs" c="dimmed" mt={4}>
        {t.deliveredHint}
      </Text>
    </div>
  );
}

function Actions({ of: share }: { of: RouteShare }) {
  const t = useTexts(routeShares);
  const { route, state } = share;
  const next = state === 'active' ? ('paused' as const) : ('active' as const);
  const turn = useAction((api) => api.routeShares.update(route, { state: next }), {
    done: next === 'paused' ? t.pausedDone : t.resumedDone,
    changes: CHANGES,
  });
  const finish = useAction((api) => api.routeShares.update(route, { percent: 100 }), {
    done: t.finishedDone,
    changes: CHANGES,
    isQuiet: true,
  });
  return (
    <Group gap="xs">
      <ChangeButton of={share} />
      {share.rise === null || share.percent === 100 ? null : (
        <Button variant="default" loading={turn.isPending} onClick={() => turn.mutate()}>
          {next === 'paused' ? t.pause : t.resume}
        </Button>
      )}
      {share.percent === 100 ? null : (
        <ConfirmButton
          label={t.finish}
          title={t.finishTitle(route)}
          action={t.finish}
          isDangerous={false}
          onConfirm={() => finish.mutateAsync()}
          call={(api) => api.routeShares.update(route, { percent: 100 })}
        >
          {t.finishAbout}
        </ConfirmButton>
      )}
    </Group>
  );
}

function ChangeButton({ of: { route, percent: current } }: { of: RouteShare }) {
  const t = useTexts(routeShares);
  const shown = usePercent();
  const [isOpen, { open, close }] = useDisclosure(false);
  const [percent, setPercent] = useState(current);
  const [reason, setReason] = useState('');
  const form = useFormState(['percent', 'reason']);
  const request = { percent, ...(reason === '' ? {} : { reason }) };
  const change = useAction((api) => api.routeShares.update(route, request), {
    done: t.changedTo(shown(percent)),
    changes: CHANGES,
    isQuiet: true,
  });
  return (
    <>
      <Button
        onClick={() => {
          setPercent(current);
          open();
        }}
      >
        {t.change}
      </Button>
      <FormDialog
        isOpen={isOpen}
        onClose={close}
        title={t.changeTitle(route)}
        submit={t.change}
        form={form}
        act={() => change.mutateAsync()}
        extra={<CallsButton calls={[(api) => api.routeShares.update(route, request)]} />}
      >
        <NumberInput
          label={t.percent}
          description={t.percentHint}
          value={percent}
          min={0}
          max={100}
          allowDecimal={false}
          error={form.errors['percent']}
          onChange={(next) => setPercent(Number(next))}
        />
        <TextInput
          label={t.reason}
          description={t.reasonHint}
          value={reason}
          error={form.errors['reason']}
          onChange={(event) => setReason(event.currentTarget.value)}
        />
      </FormDialog>
    </>
  );
}
