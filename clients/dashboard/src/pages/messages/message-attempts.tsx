// All attempts with their SMTP transcripts, newest first, because people ask about the newest.
import { Group, Stack, Text, Title } from '@mantine/core';
import type { Attempt } from '@mailkeel/sdk';
import { useRead } from '../../data/read.js';
import { message } from '../../texts/message.js';
import { useTexts } from '../../texts/texts.js';
import { CodeBlock } from '../../ui/code-block.js';
import { Time, useFormat } from '../../ui/format.js';
import { Facts } from '../../ui/page.js';
import { EmptyState, Shown } from '../../ui/states.js';
import { Status } from '../../ui/status.js';
import { useFactWord } from './fact-words.js';

export function Attempts({ id }: { id: string }) {
  const t = useTexts(message);
  const attempts = useRead(['messages', id, 'attempts'], (api, signal) =>
    api.messages.listAttempts(id, { signal }),
  );
  return (
    <Shown of={attempts} lines={5}>
      {({ data }) =>
        data.length === 0 ? (
          <EmptyState icon="send" title={t.attempt.none}>
            {t.attempt.noneHint}
          </EmptyState>
        ) : (
          <Stack gap="lg">
            {data.toReversed().map((attempt) => (
              <OneAttempt key={attempt.number} attempt={attempt} />
            ))}
          </Stack>
        )
      }
    </Shown>
  );
}

function OneAttempt({ attempt }: { attempt: Attempt }) {
  const t = useTexts(message);
  const format = useFormat();
  const word = useFactWord();
  const shareText = useShareText();
  const { tls, times, conversation } = attempt;
  const reply = [attempt.code, attempt.enhanced_code].filter((part) => part !== null).join(' ');
  const talk = [...(conversation.opening ?? []), ...conversation.transaction].join('\n');
  const row = (name: string, value: React.ReactNode) => (value === null ? null : ([name, value] as const));
  return (
    <section className="mk-card">
      <Group mb="sm">
        <Title order={3}>{t.attempt.title(attempt.number)}</Title>
        <Status of={attempt.outcome} />
        <Text c="dimmed" size="sm">
          <Time at={attempt.at} isFull />
        </Text>
      </Group>
      <Text mb="sm" style={{ overflowWrap: 'anywhere' }}>
        {attempt.reply}
      </Text>
      <Facts
        of={[
          row(t.code, reply === '' ? null : reply),
          row(t.category, attempt.category === null ? null : word('category', attempt.category)),
          row(t.attempt.phase, attempt.phase === null ? null : word('phase', attempt.phase)),
          row(t.attempt.to, attempt.host === null ? null : `${attempt.host} ${attempt.address ?? ''}`),
          [t.attempt.fromSource, [attempt.source, attempt.local_address].filter(Boolean).join(' ')],
          row(t.attempt.share, attempt.route_share === undefined ? null : shareText(attempt.route_share)),
          [
            t.attempt.tls,
            tls === null
              ? t.attempt.plain
              : `${tls.version}, ${tls.cipher}, ${tls.verified ? t.attempt.verified : (tls.error ?? t.attempt.notVerified)}`,
          ],
          row(t.attempt.policy, attempt.tls_policy ? word('tls_policy', attempt.tls_policy) : null),
          row(t.attempt.took, attempt.duration_ms === null ? null : format.duration(attempt.duration_ms)),
          row(
            t.attempt.phases,
            times === null
              ? null
              : phasesOf(times, (phase, ms) => `${word('phase', phase)} ${format.duration(ms)}`),
          ),
          row(
            t.attempt.next,
            attempt.next_attempt_at === null ? null : <Time at={attempt.next_attempt_at} isFull />,
          ),
        ]}
      />
      <Title order={4} size="sm" mt="md" mb={6}>
        {t.attempt.talk}
      </Title>
      {talk === '' ? (
        <Text c="dimmed" size="sm">
          {t.attempt.talkGone}
        </Text>
      ) : (
        <CodeBlock code={talk} wraps label={t.attempt.talk} />
      )}
    </section>
  );
}

function useShareText(): (share: NonNullable<Attempt['route_share']>) => string {
  const { attempt } = useTexts(message);
  const { percent } = useFormat();
  return ({ route, percent: direct, side, reason }) =>
    `${attempt.sides[side]} (${attempt.shareOf(route, percent(direct / 100, 0))}${attempt.shareReasons[reason]})`;
}

function phasesOf(times: Record<string, number>, show: (phase: string, ms: number) => string): string {
  return Object.entries(times)
    .map(([phase, ms]) => show(phase, ms))
    .join(', ');
}
