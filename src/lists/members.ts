// Members that the owner of a list adds or removes, one by one or by ids.
import { Refusal } from '../contract/refusal.js';
import type { Clock } from '../lib/runtime/clock.js';
import type { Contact } from '../contacts/contacts.tables.js';
import type { Member } from '../contacts/lists/lists.store.js';
import type { ContactList } from '../contacts/lists/lists.tables.js';
import type { Scope } from '../database/scope.js';
import type { ListStores } from './stores.js';
import { commitPerson, ownContact, type Person } from '../contacts/person.js';
import { type Consent, leaveList, joinList, type JoinList } from '../contacts/contact-changes.store.js';
import type { Change } from '../database/change.js';

/** Joined in one commit: others' commits wait no longer than for these. */
const BATCH = 200;

export interface ListMembersDeps {
  store: Pick<ListStores, 'contacts' | 'lists' | 'commit'>;
  clock: Clock;
}

export interface Addition {
  added: number;
  already: number;
  /** Ids of contacts who left on their own. */
  unsubscribed: string[];
  /** Ids that are no contact of the list's owner. */
  missing: string[];
}

interface Asked {
  /** Also who left on their own. */
  resubscribe: boolean;
  consent: Consent;
}

export type ListMembers = ReturnType<typeof createListMembers>;

export function createListMembers({ store, clock }: ListMembersDeps) {
  const scopeOfList = (scope: Scope, list: ContactList): Scope => ({
    ...scope,
    subTenantId: list.sub_tenant_id,
  });

  async function memberOf(list: ContactList, contact: Contact): Promise<Member | null> {
    const row = (await store.lists.memberships(list.number, [contact.number])).get(contact.number);
    return row ? { contact, state: row.state, joinedAt: row.joined_at } : null;
  }

  return {
    /**
     * Puts a person onto the list, as a contact of its owner's. Answers whether they are new on it. Refused with
     * `list_is_segment`, or with `contact_left_list` when they left on their own and are not to be put back.
     */
    async addPerson(
      scope: Scope,
      list: ContactList,
      person: Person,
      { resubscribe, consent }: Asked,
    ): Promise<{ member: Member; isNew: boolean }> {
      refuseSegment(list);
      if (!resubscribe && (await store.lists.leftAt(list.number, person.key)) !== null) {
        throw new Refusal('contact_left_list');
      }
      const now = clock();
      const owner = scopeOfList(scope, list);
      const known = await ownContact(store, owner, person.key);
      const before = known ? await memberOf(list, known) : null;
      const { contact } = await commitPerson({ store }, owner, person, {
        status: 'active',
        now,
        further: (contactId) => [joinOf(list, { contactId, returned: resubscribe, consent, at: now })],
      });
      const member = await memberOf(list, contact);
      // The contact left the list meanwhile.
      if (!member) throw new Refusal('contact_left_list');
      return { member, isNew: before?.state !== 'subscribed' };
    },

    /** Puts contacts onto the list by their ids. Refused with `list_is_segment`. */
    async addContacts(
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
      // Members who unsubscribed from all mail are subscribed still, and come back as well.
      const returning = resubscribe
        ? joins.filter((contact) => contact.status === 'unsubscribed' && !added.includes(contact))
        : [];
      const joining = [...added, ...returning];
      for (let i = 0; i < joining.length; i += BATCH) {
        await store.commit(
          joining
            .slice(i, i + BATCH)
            .map(({ id }) => joinOf(list, { contactId: id, returned: resubscribe, consent, at: now })),
        );
      }
      return {
        added: added.length,
        already: joins.length - added.length,
        unsubscribed: contacts.filter((contact) => !joins.includes(contact)).map((contact) => contact.id),
        missing: wanted.filter((id) => !found.has(id)),
      };
    },

    /**
     * Takes a contact off the list; they may be put onto it again. Answers its id. Refused with `list_is_segment`, or
     * `not_found` when they are not on it.
     */
    async remove(
      scope: Scope,
      list: ContactList,
      contact: { id: string } | { emailKey: string },
    ): Promise<string> {
      refuseSegment(list);
      const owner = scopeOfList(scope, list);
      const found =
        'id' in contact
          ? ((await store.lists.contactsThatMayJoin(list, [contact.id]))[0] ?? null)
          : await ownContact(store, owner, contact.emailKey);
      const member = found ? await memberOf(list, found) : null;
      if (!found || !member) throw new Refusal('not_found');
      const { id, email_key: emailKey } = found;
      const who = { listNumber: list.number, contactId: id, emailKey };
      await store.commit([leaveList({ ...who, unsubscribed: false, at: clock() })]);
      return id;
    },
  };
}

function refuseSegment(list: ContactList): void {
  if (list.filter !== null) throw new Refusal('list_is_segment');
}

function joinOf(
  list: ContactList,
  join: Pick<JoinList, 'contactId' | 'returned' | 'consent' | 'at'>,
): Change {
  return joinList({ listNumber: list.number, state: 'subscribed', ...join });
}
