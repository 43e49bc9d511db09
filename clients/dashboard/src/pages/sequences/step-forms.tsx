// The steps of a sequence as a list of forms, and the way that they make.
import {
  ActionIcon,
  Button,
  Group,
  Menu,
  NumberInput,
  Select,
  Text,
  TextInput,
  Tooltip,
} from '@mantine/core';
import { useState } from 'react';
import type { SequenceBranchEvent } from '@posthorn/sdk';
import { sequences } from '../../texts/sequences.js';
import { useTexts } from '../../texts/texts.js';
import { Icon, type IconName } from '../../ui/icon.js';
import { Card } from '../../ui/page.js';
import { TemplatePicker } from '../../ui/pickers.js';
import { newStep, type StepState, type StepType } from './sequence-state.js';
import { StepPath } from './step-path.js';
import { useStepWords } from './step-words.js';

const TYPES: readonly StepType[] = ['send', 'wait', 'branch', 'exit'];
const ICONS: Record<StepType, IconName> = { send: 'mail', wait: 'clock', branch: 'split', exit: 'stop' };
const EVENTS: readonly SequenceBranchEvent[] = ['opened', 'clicked', 'delivered', 'replied', 'bounced'];
const MOST = 50;

export function StepsCard({
  steps,
  onChange,
}: {
  steps: readonly StepState[];
  onChange: (steps: StepState[]) => void;
}) {
  const texts = useTexts(sequences);
  const t = texts.step;
  const [said, setSaid] = useState('');
  const move = (at: number, to: number) => {
    const step = steps[at];
    if (step === undefined || to < 0 || to >= steps.length) return;
    onChange(steps.toSpliced(at, 1).toSpliced(to, 0, step));
    setSaid(t.moved(to + 1, steps.length));
  };
  return (
    <div className="ph-split">
      <Card title={texts.steps}>
        {steps.length === 0 ? <Text c="dimmed">{t.none}</Text> : null}
        <ol className="ph-blocks">
          {steps.map((step, at) => (
            <li key={step.id} className="ph-step-form">
              <StepHead
                step={step}
                at={at}
                count={steps.length}
                onMove={(to) => move(at, to)}
                onRemove={() => onChange(steps.toSpliced(at, 1))}
              />
              <StepForm
                step={step}
                steps={steps}
                set={(changes) =>
                  onChange(steps.map((one) => (one.id === step.id ? { ...one, ...changes } : one)))
                }
              />
            </li>
          ))}
        </ol>
        {steps.length >= MOST ? null : (
          <Menu position="bottom-start">
            <Menu.Target>
              <Button variant="default" size="xs" mt="sm" leftSection={<Icon name="plus" size={14} />}>
                {t.add}
              </Button>
            </Menu.Target>
            <Menu.Dropdown>
              {TYPES.map((type) => (
                <Menu.Item
                  key={type}
                  leftSection={<Icon name={ICONS[type]} size={16} />}
                  onClick={() => onChange([...steps, newStep(type, steps)])}
                >
                  {t[type]}
                </Menu.Item>
              ))}
            </Menu.Dropdown>
          </Menu>
        )}
        <span className="ph-said" role="status">
          {said}
        </span>
      </Card>
      <Card title={texts.path}>
        <Drawing steps={steps} />
      </Card>
    </div>
  );
}

function Drawing({ steps }: { steps: readonly StepState[] }) {
  const texts = useTexts(sequences);
  const t = texts.step;
  const words = useStepWords();
  return (
    <StepPath
      label={texts.path}
      steps={steps.map(({ id, type, hours, event, next }) => ({
        id,
        type,
        nextId: type === 'branch' ? next : null,
        content: (
          <>
            <strong>
              {type === 'wait'
                ? t.waits(words.time(Number(hours)))
                : type === 'branch'
                  ? t.branches(texts.events[event], words.time(Number(hours)))
                  : t[type]}
            </strong>
            <Text size="xs" c="dimmed" className="ph-mono">
              {id}
            </Text>
          </>
        ),
      }))}
    />
  );
}

function StepHead({
  step,
  at,
  count,
  onMove,
  onRemove,
}: {
  step: StepState;
  at: number;
  count: number;
  onMove: (to: number) => void;
  onRemove: () => void;
}) {
  const t = useTexts(sequences).step;
  const title = t.title(at + 1, t[step.type]);
  const deeds: readonly { icon: IconName; label: string; act: () => void; isOff: boolean }[] = [
    { icon: 'up', label: t.up(title), act: () => onMove(at - 1), isOff: at === 0 },
    { icon: 'down', label: t.down(title), act: () => onMove(at + 1), isOff: at === count - 1 },
    { icon: 'trash', label: t.remove(title), act: onRemove, isOff: false },
  ];
  return (
    <Group justify="space-between" wrap="nowrap">
      <Group gap="xs" wrap="nowrap">
        <Icon name={ICONS[step.type]} size={16} />
        <strong>{title}</strong>
      </Group>
      <Group gap={2} wrap="nowrap">
        {deeds.map(({ icon, label, act, isOff }) => (
          <Tooltip key={icon} label={label}>
            <ActionIcon
              variant="subtle"
              color="gray"
              size={28}
              aria-label={label}
              aria-disabled={isOff}
              style={isOff ? { opacity: 0.35 } : {}}
              onClick={isOff ? undefined : act}
            >
              <Icon name={icon} size={15} />
            </ActionIcon>
          </Tooltip>
        ))}
      </Group>
    </Group>
  );
}

function StepForm({
  step,
  steps,
  set,
}: {
  step: StepState;
  steps: readonly StepState[];
  set: (changes: Partial<StepState>) => void;
}) {
  const texts = useTexts(sequences);
  const t = texts.step;
  switch (step.type) {
    case 'send':
      return (
        <div className="ph-step-fields">
          <TemplatePicker
            label={t.template}
            required
            value={step.template}
            onChange={(template) => set({ template })}
          />
          <TextInput
            label={t.subject}
            placeholder={t.subjectHint}
            value={step.subject}
            onChange={(event) => set({ subject: event.currentTarget.value })}
          />
        </div>
      );
    case 'wait':
      return (
        <NumberInput
          label={t.hours}
          min={0}
          maw={200}
          value={step.hours}
          onChange={(hours) => set({ hours })}
        />
      );
    case 'branch':
      return (
        <div className="ph-step-fields">
          <Select
            label={t.event}
            data={EVENTS.map((value) => ({ value, label: texts.events[value] }))}
            value={step.event}
            onChange={(value) => set({ event: value ?? 'opened' })}
          />
          <NumberInput label={t.within} min={0} value={step.hours} onChange={(hours) => set({ hours })} />
          <Select
            label={t.next}
            required
            data={steps
              .filter(({ id }) => id !== step.id)
              .map(({ id, type }) => ({
                value: id,
                label: `${steps.findIndex((one) => one.id === id) + 1}. ${t[type]} (${id})`,
              }))}
            value={step.next}
            onChange={(next) => set({ next })}
          />
        </div>
      );
    case 'exit':
      return (
        <Text size="sm" c="dimmed">
          {t.exits}
        </Text>
      );
  }
}
