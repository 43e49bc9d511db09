// Finds the contact that a path or a body names.
import { Refusal } from '../contract/refusal.js';
import type { Contact } from './contacts.tables.js';
import type { Scope } from '../database/scope.js';
import type { ContactStores } from './stores.js';
import { readAddress } from '../http/body/fields.js';
import { ownContact } from './person.js';

/** Finds a contact by its id, or by its address in exactly this scope. Refuses with `not_found`. */
export async function findContact(
  store: Pick<ContactStores, 'contacts'>,
  scope: Scope,
  idOrAddress: string,
): Promise<Contact> {
  const found = idOrAddress.includes('@')
    ? await ownContact(store, scope, readAddress('id', idOrAddress).key)
    : await store.contacts.contact(scope, idOrAddress);
  if (!found) throw new Refusal('not_found');
  return found;
}
