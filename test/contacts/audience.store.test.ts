// Tests the members of lists on every engine: joined lists, segments compared with a plain evaluation of their filter, and the
// use of indexes.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import fc from 'fast-check';
import { addressKey } from '../../src/lib/mime/index.js';
import { newId } from '../../src/lib/runtime/index.js';
import {
  isGroup,
  groupNodes,
  metadataKey,
  readSegment,
  conditionValues,
  type SegmentCondition,
  type SegmentNode,
} from '../../src/contacts/lists/segment.rules.js';
import type { Contact, contacts } from '../../src/contacts/contacts.tables.js';
import { createListAudienceStore, type ListAudienceStore } from '../../src/contacts/lists/audience.store.js';
import type { Scope } from '../../src/database/scope.js';
import type { Value } from '../../src/database/engine/engine.js';
import { createStore, type Store } from '../../src/app/store.js';
import { engineKinds, SQLITE, type OpenEngine } from '../support/open-engines.js';
import { newWorld, NOW } from '../database/contract/builders.js';
import { CONSENT } from '../support/consent.js';
import { type ContactList, contactLists } from '../../src/contacts/lists/lists.tables.js';
import { runs } from '../support/run-size.js';
import type { Change } from '../../src/database/change.js';
import { insert } from '../../src/database/rows.js';
import { putContact, joinList, leaveList } from '../../src/contacts/contact-changes.store.js';
import type { TablesOf } from '../../src/database/columns.js';

type Known = TablesOf<typeof contactLists | typeof contacts>;

const EMPTY = {
  name: null,
  phone: null,
  tags: '[]',
  metadata: '{}',
  status: 'active',
  sub_tenant_id: null,
} as const;

describe.each(engineKinds())('the audience of a list on $name', (kind) => {
  let opened: OpenEngine;
  let store: Store;
  let audiences: ListAudienceStore;

  beforeAll(async () => {
    opened = await kind.openMigrated();
    store = createStore(opened.engine, { maxGroup: 50 });
    audiences = createListAudienceStore(opened.engine);
  }, 120_000);
  afterAll(async () => {
    await store.drain();
    await opened.close();
  });

  async function addList(scope: Scope, fields: Partial<ContactList> = {}): Promise<ContactList> {
    const id = newId('lst', NOW);
    const row = {
      id,
      environment_id: scope.environmentId,
      sub_tenant_id: scope.subTenantId,
      name: 'News',
      description: null,
      double_opt_in: 0 as const,
      confirmation_template_id: null,
      filter: null,
      contacts: 0,
      counted_at: null,
      created_at: NOW,
      updated_at: NOW,
      deleted_at: null,
      ...fields,
    };
    await store.commit([insert(contactLists, { row })]);
    const rows = await opened.engine.read
      .$extendTables<Known>()
      .selectFrom('contact_lists')
      .selectAll()
      .where('id', '=', id)
      .execute();
    const [list] = rows;
    if (!list) throw new Error('The list was not kept.');
    return list;
  }

  function put(scope: Scope, email: string, fields: Partial<Contact> = {}): { id: string; change: Change } {
    const id = newId('cnt', NOW);
    const row = {
      ...EMPTY,
      sub_tenant_id: scope.subTenantId,
      ...fields,
      id,
      environment_id: scope.environmentId,
      email,
      email_key: addressKey(email),
      created_at: fields.created_at ?? NOW,
      updated_at: NOW,
    };
    return { id, change: putContact({ row, ifKnown: 'ignore' }) };
  }

  function join(list: ContactList, contactId: string, state: 'subscribed' | 'pending' = 'subscribed') {
    const where = { listNumber: list.number, contactId };
    return joinList({ ...where, state, returned: false, consent: CONSENT, at: NOW });
  }

  const all = async (
    list: ContactList,
    segmentTag: string | null = null,
    limit = 1000,
  ): Promise<string[]> => {
    const rows = await audiences.audienceSlice({ list, segmentTag, afterNumber: 0, limit });
    return rows.map((row) => row.email);
  };

  it('is its subscribed members by number, in slices, by tag, and newest first in pages', async () => {
    const { live } = await newWorld(store);
    const list = await addList(live);
    const people = Array.from({ length: 7 }, (_, i) =>
      put(live, `p${i}@example.com`, { tags: JSON.stringify(i % 2 === 0 ? ['vip', 'x'] : ['x']) }),
    );
    await store.commit(people.map(({ change }) => change));
    await store.commit(
      people.slice(0, 6).map(({ id }, i) => join(list, id, i === 5 ? 'pending' : 'subscribed')),
    );
    expect(await all(list)).toEqual([
      'p0@example.com',
      'p1@example.com',
      'p2@example.com',
      'p3@example.com',
      'p4@example.com',
    ]);
    expect(await all(list, 'vip')).toEqual(['p0@example.com', 'p2@example.com', 'p4@example.com']);
    expect(await all(list, 'nobody')).toEqual([]);
    const first = await audiences.audienceSlice({ list, segmentTag: null, afterNumber: 0, limit: 2 });
    const next = await audiences.audienceSlice({
      list,
      segmentTag: null,
      afterNumber: first[1]?.number ?? 0,
      limit: 2,
    });
    expect(next.map((row) => row.email)).toEqual(['p2@example.com', 'p3@example.com']);
    const page = await audiences.audiencePage({ list, segmentTag: 'vip', beforeNumber: null, limit: 2 });
    expect(page.map((row) => row.email)).toEqual(['p4@example.com', 'p2@example.com']);
    const older = await audiences.audiencePage({
      list,
      segmentTag: 'vip',
      beforeNumber: page[1]?.number ?? 0,
      limit: 2,
    });
    expect(older.map((row) => row.email)).toEqual(['p0@example.com']);
    expect(await audiences.audienceCount({ list, segmentTag: 'x' })).toBe(5);
    const pending = await audiences.audiencePage({
      list,
      segmentTag: null,
      beforeNumber: null,
      limit: 9,
      filter: { state: 'pending' },
    });
    expect(pending.map((row) => row.email)).toEqual(['p5@example.com']);
    const found = await audiences.audiencePage({
      list,
      segmentTag: null,
      beforeNumber: null,
      limit: 9,
      filter: { q: 'P3@' },
    });
    expect(found.map((row) => row.email)).toEqual(['p3@example.com']);
    expect(await audiences.isInAudience({ list, segmentTag: 'vip' }, first[0]?.number ?? 0)).toBe(true);
    expect(await audiences.isInAudience({ list, segmentTag: 'vip' }, first[1]?.number ?? 0)).toBe(false);
  });

  it('of a segment is the matching contacts of its owner who have not left it', async () => {
    const { live } = await newWorld(store);
    const filter = { all: [{ field: 'metadata.city', op: 'eq', value: 'bremen' }] };
    const list = await addList(live, { filter: JSON.stringify(filter) });
    const city = JSON.stringify({ city: 'Bremen' });
    const people = [
      put(live, 'a@example.com', { metadata: city }),
      put(live, 'b@example.com'),
      put(live, 'c@example.com', { metadata: city }),
      put(live, 'd@example.com', { metadata: city, sub_tenant_id: 'tnt_x' }),
    ];
    await store.commit(people.map(({ change }) => change));
    expect(await all(list)).toEqual(['a@example.com', 'c@example.com']);
    await store.commit([
      leaveList({
        listNumber: list.number,
        emailKey: 'c@example.com',
        contactId: null,
        unsubscribed: true,
        at: NOW,
      }),
    ]);
    expect(await all(list)).toEqual(['a@example.com']);
    const ofTenant = await addList({ ...live, subTenantId: 'tnt_x' }, { filter: JSON.stringify(filter) });
    expect(await all(ofTenant)).toEqual(['d@example.com']);
  });

  it('of a segment equals a direct evaluation of its filter', async () => {
    const { live } = await newWorld(store);
    const joined = await addList(live);
    const tagSets = ['[]', '["a"]', '["b"]', '["a","b"]'];
    const values = [
      '"Ann"',
      '"31"',
      '31',
      '-2.5',
      '1e3',
      '"1e3"',
      'true',
      'null',
      '{}',
      '"2026-03-01"',
      '"2026-04-01T10:00:00Z"',
      '"x_y%z"',
      '"ÄÖ"',
      '" 7"',
      '"007"',
      '""',
    ];
    const names = ['Ann Smith', "O'Neil", 'x_y%z', null, '', 'Ä', '?'];
    const statuses = ['active', 'unsubscribed', 'bounced', 'complained'] as const;
    const people = Array.from({ length: 120 }, (_, i) =>
      put(live, `user${i}@${i % 3 === 0 ? 'Example' : 'sample'}.com`, {
        tags: tagSets[i % 4] ?? '[]',
        metadata:
          i % 9 === 0 ? '{}' : `{"k":${values[i % values.length] ?? '1'},"other key":${i},"z":"a\\u0000b"}`,
        name: names[i % names.length] ?? null,
        phone: i % 5 === 0 ? `+49 ${i}` : null,
        status: statuses[i % 4] ?? 'active',
        created_at: NOW + i * 1000,
      }),
    );
    await store.commit(people.map(({ change }) => change));
    await store.commit(people.filter((_, i) => i % 6 === 0).map(({ id }) => join(joined, id)));
    const rows = await opened.engine.read
      .$extendTables<Known>()
      .selectFrom('contacts')
      .selectAll()
      .where('environment_id', '=', live.environmentId)
      .orderBy('number')
      .execute();
    const members = new Set(people.filter((_, i) => i % 6 === 0).map(({ id }) => id));
    const text = fc.constantFrom(
      'ann',
      'A',
      '31',
      'x_y%z',
      'y%',
      '%',
      '_',
      "'",
      '?',
      'example',
      'user1@sample.com',
      'true',
      '1000',
      '1e3',
      '2026',
      '007',
    );
    const condition = fc.oneof(
      fc.record({
        field: fc.constantFrom('email', 'name', 'phone', 'metadata.k', 'metadata.none'),
        op: fc.constantFrom('eq', 'neq', 'contains', 'starts_with', 'ends_with'),
        value: text,
      }),
      fc.record({
        field: fc.constantFrom('email', 'name', 'metadata.k'),
        op: fc.constantFrom('in', 'not_in'),
        value: fc.array(text, { minLength: 1, maxLength: 4 }),
      }),
      fc.record({
        field: fc.constantFrom('name', 'phone', 'metadata.k', 'metadata.z', 'tag'),
        op: fc.constantFrom('exists', 'not_exists'),
      }),
      fc.record({
        field: fc.constantFrom('metadata.k', 'metadata.other key'),
        op: fc.constantFrom('gt', 'gte', 'lt', 'lte'),
        value: fc.constantFrom(-3, -2.5, 0, 7, 31, 60, 1000),
      }),
      fc.record({
        field: fc.constant('metadata.k'),
        op: fc.constantFrom('eq', 'neq'),
        value: fc.constantFrom(31, true, false, -2.5, 1000),
      }),
      fc.record({
        field: fc.constant('metadata.k'),
        op: fc.constantFrom('before', 'after'),
        value: fc.constantFrom('2026-03-01', '2026-03-15', '2026-05-01'),
      }),
      fc.record({
        field: fc.constantFrom('created_at', 'updated_at'),
        op: fc.constantFrom('before', 'after'),
        value: fc.constantFrom(new Date(NOW + 60_000).toISOString(), '2026-01-02', '2026-01-03'),
      }),
      fc.record({
        field: fc.constant('status'),
        op: fc.constantFrom('eq', 'neq'),
        value: fc.constantFrom(...statuses),
      }),
      fc.record({
        field: fc.constant('tag'),
        op: fc.constantFrom('has', 'not_has'),
        value: fc.constantFrom('a', 'b', 'none'),
      }),
      fc.record({
        field: fc.constant('list'),
        op: fc.constantFrom('has', 'not_has'),
        value: fc.constantFrom(joined.id, 'lst_gone'),
      }),
      fc.record({
        field: fc.constantFrom('tag', 'list'),
        op: fc.constantFrom('in', 'not_in'),
        value: fc.constantFrom(['a', joined.id], ['b'], ['none']),
      }),
    );
    const group = (inner: fc.Arbitrary<unknown>) =>
      fc
        .tuple(fc.constantFrom('all', 'any'), fc.array(inner, { minLength: 1, maxLength: 3 }))
        .map(([name, list]) => ({ [name]: list }));
    const filter = group(fc.oneof(condition, group(fc.oneof(condition, group(condition)))));
    await fc.assert(
      fc.asyncProperty(filter, async (input) => {
        const read = readSegment(input, 'filter');
        if (!read.ok) throw new Error(JSON.stringify(read.problems));
        const list = { ...joined, number: 999_999, filter: JSON.stringify(read.filter) };
        const expected = rows.filter((row) =>
          takes(read.filter, row, (id) => id === joined.id && members.has(row.id)),
        );
        expect(await all(list)).toEqual(expected.map((row) => row.email));
        expect(await audiences.audienceCount({ list, segmentTag: null })).toBe(expected.length);
      }),
      runs(300),
    );
  }, 60_000);
});

describe('on SQLite', () => {
  it('every step uses an index', async () => {
    const opened = await SQLITE.openMigrated();
    const store = createStore(opened.engine, { maxGroup: 50 });
    const { live } = await newWorld(store);
    const asked: { statement: string; values: readonly Value[] }[] = [];
    const audiences = createListAudienceStore({
      ...opened.engine,
      rows(statement, values) {
        asked.push({ statement, values });
        return opened.engine.rows(statement, values);
      },
    });
    const condition = { field: 'metadata.city', op: 'eq', value: 'x' };
    const list = { ...LIST, workspace_id: live.workspaceId };
    const ofTenant = { ...list, sub_tenant_id: 'tnt_x' };
    const segments = [list, ofTenant].map((one) => ({
      ...one,
      filter: JSON.stringify({ all: [condition] }),
    }));
    for (const one of [list, ...segments]) {
      for (const segmentTag of [null, 'x']) {
        await audiences.audienceSlice({ list: one, segmentTag, afterNumber: 5, limit: 10 });
        await audiences.audiencePage({
          list: one,
          segmentTag,
          beforeNumber: 9,
          limit: 10,
          filter: { q: 'some' },
        });
        await audiences.audienceCount({ list: one, segmentTag });
        await audiences.audienceTags({ list: one, segmentTag });
      }
    }
    expect(asked.length).toBeGreaterThan(30);
    for (const { statement, values } of asked) {
      const rows = await opened.raw(`EXPLAIN QUERY PLAN ${statement}`, values);
      const plan = rows.map((row) => String(row['detail']));
      expect(plan.filter((line) => /^SCAN (?!d VIRTUAL TABLE INDEX \d+:\S*M)/.test(line))).toEqual([]);
      // The order comes from the index, except for the few groups of tags.
      if (!statement.includes('GROUP BY')) expect(plan.join()).not.toContain('TEMP B-TREE');
    }
    await store.drain();
    await opened.close();
  });
});

const LIST: ContactList = {
  number: 1,
  id: 'lst_1',
  environment_id: 1,
  sub_tenant_id: null,
  name: 'News',
  description: null,
  double_opt_in: 0,
  confirmation_template_id: null,
  filter: null,
  contacts: 0,
  counted_at: null,
  form_key: null,
  form_origins: '[]',
  created_at: NOW,
  updated_at: NOW,
  deleted_at: null,
};

const lower = (text: string): string => text.replace(/[A-Z]/g, (letter) => letter.toLowerCase());

/** The plain reading. */
function takes(node: SegmentNode, contact: Contact, isOn: (listId: string) => boolean): boolean {
  if (!isGroup(node)) return holds(node, contact, isOn);
  const members = groupNodes(node).map((member) => takes(member, contact, isOn));
  return 'all' in node ? members.every(Boolean) : members.some(Boolean);
}

const POSITIVE: Partial<Record<SegmentCondition['op'], SegmentCondition['op']>> = {
  neq: 'eq',
  not_in: 'in',
  not_has: 'has',
  not_exists: 'exists',
};

function holds(condition: SegmentCondition, contact: Contact, isOn: (listId: string) => boolean): boolean {
  const { field, op } = condition;
  const positive = POSITIVE[op];
  if (positive) return !holds({ ...condition, op: positive }, contact, isOn);
  const values = conditionValues(condition).map(String);
  const [value = ''] = values;
  if (field === 'tag') {
    const tags = JSON.parse(contact.tags) as string[];
    return op === 'exists' ? tags.length > 0 : values.some((tag) => tags.includes(tag));
  }
  if (field === 'list') return values.some(isOn);
  if (field === 'created_at' || field === 'updated_at') {
    return op === 'before' ? contact[field] < Date.parse(value) : contact[field] > Date.parse(value);
  }
  const text = textOf(condition, contact);
  return text !== null && holdsOfText(text, condition, values);
}

const IS_DAY = /^\d{4}-\d\d-\d\d/;
const IS_NUMBER = /^-?(0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?$/;

function holdsOfText(text: string, { field, op }: SegmentCondition, values: readonly string[]): boolean {
  const [value = ''] = values;
  const folded = lower(text);
  const difference = IS_NUMBER.test(text) ? Number(text) - Number(value) : NaN;
  const answers: Partial<Record<SegmentCondition['op'], boolean>> = {
    exists: text !== '',
    contains: folded.includes(lower(value)),
    starts_with: folded.startsWith(lower(value)),
    ends_with: folded.endsWith(lower(value)),
    before: IS_DAY.test(text) && text.slice(0, 10) < value,
    after: IS_DAY.test(text) && text.slice(0, 10) > value,
    gt: difference > 0,
    gte: difference >= 0,
    lt: difference < 0,
    lte: difference <= 0,
  };
  return answers[op] ?? values.some((one) => folded === lower(field === 'email' ? addressKey(one) : one));
}

function textOf({ field }: SegmentCondition, contact: Contact): string | null {
  if (field === 'email') return contact.email_key;
  if (field === 'name' || field === 'phone' || field === 'status') return contact[field];
  const key = metadataKey(field) ?? '';
  const value = (JSON.parse(contact.metadata) as Record<string, unknown>)[key];
  if (typeof value === 'string') return value;
  // As stored in the row.
  if (typeof value === 'number') return value === 1000 ? '1e3' : String(value);
  return typeof value === 'boolean' ? String(value) : null;
}
