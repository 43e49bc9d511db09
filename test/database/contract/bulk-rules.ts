// Contract of the evidence for bulk sender rules: each sender's newest mail, its attempts, its counters, and mail after an
// unsubscribe.
import { describe, expect, it } from 'vitest';
import { newId } from '../../../src/lib/runtime/index.js';
import type { Scope } from '../../../src/database/scope.js';
import { accept, type Bench, DAY, newWorld, NOW } from './builders.js';
import type { Change } from '../../../src/database/change.js';
import type { Measure } from '../../../src/analytics/analytics.schema.js';
import { statGroups } from '../../../src/analytics/analytics.tables.js';
import { insert } from '../../../src/database/rows.js';
import { suppress } from '../../../src/suppressions/suppression-changes.store.js';

const HOUR = 3_600_000;

export function bulkRuleContract(given: () => Bench): void {
  describe('evidence for the bulk sender rules', () => {
    const senders = (scope: Scope) => {
      const tenant = newId('tnt', NOW);
      return {
        tenant,
        own: { environmentId: scope.environmentId, subTenantId: null },
        theirs: { environmentId: scope.environmentId, subTenantId: tenant },
      };
    };
    const attempt = async (messageId: number, at: number, outcome: string): Promise<void> => {
      const detail = JSON.stringify({ outcome, via: 'mta' });
      const values = `(${messageId}, 1, ${at}, '${detail}')`;
      await given().opened.raw(`INSERT INTO attempts (message_id, number, at, detail) VALUES ${values}`);
    };
    const group = (
      scope: Scope,
      more: { value: string; measure: Measure; n: number; day?: number },
    ): Change =>
      insert(statGroups, {
        row: {
          ...{
            environment_id: scope.environmentId,
            sub_tenant_key: '',
            dimension: 'provider',
            type: 'marketing',
          },
          ...{ day: DAY, ...more },
        },
      });

    it('is of one sender: newest messages first, refused ones, and their attempts', async () => {
      const { store } = given();
      const { live } = await newWorld(store);
      const { tenant, own, theirs } = senders(live);
      const [first = 0, second = 0, third = 0] = await accept(store, live, [
        { queued: false, row: { status: 'delivered' } },
        { queued: false, row: { status: 'bounced', sub_tenant_id: tenant } },
        { queued: false, row: { status: 'delivered', sub_tenant_id: tenant } },
      ]);
      await attempt(second, NOW, 'bounced');
      await attempt(third, NOW + 1, 'delivered');
      const ids = (rows: readonly { id: number }[]) => rows.map(({ id }) => id);
      expect(ids(await store.bulkRules.recent(own))).toEqual([first]);
      expect(ids(await store.bulkRules.recent(theirs))).toEqual([third, second].sort((a, b) => b - a));
      expect(ids(await store.bulkRules.refused(theirs))).toEqual([second]);
      expect(await store.bulkRules.refused(own)).toEqual([]);
      const attempts = await store.bulkRules.attemptsAmong([second, third]);
      expect(attempts.map(({ messageId, detail }) => [messageId, detail.outcome]).sort()).toEqual(
        [
          [second, 'bounced'],
          [third, 'delivered'],
        ].sort(),
      );
      expect(await store.bulkRules.attemptsAmong([])).toEqual([]);
    });

    it('composes only small messages without files again', async () => {
      const { store } = given();
      const { live } = await newWorld(store);
      const attachments = [{ filename: 'a.txt', bytes: Buffer.from('a') }];
      const [small = 0, large = 0, file = 0, redacted = 0] = await accept(store, live, [
        { queued: false },
        { queued: false, text: 'a'.repeat(1_048_577) },
        { queued: false, attachments },
        { queued: false },
      ]);
      await given().opened.raw(`UPDATE messages SET redacted_at = ${NOW} WHERE id = ${redacted}`);
      expect([...(await store.bulkRules.smallAmong([small, large, file, redacted]))]).toEqual([small]);
      expect((await store.bulkRules.smallAmong([])).size).toBe(0);
    });

    it('sums sent mail by day, and the results by provider', async () => {
      const { store } = given();
      const { live } = await newWorld(store);
      await store.commit([
        group(live, { value: 'google', measure: 'sent', n: 7 }),
        group(live, { value: 'google', measure: 'sent', n: 5, day: DAY - 1 }),
        group(live, { value: 'google', measure: 'opened', n: 3 }),
        group(live, { value: 'yahoo', measure: 'delivered', n: 4 }),
        group(live, { value: 'yahoo', measure: 'complained', n: 1 }),
        group(live, { value: 'gmx', measure: 'sent', n: 2 }),
      ]);
      const { own } = senders(live);
      const span = { from: DAY - 1, to: DAY };
      const days = await store.bulkRules.sentByDay(own, { ...span, providers: ['google', 'yahoo'] });
      expect(days.sort((a, b) => a.day - b.day)).toEqual([
        { provider: 'google', day: DAY - 1, n: 5 },
        { provider: 'google', day: DAY, n: 7 },
      ]);
      const sums = await store.bulkRules.sums(own, span);
      expect(Object.fromEntries(sums)).toEqual({
        google: { sent: 12, delivered: 0, complained: 0 },
        yahoo: { sent: 0, delivered: 4, complained: 1 },
        gmx: { sent: 2, delivered: 0, complained: 0 },
      });
    });

    it('finds the last marketing mail to a recipient who has unsubscribed', async () => {
      const { store } = given();
      const { live } = await newWorld(store);
      const { own } = senders(live);
      const marketing = { queued: false, row: { type: 'marketing', status: 'delivered' } } as const;
      const [late = 0] = await accept(store, live, [
        { ...marketing, to: 'late@x.example' },
        { queued: false, to: 'order@x.example', row: { status: 'delivered' } },
      ]);
      await attempt(late, NOW + 50 * HOUR, 'delivered');
      const suppression = (email: string, reason: 'unsubscribe' | 'manual', at = NOW): Change =>
        suppress({
          row: {
            ...{ id: newId('sup', at), environment_id: live.environmentId, sub_tenant_key: '', email },
            ...{ email_key: email, reason, message_public_id: null, reply: null, created_at: at },
          },
        });
      await store.commit([
        suppression('late@x.example', 'unsubscribe'),
        suppression('order@x.example', 'unsubscribe'),
        suppression('by-hand@x.example', 'manual'),
        suppression('long-ago@x.example', 'unsubscribe', NOW - 2),
      ]);
      const found = await store.bulkRules.unsubscribes(own, NOW - 1);
      expect(found.map(({ last }) => last?.at ?? null).sort()).toEqual([NOW + 50 * HOUR, null].sort());
    });
  });
}
