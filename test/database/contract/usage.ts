// Contract of the use of a plan, and of what is written in the same transaction as a change.
import { describe, expect, it } from 'vitest';
import type { PlanLimits } from '../../../src/accounts/quota.rules.js';
import { auditInsert, pendingAuditEntry, type AuditEntry } from '../../../src/accounts/audit/audit.store.js';
import type { Scope } from '../../../src/database/scope.js';
import { type Bench, accept, DAY, newMessage, newWorld, NOW } from './builders.js';
import type { Change } from '../../../src/database/change.js';
import { planApiKey } from '../../../src/accounts/api-keys/api-key-plan.js';
import { checkKeyLimits, checkQuota, countKeyUse } from '../../../src/accounts/usage.store.js';
import { advanceMessage } from '../../../src/messages/message-changes.store.js';
import { templates } from '../../../src/templates/templates.tables.js';
import { remove, update } from '../../../src/database/rows.js';
import { acceptMessage } from '../../../src/messages/accept/accept.store.js';
import { usage, organizations } from '../../../src/accounts/accounts.tables.js';

const LIMITS: PlanLimits = { dailySends: 10, monthlySends: null, types: {} };
const DAYS = { today: DAY, monthStart: DAY };

const hold = ({ organizationId }: Scope, asked = 1): Change =>
  checkQuota({ organizationId, limits: LIMITS, type: 'transactional', asked, now: NOW });
const canceled = (messageId: number): Change =>
  advanceMessage({ messageId, to: 'canceled', from: ['queued', 'sending', 'sent'] });

export function usageContract(given: () => Bench): void {
  describe('messages of a key', () => {
    it('is added up by day, of plans that succeed, and forgotten the oldest first', async () => {
      const { store } = given();
      const { live } = await newWorld(store);
      const keyId = `key_of_${live.workspaceId}`;
      const use = (day: number): Change => countKeyUse({ keyId, day, messages: 2 });
      const refused: Change = remove(templates, { where: { id: 'none' }, otherwise: { code: 'not_found' } });
      const results = await Promise.allSettled([
        ...Array.from({ length: 5 }, () => store.commit([use(DAY)])),
        store.commit([use(DAY), refused]),
        store.commit([use(DAY - 9)]),
      ]);
      expect(results.filter(({ status }) => status === 'rejected')).toHaveLength(1);
      const days = () => store.keyUsage.days([keyId, 'key_of_nobody'], DAY - 30, DAY);
      expect(await days()).toEqual([
        { keyId, day: DAY - 9, messages: 2 },
        { keyId, day: DAY, messages: 10 },
      ]);
      expect(await store.keyUsage.prune(DAY * 86_400_000, 10)).toBe(1);
      expect(await days()).toHaveLength(1);
    });
  });

  describe('a key whose policy limits messages', () => {
    const HOUR_MS = 3_600_000;

    it('permits exactly its number of messages per hour and day, for any number of simultaneous requests', async () => {
      const { store } = given();
      const { live } = await newWorld(store);
      const { environmentId } = live;
      const wish = { environmentId, mode: 'live', name: 'Agent', permission: 'send' } as const;
      const { id: keyId, change } = planApiKey(wish, NOW);
      await store.commit([change]);
      const limits = { max_per_hour: 7, max_per_day: 10 };
      const submit = (now: number, asked = 1): Promise<unknown> =>
        store.commit([
          checkKeyLimits({ keyId, limits, asked, now }),
          countKeyUse({ keyId, day: Math.floor(now / (24 * HOUR_MS)), messages: asked }),
        ]);
      const passed = async (now: number, count: number): Promise<number> => {
        const all = await Promise.allSettled(Array.from({ length: count }, () => submit(now)));
        return all.filter(({ status }) => status === 'fulfilled').length;
      };
      const start = DAY * 24 * HOUR_MS;
      await expect(submit(start, 8)).rejects.toMatchObject({ details: { policy_field: 'max_per_hour' } });
      expect(await passed(start, 30)).toBe(7);
      await expect(submit(start)).rejects.toMatchObject({
        code: 'policy_violation',
        details: { policy_field: 'max_per_hour', limit: 7, used: 7 },
      });
      expect(await passed(start + HOUR_MS, 30)).toBe(3);
      await expect(submit(start + HOUR_MS)).rejects.toMatchObject({
        details: { policy_field: 'max_per_day', limit: 10, used: 10 },
      });
      expect(await passed(start + 24 * HOUR_MS, 8)).toBe(7);
    });
  });

  describe('a plan that limits sends', () => {
    it('permits exactly its number of messages, for any number of simultaneous requests', async () => {
      const { store } = given();
      const { live } = await newWorld(store);
      const results = await Promise.allSettled(
        Array.from({ length: 100 }, () =>
          store.commit([hold(live), acceptMessage({ message: newMessage(live) })]),
        ),
      );
      expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(10);
      expect((await store.usage.ofOrganization(live.organizationId, DAYS)).day.transactional).toBe(10);
      await expect(store.commit([hold(live)])).rejects.toMatchObject({
        code: 'quota_exceeded',
        details: { period: 'day', limit: 10, used: 10 },
      });
      await store.commit([hold((await newWorld(store)).live)]);
    });

    it('counts once, gives back once, and never goes below nothing', async () => {
      const { store } = given();
      const { live } = await newWorld(store);
      const [one = 0, other = 0] = await accept(store, live, [{}, {}]);
      const used = async () =>
        (await store.usage.ofOrganization(live.organizationId, DAYS)).day.transactional;
      await Promise.all([store.commit([canceled(one)]), store.commit([canceled(one)])]);
      expect(await used()).toBe(1);
      await store.commit([advanceMessage({ messageId: other, to: 'sent', from: ['queued'] })]);
      await store.commit([canceled(other)]);
      expect(await used()).toBe(1);
      const [third = 0] = await accept(store, live, [{}]);
      await store.commit([remove(usage, { where: { environment_id: live.environmentId } })]);
      await store.commit([canceled(third)]);
      expect(await used()).toBe(0);
    });
  });

  describe('the audit log', () => {
    const entryOf = (scope: Scope, action: string): AuditEntry => ({
      at: NOW,
      organizationId: scope.organizationId,
      workspaceId: scope.workspaceId,
      mode: scope.mode,
      actor: { kind: 'operator', id: null },
      action,
    });

    it('is written with the first commit of a scope, once, with the created rows', async () => {
      const { store } = given();
      const { live } = await newWorld(store);
      const marked = (name: string): Change =>
        update(organizations, { set: { name }, where: { id: live.organizationId } });
      await new Promise<void>((resolve, reject) => {
        store.audit.hooks.attach(pendingAuditEntry(entryOf(live, 'attached')), (end) => {
          Promise.all([store.commit([marked('a')]), store.commit([marked('b')])])
            .then(() => store.commit([marked('c')]))
            .then(() => resolve(), reject)
            .finally(end);
        });
      });
      const { rows } = await store.audit.entries(
        live,
        { limit: 10, after: null },
        { ofOrganization: true, action: 'attached' },
      );
      expect(rows).toMatchObject([{ action: 'attached', actor_kind: 'operator', detail: '{}' }]);
    });

    it('shows each workspace its own, and forgets the oldest first', async () => {
      const { store } = given();
      const [one, other] = [await newWorld(store), await newWorld(store)];
      await store.commit([auditInsert(entryOf(one.live, 'here')), auditInsert(entryOf(one.test, 'in test'))]);
      const seen = async (scope: Scope) =>
        (await store.audit.entries(scope, { limit: 10, after: null }, { ofOrganization: true })).rows
          .map(({ action }) => action)
          .sort();
      expect([await seen(one.live), await seen(one.test), await seen(other.live)]).toEqual([
        ['here', 'in test'],
        ['in test'],
        [],
      ]);
      expect(await store.audit.prune(NOW, 100)).toBe(0);
      expect(await store.audit.prune(NOW + 1, 1)).toBe(1);
    });
  });
}
