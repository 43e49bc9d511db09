// Contract of accounts, roles and expiry on both engines.
import { describe, expect, it } from 'vitest';
import type { Role } from '../../../src/contract/names.js';
import type { Store } from '../../../src/app/store.js';
import { planPerson } from '../../../src/accounts/people/person.js';
import { type Bench, NOW, newWorld } from './builders.js';
import { knownPlaces } from '../../../src/accounts/sign-in/sign-in.tables.js';
import { insert } from '../../../src/database/rows.js';

const RULE = { maxFailures: 3, lockMs: 1000 };
let count = 0;

async function newPerson(store: Store, organizationId: string, role: Role) {
  const email = `p${(count += 1)}@people.example`;
  const { userId, plan } = planPerson({ email, name: null, passwordHash: 'x', organizationId, role }, NOW);
  await store.commit(plan);
  return { userId, email };
}

export function peopleContract(given: () => Bench): void {
  describe('people', () => {
    it('counts attempts, locks, and starts counting again when the lock is over', async () => {
      const { people } = given().store;
      const { live } = await newWorld(given().store);
      const { email } = await newPerson(given().store, live.organizationId, 'member');
      const begin = (at: number) => people.beginAttempt(email, [], RULE, at);
      const attempt = async (at: number) => (await begin(at))?.user ?? null;
      const both = await Promise.all([begin(NOW), begin(NOW)]);
      expect(both.map((counted) => counted?.user.failures)).toEqual([1, 2]);
      const [first] = both;
      if (!first) throw new Error('The attempt was not counted.');
      await people.releaseAttempt(first);
      expect(await attempt(NOW)).toMatchObject({ failures: 2, locked_until: null });
      expect(await attempt(NOW)).toMatchObject({ failures: 3, locked_until: NOW + 63 });
      expect(await attempt(NOW + 62)).toBeNull();
      expect(await attempt(NOW + 63)).toMatchObject({ failures: 4, locked_until: NOW + 63 + 125 });
      expect(await attempt(NOW + 188 + 999)).toMatchObject({ failures: 5 });
      expect(await attempt(NOW + 20_000)).toMatchObject({ failures: 1, locked_until: null });
      expect(await people.beginAttempt('nobody@people.example', [], RULE, NOW)).toBeNull();
    });

    it('counts the attempts of a known place apart, while it is known', async () => {
      const { store } = given();
      const { people } = store;
      const { live } = await newWorld(store);
      const { userId, email } = await newPerson(store, live.organizationId, 'member');
      const place = Buffer.alloc(32, 7);
      const row = {
        ...{ user_id: userId, place, failures: 0, locked_until: null },
        ...{ expires_at: NOW + 5_000, created_at: NOW },
      };
      await store.commit([insert(knownPlaces, { row })]);
      const outsiders = () => people.beginAttempt(email, [Buffer.alloc(32, 9)], RULE, NOW);
      for (let i = 0; i < 3; i++) expect(await outsiders()).toMatchObject({ place: null });
      expect(await outsiders()).toBeNull();
      const atHome = (at: number) => people.beginAttempt(email, [Buffer.alloc(32, 9), place], RULE, at);
      for (let i = 0; i < 3; i++) expect((await atHome(NOW))?.place).toEqual(place);
      expect(await atHome(NOW)).toBeNull();
      await people.clearPlace(userId, place);
      expect(await atHome(NOW)).not.toBeNull();
      expect((await people.userByEmail(email))?.failures).toBe(3);
      expect(await atHome(NOW + 5_000)).toMatchObject({ place: null });
    });

    it('keeps one owner if all leave simultaneously', async () => {
      const { store } = given();
      const { live } = await newWorld(store);
      const { organizationId } = live;
      const owners = [
        await newPerson(store, organizationId, 'owner'),
        await newPerson(store, organizationId, 'owner'),
        await newPerson(store, organizationId, 'owner'),
      ];
      const ends = await Promise.allSettled([
        store.people.removeMember({
          organizationId,
          userId: owners[0]?.userId ?? '',
          from: 'owner',
          now: NOW,
        }),
        store.people.changeRole({
          organizationId,
          userId: owners[1]?.userId ?? '',
          from: 'owner',
          to: 'viewer',
          now: NOW,
        }),
        store.people.removeMember({
          organizationId,
          userId: owners[2]?.userId ?? '',
          from: 'owner',
          now: NOW,
        }),
      ]);
      expect(ends.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'rejected']);
      expect(ends[2]).toMatchObject({ reason: { code: 'last_owner' } });
      expect(await store.people.user(owners[0]?.userId ?? '')).toBeNull();
      expect(await store.people.member(organizationId, owners[1]?.userId ?? '')).toMatchObject({
        role: 'viewer',
      });
    });

    it('refuses a change that was decided for another role', async () => {
      const { store } = given();
      const { live } = await newWorld(store);
      const { organizationId } = live;
      const { userId } = await newPerson(store, organizationId, 'admin');
      const change = { organizationId, userId, from: 'member', now: NOW } as const;
      await expect(store.people.changeRole({ ...change, to: 'viewer' })).rejects.toMatchObject({
        code: 'conflict',
      });
      await expect(store.people.removeMember(change)).rejects.toMatchObject({ code: 'conflict' });
    });

    it('finds the environment that a person reaches, with the role there', async () => {
      const { store } = given();
      const [one, other] = [await newWorld(store), await newWorld(store)];
      const { userId } = await newPerson(store, one.live.organizationId, 'viewer');
      const { organizationId, workspaceId, environmentId } = one.test;
      const reach = (wanted: string | null) =>
        store.people.reach(userId, { workspaceId: wanted, mode: 'test' });
      expect(await reach(null)).toMatchObject({
        organizationId,
        workspaceId,
        environmentId,
        mode: 'test',
        role: 'viewer',
      });
      expect(await reach(workspaceId)).toEqual(await reach(null));
      expect(await reach(other.live.workspaceId)).toBeNull();
      expect(await store.people.workspacesOf(userId)).toMatchObject([{ id: workspaceId, role: 'viewer' }]);
    });
  });
}
