// Makes a sequence and changes one: begin and end, and the list of steps beside the way that they make.
import { Button, Checkbox, Group, Select, Stack, TextInput } from '@mantine/core';
import { useState } from 'react';
import type { Sequence, SequenceExitEvent } from '@posthorn/sdk';
import { usePathPart } from '../../data/address.js';
import { useAction, useRead } from '../../data/read.js';
import { common } from '../../texts/common.js';
import { sequences } from '../../texts/sequences.js';
import { useTexts } from '../../texts/texts.js';
import { CallsButton } from '../../ui/calls.js';
import { FormProblem, useFormState, type FormState } from '../../ui/form.js';
import { LeaveGuard } from '../../ui/leave-guard.js';
import { PageButton, useGo } from '../../ui/links.js';
import { Card, PageHead } from '../../ui/page.js';
import { ListPicker } from '../../ui/pickers.js';
import { Shown } from '../../ui/states.js';
import { useStatusText } from '../../ui/status.js';
import { emptySequence, requestOf, stateOf, type SequenceState } from './sequence-state.js';
import { StepsCard } from './step-forms.js';
import '../../ui/content.css';

const FIELDS = ['name', 'type', 'from', 'reply_to', 'trigger.tag', 'trigger.list_id', 'goal.tag'];

export function NewSequencePage() {
  const t = useTexts(sequences);
  const go = useGo();
  const form = useFormState(FIELDS);
  const [state, setState] = useState<SequenceState>(emptySequence);
  const [isPaused, setPaused] = useState(true);
  const params = {
    ...requestOf(state),
    type: state.type,
    status: isPaused ? ('paused' as const) : ('active' as const),
  };
  const [isDirty, setDirty] = useState(false);
  const create = useAction((api) => api.sequences.create(params), { changes: ['sequences'], isQuiet: true });
  return (
    <>
      <PageHead title={t.create} about={t.createAbout} back={{ to: '/sequences', label: t.back }} />
      <LeaveGuard isDirty={isDirty && !create.isSuccess} />
      <form
        onSubmit={form.onSubmit(async () => {
          const { id } = await create.mutateAsync();
          setTimeout(() => void go(`/sequences/${id}`));
        })}
      >
        <Fields
          state={state}
          set={(changes) => {
            setDirty(true);
            setState((before) => ({ ...before, ...changes }));
          }}
          form={form}
          isNew
        />
        <Group mt="lg">
          <Checkbox
            label={t.startPaused}
            checked={isPaused}
            onChange={(event) => setPaused(event.currentTarget.checked)}
          />
          <Button type="submit" loading={form.isBusy}>
            {t.create}
          </Button>
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
  const [state, setState] = useState<SequenceState>(() => stateOf(sequence));
  const { id } = sequence;
  const save = useAction((api) => api.sequences.update(id, requestOf(state)), {
    done: frame.saved,
    changes: ['sequences', 'analytics'],
    isQuiet: true,
  });
  const isDirty = JSON.stringify(state) !== JSON.stringify(stateOf(sequence));
  return (
    <>
      <PageHead
        title={sequence.name}
        about={t.editAbout}
        back={{ to: `/sequences/${id}`, label: sequence.name }}
        calls={[(api) => api.sequences.get(id)]}
      />
      <LeaveGuard isDirty={isDirty && !save.isSuccess} />
      <form
        onSubmit={form.onSubmit(async () => {
          await save.mutateAsync();
          setTimeout(() => void go(`/sequences/${id}`));
        })}
      >
        <Fields
          state={state}
          set={(changes) => setState((before) => ({ ...before, ...changes }))}
          form={form}
          isNew={false}
        />
        <Group mt="lg">
          <Button type="submit" loading={form.isBusy}>
            {frame.save}
          </Button>
          <PageButton to={`/sequences/${id}`} variant="default">
            {frame.cancel}
          </PageButton>
          <CallsButton calls={[(api) => api.sequences.update(id, requestOf(state))]} />
        </Group>
      </form>
    </>
  );
}

interface FieldsProps {
  state: SequenceState;
  set: (changes: Partial<SequenceState>) => void;
  form: FormState;
  isNew: boolean;
}

function Fields(props: FieldsProps) {
  const { state, set, form } = props;
  return (
    <Stack gap="lg">
      <FormProblem form={form} />
      <BeginAndEnd {...props} />
      <StepsCard steps={state.steps} onChange={(steps) => set({ steps })} />
    </Stack>
  );
}

const TRIGGERS = ['contact_created', 'contact_tagged', 'list_joined', 'manual'] as const;
const GOALS = ['none', 'opened', 'clicked', 'replied', 'contact_tagged'] as const;
const EXITS: readonly SequenceExitEvent[] = ['replied', 'unsubscribed', 'bounced', 'complained'];

function BeginAndEnd({ state, set, form, isNew }: FieldsProps) {
  const t = useTexts(sequences);
  const word = useStatusText();
  return (
    <Card title={t.settings}>
      <div className="ph-grid">
        <TextInput
          label={t.name}
          required
          maxLength={200}
          value={state.name}
          error={form.errors['name']}
          onChange={(event) => set({ name: event.currentTarget.value })}
        />
        <Select
          label={t.type}
          readOnly={!isNew}
          data={(['marketing', 'sales', 'transactional'] as const).map((value) => ({
            value,
            label: word(value),
          }))}
          value={state.type}
          error={form.errors['type']}
          onChange={(value) => set({ type: value ?? 'marketing' })}
        />
        <Select
          label={t.trigger}
          data={TRIGGERS.map((value) => ({ value, label: t.triggers[value] }))}
          value={state.trigger}
          onChange={(value) => set({ trigger: value ?? 'manual' })}
        />
        {state.trigger === 'contact_tagged' ? (
          <TextInput
            label={t.tag}
            required
            value={state.tag}
            error={form.errors['trigger.tag']}
            onChange={(event) => set({ tag: event.currentTarget.value })}
          />
        ) : null}
        {state.trigger === 'list_joined' ? (
          <ListPicker
            label={t.list}
            required
            value={state.listId}
            error={form.errors['trigger.list_id']}
            onChange={(listId) => set({ listId })}
          />
        ) : null}
        <Select
          label={t.goal}
          description={t.goalHint}
          data={GOALS.map((value) => ({ value, label: t.goals[value] }))}
          value={state.goal}
          onChange={(value) => set({ goal: value ?? 'none' })}
        />
        {state.goal === 'contact_tagged' ? (
          <TextInput
            label={t.tag}
            required
            value={state.goalTag}
            error={form.errors['goal.tag']}
            onChange={(event) => set({ goalTag: event.currentTarget.value })}
          />
        ) : null}
        <TextInput
          label={t.from}
          description={t.fromHint}
          value={state.from}
          error={form.errors['from']}
          onChange={(event) => set({ from: event.currentTarget.value })}
        />
        <TextInput
          label={t.replyTo}
          value={state.replyTo}
          error={form.errors['reply_to']}
          onChange={(event) => set({ replyTo: event.currentTarget.value })}
        />
        <Checkbox.Group
          label={t.exitOn}
          value={state.exitOn}
          onChange={(values) => set({ exitOn: EXITS.filter((event) => values.includes(event)) })}
        >
          <Group mt={6} gap="md">
            {EXITS.map((event) => (
              <Checkbox key={event} value={event} label={t.exits[event]} />
            ))}
          </Group>
        </Checkbox.Group>
      </div>
    </Card>
  );
}
