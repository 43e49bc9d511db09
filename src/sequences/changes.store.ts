// The changes of a plan by which enrolments begin, go on and end.
import type { Insertable } from 'kysely';
import type { Otherwise } from '../store/refuse.js';
import type { EnrollmentTable } from './sequences.tables.js';

/** Somebody begins a sequence; `ignore` when they are in it already. */
export interface Enroll {
  kind: 'enroll';
  row: Omit<Insertable<EnrollmentTable>, 'number'>;
  ifActive: Otherwise | 'ignore';
}

/**
 * An active enrolment goes on, or ends. The whole plan is refused with `EnrollmentRace` when it is no longer where it was
 * read. With `hasMessage` the message that the plan accepted last is its last one, and one of its messages.
 */
export interface TakeStep {
  kind: 'take-step';
  number: number;
  /** The count of steps tells apart two visits of one step within a millisecond. */
  at: { step: string; stepSince: number; stepsTaken: number };
  /** Where it is then, whole. */
  set: Pick<
    EnrollmentTable,
    'status' | 'exit_reason' | 'step' | 'step_since' | 'due_at' | 'waits_for' | 'steps_taken' | 'updated_at'
  >;
  hasMessage: boolean;
}

/**
 * Failed enrolments become active again, at the step where they failed and due now. Left out are contacts who were enrolled
 * again since.
 */
export interface RetryEnrollments {
  kind: 'retry-enrollments';
  numbers: readonly number[];
  at: number;
}

export type SequenceChange = Enroll | TakeStep | RetryEnrollments;
