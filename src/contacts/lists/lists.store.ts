// Reads lists, their members, tags and growth.
import type { Kysely } from 'kysely';
import type { Engine } from '../../database/engine/engine.js';
import {
  byFrequency,
  TAG_LIMIT,
  type AudienceFilter,
  type TagCount,
  ListAudienceStore,
} from './audience.store.js';
import type { Contact, audienceVersions } from '../contacts.tables.js';
import { inList, rowsAs } from '../../database/sql.js';
import { holding, paged } from '../../database/paged.js';
import { type Page, type PageRequest, type Scope, cutPage } from '../../database/scope.js';
import { createKeyedMutex } from '../../lib/concurrency/index.js';
import type {
  ContactList,
  ListMemberTable,
  contactLists,
  listDays,
  listTags,
  listUnsubscribes,
} from './lists.tables.js';
import type { environments } from '../../accounts/accounts.tables.js';
import type { RowOf, TablesOf } from '../../database/columns.js';

type Known = TablesOf<
  | typeof audienceVersions
  | typeof contactLists
  | typeof environments
  | typeof listDays
  | typeof listTags
  | typeof listUnsubscribes
>;

/** Number of segments whose tag counts are cached. */
const KEPT_SEGMENTS = 200;

/**
 * Returns a function that counts the tags in a segment by reading its contacts. The counts are cached until a contact or list
 * of the environment changes. Simultaneous calls for a segment share one count.
 */
function createSegmentTags(
  engine: Engine,
  audiences: Pick<ListAudienceStore, 'audienceTags' | 'segmentKey'>,
): (list: ContactList) => Promise<TagCount[]> {
  const counted = new Map<number, { as: string; tags: TagCount[] }>();
  const inTurn = createKeyedMutex();

  /** Reads the version of the counts. It is read before the contacts, so that a simultaneous change invalidates the counts. */
  async function readVersion(list: ContactList): Promise<string> {
    const row = await engine.read
      .$extendTables<Known>()
      .selectFrom('audience_versions')
      .select('version')
      .where('environment_id', '=', list.environment_id)
      .executeTakeFirst();
    return `${row?.version ?? 0} ${await audiences.segmentKey(list)}`;
  }

  return (list) =>
    inTurn(String(list.number), async () => {
      const as = await readVersion(list);
      const known = counted.get(list.number);
      if (known?.as === as) return known.tags;
      const tags = await audiences.audienceTags({ list, segmentTag: null });
      counted.delete(list.number);
      counted.set(list.number, { as, tags });
      const oldest = counted.keys().next().value;
      if (counted.size > KEPT_SEGMENTS && oldest !== undefined) counted.delete(oldest);
      return tags;
    });
}

/** A contact on a list. `joinedAt` is `null` for a contact of a segment. */
export interface Member {
  contact: Contact;
  state: ListMemberTable['state'];
  joinedAt: number | null;
}

/** Numbers of contacts who joined or left a list on a day. */
export interface ListDay {
  /** Days since the epoch, UTC. */
  day: number;
  joined: number;
  unsubscribed: number;
}

/** A list and the subscription of one recipient. */
export interface OwnList {
  list: ContactList;
  subscription: 'subscribed' | 'pending' | 'unsubscribed' | 'none';
}

/** Largest number of lists on a preference page. */
const OWN_LISTS_LIMIT = 100;

const OWN_LISTS = `SELECT l.*, m.state, g.unsubscribed_at FROM contact_lists l
  LEFT JOIN list_members m ON m.list_number = l.number AND m.contact_number = ?
  LEFT JOIN list_unsubscribes g ON g.list_number = l.number AND g.email_key = ?
  WHERE l.environment_id = ? AND COALESCE(l.sub_tenant_id, '') = ? AND l.deleted_at IS NULL
    AND (m.state IS NOT NULL OR g.unsubscribed_at IS NOT NULL OR l.number = ?)
  ORDER BY l.name, l.number LIMIT ${OWN_LISTS_LIMIT}`;

const LISTS_OF_CONTACTS = `SELECT m.contact_number, l.id AS list_id, m.state, m.joined_at FROM list_members m
  JOIN contact_lists l ON l.number = m.list_number AND l.deleted_at IS NULL WHERE m.contact_number IN`;

export function createListStore(engine: Engine): ListStore {
  return new ListStore(engine);
}

export class ListStore extends ListAudienceStore {
  readonly #engine: Engine;
  readonly #db: Kysely<Known>;
  readonly #segmentTags: (list: ContactList) => Promise<TagCount[]>;

  constructor(engine: Engine) {
    super(engine);
    this.#engine = engine;
    this.#db = this.#engine.read.$extendTables<Known>();
    this.#segmentTags = createSegmentTags(engine, this);
  }

  /** Reads a list of the scope that is not deleted. */
  async list(scope: Pick<Scope, 'environmentId' | 'subTenantId'>, id: string): Promise<ContactList | null> {
    return (await this.#lists(scope).where('id', '=', id).executeTakeFirst()) ?? null;
  }

  /** Reads the list of a signed link, in any scope. Returns `null` if it was deleted. */
  async listOf(id: string): Promise<ContactList | null> {
    const query = this.#db
      .selectFrom('contact_lists')
      .selectAll()
      .where('id', '=', id)
      .where('deleted_at', 'is', null);
    return (await query.executeTakeFirst()) ?? null;
  }

  /** Reads the list with a publishable key. Returns `null` if the list or the key was deleted. */
  async listOfFormKey(key: string): Promise<ContactList | null> {
    const query = this.#db.selectFrom('contact_lists').selectAll().where('form_key', '=', key);
    return (await query.where('deleted_at', 'is', null).executeTakeFirst()) ?? null;
  }

  /** Reads the list of a campaign in its environment. Returns `null` if it was deleted. */
  async listFor(campaign: { environment_id: number; list_number: number }): Promise<ContactList | null> {
    const query = this.#db
      .selectFrom('contact_lists')
      .selectAll()
      .where('number', '=', campaign.list_number)
      .where('environment_id', '=', campaign.environment_id)
      .where('deleted_at', 'is', null);
    return (await query.executeTakeFirst()) ?? null;
  }

  /** Reads the lists of both environments whose confirmation mail uses a template. */
  async usingTemplate(scope: Pick<Scope, 'workspaceId'>, templateId: string) {
    return this.#db
      .selectFrom('environments as e')
      .innerJoin('contact_lists as l', 'l.environment_id', 'e.id')
      .select(['l.id', 'l.name', 'l.sub_tenant_id'])
      .where('e.workspace_id', '=', scope.workspaceId)
      .where('l.deleted_at', 'is', null)
      .where('l.confirmation_template_id', '=', templateId)
      .orderBy('l.number')
      .execute();
  }

  /** Reads the ids of lists by number, without deleted ones. */
  async listIds(numbers: readonly number[]): Promise<ReadonlyMap<number, string>> {
    if (numbers.length === 0) return new Map();
    const query = this.#db
      .selectFrom('contact_lists')
      .select(['number', 'id'])
      .where('number', 'in', [...new Set(numbers)])
      .where('deleted_at', 'is', null);
    return new Map((await query.execute()).map(({ number, id }) => [number, id]));
  }

  /** Reads a page of lists. The cursor is the list's number. */
  async lists(scope: Scope, page: PageRequest, filter: { q?: string }): Promise<Page<ContactList>> {
    let query = paged(this.#lists(scope), page, { key: 'number', isNumber: true });
    if (filter.q !== undefined) query = query.where(holding(['name'], filter.q));
    return cutPage(await query.execute(), page.limit, (row) => String(row.number));
  }

  /** Reads a page of members, newest contact first. The cursor is the contact's number. */
  async members(list: ContactList, page: PageRequest, filter: AudienceFilter): Promise<Page<Member>> {
    const contacts = await this.audiencePage({
      list,
      segmentTag: null,
      beforeNumber: page.after === null ? null : Number(page.after),
      limit: page.limit + 1,
      filter,
    });
    const rows = await this.memberships(
      list.number,
      contacts.map((contact) => contact.number),
    );
    const members = contacts.map((contact) => ({
      contact,
      state: rows.get(contact.number)?.state ?? 'subscribed',
      joinedAt: rows.get(contact.number)?.joined_at ?? null,
    }));
    return cutPage(members, page.limit, ({ contact }) => String(contact.number));
  }

  /** Reads when the owner of an address unsubscribed from the list (epoch ms); `null` if they did not. */
  async leftAt(listNumber: number, emailKey: string): Promise<number | null> {
    const row = await this.#db
      .selectFrom('list_unsubscribes')
      .select('unsubscribed_at')
      .where('list_number', '=', listNumber)
      .where('email_key', '=', emailKey)
      .executeTakeFirst();
    return row?.unsubscribed_at ?? null;
  }

  /** Finds the addresses whose owners unsubscribed from the list. */
  async unsubscribedAmong(listNumber: number, emailKeys: readonly string[]): Promise<Set<string>> {
    if (emailKeys.length === 0) return new Set();
    const { marks, values } = inList(emailKeys);
    const statement = `SELECT email_key FROM list_unsubscribes WHERE list_number = ? AND email_key IN (${marks})`;
    const rows = await rowsAs<{ email_key: string }>(this.#engine.rows(statement, [listNumber, ...values]));
    return new Set(rows.map(({ email_key }) => email_key));
  }

  /** Reads a page of the addresses whose owners unsubscribed from the list. The cursor is the key of the address. */
  async unsubscribes(listNumber: number, page: PageRequest): Promise<Page<ListUnsubscribe>> {
    const query = paged(
      this.#db.selectFrom('list_unsubscribes').selectAll().where('list_number', '=', listNumber),
      page,
      { key: 'email_key' },
    );
    return cutPage(await query.execute(), page.limit, (row) => row.email_key);
  }

  /** Reads the lists that contacts are on, by the contact's number. */
  async listsOfContacts(contactNumbers: readonly number[]): Promise<Map<number, ListOfContact[]>> {
    const found = new Map<number, ListOfContact[]>();
    if (contactNumbers.length === 0) return found;
    const { marks, values } = inList(contactNumbers);
    const rows = await rowsAs<ListOfContact & { contact_number: number }>(
      this.#engine.rows(`${LISTS_OF_CONTACTS} (${marks}) ORDER BY m.contact_number, m.list_number`, values),
    );
    for (const { contact_number: number, ...row } of rows) {
      const own = found.get(number);
      if (own) own.push(row);
      else found.set(number, [row]);
    }
    return found;
  }

  /** Reads contacts by id, as far as they belong to the list's owner. */
  async contactsThatMayJoin(list: ContactList, ids: readonly string[]): Promise<Contact[]> {
    if (ids.length === 0) return [];
    const { marks, values } = inList(ids);
    const statement = `SELECT * FROM contacts
      WHERE id IN (${marks}) AND +environment_id = ? AND COALESCE(sub_tenant_id, '') = ?`;
    const asked = [...values, list.environment_id, list.sub_tenant_id ?? ''];
    return rowsAs<Contact>(this.#engine.rows(statement, asked));
  }

  /** Counts the tags of the list's members, most frequent first. */
  tags(list: ContactList): Promise<TagCount[]> {
    return list.filter === null ? this.#tagsOfMembers(list.number) : this.#segmentTags(list);
  }

  /** Reads the days since `sinceDay` on which contacts joined or left. */
  async growth(listNumber: number, sinceDay: number): Promise<ListDay[]> {
    return this.#db
      .selectFrom('list_days')
      .select(['day', 'joined', 'unsubscribed'])
      .where('list_number', '=', listNumber)
      .where('day', '>=', sinceDay)
      .orderBy('day')
      .execute();
  }

  /**
   * Reads the lists that a recipient is on or has left, and the list that brought the message (`broughtBy`). The scope is that
   * of the message.
   */
  async listsOfRecipient(
    scope: Pick<Scope, 'environmentId' | 'subTenantId'>,
    recipient: { emailKey: string; contactNumber: number | null; broughtBy: number | null },
  ): Promise<OwnList[]> {
    const rows = await rowsAs<OwnListRow>(
      this.#engine.rows(OWN_LISTS, [
        recipient.contactNumber ?? -1,
        recipient.emailKey,
        scope.environmentId,
        scope.subTenantId ?? '',
        recipient.broughtBy ?? -1,
      ]),
    );
    return rows.map(({ state, unsubscribed_at, ...list }) => ({
      list,
      subscription: subscriptionOf(list, state, unsubscribed_at),
    }));
  }

  async #tagsOfMembers(listNumber: number): Promise<TagCount[]> {
    const query = this.#db
      .selectFrom('list_tags')
      .select(['tag', 'contacts'])
      .where('list_number', '=', listNumber)
      .where('contacts', '>', 0)
      .orderBy('contacts', 'desc')
      .limit(TAG_LIMIT);
    return byFrequency(await query.execute());
  }

  async memberships(
    listNumber: number,
    contactNumbers: readonly number[],
  ): Promise<Map<number, Pick<ListMemberTable, 'state' | 'joined_at'>>> {
    if (contactNumbers.length === 0) return new Map();
    const { marks, values } = inList(contactNumbers);
    const statement = `SELECT contact_number, state, joined_at FROM list_members
      WHERE list_number = ? AND contact_number IN (${marks})`;
    const rows = await rowsAs<Omit<ListMemberTable, 'list_number'>>(
      this.#engine.rows(statement, [listNumber, ...values]),
    );
    return new Map(rows.map((row) => [row.contact_number, row]));
  }

  #lists(scope: Pick<Scope, 'environmentId' | 'subTenantId'>) {
    const query = this.#db
      .selectFrom('contact_lists')
      .selectAll()
      .where('environment_id', '=', scope.environmentId)
      .where('deleted_at', 'is', null);
    return scope.subTenantId === null ? query : query.where('sub_tenant_id', '=', scope.subTenantId);
  }
}

type ListUnsubscribe = RowOf<typeof listUnsubscribes>;

interface ListOfContact extends Pick<ListMemberTable, 'state' | 'joined_at'> {
  list_id: string;
}

interface OwnListRow extends ContactList {
  state: ListMemberTable['state'] | null;
  unsubscribed_at: number | null;
}

/** Returns the subscription. A recipient of a segment's mail counts as subscribed, because contacts don't join segments. */
function subscriptionOf(
  list: ContactList,
  state: ListMemberTable['state'] | null,
  leftAt: number | null,
): OwnList['subscription'] {
  if (state !== null) return state;
  if (leftAt !== null) return 'unsubscribed';
  return list.filter === null ? 'none' : 'subscribed';
}
