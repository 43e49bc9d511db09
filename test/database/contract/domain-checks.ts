// Contract of domain checks: which domains are due, which node takes them, and who owns a name.
import { describe, expect, it } from 'vitest';
import { newId } from '../../../src/lib/runtime/index.js';
import { type Bench, NOW, newWorld, tenantPlan } from './builders.js';
import { subTenants } from '../../../src/tenants/tenants.tables.js';
import { type RowChange, update } from '../../../src/database/rows.js';

type Columns = RowChange<typeof subTenants>;

export function domainCheckContract(given: () => Bench): void {
  /** Inserts sub-tenants of a new world with these columns. */
  async function tenants(...columns: Columns[]) {
    const { store } = given();
    const { live } = await newWorld(store);
    const ids = columns.map(() => newId('tnt', NOW));
    await store.commit(
      ids.flatMap((id, i) => [
        ...tenantPlan(live, id),
        update(subTenants, { set: columns[i] ?? {}, where: { id } }),
      ]),
    );
    return { live, ids };
  }

  describe('checks of domains', () => {
    it('are claimed once, the longest due first, and are due again if they were not checked', async () => {
      const { store } = given();
      // Before every time that another test gives.
      const at = 1_000;
      const { ids } = await tenants(
        { next_check_at: at + 2 },
        { next_check_at: at },
        { next_check_at: at + 1 },
        { next_check_at: at + 3 },
        { next_check_at: at, deleted_at: NOW },
        { next_check_at: null },
      );
      const due = { now: at + 2, until: at + 10, limit: 2 };
      const claims = await Promise.all([0, 1].map(() => store.domainChecks.claimDue('sub_tenants', due)));
      expect(claims.map((claim) => claim.length).sort()).toEqual([1, 2]);
      expect(claims.find((claim) => claim.length === 2)?.sort()).toEqual([ids[1], ids[2]].sort());
      expect(claims.flat().sort()).toEqual(ids.slice(0, 3).sort());
      expect(await store.domainChecks.claimDue('sub_tenants', due)).toEqual([]);
      const later = { now: at + 10, until: NOW * 2, limit: 9 };
      expect((await store.domainChecks.claimDue('sub_tenants', later)).sort()).toEqual(
        ids.slice(0, 4).sort(),
      );
      expect(await store.domainChecks.claimDue('senders', later)).toEqual([]);
    });

    it('that have no time yet are those of domains which did not fail', async () => {
      const { store } = given();
      const { ids } = await tenants(
        { next_check_at: null },
        { status: 'failed' },
        { deleted_at: NOW },
        { next_check_at: NOW },
      );
      const found = (await store.domainChecks.unscheduled('sub_tenants', 1_000)).map(({ id }) => id);
      expect(found.filter((id) => ids.includes(id))).toEqual([ids[0]]);
      expect(await store.domainChecks.unscheduled('senders', 1_000)).toEqual([]);
    });

    it('read the row and the live environment, and nothing that was deleted', async () => {
      const { store } = given();
      const { live, ids } = await tenants({ status: 'suspended' }, { deleted_at: NOW });
      const [id = '', gone = ''] = ids;
      const { environmentId, workspaceNumber } = live;
      expect(await store.domainChecks.tenant(id)).toMatchObject({
        row: { id, status: 'suspended' },
        live: { environmentId, workspaceNumber },
      });
      expect(await store.domainChecks.tenant(gone)).toBeNull();
      expect(await store.domainChecks.sender('snd_nobody')).toBeNull();
    });
  });

  describe('a custom name', () => {
    it('is that of one live sub-tenant, whether it chose it or has it by its domain', async () => {
      const { store } = given();
      const label = newId('tnt', NOW).slice(-10);
      const domain = (name: string) => `${name}.${label}.example`;
      const { ids } = await tenants(
        { sending_domain: domain('a'), inbound_domain: domain('box') },
        { sending_domain: domain('b') },
        { sending_domain: domain('c'), inbound_domain: domain('gone'), deleted_at: NOW },
      );
      const owners = async (name: string) =>
        (await store.domainChecks.ownersOfName(name)).map(({ subTenantId }) => subTenantId);
      expect(await owners(domain('a'))).toEqual([ids[0]]);
      expect(await owners(domain('box'))).toEqual([ids[0]]);
      expect(await owners(`reply.${domain('a')}`)).toEqual([]);
      expect(await owners(`bounce.${domain('a')}`)).toEqual([ids[0]]);
      expect(await owners(`click.${domain('b')}`)).toEqual([ids[1]]);
      expect(await owners(domain('gone'))).toEqual([]);
      const take = (name: string | null) =>
        store.commit([
          update(subTenants, {
            set: { inbound_domain: name },
            where: { id: ids[1] ?? '' },
            conflict: { code: 'domain_taken' },
          }),
        ]);
      await expect(take(domain('box'))).rejects.toMatchObject({ code: 'domain_taken' });
      await expect(take(domain('gone'))).resolves.toBeDefined();
    });
  });
}
