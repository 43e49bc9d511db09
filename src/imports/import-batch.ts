// One batch of an import: reads rows, compares them with existing contacts, and combines the changes and the progress into one
// plan.
import { csvLines, type RawRow, spreadsheetCell } from '../lib/rows/index.js';
import { newId } from '../lib/runtime/index.js';
import type { Contact } from '../contacts/contacts.tables.js';
import type { Scope } from '../database/scope.js';
import type { ImportStores } from './stores.js';
import { readContactRow, type RowProblem, type WantedContact } from './contact-row.js';
import type { ImportOptions } from './transfer-record.js';
import { MAX_TAGS, metadataProblem } from '../contract/schema.js';
import { REASON_OF_STATUS } from '../suppressions/suppression.rules.js';
import { type Consent, putContact, changeContact, joinList } from '../contacts/contact-changes.store.js';
import type { Change } from '../database/change.js';
import { suppress } from '../suppressions/suppression-changes.store.js';

// Changes of a contact that an import's row names: given fields overwrite, tags are added, metadata is merged key by key. A
// contact who must not be written to stays so.
/** The columns that an import writes. */
type ImportedContact = Pick<Contact, 'name' | 'phone' | 'tags' | 'metadata' | 'status'>;

const NEW: ImportedContact = { name: null, phone: null, tags: '[]', metadata: '{}', status: 'active' };

/** The contact as it then is; `known` is null for a new one. */
function mergeContact(
  known: ImportedContact | null,
  wanted: WantedContact,
  extraTags: readonly string[],
): ImportedContact | RowProblem {
  const before = known ?? NEW;
  const had = JSON.parse(before.tags) as string[];
  const tags = [...new Set([...had, ...wanted.tags, ...extraTags])];
  if (tags.length > MAX_TAGS && tags.length > had.length) {
    return { problem: `The contact would have more than ${MAX_TAGS} tags.` };
  }
  const merged = mergedMetadata(before.metadata, wanted.metadata);
  if (typeof merged !== 'string') return merged;
  return {
    name: wanted.name ?? before.name,
    phone: wanted.phone ?? before.phone,
    tags: tags.length === had.length ? before.tags : JSON.stringify(tags),
    metadata: merged,
    status: before.status === 'active' ? (wanted.status ?? 'active') : before.status,
  };
}

function mergedMetadata(before: string, given: Record<string, unknown>): string | RowProblem {
  const entries = Object.entries(given);
  if (entries.length === 0) return before;
  const had = JSON.parse(before) as Record<string, unknown>;
  // Built from entries, so that no key has a special meaning for the object.
  const value = Object.fromEntries([...Object.entries(had), ...entries]);
  const problem = metadataProblem(value);
  return problem === null ? JSON.stringify(value) : { problem: `metadata ${problem}.` };
}

function isSame(a: ImportedContact, b: ImportedContact): boolean {
  return (
    a.name === b.name &&
    a.phone === b.phone &&
    a.tags === b.tags &&
    a.metadata === b.metadata &&
    a.status === b.status
  );
}

export interface BatchStore {
  transfers: Pick<ImportStores['transfers'], 'contactsOfAddresses'>;
  lists: Pick<ImportStores['lists'], 'memberships' | 'unsubscribedAmong'>;
  tenants: Pick<ImportStores['tenants'], 'subTenant'>;
}

/** A row that was read, or why it cannot be. `planContacts` refuses further rows. */
export interface ReadContact {
  wanted: WantedContact | RowProblem;
}

export type ContactTerms = Pick<ImportOptions, 'mode' | 'tags' | 'dryRun' | 'list' | 'consent'>;

/** Counts of rows, and the changes that they ask for. */
export interface ContactPlan {
  created: number;
  updated: number;
  failed: number;
  skipped: number;
  notRejoined: number;
  /** Rows that say not to write to the contact. */
  optedOut: number;
  /** The changes; empty for a dry run. */
  plan: Change[];
  /** IDs of the contacts, including new ones, by the keys of their addresses within the owner of the import. */
  ids: Map<string, string>;
}

export interface ImportBatch extends ContactPlan {
  processed: number;
  /** Lines of the report of refused rows. */
  rejected: string;
}

/** A contact that rows of the batch name. */
interface Named {
  id: string;
  known: Contact | null;
  wanted: WantedContact;
  /** Null while every row about it was left out. */
  now: ImportedContact | null;
  isMember: boolean;
  joins: boolean;
}

/** For an import that began before its requester was recorded. */
const UNKNOWN_SENDER: Consent = {
  event: 'joined',
  actor: 'system',
  actorId: null,
  source: 'POST /v1/imports',
  ip: null,
  userAgent: null,
};
const TENANT_ID = /^tnt_[0-9a-z]{26}$/;
export const REJECTED_HEAD = csvLines([['line', 'problem', 'row']]);

/** Throws no error itself. The plan is refused with `conflict` if the contacts were changed in the meantime. */
export async function planBatch(
  store: BatchStore,
  rows: readonly RawRow[],
  { scope, options, now }: { scope: Scope; options: ImportOptions; now: number },
): Promise<ImportBatch> {
  const read = rows.map((row) => ({ row, wanted: readContactRow(row, options) }));
  const plan = await planContacts(store, read, { scope, options, now });
  const refused = read.flatMap(({ row, wanted }) =>
    'problem' in wanted ? [[String(row.line), wanted.problem, shown(row)].map(spreadsheetCell)] : [],
  );
  return { ...plan, processed: rows.length, rejected: csvLines(refused) };
}

/** Plans the contacts of rows. Rows that cannot be imported get the problem in place of the contact. */
export async function planContacts(
  store: BatchStore,
  read: readonly ReadContact[],
  { scope, options, now }: { scope: Scope; options: ContactTerms; now: number },
): Promise<ContactPlan> {
  const batch: ContactPlan = {
    created: 0,
    updated: 0,
    failed: 0,
    skipped: 0,
    notRejoined: 0,
    optedOut: 0,
    plan: [],
    ids: new Map(),
  };
  await checkTenants(store, scope, { list: options.list, read });
  const wanted = read.flatMap((one) => ('problem' in one.wanted ? [] : [one.wanted]));
  const known = await knownContacts(store, scope, { list: options.list, wanted });
  const contacts = new Map<string, Named>();
  for (const one of read) {
    if (!('problem' in one.wanted)) {
      one.wanted = planRow({ batch, contacts, known, options, now }, one.wanted) ?? one.wanted;
    }
    if ('problem' in one.wanted) batch.failed++;
  }
  for (const { id, now: contact, wanted: one } of contacts.values()) {
    if (contact !== null && one.subTenantId === (scope.subTenantId ?? '')) batch.ids.set(one.key, id);
  }
  if (!options.dryRun)
    batch.plan = [...contacts.values()].flatMap((one) => changesOf(one, { scope, options, now }));
  return batch;
}

interface Known {
  contacts: ReadonlyMap<string, Contact>;
  members: ReadonlySet<number>;
  unsubscribed: ReadonlySet<string>;
}

async function knownContacts(
  { transfers, lists }: BatchStore,
  scope: Scope,
  { list, wanted }: { list: ImportOptions['list']; wanted: readonly WantedContact[] },
): Promise<Known> {
  const keys = [...new Set(wanted.map(({ key }) => key))];
  const rows = await transfers.contactsOfAddresses(scope.environmentId, keys);
  const contacts = new Map(rows.map((row) => [nameOf(row.sub_tenant_id ?? '', row.email_key), row]));
  if (!list) return { contacts, members: new Set(), unsubscribed: new Set() };
  const numbers = rows.map(({ number }) => number);
  const memberships = await lists.memberships(list.number, numbers);
  return {
    contacts,
    members: new Set(numbers.filter((number) => memberships.get(number)?.state === 'subscribed')),
    unsubscribed: await lists.unsubscribedAmong(list.number, keys),
  };
}

const nameOf = (subTenantId: string, key: string): string => `${subTenantId} ${key}`;

/** Assigns each row its sub-tenant: the one that it names, which must exist, or the import's own. */
async function checkTenants(
  { tenants }: BatchStore,
  scope: Scope,
  { list, read }: { list: ImportOptions['list']; read: readonly ReadContact[] },
): Promise<void> {
  const found = new Map<string, boolean>();
  for (const one of read) {
    if ('problem' in one.wanted) continue;
    const { subTenantId: id } = one.wanted;
    if (id === '' || id === scope.subTenantId) {
      one.wanted.subTenantId = scope.subTenantId ?? '';
    } else if (scope.subTenantId !== null) {
      one.wanted = { problem: 'The row names a different sub-tenant than the import.' };
    } else if (list) {
      // An opt-out from the tenant's mail is not an opt-out from the workspace's mail.
      one.wanted = { problem: 'A contact of a sub-tenant cannot be added to a list of the workspace.' };
    } else {
      if (!found.has(id)) {
        found.set(id, TENANT_ID.test(id) && (await tenants.subTenant(scope, id)) !== null);
      }
      if (!found.get(id)) one.wanted = { problem: 'The sub-tenant does not exist.' };
    }
  }
}

interface RowContext {
  batch: ContactPlan;
  contacts: Map<string, Named>;
  known: Known;
  options: ContactTerms;
  now: number;
}

/** Counts the row and adds its changes; a problem refuses it. */
function planRow(
  { batch, contacts, known, options, now }: RowContext,
  wanted: WantedContact,
): RowProblem | null {
  const { mode, tags, list } = options;
  const name = nameOf(wanted.subTenantId, wanted.key);
  const before = contacts.get(name) ?? null;
  const row = known.contacts.get(name) ?? null;
  const named = before ?? {
    id: row?.id ?? newId('cnt', now),
    known: row,
    wanted,
    now: null,
    isMember: row !== null && known.members.has(row.number),
    joins: false,
  };
  const current = named.now ?? named.known;
  if (mode === (current ? 'create_only' : 'update_only')) {
    batch.skipped++;
    return null;
  }
  const merged = mergeContact(current, wanted, tags);
  if ('problem' in merged) return merged;
  const hasLeft = list !== null && known.unsubscribed.has(wanted.key);
  const joins = list !== null && !hasLeft && !named.isMember && !named.joins;
  if (hasLeft) batch.notRejoined++;
  if (wanted.status !== undefined) batch.optedOut++;
  if (current === null) batch.created++;
  else if (joins || !isSame(current, merged)) batch.updated++;
  contacts.set(name, { ...named, now: merged, joins: named.joins || joins });
  return null;
}

function changesOf(
  { id, known, wanted, now: contact, joins }: Named,
  { scope, options, now }: { scope: Scope; options: ContactTerms; now: number },
): Change[] {
  if (contact === null) return [];
  const { environmentId } = scope;
  const changes: Change[] = [];
  if (!known) {
    const row = {
      id,
      environment_id: environmentId,
      sub_tenant_id: wanted.subTenantId === '' ? null : wanted.subTenantId,
      email: wanted.email,
      email_key: wanted.key,
      ...contact,
      created_at: now,
      updated_at: now,
    };
    changes.push(putContact({ row, ifKnown: { code: 'conflict' }, isBulk: true }));
  } else if (!isSame(known, contact)) {
    const set = { ...differences(known, contact), updated_at: now };
    changes.push(
      changeContact({
        id,
        set,
        ifUpdatedAt: known.updated_at,
        otherwise: { code: 'conflict' },
        isBulk: true,
      }),
    );
  }
  changes.push(...suppressionOf({ known, wanted, contact }, { environmentId, now }));
  if (joins && options.list) {
    changes.push(
      joinList({
        listNumber: options.list.number,
        contactId: id,
        state: 'subscribed',
        returned: false,
        consent: options.consent ?? UNKNOWN_SENDER,
        at: now,
      }),
    );
  }
  return changes;
}

/** A status that forbids mail, and is new or set by the row itself, adds a suppression. */
function suppressionOf(
  { known, wanted, contact }: Pick<Named, 'known' | 'wanted'> & { contact: ImportedContact },
  { environmentId, now }: { environmentId: number; now: number },
): Change[] {
  const { status } = contact;
  if (status === 'active' || (status === known?.status && status !== wanted.status)) return [];
  const row = {
    id: newId('sup', now),
    environment_id: environmentId,
    sub_tenant_key: wanted.subTenantId,
    email: wanted.email,
    email_key: wanted.key,
    reason: REASON_OF_STATUS[status],
    message_public_id: null,
    reply: null,
    created_at: now,
  };
  return [suppress({ row, conflict: 'ignore', isBulk: true })];
}

/** The columns to write: unchanged ones are left out. */
function differences(known: Contact, contact: ImportedContact): Partial<ImportedContact> {
  return {
    ...(known.name === contact.name ? {} : { name: contact.name }),
    ...(known.phone === contact.phone ? {} : { phone: contact.phone }),
    ...(known.tags === contact.tags ? {} : { tags: contact.tags }),
    ...(known.metadata === contact.metadata ? {} : { metadata: contact.metadata }),
    ...(known.status === contact.status ? {} : { status: contact.status }),
  };
}

function shown({ octets }: RawRow): string {
  return Buffer.from(octets).toString();
}
