// One sequence: its steps with what became of the mail of each, and who is in it.
import { Alert, Group, Stack, Tabs, Text } from '@mantine/core';
import type { Sequence, SequenceAnalytics, SequenceStep } from '@posthorn/sdk';
import { usePathPart } from '../../data/address.js';
import { useRole } from '../../data/place.js';
import { useAction, useRead } from '../../data/read.js';
import { sequences } from '../../texts/sequences.js';
import { useTexts } from '../../texts/texts.js';
import { ConfirmButton } from '../../ui/confirm.js';
import { useSearchValue } from '../../ui/filters.js';
import { useFormat } from '../../ui/format.js';
import { Icon } from '../../ui/icon.js';
import { PageLink } from '../../ui/links.js';
import { Card, Facts, PageHead, Stat } from '../../ui/page.js';
import { Shown } from '../../ui/states.js';
import { Status } from '../../ui/status.js';
import { SequenceActions } from './sequence-actions.js';
import { SequencePeople } from './sequence-people.js';
import { StepPath } from './step-path.js';
import { useStepWords } from './step-words.js';
import '../../ui/content.css';

export function SequencePage() {
  const id = usePathPart('id');
  const found = useRead(['sequences', id], (api, signal) => api.sequences.get(id, { signal }), {
    keepsLast: true,
  });
  return <Shown of={found}>{(sequence) => <OneSequence sequence={sequence} />}</Shown>;
}

function OneSequence({ sequence }: { sequence: Sequence }) {
  const t = useTexts(sequences);
  const { id, problem } = sequence;
  const [tab, setTab] = useSearchValue('tab', 'steps');
  const hasDoubt = sequence.in_doubt > 0;
  return (
    <>
      <PageHead
        title={sequence.name}
        badge={<Status of={sequence.status} />}
        about={<TriggerLine sequence={sequence} />}
        back={{ to: '/sequences', label: t.back }}
        actions={<SequenceActions sequence={sequence} />}
        calls={[
          (api) => api.sequences.get(id),
          (api) => api.sequences.getAnalytics(id),
          (api) => api.sequences.listEnrollments(id),
        ]}
      />
      {problem === null ? null : (
        <Alert color="red" title={t.problem} icon={<Icon name="warning" />} mb="lg" role="status">
          {t.problems[problem.code] ?? problem.message}
        </Alert>
      )}
      <Tabs value={tab} onChange={(next) => setTab(next ?? 'steps')} keepMounted={false}>
        <Tabs.List mb="lg" className="ph-tabs">
          <Tabs.Tab value="steps">{t.tabs.steps}</Tabs.Tab>
          <Tabs.Tab value="people">{t.tabs.people}</Tabs.Tab>
          {hasDoubt ? <Tabs.Tab value="doubt">{t.tabs.doubt}</Tabs.Tab> : null}
        </Tabs.List>
        <Tabs.Panel value="steps">
          <Steps sequence={sequence} />
        </Tabs.Panel>
        <Tabs.Panel value="people">
          <SequencePeople sequence={sequence} />
        </Tabs.Panel>
        <Tabs.Panel value="doubt">
          <Doubt sequence={sequence} />
        </Tabs.Panel>
      </Tabs>
    </>
  );
}

function TriggerLine({ sequence: { trigger } }: { sequence: Sequence }) {
  const t = useTexts(sequences);
  const words = useStepWords();
  const listId = trigger.type === 'list_joined' ? trigger.list_id : null;
  const list = useRead(['lists', listId], (api, signal) => api.lists.get(listId ?? '', { signal }), {
    isOff: listId === null,
  });
  return (
    <>
      {t.trigger}: {words.trigger(trigger, list.data?.name)}
    </>
  );
}

function Steps({ sequence }: { sequence: Sequence }) {
  const analytics = useRead(['analytics', 'sequence', sequence.id], (api, signal) =>
    api.sequences.getAnalytics(sequence.id, { signal }),
  );
  return (
    <Stack gap="lg">
      <Shown of={analytics} lines={3}>
        {(figures) => <Counts figures={figures} />}
      </Shown>
      <div className="ph-split">
        <Card title={useTexts(sequences).steps}>
          <Path sequence={sequence} figures={analytics.data} />
        </Card>
        <Ends sequence={sequence} figures={analytics.data} />
      </div>
    </Stack>
  );
}

function Counts({ figures }: { figures: SequenceAnalytics }) {
  const { counts: t } = useTexts(sequences);
  const format = useFormat();
  return (
    <Card>
      <Group gap="xl">
        {(['entered', 'active', 'completed', 'exited', 'canceled', 'failed'] as const).map((name) => (
          <Stat key={name} label={t[name]} value={format.count(figures[name])} />
        ))}
      </Group>
    </Card>
  );
}

function Path({ sequence, figures }: { sequence: Sequence; figures: SequenceAnalytics | undefined }) {
  const t = useTexts(sequences);
  const format = useFormat();
  return (
    <StepPath
      label={t.path}
      steps={sequence.steps.map((step) => {
        const counted = figures?.steps.find(({ id }) => id === step.id);
        return {
          id: step.id,
          type: step.type,
          nextId: step.type === 'branch' ? step.next_step_id : null,
          content: (
            <>
              <StepLine step={step} />
              {step.type === 'send' && counted !== undefined ? (
                <Text size="sm" c="dimmed">
                  {t.step.figures(
                    format.count(counted.sent),
                    format.count(counted.opened),
                    format.count(counted.clicked),
                  )}
                </Text>
              ) : null}
              {counted !== undefined && counted.active > 0 ? (
                <Status of="active" tone="busy">
                  {t.step.here(format.count(counted.active))}
                </Status>
              ) : null}
            </>
          ),
        };
      })}
    />
  );
}

function StepLine({ step }: { step: SequenceStep }) {
  const t = useTexts(sequences);
  const words = useStepWords();
  const slug = step.type === 'send' ? step.template : null;
  const template = useRead(['templates', slug], (api, signal) => api.templates.get(slug ?? '', { signal }), {
    isOff: slug === null,
  });
  const known = template.data;
  return (
    <div style={{ overflowWrap: 'anywhere' }}>
      <strong>
        {known === undefined ? (
          words.step(step)
        ) : (
          <PageLink to={`/templates/${known.id}`}>{words.step(step, known.name)}</PageLink>
        )}
      </strong>{' '}
      <Text span size="xs" c="dimmed" className="ph-mono">
        {step.id}
      </Text>
      {step.type === 'branch' ? (
        <Text size="sm" c="dimmed">
          {t.step.goesTo(step.next_step_id)}, {t.step.otherwise}
        </Text>
      ) : null}
      {step.type === 'send' && step.subject !== null ? <Text size="sm">{step.subject}</Text> : null}
    </div>
  );
}

function Ends({ sequence, figures }: { sequence: Sequence; figures: SequenceAnalytics | undefined }) {
  const t = useTexts(sequences);
  const format = useFormat();
  const { goal } = sequence;
  const goalText =
    goal === null
      ? t.goals.none
      : goal.event === 'contact_tagged'
        ? `${t.goals.contact_tagged}: ${goal.tag}`
        : t.goals[goal.event];
  const exits = figures?.exits ?? [];
  const failures = figures?.failures ?? [];
  const rows = (list: readonly { reason: string; enrollments: number }[]) =>
    list.map(({ reason, enrollments }) => [t.reasons[reason] ?? reason, format.count(enrollments)] as const);
  return (
    <Stack>
      <Card title={t.settings}>
        <Facts
          isStacked
          of={[
            [t.goal, goalText],
            [t.exitOn, sequence.exit_on.map((event) => t.exits[event]).join(', ') || '–'],
            [t.from, sequence.from === null ? '–' : sequence.from.email],
          ]}
        />
      </Card>
      {exits.length === 0 ? null : (
        <Card title={t.counts.why}>
          <Facts of={rows(exits)} />
        </Card>
      )}
      {failures.length === 0 ? null : (
        <Card title={t.counts.whyFailed}>
          <Facts of={rows(failures)} />
        </Card>
      )}
    </Stack>
  );
}

function Doubt({ sequence }: { sequence: Sequence }) {
  const { doubt: t } = useTexts(sequences);
  const format = useFormat();
  const mayAct = useRole('member');
  const { id, in_doubt: count } = sequence;
  const resend = useAction((api) => api.sequences.resendInDoubt(id), {
    done: ({ messages }) => t.done(messages),
    changes: ['sequences', 'analytics', 'messages', 'queue'],
    isQuiet: true,
  });
  return (
    <Card title={count === 1 ? t.one : t.title(format.count(count))}>
      <Stack>
        <Text maw={680}>{t.hint}</Text>
        {mayAct ? (
          <Group>
            <ConfirmButton
              label={t.resend}
              title={t.resend}
              action={t.resend}
              call={(api) => api.sequences.resendInDoubt(id)}
              onConfirm={() => resend.mutateAsync()}
            >
              {t.ask}
            </ConfirmButton>
          </Group>
        ) : null}
      </Stack>
    </Card>
  );
}
