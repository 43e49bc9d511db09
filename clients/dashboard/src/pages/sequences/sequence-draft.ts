// The draft of a sequence: converts between the form's state and the API's form.
import type {
  Sequence,
  SequenceExitEvent,
  SequenceGoal,
  SequenceStepInput,
  SequenceTrigger,
} from '@mailkeel/sdk';

export type DraftStep = SequenceStepInput & { id: string };

export interface Draft {
  name: string;
  type: 'transactional' | 'marketing' | 'sales';
  trigger: SequenceTrigger;
  steps: DraftStep[];
  exitOn: SequenceExitEvent[];
  goal: 'none' | 'opened' | 'clicked' | 'replied' | 'contact_tagged';
  goalTag: string;
  from: string;
}

export const EMPTY_DRAFT: Draft = {
  name: '',
  type: 'marketing',
  trigger: { type: 'manual' },
  steps: [{ id: 'step-1', type: 'send', template: '' }],
  exitOn: ['replied', 'unsubscribed'],
  goal: 'none',
  goalTag: '',
  from: '',
};

export function draftOf(sequence: Sequence): Draft {
  const { goal } = sequence;
  return {
    name: sequence.name,
    type: sequence.type,
    trigger: sequence.trigger,
    steps: sequence.steps,
    exitOn: sequence.exit_on,
    goal: goal === null ? 'none' : goal.event,
    goalTag: goal !== null && 'tag' in goal ? goal.tag : '',
    from: sequence.from?.email ?? '',
  };
}

function goalOf({ goal, goalTag }: Draft): SequenceGoal | null {
  if (goal === 'none') return null;
  return goal === 'contact_tagged' ? { event: goal, tag: goalTag } : { event: goal };
}

/** Fields of both creating and changing a sequence. */
export function fieldsOf(draft: Draft) {
  return {
    name: draft.name,
    trigger: draft.trigger,
    steps: draft.steps,
    exit_on: draft.exitOn,
    goal: goalOf(draft),
    from: draft.from.trim() === '' ? null : draft.from.trim(),
  };
}

/** A step of this kind with an id that no other has. */
export function newStep(type: DraftStep['type'], steps: readonly DraftStep[]): DraftStep {
  const id = freeId(steps);
  switch (type) {
    case 'send':
      return { id, type, template: '' };
    case 'wait':
      return { id, type, hours: 24 };
    case 'branch':
      return { id, type, event: 'opened', within_hours: 72, next_step_id: steps.at(-1)?.id ?? id };
    case 'exit':
      return { id, type };
  }
}

function freeId(steps: readonly DraftStep[]): string {
  let number = steps.length + 1;
  while (steps.some(({ id }) => id === `step-${number}`)) number += 1;
  return `step-${number}`;
}

/** Returns the steps with the one at `at` moved up or down by one. */
export function moved(steps: readonly DraftStep[], at: number, by: -1 | 1): DraftStep[] {
  const next = [...steps];
  const [step] = next.splice(at, 1);
  if (step !== undefined) next.splice(at + by, 0, step);
  return next;
}
