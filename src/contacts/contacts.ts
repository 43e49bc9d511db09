// Creates, changes and deletes contacts. Setting a status also changes the suppressions of the address.
import { Refusal } from '../contract/refusal.js';
import type { Plan } from '../database/change.js';
import type { Scope } from '../database/scope.js';
import { newId } from '../lib/runtime/index.js';
import { liftSuppressions } from '../suppressions/suppression-changes.store.js';
import { suppressAddress } from '../suppressions/suppression-plan.store.js';
import { changeContact, putContact, removeContact, type PutContact } from './contact-changes.store.js';
import type { ContactPatch } from './contact.schema.js';
import { leaveLists } from './contacts.store.js';
import type { Contact } from './contacts.tables.js';
import { ownContact } from './person.js';
import type { ContactContext } from './context.js';

interface Address {
  email: string;
  /** Key by which suppressions and contacts are found. */
  key: string;
}

/** The columns that a request sets. */
export type ContactColumns = Partial<Pick<Contact, 'name' | 'phone' | 'tags' | 'metadata'>> &
  Pick<ContactPatch, 'status'>;

/** Creates the contact of the address, or changes the one that exists. */
export async function upsertContact(
  context: ContactContext,
  scope: Scope,
  address: Address,
  given: ContactColumns,
): Promise<{ row: Contact; isNew: boolean }> {
  const known = await ownContact(context.store, scope, address.key);
  const made = known ? null : await insertContact(context, scope, address, given);
  if (made) return { row: made, isNew: true };
  const existing = known ?? (await ownContact(context.store, scope, address.key));
  if (!existing) {
    throw new Refusal('conflict', 'The contact was added and deleted by other requests. Try again.');
  }
  const { id } = existing;
  return { row: await commitChange(context, scope, { id, address, given }), isNew: false };
}

/** Changes a contact that the scope can see. Refuses with `not_found` if another request deleted it. */
export function editContact(
  context: ContactContext,
  scope: Scope,
  { id, email, email_key: key, sub_tenant_id: subTenantId }: Contact,
  given: ContactColumns,
): Promise<Contact> {
  // The suppression belongs to the contact's owner. A workspace key can change the contacts of every sub-tenant.
  return commitChange(context, { ...scope, subTenantId }, { id, address: { email, key }, given });
}

/** Deletes a contact and its list memberships. */
export async function deleteContact(
  { store, clock }: ContactContext,
  { id, number }: Pick<Contact, 'id' | 'number'>,
): Promise<void> {
  const at = clock();
  await store.commit([
    ...leaveLists(await store.contacts.placesOf(number), at),
    removeContact({ id, at, otherwise: { code: 'not_found' } }),
  ]);
}

/** Returns `null` if a simultaneous request added the address first. */
async function insertContact(
  { store, clock }: ContactContext,
  scope: Scope,
  address: Address,
  given: ContactColumns,
): Promise<Contact | null> {
  const now = clock();
  const row: PutContact['row'] = {
    id: newId('cnt', now),
    environment_id: scope.environmentId,
    sub_tenant_id: scope.subTenantId,
    email: address.email,
    email_key: address.key,
    name: null,
    phone: null,
    tags: '[]',
    metadata: '{}',
    status: 'active',
    ...given,
    created_at: now,
    updated_at: now,
  };
  await store.commit([
    ...suppressionChanges(scope, address, given.status, now),
    putContact({ row, ifKnown: 'ignore' }),
  ]);
  return store.contacts.contact(scope, row.id);
}

async function commitChange(
  { store, clock }: ContactContext,
  scope: Scope,
  { id, address, given }: { id: string; address: Address; given: ContactColumns },
): Promise<Contact> {
  const now = clock();
  const { status, ...rest } = given;
  // The suppression decides the other status.
  const set = { ...rest, ...(status === 'active' ? { status } : {}), updated_at: now };
  await store.commit([
    ...suppressionChanges(scope, address, given.status, now),
    changeContact({ id, set, otherwise: { code: 'not_found' } }),
  ]);
  const changed = await store.contacts.contact(scope, id);
  if (!changed) throw new Refusal('not_found');
  return changed;
}

/**
 * Plans the changes of suppressions for a new status. `active` lifts the suppression of a contact that had unsubscribed, and
 * `unsubscribed` suppresses the address for all mail.
 */
function suppressionChanges(
  { environmentId, subTenantId }: Scope,
  { email, key }: Address,
  status: ContactPatch['status'],
  now: number,
): Plan {
  if (status === undefined) return [];
  if (status === 'active') {
    const where = {
      environment_id: environmentId,
      sub_tenant_key: subTenantId ?? '',
      email_key: key,
      reason: 'unsubscribe' as const,
    };
    return [liftSuppressions({ where, at: now })];
  }
  const owner = { environmentId, subTenantId, email, emailKey: key, publicId: null };
  return suppressAddress(owner, 'unsubscribe', now);
}
