// Contract of suppressions: who finds which rows, and pages that are read by an index or by search.
import { describe, expect, it } from 'vitest';
import { newId } from '../../../src/lib/runtime/index.js';
import type { Scope } from '../../../src/database/scope.js';
import type { SuppressionFilter } from '../../../src/suppressions/suppressions.store.js';
import { type Bench, NOW, allPages, newWorld } from './builders.js';
import type { Change } from '../../../src/database/change.js';
import { suppress } from '../../../src/suppressions/suppression-changes.store.js';

interface RowWish {
  email: string;
  tenant?: string;
  reason?: 'bounce' | 'complaint' | 'unsubscribe' | 'manual';
  at?: number;
}

function row(scope: Scope, { email, tenant = '', reason = 'manual', at = NOW }: RowWish): Change {
  return suppress({
    conflict: 'ignore',
    row: {
      id: newId('sup', at),
      environment_id: scope.environmentId,
      sub_tenant_key: tenant,
      email,
      email_key: email.toLowerCase(),
      reason,
      message_public_id: null,
      reply: null,
      created_at: at,
    },
  });
}

export function suppressionContract(given: () => Bench): void {
  describe('suppressions', () => {
    it('are one row for an address of a scope; the first one stays', async () => {
      const { store } = given();
      const { live } = await newWorld(store);
      await store.commit([
        row(live, { email: 'Ann@x.example', reason: 'bounce' }),
        row(live, { email: 'ann@X.example', reason: 'complaint' }),
      ]);
      const rows = await store.suppressions.suppressionsOfExactly(live, ['ann@x.example']);
      expect(rows.map(({ email, reason }) => [email, reason])).toEqual([['Ann@x.example', 'bounce']]);
    });

    it('are found exactly, without those that block as well', async () => {
      const { store } = given();
      const { live, test } = await newWorld(store);
      await store.commit([
        row(live, { email: 'a@x.example' }),
        row(live, { email: 'a@x.example', tenant: 'tnt_a' }),
        row(live, { email: 'b@x.example', tenant: 'tnt_b' }),
        row(test, { email: 'a@x.example', tenant: 'tnt_a' }),
      ]);
      const keys = ['a@x.example', 'b@x.example', 'c@x.example'];
      const found = async (scope: Scope) =>
        (await store.suppressions.suppressionsOfExactly(scope, keys)).map((one) => [
          one.email_key,
          one.sub_tenant_key,
        ]);
      expect(await found(live)).toEqual([['a@x.example', '']]);
      expect(await found({ ...live, subTenantId: 'tnt_a' })).toEqual([['a@x.example', 'tnt_a']]);
      expect(await found({ ...live, subTenantId: 'tnt_b' })).toEqual([['b@x.example', 'tnt_b']]);
      expect(await found(test)).toEqual([]);
      expect(await store.suppressions.suppressionsOfExactly(live, [])).toEqual([]);
    });

    it('are read by id within the scope', async () => {
      const { store } = given();
      const { live, test } = await newWorld(store);
      await store.commit([row(live, { email: 'a@x.example', tenant: 'tnt_a' })]);
      const [kept] = await store.suppressions.suppressionsOfExactly({ ...live, subTenantId: 'tnt_a' }, [
        'a@x.example',
      ]);
      const seen = async (scope: Scope) =>
        (await store.suppressions.suppression(scope, kept?.id ?? ''))?.email ?? null;
      expect(await seen(live)).toBe('a@x.example');
      expect(await seen({ ...live, subTenantId: 'tnt_a' })).toBe('a@x.example');
      expect(await seen({ ...live, subTenantId: 'tnt_b' })).toBeNull();
      expect(await seen(test)).toBeNull();
    });

    it('are filtered by reason, part of the address and time, alone and together', async () => {
      const { store } = given();
      const { live } = await newWorld(store);
      const tenant = { ...live, subTenantId: 'tnt_a' };
      const wishes = Array.from({ length: 24 }, (_, i): RowWish => ({
        email: `${i % 2 ? 'odd' : 'even'}${i}_%@x.example`,
        tenant: i % 3 ? '' : 'tnt_a',
        reason: i % 4 ? 'bounce' : 'complaint',
        at: NOW + i,
      }));
      await store.commit(wishes.map((wish) => row(live, wish)));
      const found = async (scope: Scope, filter: SuppressionFilter) =>
        (await allPages((page) => store.suppressions.suppressions(scope, page, filter), 2)).map(
          ({ created_at: at }) => at - NOW,
        );
      const expected = (keep: (i: number) => boolean) =>
        Array.from({ length: 24 }, (_, i) => 23 - i).filter(keep);
      expect(await found(live, {})).toEqual(expected(() => true));
      expect(await found(live, { reason: ['complaint'] })).toEqual(expected((i) => i % 4 === 0));
      expect(await found(tenant, {})).toEqual(expected((i) => i % 3 === 0));
      expect(await found(tenant, { reason: ['complaint'] })).toEqual(expected((i) => i % 12 === 0));
      expect(await found(live, { q: 'ODD' })).toEqual(expected((i) => i % 2 === 1));
      expect(await found(live, { q: '1_%@' })).toEqual([21, 11, 1]);
      expect(await found(live, { q: 'odd', reason: ['bounce'] })).toEqual(expected((i) => i % 2 === 1));
      expect(await found(tenant, { q: 'even', reason: ['complaint'] })).toEqual([12, 0]);
      expect(await found(live, { q: 'nobody' })).toEqual([]);
      const between = { createdAfter: NOW + 5, createdBefore: NOW + 9 };
      expect(await found(live, between)).toEqual([8, 7, 6, 5]);
      expect(await found(live, { ...between, reason: ['complaint'] })).toEqual([8]);
      expect(await found(tenant, between)).toEqual([6]);
      expect(await found(live, { ...between, q: 'odd' })).toEqual([7, 5]);
      expect(await found(live, { createdAfter: -1, createdBefore: NOW })).toEqual([]);
    });

    it('are found by a search that looks at more of them than one step does', async () => {
      const { store } = given();
      const { live } = await newWorld(store);
      // Before the first match are more rows than the first three steps read.
      const wanted = [1_000, 500, 0];
      for (let from = 0; from < 4_500; from += 1_500) {
        await store.commit(
          Array.from({ length: 1_500 }, (_, i) =>
            row(live, {
              email: `${wanted.includes(from + i) ? 'wanted' : 'other'}${from + i}@x.example`,
              at: NOW + from + i,
            }),
          ),
        );
      }
      const found = async (limit: number) =>
        (await allPages((page) => store.suppressions.suppressions(live, page, { q: 'wanted' }), limit)).map(
          ({ created_at: at }) => at - NOW,
        );
      expect(await found(1)).toEqual(wanted);
      expect(await found(3)).toEqual(wanted);
    }, 60_000);
  });
}
