// Finds the contact that a path or a body names.
import { Refusal } from '../contract/refusal.js';
import type { Contact } from './contacts.tables.js';
import type { Scope } from '../store/scope.js';
import type { Store } from '../store/store.js';
import { readAddress, type AddressField } from '../api/body/fields.js';

export interface ContactReads {
  audience: Pick<Store['audience'], 'contact' | 'contactByAddress'>;
}

/** By id or address; an address is a contact of exactly this scope. Refused with `not_found`. */
export async function findContact(store: ContactReads, scope: Scope, idOrAddress: string): Promise<Contact> {
  const found = idOrAddress.includes('@')
    ? await ownContact(store, scope, readAddress('id', idOrAddress))
    : await store.audience.contact(scope, idOrAddress);
  if (!found) throw new Refusal('not_found');
  return found;
}

/** The contact of exactly this scope: a sub-tenant's own, or the workspace's own. */
export async function ownContact(
  store: ContactReads,
  scope: Scope,
  { key }: AddressField,
): Promise<Contact | null> {
  const found = await store.audience.contactByAddress(scope, key);
  return found?.sub_tenant_id === scope.subTenantId ? found : null;
}
