// Reads contacts by id, address or number, and pages of those that match a filter.
import { Refusal } from '../contract/refusal.js';
import { createContactStreams, NEWEST } from './streams.store.js';
import type { Engine } from '../database/engine/engine.js';
import { inList, rowsAs, notByIndex } from '../database/sql.js';
import { createListAudienceStore } from './lists/audience.store.js';
import { type Page, type PageRequest, type Scope, cutPage } from '../database/scope.js';
import type { ContactList, contactLists, listMembers } from './lists/lists.tables.js';
import type { Contact, contactCounts, contacts } from './contacts.tables.js';
import type { TablesOf } from '../database/columns.js';
import type { Change } from '../database/change.js';
import { leaveList } from './contact-changes.store.js';

type Known = TablesOf<typeof contactCounts | typeof contactLists | typeof contacts | typeof listMembers>;

export interface ContactFilter {
  /** Part of the address or name. One or two letters match the beginning of the address or of a word of the name. */
  q?: string;
  /** Matches any of these. */
  status?: readonly Contact['status'][];
  tag?: string;
  /** Subscribed to this list, or in this segment. */
  listId?: string;
  createdAfter?: number;
  createdBefore?: number;
}

interface Membership {
  listNumber: number;
  contactId: string;
  emailKey: string;
}

interface ContactTotal {
  total: number;
  /** If false, `total` is a lower bound. */
  isExact: boolean;
}

/** Number of rows that one page reads at most; the next page continues from there. */
const SEARCH_LIMIT = 50_000;
/** Rows that are read to count matches that no counter and no index counts. */
const COUNT_LIMIT = 2_000;
/** Rows that are counted of a segment that is too large. */
const FIRST_COUNTED = 200;

export function createContactStore(engine: Engine) {
  return { ...contactReads(engine), ...listReads(engine), ...counts(engine) };
}

function contactReads(engine: Engine) {
  const db = engine.read.$extendTables<Known>();
  const contacts = (scope: Scope) => {
    const query = db.selectFrom('contacts').selectAll().where('environment_id', '=', scope.environmentId);
    return scope.subTenantId === null ? query : query.where('sub_tenant_id', '=', scope.subTenantId);
  };

  return {
    async contact(scope: Scope, id: string): Promise<Contact | null> {
      return (await contacts(scope).where('id', '=', id).executeTakeFirst()) ?? null;
    },

    /** Reads the contact that personalizes a message of this scope, which is the sub-tenant's or else the workspace's. */
    async contactByAddress(scope: Scope, emailKey: string): Promise<Contact | null> {
      return (await contactsByKeys(engine, scope, [emailKey])).get(emailKey) ?? null;
    },

    /** Does the same for up to some thousand addresses. Addresses without a contact are missing. */
    contactsByKeys: (
      scope: Pick<Scope, 'environmentId' | 'subTenantId'>,
      emailKeys: readonly string[],
    ): Promise<Map<string, Contact>> => contactsByKeys(engine, scope, emailKeys),

    /** Reads every contact of an address that a scope sees. The workspace also sees its sub-tenants' contacts. */
    async contactsOfAddress(scope: Scope, emailKey: string): Promise<Contact[]> {
      return contacts(scope).where('email_key', '=', emailKey).orderBy(notByIndex('number')).execute();
    },

    /** Reads the memberships of a contact. */
    async placesOf(number: number): Promise<Membership[]> {
      return db
        .selectFrom('list_members as p')
        .innerJoin('contacts as c', 'c.number', 'p.contact_number')
        .select(['p.list_number as listNumber', 'c.id as contactId', 'c.email_key as emailKey'])
        .where('p.contact_number', '=', number)
        .execute();
    },

    /** Reads contacts in the given order, without deleted ones. It has no scope, so the numbers must come from a scoped row. */
    contactsByNumber: (numbers: readonly number[]): Promise<Contact[]> => contactsByNumber(engine, numbers),
  };
}

function listReads(engine: Engine) {
  const audience = createListAudienceStore(engine);
  const streams = createContactStreams(engine);
  return {
    /**
     * Reads contacts, newest first. The cursor is a contact's number. If few of many contacts match, a page may be short or
     * empty and have a next one. Refuses with `list_not_found`.
     */
    async contacts(scope: Scope, page: PageRequest, filter: ContactFilter): Promise<Page<Contact>> {
      const list = await wantedList(engine, scope, filter);
      const below = page.after === null ? NEWEST : Number(page.after);
      const keyOf = (row: Contact): string => String(row.number);
      if (list && list.filter !== null) {
        const rows = await audience.audiencePage({
          list,
          segmentTag: null,
          beforeNumber: below,
          limit: page.limit + 1,
          filter: ofSegment(filter),
        });
        return cutPage(rows, page.limit, keyOf);
      }
      const numbers: number[] = [];
      let looked = 0;
      let end: number | null = null;
      const walk = await streams.walk(scope, { ...filter, listNumber: list?.number ?? null });
      for await (const step of walk.steps(below)) {
        numbers.push(...step.kept);
        looked += step.looked;
        end = step.last;
        if (numbers.length > page.limit || looked >= SEARCH_LIMIT) break;
      }
      const isFull = numbers.length > page.limit;
      const rows = await contactsByNumber(engine, numbers.slice(0, page.limit));
      const next = isFull ? (numbers[page.limit - 1] ?? null) : end;
      return { rows, next: next === null ? null : String(next) };
    },
  };
}

function counts(engine: Engine) {
  const audience = createListAudienceStore(engine);
  const streams = createContactStreams(engine);

  /** Returns the last count of a large segment, and counts only the first matches of a part of it. */
  async function countSegment(list: ContactList, filter: ContactFilter): Promise<ContactTotal> {
    const wanted = { list, segmentTag: null, filter: ofSegment(filter) };
    if (list.contacts <= COUNT_LIMIT) return { total: await audience.audienceCount(wanted), isExact: true };
    const isWhole = Object.keys(wanted.filter).length === 0;
    if (isWhole) return { total: list.contacts, isExact: false };
    const rows = await audience.audiencePage({ ...wanted, beforeNumber: null, limit: FIRST_COUNTED });
    return { total: rows.length, isExact: rows.length < FIRST_COUNTED };
  }

  return {
    /**
     * Counts matches by the counters if possible, or by an index, or else by reading COUNT_LIMIT rows.
     */
    async countContacts(scope: Scope, filter: ContactFilter): Promise<ContactTotal> {
      const { q, tag, status, createdAfter, createdBefore } = filter;
      const list = await wantedList(engine, scope, filter);
      const isTimed = createdAfter !== undefined || createdBefore !== undefined;
      if (q === undefined && tag === undefined && !isTimed) {
        if (!list) return { total: await counted(engine, scope, status), isExact: true };
        // The number of a segment may be outdated.
        if (status === undefined && scope.subTenantId === null && list.filter === null) {
          return { total: list.contacts, isExact: true };
        }
      }
      if (list && list.filter !== null) return countSegment(list, filter);
      const walk = await streams.walk(scope, { ...filter, listNumber: list?.number ?? null });
      if (walk.countAll) return { total: await walk.countAll(), isExact: true };
      let total = 0;
      let looked = 0;
      for await (const step of walk.all()) {
        total += step.kept.length;
        looked += step.looked;
        if (step.last !== null && looked >= COUNT_LIMIT) return { total, isExact: false };
      }
      return { total, isExact: true };
    },
  };
}

async function contactsByNumber(engine: Engine, numbers: readonly number[]): Promise<Contact[]> {
  if (numbers.length === 0) return [];
  const { marks, values } = inList(numbers);
  const rows = await rowsAs<Contact>(
    engine.rows(`SELECT * FROM contacts WHERE number IN (${marks})`, values),
  );
  const byNumber = new Map(rows.map((row) => [row.number, row]));
  return numbers.flatMap((number) => byNumber.get(number) ?? []);
}

async function wantedList(
  engine: Engine,
  scope: Scope,
  { listId }: ContactFilter,
): Promise<ContactList | null> {
  return listId === undefined ? null : readList(engine, scope, listId);
}

/** Refuses with `list_not_found`. */
async function readList(engine: Engine, scope: Scope, id: string): Promise<ContactList> {
  let query = engine.read
    .$extendTables<Known>()
    .selectFrom('contact_lists')
    .selectAll()
    .where('id', '=', id)
    .where('environment_id', '=', scope.environmentId)
    .where('deleted_at', 'is', null);
  if (scope.subTenantId !== null) query = query.where('sub_tenant_id', '=', scope.subTenantId);
  const list = await query.executeTakeFirst();
  if (!list) throw new Refusal('list_not_found', undefined, { param: 'list_id' });
  return list;
}

/** Returns the filter that applies within a segment. */
function ofSegment(filter: ContactFilter): Omit<ContactFilter, 'listId'> {
  const wanted = { ...filter };
  delete wanted.listId;
  return wanted;
}

/** Removes a deleted contact from its lists, which does not count as unsubscribing. */
export function leaveLists(places: readonly Membership[], at: number): Change[] {
  return places.map((place) => leaveList({ ...place, unsubscribed: false, at }));
}

async function counted(
  engine: Engine,
  { environmentId, subTenantId }: Scope,
  status: readonly Contact['status'][] | undefined,
): Promise<number> {
  let query = engine.read
    .$extendTables<Known>()
    .selectFrom('contact_counts')
    .select((eb) => eb.fn.sum<string | number | null>('contacts').as('total'))
    .where('environment_id', '=', environmentId);
  if (subTenantId !== null) query = query.where('sub_tenant_key', '=', subTenantId);
  if (status) query = query.where('status', 'in', status);
  const { total } = await query.executeTakeFirstOrThrow();
  return Number(total ?? 0);
}

async function contactsByKeys(
  engine: Engine,
  { environmentId, subTenantId }: Pick<Scope, 'environmentId' | 'subTenantId'>,
  emailKeys: readonly string[],
): Promise<Map<string, Contact>> {
  const byKey = new Map<string, Contact>();
  if (emailKeys.length === 0) return byKey;
  const keys = inList(emailKeys);
  const owners = subTenantId === null ? [''] : ['', subTenantId];
  const statement = `SELECT * FROM contacts WHERE environment_id = ? AND email_key IN (${keys.marks})
    AND COALESCE(sub_tenant_id, '') IN (${owners.map(() => '?').join(', ')})`;
  const rows = await rowsAs<Contact>(engine.rows(statement, [environmentId, ...keys.values, ...owners]));
  for (const row of rows) {
    if (row.sub_tenant_id !== null || !byKey.has(row.email_key)) byKey.set(row.email_key, row);
  }
  return byKey;
}
