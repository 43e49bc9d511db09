// Creates, changes and deletes lists and segments, and previews a segment that is not stored.
import type { Contact } from '../contacts/contacts.tables.js';
import { type ContactList, contactLists } from '../contacts/lists/lists.tables.js';
import { listsNamedBy, readSegment, type SegmentGroup } from '../contacts/lists/segment.rules.js';
import { invalidFields, Refusal } from '../contract/refusal.js';
import type { Change } from '../database/change.js';
import { insert, update } from '../database/rows.js';
import type { Scope } from '../database/scope.js';
import { newId } from '../lib/runtime/index.js';
import type { ContactListCreate, ContactListPatch } from './contact-list.schema.js';
import type { ListContext } from './context.js';
import type { SegmentCounts } from './segment-counts.js';
import type { ListStores } from './stores.js';

const PREVIEW_SAMPLE = 10;
const GONE = { code: 'not_found' } as const;

type ListWork = Pick<ListContext, 'store' | 'clock'>;

/** Reads a list of the scope. Refuses with `not_found`. */
export async function findList(
  store: Pick<ListStores, 'lists'>,
  scope: Scope,
  id: string,
): Promise<ContactList> {
  const list = await store.lists.list(scope, id);
  if (!list) throw new Refusal('not_found');
  return list;
}

export async function createList(
  work: ListWork,
  scope: Scope,
  given: ContactListCreate,
): Promise<ContactList> {
  const { id, change } = await planList(work, scope, given);
  await work.store.commit([change]);
  return findList(work.store, scope, id);
}

/** Plans a new list or segment. */
export async function planList(
  { store, clock }: Pick<ListContext, 'clock'> & { store: Pick<ListStores, 'lists' | 'templates'> },
  scope: Scope,
  given: ContactListCreate,
): Promise<{ id: string; change: Change }> {
  const templateId = given.confirmation_template_id ?? null;
  await checkTemplate(store, scope, templateId);
  const filter = await readFilter(store, scope, given.filter ?? null);
  const now = clock();
  const row = {
    id: newId('lst', now),
    environment_id: scope.environmentId,
    sub_tenant_id: scope.subTenantId,
    name: given.name,
    description: given.description ?? null,
    double_opt_in: given.double_opt_in === true ? (1 as const) : (0 as const),
    confirmation_template_id: templateId,
    filter,
    contacts: 0,
    counted_at: null,
    form_origins: JSON.stringify(readOrigins(given.form_origins ?? [])),
    created_at: now,
    updated_at: now,
    deleted_at: null,
  };
  return { id: row.id, change: insert(contactLists, { row }) };
}

/** Changes the given fields. Refuses if a list would become a segment, or a segment a list. */
export async function editList(
  { store, clock }: ListWork,
  segmentCounts: SegmentCounts,
  { scope, list }: { scope: Scope; list: ContactList },
  given: ContactListPatch,
): Promise<ContactList> {
  const set = await readColumns(store, { ...scope, subTenantId: list.sub_tenant_id }, list, given);
  if (set.filter !== undefined) segmentCounts.forget(list.id);
  const where = { number: list.number, deleted_at: null };
  const whole = { ...set, updated_at: clock() };
  await store.commit([update(contactLists, { set: whole, where, otherwise: GONE })]);
  return findList(store, scope, list.id);
}

export async function deleteList(
  { store, clock }: ListWork,
  { number }: Pick<ContactList, 'number'>,
): Promise<void> {
  const now = clock();
  const set = { deleted_at: now, updated_at: now };
  const where = { number, deleted_at: null };
  await store.commit([update(contactLists, { set, where, otherwise: GONE })]);
}

/** Gives a list a new publishable key, with which forms on any website can sign up contacts for this list only. */
export async function rotatePublishableKey(work: ListWork, scope: Scope, id: string): Promise<ContactList> {
  const random = newId('lst', work.clock()).slice('lst_'.length);
  return setFormKey(work, scope, id, `pk_${scope.mode}_${random}`);
}

/** Sets the publishable key of a list, or revokes it with `null`. Refuses with `list_is_segment`. */
export async function setFormKey(
  { store, clock }: ListWork,
  scope: Scope,
  id: string,
  formKey: string | null,
): Promise<ContactList> {
  const { number, filter } = await findList(store, scope, id);
  if (filter !== null) throw new Refusal('list_is_segment');
  const set = { form_key: formKey, updated_at: clock() };
  const where = { number, deleted_at: null };
  await store.commit([update(contactLists, { set, where, otherwise: GONE })]);
  return findList(store, scope, id);
}

/** Counts the contacts that match a filter and reads a sample of them. */
export async function previewSegment(
  { store, clock }: ListWork,
  scope: Scope,
  given: Record<string, unknown> | null,
): Promise<{ contacts: number; sample: Contact[] }> {
  const filter = await readFilter(store, scope, given);
  if (filter === null) throw invalidFields([{ path: 'filter', message: 'must not be null for a segment' }]);
  const audience = { list: unsavedSegment(scope, filter, clock()), segmentTag: null };
  const contacts = await store.lists.audienceCount(audience);
  const sample = await store.lists.audiencePage({ ...audience, beforeNumber: null, limit: PREVIEW_SAMPLE });
  return { contacts, sample };
}

/** Returns a segment without a row, which no one has left. */
function unsavedSegment(scope: Scope, filter: string, now: number): ContactList {
  return {
    number: 0,
    id: '',
    name: '',
    description: null,
    double_opt_in: 0,
    confirmation_template_id: null,
    environment_id: scope.environmentId,
    sub_tenant_id: scope.subTenantId,
    filter,
    form_key: null,
    form_origins: '[]',
    contacts: 0,
    counted_at: null,
    created_at: now,
    updated_at: now,
    deleted_at: null,
  };
}

async function readColumns(store: ListStores, scope: Scope, list: ContactList, given: ContactListPatch) {
  const { name, description, double_opt_in: doubleOptIn, confirmation_template_id: templateId } = given;
  if (templateId !== undefined) await checkTemplate(store, scope, templateId);
  const isSegment = list.filter !== null;
  if (given.filter !== undefined && (given.filter !== null) !== isSegment) {
    const message = isSegment
      ? 'a segment must have a filter'
      : 'a list that is not a segment cannot have a filter';
    throw invalidFields([{ path: 'filter', message }]);
  }
  const filter = given.filter ? await readFilter(store, scope, given.filter) : null;
  const { form_origins: origins } = given;
  return {
    ...(name === undefined ? {} : { name }),
    ...(description === undefined ? {} : { description }),
    ...(doubleOptIn === undefined ? {} : { double_opt_in: doubleOptIn ? (1 as const) : (0 as const) }),
    ...(templateId === undefined ? {} : { confirmation_template_id: templateId }),
    ...(origins === undefined ? {} : { form_origins: JSON.stringify(readOrigins(origins)) }),
    ...(filter === null || filter === list.filter ? {} : { filter, counted_at: null }),
  };
}

/** Returns the origins as browsers write them. Refuses if one has more than a scheme, a host and a port. */
function readOrigins(origins: readonly string[]): string[] {
  const problems = origins.flatMap((text, i) => {
    const isOrigin =
      /^https?:/.test(text) && URL.canParse(text) && new URL(text).origin === text.toLowerCase();
    return isOrigin
      ? []
      : [{ path: `form_origins.${i}`, message: 'must be a web origin such as https://www.example.com' }];
  });
  if (problems.length > 0) throw invalidFields(problems);
  return [...new Set(origins.map((text) => text.toLowerCase()))];
}

async function checkTemplate(
  store: Pick<ListStores, 'templates'>,
  scope: Scope,
  templateId: string | null,
): Promise<void> {
  if (templateId === null || (await store.templates.template(scope, templateId))) return;
  throw new Refusal('template_not_found', undefined, { param: 'confirmation_template_id' });
}

/** Returns the stored filter. Refuses with every problem by its path, including lists that do not exist. */
async function readFilter(
  store: Pick<ListStores, 'lists'>,
  scope: Scope,
  input: Record<string, unknown> | null,
): Promise<string | null> {
  if (input === null) return null;
  const read = readSegment(input, 'filter');
  if (!read.ok) throw invalidFields(read.problems);
  await checkLists(store, scope, read.filter);
  return JSON.stringify(read.filter);
}

async function checkLists(
  store: Pick<ListStores, 'lists'>,
  scope: Scope,
  filter: SegmentGroup,
): Promise<void> {
  for (const id of listsNamedBy(filter)) {
    const list = await store.lists.list(scope, id);
    if (list?.sub_tenant_id !== scope.subTenantId) {
      throw new Refusal('list_not_found', `The filter refers to a list that does not exist: ${id}.`, {
        param: 'filter',
      });
    }
    if (list.filter !== null) {
      throw invalidFields([
        { path: 'filter', message: `${id} is a segment. A segment cannot be based on another segment` },
      ]);
    }
  }
}
