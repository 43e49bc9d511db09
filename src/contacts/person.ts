// Finds or creates the contact of a person who is added to a list.
import { invalidFields, Refusal } from '../contract/refusal.js';
import { MAX_TAGS, metadataProblem } from '../contract/schema.js';
import { newId } from '../lib/runtime/index.js';
import type { Contact } from './contacts.tables.js';
import type { Scope } from '../database/scope.js';
import type { ContactStores } from './stores.js';
import type { Plan } from '../database/change.js';
import { putContact, changeContact } from './contact-changes.store.js';

const MAX_TRIES = 3;

export interface Person {
  email: string;
  /** Key by which contacts and suppressions are found. */
  key: string;
  /** Undefined keeps the name. */
  name?: string | null;
  /** Merged by key. */
  metadata?: Record<string, unknown>;
  /** Added to the contact's tags. */
  tags?: readonly string[];
}

type PersonStores = Pick<ContactStores, 'contacts' | 'commit'>;

/** Reads the contact of exactly this scope, which is the sub-tenant's or the workspace's own. */
export async function ownContact(
  store: Pick<ContactStores, 'contacts'>,
  scope: Scope,
  emailKey: string,
): Promise<Contact | null> {
  const found = await store.contacts.contactByAddress(scope, emailKey);
  return found?.sub_tenant_id === scope.subTenantId ? found : null;
}

/**
 * Commits the person's contact with the changes that `further` returns for it, and returns the contact. `status` applies to
 * a new one. Refuses with `validation_error` if there are too many merged tags or too much metadata.
 */
export async function commitPerson(
  { store }: { store: PersonStores },
  scope: Scope,
  person: Person,
  options: {
    status: Contact['status'];
    now: number;
    further: (contactId: string, known: Contact | null) => Plan;
  },
): Promise<{ contact: Contact; isNew: boolean }> {
  for (let attempt = 1; attempt <= MAX_TRIES; attempt++) {
    const known = await ownContact(store, scope, person.key);
    const { id, plan } = known
      ? { id: known.id, plan: changes(known, person, options.now) }
      : insertion(scope, person, options);
    const isLast = attempt === MAX_TRIES;
    if (!(await isCommitted(store, [...plan, ...options.further(id, known)], isLast))) continue;
    const contact = await store.contacts.contact(scope, id);
    // A simultaneous request may have added the address first, or deleted the contact.
    if (contact) return { contact, isNew: known === null };
  }
  throw new Refusal(
    'conflict',
    'The contact is repeatedly being added and deleted by other requests. Try again.',
  );
}

/** Returns false if the contact was changed since it was read. */
async function isCommitted(store: PersonStores, plan: Plan, isLast: boolean): Promise<boolean> {
  try {
    await store.commit(plan);
    return true;
  } catch (error) {
    if (!isLast && error instanceof Refusal && error.code === 'conflict') return false;
    throw error;
  }
}

function insertion(
  scope: Scope,
  person: Person,
  { status, now }: { status: Contact['status']; now: number },
): { id: string; plan: Plan } {
  const id = newId('cnt', now);
  const row = {
    id,
    environment_id: scope.environmentId,
    sub_tenant_id: scope.subTenantId,
    email: person.email,
    email_key: person.key,
    name: person.name ?? null,
    phone: null,
    tags: JSON.stringify(tagsWith([], person.tags ?? [])),
    metadata: JSON.stringify(metadataWith({}, person.metadata ?? {})),
    status,
    created_at: now,
    updated_at: now,
  };
  return { id, plan: [putContact({ row, ifKnown: 'ignore' })] };
}

function changes(known: Contact, { name, metadata, tags }: Person, now: number): Plan {
  const set = {
    ...(name === undefined || name === known.name ? {} : { name }),
    ...withChange('tags', known.tags, (before) => tagsWith(before as string[], tags ?? [])),
    ...withChange('metadata', known.metadata, (before) =>
      metadataWith(before as Record<string, unknown>, metadata ?? {}),
    ),
  };
  if (Object.keys(set).length === 0) return [];
  const { id, updated_at: ifUpdatedAt } = known;
  return [changeContact({ id, set: { ...set, updated_at: now }, ifUpdatedAt })];
}

function withChange<N extends 'tags' | 'metadata'>(
  name: N,
  json: string,
  change: (before: unknown) => unknown,
): { [K in N]?: string } {
  const after = JSON.stringify(change(JSON.parse(json)));
  return (after === json ? {} : { [name]: after }) as { [K in N]?: string };
}

function tagsWith(before: readonly string[], added: readonly string[]): string[] {
  const tags = [...new Set([...before, ...added])];
  if (tags.length <= Math.max(MAX_TAGS, before.length)) return tags;
  throw invalidFields([
    {
      path: 'tags',
      message: `would give the contact more than ${MAX_TAGS} tags (${tags.length})`,
    },
  ]);
}

function metadataWith(
  before: Record<string, unknown>,
  added: Record<string, unknown>,
): Record<string, unknown> {
  // Spreading defines the keys, so that one called __proto__ remains plain data.
  const merged = { ...before, ...added };
  const problem = Object.keys(added).length === 0 ? null : metadataProblem(merged);
  if (problem !== null) throw invalidFields([{ path: 'metadata', message: problem }]);
  return merged;
}
