// What is known of enrolled contacts right before their next step, read for many at once: nothing that was true when
// they were enrolled is taken for granted.
import type { ExitEvent } from '../contract/names.js';
import type { ExitFacts, ExitTerms, Goal, Happened } from './sequence.rules.js';
import type { SequenceStep } from './steps.rules.js';
import { blockingRow } from '../suppressions/suppression.rules.js';
import type { Organization } from '../accounts/accounts.store.js';
import type { EnrolledContact, Enrollment, PlacedSequence, SequenceStore } from './sequences.store.js';
import type { Store } from '../store/store.js';
import type { Suppression } from '../suppressions/suppressions.store.js';

export interface FactsDeps {
  store: Pick<Store, 'audience'> & { sequences: SequenceStore };
}

/** A sequence's row with its JSON read. */
export interface Terms extends ExitTerms {
  sequence: PlacedSequence;
}

/** All of it was written by the API only. */
export function termsOf(sequence: PlacedSequence): Terms {
  return {
    sequence,
    type: sequence.type,
    steps: JSON.parse(sequence.steps) as SequenceStep[],
    exitOn: JSON.parse(sequence.exit_on) as ExitEvent[],
    goal: sequence.goal === null ? null : (JSON.parse(sequence.goal) as Goal),
  };
}

export interface EnrollmentFacts extends ExitFacts {
  row: EnrolledContact | null;
  /** What became of the last message; null when there is none. */
  last: readonly Happened[] | null;
  /** When the sequence wrote to them last, in this enrolment or an earlier one; null when not lately. */
  lastMailAt: number | null;
}

export type FactsOf = (enrollment: Enrollment) => EnrollmentFacts;

/** The facts of these enrolments of one sequence; mail before `since` is not looked for. */
export async function readFacts(
  { store }: FactsDeps,
  { sequence }: Terms,
  enrollments: readonly Enrollment[],
  { organization, since }: { organization: Pick<Organization, 'unsubscribe_blocks'>; since: number },
): Promise<FactsOf> {
  const keys = [...new Set(enrollments.map((enrollment) => enrollment.email_key))];
  const { environmentId, subTenantId } = sequence.scope;
  const sent = enrollments.filter((enrollment) => enrollment.last_message_id !== null);
  const isOfList = sequence.trigger_kind === 'list_joined';
  const [contacts, rows, happenedTo, unsubscribed, lastMails] = await Promise.all([
    store.sequences.contactsOf(enrollments.map((enrollment) => enrollment.contact_number)),
    store.audience.suppressionsAmong(keys.map((emailKey) => ({ environmentId, emailKey }))),
    store.sequences.happenedTo(sent.map((enrollment) => enrollment.number)),
    isOfList ? store.sequences.unsubscribed(sequence.trigger_value, keys) : new Set<string>(),
    store.sequences.lastMailTo(sequence.id, keys, since),
  ]);
  const byNumber = new Map(contacts.map((contact) => [contact.number, contact]));
  const question = {
    type: sequence.type,
    subTenantId,
    unsubscribeBlocks: organization.unsubscribe_blocks,
  };
  const suppressions = new Map<string, Suppression[]>();
  for (const row of rows) suppressions.set(row.email_key, [...(suppressions.get(row.email_key) ?? []), row]);
  return (enrollment) => {
    const { email_key: key, last_message_id: lastId } = enrollment;
    const row = byNumber.get(enrollment.contact_number) ?? null;
    const happened = happenedTo.get(enrollment.number) ?? [];
    return {
      row,
      contact: row && { status: row.status, tags: JSON.parse(row.tags) as string[] },
      blocked: blockingRow(suppressions.get(key) ?? [], question)?.reason ?? null,
      hasLeftList: unsubscribed.has(key),
      happened,
      last: lastId === null ? null : happened.filter(({ messageId }) => messageId === lastId),
      lastMailAt: lastMails.get(key) ?? null,
    };
  };
}
