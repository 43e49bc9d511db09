// Contract of route shares: recipients who respond, figures of both sides, and queues of a side.
import { describe, expect, it } from 'vitest';
import { engagement, statGroups } from '../../../src/analytics/analytics.tables.js';
import { insert } from '../../../src/database/rows.js';
import { moveToSide } from '../../../src/messages/message-changes.store.js';
import { threads } from '../../../src/messages/threads/threads.tables.js';
import { EngagedRecipients } from '../../../src/route-shares/engaged-recipients.js';
import { accept, DAY, newWorld, NOW, type Bench } from './builders.js';
import { newThread } from './threads.js';

const DAY_MS = 86_400_000;
const NOTHING = { opens: 0, machine_opens: 0, clicks: 0, machine_clicks: 0 };

export function routeShareContract(given: () => Bench): void {
  describe('route shares', () => {
    it('know who opened, clicked or replied within 90 days', async () => {
      const { store } = given();
      const { live, test } = await newWorld(store);
      const mail = async (to: string, counts: Partial<typeof NOTHING>, daysAgo = 1) => {
        const [messageId = 0] = await accept(store, live, [
          { to, queued: false, row: { created_at: NOW - daysAgo * DAY_MS } },
        ]);
        await store.commit([insert(engagement, { row: { message_id: messageId, ...NOTHING, ...counts } })]);
      };
      await mail('opened@a.example', { opens: 1 });
      await mail('clicked@a.example', { clicks: 2 });
      await mail('machine@a.example', { machine_opens: 3, machine_clicks: 1 });
      await mail('old@a.example', { opens: 1 }, 100);
      await mail('silent@a.example', {});
      const row = newThread(live, { correspondent_key: 'replied@a.example', last_message_at: NOW - DAY_MS });
      await store.commit([insert(threads, { row })]);

      const recipients = new EngagedRecipients({ store, clock: () => NOW });
      const isEngaged = (name: string, { environmentId } = live) =>
        recipients.isEngaged({ environmentId, addressKey: `${name}@a.example` });
      const names = ['opened', 'clicked', 'replied', 'machine', 'old', 'silent', 'unknown'];
      expect(await Promise.all(names.map((name) => isEngaged(name)))).toEqual([
        ...[true, true, true],
        ...[false, false, false, false],
      ]);
      expect(await isEngaged('opened', test)).toBe(false);
    });

    it('have figures of live mail of all workspaces, by side', async () => {
      const { store } = given();
      const count = (environmentId: number, value: string, n: number, day = DAY) =>
        insert(statGroups, {
          row: {
            ...{ environment_id: environmentId, sub_tenant_key: '*', dimension: 'route', type: 'marketing' },
            ...{ day, value, measure: 'sent', n },
          },
        });
      const one = await newWorld(store);
      const other = await newWorld(store);
      const route = `leaving-${one.live.environmentId}`;
      await store.commit([
        count(one.live.environmentId, `${route} direct`, 3),
        count(other.live.environmentId, `${route} direct`, 4),
        count(one.live.environmentId, `${route} smarthost`, 5),
        count(one.live.environmentId, `${route} direct`, 100, DAY - 2),
        count(one.test.environmentId, `${route} direct`, 1_000),
        count(one.live.environmentId, `${route}2 direct`, 10_000),
      ]);
      const { direct, smarthost } = await store.sideFigures.ofRoute(route, DAY - 1);
      expect([direct.sent, smarthost.sent, direct.bounced]).toEqual([7, 5, 0]);
    });

    it('move a claimed message to the queue of its side, at its position', async () => {
      const { store } = given();
      const { live } = await newWorld(store);
      const [first = 0, second = 0] = await accept(store, live, [
        { domain: 'side.example', dueAt: NOW },
        { domain: 'side.example', dueAt: NOW },
      ]);
      const entry = await store.queueView.entry({ id: first });
      if (!entry) throw new Error('The message is not in the queue.');
      const { environmentId, subTenantKey, domain, rank, queueId } = entry;
      const claim = { now: NOW, leaseUntil: NOW + 1_000, owner: 'one' };
      const { claims } = await store.queue.claim({ ...claim, picks: [{ queueId, limit: 10 }] });
      expect(claims.map(({ messageId, side }) => [messageId, side])).toEqual([
        [first, null],
        [second, null],
      ]);
      const move = (messageId: number) =>
        store.commit([
          moveToSide({ messageId, environmentId, subTenantKey, domain, rank, side: 'smarthost' }),
        ]);
      const { queueIds } = await move(first);
      expect(await move(second)).toMatchObject({ queueIds });
      const [moved] = await store.queue.queues(queueIds);
      expect(moved).toMatchObject({ domain, rank, side: 'smarthost', dueAt: NOW });
      expect(moved?.queueId).not.toBe(queueId);
      const again = await store.queue.claim({
        ...claim,
        picks: [{ queueId: moved?.queueId ?? 0, limit: 10 }],
      });
      expect(again.claims.map(({ messageId, side }) => [messageId, side])).toEqual([
        [first, 'smarthost'],
        [second, 'smarthost'],
      ]);
      // New mail goes to the queue that is not decided.
      const [third = 0] = await accept(store, live, [{ domain: 'side.example' }]);
      expect(await store.queueView.entry({ id: third })).toMatchObject({ queueId, side: null });
    });
  });
}
