// Tests that SQLite finds the contacts of a filter by an index in their order, and never reads all of them.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { newId } from '../../src/lib/runtime/index.js';
import { createContactStore, type ContactFilter } from '../../src/contacts/contacts.store.js';
import type { Value } from '../../src/database/engine/engine.js';
import type { Scope } from '../../src/database/scope.js';
import { createStore, type Store } from '../../src/app/store.js';
import { SQLITE, type OpenEngine } from '../support/open-engines.js';
import { newWorld, NOW } from '../database/contract/builders.js';
import type { Change } from '../../src/database/change.js';
import { contactLists } from '../../src/contacts/lists/lists.tables.js';
import { insert } from '../../src/database/rows.js';
import { putContact } from '../../src/contacts/contact-changes.store.js';

let opened: OpenEngine;
let store: Store;
let live: Scope;

beforeAll(async () => {
  opened = await SQLITE.openMigrated();
  store = createStore(opened.engine, { maxGroup: 50 });
  ({ live } = await newWorld(store));
  const { environmentId } = live;
  const row = {
    environment_id: environmentId,
    sub_tenant_id: null,
    phone: null,
    metadata: '{}',
    status: 'active',
  } as const;
  const times = { created_at: NOW, updated_at: NOW };
  await store.commit([
    insert(contactLists, {
      row: {
        ...{
          id: 'lst_1',
          environment_id: environmentId,
          sub_tenant_id: null,
          name: 'News',
          description: null,
        },
        ...{ double_opt_in: 0, confirmation_template_id: null, filter: null, contacts: 0, counted_at: null },
        ...{ ...times, deleted_at: null },
      },
    }),
    ...Array.from({ length: 50 }, (_, i): Change => {
      const email = `c${i}@x.example`;
      const contact = { id: newId('cnt', NOW), email, email_key: email, name: `Ann ${i}`, tags: '["t"]' };
      const whole = { ...row, ...times, ...contact };
      return putContact({ row: whole, ifKnown: 'ignore' });
    }),
  ]);
});
afterAll(async () => {
  await store.drain();
  await opened.close();
});

it.each<[string, string, ContactFilter, string | null]>([
  ['all', 'contacts_by_environment', {}, null],
  ['those with a status', 'contacts_by_status', { status: ['active'] }, null],
  ['those with a tag', 'sqlite_autoindex_contact_tags', { tag: 't' }, null],
  ['those of a list', 'sqlite_autoindex_list_members', { listId: 'lst_1' }, null],
  ['those of a part of a name', 'VIRTUAL TABLE', { q: 'ann' }, null],
  ['those that begin with a letter', 'VIRTUAL TABLE', { q: 'a' }, null],
  ['a tenant’s', 'contacts_of_tenant', {}, 'tnt_1'],
  ['a tenant’s with a status', 'contacts_of_tenant', { status: ['active'] }, 'tnt_1'],
  [
    'those of everything',
    'sqlite_autoindex_contact_tags',
    { tag: 't', q: 'ann', status: ['active'], listId: 'lst_1' },
    null,
  ],
])('%s are found by %s', async (_name, index, filter, subTenantId) => {
  const statements: { sql: string; values: readonly Value[] }[] = [];
  const watched = createContactStore({
    ...opened.engine,
    schema: opened.engine.schema,
    rows(sql, values) {
      statements.push({ sql, values });
      return opened.engine.rows(sql, values);
    },
  });
  const scope = { ...live, subTenantId };
  // A list of the workspace is not the tenant's.
  await watched.contacts(scope, { limit: 25, after: null }, filter);
  await watched.countContacts(scope, filter);
  const steps: string[] = [];
  for (const { sql, values } of statements) {
    const rows = await opened.raw(`EXPLAIN QUERY PLAN ${sql}`, values);
    steps.push(...rows.map((row) => String(row['detail'])));
  }
  expect(steps.join('\n')).toContain(index);
  expect(steps.filter((step) => step.startsWith('SCAN') && !/VIRTUAL TABLE|SCAN s$/.test(step))).toEqual([]);
  expect(steps.filter((step) => step.includes('TEMP B-TREE'))).toEqual([]);
});

it('contacts from before the search index are found like later ones', async () => {
  const page = { limit: 3, after: null };
  const searches = ['ann 7', 'c7@', 'a', '4'];
  const results = () => Promise.all(searches.map((q) => store.contacts.contacts(live, page, { q })));
  const before = await results();
  expect(before.map(({ rows }) => rows.length)).toEqual([1, 1, 3, 3]);
  await opened.raw('DROP TABLE contact_search');
  const { create, fill } = opened.engine.spelling.contactSearch;
  for (const statement of [...create, ...fill]) await opened.raw(statement);
  expect(await results()).toEqual(before);
});
