// Contract of due times that were written by a clock that was ahead.
import { describe, expect, it } from 'vitest';
import { type Bench, accept, NOW, newWorld } from './builders.js';
import { update } from '../../../src/database/rows.js';
import { queue } from '../../../src/messages/queue.tables.js';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const WAITS = {
  ...{ firstAttemptMs: HOUR_MS, retryMs: HOUR_MS, webhookMs: HOUR_MS, inboundMs: HOUR_MS },
  ...{ queueLeaseMs: HOUR_MS, webhookLeaseMs: HOUR_MS, signInLockMs: HOUR_MS, tlsReportMs: HOUR_MS },
};

export function dueTimesContract(given: () => Bench): void {
  describe('due times beyond the schedule', () => {
    it('become the time that it is, once', async () => {
      const { store } = given();
      const { live } = await newWorld(store);
      await store.dueTimes.cap(NOW, WAITS);
      const [far = 0, retried = 0, near = 0] = await accept(store, live, [
        { dueAt: NOW + DAY_MS },
        { dueAt: NOW + DAY_MS },
        { dueAt: NOW + HOUR_MS },
      ]);
      await store.commit([update(queue, { set: { attempts: 1 }, where: { message_id: retried } })]);
      expect(await store.dueTimes.cap(NOW, WAITS)).toMatchObject({ messages: 2 });
      const dueOf = async (id: number): Promise<number> =>
        Number(
          (await given().opened.raw(`SELECT due_at FROM queue WHERE message_id = ${id}`))[0]?.['due_at'],
        );
      expect([await dueOf(far), await dueOf(retried), await dueOf(near)]).toEqual([NOW, NOW, NOW + HOUR_MS]);
      expect(await store.dueTimes.cap(NOW, WAITS)).toMatchObject({ messages: 0 });
    });

    it('end leases as if they were taken now', async () => {
      const { store } = given();
      const { live } = await newWorld(store);
      const [far = 0, near = 0] = await accept(store, live, [{ dueAt: NOW }, { dueAt: NOW }]);
      const lease = (id: number, until: number) =>
        store.commit([
          update(queue, { set: { lease_until: until, lease_owner: 'w' }, where: { message_id: id } }),
        ]);
      await store.dueTimes.cap(NOW, WAITS);
      await lease(far, NOW + 9 * DAY_MS);
      await lease(near, NOW + 1_000);
      expect(await store.dueTimes.cap(NOW, WAITS)).toMatchObject({ leases: 1 });
      const stale = async (at: number) =>
        (await store.queue.staleLeases({ before: at, limit: 1_000, owner: null }))
          .map(({ messageId }) => messageId)
          .filter((id) => id === far || id === near);
      expect(await stale(NOW + 2_000)).toEqual([near]);
      expect(await stale(NOW + HOUR_MS + 1)).toEqual([near, far]);
      expect(await store.dueTimes.cap(NOW, WAITS)).toMatchObject({ leases: 0, locks: 0, tls_reports: 0 });
    });
  });
}
