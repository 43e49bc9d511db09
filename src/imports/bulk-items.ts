// Applies a bulk action to one message or contact, with the same refusals as the operation on a single one.
import { Refusal, isUnavailable } from '../contract/refusal.js';
import { MAX_TAGS } from '../contract/schema.js';
import { newId } from '../lib/runtime/index.js';
import { leaveLists } from '../contacts/contacts.store.js';
import type { Message } from '../messages/messages.store.js';
import type { Scope } from '../database/scope.js';
import type { ImportContext } from './context.js';
import type { BulkDeed } from './bulk-record.js';
import type { Contact } from '../contacts/contacts.tables.js';
import type { ContactList } from '../contacts/lists/lists.tables.js';
import {
  removeContact,
  changeContact,
  joinList,
  leaveList,
  type Consent,
} from '../contacts/contact-changes.store.js';
import { suppress as suppressChange } from '../suppressions/suppression-changes.store.js';

/** `skipped` if nothing had to be changed, or if the item was deleted. */
export type ItemOutcome =
  | { kind: 'done' }
  | { kind: 'skipped' }
  | { kind: 'failed'; code: Refusal['code']; message: string };

/** The actor and scope of an action. */
export interface BulkTerms {
  scope: Scope;
  deed: BulkDeed;
  /** The list that contacts join or leave; `null` for other actions. */
  list: ContactList | null;
  /** ID of the bulk action, which makes a repetition after a crash idempotent. */
  id: string;
}

const DONE = { kind: 'done' } as const;
const SKIPPED = { kind: 'skipped' } as const;
const NOT_THE_OWNER =
  'A list of the workspace only contains its own contacts, and a list of a sub-tenant only those of the sub-tenant.';
/** Attempts if another request changes the same contact. */
const TRIES = 3;

export type BulkItemContext = Pick<ImportContext, 'store' | 'mail' | 'clock'>;

/** Applies the action to these row IDs. Returns their outcomes in any order; deleted items are skipped. */
export async function applyToItems(
  context: BulkItemContext,
  { rowIds, target }: { rowIds: readonly number[]; target: 'messages' | 'contacts' },
  terms: BulkTerms,
): Promise<ItemOutcome[]> {
  const { messages, contacts } = context.store;
  const found =
    target === 'messages'
      ? (await messages.messagesByRowId(terms.scope, rowIds)).map(
          (row) => () => applyToMessage(context, row, terms),
        )
      : (await contacts.contactsByNumber(rowIds)).map((row) => () => applyToContact(context, row, terms));
  const outcomes = await Promise.all(found.map(settle));
  const gone = rowIds.length - found.length;
  return [...outcomes, ...Array.from({ length: gone }, (): ItemOutcome => SKIPPED)];
}

/** Turns a refusal into an outcome. Rejects with `unavailable` and with faults, after which the outcome is not known. */
async function settle(work: () => Promise<ItemOutcome>): Promise<ItemOutcome> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof Refusal) || isUnavailable(error)) throw error;
    if (error.code === 'not_found') return SKIPPED;
    return { kind: 'failed', code: error.code, message: error.message };
  }
}

async function applyToMessage(
  context: BulkItemContext,
  message: Message,
  { scope, deed, id }: BulkTerms,
): Promise<ItemOutcome> {
  const { action, actor, keyId } = deed;
  switch (action) {
    case 'resend':
      await context.mail.resend(scope, message.public_id, {
        actor,
        keyId,
        // Bulk actions need the permission `full`, and keys with a policy have `send`.
        policy: null,
        idempotencyHeader: `${id}/${message.public_id}`,
      });
      return DONE;
    case 'cancel':
      await context.mail.cancel(scope, message.public_id, actor);
      return DONE;
    case 'suppress':
      if (message.status === 'received') {
        throw new Refusal('conflict', 'An inbound message has no recipient to suppress.');
      }
      return suppress(context, { email: message.to_email, emailKey: message.to_key, owner: message }, deed);
    case 'tag':
    case 'untag':
    case 'add_to_list':
    case 'remove_from_list':
    case 'delete':
      throw new Error(`Messages have no bulk action ${action}.`);
  }
}

async function applyToContact(
  context: BulkItemContext,
  contact: Contact,
  { deed, list }: BulkTerms,
): Promise<ItemOutcome> {
  switch (deed.action) {
    case 'tag':
    case 'untag':
      return retag(context, contact, deed);
    case 'add_to_list':
    case 'remove_from_list':
      if (!list || !deed.list) throw new Error('The action has no list.');
      return deed.action === 'add_to_list'
        ? join(context, contact, { list, consent: deed.list.consent })
        : leave(context, contact, list);
    case 'suppress':
      return suppress(context, { email: contact.email, emailKey: contact.email_key, owner: contact }, deed);
    case 'delete':
      return remove(context, contact);
    case 'resend':
    case 'cancel':
      throw new Error(`Contacts have no bulk action ${deed.action}.`);
  }
}

async function remove({ store, clock }: BulkItemContext, { id, number }: Contact): Promise<ItemOutcome> {
  const at = clock();
  await store.commit([
    ...leaveLists(await store.contacts.placesOf(number), at),
    removeContact({ id, at, isBulk: true, otherwise: { code: 'not_found' } }),
  ]);
  return DONE;
}

/** Refused with `contact_left_list`, and with `validation_error` for a contact of another owner than the list's. */
async function join(
  { store, clock }: BulkItemContext,
  { id, number, email_key: emailKey, sub_tenant_id: owner }: Contact,
  { list, consent }: { list: ContactList; consent: Consent },
): Promise<ItemOutcome> {
  if (owner !== list.sub_tenant_id) throw new Refusal('validation_error', NOT_THE_OWNER);
  if ((await store.lists.leftAt(list.number, emailKey)) !== null) throw new Refusal('contact_left_list');
  const known = (await store.lists.memberships(list.number, [number])).get(number);
  if (known?.state === 'subscribed') return SKIPPED;
  const { number: listNumber } = list;
  const at = clock();
  await store.commit([
    joinList({ listNumber, contactId: id, state: 'subscribed', returned: false, consent, at }),
  ]);
  return DONE;
}

async function leave(
  { store, clock }: BulkItemContext,
  { id, number, email_key: emailKey }: Contact,
  { number: listNumber }: ContactList,
): Promise<ItemOutcome> {
  if (!(await store.lists.memberships(listNumber, [number])).has(number)) return SKIPPED;
  await store.commit([leaveList({ listNumber, contactId: id, emailKey, unsubscribed: false, at: clock() })]);
  return DONE;
}

async function retag(
  { store, clock }: BulkItemContext,
  found: Contact,
  { action, tags }: BulkDeed,
): Promise<ItemOutcome> {
  let contact: Contact | undefined = found;
  for (let attempt = 1; contact !== undefined; attempt++) {
    const before = JSON.parse(contact.tags) as string[];
    const after =
      action === 'tag' ? [...new Set([...before, ...tags])] : before.filter((tag) => !tags.includes(tag));
    if (after.length === before.length) return SKIPPED;
    if (after.length > MAX_TAGS) {
      throw new Refusal('validation_error', `A contact can have up to ${MAX_TAGS} tags.`, {
        param: 'tags',
      });
    }
    try {
      await store.commit([
        changeContact({
          id: contact.id,
          set: { tags: JSON.stringify(after), updated_at: clock() },
          ifUpdatedAt: contact.updated_at,
          otherwise: { code: 'not_found' },
          isBulk: true,
        }),
      ]);
      return DONE;
    } catch (error) {
      if (!(error instanceof Refusal) || error.code !== 'conflict' || attempt === TRIES) throw error;
      [contact] = await store.contacts.contactsByNumber([contact.number]);
    }
  }
  return SKIPPED;
}

/** Suppresses the address for the owner of the message or contact, a workspace or its sub-tenant. */
async function suppress(
  { store, clock }: BulkItemContext,
  {
    email,
    emailKey,
    owner,
  }: { email: string; emailKey: string; owner: { environment_id: number; sub_tenant_id: string | null } },
  { reason }: BulkDeed,
): Promise<ItemOutcome> {
  const { environment_id: environmentId, sub_tenant_id: subTenantId } = owner;
  const known = await store.suppressions.suppressionsOfExactly({ environmentId, subTenantId }, [emailKey]);
  if (known.length > 0) return SKIPPED;
  const now = clock();
  const row = {
    id: newId('sup', now),
    environment_id: environmentId,
    sub_tenant_key: subTenantId ?? '',
    email,
    email_key: emailKey,
    reason,
    message_public_id: null,
    reply: null,
    created_at: now,
  };
  await store.commit([suppressChange({ row, conflict: 'ignore', isBulk: true })]);
  return DONE;
}
