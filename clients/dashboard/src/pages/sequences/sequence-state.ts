// A sequence as its editor has it, and the request that saves it.
import type {
  Sequence,
  SequenceBranchEvent,
  SequenceExitEvent,
  SequenceGoal,
  SequenceStepInput,
  SequenceTrigger,
} from '@posthorn/sdk';

export type StepType = 'send' | 'wait' | 'branch' | 'exit';

/** The fields of every type of step: what another type had comes back when one changes one's mind. */
export interface StepState {
  id: string;
  type: StepType;
  template: string | null;
  subject: string;
  variables: Record<string, unknown>;
  hours: number | string;
  event: SequenceBranchEvent;
  next: string | null;
}

export interface SequenceState {
  name: string;
  type: Sequence['type'];
  trigger: SequenceTrigger['type'];
  tag: string;
  listId: string | null;
  exitOn: SequenceExitEvent[];
  goal: SequenceGoal['event'] | 'none';
  goalTag: string;
  from: string;
  replyTo: string;
  steps: StepState[];
}

export function newStep(type: StepType, steps: readonly StepState[]): StepState {
  const numbers = steps.map(({ id }) => Number(/(\d+)$/.exec(id)?.[1] ?? 0));
  return {
    id: `${type}-${Math.max(0, ...numbers) + 1}`,
    type,
    ...{ template: null, subject: '', variables: {} },
    ...{ hours: type === 'branch' ? 72 : 24, event: 'opened', next: null },
  };
}

export function emptySequence(): SequenceState {
  return {
    ...{ name: '', type: 'marketing', trigger: 'contact_created', tag: '', listId: null },
    ...{ exitOn: ['unsubscribed', 'complained'], goal: 'none', goalTag: '', from: '', replyTo: '' },
    steps: [newStep('send', [])],
  };
}

const mailboxText = (mailbox: Sequence['from']): string =>
  mailbox === null
    ? ''
    : mailbox.name === null
      ? mailbox.email
      : `${JSON.stringify(mailbox.name)} <${mailbox.email}>`;

export function stateOf(sequence: Sequence): SequenceState {
  const { trigger, goal } = sequence;
  return {
    name: sequence.name,
    type: sequence.type,
    trigger: trigger.type,
    tag: trigger.type === 'contact_tagged' ? trigger.tag : '',
    listId: trigger.type === 'list_joined' ? trigger.list_id : null,
    exitOn: sequence.exit_on,
    goal: goal?.event ?? 'none',
    goalTag: goal !== null && goal.event === 'contact_tagged' ? goal.tag : '',
    from: mailboxText(sequence.from),
    replyTo: mailboxText(sequence.reply_to),
    steps: sequence.steps.map((step) => ({
      ...newStep(step.type, []),
      id: step.id,
      ...(step.type === 'send'
        ? { template: step.template, subject: step.subject ?? '', variables: step.variables }
        : {}),
      ...(step.type === 'wait' ? { hours: step.hours } : {}),
      ...(step.type === 'branch'
        ? { hours: step.within_hours, event: step.event, next: step.next_step_id }
        : {}),
    })),
  };
}

function stepInput({
  id,
  type,
  template,
  subject,
  variables,
  hours,
  event,
  next,
}: StepState): SequenceStepInput {
  switch (type) {
    case 'send':
      return {
        ...{ id, type, template: template ?? '' },
        subject: subject.trim() === '' ? null : subject,
        ...(Object.keys(variables).length === 0 ? {} : { variables }),
      };
    case 'wait':
      return { id, type, hours: Number(hours) };
    case 'branch':
      return { id, type, event, within_hours: Number(hours), next_step_id: next ?? '' };
    case 'exit':
      return { id, type };
  }
}

function triggerInput({ trigger, tag, listId }: SequenceState): SequenceTrigger {
  if (trigger === 'contact_tagged') return { type: trigger, tag: tag.trim() };
  if (trigger === 'list_joined') return { type: trigger, list_id: listId ?? '' };
  return { type: trigger };
}

function goalInput({ goal, goalTag }: SequenceState): SequenceGoal | null {
  if (goal === 'none') return null;
  return goal === 'contact_tagged' ? { event: goal, tag: goalTag.trim() } : { event: goal };
}

export function requestOf(state: SequenceState) {
  return {
    name: state.name,
    trigger: triggerInput(state),
    steps: state.steps.map(stepInput),
    exit_on: state.exitOn,
    goal: goalInput(state),
    from: state.from.trim() === '' ? null : state.from.trim(),
    reply_to: state.replyTo.trim() === '' ? null : state.replyTo.trim(),
  };
}
