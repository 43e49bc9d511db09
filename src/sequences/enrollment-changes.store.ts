// Changes that start, continue and end enrollments, and start sequences by their triggers.
import type { Insertable } from 'kysely';
import { contactEntered, contactRemoved, type ContactEntry } from '../contacts/contact-changes.store.js';
import { newId } from '../lib/runtime/index.js';
import { defineChange } from '../database/change.js';
import { columnNames } from '../database/columns.js';
import type { Writing } from '../database/committer.js';
import type { Value } from '../database/engine/engine.js';
import { refuse, type Otherwise } from '../database/refuse.js';
import { onSignal } from '../database/signals.js';
import { inList, insertRow, rowsAs } from '../database/sql.js';
import { enrollments, type EnrollmentTable, type Sequence } from './sequences.tables.js';

/** The enrollment has moved or ended since it was read, or its sequence has paused. The caller reads it again. */
export class EnrollmentRace extends Error {}

// A look-up in a partial index of active sequences, because an import runs it for every contact and tag.
const WAITING_SEQUENCES = `SELECT number, sub_tenant_id, steps FROM sequences
  WHERE environment_id = ? AND trigger_kind = ? AND trigger_value = ? AND status = 'active' AND deleted_at IS NULL`;
const WAS_ENROLLED =
  'SELECT 1 AS one FROM enrollments WHERE contact_number = ? AND sequence_number = ? LIMIT 1';

const ENROLLMENT_COLUMNS = columnNames(enrollments, 'number');
const ENROLL = `${insertRow(enrollments, ENROLLMENT_COLUMNS)} ON CONFLICT DO NOTHING RETURNING number`;

/** Enrolls the contact in every active sequence with this trigger in the environment, at most once in each. */
async function triggerSequences({ tx }: Writing, trigger: ContactEntry): Promise<void> {
  const { environmentId, subTenantId, kind, value, contactNumber, emailKey, at } = trigger;
  const waiting = await rowsAs<Pick<Sequence, 'number' | 'sub_tenant_id' | 'steps'>>(
    tx.run(WAITING_SEQUENCES, [environmentId, kind, value]),
  );
  for (const { number, sub_tenant_id, steps } of waiting) {
    if (sub_tenant_id !== subTenantId) continue;
    const [first] = JSON.parse(steps) as { id: string }[];
    if (!first) continue;
    if ((await tx.run(WAS_ENROLLED, [contactNumber, number])).length > 0) continue;
    await insertEnrollment(tx, {
      id: newId('enr', at),
      sequence_number: number,
      contact_number: contactNumber,
      email_key: emailKey,
      status: 'active',
      exit_reason: null,
      step: first.id,
      step_since: at,
      due_at: at,
      waits_for: null,
      last_message_id: null,
      steps_taken: 0,
      variables: '{}',
      created_at: at,
      updated_at: at,
    });
  }
}

/** Returns false if the contact is enrolled already. */
async function insertEnrollment(tx: Writing['tx'], row: NewEnrollment): Promise<boolean> {
  const values: Record<string, Value | undefined> = { ...row };
  const rows = await tx.run(
    ENROLL,
    ENROLLMENT_COLUMNS.map((column) => values[column] ?? null),
  );
  return rows.length > 0;
}

const STEP_COLUMNS = [
  'status',
  'exit_reason',
  'step',
  'step_since',
  'due_at',
  'waits_for',
  'steps_taken',
  'updated_at',
] as const;
const TAKE_STEP = `UPDATE enrollments SET last_message_id = COALESCE(?, last_message_id),
  ${STEP_COLUMNS.map((column) => `${column} = ?`).join(', ')}
  WHERE number = ? AND status = 'active' AND step = ? AND step_since = ? AND steps_taken = ? RETURNING number`;
// After a pause was confirmed, the sequence must not send.
const TAKE_SENDING_STEP = TAKE_STEP.replace(
  ' RETURNING',
  ` AND EXISTS (SELECT 1 FROM sequences s WHERE s.number = enrollments.sequence_number AND s.status = 'active') RETURNING`,
);
const KEEP_MESSAGE =
  'INSERT INTO enrollment_messages (enrollment_number, message_id) VALUES (?, ?) ON CONFLICT DO NOTHING';

export interface TakeStep {
  number: number;
  /** The step count distinguishes two visits of one step within a millisecond. */
  at: { step: string; stepSince: number; stepsTaken: number };
  /** The new place. */
  set: Pick<
    EnrollmentTable,
    'status' | 'exit_reason' | 'step' | 'step_since' | 'due_at' | 'waits_for' | 'steps_taken' | 'updated_at'
  >;
  hasMessage: boolean;
}

/**
 * Moves or ends an active enrollment. The whole plan is refused with `EnrollmentRace` if the enrollment has moved since it was
 * read. With `hasMessage`, the message that the plan accepted last becomes its latest message.
 */
export const takeStep = defineChange<TakeStep>(
  'take-step',
  async ({ tx }, { number, at, set, hasMessage }, { messageIds }) => {
    const messageId = hasMessage ? (messageIds.at(-1) ?? null) : null;
    if (hasMessage && messageId === null) throw new Error('The step sends, but its plan accepted nothing.');
    const rows = await tx.run(hasMessage ? TAKE_SENDING_STEP : TAKE_STEP, [
      messageId,
      ...STEP_COLUMNS.map((column) => set[column]),
      number,
      at.step,
      at.stepSince,
      at.stepsTaken,
    ]);
    if (rows.length === 0) throw new EnrollmentRace('The enrolment has gone on meanwhile.');
    if (messageId !== null) await tx.run(KEEP_MESSAGE, [number, messageId]);
  },
);

export type NewEnrollment = Omit<Insertable<EnrollmentTable>, 'number'>;

/** Enrolls a contact. With `ignore`, nothing changes if the contact is enrolled already. */
export const enrollContact = defineChange<{ row: NewEnrollment; ifActive: Otherwise | 'ignore' }>(
  'enroll',
  async ({ tx }, { row, ifActive }) => {
    if ((await insertEnrollment(tx, row)) || ifActive === 'ignore') return;
    refuse(ifActive);
  },
  { madeId: ({ row }) => row.id },
);

/**
 * Makes failed enrollments active again, at the step where they failed and due now. Leaves out contacts who were enrolled again
 * since.
 */
export const retryEnrollments = defineChange<{ numbers: readonly number[]; at: number }>(
  'retry-enrollments',
  async ({ tx }, { numbers, at }) => {
    const { marks, values } = inList(numbers);
    await tx.run(
      `UPDATE enrollments SET status = 'active', exit_reason = NULL, step_since = ?, due_at = ?, updated_at = ?
      WHERE number IN (${marks}) AND status = 'failed' AND NOT EXISTS (SELECT 1 FROM enrollments later
        WHERE later.sequence_number = enrollments.sequence_number AND later.contact_number = enrollments.contact_number
          AND later.number > enrollments.number)`,
      [at, at, at, ...values],
    );
  },
);

const FORGET_ENROLLED = `DELETE FROM enrollment_messages WHERE enrollment_number IN
  (SELECT number FROM enrollments WHERE contact_number = ?)`;
const FORGET_ENROLLMENTS = 'DELETE FROM enrollments WHERE contact_number = ?';

/** Enrolls contacts in sequences by their triggers, and ends the enrollments of removed contacts. */
export const sequenceHandlers = [
  onSignal(contactEntered, triggerSequences),
  onSignal(contactRemoved, async ({ tx }, { contactNumber }) => {
    await tx.run(FORGET_ENROLLED, [contactNumber]);
    await tx.run(FORGET_ENROLLMENTS, [contactNumber]);
  }),
];
