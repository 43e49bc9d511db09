// The path through the steps, drawn: down from step to step, and aside where a branch leaps.
import type { SequenceStep, SequenceStepInput } from '@posthorn/sdk';
import { sequences, type SequencesTexts } from '../../texts/sequences.js';
import { useTexts, type Translated } from '../../texts/texts.js';
import { useFormat } from '../../ui/format.js';

const ROW = 52;
const AXIS = 22;
const RADIUS = 11;
const WIDTH = 300;
const HOUR_MS = 3_600_000;

export type AnyStep = (SequenceStep | SequenceStepInput) & { id?: string };

/** What a step does, in a sentence. `steps` are all, since a branch names another. */
export function useStepSentence(): (step: AnyStep, steps: readonly AnyStep[]) => string {
  const t = useTexts(sequences);
  const { duration } = useFormat();
  return (step, steps) => sentenceOf(step, steps, t, (hours) => duration(hours * HOUR_MS));
}

function sentenceOf(
  step: AnyStep,
  steps: readonly AnyStep[],
  t: SequencesTexts | Translated<SequencesTexts>,
  duration: (hours: number) => string,
): string {
  switch (step.type) {
    case 'send':
      return t.sendSentence(step.template);
    case 'wait':
      return t.waitSentence(duration(step.hours));
    case 'branch': {
      const target = steps.findIndex(({ id }) => id === step.next_step_id) + 1;
      return t.branchSentence(t.events[step.event], duration(step.within_hours), target);
    }
    case 'exit':
      return t.exitSentence;
  }
}

export function SequencePath({ steps }: { steps: readonly AnyStep[] }) {
  const t = useTexts(sequences);
  const sentence = useStepSentence();
  const y = (row: number): number => ROW / 2 + row * ROW;
  const end = steps.length + 1;
  const leaps = steps.flatMap((step, at) => {
    if (step.type !== 'branch') return [];
    const target = steps.findIndex(({ id }) => id === step.next_step_id);
    return target === -1 ? [] : [{ from: at + 1, to: target + 1 }];
  });
  const label = steps.map((step, at) => `${at + 1}. ${sentence(step, steps)}`).join('; ');
  return (
    <svg
      className="ph-path"
      role="img"
      aria-label={t.pathLabel(label)}
      viewBox={`0 0 ${WIDTH} ${(end + 1) * ROW}`}
      width="100%"
    >
      {steps.map((step, at) =>
        step.type === 'exit' ? null : (
          <path
            key={`line ${step.id ?? at}`}
            d={`M${AXIS} ${y(at + 1)}V${y(at + 2)}`}
            className="ph-path-line"
          />
        ),
      )}
      <path d={`M${AXIS} ${y(0)}V${y(1)}`} className="ph-path-line" />
      {leaps.map(({ from, to }, order) => {
        const aside = WIDTH - 14 - order * 10;
        return (
          <path
            key={`leap ${from} ${to}`}
            d={`M${AXIS + RADIUS} ${y(from)}C${aside} ${y(from)} ${aside} ${y(to)} ${AXIS + RADIUS + 4} ${y(to)}`}
            className="ph-path-leap"
            markerEnd="url(#ph-arrow)"
          />
        );
      })}
      <defs>
        <marker
          id="ph-arrow"
          viewBox="0 0 8 8"
          refX="7"
          refY="4"
          markerWidth="7"
          markerHeight="7"
          orient="auto"
        >
          <path d="M0 0 8 4 0 8Z" className="ph-path-arrow" />
        </marker>
      </defs>
      <Node y={y(0)} kind="end" number="" text={t.begin} />
      {steps.map((step, at) => (
        <Node
          key={step.id ?? at}
          y={y(at + 1)}
          kind={step.type}
          number={String(at + 1)}
          text={sentence(step, steps)}
        />
      ))}
      {steps.at(-1)?.type === 'exit' ? null : <Node y={y(end)} kind="end" number="" text={t.pathEnd} />}
    </svg>
  );
}

/** Characters that fit beside a node. */
const FITS = 38;

function Node({ y, kind, number, text }: { y: number; kind: string; number: string; text: string }) {
  const isLong = text.length > FITS;
  return (
    <g className="ph-path-node" data-kind={kind}>
      <circle cx={AXIS} cy={y} r={kind === 'end' ? 6 : RADIUS} />
      <text x={AXIS} y={y + 4} textAnchor="middle" className="ph-path-number">
        {number}
      </text>
      <text x={AXIS + RADIUS + 10} y={y + 4} className="ph-path-text">
        {isLong ? `${text.slice(0, FITS - 1)}…` : text}
      </text>
    </g>
  );
}
