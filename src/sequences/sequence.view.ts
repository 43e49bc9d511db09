// Presents sequences, enrollments and their statistics.
import { wireOf } from '../contract/codec.js';
import { enrollment, sequence, type SequenceAnalyticsWire, type SequenceTrigger } from './sequence.schema.js';
import type { BranchEvent } from '../contract/names.js';
import { type SequenceStep, liveSteps } from './steps.rules.js';
import type { EnrollmentCount, SequenceStats, ShownEnrollment } from './sequences.store.js';
import { iso } from '../contract/time.js';
import type { Sequence } from './sequences.tables.js';

const mailbox = (email: string | null, name: string | null) => (email === null ? null : { email, name });

/** The context is the number of messages in doubt. */
export const presentSequence = wireOf(sequence).from<Sequence, number>({
  trigger: presentTrigger,
  steps: (row) =>
    liveSteps(JSON.parse(row.steps) as SequenceStep[]).map((step) =>
      step.type === 'send' ? { ...step, variables: { ...step.variables } } : step,
    ),
  from: (row) => mailbox(row.from_email, row.from_name),
  reply_to: (row) => mailbox(row.reply_to_email, row.reply_to_name),
  in_doubt: (_row, inDoubt) => inDoubt,
});

function presentTrigger({ trigger_kind: type, trigger_value: value }: Sequence): SequenceTrigger {
  switch (type) {
    case 'contact_tagged':
      return { type, tag: value };
    case 'list_joined':
      return { type, list_id: value };
    case 'manual':
    case 'contact_created':
      return { type };
  }
}

/** The context is the sequence's id. */
export const presentEnrollment = wireOf(enrollment).from<ShownEnrollment, string>({
  sequence_id: (_row, sequenceId) => sequenceId,
  contact_id: 'contactId',
  step: (row) => (row.status === 'active' ? row.step : null),
  next_at: (row) => (row.status === 'active' ? iso(row.due_at) : null),
  waits_for: (row) => (row.status === 'active' ? (row.waits_for as BranchEvent | null) : null),
});

type StepCounts = SequenceAnalyticsWire['steps'][number];
const STEP_MEASURES = [
  'queued',
  'sent',
  'delivered',
  'opened',
  'clicked',
  'replied',
  'bounced',
  'complained',
  'unsubscribed',
  'failed',
  'suppressed',
  'machine_opened',
  'machine_clicked',
] as const satisfies readonly (keyof StepCounts)[];

/** Removed steps come last, if they have counts. */
export function presentSequenceAnalytics(
  row: Sequence,
  counts: readonly EnrollmentCount[],
  stats: readonly SequenceStats[],
): SequenceAnalyticsWire {
  const withStatus = (status: string): EnrollmentCount[] => counts.filter((count) => count.status === status);
  const total = (some: readonly EnrollmentCount[]): number => some.reduce((sum, { n }) => sum + n, 0);
  const reasons = (status: string) =>
    withStatus(status)
      .map(({ exitReason, n }) => ({ reason: exitReason ?? 'unknown', enrollments: n }))
      .sort((a, b) => b.enrollments - a.enrollments || (a.reason < b.reason ? -1 : 1));
  const byMeasure = new Map(stats.map(({ variant, measure, n }) => [`${variant}/${measure}`, n]));
  const active = withStatus('active');
  const steps = JSON.parse(row.steps) as SequenceStep[];
  const live = liveSteps(steps);
  const known = new Set(live.map(({ id }) => id));
  const gone = new Set([
    ...stats.map(({ variant }) => variant),
    ...active.flatMap(({ step }) => (step === null ? [] : [step])),
  ]);
  const shown = [
    ...live.map(({ id, type }) => ({ id, type })),
    ...[...gone].filter((id) => id !== '' && !known.has(id)).map((id) => ({ id, type: 'removed' as const })),
  ];
  return {
    object: 'sequence_analytics',
    sequence_id: row.id,
    entered: total(counts),
    active: total(active),
    completed: total(withStatus('completed')),
    exited: total(withStatus('exited')),
    canceled: total(withStatus('canceled')),
    failed: total(withStatus('failed')),
    exits: reasons('exited'),
    failures: reasons('failed'),
    steps: shown.map(({ id, type }): StepCounts => {
      const measures = STEP_MEASURES.map((measure) => [measure, byMeasure.get(`${id}/${measure}`) ?? 0]);
      return {
        id,
        type,
        active: total(active.filter(({ step }) => step === id)),
        ...(Object.fromEntries(measures) as Record<(typeof STEP_MEASURES)[number], number>),
      };
    }),
  };
}
