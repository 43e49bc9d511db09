// Contract of the name server's reads: a sub-tenant with its keys, by its domain or ID, and the owner of a domain.
import { describe, expect, it } from 'vitest';
import { newId } from '../../../src/lib/runtime/index.js';
import { type Bench, NOW, newWorld, tenantPlan } from './builders.js';
import { type DkimKey, dkimKeys } from '../../../src/domains/domains.tables.js';
import type { Change } from '../../../src/database/change.js';
import { insert, update } from '../../../src/database/rows.js';
import { subTenants } from '../../../src/tenants/tenants.tables.js';

export function zoneContract(given: () => Bench): void {
  function key(ownerId: string, domain: string, wish: Partial<DkimKey>): Change {
    const row: DkimKey = {
      id: newId('key', NOW),
      owner_id: ownerId,
      domain,
      selector: 'svc1',
      algorithm: 'rsa-sha256',
      private_key_sealed: '',
      record_value: 'v=DKIM1; p=1',
      state: 'active',
      slot: 0,
      published_at: null,
      activated_at: null,
      retiring_at: null,
      revoke_at: null,
      revoked_at: null,
      created_at: NOW,
      ...wish,
    };
    return insert(dkimKeys, { row });
  }

  describe('the zone', () => {
    it('finds a sub-tenant with its keys by domain and by id, as long as it exists', async () => {
      const { store } = given();
      const { live } = await newWorld(store);
      const id = newId('tnt', NOW);
      const domain = `${id.replace('_', '-')}.example`;
      const { zone } = store;
      expect(await zone.tenantByDomain(domain)).toBeNull();
      await store.commit(tenantPlan(live, id));
      const bare = { id, sending_domain: domain, return_path_domain: null, keys: [] };
      expect(await zone.tenantByDomain(domain)).toMatchObject(bare);
      await store.commit([
        key(id, domain, { state: 'retired' }),
        key(id, domain, {}),
        key(id, domain, { selector: 'svc2', slot: 1, state: 'retiring', created_at: NOW + 1 }),
      ]);
      const keys = [
        { selector: 'svc1', record_value: 'v=DKIM1; p=1', state: 'active', created_at: NOW },
        { selector: 'svc2', record_value: 'v=DKIM1; p=1', state: 'retiring', created_at: NOW + 1 },
      ];
      const found = await zone.tenantByDomain(domain);
      expect(found?.keys.sort((a, b) => a.created_at - b.created_at)).toEqual(keys);
      expect((await zone.tenantById(id))?.keys).toHaveLength(2);
      expect(await zone.keysOf(id, domain)).toHaveLength(2);
      expect(await zone.keysOf(id, 'other.example')).toEqual([]);
      expect(await zone.lastSlot(domain)).toBe(1);
      await store.commit([update(subTenants, { set: { deleted_at: NOW }, where: { id } })]);
      expect([await zone.tenantByDomain(domain), await zone.tenantById(id)]).toEqual([null, null]);
      expect(await zone.lastSlot(domain)).toBe(1);
      expect(await zone.lastSlot('other.example')).toBeNull();
    });

    it('knows for ever that another workspace had a domain', async () => {
      const { store } = given();
      const [{ live: one }, { live: other }] = [await newWorld(store), await newWorld(store)];
      const id = newId('tnt', NOW);
      const domain = `${id.replace('_', '-')}.example`;
      expect(await store.zone.isOfOthers(other, domain)).toBe(false);
      await store.commit(tenantPlan(one, id));
      await store.commit([update(subTenants, { set: { deleted_at: NOW }, where: { id } })]);
      expect(await store.zone.isOfOthers(other, domain)).toBe(true);
      expect(await store.zone.isOfOthers(one, domain)).toBe(false);
    });

    it('has no selector twice among the keys in use of an owner', async () => {
      const { store } = given();
      const [one, other] = [newId('snd', NOW), newId('snd', NOW)];
      const domain = `${one.replace('_', '-')}.example`;
      await store.commit([key(one, domain, {})]);
      await expect(store.commit([key(one, domain, {})])).rejects.toThrow();
      await store.commit([key(one, domain, { state: 'retired' })]);
      // If several workspaces claim a domain, DNS decides who owns it.
      await store.commit([key(other, domain, {})]);
    });
  });
}
