// Draws the path through the steps: down from step to step, and aside for a branch.
import type { SequenceStep, SequenceStepInput } from '@mailkeel/sdk';
import { sequences, type SequencesTexts } from '../../texts/sequences.js';
import { useTexts, type Translated } from '../../texts/texts.js';
import { useFormat } from '../../ui/format.js';
import { useTemplateNames } from './template-names.js';

const ROW = 52;
/** Distance of the axis from the left. Each jump has its own column beside it. */
const FIRST_COLUMN = 22;
const COLUMN = 11;
const RADIUS = 11;
const WIDTH = 300;
const HOUR_MS = 3_600_000;

export type AnyStep = (SequenceStep | SequenceStepInput) & { id?: string };

/** Describes a step in a sentence. `steps` are all steps, because a branch names another. */
export function useStepSentence(): (step: AnyStep, steps: readonly AnyStep[]) => string {
  const t = useTexts(sequences);
  const { duration } = useFormat();
  const nameOf = useTemplateNames();
  return (step, steps) =>
    step.type === 'send'
      ? t.sendSentence(nameOf(step.template))
      : sentenceOf(step, steps, t, (hours) => duration(hours * HOUR_MS));
}

function sentenceOf(
  step: Exclude<AnyStep, { type: 'send' }>,
  steps: readonly AnyStep[],
  t: SequencesTexts | Translated<SequencesTexts>,
  duration: (hours: number) => string,
): string {
  switch (step.type) {
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
  const leaps = steps.flatMap((step, at) => {
    if (step.type !== 'branch') return [];
    const target = steps.findIndex(({ id }) => id === step.next_step_id);
    return target === -1 ? [] : [{ from: at + 1, to: target + 1 }];
  });
  const end = steps.length + 1;
  const axis = FIRST_COLUMN + COLUMN * leaps.length;
  const label = steps.map((step, at) => `${at + 1}. ${sentence(step, steps)}`).join('; ');
  return (
    <svg
      className="mk-path"
      role="img"
      aria-label={t.pathLabel(label)}
      viewBox={`0 0 ${WIDTH} ${(end + 1) * ROW}`}
      width="100%"
    >
      {steps.map((step, at) =>
        step.type === 'exit' ? null : (
          <path
            key={`line ${step.id ?? at}`}
            d={`M${axis} ${y(at + 1)}V${y(at + 2)}`}
            className="mk-path-line"
          />
        ),
      )}
      <path d={`M${axis} ${y(0)}V${y(1)}`} className="mk-path-line" />
      {leaps.map(({ from, to }, order) => {
        const column = FIRST_COLUMN - RADIUS + order * COLUMN;
        const bend = from < to ? 10 : -10;
        return (
          <path
            key={`leap ${from} ${to}`}
            d={`M${axis - RADIUS} ${y(from)}H${column + 10}Q${column} ${y(from)} ${column} ${y(from) + bend}V${y(to) - bend}Q${column} ${y(to)} ${column + 10} ${y(to)}H${axis - RADIUS - 3}`}
            className="mk-path-leap"
            markerEnd="url(#mk-arrow)"
          />
        );
      })}
      <defs>
        <marker
          id="mk-arrow"
          viewBox="0 0 8 8"
          refX="7"
          refY="4"
          markerWidth="7"
          markerHeight="7"
          orient="auto"
        >
          <path d="M0 0 8 4 0 8Z" className="mk-path-arrow" />
        </marker>
      </defs>
      <Node x={axis} y={y(0)} kind="end" number="" text={t.begin} />
      {steps.map((step, at) => (
        <Node
          key={step.id ?? at}
          x={axis}
          y={y(at + 1)}
          kind={step.type}
          number={String(at + 1)}
          text={sentence(step, steps)}
        />
      ))}
      {steps.at(-1)?.type === 'exit' ? null : (
        <Node x={axis} y={y(end)} kind="end" number="" text={t.pathEnd} />
      )}
    </svg>
  );
}

/** Characters that fit beside a node. */
const FITS = 38;

function Node({
  x,
  y,
  kind,
  number,
  text,
}: {
  x: number;
  y: number;
  kind: string;
  number: string;
  text: string;
}) {
  const isLong = text.length > FITS;
  return (
    <g className="mk-path-node" data-kind={kind}>
      <circle cx={x} cy={y} r={kind === 'end' ? 6 : RADIUS} />
      <text x={x} y={y + 4} textAnchor="middle" className="mk-path-number">
        {number}
      </text>
      <text x={x + RADIUS + 10} y={y + 4} className="mk-path-text">
        {isLong ? `${text.slice(0, FITS - 1)}…` : text}
      </text>
    </g>
  );
}
