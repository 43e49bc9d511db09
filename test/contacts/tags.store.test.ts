// Tests that the tags of a list are those of its current members, even if contacts have changed since the request.
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newId } from '../../src/lib/runtime/index.js';
import { createStore } from '../../src/app/store.js';
import type { ContactList } from '../../src/contacts/lists/lists.tables.js';
import { CONSENT } from '../support/consent.js';
import { engineKinds } from '../support/open-engines.js';
import { NOW, newWorld, type Bench } from '../database/contract/builders.js';
import type { Change } from '../../src/database/change.js';
import {
  putContact,
  changeContact,
  removeContact,
  leaveList,
  joinList,
} from '../../src/contacts/contact-changes.store.js';
import { contactLists } from '../../src/contacts/lists/lists.tables.js';
import { insert } from '../../src/database/rows.js';

const TAGS = ['a', 'b', 'c', 'd'];
const PEOPLE = 6;

type Step =
  | { kind: 'tag'; person: number; tags: string[] }
  | { kind: 'join' | 'ask' | 'leave' | 'unsubscribe' | 'delete'; person: number; list: number };

const person = fc.nat({ max: PEOPLE - 1 });
const steps = fc.array(
  fc.oneof(
    fc.record({
      kind: fc.constant('tag' as const),
      person,
      tags: fc.uniqueArray(fc.constantFrom(...TAGS)),
    }),
    fc.record({
      kind: fc.constantFrom(
        'join' as const,
        'ask' as const,
        'leave' as const,
        'unsubscribe' as const,
        'delete' as const,
      ),
      person,
      list: fc.nat({ max: 1 }),
    }),
  ),
  { maxLength: 25 },
);

describe.each(engineKinds())('the tags of lists on $name', (kind) => {
  let bench: Bench;
  beforeAll(async () => {
    const opened = await kind.openMigrated();
    bench = { opened, store: createStore(opened.engine, { maxGroup: 50 }) };
  }, 120_000);
  afterAll(async () => {
    await bench.store.drain();
    await bench.opened.close();
  });

  it('always match members and contacts', async () => {
    await fc.assert(
      fc.asyncProperty(steps, async (wanted) => {
        const world = await openWorld(bench);
        for (const step of wanted) {
          await bench.store.commit(world.changesOf(step));
          for (const list of world.lists) {
            expect(await bench.store.lists.tags(list)).toEqual(
              await bench.store.lists.audienceTags({ list, segmentTag: null }),
            );
          }
        }
      }),
      { numRuns: 12 },
    );
  });

  it('are counted without reading members, and for a segment once until a change', async () => {
    const world = await openWorld(bench);
    const [list, , segment] = world.lists;
    if (!list || !segment) throw new Error('No list.');
    for (let one = 0; one < PEOPLE; one++) {
      await bench.store.commit([
        ...world.changesOf({ kind: 'tag', person: one, tags: ['a'] }),
        ...world.changesOf({ kind: 'join', person: one, list: 0 }),
      ]);
    }
    const first = await bench.store.lists.tags(segment);
    expect(await bench.store.lists.tags(segment)).toBe(first);
    await bench.opened.raw(`DELETE FROM list_members WHERE list_number = ${list.number}`);
    expect(await bench.store.lists.tags(list)).toEqual([{ tag: 'a', contacts: PEOPLE }]);
    await bench.store.commit(world.changesOf({ kind: 'tag', person: 0, tags: ['b'] }));
    expect(await bench.store.lists.tags(segment)).not.toEqual(first);
  });
});

/** Two joined lists, and a segment of the workspace's contacts with the tag `a`, all empty. */
async function openWorld({ store }: Bench) {
  const { live } = await newWorld(store);
  const ids = Array.from({ length: PEOPLE }, () => newId('cnt', NOW));
  const listIds = [0, 1, 2].map(() => newId('lst', NOW));
  const fields = { environment_id: live.environmentId, sub_tenant_id: null };
  const stamps = { created_at: NOW, updated_at: NOW };
  const put = (one: number, at: number): Change =>
    putContact({
      ifKnown: 'ignore',
      row: {
        ...fields,
        ...{ id: ids[one] ?? '', email: `p${one}@x.example`, email_key: `p${one}@x.example` },
        ...{ name: null, phone: null, tags: '[]', metadata: '{}', status: 'active' },
        ...{ created_at: at, updated_at: at },
      },
    });
  await store.commit([
    ...ids.map((_id, one) => put(one, NOW)),
    ...listIds.map((id, i): Change =>
      insert(contactLists, {
        row: {
          ...{ id, ...fields, name: id, description: null, double_opt_in: 0, confirmation_template_id: null },
          ...{ filter: i === 2 ? '{"all":[{"field":"tag","op":"exists"}]}' : null, contacts: 0 },
          ...{ counted_at: null, ...stamps, deleted_at: null },
        },
      }),
    ),
  ]);
  const lists: ContactList[] = [];
  for (const id of listIds) {
    const list = await store.lists.listOf(id);
    if (list) lists.push(list);
  }

  function changesOf(step: Step): Change[] {
    const id = ids[step.person] ?? '';
    if (step.kind === 'tag') {
      const set = { tags: JSON.stringify(step.tags), updated_at: NOW };
      return [changeContact({ id, set })];
    }
    const listNumber = lists[step.list]?.number ?? 0;
    const emailKey = `p${step.person}@x.example`;
    switch (step.kind) {
      case 'delete': {
        // A person with the address returns later as another contact.
        ids[step.person] = newId('cnt', NOW);
        return [removeContact({ id, at: 1 }), put(step.person, NOW)];
      }
      case 'leave':
      case 'unsubscribe':
        return [
          leaveList({
            listNumber,
            emailKey,
            contactId: id,
            unsubscribed: step.kind === 'unsubscribe',
            at: NOW,
          }),
        ];
      case 'join':
      case 'ask': {
        const state = step.kind === 'join' ? 'subscribed' : 'pending';
        const how = { returned: true, consent: CONSENT, at: NOW };
        return [joinList({ listNumber, contactId: id, state, ...how })];
      }
    }
  }
  return { lists, changesOf };
}
