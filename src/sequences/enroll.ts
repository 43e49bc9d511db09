// Enrolls a contact in a sequence by request, cancels enrollments, and retries failed ones.
import type { SequenceContext } from './context.js';
import { Refusal } from '../contract/refusal.js';
import { blockingRow } from '../suppressions/suppression.rules.js';
import type { SequenceStep } from './steps.rules.js';
import { newId } from '../lib/runtime/index.js';
import type { Scope } from '../database/scope.js';
import type { Contact } from '../contacts/contacts.tables.js';
import { type Sequence, enrollments } from './sequences.tables.js';
import { update } from '../database/rows.js';
import { enrollContact, type NewEnrollment, retryEnrollments } from './enrollment-changes.store.js';

/** Number of enrollments retried in one transaction. */
const RETRY_BATCH = 500;

interface EnrollRequest {
  contact: Contact;
  variables: Readonly<Record<string, unknown>>;
  now: number;
}

/**
 * Returns the new enrollment's id. A person who has completed the sequence can be enrolled again. Refused with `already_enrolled`,
 * and with `recipient_suppressed` for a contact who would leave at the first step.
 */
export async function enroll(
  context: SequenceContext,
  scope: Scope,
  sequence: Sequence,
  { contact, variables, now }: EnrollRequest,
): Promise<string> {
  await refuseSuppressed(context, scope, sequence, contact);
  const [first] = JSON.parse(sequence.steps) as SequenceStep[];
  if (!first) throw new Error('A sequence has at least one step.');
  const row: NewEnrollment = {
    id: newId('enr', now),
    sequence_number: sequence.number,
    contact_number: contact.number,
    email_key: contact.email_key,
    status: 'active',
    exit_reason: null,
    step: first.id,
    step_since: now,
    due_at: now,
    waits_for: null,
    last_message_id: null,
    steps_taken: 0,
    variables: JSON.stringify(variables),
    created_at: now,
    updated_at: now,
  };
  await context.store.commit([enrollContact({ row, ifActive: { code: 'already_enrolled' } })]);
  return row.id;
}

/** Ends an active enrollment. Refused with `not_found`, and with `conflict` if it has ended. */
export async function cancelEnrollment(
  { store, clock }: SequenceContext,
  sequence: Sequence,
  id: string,
): Promise<void> {
  const row = await store.sequences.enrollment(sequence.number, id);
  if (!row) throw new Refusal('not_found');
  await store.commit([
    update(enrollments, {
      set: { status: 'canceled', waits_for: null, updated_at: clock() },
      where: { number: row.number, status: 'active' },
      otherwise: { code: 'conflict', message: 'The enrollment has already ended.' },
    }),
  ]);
}

/** Continues failed enrollments at the step where they failed, and returns their number. */
export async function retryFailed({ store, clock }: SequenceContext, { number }: Sequence): Promise<number> {
  let retried = 0;
  let after: number | undefined = 0;
  // The first commit includes the audit entry, so it runs even if no enrollment had failed.
  do {
    const numbers: number[] = await store.sequences.retryableEnrollments(number, after, RETRY_BATCH);
    await store.commit([retryEnrollments({ numbers, at: clock() })]);
    retried += numbers.length;
    after = numbers.at(-1);
  } while (after !== undefined);
  return retried;
}

async function refuseSuppressed(
  { store }: SequenceContext,
  scope: Scope,
  sequence: Sequence,
  contact: Contact,
): Promise<void> {
  const { type, sub_tenant_id: subTenantId } = sequence;
  const { environmentId } = scope;
  const isOfList = sequence.trigger_kind === 'list_joined';
  const [organization, rows, unsubscribed] = await Promise.all([
    store.accounts.organization(scope),
    store.suppressions.suppressionsOf({ environmentId, subTenantId }, [contact.email_key]),
    isOfList ? store.sequences.unsubscribed(sequence.trigger_value, [contact.email_key]) : new Set<string>(),
  ]);
  const { unsubscribe_blocks: unsubscribeBlocks } = organization;
  const row = blockingRow(rows, { type, subTenantId, unsubscribeBlocks });
  const isBulk = type !== 'transactional';
  const reason =
    row?.reason ??
    (isBulk && contact.status !== 'active' ? contact.status : null) ??
    (isBulk && unsubscribed.has(contact.email_key) ? 'left_list' : null);
  if (reason === null) return;
  throw new Refusal('recipient_suppressed', `${contact.email} cannot receive mail: ${reason}.`, {
    details: { reason },
  });
}
