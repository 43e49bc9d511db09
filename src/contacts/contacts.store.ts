// Contacts: by id, address or number, and the list of them in pages, whatever is asked for.
import { Refusal } from '../contract/refusal.js';
import { createContactStreams, NEWEST } from './streams.store.js';
import type { Engine } from '../database/engine/engine.js';
import { inList, notByIndex } from '../database/sql.js';
import { createListAudienceStore } from './lists/audience.store.js';
import { type Page, type PageRequest, type Scope, pageOf } from '../database/scope.js';
import type { ContactList, contactLists, listMembers } from './lists/lists.tables.js';
import type { Contact, contactCounts, contacts } from './contacts.tables.js';
import type { TablesOf } from '../database/columns.js';
import type { Change } from '../database/change.js';
import { leaveList } from './contact-changes.store.js';

type Known = TablesOf<typeof contactCounts | typeof contactLists | typeof contacts | typeof listMembers>;

export interface ContactFilter {
  /** Part of the address or name; of one or two letters the beginning of the address or of a word of the name. */
  q?: string;
  /** Any of these. */
  status?: readonly Contact['status'][];
  tag?: string;
  /** Subscribed to this list, or in this segment. */
  listId?: string;
  createdAfter?: number;
  createdBefore?: number;
}

export interface ListPlace {
  listNumber: number;
  contactId: string;
  emailKey: string;
}

export interface ContactTotal {
  total: number;
  /** False: there are at least so many. */
  isExact: boolean;
}

/** Number of rows that one page reads at most; the next page continues from there. */
const SEARCH_LIMIT = 50_000;
/** Number of rows that are read to count what no counter and no index counts. */
const COUNT_LIMIT = 2_000;
/** Of a segment too large to be counted. */
const FIRST_COUNTED = 200;

export function createContactStore(engine: Engine) {
  const db = engine.read.$extendTables<Known>();
  const audience = createListAudienceStore(engine);
  const streams = createContactStreams(engine);
  const contacts = (scope: Scope) => {
    const query = db.selectFrom('contacts').selectAll().where('environment_id', '=', scope.environmentId);
    return scope.subTenantId === null ? query : query.where('sub_tenant_id', '=', scope.subTenantId);
  };

  async function contactsByNumber(numbers: readonly number[]): Promise<Contact[]> {
    if (numbers.length === 0) return [];
    const { marks, values } = inList(numbers);
    const rows = await engine.rows(`SELECT * FROM contacts WHERE number IN (${marks})`, values);
    const byNumber = new Map((rows as unknown as Contact[]).map((row) => [row.number, row]));
    return numbers.flatMap((number) => byNumber.get(number) ?? []);
  }

  /** Refused with `list_not_found`. */
  async function listOf(scope: Scope, id: string): Promise<ContactList> {
    let query = db
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

  const wantedList = async (scope: Scope, { listId }: ContactFilter) =>
    listId === undefined ? null : listOf(scope, listId);

  return {
    async contact(scope: Scope, id: string): Promise<Contact | null> {
      return (await contacts(scope).where('id', '=', id).executeTakeFirst()) ?? null;
    },

    /** The contact that a message of this scope personalizes from: the tenant's own, else the workspace's. */
    async contactByAddress(scope: Scope, emailKey: string): Promise<Contact | null> {
      return (await contactsByKeys(engine, scope, [emailKey])).get(emailKey) ?? null;
    },

    /** The same of many addresses, by address; who is no contact is missing. At most some thousand. */
    contactsByKeys: (
      scope: Pick<Scope, 'environmentId' | 'subTenantId'>,
      emailKeys: readonly string[],
    ): Promise<Map<string, Contact>> => contactsByKeys(engine, scope, emailKeys),

    /** Every contact of an address that a scope sees: the workspace sees its tenants' too. */
    async contactsOfAddress(scope: Scope, emailKey: string): Promise<Contact[]> {
      return contacts(scope).where('email_key', '=', emailKey).orderBy(notByIndex('number')).execute();
    },

    /** The lists that a contact is on, for those who make it leave them. */
    async placesOf(number: number): Promise<ListPlace[]> {
      return db
        .selectFrom('list_members as p')
        .innerJoin('contacts as c', 'c.number', 'p.contact_number')
        .select(['p.list_number as listNumber', 'c.id as contactId', 'c.email_key as emailKey'])
        .where('p.contact_number', '=', number)
        .execute();
    },

    /** In the order asked for; those that are gone are missing. Unscoped: for those that a scoped row names. */
    contactsByNumber,

    /**
     * Newest first; the key of a place is a contact's number. A page may be short, or empty, and have a next one, where
     * little of much matches. Refused with `list_not_found`.
     */
    async contacts(scope: Scope, page: PageRequest, filter: ContactFilter): Promise<Page<Contact>> {
      const list = await wantedList(scope, filter);
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
        return pageOf(rows, page.limit, keyOf);
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
      const rows = await contactsByNumber(numbers.slice(0, page.limit));
      const next = isFull ? (numbers[page.limit - 1] ?? null) : end;
      return { rows, next: next === null ? null : String(next) };
    },

    /**
     * Number of matches: by the counters where they know it, by an index where one counts it, else by reading
     * COUNT_LIMIT rows.
     */
    async countContacts(scope: Scope, filter: ContactFilter): Promise<ContactTotal> {
      const { q, tag, status, createdAfter, createdBefore } = filter;
      const list = await wantedList(scope, filter);
      const isTimed = createdAfter !== undefined || createdBefore !== undefined;
      if (q === undefined && tag === undefined && !isTimed) {
        if (!list) return { total: await counted(engine, scope, status), isExact: true };
        // A segment's number is some time old.
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

  /** A large segment is not gone through for a number: it has its last one, and of a part of it the first are counted. */
  async function countSegment(list: ContactList, filter: ContactFilter): Promise<ContactTotal> {
    const wanted = { list, segmentTag: null, filter: ofSegment(filter) };
    if (list.contacts <= COUNT_LIMIT) return { total: await audience.audienceCount(wanted), isExact: true };
    const isWhole = Object.keys(wanted.filter).length === 0;
    if (isWhole) return { total: list.contacts, isExact: false };
    const rows = await audience.audiencePage({ ...wanted, beforeNumber: null, limit: FIRST_COUNTED });
    return { total: rows.length, isExact: rows.length < FIRST_COUNTED };
  }
}

/** A filter of the contacts of a segment, besides the segment's own. */
function ofSegment(filter: ContactFilter): Omit<ContactFilter, 'listId'> {
  const wanted = { ...filter };
  delete wanted.listId;
  return wanted;
}

/** A contact goes from its lists because it is removed: nobody has left them on their own. */
export function leaveLists(places: readonly ListPlace[], at: number): Change[] {
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
  const rows = (await engine.rows(
    `SELECT * FROM contacts WHERE environment_id = ? AND email_key IN (${keys.marks})
      AND COALESCE(sub_tenant_id, '') IN (${owners.map(() => '?').join(', ')})`,
    [environmentId, ...keys.values, ...owners],
  )) as unknown as Contact[];
  for (const row of rows) {
    if (row.sub_tenant_id !== null || !byKey.has(row.email_key)) byKey.set(row.email_key, row);
  }
  return byKey;
}
