// Reads the audience of a list: its subscribed members, or the contacts that match a segment's filter, without those who
// unsubscribed. It is read in steps of a few thousand index rows, and other work runs in between.
import { setImmediate as nextTurn } from 'node:timers/promises';
import { isGroup, listsNamedBy, groupNodes, conditionValues, type SegmentGroup } from './segment.rules.js';
import { searchPattern } from '../search.store.js';
import type { Engine, Value } from '../../database/engine/engine.js';
import { inList, rowsAs } from '../../database/sql.js';
import { segmentFragment, type Fragment } from './segment-query.store.js';
import type { ContactList } from './lists.tables.js';
import type { Contact } from '../contacts.tables.js';

type NumberRow = Pick<Contact, 'number'>;

/** A list, or its contacts with a tag. Contacts of every status are included. */
interface Audience {
  list: ContactList;
  segmentTag: string | null;
}

/** Reason why a contact is no longer in an audience. Contacts without the tag are `not_in_segment`. */
type LeftReason = 'removed_from_list' | 'not_in_segment';

export interface AudienceFilter {
  /** Matches any of these. */
  status?: readonly Contact['status'][];
  /** Part of the address or name. */
  q?: string;
  tag?: string;
  /** State of the membership. Default `subscribed`; ignored for segments. */
  state?: 'subscribed' | 'pending';
  createdAfter?: number;
  createdBefore?: number;
}

/** A tag and the number of contacts in an audience that have it. */
export interface TagCount {
  tag: string;
  contacts: number;
}

/** Largest number of counted tags: the most frequent ones of a list, or those of the oldest contacts of a segment. */
export const TAG_LIMIT = 10_000;

/** Index rows that a step reads (about 5 ms). */
const STEP = 2_000;

/** Contact numbers in the order of an index. An audience is the intersection of its sources. */
interface Source {
  /** The table, with the alias `d`. */
  from: string;
  number: string;
  /** Condition that the index answers. */
  where: Fragment;
  /** Condition that is checked in each row. */
  residual: string;
  /** The same conditions on `contacts c`. */
  check: Fragment;
}

interface Question {
  sources: readonly [Source, ...Source[]];
  /** Conditions on `contacts c`. */
  conditions: readonly Fragment[];
}

interface Walk {
  /** Exclusive start; `null` for the first or last number. */
  from: number | null;
  direction: 'ascending' | 'descending';
}

export function createListAudienceStore(engine: Engine): ListAudienceStore {
  return new ListAudienceStore(engine);
}

export class ListAudienceStore {
  readonly #engine: Engine;

  constructor(engine: Engine) {
    this.#engine = engine;
  }

  /** Reads the next `limit` contacts by number, and fewer only at the end. Start with `afterNumber` 0. */
  async audienceSlice(audience: Audience & { afterNumber: number; limit: number }): Promise<Contact[]> {
    const walk: Walk = { from: audience.afterNumber, direction: 'ascending' };
    return this.#collect(await this.#questionOf(audience), walk, audience.limit);
  }

  /** Reads the `limit` newest contacts below `beforeNumber`, and fewer only at the end. Start with `null`. */
  async audiencePage(
    audience: Audience & { beforeNumber: number | null; limit: number; filter?: AudienceFilter },
  ): Promise<Contact[]> {
    const walk: Walk = { from: audience.beforeNumber, direction: 'descending' };
    return this.#collect(await this.#questionOf(audience, audience.filter), walk, audience.limit);
  }

  /** Counts the recipients by reading them. */
  async audienceCount(audience: Audience & { filter?: AudienceFilter }): Promise<number> {
    let total = 0;
    for await (const step of this.#steps(await this.#questionOf(audience, audience.filter))) {
      const [row] = await rowsAs<{ n: number }>(
        this.#engine.rows(`SELECT COUNT(*) AS n ${step.sql}`, step.values),
      );
      total += row?.n ?? 0;
    }
    return total;
  }

  /** Counts the tags of the audience by reading it, most frequent first. */
  async audienceTags(audience: Audience): Promise<TagCount[]> {
    const counts = new Map<string, number>();
    for await (const step of this.#steps(await this.#questionOf(audience))) {
      const statement = `SELECT c.tags, COUNT(*) AS n ${step.sql} AND c.tags <> '[]' GROUP BY c.tags`;
      const rows = await rowsAs<Pick<Contact, 'tags'> & { n: number }>(
        this.#engine.rows(statement, step.values),
      );
      for (const { tags, n } of rows) {
        for (const tag of JSON.parse(tags) as string[]) {
          const known = counts.get(tag);
          if (known === undefined && counts.size >= TAG_LIMIT) continue;
          counts.set(tag, (known ?? 0) + n);
        }
      }
    }
    return byFrequency([...counts].map(([tag, contacts]) => ({ tag, contacts })));
  }

  /** Returns a key of everything except contacts that determines a segment: its filter and the lists in it. */
  async segmentKey(list: ContactList): Promise<string> {
    const segment = JSON.parse(list.filter ?? '{"all":[]}') as SegmentGroup;
    return JSON.stringify([segment, [...(await this.#numbersOf(list, segment))]]);
  }

  /** Finds contacts that are no longer in the audience, with the reason, by number. */
  async leftAmong(audience: Audience, numbers: readonly number[]): Promise<Map<number, LeftReason>> {
    const present = await this.#among(audience, numbers);
    const gone = numbers.filter((number) => !present.has(number));
    if (gone.length === 0) return new Map();
    const isSegment = audience.list.filter !== null;
    const members =
      isSegment || audience.segmentTag === null
        ? null
        : await this.#among({ ...audience, segmentTag: null }, gone);
    return new Map(
      gone.map((number) => [
        number,
        isSegment || members?.has(number) === true ? 'not_in_segment' : 'removed_from_list',
      ]),
    );
  }

  /** Finds the contacts that are in the audience, by number. */
  presentAmong(audience: Audience, numbers: readonly number[]): Promise<Set<number>> {
    return this.#among(audience, numbers);
  }

  async isInAudience(audience: Audience, contactNumber: number): Promise<boolean> {
    return (await this.#among(audience, [contactNumber])).has(contactNumber);
  }

  async #questionOf({ list, segmentTag }: Audience, filter: AudienceFilter = {}): Promise<Question> {
    const { environment_id: environmentId } = list;
    const segment = list.filter === null ? null : (JSON.parse(list.filter) as SegmentGroup);
    const listNumbers = segment === null ? new Map<string, number>() : await this.#numbersOf(list, segment);
    const tags = [segmentTag, filter.tag].flatMap((tag) => (tag === null || tag === undefined ? [] : [tag]));
    const sources = [
      ...(segment === null
        ? [membersOfList(list.number, filter.state ?? 'subscribed')]
        : [ownersContacts(list)]),
      ...tags.map((tag) => contactsTagged(environmentId, tag)),
      ...(segment === null ? [] : sourcesOfSegment(segment, environmentId, listNumbers)),
      ...(filter.q === undefined ? [] : this.#searchedFor(environmentId, filter.q)),
    ] as unknown as Question['sources'];
    const conditions: Fragment[] = [];
    // A contact who left and signs up again is pending, and counts as gone until they confirm.
    if (filter.state !== 'pending') conditions.push(hasNotLeft(list.number));
    if (segment) {
      conditions.push(segmentFragment(segment, { engine: this.#engine.name, environmentId, listNumbers }));
    }
    if (filter.status) {
      const { marks, values } = inList(filter.status);
      conditions.push({ sql: `c.status IN (${marks})`, values });
    }
    const { createdAfter, createdBefore } = filter;
    if (createdAfter !== undefined) conditions.push({ sql: 'c.created_at >= ?', values: [createdAfter] });
    if (createdBefore !== undefined) conditions.push({ sql: 'c.created_at < ?', values: [createdBefore] });
    if (filter.q !== undefined) conditions.push(this.#partOfName(filter.q));
    return { sources, conditions };
  }

  /** Returns the search index as a source, whose matches are checked again. Returns none if the engine has no such index. */
  #searchedFor(environmentId: number, q: string): Source[] {
    const pattern = this.#engine.spelling.contactSearch.index ? searchPattern(environmentId, q) : null;
    if (pattern === null) return [];
    const where = { sql: 'd.contact_search MATCH ?', values: [pattern] };
    return [
      {
        from: 'contact_search d',
        number: 'd.rowid',
        where,
        residual: '',
        check: { sql: 'TRUE', values: [] },
      },
    ];
  }

  #partOfName(q: string): Fragment {
    const find = this.#engine.name === 'sqlite' ? 'instr' : 'strpos';
    return {
      sql: `(${find}(c.email_key, lower(?)) > 0 OR COALESCE(${find}(lower(c.name), lower(?)), 0) > 0)`,
      values: [q, q],
    };
  }

  /** Reads the numbers of the lists in a segment. Only lists of the same owner that are not segments count. */
  async #numbersOf(list: ContactList, segment: SegmentGroup): Promise<Map<string, number>> {
    const ids = listsNamedBy(segment);
    if (ids.length === 0) return new Map();
    const { marks, values } = inList(ids);
    const statement = `SELECT id, number FROM contact_lists WHERE id IN (${marks}) AND +environment_id = ?
      AND COALESCE(sub_tenant_id, '') = ? AND filter IS NULL AND deleted_at IS NULL`;
    const asked = [...values, list.environment_id, list.sub_tenant_id ?? ''];
    const rows = await rowsAs<Pick<ContactList, 'id' | 'number'>>(this.#engine.rows(statement, asked));
    return new Map(rows.map(({ id, number }) => [id, number]));
  }

  /** Finds the source whose next step covers most numbers, and the end of the step; `null` if it is the last one. */
  async #farthest(
    { sources }: Question,
    { from, direction }: Walk,
  ): Promise<{ source: Source; end: number | null }> {
    let best: { source: Source; end: number | null } | null = null;
    for (const source of sources) {
      const { sql, values } = beyond(source.number, from, direction);
      const statement = `SELECT ${source.number} AS number FROM ${source.from} WHERE ${source.where.sql}${sql}
        ORDER BY ${source.number}${direction === 'descending' ? ' DESC' : ''} LIMIT 1 OFFSET ${STEP - 1}`;
      const [row] = await rowsAs<NumberRow>(
        this.#engine.rows(statement, [...source.where.values, ...values]),
      );
      const end = row?.number ?? null;
      if (end === null) return { source, end };
      if (!best || best.end === null || (direction === 'ascending' ? end > best.end : end < best.end)) {
        best = { source, end };
      }
    }
    return best ?? { source: sources[0], end: null };
  }

  /** Builds the FROM and WHERE clauses of a step. */
  #stepOf(question: Question, source: Source, walk: Walk, end: number | null): Fragment {
    const { direction } = walk;
    const start = beyond(source.number, walk.from, direction);
    const checks = question.sources.filter((other) => other !== source).map((other) => other.check);
    const conditions = [...checks, ...question.conditions];
    const until = end === null ? '' : ` AND ${source.number} ${direction === 'ascending' ? '<=' : '>='} ?`;
    return {
      // CROSS JOIN fixes the order of the tables, so that no planner begins with the contacts.
      sql: `FROM ${source.from} CROSS JOIN contacts c WHERE ${source.where.sql}${start.sql}${until}
        ${source.residual} AND c.number = ${source.number}
        ${conditions.map((condition) => `AND ${condition.sql}`).join(' ')}`,
      values: [
        ...source.where.values,
        ...start.values,
        ...(end === null ? [] : [end]),
        ...conditions.flatMap((condition) => condition.values),
      ],
    };
  }

  async #collect(question: Question, walk: Walk, limit: number): Promise<Contact[]> {
    const rows: Contact[] = [];
    let { from } = walk;
    for (;;) {
      const at = { ...walk, from };
      const { source, end } = await this.#farthest(question, at);
      const step = this.#stepOf(question, source, at, end);
      const order = `ORDER BY ${source.number}${walk.direction === 'descending' ? ' DESC' : ''}`;
      const statement = `SELECT c.* ${step.sql} ${order} LIMIT ?`;
      const asked = [...step.values, limit - rows.length];
      rows.push(...(await rowsAs<Contact>(this.#engine.rows(statement, asked))));
      if (end === null || rows.length >= limit) return rows;
      from = end;
      await nextTurn();
    }
  }

  /** Returns the clauses of all steps, by number. */
  async *#steps(question: Question): AsyncGenerator<Fragment> {
    let from = 0;
    for (;;) {
      const walk: Walk = { from, direction: 'ascending' };
      const { source, end } = await this.#farthest(question, walk);
      yield this.#stepOf(question, source, walk, end);
      if (end === null) return;
      from = end;
      await nextTurn();
    }
  }

  /** Finds the given contacts that are in the audience. */
  async #among(audience: Audience, numbers: readonly number[]): Promise<Set<number>> {
    if (numbers.length === 0) return new Set();
    const question = await this.#questionOf(audience);
    const conditions = [...question.sources.map(({ check }) => check), ...question.conditions];
    const { marks, values } = inList(numbers);
    const statement = `SELECT c.number FROM contacts c WHERE c.number IN (${marks})
      ${conditions.map(({ sql }) => `AND ${sql}`).join(' ')}`;
    const asked = [...values, ...conditions.flatMap((condition) => condition.values)];
    const rows = await rowsAs<NumberRow>(this.#engine.rows(statement, asked));
    return new Set(rows.map(({ number }) => number));
  }
}

/** Sorts tags by count, most frequent first, and then by text. */
export function byFrequency(tags: TagCount[]): TagCount[] {
  return tags.sort((a, b) => b.contacts - a.contacts || (a.tag < b.tag ? -1 : 1));
}

function beyond(number: string, from: number | null, direction: Walk['direction']): Fragment {
  if (from === null) return { sql: '', values: [] };
  return { sql: ` AND ${number} ${direction === 'ascending' ? '>' : '<'} ?`, values: [from] };
}

function hasNotLeft(listNumber: number): Fragment {
  return {
    sql: 'NOT EXISTS (SELECT 1 FROM list_unsubscribes g WHERE g.list_number = ? AND g.email_key = c.email_key)',
    values: [listNumber],
  };
}

function membersOfList(listNumber: number, state: 'subscribed' | 'pending'): Source {
  return {
    from: 'list_members d',
    number: 'd.contact_number',
    where: { sql: 'd.list_number = ?', values: [listNumber] },
    residual: `AND d.state = '${state}'`,
    check: {
      sql: `EXISTS (SELECT 1 FROM list_members m WHERE m.list_number = ? AND m.contact_number = c.number
        AND m.state = '${state}')`,
      values: [listNumber],
    },
  };
}

function contactsTagged(environmentId: number, tag: string): Source {
  const values: Value[] = [environmentId, tag];
  return {
    from: 'contact_tags d',
    number: 'd.contact_number',
    where: { sql: 'd.environment_id = ? AND d.tag = ?', values },
    residual: '',
    check: {
      sql: `EXISTS (SELECT 1 FROM contact_tags k WHERE k.environment_id = ? AND k.tag = ?
        AND k.contact_number = c.number)`,
      values,
    },
  };
}

/** Returns the contacts of the segment's owner, which is the workspace or a sub-tenant. */
function ownersContacts({ environment_id: environmentId, sub_tenant_id: subTenantId }: ContactList): Source {
  if (subTenantId === null) {
    return {
      from: 'contacts d',
      number: 'd.number',
      where: { sql: 'd.environment_id = ?', values: [environmentId] },
      residual: 'AND d.sub_tenant_id IS NULL',
      check: { sql: 'c.environment_id = ? AND c.sub_tenant_id IS NULL', values: [environmentId] },
    };
  }
  const values = [environmentId, subTenantId];
  return {
    from: 'contacts d',
    number: 'd.number',
    where: { sql: 'd.environment_id = ? AND d.sub_tenant_id = ?', values },
    residual: '',
    check: { sql: 'c.environment_id = ? AND c.sub_tenant_id = ?', values },
  };
}

/** Returns sources for the indexed conditions that every contact of a segment must meet. */
function sourcesOfSegment(
  segment: SegmentGroup,
  environmentId: number,
  listNumbers: ReadonlyMap<string, number>,
): Source[] {
  if (!('all' in segment)) return [];
  return groupNodes(segment).flatMap((node) => {
    if (isGroup(node) || node.op !== 'has') return [];
    const value = String(conditionValues(node)[0]);
    if (node.field === 'tag') return [contactsTagged(environmentId, value)];
    const number = listNumbers.get(value);
    return node.field === 'list' && number !== undefined ? [membersOfList(number, 'subscribed')] : [];
  });
}
