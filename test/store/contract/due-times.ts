// Due times that a clock wrote which was ahead.
import { describe, expect, it } from 'vitest';
import { type Bench, accept, NOW, newWorld } from './builders.js';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const WAITS = { firstAttemptMs: HOUR_MS, retryMs: HOUR_MS, webhookMs: HOUR_MS, inboundMs: HOUR_MS };

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
      await store.commit([
        { kind: 'update', table: 'queue', set: { attempts: 1 }, where: { message_id: retried } },
      ]);
      expect(await store.dueTimes.cap(NOW, WAITS)).toMatchObject({ messages: 2 });
      const dueOf = async (id: number): Promise<number> =>
        Number(
          (await given().opened.raw(`SELECT due_at FROM queue WHERE message_id = ${id}`))[0]?.['due_at'],
        );
      expect([await dueOf(far), await dueOf(retried), await dueOf(near)]).toEqual([NOW, NOW, NOW + HOUR_MS]);
      expect(await store.dueTimes.cap(NOW, WAITS)).toMatchObject({ messages: 0 });
    });
  });
}
