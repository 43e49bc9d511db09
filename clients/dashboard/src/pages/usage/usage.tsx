// The page of usage: the plan's limits, today's and this month's use, and the use by key.
import { Group, Text } from '@mantine/core';
import type { Mailkeel, Usage } from '@mailkeel/sdk';
import { usePlace, useRole } from '../../data/place.js';
import { useRead } from '../../data/read.js';
import { usage } from '../../texts/usage.js';
import { useTexts } from '../../texts/texts.js';
import { Time, useFormat } from '../../ui/format.js';
import { Meter } from '../../ui/meter.js';
import { Card, PageHead, Stat } from '../../ui/page.js';
import { Shown } from '../../ui/states.js';
import { Status, useStatusText, type Tone } from '../../ui/status.js';
import { KeyUsage } from './key-usage.js';

type Period = Usage['day'];
type Part = Pick<Period, 'used' | 'limit'>;

/** Fraction of a limit from which a warning is shown. */
const NEAR = 0.8;

function toneOf({ used, limit }: Part): Tone {
  if (limit === null || used < limit * NEAR) return 'good';
  return used < limit ? 'warn' : 'bad';
}

export function UsagePage() {
  const t = useTexts(usage);
  const seesKeys = useRole('admin');
  const read = useRead(['usage', 'plan'], (api, signal) => api.usage.get({ signal }), { every: 60_000 });
  return (
    <>
      <PageHead
        title={t.title}
        about={t.about}
        calls={[
          (api) => api.usage.get(),
          ...(seesKeys ? [(api: Mailkeel) => api.usage.listApiKeys({ days: 30 })] : []),
        ]}
      />
      <Shown of={read} lines={8}>
        {(answer) => <Plan answer={answer} />}
      </Shown>
      {seesKeys ? <KeyUsage /> : null}
    </>
  );
}

function Plan({ answer }: { answer: Usage }) {
  const t = useTexts(usage);
  const names: Record<string, string> = t.plans;
  return (
    <>
      <Group gap="xs" mb="md" align="baseline">
        <Text fw={600}>{t.plan(names[answer.plan] ?? answer.plan)}</Text>
        <Text size="sm" c="dimmed">
          {t.upgrade}
        </Text>
      </Group>
      <div className="mk-grid" style={{ marginBottom: '1rem' }}>
        <PeriodCard title={t.day} period={answer.day} />
        <PeriodCard title={t.month} period={answer.month} />
      </div>
    </>
  );
}

function PeriodCard({ title, period }: { title: string; period: Period }) {
  const t = useTexts(usage);
  const word = useStatusText();
  const format = useFormat();
  const { workspace, session } = usePlace();
  const hints = [
    ...(period.limit === null ? [t.noLimit] : []),
    ...(session.workspaces.length > 1
      ? [t.ofWhich(format.count(period.workspace_used), workspace.name)]
      : []),
  ];
  return (
    <Card title={title}>
      <Group justify="space-between" align="flex-end" mb="md">
        <Stat label={t.all} value={format.count(period.used)} hint={hints.join(' · ')} />
        <Resets at={period.resets_at} />
      </Group>
      {period.limit === null ? null : <UsageLine name={t.all} part={period} />}
      {period.types.map((one) => (
        <UsageLine key={one.type} name={word(one.type)} part={one} whole={period.used} />
      ))}
    </Card>
  );
}

function Resets({ at }: { at: string }) {
  const t = useTexts(usage);
  return (
    <Text size="xs" c="dimmed" component="div">
      {t.resets('')}
      <Time at={at} />
    </Text>
  );
}

/** Against its limit; a type without one shows its part of the whole. */
function UsageLine({ name, part, whole = 0 }: { name: string; part: Part; whole?: number }) {
  const t = useTexts(usage);
  const format = useFormat();
  const { used, limit } = part;
  const tone = toneOf(part);
  const limitText = limit === null ? t.noLimit : format.count(limit);
  return (
    <div style={{ marginBottom: '0.7rem' }}>
      <Group justify="space-between" gap="xs" mb={4}>
        <Text size="sm">{name}</Text>
        <Group gap="xs">
          {tone === 'good' ? null : (
            <Status of={tone} tone={tone}>
              {tone === 'warn' ? t.near : t.out}
            </Status>
          )}
          <Text size="sm" c="dimmed">
            {limit === null ? format.count(used) : t.of(format.count(used), limitText)}
          </Text>
        </Group>
      </Group>
      <Meter
        label={t.meter(name, format.count(used), limitText)}
        value={Math.min(used, limit ?? whole)}
        max={Math.max(1, limit ?? whole)}
        tone={limit === null ? 'busy' : tone}
      />
    </div>
  );
}
