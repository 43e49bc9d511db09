// Contract of contacts and lists: changes keep tags, search and counts consistent, and lists of contacts with any filter.
import fc from 'fast-check';
import { beforeEach, describe, expect, it } from 'vitest';
import { newId } from '../../../src/lib/runtime/index.js';
import type { ContactFilter } from '../../../src/contacts/contacts.store.js';
import type { Contact } from '../../../src/contacts/contacts.tables.js';
import type { Suppression } from '../../../src/suppressions/suppressions.tables.js';
import type { Scope } from '../../../src/database/scope.js';
import { type Bench, NOW, DAY, allPages, newWorld, tenantPlan } from './builders.js';
import { CONSENT } from '../../support/consent.js';
import type { Change, Plan } from '../../../src/database/change.js';
import {
  type JoinList,
  type PutContact,
  putContact,
  joinList,
  leaveList,
  changeContact,
  removeContact,
} from '../../../src/contacts/contact-changes.store.js';
import { contactLists } from '../../../src/contacts/lists/lists.tables.js';
import { insert } from '../../../src/database/rows.js';
import { liftSuppressions, suppress } from '../../../src/suppressions/suppression-changes.store.js';

const STATUSES = ['active', 'unsubscribed', 'bounced', 'complained'] as const;

type Wish = Partial<Pick<Contact, 'name' | 'status' | 'sub_tenant_id'>> & { tags?: string[] };

export function contactContract(given: () => Bench): void {
  describe('contacts', () => {
    let live: Scope;
    beforeEach(async () => {
      ({ live } = await newWorld(given().store));
    });

    const commit = (...plan: Plan) => given().store.commit(plan);

    function put(email: string, wish: Wish = {}, ifKnown: PutContact['ifKnown'] = { code: 'conflict' }) {
      const { tags = [], ...fields } = wish;
      const row = {
        ...{ id: newId('cnt', NOW), environment_id: live.environmentId, sub_tenant_id: null, email },
        ...{ email_key: email.toLowerCase(), name: null, phone: null, metadata: '{}' },
        ...{ status: 'active' as const, created_at: NOW, updated_at: NOW, tags: JSON.stringify(tags) },
        ...fields,
      };
      return putContact({ row, ifKnown });
    }

    async function add(email: string, wish: Wish = {}): Promise<Contact> {
      const change = put(email, wish);
      await commit(change);
      const found = await given().store.contacts.contact(live, change.row.id);
      if (!found) throw new Error('The contact was not added.');
      return found;
    }

    async function addList(name = 'News'): Promise<{ id: string; number: number }> {
      const id = newId('lst', NOW);
      await commit(
        insert(contactLists, {
          row: {
            ...{ id, environment_id: live.environmentId, sub_tenant_id: null, name, description: null },
            ...{ double_opt_in: 0, confirmation_template_id: null, filter: null, contacts: 0 },
            ...{ counted_at: null, created_at: NOW, updated_at: NOW, deleted_at: null },
          },
        }),
      );
      const rows = await given().opened.engine.rows('SELECT number FROM contact_lists WHERE id = ?', [id]);
      return { id, number: Number(rows[0]?.['number']) };
    }

    const join = (
      list: { number: number },
      { id }: Contact,
      wish: Partial<Pick<JoinList, 'state' | 'returned'>> = {},
    ): Change =>
      joinList({
        ...{ listNumber: list.number, contactId: id },
        ...{ state: 'subscribed', returned: false, consent: CONSENT, at: NOW },
        ...wish,
      });
    const leave = (list: { number: number }, contact: Contact, unsubscribed: boolean): Change =>
      leaveList({
        ...{ listNumber: list.number, emailKey: contact.email_key },
        ...{ contactId: contact.id, unsubscribed, at: NOW },
      });

    async function found(filter: ContactFilter, scope = live): Promise<string[]> {
      const { contacts: audience } = given().store;
      const rows = await allPages((page) => audience.contacts(scope, page, filter), 2);
      expect(await audience.countContacts(scope, filter)).toEqual({ total: rows.length, isExact: true });
      return rows.map((row) => row.email);
    }

    const members = async ({ number }: { number: number }) => {
      const { engine } = given().opened;
      const rows = await engine.rows('SELECT state FROM list_members WHERE list_number = ?', [number]);
      const lists = await engine.rows('SELECT contacts FROM contact_lists WHERE number = ?', [number]);
      const days = await engine.rows('SELECT * FROM list_days WHERE list_number = ?', [number]);
      return {
        states: rows.map((row) => row['state']),
        counted: Number(lists[0]?.['contacts']),
        days: days.map((day) => [day['day'], day['joined'], day['unsubscribed']].map(Number)),
      };
    };

    it('are known once by their address, and refused or left as they are the second time', async () => {
      const ann = await add('Ann@x.example', { name: 'Ann' });
      await expect(commit(put('ann@X.example'))).rejects.toMatchObject({ code: 'conflict' });
      await commit(put('ann@x.example', { name: 'Other', tags: ['t'] }, 'ignore'));
      expect(await found({ tag: 't' })).toEqual([]);
      expect((await given().store.contacts.contact(live, ann.id))?.name).toBe('Ann');
    });

    it('are found by tag, name and status as they are changed', async () => {
      const { id } = await add('ann@x.example', { name: 'Ann Smith', tags: ['a', 'b'] });
      const set = { name: 'Eva Jones', tags: '["b","c"]', status: 'bounced', updated_at: NOW + 1 } as const;
      await commit(changeContact({ id, set }));
      for (const filter of [{ tag: 'a' }, { q: 'smith' }, { status: ['active'] }] satisfies ContactFilter[]) {
        expect(await found(filter)).toEqual([]);
      }
      for (const filter of [
        { tag: 'b' },
        { tag: 'c' },
        { q: 'JONES' },
        { status: ['bounced'] },
      ] satisfies ContactFilter[]) {
        expect(await found(filter)).toEqual(['ann@x.example']);
      }
    });

    const suppression = (email: string, reason: Suppression['reason'], tenantKey = '') =>
      suppress({
        conflict: 'ignore',
        row: {
          ...{ id: newId('sup', NOW), environment_id: live.environmentId, sub_tenant_key: tenantKey },
          ...{ email, email_key: email, reason, message_public_id: null, reply: null, created_at: NOW },
        },
      });

    it.each([
      ['bounce', 'bounced'],
      ['complaint', 'complained'],
      ['unsubscribe', 'unsubscribed'],
      ['manual', 'unsubscribed'],
    ] as const)('follow a suppression with the reason %s, and its end', async (reason, status) => {
      const ann = await add('ann@x.example');
      const ofAnn = suppression('ann@x.example', reason);
      const statusNow = async (id = ann.id) => (await given().store.contacts.contact(live, id))?.status;
      await commit(ofAnn, suppression('nobody@x.example', reason));
      expect(await statusNow()).toBe(status);
      expect(await found({ status: ['active'] })).toEqual([]);
      const active = changeContact({ id: ann.id, set: { status: 'active', updated_at: 1 } });
      await expect(commit(active)).rejects.toMatchObject({ code: 'recipient_suppressed' });
      const bob = await add('nobody@x.example');
      expect(bob.status).toBe(status);
      await commit(liftSuppressions({ where: { id: ofAnn.row.id }, at: NOW }));
      expect([await statusNow(), await statusNow(bob.id)]).toEqual(['active', status]);
      expect(await found({ status: ['active'] })).toEqual(['ann@x.example']);
      const counted = await given().store.contacts.countContacts(live, { status: ['active'] });
      expect(counted).toEqual({ total: 1, isExact: true });
    });

    it('follow only the suppressions of their owner', async () => {
      const { id } = await add('ann@x.example');
      await commit(suppression('ann@x.example', 'bounce', 'tnt_other'));
      expect((await given().store.contacts.contact(live, id))?.status).toBe('active');
    });

    it.each(['unsubscribe', 'manual', 'bounce', 'complaint'] as const)(
      'come back onto a list, and get mail again unless the reason is another than unsubscribe: %s',
      async (reason) => {
        const ann = await add('ann@x.example');
        const list = await addList();
        await commit(suppression('ann@x.example', reason), join(list, ann));
        const before = (await given().store.contacts.contact(live, ann.id))?.status;
        await commit(join(list, ann, { returned: true }));
        const left = await given().store.suppressions.suppressionsOf(live, ['ann@x.example']);
        expect(left.map((row) => row.reason)).toEqual(reason === 'unsubscribe' ? [] : [reason]);
        const after = (await given().store.contacts.contact(live, ann.id))?.status;
        expect(after).toBe(reason === 'unsubscribe' ? 'active' : before);
      },
    );

    it('are gone from tags, search, counts and lists when they are removed', async () => {
      const ann = await add('ann@x.example', { name: 'Ann', tags: ['a'] });
      const list = await addList();
      await commit(join(list, ann));
      const removal = { id: ann.id, at: 1 };
      await commit(leave(list, ann, false), removeContact(removal));
      for (const filter of [{}, { tag: 'a' }, { q: 'ann' }, { listId: list.id }]) {
        expect(await found(filter)).toEqual([]);
      }
      expect(await members(list)).toEqual({ states: [], counted: 0, days: [[DAY, 1, 1]] });
      await commit(removeContact(removal));
      const again = removeContact({ ...removal, otherwise: { code: 'not_found' } });
      await expect(commit(again)).rejects.toMatchObject({ code: 'not_found' });
    });

    it('join a list once, and are counted only when they are subscribed', async () => {
      const ann = await add('ann@x.example');
      const list = await addList();
      await commit(join(list, ann, { state: 'pending' }));
      expect(await members(list)).toEqual({ states: ['pending'], counted: 0, days: [] });
      await commit(join(list, ann), join(list, ann), join(list, ann, { state: 'pending' }));
      expect(await members(list)).toEqual({ states: ['subscribed'], counted: 1, days: [[DAY, 1, 0]] });
      expect(await found({ listId: list.id })).toEqual(['ann@x.example']);
      await commit(leave(list, ann, false), leave(list, ann, false));
      expect(await members(list)).toEqual({ states: [], counted: 0, days: [[DAY, 1, 1]] });
      await commit(join(list, ann));
      expect((await members(list)).states).toEqual(['subscribed']);
    });

    it('stay off a list that they left on their own, until they return', async () => {
      const ann = await add('ann@x.example');
      const list = await addList();
      await commit(join(list, ann), leave(list, ann, true), join(list, ann));
      expect((await members(list)).states).toEqual([]);
      await commit(join(list, ann, { state: 'pending', returned: true }), join(list, ann));
      expect((await members(list)).states).toEqual(['pending']);
      await commit(join(list, ann, { returned: true }));
      expect((await members(list)).states).toEqual(['subscribed']);
      await commit(leave(list, ann, false), join(list, ann));
      expect((await members(list)).states).toEqual(['subscribed']);
    });

    it('are found by any part of the address or name, by beginnings when it is short', async () => {
      await add('ann.lee@x.example', { name: 'Ann Lee' });
      await add('bob@y.example', { name: 'Bob von Annen' });
      await add('zoe@y.example', { name: 'Zoé "Q%_" Ωmega' });
      const newest = async (q: string) => (await found({ q })).map((email) => email.slice(0, 3));
      expect(await newest('ann')).toEqual(['bob', 'ann']);
      expect(await newest('N.LEE@')).toEqual(['ann']);
      expect(await newest('n lee')).toEqual(['ann']);
      expect(await newest('b von an')).toEqual(['bob']);
      expect(await newest('example ann')).toEqual([]);
      expect(await newest('an')).toEqual(['bob', 'ann']);
      expect(await newest('nn')).toEqual([]);
      expect(await newest('v')).toEqual(['bob']);
      expect(await newest('"q%_"')).toEqual(['zoe']);
      expect(await newest('zoé')).toEqual(['zoe']);
      expect(await newest('" OR "')).toEqual([]);
      expect(await newest('  ')).toEqual(['zoe', 'bob', 'ann']);
      const other = await newWorld(given().store);
      expect(await found({ q: 'ann' }, other.live)).toEqual([]);
    });

    it('are read by addresses, the tenant’s own before the workspace’s, and by numbers', async () => {
      const tenant = newId('tnt', NOW);
      await commit(...tenantPlan(live, tenant));
      const ours = await add('ann@x.example');
      const theirs = await add('ann@x.example', { sub_tenant_id: tenant });
      const bob = await add('bob@x.example');
      const keys = ['ann@x.example', 'bob@x.example', 'nobody@x.example'];
      const { contacts: audience } = given().store;
      const ids = async (scope: Scope) =>
        [...(await audience.contactsByKeys(scope, keys)).values()].map((row) => row.id).toSorted();
      expect(await ids(live)).toEqual([ours.id, bob.id].toSorted());
      expect(await ids({ ...live, subTenantId: tenant })).toEqual([theirs.id, bob.id].toSorted());
      const rows = await audience.contactsByNumber([bob.number, 999_999_999, ours.number]);
      expect(rows.map((row) => row.id)).toEqual([bob.id, ours.id]);
    });

    it('of a list that is not there are refused', async () => {
      const refused = { code: 'list_not_found', param: 'list_id' };
      await expect(found({ listId: 'lst_none' })).rejects.toMatchObject(refused);
    });

    it('are exactly those that all filters match, on every page, and counted as many', async () => {
      const list = await addList();
      const tenant = newId('tnt', NOW);
      await commit(...tenantPlan(live, tenant));
      const wish = fc.record({
        name: fc.constantFrom(null, 'Ann Lee', 'Bo Annson', 'Lee'),
        tags: fc.subarray(['a', 'b']),
        status: fc.constantFrom(...STATUSES),
        sub_tenant_id: fc.constantFrom(null, tenant),
        isMember: fc.boolean(),
      });
      const [wishes] = fc.sample(fc.array(wish, { minLength: 60, maxLength: 60 }), { numRuns: 1, seed: 7 });
      const people: { contact: Contact; tags: string[]; isMember: boolean }[] = [];
      for (const [i, { isMember, ...fields }] of (wishes ?? []).entries()) {
        const contact = await add(`p${i}@x.example`, fields);
        if (isMember) await commit(join(list, contact));
        // A list accepts its owner's contacts only.
        const isTaken = isMember && contact.sub_tenant_id === null;
        people.unshift({ contact, tags: fields.tags, isMember: isTaken });
      }
      const filters = fc.record(
        {
          q: fc.constantFrom('ann', 'le', 'p1', '@x.', 'lee', 'nobody'),
          tag: fc.constantFrom('a', 'b', 'c'),
          status: fc.subarray([...STATUSES], { minLength: 1 }),
          listId: fc.constant(list.id),
        },
        { requiredKeys: [] },
      );
      const matches = ({ contact, tags, isMember }: (typeof people)[number], filter: ContactFilter) => {
        const { q, tag, status, listId } = filter;
        const words = ` ${(contact.name ?? '').toLowerCase()}`;
        const starts = (part: string) => contact.email_key.startsWith(part) || words.includes(` ${part}`);
        return (
          (q === undefined ||
            (q.length < 3 ? starts(q) : contact.email_key.includes(q) || words.includes(q))) &&
          (tag === undefined || tags.includes(tag)) &&
          (status === undefined || status.includes(contact.status)) &&
          (listId === undefined || isMember)
        );
      };
      await fc.assert(
        fc.asyncProperty(filters, fc.boolean(), async (filter, isPinned) => {
          const scope = isPinned ? { ...live, subTenantId: tenant } : live;
          // A list of the workspace is not the tenant's.
          if (isPinned && filter.listId !== undefined) return;
          const mine = people.filter(({ contact }) => !isPinned || contact.sub_tenant_id === tenant);
          const expected = mine.filter((one) => matches(one, filter)).map(({ contact }) => contact.email);
          expect(await found(filter, scope)).toEqual(expected);
        }),
        { numRuns: 60, seed: 7 },
      );
    });
  });
}
