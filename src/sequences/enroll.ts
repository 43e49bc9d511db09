// Enrolls a contact in a sequence by request.
import { Refusal } from '../contract/refusal.js';
import { blockingRow } from '../suppressions/suppression.rules.js';
import type { SequenceStep } from './steps.rules.js';
import { newId } from '../lib/runtime/ids.js';
import type { Scope } from '../database/scope.js';
import type { SequenceStore } from './sequences.store.js';
import type { SequenceStores } from './stores.js';
import type { Contact } from '../contacts/contacts.tables.js';
import type { Sequence } from './sequences.tables.js';
import { enrollContact, type NewEnrollment } from './enrollment-changes.store.js';

export interface EnrollDeps {
  store: Pick<SequenceStores, 'accounts' | 'suppressions' | 'commit'> & { sequences: SequenceStore };
}

export interface EnrollRequest {
  contact: Contact;
  variables: Readonly<Record<string, unknown>>;
  now: number;
}

/**
 * The new enrolment's id; whoever has been through the sequence may begin it again. Refused with `already_enrolled`, and
 * with `recipient_suppressed` for who would be let out at the first step.
 */
export async function enroll(
  { store }: EnrollDeps,
  scope: Scope,
  sequence: Sequence,
  { contact, variables, now }: EnrollRequest,
): Promise<string> {
  await refuseSuppressed({ store }, scope, sequence, contact);
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
  await store.commit([enrollContact({ row, ifActive: { code: 'already_enrolled' } })]);
  return row.id;
}

async function refuseSuppressed(
  { store }: EnrollDeps,
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
