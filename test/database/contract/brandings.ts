// Contract of brandings: the sub-tenant's own, or the organization's if there is none.
import { describe, expect, it } from 'vitest';
import { forgetBranding, planBranding } from '../../../src/accounts/branding/branding-plan.store.js';
import { type Bench, newWorld, NOW } from './builders.js';

const LOGO = { type: 'image/png' as const, content: Buffer.from([0, 1, 255]) };

export function brandingContract(given: () => Bench): void {
  describe('the branding of pages', () => {
    it('is inherited field by field, with one logo of each owner', async () => {
      const { store } = given();
      const { live } = await newWorld(store);
      const { organizationId } = live;
      const subTenantId = `tnt_of_${live.workspaceId}`;
      const own = { organizationId, subTenantId: null };
      const theirs = { organizationId, subTenantId };
      expect(await store.brandings.pageBranding(own)).toMatchObject({ name: null, logo_id: null });
      await store.commit(
        planBranding(organizationId, { set: { name: 'A', language: 'de' }, logo: LOGO }, NOW),
      );
      await store.commit(planBranding(subTenantId, { set: { name: 'B', color: '#00ff00' } }, NOW));
      const { logo_id: logoId } = await store.brandings.pageBranding(own);
      expect(await store.brandings.pageBranding(theirs)).toMatchObject({
        ...{ name: 'B', color: '#00ff00', language: 'de', logo_id: logoId },
      });
      const kept = await store.brandings.logo(logoId ?? '');
      expect([kept?.type, Buffer.from(kept?.content ?? [])]).toEqual(['image/png', LOGO.content]);

      await store.commit(planBranding(organizationId, { set: { name: null } }, NOW + 1));
      expect(await store.brandings.pageBranding(own)).toMatchObject({ name: null, logo_id: logoId });
      await store.commit(planBranding(organizationId, { set: {}, logo: LOGO }, NOW + 2));
      expect(await store.brandings.logo(logoId ?? '')).toBeNull();
      const all = await store.brandings.brandings([organizationId, subTenantId, 'none']);
      expect([...all.keys()].sort()).toEqual([organizationId, subTenantId].sort());
      expect(all.get(organizationId)).toMatchObject({ language: 'de', updated_at: NOW + 2 });

      await store.commit([...forgetBranding(subTenantId), ...forgetBranding(organizationId)]);
      expect(await store.brandings.brandings([organizationId, subTenantId])).toEqual(new Map());
    });
  });
}
