// Who a list is, on every engine: joined lists, segments against a plain reading of their filter, and what indexes do.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import fc from 'fast-check';
import { addressKey } from '../../src/mail/address.js';
import { newId } from '../../src/runtime/ids.js';
import {
  isGroup,
  membersOf,
  metadataKey,
  readSegment,
  valuesOf,
  type SegmentCondition,
  type SegmentGroup,
  type SegmentNode,
} from '../../src/rules/segment.js';
import type { Contact } from '../../src/store/audience.js';
import {
  createListAudienceStore,
  type ContactList,
  type ListAudienceStore,
} from '../../src/store/list-audience.js';
import { migrate } from '../../src/store/migrations/migrate.js';
import type { Change } from '../../src/store/plan.js';
import type { Scope } from '../../src/store/scope.js';
import { createStore, type Store } from '../../src/store/store.js';
import { engineKinds, type OpenEngine } from '../support/open-engines.js';
import { newWorld, NOW } from './contract/builders.js';

const EMPTY = {
  name: null,
  phone: null,
  tags: '[]',
  metadata: '{}',
  status: 'active',
  sub_tenant_id: null,
} as const;

describe.each(await engineKinds())('the audience of a list on $name', (kind) => {
  let opened: OpenEngine;
  let store: Store;
  let audiences: ListAudienceStore;

  beforeAll(async () => {
    opened = await kind.open();
    await migrate(opened.engine);
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
      workspace_id: scope.workspaceId,
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
    await store.commit([{ kind: 'insert', into: 'contact_lists', row }]);
    const rows = await opened.engine.read
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
      workspace_id: scope.workspaceId,
      email,
      email_key: addressKey(email),
      created_at: fields.created_at ?? NOW,
      updated_at: NOW,
    };
    const { environmentId, workspaceNumber } = scope;
    return { id, change: { kind: 'put-contact', row, ifKnown: 'ignore', environmentId, workspaceNumber } };
  }

  function join(
    scope: Scope,
    list: ContactList,
    contactId: string,
    state: 'subscribed' | 'pending' = 'subscribed',
  ) {
    const { environmentId, workspaceNumber } = scope;
    const where = { environmentId, workspaceNumber, listNumber: list.number, contactId };
    return { kind: 'join-list', ...where, state, returned: false, at: NOW } as const;
  }

  const all = async (
    list: ContactList,
    segmentTag: string | null = null,
    limit = 1000,
  ): Promise<string[]> => {
    const rows = await audiences.audienceSlice({ list, segmentTag, afterNumber: 0, limit });
    return rows.map((row) => row.email);
  };

  it('is its subscribed members, by number, in slices; narrowed by a tag; newest first in pages', async () => {
    const { live } = await newWorld(store);
    const list = await addList(live);
    const people = Array.from({ length: 7 }, (_, i) =>
      put(live, `p${i}@example.com`, { tags: JSON.stringify(i % 2 === 0 ? ['vip', 'x'] : ['x']) }),
    );
    await store.commit(people.map(({ change }) => change));
    await store.commit(
      people.slice(0, 6).map(({ id }, i) => join(live, list, id, i === 5 ? 'pending' : 'subscribed')),
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

  it('of a segment is who matches, of its owner alone, without those who left it', async () => {
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
      {
        kind: 'leave-list',
        listNumber: list.number,
        emailKey: 'c@example.com',
        contactId: null,
        departed: true,
        at: NOW,
      },
    ]);
    expect(await all(list)).toEqual(['a@example.com']);
    const ofTenant = await addList({ ...live, subTenantId: 'tnt_x' }, { filter: JSON.stringify(filter) });
    expect(await all(ofTenant)).toEqual(['d@example.com']);
  });

  it('of a segment is whom a plain reading of its filter takes', async () => {
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
        metadata: i % 9 === 0 ? '{}' : `{"k":${values[i % values.length] ?? '1'},"other key":${i},"z":"a\\u0000b"}`,
        name: names[i % names.length] ?? null,
        phone: i % 5 === 0 ? `+49 ${i}` : null,
        status: statuses[i % 4] ?? 'active',
        created_at: NOW + i * 1000,
      }),
    );
    await store.commit(people.map(({ change }) => change));
    await store.commit(people.filter((_, i) => i % 6 === 0).map(({ id }) => join(live, joined, id)));
    const rows = await opened.engine.read
      .selectFrom('contacts')
      .selectAll()
      .where('workspace_id', '=', live.workspaceId)
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
      { numRuns: 300 },
    );
  }, 60_000);
});

const lower = (text: string): string => text.replace(/[A-Z]/g, (letter) => letter.toLowerCase());

/** The plain reading. */
function takes(node: SegmentNode, contact: Contact, isOn: (listId: string) => boolean): boolean {
  if (!isGroup(node)) return holds(node, contact, isOn);
  const members = membersOf(node).map((member) => takes(member, contact, isOn));
  return 'all' in (node as SegmentGroup) ? members.every(Boolean) : members.some(Boolean);
}

function holds(condition: SegmentCondition, contact: Contact, isOn: (listId: string) => boolean): boolean {
  const { field, op } = condition;
  const values = valuesOf(condition).map(String);
  const [value = ''] = values;
  switch (op) {
    case 'neq':
      return !holds({ ...condition, op: 'eq' }, contact, isOn);
    case 'not_in':
      return !holds({ ...condition, op: 'in' }, contact, isOn);
    case 'not_has':
      return !holds({ ...condition, op: 'has' }, contact, isOn);
    case 'not_exists':
      return !holds({ ...condition, op: 'exists' }, contact, isOn);
    default:
  }
  if (field === 'tag') {
    const tags = JSON.parse(contact.tags) as string[];
    return op === 'exists' ? tags.length > 0 : values.some((tag) => tags.includes(tag));
  }
  if (field === 'list') return values.some(isOn);
  if (field === 'created_at' || field === 'updated_at') {
    return op === 'before' ? contact[field] < Date.parse(value) : contact[field] > Date.parse(value);
  }
  const text = textOf(condition, contact);
  if (text === null) return false;
  const folded = lower(text);
  const sought = lower(field === 'email' && (op === 'eq' || op === 'in') ? addressKey(value) : value);
  switch (op) {
    case 'exists':
      return text !== '';
    case 'contains':
      return folded.includes(sought);
    case 'starts_with':
      return folded.startsWith(sought);
    case 'ends_with':
      return folded.endsWith(sought);
    case 'before':
      return /^\d{4}-\d\d-\d\d/.test(text) && text.slice(0, 10) < value;
    case 'after':
      return /^\d{4}-\d\d-\d\d/.test(text) && text.slice(0, 10) > value;
    case 'gt':
    case 'gte':
    case 'lt':
    case 'lte': {
      if (!/^-?(0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?$/.test(text)) return false;
      const difference = Number(text) - Number(value);
      return { gt: difference > 0, gte: difference >= 0, lt: difference < 0, lte: difference <= 0 }[op];
    }
    default:
      return values.some((one) => folded === lower(field === 'email' ? addressKey(one) : one));
  }
}

function textOf({ field }: SegmentCondition, contact: Contact): string | null {
  if (field === 'email') return contact.email_key;
  if (field === 'name' || field === 'phone' || field === 'status') return contact[field];
  const key = metadataKey(field) ?? '';
  const value = (JSON.parse(contact.metadata) as Record<string, unknown>)[key];
  if (typeof value === 'string') return value;
  // As it is written in the row.
  if (typeof value === 'number') return value === 1000 ? '1e3' : String(value);
  return typeof value === 'boolean' ? String(value) : null;
}
