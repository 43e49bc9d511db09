// Tables of sequences and enrollments.
import type { EnrollmentStatus, SequenceStatus } from '../contract/names.js';
import {
  type ColumnsOf,
  generated,
  instant,
  int,
  json,
  nullable,
  type RowOf,
  table,
  text,
} from '../database/columns.js';

export const sequences = table('sequences', {
  number: generated(int()),
  id: text(),
  environment_id: int(),
  sub_tenant_id: nullable(text()),
  name: text(),
  type: text<'transactional' | 'marketing' | 'sales'>(),
  trigger_kind: text<'manual' | 'contact_created' | 'contact_tagged' | 'list_joined'>(),
  /** The tag or the list's id; '' if the trigger has none. */
  trigger_value: text(),
  /** JSON: the steps, each with a stable id. */
  steps: json(),
  /** JSON: the events that end an enrollment. */
  exit_on: json(),
  /** JSON: {event, ...}, the sequence's goal, or `null`. */
  goal: nullable(json()),
  from_email: nullable(text()),
  from_name: nullable(text()),
  reply_to_email: nullable(text()),
  reply_to_name: nullable(text()),
  status: text<SequenceStatus>(),
  /** JSON {code, message}: why the sequence was paused automatically. */
  problem: nullable(json()),
  created_at: instant(),
  updated_at: instant(),
  deleted_at: nullable(instant()),
});
export type Sequence = RowOf<typeof sequences>;

export const enrollments = table('enrollments', {
  number: generated(int()),
  id: text(),
  sequence_number: int(),
  contact_number: int(),
  email_key: text(),
  status: text<EnrollmentStatus>(),
  exit_reason: nullable(text()),
  /** Id of the next or waiting step. */
  step: text(),
  /** When the enrollment reached the step. */
  step_since: instant(),
  due_at: instant(),
  /** The event that a branch waits for, or `null`. */
  waits_for: nullable(text()),
  last_message_id: nullable(int()),
  /** Number of steps taken, which limits circles of branches. */
  steps_taken: int(),
  /** JSON. */
  variables: json(),
  created_at: instant(),
  updated_at: instant(),
});
export type EnrollmentTable = ColumnsOf<typeof enrollments>;
export type Enrollment = RowOf<typeof enrollments>;

export const enrollmentMessages = table('enrollment_messages', {
  enrollment_number: int(),
  message_id: int(),
});
