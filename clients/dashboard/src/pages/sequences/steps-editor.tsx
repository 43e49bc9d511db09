// Edits the steps as a list. Buttons move and remove steps, so everything works with the keyboard.
import { ActionIcon, Button, Group, Menu, NumberInput, Select, Text, TextInput, Title } from '@mantine/core';
import { sequences } from '../../texts/sequences.js';
import { useTexts } from '../../texts/texts.js';
import { Icon, type IconName } from '../../ui/icon.js';
import { TemplateSlugPicker } from '../../ui/pickers.js';
import { moved, newStep, type DraftStep } from './sequence-draft.js';

const KINDS: readonly DraftStep['type'][] = ['send', 'wait', 'branch', 'exit'];
const SIGNS: Record<DraftStep['type'], IconName> = {
  send: 'mail',
  wait: 'clock',
  branch: 'split',
  exit: 'stop',
};
const EVENTS = ['opened', 'clicked', 'delivered', 'replied', 'bounced'] as const;
const MOST_STEPS = 50;
const MOST_HOURS = 8760;

export function StepsEditor({
  steps,
  onChange,
}: {
  steps: DraftStep[];
  onChange: (steps: DraftStep[]) => void;
}) {
  const t = useTexts(sequences);
  const change = (at: number, step: DraftStep) => onChange(steps.with(at, step));
  return (
    <>
      <ol className="mk-steps">
        {steps.map((step, at) => (
          <li key={step.id}>
            <Group justify="space-between" wrap="nowrap" mb="xs">
              <Group gap="xs" wrap="nowrap">
                <Icon name={SIGNS[step.type]} size={16} />
                <Title order={3}>{t.number(at + 1, t.step[step.type])}</Title>
              </Group>
              <StepButtons steps={steps} at={at} onChange={onChange} />
            </Group>
            <StepFields step={step} steps={steps} onChange={(next) => change(at, next)} />
          </li>
        ))}
      </ol>
      <Menu position="bottom-start">
        <Menu.Target>
          <Button
            variant="default"
            leftSection={<Icon name="plus" size={16} />}
            disabled={steps.length >= MOST_STEPS}
          >
            {t.add}
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          {KINDS.map((kind) => (
            <Menu.Item
              key={kind}
              leftSection={<Icon name={SIGNS[kind]} size={16} />}
              onClick={() => onChange([...steps, newStep(kind, steps)])}
            >
              {t.step[kind]}
            </Menu.Item>
          ))}
        </Menu.Dropdown>
      </Menu>
    </>
  );
}

function StepButtons({
  steps,
  at,
  onChange,
}: {
  steps: DraftStep[];
  at: number;
  onChange: (steps: DraftStep[]) => void;
}) {
  const t = useTexts(sequences);
  const button = (name: IconName, label: string, isOff: boolean, act: () => void) => (
    <ActionIcon variant="subtle" color="gray" aria-label={label} disabled={isOff} onClick={act}>
      <Icon name={name} size={16} />
    </ActionIcon>
  );
  return (
    <Group gap={2} wrap="nowrap">
      {button('up', t.moveUp(at + 1), at === 0, () => onChange(moved(steps, at, -1)))}
      {button('down', t.moveDown(at + 1), at === steps.length - 1, () => onChange(moved(steps, at, 1)))}
      {button('trash', t.remove(at + 1), steps.length === 1, () => onChange(steps.toSpliced(at, 1)))}
    </Group>
  );
}

function StepFields({
  step,
  steps,
  onChange,
}: {
  step: DraftStep;
  steps: readonly DraftStep[];
  onChange: (step: DraftStep) => void;
}) {
  const t = useTexts(sequences);
  switch (step.type) {
    case 'send':
      return (
        <div className="mk-fields">
          <TemplateSlugPicker
            label={t.template}
            required
            value={step.template === '' ? null : step.template}
            onChange={(slug) => onChange({ ...step, template: slug ?? '' })}
          />
          <TextInput
            label={t.subject}
            description={t.subjectHint}
            value={step.subject ?? ''}
            onChange={(event) => {
              const subject = event.currentTarget.value;
              onChange({ ...step, subject: subject === '' ? null : subject });
            }}
          />
        </div>
      );
    case 'wait':
      return (
        <NumberInput
          label={t.hours}
          min={0}
          max={MOST_HOURS}
          maw={200}
          value={step.hours}
          onChange={(hours) => onChange({ ...step, hours: Number(hours) })}
        />
      );
    case 'branch':
      return (
        <>
          <div className="mk-fields">
            <Select
              label={t.event}
              data={EVENTS.map((value) => ({ value, label: t.events[value] }))}
              value={step.event}
              onChange={(event) => onChange({ ...step, event: event ?? 'opened' })}
            />
            <NumberInput
              label={t.within}
              min={0}
              max={MOST_HOURS}
              value={step.within_hours}
              onChange={(hours) => onChange({ ...step, within_hours: Number(hours) })}
            />
            <Select
              label={t.goTo}
              data={steps.map((one, at) => ({ value: one.id, label: t.number(at + 1, t.step[one.type]) }))}
              value={step.next_step_id}
              onChange={(id) => onChange({ ...step, next_step_id: id ?? step.id })}
            />
          </div>
          <Text size="sm" c="dimmed" mt={6}>
            {t.otherwise}
          </Text>
        </>
      );
    case 'exit':
      return null;
  }
}
