// Lists as the API, the sign-up and the preference page read them: the lists themselves, members, tags, growth.
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
import { type Page, type PageRequest, type Scope, pageOf } from '../../database/scope.js';
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
import type { TablesOf } from '../../database/columns.js';

type Known = TablesOf<
  | typeof audienceVersions
  | typeof contactLists
  | typeof environments
  | typeof listDays
  | typeof listTags
  | typeof listUnsubscribes
>;

// The tags of a segment's contacts. Nobody joins a segment, so they are counted by reading it, step by step, and answered again
// for as long as no contact and no list of the environment has changed.
const KEPT_SEGMENTS = 200;

/** Answers for a list with a filter. One count of a segment at a time: whoever asks meanwhile waits for it. */
function createSegmentTags(
  engine: Engine,
  audiences: Pick<ListAudienceStore, 'audienceTags' | 'segmentKey'>,
): (list: ContactList) => Promise<TagCount[]> {
  const counted = new Map<number, { as: string; tags: TagCount[] }>();
  const inTurn = createKeyedMutex();

  /** Read before the contacts are: a change meanwhile makes what is counted hold no longer, and no less. */
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

/** A contact as a list has it; no membership of its own where a segment takes it. */
export interface Member {
  contact: Contact;
  state: ListMemberTable['state'];
  joinedAt: number | null;
}

/** A day of a list that was joined or left. */
export interface ListDay {
  /** Days since the epoch, UTC. */
  day: number;
  joined: number;
  unsubscribed: number;
}

/** A list as one recipient stands to it. */
export interface OwnList {
  list: ContactList;
  subscription: 'subscribed' | 'pending' | 'unsubscribed' | 'none';
}

/** On a preference page. */
const OWN_LISTS_LIMIT = 100;

const OWN_LISTS = `SELECT l.*, m.state, g.unsubscribed_at FROM contact_lists l
  LEFT JOIN list_members m ON m.list_number = l.number AND m.contact_number = ?
  LEFT JOIN list_unsubscribes g ON g.list_number = l.number AND g.email_key = ?
  WHERE l.environment_id = ? AND COALESCE(l.sub_tenant_id, '') = ? AND l.deleted_at IS NULL
    AND (m.state IS NOT NULL OR g.unsubscribed_at IS NOT NULL OR l.number = ?)
  ORDER BY l.name, l.number LIMIT ${OWN_LISTS_LIMIT}`;

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

  /** A list of the scope that is not deleted. */
  async list(scope: Pick<Scope, 'environmentId' | 'subTenantId'>, id: string): Promise<ContactList | null> {
    return (await this.#lists(scope).where('id', '=', id).executeTakeFirst()) ?? null;
  }

  /** By its id, whatever the scope: for a signed link. Null when it was deleted. */
  async listOf(id: string): Promise<ContactList | null> {
    const query = this.#db
      .selectFrom('contact_lists')
      .selectAll()
      .where('id', '=', id)
      .where('deleted_at', 'is', null);
    return (await query.executeTakeFirst()) ?? null;
  }

  /** The list that forms name by its publishable key. Null when it was deleted, or the key was taken away. */
  async listOfFormKey(key: string): Promise<ContactList | null> {
    const query = this.#db.selectFrom('contact_lists').selectAll().where('form_key', '=', key);
    return (await query.where('deleted_at', 'is', null).executeTakeFirst()) ?? null;
  }

  /** The list that a campaign names, in the campaign's environment. Null when it was deleted. */
  async listFor(campaign: { environment_id: number; list_number: number }): Promise<ContactList | null> {
    const query = this.#db
      .selectFrom('contact_lists')
      .selectAll()
      .where('number', '=', campaign.list_number)
      .where('environment_id', '=', campaign.environment_id)
      .where('deleted_at', 'is', null);
    return (await query.executeTakeFirst()) ?? null;
  }

  /** Returns the lists of both environments whose confirmation mail is made from a template. */
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

  /** Ids of lists by number; deleted lists and numbers of none are left out. */
  async listIds(numbers: readonly number[]): Promise<ReadonlyMap<number, string>> {
    if (numbers.length === 0) return new Map();
    const query = this.#db
      .selectFrom('contact_lists')
      .select(['number', 'id'])
      .where('number', 'in', [...new Set(numbers)])
      .where('deleted_at', 'is', null);
    return new Map((await query.execute()).map(({ number, id }) => [number, id]));
  }

  /** Pages are cut at the number. */
  async lists(scope: Scope, page: PageRequest, filter: { q?: string }): Promise<Page<ContactList>> {
    let query = paged(this.#lists(scope), page, { key: 'number', isNumber: true });
    if (filter.q !== undefined) query = query.where(holding(['name'], filter.q));
    return pageOf(await query.execute(), page.limit, (row) => String(row.number));
  }

  /** Newest contact first; pages are cut at the contact's number. */
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
    return pageOf(members, page.limit, ({ contact }) => String(contact.number));
  }

  /** When the owner of an address left the list on their own; null when they did not. */
  async leftAt(listNumber: number, emailKey: string): Promise<number | null> {
    const row = await this.#db
      .selectFrom('list_unsubscribes')
      .select('unsubscribed_at')
      .where('list_number', '=', listNumber)
      .where('email_key', '=', emailKey)
      .executeTakeFirst();
    return row?.unsubscribed_at ?? null;
  }

  /** Which of these left the list on their own. */
  async unsubscribedAmong(listNumber: number, emailKeys: readonly string[]): Promise<Set<string>> {
    if (emailKeys.length === 0) return new Set();
    const { marks, values } = inList(emailKeys);
    const statement = `SELECT email_key FROM list_unsubscribes WHERE list_number = ? AND email_key IN (${marks})`;
    const rows = await rowsAs<{ email_key: string }>(this.#engine.rows(statement, [listNumber, ...values]));
    return new Set(rows.map(({ email_key }) => email_key));
  }

  /** Contacts of exactly the list's owner among these, by id. */
  async contactsThatMayJoin(list: ContactList, ids: readonly string[]): Promise<Contact[]> {
    if (ids.length === 0) return [];
    const { marks, values } = inList(ids);
    const statement = `SELECT * FROM contacts
      WHERE id IN (${marks}) AND +environment_id = ? AND COALESCE(sub_tenant_id, '') = ?`;
    const asked = [...values, list.environment_id, list.sub_tenant_id ?? ''];
    return rowsAs<Contact>(this.#engine.rows(statement, asked));
  }

  /** The tags of its members, the most frequent first, as they are now. */
  tags(list: ContactList): Promise<TagCount[]> {
    return list.filter === null ? this.#tagsOfMembers(list.number) : this.#segmentTags(list);
  }

  /** The days from `sinceDay` on which somebody joined or left, in their order. */
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
   * The lists of the owner of a message that this recipient is on or has left, by name, and the one that brought the
   * message to them.
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

interface OwnListRow extends ContactList {
  state: ListMemberTable['state'] | null;
  unsubscribed_at: number | null;
}

/** A segment is not joined: a contact that has not unsubscribed belongs to it, as far as its mail reached them. */
function subscriptionOf(
  list: ContactList,
  state: ListMemberTable['state'] | null,
  leftAt: number | null,
): OwnList['subscription'] {
  if (state !== null) return state;
  if (leftAt !== null) return 'unsubscribed';
  return list.filter === null ? 'none' : 'subscribed';
}
