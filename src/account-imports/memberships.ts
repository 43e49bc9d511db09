// Memberships of contacts in imported lists, as far as they differ from those that are stored.
import { joinList, leaveList } from '../contacts/contact-changes.store.js';
import type { Contact } from '../contacts/contacts.tables.js';
import type { ContactList } from '../contacts/lists/lists.tables.js';
import type { Change } from '../database/change.js';
import { addressKey } from '../lib/mime/index.js';
import type { ContactItem, Membership, RecordedConsent } from './items.rules.js';
import type { WriteTerms } from './write.js';

interface Member {
  key: string;
  /** Null if the address is not a contact. */
  contactId: string | null;
  /** Null for a contact that the same plan creates. */
  number: number | null;
  state: Membership['state'];
  consent: RecordedConsent | undefined;
}

/** `ids` are the contacts of the plan by the keys of their addresses. */
export async function changedMemberships(
  terms: WriteTerms,
  items: readonly ContactItem[],
  ids: ReadonlyMap<string, string>,
): Promise<Change[]> {
  const { store, scope } = terms;
  const keys = [...new Set(items.map(({ name }) => addressKey(name)))];
  const contacts = (await store.transfers.contactsOfAddresses(scope.environmentId, keys)).filter(
    (contact) => contact.sub_tenant_id === scope.subTenantId,
  );
  const known = new Map(contacts.map((contact) => [contact.email_key, contact]));
  const members = membersByList(items, ids, known);
  const lists = await terms.objectsOf('lists', [...members.keys()]);
  const changes: Change[] = [];
  for (const [listId, some] of members) {
    const id = lists.get(listId);
    const list = id === undefined ? null : await store.lists.list(scope, id);
    if (list) changes.push(...(await changesOfList(terms, list, some)));
  }
  return changes;
}

function membersByList(
  items: readonly ContactItem[],
  ids: ReadonlyMap<string, string>,
  known: ReadonlyMap<string, Contact>,
): Map<string, Member[]> {
  const members = new Map<string, Member[]>();
  for (const item of items) {
    const key = addressKey(item.name);
    const contact = known.get(key);
    const contactId = contact?.id ?? ids.get(key) ?? null;
    for (const { listId, state, consent } of item.memberships) {
      const some = members.get(listId) ?? [];
      members.set(listId, some);
      if (contactId !== null || state === 'unsubscribed') {
        some.push({ key, contactId, number: contact?.number ?? null, state, consent });
      }
    }
  }
  return members;
}

/** Contacts who left the list do not return to it. */
async function changesOfList(
  { store, consent, now }: WriteTerms,
  { number: listNumber }: ContactList,
  members: readonly Member[],
): Promise<Change[]> {
  const numbers = members.flatMap(({ number }) => number ?? []);
  const stored = await store.lists.memberships(listNumber, numbers);
  const left = await store.lists.unsubscribedAmong(
    listNumber,
    members.map(({ key }) => key),
  );
  return members.flatMap(({ key: emailKey, contactId, number, state, consent: own }): Change[] => {
    if (left.has(emailKey)) return [];
    if (state === 'unsubscribed') {
      return [leaveList({ listNumber, emailKey, contactId, unsubscribed: true, at: now })];
    }
    const before = number === null ? undefined : stored.get(number)?.state;
    if (contactId === null || before === 'subscribed' || before === state) return [];
    return [joinList({ listNumber, contactId, state, returned: false, consent: own ?? consent, at: now })];
  });
}
