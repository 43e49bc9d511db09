// Contract of saved blocks of template designs: those of the workspace and those of each sub-tenant.
import { describe, expect, it } from 'vitest';
import { newId } from '../../../src/lib/runtime/index.js';
import { type SavedBlock, savedBlocks } from '../../../src/templates/templates.tables.js';
import { type Bench, newWorld, NOW } from './builders.js';
import { insert } from '../../../src/database/rows.js';

export function savedBlockContract(given: () => Bench): void {
  describe('saved blocks', () => {
    it('are listed for their owner with those of the workspace, and counted for each owner', async () => {
      const { store } = given();
      const { live } = await newWorld(store);
      const other = await newWorld(store);
      const tenant = { ...live, subTenantId: 'tnt_a' };
      const rows = ([null, null, 'tnt_a', 'tnt_b'] as const).map((owner, at): SavedBlock => ({
        ...{ id: newId('sbk', NOW + at), environment_id: live.environmentId, sub_tenant_id: owner },
        ...{ name: `Block 100%_${at}`, block: '{"id":"1","text":"\\u0000"}' },
        ...{ created_at: NOW + at, updated_at: NOW + at },
      }));
      await store.commit(rows.map((row) => insert(savedBlocks, { row })));
      const page = { limit: 2, after: null };
      const ids = async (scope: typeof live, after: string | null = null, q?: string) => {
        const found = await store.savedBlocks.savedBlocks(
          scope,
          { ...page, after },
          q === undefined ? {} : { q },
        );
        return {
          found: found.rows.map(({ id }) => rows.findIndex((row) => row.id === id)),
          next: found.next,
        };
      };
      const first = await ids(tenant);
      expect(first.found).toEqual([2, 1]);
      expect((await ids(tenant, first.next)).found).toEqual([0]);
      expect((await ids(live)).found).toEqual([1, 0]);
      expect((await ids(live, null, '0%_1')).found).toEqual([1]);
      expect((await ids(other.live)).found).toEqual([]);
      const counts = [live, tenant, other.live].map((scope) => store.savedBlocks.countSavedBlocks(scope));
      expect(await Promise.all(counts)).toEqual([2, 1, 0]);
      const seen = (scope: typeof live) =>
        Promise.all(rows.map(async ({ id }) => (await store.savedBlocks.savedBlock(scope, id)) !== null));
      expect(await seen(live)).toEqual([true, true, true, true]);
      expect(await seen(tenant)).toEqual([true, true, true, false]);
      expect(await seen(other.live)).toEqual([false, false, false, false]);
      expect(await store.savedBlocks.savedBlock(live, rows[0]?.id ?? '')).toEqual(rows[0]);
    });
  });
}
