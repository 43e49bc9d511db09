// Edits a sequence: its trigger, its steps as a list with a diagram, and its exits.
import { Button, Checkbox, Group, Select, Stack, Switch, Text, TextInput } from '@mantine/core';
import { useState, type Dispatch, type SetStateAction } from 'react';
import type { Sequence, SequenceExitEvent, SequenceTrigger } from '@mailkeel/sdk';
import { usePathPart } from '../../data/address.js';
import { useAction, useRead } from '../../data/read.js';
import { useVersion } from '../../data/versions.js';
import { common } from '../../texts/common.js';
import { sequences } from '../../texts/sequences.js';
import { useTexts } from '../../texts/texts.js';
import { CallsButton } from '../../ui/calls.js';
import { FormProblem, useFormState, type FormState } from '../../ui/form.js';
import { SenderField } from '../../ui/sender-field.js';
import { PageButton, useGo } from '../../ui/links.js';
import { Card, PageHead } from '../../ui/page.js';
import { Shown } from '../../ui/states.js';
import { useStatusText } from '../../ui/status.js';
import { draftOf, EMPTY_DRAFT, fieldsOf, type Draft } from './sequence-draft.js';
import { SequencePath } from './sequence-path.js';
import { StepsEditor } from './steps-editor.js';
import { ListPicker } from '../../ui/pickers.js';

const FIELDS = ['name', 'type', 'trigger', 'steps', 'exit_on', 'goal', 'from'];
const TRIGGERS = ['manual', 'contact_created', 'contact_tagged', 'list_joined'] as const;
const EXITS: readonly SequenceExitEvent[] = ['replied', 'unsubscribed', 'bounced', 'complained'];
const GOALS = ['none', 'opened', 'clicked', 'replied', 'contact_tagged'] as const;

export function NewSequencePage() {
  const t = useTexts(sequences);
  const go = useGo();
  const form = useFormState(FIELDS);
  const [draft, setDraft] = useState<Draft>(EMPTY_DRAFT);
  const [isPaused, setPaused] = useState(false);
  const params = {
    ...fieldsOf(draft),
    type: draft.type,
    ...(isPaused ? { status: 'paused' as const } : {}),
  };
  const make = useAction((api) => api.sequences.create(params), {
    changes: ['sequences'],
    onDone: ({ id }) => go(`/sequences/${id}`),
    isQuiet: true,
  });
  return (
    <>
      <PageHead title={t.create} about={t.about} back={{ to: '/sequences', label: t.title }} />
      <form onSubmit={form.onSubmit(() => make.mutateAsync())}>
        <Fields draft={draft} setDraft={setDraft} form={form} isNew />
        <Group mt="lg">
          <Button type="submit" loading={form.isBusy}>
            {t.createAction}
          </Button>
          <Switch
            label={t.startsPaused}
            checked={isPaused}
            onChange={(event) => setPaused(event.currentTarget.checked)}
          />
          <CallsButton calls={[(api) => api.sequences.create(params)]} />
        </Group>
      </form>
    </>
  );
}

export function EditSequencePage() {
  const id = usePathPart('id');
  const found = useRead(['sequences', id], (api, signal) => api.sequences.get(id, { signal }));
  return <Shown of={found}>{(sequence) => <Edit key={id} sequence={sequence} />}</Shown>;
}

function Edit({ sequence }: { sequence: Sequence }) {
  const t = useTexts(sequences);
  const frame = useTexts(common);
  const go = useGo();
  const form = useFormState(FIELDS);
  const [draft, setDraft] = useState<Draft>(() => draftOf(sequence));
  const page = `/sequences/${sequence.id}`;
  const params = fieldsOf(draft);
  const versioned = useVersion(sequence, true);
  const change = useAction(
    (api) => versioned((options) => api.sequences.update(sequence.id, params, options)),
    {
      done: frame.saved,
      changes: ['sequences'],
      onDone: () => go(page),
      isQuiet: true,
    },
  );
  return (
    <>
      <PageHead
        title={`${t.edit}: ${sequence.name}`}
        about={t.changeHint}
        back={{ to: page, label: sequence.name }}
      />
      <form onSubmit={form.onSubmit(() => change.mutateAsync())}>
        <Fields draft={draft} setDraft={setDraft} form={form} isNew={false} />
        <Group mt="lg">
          <Button type="submit" loading={form.isBusy}>
            {frame.save}
          </Button>
          <PageButton to={page} variant="default">
            {frame.cancel}
          </PageButton>
          <CallsButton calls={[(api) => api.sequences.update(sequence.id, params)]} />
        </Group>
      </form>
    </>
  );
}

interface FieldsProps {
  draft: Draft;
  setDraft: Dispatch<SetStateAction<Draft>>;
  form: FormState;
  isNew: boolean;
}

function Fields({ draft, setDraft, form, isNew }: FieldsProps) {
  const t = useTexts(sequences);
  const set = (changes: Partial<Draft>) => setDraft((before) => ({ ...before, ...changes }));
  return (
    <div className="mk-split">
      <Stack miw={0}>
        <FormProblem form={form} />
        <Card>
          <BasicFields draft={draft} set={set} errors={form.errors} isNew={isNew} />
        </Card>
        <Card title={t.steps}>
          {form.errors['steps'] === undefined ? null : (
            <Text c="var(--mk-bad)" role="alert" mb="sm">
              {form.errors['steps']}
            </Text>
          )}
          <StepsEditor steps={draft.steps} onChange={(steps) => set({ steps })} />
        </Card>
        <Card>
          <EndFields draft={draft} set={set} errors={form.errors} />
        </Card>
      </Stack>
      <Card title={t.path}>
        <SequencePath steps={draft.steps} />
      </Card>
    </div>
  );
}

type Errors = FormState['errors'];
type Set = (changes: Partial<Draft>) => void;

function BasicFields({
  draft,
  set,
  errors,
  isNew,
}: {
  draft: Draft;
  set: Set;
  errors: Errors;
  isNew: boolean;
}) {
  const t = useTexts(sequences);
  const word = useStatusText();
  const types = ['transactional', 'marketing', 'sales'] as const;
  return (
    <Stack>
      <TextInput
        label={t.name}
        required
        autoFocus={isNew}
        value={draft.name}
        error={errors['name']}
        onChange={(event) => set({ name: event.currentTarget.value })}
      />
      {isNew ? (
        <Select
          label={t.type}
          description={t.typeHint}
          data={types.map((value) => ({ value, label: word(value) }))}
          value={draft.type}
          error={errors['type']}
          onChange={(type) => set({ type: type ?? 'marketing' })}
        />
      ) : null}
      <TriggerFields
        trigger={draft.trigger}
        onChange={(trigger) => set({ trigger })}
        error={errors['trigger']}
      />
      <SenderField
        label={t.sender}
        description={t.senderHint}
        value={draft.from}
        error={errors['from']}
        onChange={(from) => set({ from })}
      />
    </Stack>
  );
}

function TriggerFields({
  trigger,
  onChange,
  error,
}: {
  trigger: SequenceTrigger;
  onChange: (trigger: SequenceTrigger) => void;
  error: string | undefined;
}) {
  const t = useTexts(sequences);
  const choose = (type: SequenceTrigger['type'] | null): void => {
    if (type === 'contact_tagged') onChange({ type, tag: '' });
    else if (type === 'list_joined') onChange({ type, list_id: '' });
    else onChange({ type: type ?? 'manual' });
  };
  return (
    <div className="mk-fields">
      <Select
        label={t.trigger}
        data={TRIGGERS.map((value) => ({ value, label: t.triggers[value] }))}
        value={trigger.type}
        error={error}
        onChange={choose}
      />
      {trigger.type === 'contact_tagged' ? (
        <TextInput
          label={t.tag}
          required
          value={trigger.tag}
          onChange={(event) => onChange({ type: 'contact_tagged', tag: event.currentTarget.value })}
        />
      ) : null}
      {trigger.type === 'list_joined' ? (
        <ListPicker
          label={t.list}
          required
          value={trigger.list_id === '' ? null : trigger.list_id}
          onChange={(id) => onChange({ type: 'list_joined', list_id: id ?? '' })}
        />
      ) : null}
    </div>
  );
}

function EndFields({ draft, set, errors }: { draft: Draft; set: Set; errors: Errors }) {
  const t = useTexts(sequences);
  return (
    <Stack>
      <div className="mk-fields">
        <Select
          label={t.goal}
          description={t.goalHint}
          data={GOALS.map((value) => ({ value, label: t.goals[value] }))}
          value={draft.goal}
          error={errors['goal']}
          onChange={(goal) => set({ goal: goal ?? 'none' })}
        />
        {draft.goal === 'contact_tagged' ? (
          <TextInput
            label={t.tag}
            required
            value={draft.goalTag}
            onChange={(event) => set({ goalTag: event.currentTarget.value })}
          />
        ) : null}
      </div>
      <Checkbox.Group
        label={t.exitOn}
        value={draft.exitOn}
        error={errors['exit_on']}
        onChange={(chosen) => set({ exitOn: EXITS.filter((one) => chosen.includes(one)) })}
      >
        <Group mt={6}>
          {EXITS.map((one) => (
            <Checkbox key={one} value={one} label={t.exits[one]} />
          ))}
        </Group>
      </Checkbox.Group>
    </Stack>
  );
}
