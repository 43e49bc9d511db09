// Tables and indexes of src/sequences.
import type { Spelling } from '../../engine/engine.js';

export const sequencesSchema = (t: Spelling): string[] => [
  `CREATE TABLE sequences (
    number ${t.id}, id TEXT NOT NULL UNIQUE, environment_id ${t.int} NOT NULL REFERENCES environments (id),
    sub_tenant_id TEXT, name TEXT NOT NULL, type TEXT NOT NULL, trigger_kind TEXT NOT NULL,
    trigger_value TEXT NOT NULL, steps TEXT NOT NULL, exit_on TEXT NOT NULL, goal TEXT, from_email TEXT,
    from_name TEXT, reply_to_email TEXT, reply_to_name TEXT, status TEXT NOT NULL, problem TEXT,
    created_at ${t.int} NOT NULL, updated_at ${t.int} NOT NULL, deleted_at ${t.int})`,
  `CREATE INDEX sequences_by_environment ON sequences (environment_id, number)`,
  `CREATE INDEX sequences_by_trigger ON sequences (environment_id, trigger_kind, trigger_value)
    WHERE status = 'active'`,

  `CREATE TABLE enrollments (
    number ${t.id}, id TEXT NOT NULL UNIQUE, sequence_number ${t.int} NOT NULL, contact_number ${t.int} NOT NULL,
    email_key TEXT NOT NULL, status TEXT NOT NULL, exit_reason TEXT, step TEXT NOT NULL, step_since ${t.int} NOT NULL,
    due_at ${t.int} NOT NULL, waits_for TEXT, last_message_id ${t.int}, steps_taken ${t.int} NOT NULL,
    variables TEXT NOT NULL, created_at ${t.int} NOT NULL, updated_at ${t.int} NOT NULL)`,
  `CREATE INDEX enrollments_due ON enrollments (sequence_number, due_at, number) WHERE status = 'active'`,
  `CREATE UNIQUE INDEX enrollments_active ON enrollments (sequence_number, contact_number) WHERE status = 'active'`,
  `CREATE INDEX enrollments_of_contact ON enrollments (contact_number, sequence_number)`,
  `CREATE INDEX enrollments_by_sequence ON enrollments (sequence_number, number)`,

  `CREATE TABLE enrollment_messages (
    enrollment_number ${t.int} NOT NULL, message_id ${t.int} NOT NULL, PRIMARY KEY (enrollment_number, message_id))`,
  `CREATE INDEX enrollment_messages_by_message ON enrollment_messages (message_id)`,
];
