// Steps, triggers and times as sentences.
import type { Sequence, SequenceStep } from '@posthorn/sdk';
import { sequences, type SequencesTexts } from '../../texts/sequences.js';
import { useTexts, type Translated } from '../../texts/texts.js';
import { useFormat } from '../../ui/format.js';

type Texts = SequencesTexts | Translated<SequencesTexts>;
const DAY_H = 24;

export function useStepWords() {
  const t: Texts = useTexts(sequences);
  const format = useFormat();
  const time = (hours: number): string =>
    hours >= DAY_H && hours % DAY_H === 0
      ? t.units.days(format.count(hours / DAY_H))
      : t.units.hours(hours % 1 === 0 ? format.count(hours) : String(hours));
  return {
    time,
    /** What a step does; `name` of its template, as far as it is known. */
    step: (step: SequenceStep, name?: string): string => {
      switch (step.type) {
        case 'send':
          return t.step.sends(name ?? step.template);
        case 'wait':
          return t.step.waits(time(step.hours));
        case 'branch':
          return t.step.branches(t.events[step.event], time(step.within_hours));
        case 'exit':
          return t.step.exits;
      }
    },
    trigger: (trigger: Sequence['trigger'], listName?: string): string => {
      if (trigger.type === 'contact_tagged') return t.triggerWith.contact_tagged(trigger.tag);
      if (trigger.type === 'list_joined') return t.triggerWith.list_joined(listName ?? trigger.list_id);
      return t.triggers[trigger.type];
    },
  };
}
