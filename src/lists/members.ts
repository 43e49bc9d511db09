// Adds members to a list and removes them, on behalf of its owner.
import { Refusal } from '../contract/refusal.js';
import { type Consent, leaveList, joinList, type JoinList } from '../contacts/contact-changes.store.js';
import type { Contact } from '../contacts/contacts.tables.js';
import type { Member } from '../contacts/lists/lists.store.js';
import type { ContactList } from '../contacts/lists/lists.tables.js';
import { commitPerson, ownContact, type Person } from '../contacts/person.js';
import type { Change } from '../database/change.js';
import type { Scope } from '../database/scope.js';
import type { ListContext } from './context.js';
import type { ListStores } from './stores.js';

/** Contacts that join in one commit. Other commits wait no longer than for these. */
const BATCH = 200;

type MemberContext = Pick<ListContext, 'store' | 'clock'>;

interface Addition {
  added: number;
  already: number;
  /** Ids of contacts who left on their own. */
  unsubscribed: string[];
  /** Ids that are not a contact of the list's owner. */
  missing: string[];
}

interface Asked {
  /** Adds contacts who left on their own, too. */
  resubscribe: boolean;
  consent: Consent;
}

/**
 * Adds a person to the list as a contact of its owner. Returns whether they are new on it. Refuses with
 * `list_is_segment`, or with `contact_left_list` if they left on their own and `resubscribe` is not set.
 */
export async function addPerson(
  { store, clock }: MemberContext,
  { scope, list }: { scope: Scope; list: ContactList },
  person: Person,
  { resubscribe, consent }: Asked,
): Promise<{ member: Member; isNew: boolean }> {
  refuseSegment(list);
  if (!resubscribe && (await store.lists.leftAt(list.number, person.key)) !== null) {
    throw new Refusal('contact_left_list');
  }
  const now = clock();
  const owner = ownerScope(scope, list);
  const known = await ownContact(store, owner, person.key);
  const before = known ? await readMember(store, list, known) : null;
  const { contact } = await commitPerson({ store }, owner, person, {
    status: 'active',
    now,
    further: (contactId) => [joinAsMember(list, { contactId, returned: resubscribe, consent, at: now })],
  });
  const member = await readMember(store, list, contact);
  // The contact has left the list in the meantime.
  if (!member) throw new Refusal('contact_left_list');
  return { member, isNew: before?.state !== 'subscribed' };
}

/** Adds contacts to the list by their ids. Refuses with `list_is_segment`. */
export async function addContacts(
  { store, clock }: MemberContext,
  list: ContactList,
  ids: readonly string[],
  { resubscribe, consent }: Asked,
): Promise<Addition> {
  refuseSegment(list);
  const now = clock();
  const wanted = [...new Set(ids)];
  const contacts = await store.lists.contactsThatMayJoin(list, wanted);
  const found = new Set(contacts.map((contact) => contact.id));
  const gone = await store.lists.unsubscribedAmong(
    list.number,
    contacts.map((contact) => contact.email_key),
  );
  const joins = contacts.filter((contact) => resubscribe || !gone.has(contact.email_key));
  const before = await store.lists.memberships(
    list.number,
    joins.map((contact) => contact.number),
  );
  const added = joins.filter((contact) => before.get(contact.number)?.state !== 'subscribed');
  // Members who unsubscribed from all mail are still subscribed to the list, and are returned as well.
  const returning = resubscribe
    ? joins.filter((contact) => contact.status === 'unsubscribed' && !added.includes(contact))
    : [];
  const joining = [...added, ...returning];
  for (let i = 0; i < joining.length; i += BATCH) {
    await store.commit(
      joining
        .slice(i, i + BATCH)
        .map(({ id }) => joinAsMember(list, { contactId: id, returned: resubscribe, consent, at: now })),
    );
  }
  return {
    added: added.length,
    already: joins.length - added.length,
    unsubscribed: contacts.filter((contact) => !joins.includes(contact)).map((contact) => contact.id),
    missing: wanted.filter((id) => !found.has(id)),
  };
}

/**
 * Removes a contact, who can be added again, and returns its id. Refuses with `list_is_segment`, or with `not_found` if
 * the contact is not a member.
 */
export async function removeMember(
  { store, clock }: MemberContext,
  { scope, list }: { scope: Scope; list: ContactList },
  contact: { id: string } | { emailKey: string },
): Promise<string> {
  refuseSegment(list);
  const found =
    'id' in contact
      ? ((await store.lists.contactsThatMayJoin(list, [contact.id]))[0] ?? null)
      : await ownContact(store, ownerScope(scope, list), contact.emailKey);
  const member = found ? await readMember(store, list, found) : null;
  if (!found || !member) throw new Refusal('not_found');
  const { id, email_key: emailKey } = found;
  await store.commit([
    leaveList({ listNumber: list.number, contactId: id, emailKey, unsubscribed: false, at: clock() }),
  ]);
  return id;
}

function ownerScope(scope: Scope, list: ContactList): Scope {
  return { ...scope, subTenantId: list.sub_tenant_id };
}

async function readMember(
  store: Pick<ListStores, 'lists'>,
  list: ContactList,
  contact: Contact,
): Promise<Member | null> {
  const row = (await store.lists.memberships(list.number, [contact.number])).get(contact.number);
  return row ? { contact, state: row.state, joinedAt: row.joined_at } : null;
}

function refuseSegment(list: ContactList): void {
  if (list.filter !== null) throw new Refusal('list_is_segment');
}

function joinAsMember(
  list: ContactList,
  join: Pick<JoinList, 'contactId' | 'returned' | 'consent' | 'at'>,
): Change {
  return joinList({ listNumber: list.number, state: 'subscribed', ...join });
}
