// Changes of contacts and their list memberships. Each also updates tags, search index, counts and sequence triggers. The
// statements are written by hand, because imports run millions of them.
import type { Actor, RecordEvent } from '../contract/names.js';
import type { Insertable } from 'kysely';
import { defineChange } from '../database/change.js';
import type { Writing } from '../database/committer.js';
import { appendRecordEvent } from '../events/record-events.store.js';
import { searchText } from './search.store.js';
import { columnNames } from '../database/columns.js';
import type { Value } from '../database/engine/engine.js';
import { refuse, type Otherwise } from '../database/refuse.js';
import { defineSignal, onSignal } from '../database/signals.js';
import { insertRow, rowsAs } from '../database/sql.js';
import { STATUS_OF_REASON } from '../suppressions/suppression.rules.js';
import {
  appendDeletedSuppressions,
  suppressionChanged,
  type SuppressionChange,
} from '../suppressions/suppression-changes.store.js';
import type { Suppression } from '../suppressions/suppressions.tables.js';
import { listTags } from './lists/tags.store.js';
import type { ContactList, ListMemberTable } from './lists/lists.tables.js';
import { contacts, type ContactTable } from './contacts.tables.js';

const DAY_MS = 86_400_000;

const CONTACT_COLUMNS = columnNames(contacts, 'number');
const INSERT_CONTACT = `${insertRow(contacts, CONTACT_COLUMNS)} ON CONFLICT DO NOTHING RETURNING number`;
const STORED =
  'SELECT number, id, environment_id, sub_tenant_id, email_key, name, tags, status, updated_at FROM contacts';
const BY_ID = `${STORED} WHERE id = ?`;
const BY_ADDRESS = `${STORED} WHERE environment_id = ? AND email_key = ? AND COALESCE(sub_tenant_id, '') = ?`;
const CHANGED_COLUMNS = ['name', 'phone', 'tags', 'metadata', 'status', 'updated_at'] as const;
const SUPPRESSED =
  'SELECT reason FROM suppressions WHERE environment_id = ? AND sub_tenant_key = ? AND email_key = ?';
const LIFT_UNSUBSCRIBE = `DELETE FROM suppressions WHERE environment_id = ? AND sub_tenant_key = ? AND email_key = ?
  AND reason = 'unsubscribe' RETURNING id, environment_id, sub_tenant_key`;
const SET_STATUS = 'UPDATE contacts SET status = ?, updated_at = ? WHERE number = ?';
const DELETE_CONTACT = 'DELETE FROM contacts WHERE number = ?';

const INSERT_TAG =
  'INSERT INTO contact_tags (environment_id, tag, contact_number) VALUES (?, ?, ?) ON CONFLICT DO NOTHING';
const DELETE_TAG = 'DELETE FROM contact_tags WHERE environment_id = ? AND tag = ? AND contact_number = ?';
const COUNT_CONTACT = `INSERT INTO contact_counts (environment_id, sub_tenant_key, status, contacts) VALUES (?, ?, ?, ?)
  ON CONFLICT (environment_id, sub_tenant_key, status) DO UPDATE SET contacts = contact_counts.contacts + excluded.contacts`;

const OPEN_LIST = `SELECT id, environment_id, sub_tenant_id FROM contact_lists
  WHERE number = ? AND filter IS NULL AND deleted_at IS NULL`;
const LIST_ID = 'SELECT id FROM contact_lists WHERE number = ?';
const HAS_LEFT = 'SELECT 1 AS has_left FROM list_unsubscribes WHERE list_number = ? AND email_key = ?';
const FORGET_UNSUBSCRIBE = 'DELETE FROM list_unsubscribes WHERE list_number = ? AND email_key = ?';
const KEEP_UNSUBSCRIBE = `INSERT INTO list_unsubscribes (list_number, email_key, unsubscribed_at) VALUES (?, ?, ?)
  ON CONFLICT (list_number, email_key) DO UPDATE SET unsubscribed_at = excluded.unsubscribed_at`;
const JOIN = `INSERT INTO list_members (list_number, contact_number, state, joined_at) VALUES (?, ?, ?, ?)
  ON CONFLICT (list_number, contact_number) DO UPDATE SET state = excluded.state, joined_at = excluded.joined_at
  WHERE list_members.state = 'pending' AND excluded.state = 'subscribed' RETURNING state`;
const LEAVE = 'DELETE FROM list_members WHERE list_number = ? AND contact_number = ? RETURNING state';
const PLACES = "SELECT list_number FROM list_members WHERE contact_number = ? AND state = 'subscribed'";
const LEAVE_ALL = 'DELETE FROM list_members WHERE contact_number = ? RETURNING list_number, state';
const COUNT_MEMBER = 'UPDATE contact_lists SET contacts = contacts + ? WHERE number = ?';
const COUNT_LIST_DAY = `INSERT INTO list_days (list_number, day, joined, unsubscribed) VALUES (?, ?, ?, ?)
  ON CONFLICT (list_number, day) DO UPDATE SET joined = list_days.joined + excluded.joined,
  unsubscribed = list_days.unsubscribed + excluded.unsubscribed`;

const KEEP_CONSENT = `INSERT INTO consents (environment_id, list_number, contact_number, event, occurred_at, actor, actor_id,
  source, ip, user_agent) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`;
const FORGET_CONSENT = 'DELETE FROM consents WHERE contact_number = ?';
const MAX_USER_AGENT = 500;

/** The columns of the contact that a change needs. */
type Stored = Pick<
  ContactTable,
  'id' | 'environment_id' | 'sub_tenant_id' | 'email_key' | 'name' | 'tags' | 'status' | 'updated_at'
> & { number: number };

type OpenList = Pick<ContactList, 'id' | 'environment_id' | 'sub_tenant_id'>;
type Place = Pick<ListMemberTable, 'list_number' | 'state'>;

export interface PutContact {
  row: Omit<Insertable<ContactTable>, 'number'>;
  ifKnown: Otherwise | 'ignore';
  /** Part of an import or a bulk action, which appends no event per contact. */
  isBulk?: true;
}

interface ChangeContact {
  /** `cnt_…` */
  id: string;
  set: Partial<Pick<ContactTable, 'name' | 'phone' | 'tags' | 'metadata' | 'status'>> & {
    updated_at: number;
  };
  ifUpdatedAt?: number;
  otherwise?: Otherwise;
  /** See `PutContact`. */
  isBulk?: true;
}

interface RemoveContact {
  id: string;
  /** Part of the erasure of a person, so the event is `contact.erased` instead of `contact.deleted`. */
  isErasure?: true;
  /** See `PutContact`. */
  isBulk?: true;
  at: number;
  otherwise?: Otherwise;
}

/** The request to join a list, as evidence of consent. */
export interface Consent {
  /** `requested` if the contact becomes pending; `confirmed` if they followed the link in the confirmation mail. */
  event: 'joined' | 'confirmed';
  actor: Actor;
  /** Id of the API key, person or import; `null` for a public page. */
  actorId: string | null;
  /** URL of the page, or method and route of the call. */
  source: string;
  ip: string | null;
  userAgent: string | null;
  /** When it was given, if earlier than the change. */
  givenAt?: number;
}

export interface JoinList {
  listNumber: number;
  contactId: string;
  state: ListMemberTable['state'];
  returned: boolean;
  /** Stored if the change has an effect. */
  consent: Consent;
  at: number;
}

interface LeaveList {
  listNumber: number;
  emailKey: string;
  /** `null` if the contact no longer exists. */
  contactId: string | null;
  unsubscribed: boolean;
  at: number;
}

interface ForgetUnsubscribe {
  environmentId: number;
  listNumbers: readonly number[];
  emailKey: string;
}

/**
 * Adds a contact. With `ignore`, an existing contact with the same address is not changed. If its owner suppresses the address, the
 * suppression decides the status.
 */
export const putContact = defineChange<PutContact>('put-contact', put, { madeId: ({ row }) => row.id });

/**
 * Changes a contact. Tags and metadata are replaced, so a caller that merges them passes `ifUpdatedAt`, the version that it
 * read. Refuses with `conflict` if the contact has another version, and with `recipient_suppressed` if the status `active`
 * is set while the contact's owner suppresses the address.
 */
export const changeContact = defineChange<ChangeContact>('change-contact', changeOne);

/** Deletes a contact with its tags, list memberships and enrollments. */
export const removeContact = defineChange<RemoveContact>('remove-contact', removeOne);

/**
 * Adds a contact to a list. A contact who unsubscribed from it is only added again with `returned`. A subscribed member does
 * not become pending. If a contact with `returned` is subscribed, the owner's suppression of the address is lifted if its
 * reason is `unsubscribe`.
 */
export const joinList = defineChange<JoinList>('join-list', join);

/** Removes a contact from a list. `unsubscribed` records that they left on their own. */
export const leaveList = defineChange<LeaveList>('leave-list', leave);

/** Deletes the record that the owner of an address left these lists. */
export const forgetUnsubscribe = defineChange<ForgetUnsubscribe>('forget-unsubscribe', forget);

/** A condition of a contact that can trigger a sequence. */
export interface ContactEntry {
  environmentId: number;
  subTenantId: string | null;
  kind: 'contact_created' | 'contact_tagged' | 'list_joined';
  /** The tag or the list's id; empty for a new contact. */
  value: string;
  contactNumber: number;
  emailKey: string;
  at: number;
}

export const contactEntered = defineSignal<ContactEntry>('contact entered');
export const contactRemoved = defineSignal<{ contactNumber: number }>('contact removed');

async function put(writing: Writing, change: PutContact): Promise<void> {
  const { tx, engine } = writing;
  const { row, ifKnown } = change;
  const { environment_id: environmentId } = row;
  const subTenantId = row.sub_tenant_id ?? null;
  const reason = await suppressedFor(writing, [environmentId, subTenantId ?? '', row.email_key]);
  const status = reason === null ? row.status : STATUS_OF_REASON[reason];
  const values: Record<string, Value | undefined> = { ...row, status };
  const [inserted] = await rowsAs<Pick<Stored, 'number'>>(
    tx.run(
      INSERT_CONTACT,
      CONTACT_COLUMNS.map((column) => values[column] ?? null),
    ),
  );
  if (!inserted) {
    if (ifKnown === 'ignore') return;
    return refuse(ifKnown);
  }
  const { number } = inserted;
  writing.part(listTags).touch(environmentId);
  const tags = tagsOf(row.tags);
  for (const tag of tags) await tx.run(INSERT_TAG, [environmentId, tag, number]);
  const { index } = engine.spelling.contactSearch;
  if (index) {
    await tx.run(index.add, [number, searchText(environmentId, row.email_key, row.name ?? null)]);
  }
  await tx.run(COUNT_CONTACT, [environmentId, subTenantId ?? '', status, 1]);
  if (!change.isBulk) {
    const contact = { id: row.id, environment_id: environmentId, sub_tenant_id: subTenantId };
    await appendContactEvent(writing, contact, { event: 'contact.created', at: row.created_at });
  }
  if (status !== 'active') return;
  const at = row.created_at;
  const trigger = { environmentId, subTenantId, contactNumber: number, emailKey: row.email_key, at };
  await writing.emit(contactEntered, { ...trigger, kind: 'contact_created', value: '' });
  for (const tag of tags)
    await writing.emit(contactEntered, { ...trigger, kind: 'contact_tagged', value: tag });
}

/** Statement texts by their columns, so that each is prepared once. */
const contactUpdates = new Map<string, string>();

function contactUpdate(columns: readonly string[]): string {
  const key = columns.join();
  let statement = contactUpdates.get(key);
  if (statement === undefined) {
    statement = `UPDATE contacts SET ${columns.map((column) => `${column} = ?`).join(', ')} WHERE number = ?`;
    contactUpdates.set(key, statement);
  }
  return statement;
}

async function changeOne(writing: Writing, change: ChangeContact): Promise<void> {
  const { tx, engine } = writing;
  const { set } = change;
  const before = await storedById(writing, change.id);
  if (!before) {
    if (change.otherwise) refuse(change.otherwise);
    return;
  }
  if (change.ifUpdatedAt !== undefined && change.ifUpdatedAt !== before.updated_at) {
    refuse({ code: 'conflict', message: 'The contact was changed by another request. Try again.' });
  }
  if (set.status === 'active') await refuseSuppressed(writing, before);
  const { environment_id: environmentId } = before;
  writing.part(listTags).touch(environmentId);
  const columns = CHANGED_COLUMNS.filter((column) => set[column] !== undefined);
  await tx.run(contactUpdate(columns), [...columns.map((column) => set[column] ?? null), before.number]);
  const { index } = engine.spelling.contactSearch;
  if (index && set.name !== undefined && set.name !== before.name) {
    await tx.run(index.replace, [before.number, searchText(environmentId, before.email_key, set.name)]);
  }
  if (set.status !== undefined) await countStatus(writing, before, set.status);
  if (!change.isBulk) await appendChangeEvent(writing, before, set);
  if (set.tags === undefined) return;
  const had = tagsOf(before.tags);
  const has = tagsOf(set.tags);
  const lost = [...had].filter((tag) => !has.has(tag));
  const gained = [...has].filter((tag) => !had.has(tag));
  if (lost.length + gained.length > 0) await countTags(writing, before.number, { lost, gained });
  for (const tag of lost) await tx.run(DELETE_TAG, [environmentId, tag, before.number]);
  for (const tag of gained) {
    await tx.run(INSERT_TAG, [environmentId, tag, before.number]);
    if ((set.status ?? before.status) !== 'active') continue;
    await writing.emit(contactEntered, {
      environmentId,
      subTenantId: before.sub_tenant_id,
      kind: 'contact_tagged',
      value: tag,
      contactNumber: before.number,
      emailKey: before.email_key,
      at: set.updated_at,
    });
  }
}

/** Updates the tag counts of all lists of a contact whose tags changed. */
async function countTags(
  writing: Writing,
  contactNumber: number,
  { lost, gained }: { lost: string[]; gained: string[] },
): Promise<void> {
  const counter = writing.part(listTags);
  const places = await rowsAs<Pick<Place, 'list_number'>>(writing.tx.run(PLACES, [contactNumber]));
  for (const { list_number: listNumber } of places) {
    counter.add({ listNumber, tags: lost, by: -1 });
    counter.add({ listNumber, tags: gained, by: 1 });
  }
}

type LiftedSuppression = Pick<Suppression, 'id' | 'environment_id' | 'sub_tenant_key'>;
/** The columns that identify a suppression. */
type SuppressionKey = [environmentId: number, subTenantKey: string, emailKey: string];

function suppressionKey(contact: Stored): SuppressionKey {
  return [contact.environment_id, contact.sub_tenant_id ?? '', contact.email_key];
}

async function suppressedFor({ tx }: Writing, key: SuppressionKey): Promise<Suppression['reason'] | null> {
  const [row] = await rowsAs<Pick<Suppression, 'reason'>>(tx.run(SUPPRESSED, key));
  return row?.reason ?? null;
}

async function refuseSuppressed(writing: Writing, contact: Stored): Promise<void> {
  const reason = await suppressedFor(writing, suppressionKey(contact));
  if (reason === null) return;
  const message = `The contact cannot become active because its address is suppressed (reason: ${reason}). Remove the address from the suppression list first.`;
  refuse({ code: 'recipient_suppressed', message });
}

/**
 * Gives the contact of a suppression's owner the status that follows from the suppression; `active` if it was lifted. Runs
 * after every change of a suppression, so that no contact is `active` while its address is suppressed.
 */
export const followsSuppressions = onSignal(suppressionChanged, followSuppression);

async function followSuppression(
  writing: Writing,
  { environmentId, subTenantKey, emailKey, at, isBulk }: SuppressionChange,
): Promise<void> {
  const [before] = await rowsAs<Stored>(
    writing.tx.run(locked(writing, BY_ADDRESS), [environmentId, emailKey, subTenantKey]),
  );
  if (!before) return;
  const reason = await suppressedFor(writing, suppressionKey(before));
  const status = reason === null ? 'active' : STATUS_OF_REASON[reason];
  if (status === before.status) return;
  await writing.tx.run(SET_STATUS, [status, at, before.number]);
  await countStatus(writing, before, status);
  if (!isBulk) await appendChangeEvent(writing, before, { status, updated_at: at });
}

/** Lifts the unsubscribe suppression of a contact that returned. Returns whether there was one. */
async function liftUnsubscribe(writing: Writing, contact: Stored, at: number): Promise<boolean> {
  const lifted = await rowsAs<LiftedSuppression>(writing.tx.run(LIFT_UNSUBSCRIBE, suppressionKey(contact)));
  await appendDeletedSuppressions(writing, lifted, at);
  if (lifted.length === 0 && contact.status !== 'unsubscribed') return false;
  const { environment_id, sub_tenant_id, email_key } = contact;
  await followSuppression(writing, {
    environmentId: environment_id,
    subTenantKey: sub_tenant_id ?? '',
    emailKey: email_key,
    at,
    isBulk: false,
  });
  return true;
}

async function countStatus(writing: Writing, before: Stored, status: Stored['status']): Promise<void> {
  if (status === before.status) return;
  const { tx } = writing;
  writing.part(listTags).touch(before.environment_id);
  const key = [before.environment_id, before.sub_tenant_id ?? ''];
  await tx.run(COUNT_CONTACT, [...key, before.status, -1]);
  await tx.run(COUNT_CONTACT, [...key, status, 1]);
}

async function removeOne(writing: Writing, change: RemoveContact): Promise<void> {
  const { tx, engine } = writing;
  const before = await storedById(writing, change.id);
  if (!before) {
    if (change.otherwise) refuse(change.otherwise);
    return;
  }
  const { number, environment_id: environmentId } = before;
  writing.part(listTags).touch(environmentId);
  const tags = tagsOf(before.tags);
  for (const tag of tags) await tx.run(DELETE_TAG, [environmentId, tag, number]);
  const { index } = engine.spelling.contactSearch;
  if (index) await tx.run(index.remove, [number]);
  // The plan removes the contact from lists with the day of each removal. These are lists joined since it was made.
  const places = await rowsAs<Place>(tx.run(LEAVE_ALL, [number]));
  for (const { list_number: listNumber, state } of places) {
    if (state !== 'subscribed') continue;
    await tx.run(COUNT_MEMBER, [-1, listNumber]);
    writing.part(listTags).add({ listNumber, tags, by: -1 });
  }
  await tx.run(FORGET_CONSENT, [number]);
  await writing.emit(contactRemoved, { contactNumber: number });
  await tx.run(DELETE_CONTACT, [number]);
  await tx.run(COUNT_CONTACT, [before.environment_id, before.sub_tenant_id ?? '', before.status, -1]);
  if (change.isBulk) return;
  const event = change.isErasure ? 'contact.erased' : 'contact.deleted';
  await appendContactEvent(writing, before, { event, at: change.at });
}

/** Appends an event with the names of the changed columns, without their values. */
async function appendChangeEvent(writing: Writing, before: Stored, set: ChangeContact['set']): Promise<void> {
  const changed = CHANGED_COLUMNS.filter((column) => column !== 'updated_at' && set[column] !== undefined);
  const isLeaving = set.status === 'unsubscribed' && before.status !== 'unsubscribed';
  const event = isLeaving ? 'contact.unsubscribed' : 'contact.updated';
  await appendContactEvent(writing, before, { event, at: set.updated_at, metadata: { changed } });
}

async function appendContactEvent(
  writing: Writing,
  contact: Pick<Stored, 'id' | 'environment_id' | 'sub_tenant_id'>,
  wanted: { event: RecordEvent; at: number; metadata?: Record<string, unknown> },
): Promise<void> {
  const usually: Actor = wanted.event === 'contact.unsubscribed' ? 'recipient' : 'system';
  const { id: subjectId, environment_id: environmentId, sub_tenant_id: subTenantId } = contact;
  await appendRecordEvent(writing, { ...wanted, of: { environmentId }, subTenantId, subjectId, usually });
}

async function join(writing: Writing, change: JoinList): Promise<void> {
  const { tx } = writing;
  const { listNumber, state, returned, at } = change;
  const [list] = await rowsAs<OpenList>(tx.run(OPEN_LIST, [listNumber]));
  const contact = await storedById(writing, change.contactId);
  if (!list || !contact) return;
  // A list can only contain its owner's contacts.
  const isOwners =
    list.environment_id === contact.environment_id && list.sub_tenant_id === contact.sub_tenant_id;
  if (!isOwners) return;
  const unsubscribe = [listNumber, contact.email_key];
  const hasLeft = (await tx.run(HAS_LEFT, unsubscribe)).length > 0;
  if (hasLeft && !returned) return;
  // A contact who has not confirmed yet has not returned.
  if (hasLeft && state === 'subscribed') await tx.run(FORGET_UNSUBSCRIBE, unsubscribe);
  const isLifted = returned && state === 'subscribed' && (await liftUnsubscribe(writing, contact, at));
  const [joined] = await rowsAs<Pick<Place, 'state'>>(tx.run(JOIN, [listNumber, contact.number, state, at]));
  if (joined) writing.part(listTags).touch(contact.environment_id);
  if (joined || isLifted) await keepConsent(writing, contact, change);
  if (joined?.state !== 'subscribed') return;
  writing.part(listTags).add({ listNumber, tags: tagsOf(contact.tags), by: 1 });
  await tx.run(COUNT_MEMBER, [1, listNumber]);
  await tx.run(COUNT_LIST_DAY, [listNumber, dayOf(at), 1, 0]);
  const isActive = (isLifted ? await storedById(writing, contact.id) : contact)?.status === 'active';
  if (!isActive) return;
  await writing.emit(contactEntered, {
    environmentId: contact.environment_id,
    subTenantId: contact.sub_tenant_id,
    kind: 'list_joined',
    value: list.id,
    contactNumber: contact.number,
    emailKey: contact.email_key,
    at,
  });
}

async function leave(writing: Writing, change: LeaveList): Promise<void> {
  const { tx } = writing;
  const { listNumber, emailKey, contactId, unsubscribed, at } = change;
  const contact = contactId === null ? null : await storedById(writing, contactId);
  if (contact) {
    const [left] = await rowsAs<Pick<Place, 'state'>>(tx.run(LEAVE, [listNumber, contact.number]));
    if (unsubscribed || left) writing.part(listTags).touch(contact.environment_id);
    if (left?.state === 'subscribed') {
      writing.part(listTags).add({ listNumber, tags: tagsOf(contact.tags), by: -1 });
      await countUnsubscribe(writing, listNumber, at);
    }
  }
  if (!unsubscribed) return;
  await tx.run(KEEP_UNSUBSCRIBE, [listNumber, emailKey, at]);
  if (!contact) return;
  const [list] = await rowsAs<Pick<OpenList, 'id'>>(tx.run(LIST_ID, [listNumber]));
  const metadata = { list_id: list?.id };
  await appendContactEvent(writing, contact, { event: 'contact.unsubscribed', at, metadata });
}

async function forget(
  writing: Writing,
  { listNumbers, emailKey, environmentId }: ForgetUnsubscribe,
): Promise<void> {
  for (const listNumber of listNumbers) {
    const forgotten = await writing.tx.run(`${FORGET_UNSUBSCRIBE} RETURNING list_number`, [
      listNumber,
      emailKey,
    ]);
    if (forgotten.length > 0) writing.part(listTags).touch(environmentId);
  }
}

async function keepConsent(
  { tx }: Writing,
  contact: Stored,
  { listNumber, state, consent, at }: JoinList,
): Promise<void> {
  const { event, actor, actorId, source, ip, userAgent, givenAt = at } = consent;
  await tx.run(KEEP_CONSENT, [
    contact.environment_id,
    listNumber,
    contact.number,
    state === 'pending' ? 'requested' : event,
    givenAt,
    actor,
    actorId,
    source,
    ip,
    userAgent?.slice(0, MAX_USER_AGENT) ?? null,
  ]);
}

async function countUnsubscribe({ tx }: Writing, listNumber: number, at: number): Promise<void> {
  await tx.run(COUNT_MEMBER, [-1, listNumber]);
  await tx.run(COUNT_LIST_DAY, [listNumber, dayOf(at), 0, 1]);
}

async function storedById(writing: Writing, id: string): Promise<Stored | null> {
  const [stored] = await rowsAs<Stored>(writing.tx.run(locked(writing, BY_ID), [id]));
  return stored ?? null;
}

/** Locks the selected row if several nodes write, so that no other node changes it before this transaction. */
function locked({ engine }: Writing, statement: string): string {
  return engine.forUpdate === '' ? statement : `${statement} ${engine.forUpdate}`;
}

function tagsOf(json: string): Set<string> {
  return json === '[]' ? new Set() : new Set(JSON.parse(json) as string[]);
}

function dayOf(at: number): number {
  return Math.floor(at / DAY_MS);
}
